import {
  chunk,
  CHUNK,
  data,
  DONE,
  error,
  type ProviderStream,
  START,
  TEXT,
  USAGE,
  WELCOME,
} from './provider-streams.ts';

/**
 * Responses in forms that several gateways, proxies and local servers send, written for these tests. Those that belong to
 * one provider are in provider-streams.ts.
 */

/** A complete reply whose text comes in these frames. */
const reply = (...frames: string[]): ProviderStream => ({
  body: START + frames.join('') + chunk({}, 'stop') + DONE,
  text: TEXT,
  end: 'stop',
});
/** A reply with other frames around its text, which add nothing. */
const around = (frame: string): ProviderStream =>
  reply(frame, chunk({ content: 'Welcome ' }), frame, chunk({ content: 'ashore.' }), frame);
/** Two frames with these fields besides the text. */
const beside = (fields: object): ProviderStream =>
  reply(
    ...['Welcome ', 'ashore.'].map((content) =>
      data({ ...CHUNK, ...fields, choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
    ),
  );
/** A response that is no stream. */
const whole = (body: unknown, end: string, more: Partial<ProviderStream> = {}): ProviderStream => ({
  ...error(200, body, end),
  ...more,
});
/** A choice besides the first one. */
const other = (content: string) => ({ index: 1, delta: { content }, finish_reason: null });
const first = (content: string) => ({ index: 0, delta: { content }, finish_reason: null });

export const SERVER_STREAMS: Record<string, ProviderStream> = {
  'an empty data line': around('data:\n\n'),
  'a data line with a blank': around('data: \n\n'),
  'a data line with null': around('data: null\n\n'),
  'a data line with a word': around('data: heartbeat\n\n'),
  'an empty object': around('data: {}\n\n'),
  'an object without choices': around('data: {"keepalive":true}\n\n'),
  'a comment': around(': PROCESSING\n\n'),
  'a ping event': around('event: ping\ndata: {"type":"ping"}\n\n'),
  'an empty text': around(chunk({ content: '' })),
  'no delta': around(data({ ...CHUNK, choices: [{ index: 0, finish_reason: null }] })),
  'a delta that is null': around(data({ ...CHUNK, choices: [{ index: 0, delta: null }] })),
  'no choices': around(data({ ...CHUNK, choices: [] })),
  'choices that are null': around(data({ ...CHUNK, choices: null, usage: { total_tokens: 9 } })),
  'empty tool calls': around(chunk({ content: '', tool_calls: [] })),

  'an empty error in each chunk': beside({ error: {} }),
  'an error that is empty text in each chunk': beside({ error: '', code: 0 }),
  'an error that is null in each chunk': beside({ error: null, usage: null }),

  'other choices in frames of their own': reply(
    ...['Welcome ', 'ashore.'].flatMap((text) => [
      data({ ...CHUNK, choices: [other('Go ')] }),
      data({ ...CHUNK, choices: [first(text)] }),
    ]),
    data({ ...CHUNK, choices: [{ index: 1, delta: {}, finish_reason: 'stop' }] }),
  ),
  'other choices in the same frame': reply(
    ...['Welcome ', 'ashore.'].map((text) => data({ ...CHUNK, choices: [other('Go '), first(text)] })),
  ),
  'completions of text': reply(
    ...['Welcome ', 'ashore.'].map((text) =>
      data({ object: 'text_completion', choices: [{ index: 0, text, finish_reason: null }] }),
    ),
  ),
  'choices without an index': reply(
    ...['Welcome ', 'ashore.'].map((content) => data({ choices: [{ delta: { content } }] })),
  ),
  'a list of strings': reply(chunk({ content: ['Welcome ', 'ashore.'] })),
  'a typed object': reply(chunk({ content: { type: 'text', text: TEXT } })),
  'a piece with output text': reply(chunk({ content: [{ type: 'output_text', text: TEXT }] })),
  'a piece without a text': reply(chunk({ content: [{ type: 'text', text: null }] }), WELCOME),
  'fields that are null': reply(
    chunk({ role: null, content: TEXT, refusal: null, tool_calls: null, reasoning_content: null }),
  ),
  'reasoning after the first text': {
    ...reply(
      chunk({ content: 'Welcome ' }),
      chunk({ reasoning_content: 'Hm.' }),
      chunk({ content: 'ashore.' }),
    ),
    thinking: 'Hm.',
  },

  'the reason of the end in each chunk': {
    body: chunk({ content: 'Welcome ' }, 'stop') + chunk({ content: 'ashore.' }, 'stop') + DONE,
    text: TEXT,
    end: 'stop',
  },
  'text after the end': reply(chunk({ content: 'Welcome ' }, 'stop'), chunk({ content: 'ashore.' })),
  'an empty reason in each chunk': reply(
    chunk({ content: 'Welcome ' }, ''),
    chunk({ content: 'ashore.' }, ''),
  ),
  'a reason that is a number': { body: START + WELCOME + chunk({}, 1) + DONE, text: TEXT, end: 'stop' },
  'a reason in capitals': {
    body: START + WELCOME + chunk({}, 'MAX_TOKENS') + DONE,
    text: TEXT,
    end: 'length',
  },
  'a refusal in capitals': { body: START + WELCOME + chunk({}, 'SAFETY') + DONE, text: TEXT, end: 'refused' },
  'an end mark in small letters': { body: START + WELCOME + 'data: [done]\n\n', text: TEXT, end: 'stop' },
  'an end mark as JSON': { body: START + WELCOME + 'data: "[DONE]"\n\n', text: TEXT, end: 'stop' },
  'an end mark alone': { body: START + WELCOME + DONE, text: TEXT, end: 'stop' },
  'no end mark': { body: START + WELCOME + chunk({}, 'stop'), text: TEXT, end: 'stop' },
  'no end': { body: START + WELCOME, text: TEXT, end: 'cut_off' },
  'tool calls only': {
    body:
      START +
      chunk({ content: null, tool_calls: [{ index: 0, function: { name: 'look', arguments: '{}' } }] }) +
      chunk({}, 'tool_calls') +
      DONE,
    text: '',
    end: 'empty',
  },

  'one line break between frames': {
    body: `${(START + WELCOME + chunk({}, 'stop')).replaceAll('\n\n', '\n')}data: [DONE]\n`,
    text: TEXT,
    end: 'stop',
  },
  'a byte order mark': {
    body: `\ufeff${START}${WELCOME}${chunk({}, 'stop')}${DONE}`,
    text: TEXT,
    end: 'stop',
  },
  'fields of events': reply(`event: message\nid: 7\nretry: 3000\n${chunk({ content: TEXT })}`),

  'an error in the first frame': {
    body: data({ error: { message: 'x', code: 429 } }),
    text: '',
    end: 'rate_limited',
  },
  'an error that is a text': {
    body: START + WELCOME + data({ error: 'x' }),
    text: TEXT,
    end: 'provider_error',
  },
  'an error in a line of its own': {
    body: `${START}${WELCOME}error: {"code":500,"type":"server_error"}\n\n`,
    text: TEXT,
    end: 'cut_off',
  },
  'an error in plain text': { body: `${START}${WELCOME}Internal Server Error`, text: TEXT, end: 'cut_off' },

  'JSON with thinking': whole(
    { choices: [{ index: 0, message: { content: `<think>Hm.</think>${TEXT}` }, finish_reason: 'stop' }] },
    'stop',
    { text: TEXT, thinking: 'Hm.' },
  ),
  'JSON with an error that is a text': whole({ error: 'x' }, 'provider_error'),
  'JSON with a limit that is a text': whole({ error: 'Too many requests' }, 'rate_limited'),
  'JSON with a code and a sentence': whole({ code: 'DataInspectionFailed', message: 'x' }, 'refused'),
  'JSON in lines': whole(null, 'provider_error', {
    body: '{"message":{"content":"Hi"},"done":false}\n{"done":true}\n',
    type: 'application/x-ndjson',
  }),
  'a page': whole(null, 'provider_error', { body: '<html>Just a moment…</html>', type: 'text/html' }),
  'a stream under another type': { ...reply(WELCOME), type: 'application/json' },
  'usage at the end': { body: START + WELCOME + chunk({}, 'stop') + USAGE + DONE, text: TEXT, end: 'stop' },
};

/**
 * Responses in the forms that providers and local servers send, written for these tests: what is particular to each is in it.
 * docs/tables/providers.md lists the providers; a test keeps the list equal to this one.
 */
export interface ProviderStream {
  /** The body of the response. */
  body: string;
  /** By default `text/event-stream`. */
  type?: string;
  status?: number;
  text: string;
  thinking?: string;
  /** The finish reason or the failure code. */
  end: string;
}

export const DONE = 'data: [DONE]\n\n';
export const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
export const CHUNK = { id: 'c1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'm' };
/** A chunk with one choice. */
export const chunk = (delta: unknown, finish_reason: unknown = null, more: object = {}) =>
  data({ ...CHUNK, choices: [{ index: 0, delta, finish_reason, ...more }] });
export const START = chunk({ role: 'assistant', content: '' });
/** Two pieces of text and an end. */
export const WELCOME = chunk({ content: 'Welcome ' }) + chunk({ content: 'ashore.' });
export const USAGE = data({
  ...CHUNK,
  choices: [],
  usage: { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 },
});
export const error = (status: number, body: unknown, end: string): ProviderStream => ({
  body: JSON.stringify(body),
  type: 'application/json',
  status,
  text: '',
  end,
});

export const TEXT = 'Welcome ashore.';
const thought = (field: string) =>
  chunk({ content: null, [field]: 'They say ' }) + chunk({ content: null, [field]: 'hello.' });

/** A reply whose thinking is in its text, which comes in two pieces. */
const thinkInText = (...pieces: [string, string]): ProviderStream => ({
  body: START + pieces.map((content) => chunk({ content })).join('') + WELCOME + chunk({}, 'stop') + DONE,
  text: TEXT,
  thinking: 'They say hello.',
  end: 'stop',
});

/** What was tried of each provider. */
export const PROVIDER_STREAMS: Record<string, Record<string, ProviderStream>> = {
  OpenAI: {
    reply: { body: START + WELCOME + chunk({}, 'stop') + USAGE + DONE, text: TEXT, end: 'stop' },
    'token limit': { body: START + WELCOME + chunk({}, 'length') + DONE, text: TEXT, end: 'length' },
    'refusal by the model': { body: START + chunk({ refusal: 'I cannot.' }), text: '', end: 'refused' },
    'wrong key': error(
      401,
      { error: { type: 'invalid_request_error', code: 'invalid_api_key' } },
      'unauthorized',
    ),
    'no quota': error(
      429,
      { error: { type: 'insufficient_quota', code: 'insufficient_quota' } },
      'misconfigured',
    ),
    'rate limit': error(429, { error: { type: 'requests', code: 'rate_limit_exceeded' } }, 'rate_limited'),
  },
  Azure: {
    'filter results': {
      body:
        data({ choices: [], id: '', model: '', object: '', prompt_filter_results: [{ prompt_index: 0 }] }) +
        START +
        WELCOME +
        data({ ...CHUNK, choices: [{ index: 0, finish_reason: null, content_filter_results: {} }] }) +
        chunk({}, 'stop') +
        DONE,
      text: TEXT,
      end: 'stop',
    },
    'filtered reply': {
      body: START + WELCOME + chunk({}, 'content_filter') + DONE,
      text: TEXT,
      end: 'refused',
    },
    'filtered prompt': error(
      400,
      {
        error: { code: 'content_filter', status: 400, innererror: { code: 'ResponsibleAIPolicyViolation' } },
      },
      'refused',
    ),
  },
  DeepSeek: {
    reasoning: {
      body: `: keep-alive\n\n${START}${thought('reasoning_content')}${WELCOME}${chunk({ content: '' }, 'stop')}${DONE}`,
      text: TEXT,
      thinking: 'They say hello.',
      end: 'stop',
    },
    'no capacity': {
      body: START + WELCOME + chunk({}, 'insufficient_system_resource') + DONE,
      text: TEXT,
      end: 'provider_error',
    },
    'no balance': error(
      402,
      { error: { message: 'Insufficient Balance', type: 'unknown_error' } },
      'misconfigured',
    ),
  },
  Mistral: {
    'reasoning in pieces': {
      body:
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'They say ' }] }] }) +
        chunk({
          content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hello.' }], closed: true }],
        }) +
        chunk({
          content: [
            { type: 'text', text: 'Welcome ' },
            { type: 'reference', reference_ids: [1] },
          ],
        }) +
        chunk({ content: 'ashore.' }, 'stop') +
        DONE,
      text: TEXT,
      thinking: 'They say hello.',
      end: 'stop',
    },
    'context limit': { body: START + WELCOME + chunk({}, 'model_length') + DONE, text: TEXT, end: 'length' },
  },
  OpenRouter: {
    reasoning: {
      body: `: OPENROUTER PROCESSING\n\n${chunk({
        content: '',
        reasoning: 'They say hello.',
        reasoning_details: [{ type: 'reasoning.text', text: 'They say hello.', index: 0 }],
      })}${WELCOME}${chunk({ content: '' }, 'stop', { native_finish_reason: 'STOP' })}${USAGE}${DONE}`,
      text: TEXT,
      thinking: 'They say hello.',
      end: 'stop',
    },
    'error in the stream': {
      body:
        WELCOME +
        data({
          error: { code: 502, message: 'x' },
          choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
        }),
      text: TEXT,
      end: 'provider_error',
    },
    moderation: error(
      403,
      { error: { code: 403, message: 'x', metadata: { reasons: ['violence'] } } },
      'refused',
    ),
    'no credits': error(402, { error: { code: 402, message: 'x' } }, 'misconfigured'),
  },
  Groq: {
    reasoning: {
      body: START + thought('reasoning') + WELCOME + chunk({}, 'stop', { x_groq: { id: 'r' } }) + DONE,
      text: TEXT,
      thinking: 'They say hello.',
      end: 'stop',
    },
  },
  xAI: {
    'reasoning, text in the last chunk': {
      body:
        thought('reasoning_content') +
        chunk({ content: 'Welcome ' }) +
        chunk({ content: 'ashore.' }, 'stop') +
        USAGE +
        DONE,
      text: TEXT,
      thinking: 'They say hello.',
      end: 'stop',
    },
  },
  Perplexity: {
    'whole message in each chunk': {
      body:
        chunk({ content: 'Welcome ' }, null, { message: { role: 'assistant', content: 'Welcome ' } }) +
        chunk({ content: 'ashore.' }, null, { message: { role: 'assistant', content: TEXT } }) +
        chunk({ content: '' }, 'stop', { message: { role: 'assistant', content: TEXT } }),
      text: TEXT,
      end: 'stop',
    },
    'reasoning in tags': {
      body:
        START +
        chunk({ content: '<think>\nThey say hello.' }) +
        chunk({ content: '\n</think>\n\n' }) +
        WELCOME +
        chunk({}, 'stop'),
      text: `\n\n${TEXT}`,
      thinking: '\nThey say hello.\n',
      end: 'stop',
    },
  },
  Moonshot: {
    reasoning: {
      body:
        START +
        thought('reasoning_content') +
        WELCOME +
        chunk({}, 'stop', { usage: { total_tokens: 9 } }) +
        DONE,
      text: TEXT,
      thinking: 'They say hello.',
      end: 'stop',
    },
    'reasoning in tags': thinkInText('◁thi', 'nk▷They say hello.◁/think▷'),
  },
  MiniMax: {
    'reasoning in tags, whole message at the end': {
      body:
        chunk({ content: '<think>They say hello.</think>' }) +
        WELCOME +
        data({
          id: 'c1',
          choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: TEXT } }],
        }) +
        DONE,
      text: TEXT,
      thinking: 'They say hello.',
      end: 'stop',
    },
    'error with status 200': {
      ...error(
        200,
        { id: '', choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
        'provider_error',
      ),
    },
  },
  'Workers AI': {
    reply: { body: WELCOME + chunk({}, 'stop') + USAGE + DONE, text: TEXT, end: 'stop' },
  },
  vLLM: {
    'reasoning parser': {
      body:
        START + thought('reasoning') + WELCOME + chunk({ content: '' }, 'stop', { stop_reason: null }) + DONE,
      text: TEXT,
      thinking: 'They say hello.',
      end: 'stop',
    },
    'no reasoning parser, opening tag in the prompt': thinkInText('They say hello.', '</think>'),
    'aborted request': { body: START + WELCOME + chunk({}, 'abort') + DONE, text: TEXT, end: 'cut_off' },
    'unknown model': error(404, { object: 'error', type: 'NotFoundError', code: 404 }, 'misconfigured'),
  },
  'llama.cpp': {
    'gpt-oss without --jinja': {
      body:
        chunk({ role: 'assistant', content: null }) +
        chunk({ content: '<|channel|>analysis<|message|>They say hello.<|end|>' }) +
        chunk({ content: '<|start|>assistant<|channel|>final<|message|>Welcome ' }) +
        chunk({ content: 'ashore.' }) +
        chunk({}, 'stop', { timings: { predicted_n: 4 } }) +
        DONE,
      text: TEXT,
      thinking: 'They say hello.',
      end: 'stop',
    },
    'end mark in the text': {
      body: WELCOME + chunk({ content: '<|im_end|>\n<|im_start|>user' }) + chunk({}, 'stop') + DONE,
      text: TEXT,
      end: 'stop',
    },
    'loading model': error(
      503,
      { error: { code: 503, message: 'Loading model', type: 'unavailable_error' } },
      'provider_error',
    ),
  },
  Ollama: {
    reasoning: {
      body:
        chunk({ role: 'assistant', content: '', reasoning: 'They say hello.' }) +
        WELCOME +
        chunk({ role: 'assistant', content: '' }, 'stop') +
        DONE,
      text: TEXT,
      thinking: 'They say hello.',
      end: 'stop',
    },
    'reasoning in tags': {
      body:
        chunk({ content: '<th' }) +
        chunk({ content: 'ink>They say hello.</think>' }) +
        WELCOME +
        chunk({ content: '' }, 'stop') +
        DONE,
      text: TEXT,
      thinking: 'They say hello.',
      end: 'stop',
    },
    'unknown model': error(
      404,
      { error: { message: 'model "m" not found', type: 'api_error' } },
      'misconfigured',
    ),
  },
  'LM Studio': {
    reasoning: {
      body: START + thought('reasoning_content') + WELCOME + chunk({}, 'stop') + DONE,
      text: TEXT,
      thinking: 'They say hello.',
      end: 'stop',
    },
    'error in the stream': {
      body: `event: error\ndata: ${JSON.stringify({ error: { message: 'x' } })}\n\n`,
      text: '',
      end: 'provider_error',
    },
  },
  KoboldCpp: {
    'text in the last chunk': {
      body: chunk({ content: 'Welcome ' }) + chunk({ content: 'ashore.' }, 'stop') + DONE,
      text: TEXT,
      end: 'stop',
    },
    'token limit': { body: WELCOME + chunk({}, 'length') + DONE, text: TEXT, end: 'length' },
  },
};

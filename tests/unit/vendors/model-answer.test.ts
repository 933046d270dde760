import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fetchReturning,
  startTestModelServer,
  buildDeltaFrame,
  expectFailure,
  finishPart,
  joinThinking,
  readParts,
  API_KEY,
  SECRET_WORDS,
  buildTokens,
} from '../../support/model-requests.ts';
import { createAnswerParser } from '../../../src/vendors/model-answer.ts';
import { NOISE_TEXT, SPLIT_SURROGATE_TEXT, SPLIT_UTF8_TEXT } from '../../support/model-server.mjs';

const { server, ask } = await startTestModelServer();

describe('Model stream', () => {
  it('a stream is complete when its characters are cut at every byte', async () => {
    const { text, end } = await readParts(ask({ scenario: 'split-utf8' }));
    expect(text).toBe(SPLIT_UTF8_TEXT);
    expect(end).toMatchObject(finishPart('stop'));
  });

  it('a stream never yields half a character, even if the provider sends halves', async () => {
    const { text, parts } = await readParts(ask({ scenario: 'split-surrogate' }));
    expect(text).toBe(SPLIT_SURROGATE_TEXT);
    expect(parts.every((part) => part.kind !== 'text' || part.text.isWellFormed())).toBe(true);
  });

  it('a half character whose other half never comes is replaced', async () => {
    const { send } = fetchReturning([buildDeltaFrame('a\ud83d'), buildDeltaFrame('b\ude00\ud83d', 'stop')]);
    expect((await readParts(ask({ scenario: 'x', fetch: send }))).text).toBe('a\ufffdb\ufffd\ufffd');
  });

  it('a stream yields only its text when the frames contain much else', async () => {
    const { text, parts, end } = await readParts(ask({ scenario: 'noise' }));
    expect(text).toBe(NOISE_TEXT);
    expect(end).toEqual(finishPart('stop'));
    expect(joinThinking(parts)).toBe('Let me thinka little more');
  });

  it.each([
    ['an error', { error: 'x', choices: [{ delta: { content: 'a' } }] }, 'failure'],
    ['the object of an error', { object: 'error', choices: [{ delta: { content: 'a' } }] }, 'failure'],
    ['a refusal', { choices: [{ delta: { content: 'a', refusal: 'no' } }] }, 'failure'],
    ['a malformed choice', { choices: [{ delta: { content: 'a' } }, 5] }, 'failure'],
    ['a malformed refusal', { choices: [{ delta: { content: 'a', refusal: 3 } }] }, 'failure'],
    ['the end', { choices: [{ delta: { content: 'a' }, finish_reason: 'stop' }] }, 'finish'],
  ])('a frame with text and %s is more than a piece of text', (_, frame, kind) => {
    const answer = createAnswerParser(true, null);
    answer.feed(`${buildDeltaFrame('before')}data: ${JSON.stringify(frame)}\n\n`);
    const end = kind === 'finish' ? answer.close() : answer.end;
    expect(end?.kind).toBe(kind);
    expect(answer.take()).toEqual([{ kind: 'text', text: kind === 'finish' ? 'beforea' : 'before' }]);
  });

  it('thinking is passed on, and is no part of the text', async () => {
    const { text, parts } = await readParts(ask({ scenario: 'thinking n=3' }));
    expect(joinThinking(parts)).toBe('thought 0thought 1thought 2');
    expect(text).toBe(buildTokens(3));
  });

  it('encrypted reasoning is reported once, without a text', async () => {
    const frame = (delta: unknown) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`;
    const hidden = frame({ content: '', reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] });
    const { send } = fetchReturning([hidden, hidden, buildDeltaFrame('Yes.', 'stop')]);
    const { parts } = await readParts(ask({ scenario: 'x', fetch: send }));
    expect(parts).toEqual([
      { kind: 'thinking', text: '' },
      { kind: 'text', text: 'Yes.' },
      finishPart('stop'),
    ]);
  });

  it('reasoning in a list of content pieces is read as thinking', async () => {
    const piece = (content: unknown) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
    const { send } = fetchReturning([
      piece([{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }]),
      piece([{ type: 'text', text: 'Yes' }]),
      buildDeltaFrame('.', 'stop'),
    ]);
    const { parts, text } = await readParts(ask({ scenario: 'x', fetch: send }));
    expect(parts[0]).toEqual({ kind: 'thinking', text: 'hm' });
    expect(text).toBe('Yes.');
  });

  it.each([
    ['length', finishPart('length')],
    ['tool_calls', finishPart('stop')],
    ['content_filter', expectFailure('refused')],
    ['error', expectFailure('provider_error')],
  ])('a stream that ends by %s reports that end', async (reason, expected) => {
    const { text, end } = await readParts(ask({ scenario: `tokens n=4 ms=0 finish=${reason}` }));
    expect(text).toBe(buildTokens(4));
    expect(end).toMatchObject(expected);
  });

  it('a stream that the provider filters counts as refused', async () => {
    expect((await readParts(ask({ scenario: 'filter n=2' }))).end).toEqual(expectFailure('refused'));
  });

  it('a stream with a refusal of the provider counts as refused', async () => {
    const { send } = fetchReturning([
      `data: ${JSON.stringify({ choices: [{ delta: { refusal: "I can't" } }] })}\n\n`,
    ]);
    expect((await readParts(ask({ scenario: 'x', fetch: send }))).parts).toEqual([expectFailure('refused')]);
  });

  it('[DONE] alone finishes a stream that has text', async () => {
    const { text, end } = await readParts(ask({ scenario: 'no-finish-done n=3' }));
    expect(text).toBe(buildTokens(3));
    expect(end).toEqual(finishPart('stop'));
  });

  it('a stream that finishes without text counts as empty', async () => {
    expect((await readParts(ask({ scenario: 'no-text' }))).parts).toEqual([expectFailure('empty')]);
    expect((await readParts(ask({ scenario: 'no-finish-done n=0' }))).parts).toEqual([
      expectFailure('empty'),
    ]);
    const { send } = fetchReturning([buildDeltaFrame(' \n'), buildDeltaFrame('', 'stop')]);
    expect((await readParts(ask({ scenario: 'x', fetch: send }))).end).toEqual(expectFailure('empty'));
  });

  it.each(['cut n=6', 'reset n=6'])(
    'a stream that breaks off fails and keeps its text (%s)',
    async (scenario) => {
      const { text, end } = await readParts(ask({ scenario }));
      expect(text).toBe(buildTokens(6));
      expect(end).toEqual(expectFailure('cut_off'));
    },
  );

  it('a stream that breaks off within a line is cut off, while a complete last line still counts', async () => {
    const inside = fetchReturning([buildDeltaFrame('a'), 'data: {"choices":[{"delta":{"con']);
    expect((await readParts(ask({ scenario: 'x', fetch: inside.send }))).end).toEqual(
      expectFailure('cut_off'),
    );
    const last = fetchReturning([buildDeltaFrame('a'), 'data: [DONE]']);
    expect((await readParts(ask({ scenario: 'x', fetch: last.send }))).end).toEqual(finishPart('stop'));
  });

  it('a finished stream does not wait for the end of its body', async () => {
    const { text, end } = await readParts(
      ask({ scenario: 'finish-hang n=3 key=lingers', timeouts: { totalMs: 60_000 } }),
    );
    expect(text).toBe(buildTokens(3));
    expect(end).toEqual(finishPart('stop'));
    expect(await server.ended('lingers')).toBe(true);
    const { send, seen } = fetchReturning([buildDeltaFrame('a', 'stop')], { isOpen: true });
    const before = performance.now();
    expect((await readParts(ask({ scenario: 'x', fetch: send }))).end).toEqual(finishPart('stop'));
    expect(performance.now() - before).toBeLessThan(1000);
    expect(seen.cancelled).toBe(true);
  });
});

describe('Faulty model stream', () => {
  it.each([
    ['code=500', 'provider_error'],
    ['code=500 event=1', 'provider_error'],
    ['code=429', 'rate_limited'],
    ['code=429 event=1', 'rate_limited'],
    ['code=rate_limit_exceeded', 'rate_limited'],
  ])('an error frame (%s) is reported as %s and keeps the text before it', async (options, expected) => {
    const { text, end } = await readParts(ask({ scenario: `error-frame n=3 ${options}` }));
    expect(text).toBe(buildTokens(3));
    expect(end).toEqual(expectFailure(expected));
  });

  it.each([
    ['{"error":"Rate limit reached"}', 'rate_limited'],
    ['{"error":{"type":"rate_limit_error"}}', 'rate_limited'],
    ['{"error":{"status":"429"}}', 'rate_limited'],
    ['{"error":{"message":"the user asked for a rate limit"}}', 'provider_error'],
    ['{"object":"error","message":"boom","code":400}', 'provider_error'],
    ['"just a string"', 'provider_error'],
    ['{"choices":[{"delta":{"content":5}}]}', 'provider_error'],
  ])('the frame %s is reported as %s', async (data, expected) => {
    const { send, seen } = fetchReturning([buildDeltaFrame('a'), `data: ${data}\n\n`], { isOpen: true });
    expect((await readParts(ask({ scenario: 'x', fetch: send }))).end).toEqual(expectFailure(expected));
    expect(seen.cancelled).toBe(true);
  });

  it('an error frame that contains the key does not put it in the log', async () => {
    const { send } = fetchReturning([
      `data: ${JSON.stringify({ error: { code: `bad-${API_KEY}`, type: SECRET_WORDS } })}\n\n`,
    ]);
    const { end } = await readParts(ask({ scenario: 'x', fetch: send }));
    expect(end).toEqual({ kind: 'failure', code: 'provider_error', detail: 'an error frame' });
  });

  it('a line that is not JSON fails the stream', async () => {
    const { text, end } = await readParts(ask({ scenario: 'bad-json n=4' }));
    expect(text).toBe(buildTokens(4));
    expect(end).toEqual(expectFailure('provider_error'));
  });

  it('a line over 1 MiB fails the stream, whether text or comment', async () => {
    expect((await readParts(ask({ scenario: 'long-line chars=1100000' }))).parts).toEqual([
      expectFailure('provider_error'),
    ]);
    const { send, seen } = fetchReturning([':', ...Array.from({ length: 20 }, () => 'x'.repeat(64 * 1024))], {
      isOpen: true,
    });
    expect((await readParts(ask({ scenario: 'x', fetch: send }))).parts).toEqual([
      expectFailure('provider_error'),
    ]);
    expect(seen.cancelled).toBe(true);
  });

  it('a long line within the limit is read', async () => {
    expect((await readParts(ask({ scenario: 'long-line chars=150000' }))).text).toHaveLength(150_000);
  });

  it('an endless reply ends at 200,000 characters', async () => {
    const { text, end } = await readParts(ask({ scenario: 'long chars=260000 key=endless' }));
    expect(text).toHaveLength(200_000);
    expect(end).toEqual(finishPart('length'));
  });

  it('the limit of 200,000 characters splits no character', async () => {
    const { send } = fetchReturning([buildDeltaFrame('x'.repeat(199_999)), buildDeltaFrame('😀 and more')]);
    const { text, end } = await readParts(ask({ scenario: 'x', fetch: send }));
    expect(text).toBe('x'.repeat(199_999));
    expect(end).toEqual(finishPart('length'));
  });
});

describe('Model response that is not a stream', () => {
  it('a plain JSON response is read when the provider ignores the request for a stream', async () => {
    const { parts } = await readParts(ask({ scenario: 'json n=9' }));
    expect(parts).toEqual([{ kind: 'text', text: buildTokens(9) }, finishPart('stop')]);
    expect((await readParts(ask({ scenario: 'json n=2 finish=length' }))).end).toEqual(finishPart('length'));
    expect((await readParts(ask({ scenario: 'json n=0' }))).parts).toEqual([expectFailure('empty')]);
  });

  it('a JSON response with an error fails', async () => {
    expect((await readParts(ask({ scenario: 'json error=1' }))).parts).toEqual([
      expectFailure('provider_error'),
    ]);
  });

  it.each([
    ['text/html', ['<!doctype html><title>Sign in</title>'], expectFailure('provider_error')],
    ['application/json', ['{"choices":[{"mess'], expectFailure('provider_error')],
    ['application/json', ['{"hello":1}'], expectFailure('provider_error')],
    ['application/json', ['{"error":{"code":429}}'], expectFailure('rate_limited')],
    ['text/plain', [], expectFailure('cut_off')],
    ['text/plain', [' \n', 'da', `ta${buildDeltaFrame('Hi', 'stop').slice(4)}`], finishPart('stop')],
    ['application/json', [': hello\n\n', buildDeltaFrame('Hi', 'stop')], finishPart('stop')],
    ['text/plain', ['{"choices":[{"message":', '{"content":"Hi"}}]}'], finishPart('stop')],
  ])('a response is read by its content rather than its type (%s %j)', async (type, pieces, expected) => {
    const { send } = fetchReturning(pieces, { type });
    const { end, text } = await readParts(ask({ scenario: 'x', fetch: send }));
    expect(end).toEqual(expected);
    expect(text).toBe(end?.kind === 'finish' ? 'Hi' : '');
  });
});

describe('Cached tokens', () => {
  it.each([
    [{ prompt_tokens: 200, prompt_tokens_details: { cached_tokens: 150 } }, 0.75],
    [{ prompt_tokens: 200, prompt_cache_hit_tokens: 50, prompt_cache_miss_tokens: 150 }, 0.25],
    [{ prompt_tokens: 200, cached_tokens: 100, prompt_tokens_details: null }, 0.5],
    [{ prompt_tokens: 200, prompt_tokens_details: { cached_tokens: 900 } }, 1],
    [{ prompt_tokens: 200 }, undefined],
    [{ prompt_tokens: 0, cached_tokens: 0 }, undefined],
    [{ prompt_tokens: 'many', cached_tokens: 1 }, undefined],
  ])('the usage %j says which share of the prompt was cached: %s', async (usage, cachedShare) => {
    const pieces = [
      'data: {"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\n',
      `data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`,
    ];
    const { send } = fetchReturning(pieces, { type: 'text/event-stream' });
    const { end } = await readParts(ask({ scenario: 'x', fetch: send }));
    expect(end).toEqual({
      kind: 'finish',
      reason: 'stop',
      ...(cachedShare === undefined ? {} : { cachedShare }),
    });
  });
});

describe('Random model texts', () => {
  // A placeholder for the line ending, which is chosen later; JSON escapes it, so no text can contain it.
  const END = '\u0000';
  const between = fc.constantFrom(
    '',
    ': keep-alive@',
    ':@@',
    'data: {"choices":[]}@@',
    'data:{"usage":{"total_tokens":3}}@@',
    'data: {"choices":[{"delta":{"role":"assistant","content":null}}]}@@',
    'event: ping@id: 4@retry: 10@@',
    'data: {"choices":[{"delta":{"reasoning":"hm 🤔"}}]}@@',
  );
  const piece = fc.record({
    size: fc.integer({ min: 1, max: 9 }),
    before: between,
    space: fc.constantFrom('', ' '),
  });

  it('any text arrives complete, however its frames and bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc
          .string({ unit: 'binary', minLength: 1, maxLength: 40 })
          .filter((text) => text.isWellFormed() && /\S/.test(text)),
        fc.array(piece, { minLength: 40, maxLength: 40 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 20 }),
        fc.boolean(),
        async (text, cuts, line, sizes, hasFinish) => {
          let rest = text;
          let stream = '';
          for (const { size, before, space } of cuts) {
            if (rest === '') break;
            // Cut by UTF-16 units, so a character outside the basic plane may be halved.
            const choice = { delta: { content: rest.slice(0, size) }, finish_reason: null };
            stream += `${before.replaceAll('@', END)}data:${space}${JSON.stringify({ choices: [choice] })}${END}${END}`;
            rest = rest.slice(size);
          }
          expect(rest).toBe('');
          if (hasFinish) stream += `data: {"choices":[{"delta":{},"finish_reason":"stop"}]}${END}${END}`;
          const bytes = new TextEncoder().encode(`${stream}data: [DONE]${END}${END}`.replaceAll(END, line));
          const pieces: Uint8Array[] = [];
          for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            pieces.push(bytes.slice(at, at + size));
            at += size;
          }
          const result = await readParts(ask({ scenario: 'x', fetch: fetchReturning(pieces).send }));
          expect(result.text).toBe(text);
          expect(result.end).toEqual(finishPart('stop'));
          expect(result.parts.every((part) => part.kind !== 'text' || part.text.isWellFormed())).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });
});

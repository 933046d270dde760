import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  fetchReturning,
  startTestModelServer,
  buildDeltaFrame,
  expectFailure,
  finishPart,
  readParts,
  API_KEY,
  SECRET_WORDS,
  buildTokens,
} from '../../support/model-requests.ts';
import { startModelServer } from '../../support/model-server.mjs';

const { server, ask } = await startTestModelServer();

describe('Model request', () => {
  it('a model request sends the conversation, the limits and the key to the endpoint', async () => {
    const { text, end } = await readParts(ask({ scenario: 'tokens n=20 ms=0', baseUrl: `${server.url}/` }));
    expect(text).toBe(buildTokens(20));
    expect(end).toMatchObject(finishPart('stop'));
    const [request] = server.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/v1/chat/completions', aborted: false });
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${API_KEY}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    });
    expect(request?.body).toEqual({
      model: 'some-model',
      messages: [
        { role: 'system', content: 'You are Mira.' },
        { role: 'user', content: `[[scenario:tokens n=20 ms=0]] ${SECRET_WORDS}` },
      ],
      stream: true,
      max_tokens: 321,
      temperature: 0.7,
    });
  });

  it("a request to one of OpenAI's reasoning models has one limit for thinking and reply, and no temperature", async () => {
    await readParts(ask({ scenario: 'tokens n=1 ms=0', thinkingTokens: 8000 }));
    const body = server.requests[0]?.body;
    expect(body).toMatchObject({ max_completion_tokens: 8321 });
    expect(body).not.toHaveProperty('max_tokens');
    expect(body).not.toHaveProperty('temperature');
  });

  it('the sent callback runs once the request has left, and not for an aborted request', async () => {
    const events: string[] = [];
    const pending = Promise.withResolvers<Response>();
    const answer = ask({
      scenario: 'tokens n=1 ms=0',
      fetch: () => {
        events.push('asked');
        return pending.promise;
      },
      sent: () => events.push('sent'),
    });
    const first = answer.next();
    expect(events).toEqual(['asked', 'sent']);
    pending.resolve(Response.json({}, { status: 500 }));
    await first;
    await answer.next();
    const given = new AbortController();
    given.abort();
    await readParts(
      ask({ scenario: 'tokens n=1 ms=0', signal: given.signal, sent: () => events.push('sent') }),
    );
    expect(events).toEqual(['asked', 'sent']);
  });

  it.each([null, ''])('a request to an endpoint without a key has no authorization (%j)', async (apiKey) => {
    await readParts(ask({ scenario: 'tokens n=1 ms=0', apiKey }));
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('text is passed on while the model is still writing', async () => {
    const answer = ask({ scenario: 'gate n=4 key=live' });
    let text = '';
    while (text !== buildTokens(4)) {
      const { value } = await answer.next();
      expect(value).toMatchObject({ kind: 'text' });
      if (value?.kind === 'text') text += value.text;
    }
    server.open('live');
    const rest = await readParts(answer);
    expect(text + rest.text).toBe(buildTokens(8));
  });

  it('a completed answer returns its connection for the next call', async () => {
    const own = await startModelServer();
    const ports = new Set<string>();
    const spying: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      ports.add(response.headers.get('x-connection') ?? '');
      return response;
    };
    for (let turn = 0; turn < 8; turn += 1) {
      await readParts(ask({ scenario: 'tokens n=3 ms=0', baseUrl: own.url, fetch: spying }));
    }
    // Node may open a second connection while it returns the first; one per call would be eight.
    expect(ports.size).toBeLessThanOrEqual(2);
    expect(own.state()).toMatchObject({ total: 8, aborted: 0 });
    await own.close();
  });
});

describe('Failing provider', () => {
  it.each([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [400, 'bad_request'],
    [402, 'misconfigured'],
    [404, 'misconfigured'],
    [408, 'timed_out'],
    [422, 'bad_request'],
    [500, 'provider_error'],
    [503, 'provider_error'],
  ])("a status of %i is reported as %s, with the provider's code in the log", async (code, expected) => {
    const { parts } = await readParts(ask({ scenario: `status code=${code}` }));
    expect(parts).toEqual([
      { kind: 'failure', code: expected, detail: `status ${code} scripted_${code} scripted_error` },
    ]);
  });

  it('a rate limit says how long the provider asks to wait', async () => {
    const { parts } = await readParts(ask({ scenario: 'status code=429 wait=1' }));
    const detail = 'status 429 scripted_429 scripted_error';
    expect(parts).toEqual([{ kind: 'failure', code: 'rate_limited', detail, retryAfterMs: 1000 }]);
  });

  it.each([
    [
      400,
      { error: { code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } } },
      'refused',
    ],
    [400, { error: { code: null, innererror: { code: 'ResponsibleAIPolicyViolation' } } }, 'refused'],
    [403, { error: { code: 403, metadata: { reasons: ['violence'] } } }, 'refused'],
    [403, { error: { code: 403, metadata: { reasons: [] } } }, 'unauthorized'],
    [403, { error: 'flagged: content_filter' }, 'unauthorized'],
    [500, { error: { code: 'content_filter' } }, 'provider_error'],
    [429, { error: { type: 'insufficient_quota', code: 'insufficient_quota' } }, 'misconfigured'],
    [429, { error: { type: 'requests', code: 'rate_limit_exceeded' } }, 'rate_limited'],
    [401, { error: { code: 'insufficient_quota' } }, 'unauthorized'],
  ])('a status of %i with the body %j is reported as %s', async (status, body, expected) => {
    const send: typeof fetch = async () => Response.json(body, { status });
    expect((await readParts(ask({ scenario: 'x', fetch: send }))).parts).toEqual([expectFailure(expected)]);
  });

  it.each([
    ['7', 7000],
    ['0.5', 500],
    ['0', undefined],
    ['-3', undefined],
    ['soon', undefined],
    ['Wed, 21 Oct 2015 07:28:00 GMT', undefined],
    [null, undefined],
  ])('a Retry-After of %j is read as %j milliseconds', async (value, expected) => {
    const headers = new Headers(value === null ? [] : [['retry-after', value]]);
    const send: typeof fetch = async () => Response.json({}, { status: 429, headers });
    const { end } = await readParts(ask({ scenario: 'x', fetch: send }));
    expect(end?.kind === 'failure' ? end.retryAfterMs : end).toBe(expected);
  });

  it('a Retry-After with a date is the time until then', async () => {
    const headers = { 'retry-after': new Date(Date.now() + 60_000).toUTCString() };
    const send: typeof fetch = async () => Response.json({}, { status: 429, headers });
    const { end } = await readParts(ask({ scenario: 'x', fetch: send }));
    expect(end).toMatchObject({ code: 'rate_limited' });
    expect(end?.kind === 'failure' ? end.retryAfterMs : 0).toBeGreaterThan(50_000);
  });

  it('a redirect is not followed, so the conversation stays with the endpoint', async () => {
    const { parts } = await readParts(ask({ scenario: 'status code=302' }));
    expect(parts).toEqual([expectFailure('provider_error')]);
    expect(server.requests.map((request) => request.path)).toEqual(['/v1/chat/completions']);
  });

  it('a provider that does not listen is unreachable', async () => {
    const closed = await startModelServer();
    await closed.close();
    const { parts } = await readParts(ask({ scenario: 'tokens', baseUrl: closed.url }));
    expect(parts).toEqual([
      { kind: 'failure', code: 'unreachable', detail: 'fetch failed TypeError ECONNREFUSED' },
    ]);
  });

  it('an unusable address or key is reported as unreachable instead of thrown', async () => {
    expect((await readParts(ask({ scenario: 'tokens', baseUrl: 'not an address' }))).end).toEqual(
      expectFailure('unreachable'),
    );
    const { end } = await readParts(ask({ scenario: 'tokens', apiKey: `${API_KEY}\nsecond line` }));
    expect(end).toEqual({ kind: 'failure', code: 'unreachable', detail: 'fetch failed TypeError' });
  });

  it.each(['hang-before-headers', 'hang'])(
    'a provider that sends nothing times out (%s)',
    async (scenario) => {
      const { parts } = await readParts(ask({ scenario: `${scenario} key=quiet`, timeouts: { idleMs: 40 } }));
      expect(parts).toEqual([{ kind: 'failure', code: 'timed_out', detail: 'no byte in 40 ms' }]);
      expect(await server.ended('quiet')).toBe(true);
      expect(server.state()).toMatchObject({ open: 0, aborted: 1 });
    },
  );

  it('a provider that sends only comments times out', async () => {
    const { parts } = await readParts(
      ask({ scenario: 'comments-only ms=5 key=quiet', timeouts: { idleMs: 2000, firstTextMs: 60 } }),
    );
    expect(parts).toEqual([{ kind: 'failure', code: 'timed_out', detail: 'no text in 60 ms' }]);
    expect(await server.ended('quiet')).toBe(true);
  });

  it('a provider that thinks without ever answering times out', async () => {
    const { parts } = await readParts(
      ask({ scenario: 'thinking n=10000 ms=5', timeouts: { firstTextMs: 400 } }),
    );
    expect(parts.at(-1)).toEqual(expectFailure('timed_out'));
    expect(parts.slice(0, -1).every((part) => part.kind === 'thinking')).toBe(true);
  });

  it('a provider that falls silent midway times out and its text is kept', async () => {
    const { text, end } = await readParts(
      ask({ scenario: 'gate n=3 key=shut', timeouts: { idleMs: 300, firstTextMs: 5000 } }),
    );
    expect(text).toBe(buildTokens(3));
    expect(end).toEqual(expectFailure('timed_out'));
  });

  it('an answer is stopped at the total time limit even if it still sends text', async () => {
    const { text, end } = await readParts(
      ask({ scenario: 'tokens n=1000 ms=2', timeouts: { totalMs: 600 } }),
    );
    expect(text).toMatch(/^w0 w1/);
    expect(end).toEqual({ kind: 'failure', code: 'timed_out', detail: 'not over after 600 ms' });
  });

  it('an answer may take long once its text has begun', async () => {
    const { text, end } = await readParts(
      ask({ scenario: 'tokens n=120 ms=5', timeouts: { firstTextMs: 300 } }),
    );
    expect(text).toBe(buildTokens(120));
    expect(end).toMatchObject(finishPart('stop'));
  });

  it('the time that the reader takes does not count against the provider', async () => {
    const { send } = fetchReturning([
      buildDeltaFrame('a'),
      buildDeltaFrame('b'),
      buildDeltaFrame('c', 'stop'),
    ]);
    const answer = ask({ scenario: 'x', fetch: send, timeouts: { idleMs: 20 } });
    let text = '';
    for await (const part of answer) {
      if (part.kind === 'text') text += part.text;
      const until = performance.now() + 50;
      await expect.poll(() => performance.now() > until, { interval: 5 }).toBe(true);
      if (part.kind === 'finish') expect(part.reason).toBe('stop');
      else expect(part.kind).toBe('text');
    }
    expect(text).toBe('abc');
  });
});

describe('Aborted model request', () => {
  it('leaving the loop ends the call to the provider', async () => {
    for await (const part of ask({ scenario: 'gate n=3 key=left' })) {
      expect(part.kind).toBe('text');
      break;
    }
    expect(await server.ended('left')).toBe(true);
    expect(server.requests[0]?.aborted).toBe(true);
  });

  it('the abort signal ends the call to the provider during silence', async () => {
    const stop = new AbortController();
    const result = readParts(ask({ scenario: 'gate n=3 key=stopped', signal: stop.signal }));
    expect(await server.reached('stopped')).toBe(true);
    stop.abort();
    expect((await result).end).toEqual(expectFailure('aborted'));
    expect(await server.ended('stopped')).toBe(true);
    expect(server.requests[0]?.aborted).toBe(true);
  });

  it('the abort signal ends the call before the provider has answered', async () => {
    const stop = new AbortController();
    const result = readParts(ask({ scenario: 'hang-before-headers key=early', signal: stop.signal }));
    await expect.poll(() => server.requests.length, { interval: 5 }).toBe(1);
    stop.abort();
    expect((await result).parts).toEqual([expectFailure('aborted')]);
    expect(await server.ended('early')).toBe(true);
  });

  it('a signal aborted beforehand sends no request', async () => {
    expect((await readParts(ask({ scenario: 'tokens', signal: AbortSignal.abort() }))).parts).toEqual([
      expectFailure('aborted'),
    ]);
    expect(server.requests).toHaveLength(0);
  });

  it('a body that opens after the timeout is cancelled', async () => {
    const { send, seen } = fetchReturning([], { isOpen: true });
    let open: () => void = () => {};
    const late: typeof fetch = async (...args) => {
      await new Promise<void>((resolve) => {
        open = resolve;
      });
      return send(...args);
    };
    expect((await readParts(ask({ scenario: 'x', fetch: late, timeouts: { idleMs: 20 } }))).end).toEqual(
      expectFailure('timed_out'),
    );
    open();
    await expect.poll(() => seen.cancelled, { interval: 5 }).toBe(true);
  });
});

describe('Body of an error', () => {
  afterEach(() => vi.useRealTimers());

  it('the reason of an error is read although its body comes later than its status', async () => {
    vi.useFakeTimers();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const answer = readParts(
      ask({ scenario: 'x', fetch: async () => new Response(readable, { status: 403 }) }),
    );
    await vi.advanceTimersByTimeAsync(500);
    const body = { error: { code: 403, message: 'Flagged.', metadata: { reasons: ['violence'] } } };
    await writable.getWriter().write(new TextEncoder().encode(JSON.stringify(body)));
    expect((await answer).end).toMatchObject({ kind: 'failure', code: 'refused' });
  });
});

import fc from 'fast-check';
import { hc } from 'hono/client';
import { expect, test } from 'vitest';
import { createRpcClient } from '../../../src/lib/rpc-client.ts';

/** A part of a client: the next part of a path, or a call. */
interface Part {
  [name: string]: Part;
  (input?: object, options?: object): Promise<Response>;
}

/** Returns what a client asks of `fetch`. */
async function recordRequest(
  create: (fetcher: typeof fetch) => unknown,
  path: readonly string[],
  [input, options]: readonly [object?, object?],
) {
  let request: Request | null = null;
  const client = create((address, init) => {
    request = new Request(new URL(String(address), 'https://site.test'), init);
    return Promise.resolve(new Response());
  });
  await path.reduce((part, name) => part[name] as Part, client as Part)(input, options);
  const { url, method, headers, credentials, keepalive } = request as unknown as Request;
  const body = await (request as unknown as Request).text();
  return { url, method, headers: [...headers], credentials, keepalive, body };
}

const DEFAULTS = { headers: { 'x-tab': 'one' }, init: { credentials: 'same-origin' } } as const;
const createOwn = (fetcher: typeof fetch) => createRpcClient('/api', { fetch: fetcher, ...DEFAULTS });
const createHonos = (fetcher: typeof fetch) => hc('/api', { fetch: fetcher, ...DEFAULTS });

test('a call asks for the same as Hono’s client does', async () => {
  const text = fc.string({ unit: 'binary-ascii', maxLength: 8 });
  const part = fc.constantFrom('characters', 'for-you', 'messages', ':id', ':mid');
  const input = fc.record(
    {
      query: fc.dictionary(
        fc.constantFrom('q', 'tag'),
        fc.oneof(text, fc.array(text), fc.constant(undefined)),
      ),
      json: fc.jsonValue(),
      header: fc.constantFrom({ 'idempotency-key': 'one-key' }, { 'last-event-id': '9' }),
    },
    { requiredKeys: [] },
  );
  const options = fc.constantFrom(
    undefined,
    { headers: { 'last-event-id': '4' } },
    { init: { keepalive: true } },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(part, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('$get', '$post', '$put', '$patch', '$delete'),
      input,
      fc.constantFrom('a%2Fb', '01kdv'),
      options,
      async (parts, method, { query, json, header }, id, more) => {
        // A request without a method for a body cannot have one.
        const sent = {
          query,
          param: { id, mid: id },
          ...(header === undefined ? {} : { header }),
          ...(method === '$get' ? {} : { json }),
        };
        const path = [...parts, method];
        const expected = await recordRequest(createHonos, path, [sent, more]);
        expect(await recordRequest(createOwn, path, [sent, more])).toEqual(expected);
      },
    ),
  );
});

import { expect } from 'vitest';

/** What tells of our insides: no answer has it. */
const INSIDES =
  /\bat (?:async )?[\w.<>]+ \(|node_modules|\.(?:ts|js|mjs):\d+|SQLITE_|D1_ERROR|no such (?:table|column)|near "[^"]*": syntax|constraint failed|\b(?:Type|Range|Reference|Syntax)Error\b|Cannot read propert|is not a function|workerd|DurableObject|AUTH_SECRET|a-secret-for-tests/;

const CONTRACT = /^[a-z][a-z0-9_]*$/;

/** What is told to whoever is not let in, finds nothing there, or brings nothing that is read: the route did nothing yet. */
const AT_THE_DOOR = new Set([
  'unauthenticated',
  'cross_origin',
  'account_required',
  'account_suspended',
  'forbidden',
  'not_found',
  'unsupported_media',
]);

/** Whether a call was looked into by the route that it is for. @param code of a refusal, or anything else where it was none */
export const wentIn = (code: string | null): boolean => code === null || !AT_THE_DOOR.has(code);

/** What somebody sent may be told back to them; what we say of it may not be more than our own words. */
function ownWords(body: { error: string; code: string; fields?: Record<string, string[]> }): string {
  return [body.error, body.code, ...Object.values(body.fields ?? {}).flat()].join('\n');
}

/**
 * Expects of an answer what every answer has: a request id, no caching, no guessing of its type; and of a refusal the
 * contract's shape and none of our insides. Nothing that a client sends is a failure of ours.
 * @returns a refusal's code; null for anything else
 */
export async function expectContract(
  what: Record<string, unknown>,
  answer: Response,
  { otherFailures = new Set<string>() }: { otherFailures?: ReadonlySet<string> } = {},
): Promise<string | null> {
  const { status, headers } = answer;
  answer.webSocket?.accept();
  answer.webSocket?.close();
  // The beginning of a WebSocket is read by nothing that keeps, guesses or frames.
  if (answer.webSocket) return null;
  const text = await answer.text();
  const shown = { ...what, status, text: text.slice(0, 400) };
  expect({ ...shown, id: headers.get('x-request-id') }).toSatisfy(({ id }) =>
    /^[\w=-]{8,255}$/.test(id ?? ''),
  );
  expect(shown).toSatisfy(() => headers.get('x-content-type-options') === 'nosniff');
  expect(shown).toSatisfy(() => headers.get('cache-control') !== null);
  if (status < 400) {
    expect(shown).toSatisfy(
      () =>
        text === '' ||
        /json|event-stream|octet|zip|ndjson|markdown|text\/plain|image\//.test(
          headers.get('content-type') ?? '',
        ),
    );
    return null;
  }
  expect(shown).toSatisfy(() => headers.get('content-type') === 'application/json');
  const body = JSON.parse(text || '{"error":"","code":"head"}') as Parameters<typeof ownWords>[0];
  expect(shown).toSatisfy(() => typeof body.error === 'string' && CONTRACT.test(body.code));
  expect(shown).toSatisfy(() => status < 500 || otherFailures.has(body.code));
  expect(shown).toSatisfy(() => !INSIDES.test(ownWords(body)));
  return body.code;
}

import { expect } from 'vitest';

/** Internal details, which no answer may contain. */
const INTERNAL_DETAILS =
  /\bat (?:async )?[\w.<>]+ \(|node_modules|\.(?:ts|js|mjs):\d+|SQLITE_|D1_ERROR|no such (?:table|column)|near "[^"]*": syntax|constraint failed|\b(?:Type|Range|Reference|Syntax)Error\b|Cannot read propert|is not a function|workerd|DurableObject|AUTH_SECRET|a-secret-for-tests/;

const CONTRACT = /^[a-z][a-z0-9_]*$/;

/** Refusals before a route does anything: no access, not found or an unsupported body. */
const EARLY_REFUSALS = new Set([
  'unauthenticated',
  'cross_origin',
  'account_required',
  'account_suspended',
  'forbidden',
  'not_found',
  'unsupported_media',
]);

/** Returns whether a call reached its route's handler. @param code of a refusal, or null where it was none */
export const wentIn = (code: string | null): boolean => code === null || !EARLY_REFUSALS.has(code);

/** Returns the parts of an error that we write; the rest may repeat what the client sent. */
function joinErrorTexts(body: { error: string; code: string; fields?: Record<string, string[]> }): string {
  return [body.error, body.code, ...Object.values(body.fields ?? {}).flat()].join('\n');
}

/**
 * Expects the properties of every answer: a request id, a cache header and nosniff; and of a refusal, the shape
 * in the contract and no internal details. No request may cause a server error.
 * @returns the code of a refusal, or null
 */
export async function expectContract(
  what: Record<string, unknown>,
  answer: Response,
  { otherFailures = new Set<string>() }: { otherFailures?: ReadonlySet<string> } = {},
): Promise<string | null> {
  const { status, headers } = answer;
  answer.webSocket?.accept();
  answer.webSocket?.close();
  // The handshake of a WebSocket has no body that could be cached or framed.
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
  const body = JSON.parse(text || '{"error":"","code":"head"}') as Parameters<typeof joinErrorTexts>[0];
  expect(shown).toSatisfy(() => typeof body.error === 'string' && CONTRACT.test(body.code));
  expect(shown).toSatisfy(() => status < 500 || otherFailures.has(body.code));
  expect(shown).toSatisfy(() => !INTERNAL_DETAILS.test(joinErrorTexts(body)));
  return body.code;
}

import { expect } from 'vitest';

/** What tells of our insides: no answer has it. */
const INSIDES =
  /\bat (?:async )?[\w.<>]+ \(|node_modules|\.(?:ts|js|mjs):\d+|SQLITE_|D1_ERROR|no such (?:table|column)|near "[^"]*": syntax|constraint failed|\b(?:Type|Range|Reference|Syntax)Error\b|Cannot read propert|is not a function|workerd|DurableObject|AUTH_SECRET|a-secret-for-tests/;

const CONTRACT = /^[a-z][a-z0-9_]*$/;

/** What somebody sent may be told back to them; what we say of it may not be more than our own words. */
function ownWords(body: { error: string; code: string; fields?: Record<string, string[]> }): string {
  return [body.error, body.code, ...Object.values(body.fields ?? {}).flat()].join('\n');
}

/**
 * Expects of an answer what every answer has: a request id, no caching, no guessing of its type; and of a refusal the
 * contract's shape and none of our insides. Nothing that a client sends is a failure of ours.
 */
export async function expectContract(
  what: Record<string, unknown>,
  answer: Response,
  { otherFailures = new Set<string>() }: { otherFailures?: ReadonlySet<string> } = {},
): Promise<void> {
  const { status, headers } = answer;
  answer.webSocket?.accept();
  answer.webSocket?.close();
  const text = answer.webSocket ? '' : await answer.text();
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
    return;
  }
  expect(shown).toSatisfy(() => headers.get('content-type') === 'application/json');
  const body = JSON.parse(text || '{"error":"","code":"head"}') as Parameters<typeof ownWords>[0];
  expect(shown).toSatisfy(() => typeof body.error === 'string' && CONTRACT.test(body.code));
  expect(shown).toSatisfy(() => status < 500 || otherFailures.has(body.code));
  expect(shown).toSatisfy(() => !INSIDES.test(ownWords(body)));
}

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAccount, Visitor } from '../support/factories.ts';

let said: string[];

beforeEach(() => {
  said = [];
  for (const loud of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, loud).mockImplementation(
      (...line: unknown[]) => void said.push(line.map(String).join(' ')),
    );
});
afterEach(() => void vi.restoreAllMocks());

/** What the log says of the calls that were made. */
const calls = () =>
  said
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event }) => event === 'request')
    .map(({ route, status, code }) => [route, status, code]);

test('Every call that is refused is a line with its route and its code', async () => {
  const me = await createAccount();
  said = [];
  await new Visitor().call('/api/account');
  await me.call('/api/conversations/not-there');
  await me.call('/api/feedback', { json: { message: 5 } });
  await me.call('/api/feedback', { json: { message: 'x' }, headers: { origin: 'https://elsewhere.test' } });
  expect(calls()).toEqual([
    ['/api/account', 401, expect.any(String)],
    ['/api/conversations/:id', 404, expect.any(String)],
    ['/api/feedback', 400, expect.any(String)],
    ['/api/feedback', 403, expect.any(String)],
  ]);
  expect(said.join('\n')).not.toContain('not-there');
});

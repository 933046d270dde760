import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAccount, Visitor } from '../../../support/factories.ts';

let logged: string[];

beforeEach(() => {
  logged = [];
  for (const level of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, level).mockImplementation(
      (...line: unknown[]) => void logged.push(line.map(String).join(' ')),
    );
});
afterEach(() => void vi.restoreAllMocks());

/** The logged requests. */
const listRequests = () =>
  logged
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event }) => event === 'request')
    .map(({ route, status, code }) => [route, status, code]);

test('every refused call is logged with its route and its code', async () => {
  const me = await createAccount();
  logged = [];
  await new Visitor().call('/api/account');
  await me.call('/api/conversations/not-there');
  await me.call('/api/feedback', { json: { message: 5 } });
  await me.call('/api/feedback', { json: { message: 'x' }, headers: { origin: 'https://elsewhere.test' } });
  expect(listRequests()).toEqual([
    ['/api/account', 401, expect.any(String)],
    ['/api/conversations/:id', 404, expect.any(String)],
    ['/api/feedback', 400, expect.any(String)],
    ['/api/feedback', 403, expect.any(String)],
  ]);
  expect(logged.join('\n')).not.toContain('not-there');
});

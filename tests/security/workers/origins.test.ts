import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
} from '../../../src/features/runtime-config/runtime-config-gateway.ts';
import { isMutation, listOperations, isWebhook, type Operation } from '../../support/openapi-operations.ts';
import { ORIGIN, createAccount, type Visitor } from '../../support/factories.ts';
import { formatOperation } from '../../support/fuzz-bodies.ts';
import { ENDS_SESSIONS, MEETS } from '../access.ts';
import { createExample } from '../examples.ts';
import { callAs, createFixture, type Fixture } from '../fixture.ts';

/** What browsers send from foreign pages; contract.test.ts sends all of them to each route, with unknown ids. */
const FOREIGN: readonly Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { origin: 'null' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://sub.loreloom.test' },
  { origin: 'https://loreloom.test.evil.example', 'sec-fetch-site': 'same-origin' },
];

const operations = (await listOperations()).filter((one) => isMutation(one) && !isWebhook(one));

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});

// A change of the configuration would also apply to tests that run at the same time.
afterEach(async () => {
  await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  clearRuntimeConfigCache(env);
});

/** Returns a user to whom the route is open. */
async function selectCaller(operation: Operation): Promise<Visitor> {
  if (ENDS_SESSIONS.has(formatOperation(operation))) return createAccount();
  return operation.path.startsWith('/admin/') ? fixture.operator : fixture.owner;
}

async function readCode(answer: Response): Promise<string> {
  const text = await answer.text();
  return answer.status < 400 ? '' : (JSON.parse(text) as { code: string }).code;
}

describe('Cross-site requests', () => {
  test.each(operations.map((operation, index) => [formatOperation(operation), operation, index] as const))(
    'a cross-site request is refused and changes nothing: %s',
    async (name, operation, index) => {
      const [example, caller] = [await createExample(operation, fixture), await selectCaller(operation)];
      const callFrom = (from: Record<string, string>) =>
        callAs(caller, operation, { ...example, headers: { ...example.headers, ...from } });
      for (const step of [0, 1]) {
        const from = FOREIGN[(index + step) % FOREIGN.length] as Record<string, string>;
        const answer = await callFrom(from);
        expect(answer.headers.get('set-cookie')).toBeNull();
        expect({ from, status: answer.status, code: await readCode(answer) }).toEqual({
          from,
          status: 403,
          code: 'cross_origin',
        });
      }
      // The same call from our own page succeeds.
      const code = await readCode(await callFrom({ origin: ORIGIN, 'sec-fetch-site': 'same-origin' }));
      expect(['', ...(MEETS[name] ?? [])]).toContain(code);
    },
  );
});

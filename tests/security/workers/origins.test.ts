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
import { useOf } from '../uses.ts';
import { callAs, newWorld, type World } from '../world.ts';

/** What browsers say of a page that is not ours; contract.test.ts sends all of them to each route, with ids of nothing. */
const FOREIGN: readonly Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { origin: 'null' },
  { 'sec-fetch-site': 'same-site' },
  { origin: 'https://sub.loreloom.test' },
  { origin: 'https://loreloom.test.evil.example', 'sec-fetch-site': 'same-origin' },
];

const operations = (await listOperations()).filter((one) => isMutation(one) && !isWebhook(one));

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

// What the business's constants were changed to holds for the tests beside, too.
afterEach(async () => {
  await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  clearRuntimeConfigCache(env);
});

/** Whose a route is. */
async function callerOf(operation: Operation): Promise<Visitor> {
  if (ENDS_SESSIONS.has(formatOperation(operation))) return createAccount();
  return operation.path.startsWith('/admin/') ? world.operator : world.owner;
}

async function codeOf(answer: Response): Promise<string> {
  const text = await answer.text();
  return answer.status < 400 ? '' : (JSON.parse(text) as { code: string }).code;
}

describe('A page of somebody else’s does nothing with my session, and nothing is used up by it', () => {
  test.each(operations.map((operation, index) => [formatOperation(operation), operation, index] as const))(
    '%s',
    async (name, operation, index) => {
      const [use, caller] = [await useOf(operation, world), await callerOf(operation)];
      const callFrom = (from: Record<string, string>) =>
        callAs(caller, operation, { ...use, headers: { ...use.headers, ...from } });
      for (const step of [0, 1]) {
        const from = FOREIGN[(index + step) % FOREIGN.length] as Record<string, string>;
        const answer = await callFrom(from);
        expect(answer.headers.get('set-cookie')).toBeNull();
        expect({ from, status: answer.status, code: await codeOf(answer) }).toEqual({
          from,
          status: 403,
          code: 'cross_origin',
        });
      }
      // The very same from a page of ours does what it is for.
      const code = await codeOf(await callFrom({ origin: ORIGIN, 'sec-fetch-site': 'same-origin' }));
      expect(['', ...(MEETS[name] ?? [])]).toContain(code);
    },
  );
});

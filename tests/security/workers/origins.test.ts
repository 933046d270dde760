import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { BUSINESS_KEY, forgetBusiness } from '../../../src/features/runtime-config/runtime-config-gateway.ts';
import { changes, documentedOperations, fromOtherServers, type Operation } from '../../support/documented.ts';
import { ORIGIN, signedIn, type Visitor } from '../../support/makers.ts';
import { nameOf } from '../../support/nonsense.ts';
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

const operations = (await documentedOperations()).filter((one) => changes(one) && !fromOtherServers(one));

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

// What the business's constants were changed to holds for the tests beside, too.
afterEach(async () => {
  await env.KV.delete(BUSINESS_KEY);
  forgetBusiness(env);
});

/** Whose a route is. */
async function callerOf(operation: Operation): Promise<Visitor> {
  if (ENDS_SESSIONS.has(nameOf(operation))) return signedIn();
  return operation.path.startsWith('/admin/') ? world.operator : world.owner;
}

async function codeOf(answer: Response): Promise<string> {
  const text = await answer.text();
  return answer.status < 400 ? '' : (JSON.parse(text) as { code: string }).code;
}

describe('A page of somebody else’s does nothing with my session, and nothing is used up by it', () => {
  test.each(operations.map((operation, index) => [nameOf(operation), operation, index] as const))(
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

import { env } from 'cloudflare:workers';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { BUSINESS_KEY, forgetBusiness } from '../../../src/features/business/business-ports.ts';
import { documentedOperations, openApi, type Operation } from '../../support/documented.ts';
import { ledger, type Visitor } from '../../support/makers.ts';
import { nameOf } from '../../support/nonsense.ts';
import { BODIES, broken, Chance, seedOf, type Shape, TEXTS, valid, written } from '../made-up.ts';
import { expectContract } from '../refusals.ts';
import { newWorld, type World } from '../world.ts';

const seed = inject('securitySeed');
const rounds = inject('securityRounds');
const operations = await documentedOperations();
const document = await openApi();

/** Headers that routes or their guards read, beside those that the document names. */
const HEADERS = [
  'idempotency-key',
  'x-time-zone',
  'x-tab',
  'last-event-id',
  'accept-language',
  'user-agent',
  'if-none-match',
  'x-request-id',
  'cf-connecting-ip',
  'cookie',
  'origin',
  'sec-fetch-site',
  'referer',
  'content-type',
  'sec-ch-ua-mobile',
  'range',
];

/** Refusals by which a call is told of somebody else's failure; no failure of ours has them. */
const OTHERS_FAIL = new Set(['ask_failed', 'google_unavailable', 'mail_failed']);

let world: World;
/** Everything of somebody whom none of it is about. */
let before: unknown;

async function bystander(): Promise<unknown> {
  const { owner, story } = world;
  return {
    conversation: await owner.ask(`/api/conversations/${story.id}`),
    character: await owner.ask(`/api/me/characters/${world.character}`),
    account: await owner.ask('/api/account'),
    ledger: await ledger(owner),
  };
}

beforeAll(async () => {
  world = await newWorld();
  before = await bystander();
});

// What the business's constants were changed to holds for the tests beside, too.
afterEach(async () => {
  await env.KV.delete(BUSINESS_KEY);
  forgetBusiness(env);
});

afterAll(async () => {
  expect(await bystander()).toEqual(before);
});

const schemaOf = (operation: Operation): Shape | null => operation.body as Shape | null;

function headersOf(operation: Operation): { name: string; schema: Shape }[] {
  const raw = document.paths[`/api${operation.path}`]?.[operation.method.toLowerCase()] as
    | { parameters?: { in: string; name: string; schema: Shape }[] }
    | undefined;
  return (raw?.parameters ?? []).filter((parameter) => parameter.in === 'header');
}

interface MadeUp {
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Ids for the places in an address: real ones, somebody else's, and such as cannot be. */
function idFor(name: string, chance: Chance, own: Record<string, string>): string {
  const real = own[name] ?? own.id ?? 'unknown';
  if (chance.is(0.6)) return real;
  if (chance.is(0.4)) return world.story[name] ?? world.character;
  return encodeURIComponent(chance.of(TEXTS).toWellFormed()) || '%20';
}

const queryText = (value: unknown): string =>
  encodeURIComponent((typeof value === 'string' ? value : written(value)).toWellFormed());

function madeUp(operation: Operation, chance: Chance, own: Record<string, string>): MadeUp {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idFor(name, chance, own));
  const pairs = operation.query.flatMap(({ name, schema }) => {
    if (chance.is(0.3)) return [];
    const good = valid(schema as Shape, chance);
    const value = chance.is(0.5) ? good : broken(schema as Shape, good, chance);
    const pair = `${name}=${queryText(value)}`;
    return chance.is(0.1) ? [pair, `${name}=${queryText(chance.of(TEXTS))}`, `${name}[]=1`] : [pair];
  });
  if (chance.is(0.15))
    pairs.push(chance.of(['__proto__=1', 'constructor[prototype]=1', '=', '&&', 'x=%', '%ff=%fe']));
  const headers: Record<string, string> = {};
  for (const { name, schema } of headersOf(operation))
    headers[name] = String(chance.is(0.5) ? valid(schema, chance) : chance.of(TEXTS));
  if (chance.is(0.4)) headers[chance.of(HEADERS)] = chance.of(TEXTS);
  const shape = schemaOf(operation);
  const brings = operation.method !== 'GET' && (shape !== null || chance.is(0.3));
  if (brings && headers['content-type'] === undefined) headers['content-type'] = 'application/json';
  return {
    path: `/api${path}${pairs.length === 0 ? '' : `?${pairs.join('&').slice(0, 12_000)}`}`,
    headers: Object.fromEntries(Object.entries(headers).filter(([name, value]) => isHeader(name, value))),
    ...(brings ? { body: bodyOf(shape, chance) } : {}),
  };
}

function bodyOf(shape: Shape | null, chance: Chance): string {
  if (shape === null || chance.is(0.08)) return chance.of(BODIES);
  const good = valid(shape, chance);
  return written(chance.is(0.15) ? good : broken(shape, good, chance));
}

/** Whether it can be sent at all. */
function isHeader(name: string, value: string): boolean {
  try {
    return new Headers({ [name]: value }).has(name);
  } catch {
    return false;
  }
}

describe(`Whatever is sent, made up from the schemas with seed ${seed}`, () => {
  test.each(operations.map((operation) => [nameOf(operation), operation] as const))(
    'is answered as the contract says: %s',
    async (name, operation) => {
      const chance = new Chance(seedOf(seed, name));
      const { guest, account, member, nobody, admin } = (await newPeople()).roles;
      for (let round = 0; round < rounds; round += 1) {
        const visitor =
          operation.path.startsWith('/admin/') && chance.is(0.8)
            ? admin
            : chance.of([guest, account, member, nobody]);
        const own = await ownOf(visitor);
        const { path, headers, body } = madeUp(operation, chance, own);
        const { cookie } = visitor;
        const answer = await visitor.call(path, {
          method: operation.method,
          headers,
          ...(body === undefined ? {} : { body }),
        });
        visitor.cookie = cookie;
        const what = { name, seed, round, path: path.slice(0, 300), headers, body: body?.slice(0, 300) };
        await expectContract(what, answer, { otherFailures: OTHERS_FAIL });
      }
      expect(Object.keys(Object.prototype)).toEqual([]);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    },
  );
});

let people: World | null = null;
/** Those who send it: they have things of their own, which may well end by it. */
const newPeople = async (): Promise<World> => (people ??= await newWorld());

const owned = new WeakMap<Visitor, Record<string, string>>();
/** A conversation and its newest message of somebody, where they have one. */
async function ownOf(visitor: Visitor): Promise<Record<string, string>> {
  const known = owned.get(visitor);
  if (known !== undefined) return known;
  const found: Record<string, string> = {};
  if (visitor.cookie !== '') {
    const answer = await visitor.call('/api/conversations', { json: { character_id: world.character } });
    if (answer.status === 201) {
      const begun = await answer.json<{ conversation: { id: string }; messages: { id: string }[] }>();
      Object.assign(found, { id: begun.conversation.id, mid: begun.messages[0]?.id });
    } else await answer.body?.cancel();
  }
  owned.set(visitor, found);
  return found;
}

import { env } from 'cloudflare:workers';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
} from '../../../src/features/runtime-config/runtime-config-gateway.ts';
import { listOperations, readOpenApi, type Operation } from '../../support/openapi-operations.ts';
import { signInGuest, listLedger, createAccount, type Visitor } from '../../support/factories.ts';
import { formatOperation } from '../../support/fuzz-bodies.ts';
import { LEVELS, type Level, NO_WAY_IN } from '../access.ts';
import { BODIES, broken, brokenForm, Chance, seedOf, type Shape, TEXTS, valid, written } from '../made-up.ts';
import { expectContract, wentIn } from '../refusals.ts';
import { useOf } from '../uses.ts';
import { newWorld, type Use, type World } from '../world.ts';

const seed = inject('securitySeed');
const rounds = inject('securityRounds');
const operations = await listOperations();
const document = await readOpenApi();

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
  'cf-ipcountry',
  'cookie',
  'origin',
  'sec-fetch-site',
  'sec-gpc',
  'dnt',
  'referer',
  'content-type',
  'sec-ch-ua-mobile',
  'range',
  'upgrade',
];

/** Refusals by which a call is told of somebody else's failure; no failure of ours has them. */
const OTHERS_FAIL = new Set(['ask_failed', 'google_unavailable', 'mail_failed']);

/** How often a thing that a route uses up is made anew, of the rounds: making it takes longer than asking. */
const NEW_USES = Math.max(2, Math.ceil(rounds / 8));
/** Of all that is made up, so much at the least has to come in. */
const SHARE_THAT_GOES_IN = 0.6;
const madeUpCalls = { in: 0, all: 0 };

/** Somebody whom none of it is about. */
let bystanders: World;
/** Everything of theirs. */
let before: unknown;
/** Those who send it: they have things of their own, which may well end by it. */
let people: World;

async function untouched(): Promise<unknown> {
  const { owner, story, character } = bystanders;
  const told = await owner.ask<{ revision: string }>(`/api/conversations/${story.id}`);
  return {
    // An object that nobody asked for a while begins to count its revisions anew.
    conversation: { ...told, revision: '' },
    character: await owner.ask(`/api/me/characters/${character}`),
    account: await owner.ask('/api/account'),
    ledger: await listLedger(owner),
  };
}

beforeAll(async () => {
  [bystanders, people] = [await newWorld(), await newWorld()];
  before = await untouched();
});

/** What the business's constants were changed to holds for whatever is made and asked after that, too. */
async function businessAsBefore(): Promise<void> {
  await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  clearRuntimeConfigCache(env);
}

afterEach(businessAsBefore);

afterAll(async () => {
  expect(await untouched()).toEqual(before);
  expect(madeUpCalls.in).toBeGreaterThanOrEqual(madeUpCalls.all * SHARE_THAT_GOES_IN);
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
  body?: string | FormData;
}

/** Ids for the places in an address: real ones, somebody else's, and such as cannot be. */
function idFor(name: string, chance: Chance, own: Record<string, string>, others: World): string {
  if (chance.is(0.8)) return own[name] ?? 'unknown';
  if (chance.is(0.4)) return others.story[name] ?? others.character;
  return encodeURIComponent(chance.of(TEXTS).toWellFormed()) || '%20';
}

const queryText = (value: unknown): string =>
  encodeURIComponent((typeof value === 'string' ? value : written(value)).toWellFormed());

async function madeUp(operation: Operation, chance: Chance, use: Use, others: World): Promise<MadeUp> {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    idFor(name, chance, use.ids ?? {}, others),
  );
  const pairs = operation.query.flatMap(({ name, schema }) => {
    if (chance.is(0.3)) return [];
    const good = valid(schema as Shape, chance);
    const value = chance.is(0.5) ? good : broken(schema as Shape, good, chance);
    const pair = `${name}=${queryText(value)}`;
    return chance.is(0.1) ? [pair, `${name}=${queryText(chance.of(TEXTS))}`, `${name}[]=1`] : [pair];
  });
  if (chance.is(0.15))
    pairs.push(chance.of(['__proto__=1', 'constructor[prototype]=1', '=', '&&', 'x=%', '%ff=%fe']));
  const headers: Record<string, string> = { ...use.headers };
  for (const { name, schema } of headersOf(operation))
    headers[name] = String(chance.is(0.5) ? valid(schema, chance) : chance.of(TEXTS));
  if (chance.is(0.4)) headers[chance.of(HEADERS)] = chance.of(TEXTS);
  const body = operation.method === 'GET' ? undefined : await bodyOf(schemaOf(operation), chance, use);
  if (typeof body === 'string') headers['content-type'] ??= 'application/json';
  return {
    path: `/api${path}${pairs.length === 0 ? '' : `?${pairs.join('&').slice(0, 12_000)}`}`,
    headers: Object.fromEntries(Object.entries(headers).filter(([name, value]) => isHeader(name, value))),
    ...(body === undefined ? {} : { body }),
  };
}

async function bodyOf(
  shape: Shape | null,
  chance: Chance,
  { json, form }: Use,
): Promise<string | FormData | undefined> {
  if (form !== undefined && chance.is(0.85)) return brokenForm(form, chance);
  if (shape === null) return chance.is(0.3) ? chance.of(BODIES) : undefined;
  if (chance.is(0.08)) return chance.of(BODIES);
  // What names things that are there gets further than what a schema alone gives.
  const good = json !== undefined && chance.is(0.6) ? json : valid(shape, chance);
  return written(chance.is(0.15) ? good : broken(shape, good, chance));
}

/** The use itself, as it is meant, with nothing broken. */
function asMeant(operation: Operation, { ids = {}, json, form, headers = {}, query = '' }: Use): MadeUp {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'unknown');
  const type: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' };
  const body = form ?? (json === undefined ? undefined : JSON.stringify(json));
  return {
    path: `/api${path}${query}`,
    headers: { ...type, ...headers },
    ...(body === undefined ? {} : { body }),
  };
}

/** Whether it can be sent at all. */
function isHeader(name: string, value: string): boolean {
  try {
    return new Headers({ [name]: value }).has(name);
  } catch {
    return false;
  }
}

/** Somebody to whom a route is open: whose it is what the use of it names, where it is somebody's. */
function whoMay(name: string, { roles, owner, operator }: World, chance: Chance): Visitor {
  const { guest: visitor, account, member } = roles;
  const by: Record<Level, Visitor[]> = {
    everybody: [visitor, account, member, owner, roles.nobody],
    session: [visitor, account, member, owner],
    account: [account, member, owner],
    owner: [owner],
    'owner account': [owner],
    staff: [operator],
  };
  return chance.of(by[LEVELS.get(name) as Level]);
}

/** Lets somebody in again whom a call has let out: the next one is to meet more than a closed door. */
async function backIn(visitor: Visitor): Promise<void> {
  if (visitor === people.roles.nobody) return;
  const { is_authenticated } = await visitor.ask<{ is_authenticated: boolean }>('/api/auth/status');
  if (is_authenticated) return;
  const again = visitor === people.roles.guest ? await signInGuest() : await createAccount(visitor.email);
  // A person of the operator's is one by their address: they come in by the same.
  expect(visitor === people.roles.guest || again.id === visitor.id).toBe(true);
  Object.assign(visitor, { cookie: again.cookie, id: again.id });
}

const shown = (body: string | FormData | undefined): string | undefined =>
  body instanceof FormData
    ? [...body].map(([name, value]) => `${name}=${typeof value === 'string' ? value : value.size}`).join('&')
    : body?.slice(0, 300);

describe(`Whatever is sent, made up from the schemas with seed ${seed}`, () => {
  test.each(operations.map((operation) => [formatOperation(operation), operation] as const))(
    'is answered as the contract says: %s',
    async (name, operation) => {
      const chance = new Chance(seedOf(seed, name));
      const { guest: visitor, account, member, nobody, suspended } = people.roles;
      const met: string[] = [];
      let use = await useOf(operation, people);
      let uses = 1;
      for (let round = 0; round < rounds; round += 1) {
        const isMeant = round === 0;
        const mayCall = isMeant || chance.is(0.75);
        const caller = mayCall
          ? whoMay(name, people, chance)
          : chance.of([visitor, account, member, nobody, suspended]);
        // What staff decides about somebody changes it, and rightly.
        const others = caller === people.operator ? people : bystanders;
        const { path, headers, body } = isMeant
          ? asMeant(operation, use)
          : await madeUp(operation, chance, use, others);
        const { cookie } = caller;
        const answer = await caller.call(path, {
          method: operation.method,
          headers,
          ...(body === undefined ? {} : { body }),
        });
        caller.cookie = cookie;
        const what = { name, seed, round, path: path.slice(0, 300), headers, body: shown(body) };
        const code = await expectContract(what, answer, { otherFailures: OTHERS_FAIL });
        met.push(code ?? String(answer.status));
        if (!isMeant) madeUpCalls.all += 1;
        if (!isMeant && wentIn(code)) madeUpCalls.in += 1;
        // It is done: what it was about may be gone, and whoever did it may be out.
        if (answer.status < 400 && (operation.method !== 'GET' || operation.path.startsWith('/auth/'))) {
          await backIn(caller);
          await businessAsBefore();
          if (uses < NEW_USES) use = await useOf(operation, people);
          uses += 1;
        }
      }
      expect(Object.keys(Object.prototype)).toEqual([]);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      // Else nothing of it was tried: every call came back from the door.
      if (!(name in NO_WAY_IN)) expect(met).toSatisfy((codes: string[]) => codes.some(wentIn));
    },
  );
});

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
import {
  BODIES,
  breakValue,
  breakForm,
  Chance,
  deriveSeed,
  type Shape,
  TEXTS,
  generateValid,
  serializeValue,
} from '../generate-values.ts';
import { expectContract, wentIn } from '../refusals.ts';
import { createExample } from '../examples.ts';
import { createFixture, type ExampleRequest, type Fixture } from '../fixture.ts';

const seed = inject('securitySeed');
const rounds = inject('securityRounds');
const operations = await listOperations();
const document = await readOpenApi();

/** Headers that routes or their guards read, in addition to those in the document. */
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

/** Errors caused by an outside service; no error of the product has these codes. */
const OUTSIDE_ERRORS = new Set(['assist_failed', 'google_unavailable', 'mail_failed']);

/** How many rounds create new data for a route that consumes it; creating data takes longer than the call. */
const NEW_EXAMPLES = Math.max(2, Math.ceil(rounds / 8));
/** The share of the generated calls that must reach the route's handler. */
const MIN_ACCEPTED_SHARE = 0.6;
const generatedCalls = { in: 0, all: 0 };

/** Users whose data no call may change. */
let bystanders: Fixture;
/** The data of these users before the test. */
let before: unknown;
/** Users who send the calls; their own data may change. */
let people: Fixture;

async function readBystanders(): Promise<unknown> {
  const { owner, conversation, character } = bystanders;
  const page = await owner.ask<{ revision: string }>(`/api/conversations/${conversation.id}`);
  return {
    // An object that was evicted starts to count its revisions again.
    conversation: { ...page, revision: '' },
    character: await owner.ask(`/api/me/characters/${character}`),
    account: await owner.ask('/api/account'),
    ledger: await listLedger(owner),
  };
}

beforeAll(async () => {
  [bystanders, people] = [await createFixture(), await createFixture()];
  before = await readBystanders();
});

/** A change of the configuration would also apply to everything after it. */
async function resetBusinessConfig(): Promise<void> {
  await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  clearRuntimeConfigCache(env);
}

afterEach(resetBusinessConfig);

afterAll(async () => {
  expect(await readBystanders()).toEqual(before);
  expect(generatedCalls.in).toBeGreaterThanOrEqual(generatedCalls.all * MIN_ACCEPTED_SHARE);
});

const getBodySchema = (operation: Operation): Shape | null => operation.body as Shape | null;

function listHeaderParameters(operation: Operation): { name: string; schema: Shape }[] {
  const raw = document.paths[`/api${operation.path}`]?.[operation.method.toLowerCase()] as
    | { parameters?: { in: string; name: string; schema: Shape }[] }
    | undefined;
  return (raw?.parameters ?? []).filter((parameter) => parameter.in === 'header');
}

interface GeneratedCall {
  path: string;
  headers: Record<string, string>;
  body?: string | FormData;
}

/** Picks an id for a place in an address: a real one, another user's or an invalid one. */
function pickId(name: string, chance: Chance, own: Record<string, string>, others: Fixture): string {
  if (chance.is(0.8)) return own[name] ?? 'unknown';
  if (chance.is(0.4)) return others.conversation[name] ?? others.character;
  return encodeURIComponent(chance.of(TEXTS).toWellFormed()) || '%20';
}

const encodeQueryValue = (value: unknown): string =>
  encodeURIComponent((typeof value === 'string' ? value : serializeValue(value)).toWellFormed());

async function generateCall(
  operation: Operation,
  chance: Chance,
  example: ExampleRequest,
  others: Fixture,
): Promise<GeneratedCall> {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    pickId(name, chance, example.ids ?? {}, others),
  );
  const pairs = operation.query.flatMap(({ name, schema }) => {
    if (chance.is(0.3)) return [];
    const good = generateValid(schema as Shape, chance);
    const value = chance.is(0.5) ? good : breakValue(schema as Shape, good, chance);
    const pair = `${name}=${encodeQueryValue(value)}`;
    return chance.is(0.1) ? [pair, `${name}=${encodeQueryValue(chance.of(TEXTS))}`, `${name}[]=1`] : [pair];
  });
  if (chance.is(0.15))
    pairs.push(chance.of(['__proto__=1', 'constructor[prototype]=1', '=', '&&', 'x=%', '%ff=%fe']));
  const headers: Record<string, string> = { ...example.headers };
  for (const { name, schema } of listHeaderParameters(operation))
    headers[name] = String(chance.is(0.5) ? generateValid(schema, chance) : chance.of(TEXTS));
  if (chance.is(0.4)) headers[chance.of(HEADERS)] = chance.of(TEXTS);
  const body =
    operation.method === 'GET' ? undefined : await generateBody(getBodySchema(operation), chance, example);
  if (typeof body === 'string') headers['content-type'] ??= 'application/json';
  return {
    path: `/api${path}${pairs.length === 0 ? '' : `?${pairs.join('&').slice(0, 12_000)}`}`,
    headers: Object.fromEntries(Object.entries(headers).filter(([name, value]) => isHeader(name, value))),
    ...(body === undefined ? {} : { body }),
  };
}

async function generateBody(
  shape: Shape | null,
  chance: Chance,
  { json, form }: ExampleRequest,
): Promise<string | FormData | undefined> {
  if (form !== undefined && chance.is(0.85)) return breakForm(form, chance);
  if (shape === null) return chance.is(0.3) ? chance.of(BODIES) : undefined;
  if (chance.is(0.08)) return chance.of(BODIES);
  // A valid example refers to existing data and so gets further than a body from the schema alone.
  const good = json !== undefined && chance.is(0.6) ? json : generateValid(shape, chance);
  return serializeValue(chance.is(0.15) ? good : breakValue(shape, good, chance));
}

/** Builds the example itself, with nothing broken. */
function buildValidCall(
  operation: Operation,
  { ids = {}, json, form, headers = {}, query = '' }: ExampleRequest,
): GeneratedCall {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'unknown');
  const type: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' };
  const body = form ?? (json === undefined ? undefined : JSON.stringify(json));
  return {
    path: `/api${path}${query}`,
    headers: { ...type, ...headers },
    ...(body === undefined ? {} : { body }),
  };
}

/** Returns whether the runtime accepts this header. */
function isHeader(name: string, value: string): boolean {
  try {
    return new Headers({ [name]: value }).has(name);
  } catch {
    return false;
  }
}

/** Picks a user who may call the route. */
function pickCaller(name: string, { roles, owner, operator }: Fixture, chance: Chance): Visitor {
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

/** Logs a user in again whom a call logged out, so that later calls get further than a 401. */
async function logInAgain(visitor: Visitor): Promise<void> {
  if (visitor === people.roles.nobody) return;
  const { is_authenticated } = await visitor.ask<{ is_authenticated: boolean }>('/api/auth/status');
  if (is_authenticated) return;
  const again = visitor === people.roles.guest ? await signInGuest() : await createAccount(visitor.email);
  // A staff user is identified by the address and so logs in with the same one.
  expect(visitor === people.roles.guest || again.id === visitor.id).toBe(true);
  Object.assign(visitor, { cookie: again.cookie, id: again.id });
}

const describeBody = (body: string | FormData | undefined): string | undefined =>
  body instanceof FormData
    ? [...body].map(([name, value]) => `${name}=${typeof value === 'string' ? value : value.size}`).join('&')
    : body?.slice(0, 300);

describe(`Generated requests, seed ${seed}`, () => {
  test.each(operations.map((operation) => [formatOperation(operation), operation] as const))(
    'generated requests get an answer that follows the contract: %s',
    async (name, operation) => {
      const chance = new Chance(deriveSeed(seed, name));
      const { guest: visitor, account, member, nobody, suspended } = people.roles;
      const outcomes: string[] = [];
      let example = await createExample(operation, people);
      let examples = 1;
      for (let round = 0; round < rounds; round += 1) {
        const isMeant = round === 0;
        const mayCall = isMeant || chance.is(0.75);
        const caller = mayCall
          ? pickCaller(name, people, chance)
          : chance.of([visitor, account, member, nobody, suspended]);
        // Staff may change other users' data.
        const others = caller === people.operator ? people : bystanders;
        const { path, headers, body } = isMeant
          ? buildValidCall(operation, example)
          : await generateCall(operation, chance, example, others);
        const { cookie } = caller;
        const answer = await caller.call(path, {
          method: operation.method,
          headers,
          ...(body === undefined ? {} : { body }),
        });
        caller.cookie = cookie;
        const what = { name, seed, round, path: path.slice(0, 300), headers, body: describeBody(body) };
        const code = await expectContract(what, answer, { otherFailures: OUTSIDE_ERRORS });
        outcomes.push(code ?? String(answer.status));
        if (!isMeant) generatedCalls.all += 1;
        if (!isMeant && wentIn(code)) generatedCalls.in += 1;
        // The call succeeded: its target may be gone, and its caller may be logged out.
        if (answer.status < 400 && (operation.method !== 'GET' || operation.path.startsWith('/auth/'))) {
          await logInAgain(caller);
          await resetBusinessConfig();
          if (examples < NEW_EXAMPLES) example = await createExample(operation, people);
          examples += 1;
        }
      }
      expect(Object.keys(Object.prototype)).toEqual([]);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      // Otherwise every call was refused before it reached the handler.
      if (!(name in NO_WAY_IN)) expect(outcomes).toSatisfy((codes: string[]) => codes.some(wentIn));
    },
  );
});

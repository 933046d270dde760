import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RATES } from '../../../src/api/middleware/rate-limits.ts';
import { BODY_LIMITS } from '../../../src/config/body-limits.ts';
import { createId } from '../../../src/lib/ids.ts';
import { ConfiguredVisitor } from '../../support/configured-visitor.ts';
import { type CallOptions, createAccount, Visitor } from '../../support/factories.ts';
import { buildValidBody, formatOperation } from '../../support/fuzz-bodies.ts';
import {
  buildOperationPath,
  isMutation,
  isWebhook,
  listOperations,
  type Operation,
} from '../../support/openapi-operations.ts';
import { createStaffUser } from '../../support/staff.ts';
import { LEVELS } from '../access.ts';
import { buildFileForm } from '../fixture.ts';
import { expectContract } from '../refusals.ts';

const operations = await listOperations();
const documented = new Set(operations.map(formatOperation));

const ERROR_HEADERS = {
  'cache-control': 'private, no-store',
  'content-type': 'application/json',
  'x-content-type-options': 'nosniff',
  'x-frame-options': expect.stringMatching(/^(?:DENY|SAMEORIGIN)$/),
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Server errors that routes answer with when a service or every binding fails. */
const FAILURES = new Set([
  'server_error',
  'dependencies_down',
  'payments_unavailable',
  'paypal_unavailable',
  'google_unavailable',
  'mail_failed',
]);

/** A binding whose every method fails with the kind of message that must stay in the log. */
const BROKEN_BINDING = new Proxy(
  {},
  {
    get: (_, name) =>
      name === 'then'
        ? undefined
        : () => {
            throw new Error('D1_ERROR: no such table: secrets at read (/src/db/open.ts:1:1)');
          },
  },
);
const BROKEN_BINDINGS = Object.fromEntries(
  ['DB', 'KV', 'MEDIA', 'CONVERSATIONS', 'WALLETS', 'SEARCHES', 'EMAIL'].map((name) => [
    name,
    BROKEN_BINDING,
  ]),
);
const EXHAUSTED_LIMITS = {
  RATE_LIMITS: 'on',
  ...Object.fromEntries(
    Object.keys(RATES).map((name) => [name, { limit: async () => ({ success: false }) }]),
  ),
};

/** Every status that a route answered with, by route. */
const seen = new Map<string, Set<number>>();

let account: Visitor;
let operator: Visitor;

beforeAll(async () => {
  [account, operator] = [await createAccount(), await createStaffUser()];
});

/** Well-formed, of nothing that exists. */
const UNKNOWN_ID = createId(Date.now());
const ids = Object.fromEntries(
  ['id', 'mid', 'tid', 'character_id', 'creator_id'].map((name) => [name, UNKNOWN_ID]),
);

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'];

/** Returns whether a route answers this call; `/{id}` also matches the last part of other paths. */
const hasRoute = (method: string, path: string): boolean =>
  operations.some(
    (one) =>
      one.method === method && new RegExp(`^/api${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );

/** Routes of browsers, which get a page with the error. */
const isForPages = ({ path }: Operation): boolean => path.startsWith('/auth/google');

const getCaller = (operation: Operation): Visitor =>
  LEVELS.get(formatOperation(operation)) === 'staff' ? operator : account;

/** Calls a route and expects that a refusal or failure contains nothing but its code. */
async function call(
  operation: Operation,
  caller: Visitor,
  { path = buildOperationPath(operation, ids), ...options }: CallOptions & { path?: string } = {},
): Promise<number> {
  const name = formatOperation(operation);
  const { cookie } = caller;
  const answer = await caller.call(path, { method: operation.method, ...options });
  caller.cookie = cookie;
  const { status, headers } = answer;
  const what = { name, path: path.slice(0, 100), method: options.method ?? operation.method, status };
  await expectContract(what, answer, { otherFailures: FAILURES });
  if (status >= 400)
    expect({ ...what, headers: Object.fromEntries(headers) }).toMatchObject({ headers: ERROR_HEADERS });
  seen.set(name, (seen.get(name) ?? new Set()).add(status));
  return status;
}

const json = { 'content-type': 'application/json' };

const routes = operations.map((operation) => [formatOperation(operation), operation] as const);
const changing = routes.filter(([, operation]) => isMutation(operation) && !isWebhook(operation));

describe('Error answers', () => {
  test.each(routes)(
    'a refused call gets an error of the contract’s shape with the security headers: %s',
    async (_, operation) => {
      const caller = getCaller(operation);
      await call(operation, new Visitor());
      const path = buildOperationPath(operation, ids);
      await call(operation, caller, { path: `${path}?unknown=1` });
      if (operation.path.includes('{') && !isWebhook(operation))
        await call(operation, caller, operation.body === null ? {} : { json: buildValidBody(operation) });
      for (const method of METHODS.filter((one) => !hasRoute(one, path)))
        expect([method, await call(operation, caller, { method })]).toEqual([method, 404]);
    },
  );

  test.each(changing)(
    'a body that is refused gets an error with the same headers: %s',
    async (_, operation) => {
      const caller = getCaller(operation);
      const refusals: CallOptions[] = [
        { headers: { origin: 'https://evil.example' } },
        { body: 'x', headers: { 'content-type': 'text/plain' } },
        { body: new Uint8Array(BODY_LIMITS.json + 1), headers: json },
        { body: buildFileForm(new Uint8Array(BODY_LIMITS.avatar + BODY_LIMITS.formFrame + 1)) },
        ...(operation.body === null ? [] : [{ body: '{"a"', headers: json }]),
      ];
      for (const options of refusals)
        expect(await call(operation, caller, options)).toBeGreaterThanOrEqual(400);
    },
  );

  test.each(routes)(
    'a call beyond the limits gets an error with the same headers: %s',
    async (name, operation) => {
      const visitor = new ConfiguredVisitor(EXHAUSTED_LIMITS, getCaller(operation));
      const status = await call(operation, visitor);
      if (!isWebhook(operation) && !isForPages(operation)) expect([name, status]).toEqual([name, 429]);
    },
  );

  test.each(routes)(
    'a call while every binding fails gets an error with the same headers: %s',
    async (name, operation) => {
      const visitor = new ConfiguredVisitor(BROKEN_BINDINGS, getCaller(operation));
      const body = operation.body === null ? {} : { json: buildValidBody(operation) };
      const status = await call(operation, visitor, body);
      // Without a database there is no session, so nothing that needs one may happen.
      if (LEVELS.get(name) !== 'everybody') expect([name, status]).toEqual([name, 500]);
    },
  );
});

afterAll(() => {
  expect([...seen.keys()].toSorted()).toEqual([...documented].toSorted());
  const statuses = new Set([...seen.values()].flatMap((one) => [...one]));
  expect([...statuses]).toEqual(expect.arrayContaining([400, 401, 403, 404, 413, 415, 429, 500]));
});

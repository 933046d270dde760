// Over 400 lines: one list of what every documented route refuses; a second file would need the same list of bodies.
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildOperationPath,
  isMutation,
  listOperations,
  isWebhook,
  type Operation,
  type Schema,
} from '../support/openapi-operations.ts';
import { joinDeltas } from '../support/event-reader.ts';
import {
  startTurn,
  type CallOptions,
  startConversation,
  signInGuest,
  listLedger,
  listMessages,
  createTurnId,
  getPoints,
  sendMessage,
  createAccount,
  Visitor,
} from '../support/factories.ts';
import { buildValidBody, isValidValue, formatOperation, INVALID_VALUES } from '../support/fuzz-bodies.ts';
import { createScene } from '../support/scripted-model.ts';

const operations = await listOperations();
const withBody = operations.filter((operation) => operation.body !== null);

/** Somebody with a conversation, whom no nonsense may change. */
let me: Visitor;
/** Somebody with an account, for what is refused to guests before anything of it is read. */
let account: Visitor;
/** Somebody of the operator's, for what is not there for anybody else. */
let operator: Visitor;
let ids: { id: string; mid: string };
let before: unknown;

async function everything(): Promise<unknown> {
  const tables = ['users', 'characters', 'conversations', 'login_codes', 'sessions', 'character_tags'];
  return {
    rows: await Promise.all(
      tables.map(async (table) => (await env.DB.prepare(`select * from ${table} order by 1`).all()).results),
    ),
    conversation: await me.ask(`/api/conversations/${ids.id}`),
    points: await getPoints(me),
    ledger: await listLedger(me),
  };
}

beforeAll(async () => {
  me = await signInGuest();
  account = await createAccount();
  operator = await createAccount('admin@localhost.test');
  const id = await startConversation(me);
  await sendMessage(me, id, 'Something to keep.');
  ids = { id, mid: (await listMessages(me, id)).at(-1)?.id as string };
  before = await everything();
});

afterAll(async () => {
  expect(await everything()).toEqual(before);
});

/** Text whose halves of characters are escaped: reports of failures cannot carry them. */
const escaped = (text: string | undefined): string => JSON.stringify(text);

async function expectRefused(what: string, answer: Response, status?: number): Promise<void> {
  const text = await answer.text();
  expect({ what, status: answer.status, text }).toSatisfy(({ status: got }) => got >= 400 && got < 500);
  if (status !== undefined) expect({ what, status: answer.status }).toEqual({ what, status });
  expect({ what, body: JSON.parse(text) }).toMatchObject({
    what,
    body: { error: expect.any(String), code: expect.any(String) },
  });
  expect(answer.headers.get('content-type')).toBe('application/json');
}

/** What is good here holds for everybody, and so for the tests beside. */
const FOR_EVERYBODY = 'PUT /admin/business';

/** Somebody whose body is read: guests are refused before, where an account is asked for, and all but staff at staff's. */
function callerOf(operation: Operation): Visitor {
  const asked = new Set(operation.security.flatMap(({ session }) => session));
  if (asked.has('staff')) return operator;
  return asked.has('account') ? account : me;
}

/** Calls with a body that is exactly these bytes. */
function callWith(
  operation: Operation,
  body: BodyInit,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) {
  const options: CallOptions = { method: operation.method, body, headers };
  return callerOf(operation).call(buildOperationPath(operation, ids), options);
}

/** A route that an empty object is a body for, and there is nothing here. */
const MAY_BE_EMPTY: Record<string, number> = { 'POST /account/age-check/requests': 404 };

/** And those that do their work without any. */
const NEEDS_NOTHING = new Set(['POST /conversations/{id}/messages/{mid}/fork', 'POST /onboarding']);

/** Fields whose text is looked up: what is well-formed and unknown is not found. */
const LOOKED_UP = new Set(['character_id', 'version_id', 'subscription_id', 'user_id']);

/** The routes that take a form, and so refuse bodies of JSON by their type. */
const FORMS = new Set(['POST /conversations/import', 'POST /characters/import', 'POST /uploads/avatar']);
const takesForm = (operation: Operation): boolean => FORMS.has(formatOperation(operation));

describe('A body that makes no sense', () => {
  test('is refused by every route that takes one', async () => {
    const nonsense: [string, string][] = [
      ['nothing', ''],
      ['broken JSON', '{"content": "x"'],
      ['a bare word', 'hello'],
      ['two values', '{} {}'],
      ['a comment', '{} // {}'],
      ['null', 'null'],
      ['a text', '"x"'],
      ['a number', '1e999'],
      ['a list', '[]'],
      ['a list of bodies', '[{}]'],
      ['an empty object', '{}'],
      ['a deep list', '['.repeat(100_000) + ']'.repeat(100_000)],
      ['a deep object', '{"content":'.repeat(50_000) + '1' + '}'.repeat(50_000)],
      ['bytes that are no text', '\u0000\u0001\u0002'],
    ];
    expect(withBody.length).toBeGreaterThanOrEqual(5);
    for (const operation of withBody) {
      for (const [what, body] of nonsense) {
        const bytes = new TextEncoder().encode(body);
        if (body === '{}' && NEEDS_NOTHING.has(formatOperation(operation))) continue;
        const empty = body === '{}' ? MAY_BE_EMPTY[formatOperation(operation)] : undefined;
        await expectRefused(
          `${formatOperation(operation)}: ${what}`,
          await callWith(operation, bytes),
          empty ?? 400,
        );
      }
      await expectRefused(
        `${formatOperation(operation)}: broken UTF-8`,
        await callWith(operation, Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d)),
        400,
      );
    }
  });

  test.each(withBody.map((operation) => [formatOperation(operation), operation] as const))(
    'is refused field by field: %s',
    async (_, operation) => {
      const { properties = {} } = operation.body as Schema;
      for (const name of Object.keys(properties)) {
        for (const [what, value] of INVALID_VALUES) {
          if (isValidValue(operation, name, value) && formatOperation(operation) === FOR_EVERYBODY) continue;
          const answer = await callWith(
            operation,
            JSON.stringify({ ...buildValidBody(operation), [name]: value }),
          );
          const where = `${name} is ${what}`;
          if (isValidValue(operation, name, value)) {
            // A guest may change nothing of an account; elsewhere, what comes of a good value is another test's matter.
            if (formatOperation(operation) === 'PATCH /account') await expectRefused(where, answer, 403);
            else await answer.body?.cancel();
            continue;
          }
          // What is well-formed and unknown is not found; everything else is the field's own fault.
          if (LOOKED_UP.has(name) && what === 'a blank text') {
            await expectRefused(where, answer);
            continue;
          }
          const refusal = await answer.clone().json<{ fields?: Record<string, string[]> }>();
          await expectRefused(where, answer, 400);
          expect({ where, fields: refusal.fields }).toEqual({
            where,
            fields: { [name]: expect.arrayContaining([expect.any(String)]) },
          });
        }
      }
      for (const name of operation.body?.required ?? []) {
        const { [name]: _left, ...rest } = buildValidBody(operation);
        await expectRefused(`${name} is missing`, await callWith(operation, JSON.stringify(rest)), 400);
      }
    },
  );

  test.each([
    ['role', 'role'],
    ['constructor', 'constructor'],
    ['__proto__', '__proto__'],
    ['toString', 'toString'],
    ['user_id', 'user_id'],
    ['nameless', ''],
    ['a very long one', 'x'.repeat(10_000)],
  ])('with a field that nobody knows is refused: %s', async (_, name) => {
    for (const operation of withBody) {
      if (operation.body?.properties?.[name]?.type !== undefined) continue;
      const good = Object.entries(buildValidBody(operation)).map(
        ([field, value]) => `,${JSON.stringify(field)}:${JSON.stringify(value)}`,
      );
      const body = `{${JSON.stringify(name)}:{"isAdmin":true}${good.join('')}}`;
      await expectRefused(formatOperation(operation), await callWith(operation, body), 400);
    }
  });

  test('of two mebibytes is too large for every route, whether its size is announced or not', async () => {
    const large = JSON.stringify({ content: 'x'.repeat(2 * 1024 * 1024) });
    for (const operation of operations.filter((one) => isMutation(one) && !isWebhook(one))) {
      const status = takesForm(operation) ? 415 : 413;
      await expectRefused(formatOperation(operation), await callWith(operation, large), status);
      const stream = new Blob([large]).stream();
      await expectRefused(
        `${formatOperation(operation)} in pieces`,
        await callWith(operation, stream),
        status,
      );
    }
  });

  test('of a wrong or missing type is refused by every route', async () => {
    const bytes = new TextEncoder().encode('{}');
    for (const operation of operations.filter((one) => isMutation(one) && !isWebhook(one))) {
      for (const type of [
        'text/plain',
        'text/html',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/jsonp',
        'x',
        '',
      ]) {
        await expectRefused(
          `${formatOperation(operation)} as «${type}»`,
          await callWith(operation, bytes, type === '' ? {} : { 'content-type': type }),
          type.startsWith('multipart/') && takesForm(operation) ? 400 : 415,
        );
      }
    }
  });
});

describe('Odd characters', () => {
  test.each([
    ['a NUL', 'before\u0000after'],
    ['half a surrogate pair', 'half \ud83d of it'],
    ['the other half', '\udc4b alone'],
    ['direction marks', '\u202egnorts\u202c'],
    ['a byte order mark', '\ufeffHello'],
    ['HTML', '<img src=x onerror=alert(1)>'],
    ['SQL', "'; drop table users; --"],
    ['placeholders', '{{user}} {{char}} {{random}}'],
  ])(
    'in a message, such as %s, are refused or kept as they are, and never break anything',
    async (_, content) => {
      const somebody = await signInGuest();
      const id = await startConversation(somebody);
      const echo = createScene('echo');
      const answer = await somebody.call(`/api/conversations/${id}/messages`, {
        json: { content: `${content} ${echo.marker}`, client_message_id: createTurnId() },
      });
      if (answer.status !== 200) {
        await expectRefused(escaped(content), answer, 400);
        expect(await listMessages(somebody, id)).toHaveLength(1);
      } else {
        expect(await answer.text()).toContain('event: done');
        expect(escaped((await listMessages(somebody, id))[1]?.content)).toBe(
          escaped(`${content} ${echo.marker}`),
        );
      }
      before = await everything();
    },
  );

  test.each([
    ['a NUL', 'before\u0000after'],
    ['half a surrogate pair', 'half \ud83d of it'],
    ['emoji', '👩‍👩‍👧 👋🏽'],
  ])('in a title, such as %s, are refused or kept as they are, in every list', async (_, title) => {
    const somebody = await signInGuest();
    const id = await startConversation(somebody);
    const answer = await somebody.call(`/api/conversations/${id}`, { method: 'PATCH', json: { title } });
    if (answer.status === 200) {
      const told = await answer.json<{ title: string }>();
      const { conversation: read } = await somebody.ask<{ conversation: { title: string } }>(
        `/api/conversations/${id}`,
      );
      const listed = await env.DB.prepare('select title from conversations where id = ?')
        .bind(id)
        .first<string>('title');
      expect([told.title, read.title, listed ?? ''].map(escaped)).toEqual(
        Array.from({ length: 3 }, () => escaped(title)),
      );
    } else {
      await expectRefused(escaped(title), answer, 400);
    }
    before = await everything();
  });
});

describe('An id that cannot be', () => {
  const strange = [
    '..%2F..%2Fhealth',
    '%2e%2e%2fusers',
    '%00',
    'abc%00def',
    '%F0%9F%91%8B',
    '%ff%fe',
    '%',
    '%E0%A4%A',
    '__proto__',
    'constructor',
    "'%20or%201=1--",
    '*',
    ':id',
    '0'.repeat(26),
    'Z'.repeat(26),
    'a'.repeat(10_000),
  ];

  test.each(
    operations
      .filter(({ path }) => path.includes('{'))
      .map((operation) => [formatOperation(operation), operation] as const),
  )('is not found: %s', async (name, operation) => {
    for (const id of strange) {
      for (const part of operation.path.match(/\{\w+\}/g) ?? []) {
        const address = buildOperationPath(operation, { ...ids, [part.slice(1, -1)]: id });
        const body = operation.body === null ? {} : { json: buildValidBody(operation) };
        const answer = await me.call(address, { method: operation.method, ...body });
        if (name === 'GET /characters/{id}/conversations' && answer.status === 200) {
          expect(await answer.json()).toEqual({ items: [], next_cursor: null });
        } else {
          await expectRefused(`${name} ${part} ${id.slice(0, 30)}`, answer);
        }
      }
    }
  });

  test('of a character begins no conversation', async () => {
    for (const id of strange.map(decode).filter((id) => id.length <= 64)) {
      const answer = await me.call('/api/conversations', { json: { character_id: id } });
      await expectRefused(id, answer, 404);
    }
  });

  test('as a turn’s id is refused', async () => {
    for (const turnId of [
      'short',
      'x'.repeat(65),
      'with space!',
      '../../etc',
      'a\u0000bcdefgh',
      'ünïcödeüü',
      'semi;colon',
    ]) {
      const answer = await me.call(`/api/conversations/${ids.id}/messages`, {
        json: { content: 'x', client_message_id: turnId },
      });
      await expectRefused(turnId, answer, 400);
    }
  });
});

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Taken by people in their browsers, who are told on a page what was wrong; see google-page.test.ts. */
const WAYS = /^\/auth\/google/;

/** Somebody for whom the list is there: of a refusal that everybody else gets, a query learns nothing. */
function readerOf({ path }: Operation): Visitor {
  if (path.startsWith('/admin/')) return operator;
  // Guests keep, follow and enter nobody.
  return /^\/(?:me\/(?:favourites|following)|competition\/entries)/.test(path) ? account : me;
}

describe('A query that makes no sense', () => {
  test.each(
    operations
      .filter(({ query, path }) => query.length > 0 && !WAYS.test(path))
      .map((operation) => [formatOperation(operation), operation] as const),
  )('is refused: %s', async (name, operation) => {
    const bad: Record<string, string[]> = {
      limit: ['0', '-1', '101', '1e9', 'abc', '1.5', 'NaN', 'Infinity', '%00', '', '1&limit=2', '١'],
      cursor: ['x'.repeat(10_000)],
      before: ['unknown', 'x'.repeat(10_000)],
      after: ['unknown', 'x'.repeat(10_000)],
      around: ['unknown', 'x'.repeat(10_000)],
      forever: ['', 'yes', '1', 'TRUE', '%00'],
      format: ['', 'evil', 'JSONL', '%00', 'md,jsonl'],
      sort: ['', 'evil', 'POPULAR', '%00', 'popular,new'],
      tag: ['', 'unknown', '%3Cscript%3E', '__proto__'],
      q: ['x'.repeat(10_000)],
      token: ['', 'unknown', '%00', 'x'.repeat(10_000)],
      part: ['', '0', '-1', '1e9', 'abc', '1.5', '%00'],
      spec: ['', 'v1', 'V3', '%00'],
      skip: ['', '0', '-1', '1e9', 'abc', '1.5', '%00'],
      season: ['', '0', '-1', '1e9', 'abc', '1.5', '%00', '10001'],
      days: ['', '0', '-1', '366', '1e9', 'abc', '1.5', 'NaN', 'Infinity', '%00', '1&days=2', '١'],
      year: ['', '0', '27', '-2027', '1e9', 'abc', '2027.5', 'NaN', '%00', '2027&year=2028', '١'],
      from: ['', '2027', '2027-02-30', 'abc', '%00', '2027-01-01'],
      to: ['', '2027', '2027-02-30', 'abc', '%00', '2027-01-01'],
      deleted: ['', 'yes', '1', 'TRUE', '%00'],
      status: ['', 'evil', 'OPEN', '%00'],
      subject: ['', 'evil', 'CREATOR', '%00'],
      order: ['', 'evil', 'NEWEST', '%00'],
      subject_id: ['x'.repeat(10_000)],
    };
    for (const { name: field } of operation.query) {
      expect(bad, `values for ${field}`).toHaveProperty(field);
      for (const value of bad[field] ?? []) {
        const answer = await readerOf(operation).call(
          `${buildOperationPath(operation, ids)}?${field}=${value}`,
          {
            method: operation.method,
          },
        );
        // For the operator's own nothing but the query can be wrong.
        const status = operation.path.startsWith('/admin/') ? 400 : undefined;
        await expectRefused(`${name} ${field}=${value.slice(0, 30)}`, answer, status);
      }
    }
  });

  test('or a cursor that is none of ours never breaks a list', async () => {
    for (const operation of operations.filter(({ query }) => query.some(({ name }) => name === 'cursor'))) {
      for (const cursor of [
        'nonsense',
        '1.x',
        '-1.x',
        '999999999999999.z',
        '%00',
        '0.__proto__',
        '%F0%9F%91%8B',
        '1e5.x',
        "1.'",
      ]) {
        const id = operation.path.startsWith('/creators/') ? account.id : ids.id;
        const answer = await readerOf(operation).call(
          `${buildOperationPath(operation, { ...ids, id })}?cursor=${cursor}`,
        );
        expect({ cursor, status: answer.status }).toSatisfy(({ status }) => status === 200 || status === 400);
        await answer.body?.cancel();
      }
    }
  });

  test('with fields that nobody knows is answered all the same', async () => {
    expect((await me.call('/api/characters?utm_source=x&__proto__=1&constructor=2')).status).toBe(200);
  });
});

test('All the while, the reply that is being written goes on', async () => {
  const somebody = await signInGuest();
  const id = await startConversation(somebody);
  const slow = createScene('gate n=2');
  const reader = await startTurn(somebody, id, slow.marker);
  await slow.reached();
  for (const body of ['', '[]', '{"content":1}']) {
    const answer = await somebody.call(`/api/conversations/${id}/messages`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(400);
  }
  await slow.open();
  expect(joinDeltas(await reader.readRest())).toBe('w0 w1 w2 w3');
  before = await everything();
});

// Over 400 lines: one list of what every documented route refuses; a second file would need the same list of
// bodies.
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  buildOperationPath,
  isMutation,
  listOperations,
  isWebhook,
  type Operation,
  type Schema,
} from '../../support/openapi-operations.ts';
import { joinDeltas } from '../../support/event-reader.ts';
import {
  addCharacter,
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
  startListedConversation,
} from '../../support/factories.ts';
import { buildValidBody, isValidValue, formatOperation, INVALID_VALUES } from '../../support/fuzz-bodies.ts';
import { createScene } from '../../support/scripted-model.ts';

const operations = await listOperations();
const withBody = operations.filter((operation) => operation.body !== null);

/** A guest with a conversation that no invalid request may change. */
let me: Visitor;
/** A user with an account, for routes that refuse guests before they read the body. */
let account: Visitor;
/** A staff user, for routes that other users get a 404 from. */
let operator: Visitor;
let ids: { id: string; mid: string };
let before: unknown;

async function readEverything(): Promise<unknown> {
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
  await addCharacter({ creatorId: account.id });
  const id = await startConversation(me);
  await sendMessage(me, id, 'Something to keep.');
  ids = { id, mid: (await listMessages(me, id)).at(-1)?.id as string };
  before = await readEverything();
});

afterAll(async () => {
  expect(await readEverything()).toEqual(before);
});

/** Escapes lone surrogates, which failure reports cannot carry. */
const escapeText = (text: string | undefined): string => JSON.stringify(text);

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

/** A valid body on these routes changes the configuration for all tests, or the conversation that is compared. */
const CHANGING_ROUTES = new Set([
  'PUT /admin/business',
  'POST /conversations/{id}/messages/{mid}/regenerate',
]);

/** Returns a user whose body the route reads: routes refuse guests or non-staff users before that. */
function selectCaller(operation: Operation): Visitor {
  const required = new Set(operation.security.flatMap(({ session }) => session));
  if (required.has('staff')) return operator;
  return required.has('account') ? account : me;
}

/** Calls with a body that is exactly these bytes. */
function callWith(
  operation: Operation,
  body: BodyInit,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) {
  const options: CallOptions = { method: operation.method, body, headers };
  return selectCaller(operation).call(buildOperationPath(operation, ids), options);
}

/** A route that accepts an empty object and answers 404 in this environment. */
const MAY_BE_EMPTY: Record<string, number> = { 'POST /account/age-check/requests': 404 };

/** Routes that need no field at all. */
const NEEDS_NOTHING = new Set(['POST /conversations/{id}/messages/{mid}/fork', 'POST /onboarding']);

/** Fields that hold an id: a well-formed unknown id is not found. */
const LOOKED_UP = new Set(['character_id', 'version_id', 'subscription_id', 'user_id']);

/** The routes that take a form, and so refuse JSON bodies by their type. */
const FORMS = new Set(['POST /conversations/import', 'POST /characters/import', 'POST /uploads/avatar']);
const takesForm = (operation: Operation): boolean => FORMS.has(formatOperation(operation));

describe('Invalid bodies', () => {
  test('every route with a body refuses an invalid body', async () => {
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
    'a route refuses an invalid value in each field of its body: %s @all',
    async (_, operation) => {
      const { properties = {} } = operation.body as Schema;
      for (const name of Object.keys(properties)) {
        for (const [what, value] of INVALID_VALUES) {
          if (isValidValue(operation, name, value) && CHANGING_ROUTES.has(formatOperation(operation)))
            continue;
          const answer = await callWith(
            operation,
            JSON.stringify({ ...buildValidBody(operation), [name]: value }),
          );
          const where = `${name} is ${what}`;
          if (isValidValue(operation, name, value)) {
            // A guest can change only these two fields of the account; other tests cover what valid values do elsewhere.
            if (
              formatOperation(operation) === 'PATCH /account' &&
              !['nickname', 'personal_suggestions'].includes(name)
            )
              await expectRefused(where, answer, 403);
            else await answer.body?.cancel();
            continue;
          }
          // A well-formed unknown id is not found; every other value is an error of the field.
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
  ])('every route refuses a body with an unknown field: %s', async (_, name) => {
    for (const operation of withBody) {
      if (operation.body?.properties?.[name]?.type !== undefined) continue;
      const good = Object.entries(buildValidBody(operation)).map(
        ([field, value]) => `,${JSON.stringify(field)}:${JSON.stringify(value)}`,
      );
      const body = `{${JSON.stringify(name)}:{"isAdmin":true}${good.join('')}}`;
      await expectRefused(formatOperation(operation), await callWith(operation, body), 400);
    }
  });

  test('every route refuses a body of two mebibytes, with and without an announced size', async () => {
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

  test('every route refuses a body with a wrong or missing content type', async () => {
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

describe('Unusual characters', () => {
  test.each([
    ['a NUL', 'before\u0000after'],
    ['half a surrogate pair', 'half \ud83d of it'],
    ['the other half', '\udc4b alone'],
    ['direction marks', '\u202egnorts\u202c'],
    ['a byte order mark', '\ufeffHello'],
    ['HTML', '<img src=x onerror=alert(1)>'],
    ['SQL', "'; drop table users; --"],
    ['placeholders', '{{user}} {{char}} {{random}}'],
  ])('a message with unusual characters such as %s is refused or stored unchanged', async (_, content) => {
    const guest = await signInGuest();
    const id = await startConversation(guest);
    const echo = createScene('echo');
    const answer = await guest.call(`/api/conversations/${id}/messages`, {
      json: { content: `${content} ${echo.marker}`, client_message_id: createTurnId() },
    });
    if (answer.status !== 200) {
      await expectRefused(escapeText(content), answer, 400);
      expect(await listMessages(guest, id)).toHaveLength(1);
    } else {
      expect(await answer.text()).toContain('event: done');
      expect(escapeText((await listMessages(guest, id))[1]?.content)).toBe(
        escapeText(`${content} ${echo.marker}`),
      );
    }
    before = await readEverything();
  });

  test.each([
    ['a NUL', 'before\u0000after'],
    ['half a surrogate pair', 'half \ud83d of it'],
    ['emoji', '👩‍👩‍👧 👋🏽'],
  ])(
    'a title with unusual characters such as %s is refused or stored unchanged in every list',
    async (_, title) => {
      const guest = await signInGuest();
      const id = await startListedConversation(guest);
      const answer = await guest.call(`/api/conversations/${id}`, { method: 'PATCH', json: { title } });
      if (answer.status === 200) {
        const updated = await answer.json<{ title: string }>();
        const { conversation: read } = await guest.ask<{ conversation: { title: string } }>(
          `/api/conversations/${id}`,
        );
        const [listed] = await env.SEARCHES.get(env.SEARCHES.idFromName(guest.id)).findConversations([id]);
        expect([updated.title, read.title, listed?.title ?? ''].map(escapeText)).toEqual(
          Array.from({ length: 3 }, () => escapeText(title)),
        );
      } else {
        await expectRefused(escapeText(title), answer, 400);
      }
      before = await readEverything();
    },
  );
});

describe('Malformed ids', () => {
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
      // No answer says whether an invite code exists: both unknown and malformed ones get 200 and no name.
      .filter(({ path }) => path.includes('{') && path !== '/invites/{code}')
      .map((operation) => [formatOperation(operation), operation] as const),
  )('a malformed id in the path is not found: %s', async (name, operation) => {
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

  test('a malformed character id starts no conversation', async () => {
    for (const id of strange.map(decode).filter((id) => id.length <= 64)) {
      const answer = await me.call('/api/conversations', { json: { character_id: id } });
      await expectRefused(id, answer, 404);
    }
  });

  test('a malformed turn id is refused', async () => {
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

/** Users reach these routes in their browser and get an error page; see google-page.test.ts. */
const GOOGLE_ROUTES = /^\/auth\/google/;

/** Returns a user who may read the list; other users are refused before the query is parsed. */
function selectReader({ path }: Operation): Visitor {
  if (path.startsWith('/admin/')) return operator;
  // Guests have no favourites, followed creators or entries.
  return /^\/(?:me\/(?:favourites|following)|competition\/entries)/.test(path) ? account : me;
}

describe('Invalid queries', () => {
  test.each(
    operations
      .filter(({ query, path }) => query.length > 0 && !GOOGLE_ROUTES.test(path))
      .map((operation) => [formatOperation(operation), operation] as const),
  )('an invalid query is refused: %s', async (name, operation) => {
    const bad: Record<string, string[]> = {
      group: ['', 'x', 'a.b', `${'x'.repeat(26)}`, '%00', `${'x'.repeat(26)}.${'x'.repeat(27)}`],
      limit: ['0', '-1', '101', '1e9', 'abc', '1.5', 'NaN', 'Infinity', '%00', '', '1&limit=2', '١'],
      cursor: ['x'.repeat(10_000)],
      before: ['unknown', 'x'.repeat(10_000)],
      after: ['unknown', 'x'.repeat(10_000)],
      around: ['unknown', 'x'.repeat(10_000)],
      size: ['', 'evil', 'LIST', '%00'],
      tab: ['', 'short', 'x'.repeat(65), '%00', '__proto__', 'a'.repeat(7), '%3Cscript%3E'],
      forever: ['', 'yes', '1', 'TRUE', '%00'],
      format: ['', 'evil', 'JSONL', '%00', 'md,jsonl'],
      sort: ['', 'evil', 'POPULAR', '%00', 'popular,new'],
      tag: ['', 'unknown', '%3Cscript%3E', '__proto__'],
      language: ['', 'xx', 'EN', '__proto__', '%00'],
      include: ['a,b,c,d,e,f', 'x'.repeat(10_000)],
      exclude: ['a,b,c,d,e,f', 'x'.repeat(10_000)],
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
        const answer = await selectReader(operation).call(
          `${buildOperationPath(operation, ids)}?${field}=${value}`,
          {
            method: operation.method,
          },
        );
        // For staff only the query can be wrong, so the status must be 400.
        const status = operation.path.startsWith('/admin/') ? 400 : undefined;
        await expectRefused(`${name} ${field}=${value.slice(0, 30)}`, answer, status);
      }
    }
  });

  test('an invalid cursor never breaks a list', async () => {
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
        const answer = await selectReader(operation).call(
          `${buildOperationPath(operation, { ...ids, id })}?cursor=${cursor}`,
        );
        expect({ cursor, status: answer.status }).toSatisfy(({ status }) => status === 200 || status === 400);
        await answer.body?.cancel();
      }
    }
  });

  test('every route but those that Google and mail programs call refuses unknown query fields by name', async () => {
    const names = ['utm_source', '__proto__', 'constructor', 'limit[]'];
    const search = new URLSearchParams(names.map((name) => [name, '1']));
    for (const operation of operations.filter(
      (one) => !isWebhook(one) && !one.path.startsWith('/auth/google'),
    )) {
      const path = buildOperationPath(operation, ids);
      const answer = await selectCaller(operation).call(`${path}?${search}`, {
        method: operation.method,
        ...(operation.method === 'GET' ? {} : { json: {} }),
      });
      const text = await answer.text();
      expect({ path, status: answer.status }).toEqual({ path, status: 400 });
      for (const name of names) expect(text).toContain(`"${name}":["Unknown field"]`);
    }
  });
});

test('invalid requests do not interrupt the reply that is being written', async () => {
  const guest = await signInGuest();
  const id = await startConversation(guest);
  const slow = createScene('gate n=2');
  const reader = await startTurn(guest, id, slow.marker);
  await slow.reached();
  for (const body of ['', '[]', '{"content":1}']) {
    const answer = await guest.call(`/api/conversations/${id}/messages`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(400);
  }
  await slow.open();
  expect(joinDeltas(await reader.readRest())).toBe('w0 w1 w2 w3');
  before = await readEverything();
});

import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
} from '../../../src/features/runtime-config/runtime-config-gateway.ts';
import { importCard } from '../../support/card-actions.ts';
import { uploadTestPicture, buildForm } from '../../support/character-actions.ts';
import { listOperations, type Operation } from '../../support/openapi-operations.ts';
import { addCharacter, startConversation, createAccount, type Visitor } from '../../support/factories.ts';
import { formatOperation } from '../../support/fuzz-bodies.ts';
import {
  ENDS_SESSIONS,
  LEVELS,
  type Level,
  MEETS,
  CLOSED_TO_SUSPENDED,
  OPEN_TO_SUSPENDED,
} from '../access.ts';
import { hasExample, createExample } from '../examples.ts';
import {
  callAs,
  createFixture,
  type Role,
  ROLES,
  createSampleConversation,
  type ExampleRequest,
  type Fixture,
} from '../fixture.ts';

const operations = await listOperations();
const byName = operations.map((operation) => [formatOperation(operation), operation] as const);

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});

/** The result of a call. */
interface Outcome {
  status: number;
  /** The code of a refusal; empty for any other answer. */
  code: string;
}

async function readOutcome(answer: Response): Promise<Outcome> {
  const { status, webSocket } = answer;
  webSocket?.accept();
  webSocket?.close();
  const text = webSocket ? '' : await answer.text();
  return { status, code: status < 400 ? '' : (JSON.parse(text) as { code: string }).code };
}

const UNAUTHENTICATED: Outcome = { status: 401, code: 'unauthenticated' };
const NOT_FOUND: Outcome = { status: 404, code: 'not_found' };
const NEEDS_ACCOUNT: Outcome = { status: 403, code: 'account_required' };
const SUSPENDED: Outcome = { status: 403, code: 'account_suspended' };

/** Returns the refusal that a role gets at a level, or null where it may call the route. */
function getRefusal(level: Level, role: Role, name: string): Outcome | null {
  if (level === 'everybody') return role === 'suspended' && CLOSED_TO_SUSPENDED.has(name) ? SUSPENDED : null;
  if (role === 'nobody' || role === 'forged' || role === 'ended') return UNAUTHENTICATED;
  if (level === 'staff') return role === 'admin' ? null : NOT_FOUND;
  if (role === 'suspended' && !OPEN_TO_SUSPENDED.has(name)) return SUSPENDED;
  if (role === 'guest' && level !== 'session' && level !== 'owner') return NEEDS_ACCOUNT;
  return level.startsWith('owner') ? NOT_FOUND : null;
}

/** Returns whether an answer is one that an authorized caller can get. */
function isServed(
  { responses }: Operation,
  name: string,
  example: ExampleRequest,
  { status, code }: Outcome,
): boolean {
  if (example.status !== undefined) return status === example.status;
  return String(status) in responses && status < 400 ? true : (MEETS[name] ?? []).includes(code);
}

// A change of the configuration would also apply to tests that run at the same time.
afterEach(async () => {
  await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  clearRuntimeConfigCache(env);
});

describe('Access table', () => {
  test('the access table lists exactly the routes of the product', () => {
    expect([...LEVELS.keys()].toSorted()).toEqual(byName.map(([name]) => name).toSorted());
  });

  test('the OpenAPI document has the same levels as the access table', () => {
    const documented = byName.map(
      ([
        name,
        {
          security: [asked],
        },
      ]) => [name, asked === undefined ? 'everybody' : asked.session.join(' ') || 'session'],
    );
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(LEVELS));
  });

  test('every route with an owner or staff level has an example request', () => {
    const protectedRoutes = [...LEVELS].filter(([, level]) => level.startsWith('owner') || level === 'staff');
    expect(protectedRoutes.map(([name]) => name).filter((name) => !hasExample(name))).toEqual([]);
  });
});

describe('Roles', () => {
  test.each(byName)('each role gets what the access table says: %s', async (name, operation) => {
    const level = LEVELS.get(name) as Level;
    const isEnding = ENDS_SESSIONS.has(name);
    const people = isEnding ? await createFixture() : fixture;
    const example = await createExample(operation, people);
    const found: Record<string, Outcome> = {};
    const expected: Record<string, Outcome> = {};
    for (const role of ROLES) {
      const answer = await readOutcome(await callAs(people.roles[role], operation, example));
      const refusal = getRefusal(level, role, name);
      found[role] = answer;
      expected[role] =
        refusal ?? (isServed(operation, name, example, answer) ? answer : { status: 200, code: '' });
    }
    expect(found).toEqual(expected);
    // The target existed all the time, and the refused calls did not change it.
    if (level !== 'staff') {
      const own = await readOutcome(await callAs(people.owner, operation, example));
      expect({ own, served: isServed(operation, name, example, own) }).toMatchObject({ served: true });
      if (level.startsWith('owner')) expect(MEETS[name] ?? []).not.toContain(own.code);
    }
    // HEAD opens no more than GET.
    if (operation.method === 'GET' && level !== 'everybody' && !name.endsWith('/live')) {
      for (const role of ['nobody', 'account', 'suspended'] as const) {
        const answer = await callAs(people.roles[role], operation, example, 'HEAD');
        expect({ role, status: answer.status }).toEqual({ role, status: found[role]?.status });
      }
    }
  });
});

describe('Data of other users', () => {
  let me: Visitor;
  let own: Awaited<ReturnType<typeof createSampleConversation>>;
  beforeAll(async () => {
    me = await createAccount();
    own = await createSampleConversation(me, fixture.character);
  });

  test.each(byName.filter(([, { path }]) => /\{[mt]id\}/.test(path)))(
    "a message or deletion of another user is not found in a user's own conversation: %s",
    async (_, operation) => {
      const example = await createExample(operation, fixture);
      const ids = { ...example.ids, id: own.id };
      expect(await readOutcome(await callAs(me, operation, { ...example, ids }))).toEqual(NOT_FOUND);
    },
  );

  test('a private character of another user is not found on any route', async () => {
    const id = await addCharacter({ creatorId: fixture.owner.id, visibility: 'private' });
    const stranger = await createAccount();
    const refused: Record<string, Outcome> = {};
    const requests: [string, string, object][] = [
      ['GET', `/characters/${id}`, {}],
      ['GET', `/characters/${id}/card?format=json`, {}],
      ['GET', `/characters/${id}/lorebook`, {}],
      ['POST', `/characters/${id}/reports`, { json: { reason: 'spam' } }],
      ['PUT', `/me/favourites/${id}`, {}],
      ['PUT', `/me/likes/${id}`, {}],
      ['POST', '/conversations', { json: { character_id: id } }],
      ['GET', `/me/characters/${id}`, {}],
      ['POST', `/competition/entries/${id}`, {}],
    ];
    for (const [method, path, options] of requests)
      refused[`${method} ${path}`] = await readOutcome(
        await stranger.call(`/api${path}`, { method, ...options }),
      );
    expect(refused).toEqual(
      Object.fromEntries(requests.map(([method, path]) => [`${method} ${path}`, NOT_FOUND])),
    );
    expect((await fixture.owner.call(`/api/characters/${id}`)).status).toBe(200);
    for (const list of ['/api/characters?q=Mira&limit=100', `/api/creators/${fixture.owner.id}?limit=100`])
      expect(JSON.stringify(await stranger.ask(list))).not.toContain(id);
  });

  test("ids of another user's persona, picture, card, version or message are refused in a body", async () => {
    const { owner } = fixture;
    const persona = await owner.ask<{ id: string }>('/api/personas', {
      json: { name: 'Theirs', description: 'Secret.' },
      status: 201,
    });
    const picture = await uploadTestPicture(owner);
    const { import_id } = await importCard(owner, JSON.stringify({ name: 'Theirs', description: 'Secret.' }));
    const page = await owner.ask<{ messages: { id: string; selected_version_id: string }[] }>(
      `/api/conversations/${fixture.conversation.id}`,
    );
    const foreignMessage = page.messages.at(-1);
    const cases: [string, string, object][] = [
      ['POST', '/conversations', { character_id: fixture.character, persona_id: persona.id }],
      ['PUT', `/conversations/${own.id}/persona`, { persona_id: persona.id }],
      [
        'PUT',
        `/conversations/${own.id}/messages/${own.mid}/version`,
        { version_id: foreignMessage?.selected_version_id },
      ],
      ['PATCH', '/account', { avatar_id: picture }],
      ['POST', '/characters', { ...(await buildForm(me)), avatar_id: picture }],
      ['POST', '/characters', { ...(await buildForm(me)), import_id }],
      [
        'POST',
        '/appeals',
        {
          conversation_id: fixture.conversation.id,
          message_id: fixture.conversation.mid,
          message: 'It was mine.',
        },
      ],
    ];
    for (const [method, path, json] of cases) {
      const answer = await me.call(`/api${path}`, { method, json });
      expect({ method, path, status: answer.status }).toSatisfy(
        ({ status }) => status >= 400 && status < 500,
      );
      expect(await answer.text()).not.toMatch(/Theirs|Secret/);
    }
    expect(await startConversation(me, fixture.character)).toEqual(expect.any(String));
  });

  test('private account fields of a user are not shown to other users', async () => {
    const { owner } = fixture;
    const answers = [
      await me.call(`/api/creators/${owner.id}`),
      await me.call(`/api/characters/${fixture.character}`),
      await me.call('/api/characters?limit=100'),
    ];
    for (const answer of answers) {
      const text = await answer.text();
      expect(text).not.toContain(owner.email);
      expect(text).not.toMatch(/"(?:email|session|suspended_at|google|ip|network|plan|role)"/);
    }
  });

  test('a role, plan or owner in a request grants no rights', async () => {
    for (const extra of [
      { role: 'admin' },
      { plan: 'legend' },
      { is_anonymous: false },
      { user_id: fixture.owner.id },
    ]) {
      const answer = await me.call('/api/account', { method: 'PATCH', json: { language: 'de', ...extra } });
      expect(await readOutcome(answer)).toEqual({ status: 400, code: 'invalid_input' });
    }
    expect(
      (await me.call('/api/admin/stats', { headers: { 'x-user-id': fixture.operator.id } })).status,
    ).toBe(404);
    expect(
      (
        await me.call(`/api/conversations/${fixture.conversation.id}`, {
          headers: { 'x-user-id': fixture.owner.id },
        })
      ).status,
    ).toBe(404);
  });
});

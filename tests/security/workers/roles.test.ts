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
import { ENDS_SESSIONS, LEVELS, type Level, MEETS, OPEN_TO_SUSPENDED } from '../access.ts';
import { isUsed, useOf } from '../uses.ts';
import { callAs, newWorld, type Role, ROLES, story, type Use, type World } from '../world.ts';

const operations = await listOperations();
const byName = operations.map((operation) => [formatOperation(operation), operation] as const);

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

/** What a call came to. */
interface Met {
  status: number;
  /** Of a refusal; empty for anything else. */
  code: string;
}

async function met(answer: Response): Promise<Met> {
  const { status, webSocket } = answer;
  webSocket?.accept();
  webSocket?.close();
  const text = webSocket ? '' : await answer.text();
  return { status, code: status < 400 ? '' : (JSON.parse(text) as { code: string }).code };
}

const UNAUTHENTICATED: Met = { status: 401, code: 'unauthenticated' };
const NOT_THERE: Met = { status: 404, code: 'not_found' };
const NEEDS_ACCOUNT: Met = { status: 403, code: 'account_required' };
const SHUT: Met = { status: 403, code: 'account_suspended' };

/** The refusal that a role meets at a level; null where it may go on. */
function refusalOf(level: Level, role: Role, name: string): Met | null {
  if (level === 'everybody') return null;
  if (role === 'nobody' || role === 'forged' || role === 'ended') return UNAUTHENTICATED;
  if (level === 'staff') return role === 'admin' ? null : NOT_THERE;
  if (role === 'suspended' && !OPEN_TO_SUSPENDED.has(name)) return SHUT;
  if (role === 'guest' && level !== 'session' && level !== 'owner') return NEEDS_ACCOUNT;
  return level.startsWith('owner') ? NOT_THERE : null;
}

/** Whether an answer is one of those that whoever may call the route can get. */
function isServed({ responses }: Operation, name: string, use: Use, { status, code }: Met): boolean {
  if (use.status !== undefined) return status === use.status;
  return String(status) in responses && status < 400 ? true : (MEETS[name] ?? []).includes(code);
}

// What the business's constants were changed to holds for the tests beside, too.
afterEach(async () => {
  await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  clearRuntimeConfigCache(env);
});

describe('The table of who may call what', () => {
  test('has a line for every route of the product, and the product has every route of the table', () => {
    expect([...LEVELS.keys()].toSorted()).toEqual(byName.map(([name]) => name).toSorted());
  });

  test('is told to whoever reads the published document', () => {
    const told = byName.map(
      ([
        name,
        {
          security: [asked],
        },
      ]) => [name, asked === undefined ? 'everybody' : asked.session.join(' ') || 'session'],
    );
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(LEVELS));
  });

  test('says of everything that is somebody’s own, or staff’s, how it is used', () => {
    const named = [...LEVELS].filter(([, level]) => level.startsWith('owner') || level === 'staff');
    expect(named.map(([name]) => name).filter((name) => !isUsed(name))).toEqual([]);
  });
});

describe('Every route gives each role what the table says, and the owner what is theirs', () => {
  test.each(byName)('%s', async (name, operation) => {
    const level = LEVELS.get(name) as Level;
    const isEnding = ENDS_SESSIONS.has(name);
    const people = isEnding ? await newWorld() : world;
    const use = await useOf(operation, people);
    const found: Record<string, Met> = {};
    const wanted: Record<string, Met> = {};
    for (const role of ROLES) {
      const answer = await met(await callAs(people.roles[role], operation, use));
      const refusal = refusalOf(level, role, name);
      found[role] = answer;
      wanted[role] = refusal ?? (isServed(operation, name, use, answer) ? answer : { status: 200, code: '' });
    }
    expect(found).toEqual(wanted);
    // It was there all the while, and nobody's call has changed that.
    if (level !== 'staff') {
      const own = await met(await callAs(people.owner, operation, use));
      expect({ own, served: isServed(operation, name, use, own) }).toMatchObject({ served: true });
      if (level.startsWith('owner')) expect(MEETS[name] ?? []).not.toContain(own.code);
    }
    // A look at the head alone opens no more.
    if (operation.method === 'GET' && level !== 'everybody' && !name.endsWith('/live')) {
      for (const role of ['nobody', 'account', 'suspended'] as const) {
        const answer = await callAs(people.roles[role], operation, use, 'HEAD');
        expect({ role, status: answer.status }).toEqual({ role, status: found[role]?.status });
      }
    }
  });
});

describe('Somebody else’s', () => {
  let mine: Visitor;
  let own: Awaited<ReturnType<typeof story>>;
  beforeAll(async () => {
    mine = await createAccount();
    own = await story(mine, world.character);
  });

  test.each(byName.filter(([, { path }]) => /\{[mt]id\}/.test(path)))(
    'message or deletion is not in a conversation of mine: %s',
    async (_, operation) => {
      const use = await useOf(operation, world);
      const ids = { ...use.ids, id: own.id };
      expect(await met(await callAs(mine, operation, { ...use, ids }))).toEqual(NOT_THERE);
    },
  );

  test('private character is not there for me by any route that takes a character', async () => {
    const id = await addCharacter({ creatorId: world.owner.id, visibility: 'private' });
    const fresh = await createAccount();
    const refused: Record<string, Met> = {};
    const asked: [string, string, object][] = [
      ['GET', `/characters/${id}`, {}],
      ['GET', `/characters/${id}/card?format=json`, {}],
      ['GET', `/characters/${id}/lorebook`, {}],
      ['POST', `/characters/${id}/reports`, { json: { reason: 'spam' } }],
      ['PUT', `/me/favourites/${id}`, {}],
      ['POST', '/conversations', { json: { character_id: id } }],
      ['GET', `/me/characters/${id}`, {}],
      ['POST', `/competition/entries/${id}`, {}],
    ];
    for (const [method, path, options] of asked)
      refused[`${method} ${path}`] = await met(await fresh.call(`/api${path}`, { method, ...options }));
    expect(refused).toEqual(
      Object.fromEntries(asked.map(([method, path]) => [`${method} ${path}`, NOT_THERE])),
    );
    expect((await world.owner.call(`/api/characters/${id}`)).status).toBe(200);
    for (const list of ['/api/characters?q=Mira&limit=100', `/api/creators/${world.owner.id}?limit=100`])
      expect(JSON.stringify(await fresh.ask(list))).not.toContain(id);
  });

  test('persona, picture, card, version or message, named in what I send, is none of mine', async () => {
    const { owner } = world;
    const persona = await owner.ask<{ id: string }>('/api/personas', {
      json: { name: 'Theirs', description: 'Secret.' },
      status: 201,
    });
    const picture = await uploadTestPicture(owner);
    const { import_id } = await importCard(owner, JSON.stringify({ name: 'Theirs', description: 'Secret.' }));
    const said = await owner.ask<{ messages: { id: string; selected_version_id: string }[] }>(
      `/api/conversations/${world.story.id}`,
    );
    const theirs = said.messages.at(-1);
    const cases: [string, string, object][] = [
      ['POST', '/conversations', { character_id: world.character, persona_id: persona.id }],
      ['PUT', `/conversations/${own.id}/persona`, { persona_id: persona.id }],
      [
        'PUT',
        `/conversations/${own.id}/messages/${own.mid}/version`,
        { version_id: theirs?.selected_version_id },
      ],
      ['PATCH', '/account', { avatar_id: picture }],
      ['POST', '/characters', { ...(await buildForm(mine)), avatar_id: picture }],
      ['POST', '/characters', { ...(await buildForm(mine)), import_id }],
      [
        'POST',
        '/appeals',
        { conversation_id: world.story.id, message_id: world.story.mid, message: 'It was mine.' },
      ],
    ];
    for (const [method, path, json] of cases) {
      const answer = await mine.call(`/api${path}`, { method, json });
      expect({ method, path, status: answer.status }).toSatisfy(
        ({ status }) => status >= 400 && status < 500,
      );
      expect(await answer.text()).not.toMatch(/Theirs|Secret/);
    }
    expect(await startConversation(mine, world.character)).toEqual(expect.any(String));
  });

  test('fields of an account and of a creator are not told to me', async () => {
    const { owner } = world;
    const told = [
      await mine.call(`/api/creators/${owner.id}`),
      await mine.call(`/api/characters/${world.character}`),
      await mine.call('/api/characters?limit=100'),
    ];
    for (const answer of told) {
      const text = await answer.text();
      expect(text).not.toContain(owner.email);
      expect(text).not.toMatch(/"(?:email|session|suspended_at|google|ip|network|plan|role)"/);
    }
  });

  test('rights are not had by naming them: a role, a plan or an owner in what I send is refused', async () => {
    for (const extra of [
      { role: 'admin' },
      { plan: 'legend' },
      { is_anonymous: false },
      { user_id: world.owner.id },
    ]) {
      const answer = await mine.call('/api/account', { method: 'PATCH', json: { language: 'de', ...extra } });
      expect(await met(answer)).toEqual({ status: 400, code: 'invalid_input' });
    }
    expect(
      (await mine.call('/api/admin/stats', { headers: { 'x-user-id': world.operator.id } })).status,
    ).toBe(404);
    expect(
      (await mine.call(`/api/conversations/${world.story.id}`, { headers: { 'x-user-id': world.owner.id } }))
        .status,
    ).toBe(404);
  });
});

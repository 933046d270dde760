import { runInDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { snapshotConversation } from '../../support/conversation-client.ts';
import { buildOperationPath, isMutation, listOperations } from '../../support/openapi-operations.ts';
import { joinDeltas } from '../../support/event-reader.ts';
import {
  startTurn,
  addCharacter,
  startConversation,
  getConversationStub,
  expectBalancedLedger,
  signInGuest,
  listMessages,
  createTurnId,
  getPoints,
  sendMessage,
  createAccount,
  Visitor,
  startListedConversation,
} from '../../support/factories.ts';
import { createScene } from '../../support/scripted-model.ts';

/** A valid request body for each route. */
const BODIES: Record<string, () => object> = {
  'POST /conversations/{id}/messages': () => ({ content: 'I am not you', client_message_id: createTurnId() }),
  'POST /conversations/{id}/messages/{mid}/regenerate': () => ({ client_message_id: createTurnId() }),
  'POST /conversations/{id}/messages/{mid}/continue': () => ({ client_message_id: createTurnId() }),
  'POST /conversations/{id}/messages/{mid}/fork': () => ({ client_conversation_id: createTurnId() }),
  'POST /conversations/{id}/reply': () => ({ client_message_id: createTurnId() }),
  'PATCH /conversations/{id}/messages/{mid}': () => ({ content: 'You never said this' }),
  'PUT /conversations/{id}/messages/{mid}/version': () => ({ version_id: 'unknown' }),
  'PUT /conversations/{id}/messages/{mid}/rating': () => ({ version_id: 'unknown', rating: 'down' }),
  'POST /conversations/{id}/messages/{mid}/reports': () => ({ reason: 'spam' }),
  'POST /conversations/{id}/suggestions': () => ({ client_message_id: createTurnId() }),
  'POST /conversations/{id}/impersonate': () => ({ client_message_id: createTurnId() }),
  'POST /conversations/{id}/greeting': () => ({ index: 0 }),
  'PUT /conversations/{id}/character-version': () => ({ version: 1 }),
  'PUT /conversations/{id}/memory': () => ({ summary: 'You remember wrongly.' }),
  'PATCH /conversations/{id}/reply-settings': () => ({ author_note: 'Mine now' }),
  'PUT /conversations/{id}/persona': () => ({ persona_id: null }),
  'PATCH /conversations/{id}': () => ({ title: 'Mine now' }),
};

/** Headers that a route requires. */
const HEADERS: Record<string, Record<string, string>> = {
  'GET /conversations/{id}/live': { upgrade: 'websocket' },
};

/** Routes that refuse guests before they look up the conversation. */
const FOR_ACCOUNTS = new Set(['POST /conversations/{id}/messages/{mid}/reports']);

/** The refusal that a route gives for another user’s conversation: the same as for an unknown one. */
function getExpectedRefusal(
  route: string,
  visitor: Visitor,
): { status: number; body: { error: string; code: string } } {
  return visitor.email === '' && FOR_ACCOUNTS.has(route)
    ? {
        status: 403,
        body: { error: 'You must be logged in to perform this action', code: 'account_required' },
      }
    : { status: 404, body: { error: 'The requested resource was not found.', code: 'not_found' } };
}

async function callAll(
  visitor: Visitor,
  ids: { id: string; mid: string; tid?: string },
  { except = [] as string[] } = {},
): Promise<{ route: string; response: Response }[]> {
  const answers: { route: string; response: Response }[] = [];
  for (const operation of await listOperations()) {
    if (!operation.path.startsWith('/conversations/{id}')) continue;
    const route = `${operation.method} ${operation.path}`;
    if (except.includes(route)) continue;
    if (operation.body !== null && BODIES[route] === undefined)
      throw new Error(`no body is known for ${route}`);
    answers.push({
      route,
      response: await visitor.call(buildOperationPath(operation, ids), {
        method: operation.method,
        ...(HEADERS[route] === undefined ? {} : { headers: HEADERS[route] }),
        ...(operation.body === null ? {} : { json: BODIES[route]?.() }),
      }),
    });
  }
  return answers;
}

describe('Conversation privacy', () => {
  test('no route lets another user read or change a conversation', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'Between us.');
    const mid = (await listMessages(me, id)).at(-1)?.id as string;
    await sendMessage(me, id, 'And this I took back.');
    const trashedId = (await listMessages(me, id)).at(-1)?.id as string;
    const { id: tid } = await me.ask<{ id: string }>(`/api/conversations/${id}/messages/${trashedId}`, {
      method: 'DELETE',
    });
    const before = await snapshotConversation(me, id);
    const strangers = [await signInGuest(), await createAccount()];
    for (const stranger of strangers) {
      const answers = await callAll(stranger, { id, mid, tid });
      expect(answers.length).toBeGreaterThanOrEqual(24);
      for (const { route, response } of answers) {
        expect({ route, status: response.status, body: await response.json() }).toEqual({
          route,
          ...getExpectedRefusal(route, stranger),
        });
      }
      expect(await getPoints(stranger)).toMatchObject({ current_points: 50 });
    }
    for (const { route, response } of await callAll(new Visitor(), { id, mid, tid })) {
      expect({ route, status: response.status }).toEqual({ route, status: 401 });
    }
    expect(await snapshotConversation(me, id)).toEqual(before);
  });

  test('no route lets another user read or stop a reply while it is written', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const slow = createScene('gate n=2');
    const reader = await startTurn(me, id, slow.marker);
    await slow.reached();
    const stranger = await signInGuest();
    for (const { route, response } of await callAll(stranger, { id, mid: 'unknown' })) {
      expect({ route, status: response.status }).toEqual({
        route,
        status: getExpectedRefusal(route, stranger).status,
      });
    }
    await slow.open();
    expect(joinDeltas(await reader.readRest())).toBe('w0 w1 w2 w3');
  });

  test('another user’s conversation is answered exactly like an unknown one', async () => {
    const me = await signInGuest();
    const stranger = await signInGuest();
    const id = await startConversation(me);
    const unknown = '0'.repeat(26);
    const answers = await Promise.all(
      [id, unknown].map((some) => stranger.call(`/api/conversations/${some}`)),
    );
    const [one, other] = await Promise.all(answers.map((answer) => answer.text()));
    expect(one).toBe(other);
  });

  test('a conversation is listed for its owner only', async () => {
    const me = await signInGuest();
    const other = await signInGuest();
    const characterId = await addCharacter();
    const id = await startListedConversation(me, characterId);
    expect(await me.ask('/api/chats')).toMatchObject({ chats: [{ id }] });
    expect(await other.ask('/api/chats')).toEqual({ chats: [] });
    const listPath = `/api/characters/${characterId}/conversations`;
    expect(await me.ask(listPath)).toMatchObject({ items: [{ id }] });
    expect(await other.ask(listPath)).toEqual({ items: [], next_cursor: null });
  });

  test('a deleted conversation is unavailable to its owner by every route until it is restored', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id);
    const mid = (await listMessages(me, id)).at(-1)?.id as string;
    const before = await listMessages(me, id);
    expect((await me.call(`/api/conversations/${id}`, { method: 'DELETE' })).status).toBe(204);
    const except = ['DELETE /conversations/{id}', 'POST /conversations/{id}/restore'];
    for (const { route, response } of await callAll(me, { id, mid }, { except })) {
      expect({ route, status: response.status }).toEqual({
        route,
        status: getExpectedRefusal(route, me).status,
      });
    }
    expect(await me.ask('/api/chats')).toEqual({ chats: [] });
    expect(await me.ask('/api/conversations/trash')).toMatchObject({ items: [{ id }] });
    for (const stranger of [await signInGuest(), await createAccount()]) {
      for (const { route, response } of await callAll(stranger, { id, mid })) {
        expect({ route, status: response.status }).toEqual({
          route,
          status: getExpectedRefusal(route, stranger).status,
        });
      }
      expect(await stranger.ask('/api/conversations/trash')).toEqual({ items: [], next_cursor: null });
    }
    await me.ask(`/api/conversations/${id}/restore`, { method: 'POST' });
    expect(await listMessages(me, id)).toEqual(before);
    expect(await me.ask('/api/chats')).toMatchObject({ chats: [{ id }] });
    await expectBalancedLedger(me);
  });

  test('an erased conversation is gone for its owner by every route and cannot be restored', async () => {
    for (const first of ['', '?forever=true']) {
      const me = await signInGuest();
      const id = await startConversation(me);
      await sendMessage(me, id);
      const mid = (await listMessages(me, id)).at(-1)?.id as string;
      for (const query of [first, '?forever=true']) {
        const { status } = await me.call(`/api/conversations/${id}${query}`, { method: 'DELETE' });
        expect([204, 404]).toContain(status);
      }
      for (const { route, response } of await callAll(me, { id, mid })) {
        expect({ route, status: response.status }).toEqual({
          route,
          status: getExpectedRefusal(route, me).status,
        });
      }
      expect(await me.ask('/api/chats')).toEqual({ chats: [] });
      expect(await me.ask('/api/conversations/trash')).toEqual({ items: [], next_cursor: null });
      await runInDurableObject(getConversationStub(id), (_, { storage }) => {
        expect(
          storage.sql.exec("select name from sqlite_master where name not like '_cf%'").toArray(),
        ).toEqual([]);
      });
      await expectBalancedLedger(me);
    }
  });

  test('a conversation keeps the title that its owner gave it', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await me.ask(`/api/conversations/${id}`, { method: 'PATCH', json: { title: '  The lighthouse ' } });
    expect(await me.ask(`/api/conversations/${id}`)).toMatchObject({
      conversation: { title: 'The lighthouse' },
    });
  });
});

test('every mutating conversation route is covered by the privacy tests', async () => {
  const known = (await listOperations())
    .filter(isMutation)
    .filter(({ path }) => path.startsWith('/conversations/{id}'));
  expect(known.map(({ method, path }) => `${method} ${path}`)).toEqual(
    expect.arrayContaining([
      'POST /conversations/{id}/messages',
      'POST /conversations/{id}/messages/{mid}/regenerate',
      'POST /conversations/{id}/messages/{mid}/continue',
      'POST /conversations/{id}/reply',
      'PATCH /conversations/{id}/messages/{mid}',
      'DELETE /conversations/{id}/messages/{mid}',
      'PUT /conversations/{id}/messages/{mid}/version',
      'PUT /conversations/{id}/messages/{mid}/rating',
      'PUT /conversations/{id}/messages/{mid}/pin',
      'POST /conversations/{id}/messages/{mid}/fork',
      'POST /conversations/{id}/messages/{mid}/reports',
      'POST /conversations/{id}/trash/{tid}/restore',
      'POST /conversations/{id}/suggestions',
      'POST /conversations/{id}/impersonate',
      'POST /conversations/{id}/stop',
      'POST /conversations/{id}/restore',
      'PUT /conversations/{id}/memory',
      'PUT /conversations/{id}/persona',
      'PUT /conversations/{id}/own-name',
      'PATCH /conversations/{id}/reply-settings',
      'PATCH /conversations/{id}',
      'DELETE /conversations/{id}',
    ]),
  );
});

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { createId } from '../../../../../src/lib/ids.ts';
import { ConversationObject } from '../../../../../src/features/conversation/conversation-object.ts';
import type { AccessRefusal } from '../../../../../src/features/conversation/access/access.ts';
import type { SendRequest, TurnResult } from '../../../../../src/features/conversation/turn/turn-port.ts';
import { EventReader, summarizeKinds } from '../../../../support/event-reader.ts';
import {
  createTurnId,
  expectBalancedLedger,
  getConversationStub,
  getWalletStub,
  getPoints,
  listMessages,
  postMessage,
  sendMessage,
  signInGuest,
  startConversation,
  listLedger,
  type Visitor,
} from '../../../../support/factories.ts';
import { createScene } from '../../../../support/scripted-model.ts';
import { buildTurnRequest, holdFirstAccess } from '../../../../support/turn-requests.ts';

/** A conversation in which this session has sent a message before. */
async function startKnownConversation(): Promise<{ me: Visitor; id: string }> {
  const me = await signInGuest();
  const id = await startConversation(me);
  await sendMessage(me, id, 'Hello');
  // Another instance of the object would first repeat calls that the wallet has confirmed.
  await vi.waitFor(() =>
    runInDurableObject(getConversationStub(id), (_, { storage }) =>
      expect(storage.sql.exec('select settlements from meta').one()).toEqual({ settlements: '[]' }),
    ),
  );
  return { me, id };
}

/** Sends a message, and acts while D1 has not said yet whether the session may. */
async function sendAndMeanwhile<T>(
  id: string,
  request: SendRequest,
  act: (object: ConversationObject, release: () => void) => Promise<T>,
): Promise<{ sent: unknown; acted: T }> {
  return runInDurableObject(getConversationStub(id), async (_, ctx) => {
    const { DB, release } = holdFirstAccess();
    const object = new ConversationObject(ctx, { ...env, DB } as unknown as Env);
    const countTurns = () => ctx.storage.sql.exec('select count(*) as turns from turns').one()['turns'];
    const before = countTurns();
    const sending = object.send(request);
    await vi.waitFor(() => expect(countTurns()).toBe(Number(before) + 1));
    const acted = await act(object, release);
    release();
    return { sent: await readKinds(await sending), acted };
  });
}

/** The kinds of a turn's events, or why it was refused. */
async function readKinds(result: TurnResult | AccessRefusal): Promise<unknown> {
  if (!result.ok) return result;
  const headers = { 'content-type': 'text/event-stream' };
  const reader = await EventReader.fromResponse(new Response(result.events, { headers }));
  return summarizeKinds(await reader.readRest());
}

const COMPLETE = ['accepted', 'delta', 'done'];

/** Repeats the request that is being admitted, and lets D1 answer the first one once the repeated one has joined it. */
async function joinAndRelease(
  object: ConversationObject,
  request: SendRequest,
  release: () => void,
): Promise<unknown> {
  const joining = object.send(request);
  // D1 answers in order: the second request has been verified then.
  await env.DB.prepare('select 1').run();
  release();
  return readKinds(await joining);
}

const makeMember = (visitor: Visitor) =>
  env.DB.prepare('update users set plan = ?, plan_until = ? where id = ?')
    .bind('legend', Date.now() + 86_400_000, visitor.id)
    .run();

const readProblem = async (response: Response) => [
  response.status,
  (await response.json<{ code: string }>()).code,
];

describe('Access to a conversation', () => {
  test('D1 and the wallet are asked at once, before anything of the turn is written', async () => {
    const { me, id } = await startKnownConversation();
    const request = { ...(await buildTurnRequest(me, id)), content: createScene('tokens n=2').marker };
    const written = await runInDurableObject(getConversationStub(id), async (_, ctx) => {
      const counts: unknown[] = [];
      // Each of the two answers only once the other was asked, so two waits in a row would never end.
      const database = Promise.withResolvers<void>();
      const wallet = Promise.withResolvers<void>();
      const ask = (asked: PromiseWithResolvers<void>) => {
        counts.push(ctx.storage.sql.exec('select count(*) as messages from messages').one());
        asked.resolve();
      };
      const holdStatement = (statement: D1PreparedStatement): D1PreparedStatement =>
        new Proxy(statement, {
          get: (target, name: keyof D1PreparedStatement) => {
            if (name === 'bind') return (...values: unknown[]) => holdStatement(target.bind(...values));
            if (name !== 'raw') return target[name].bind(target);
            return async (...call: []) => {
              ask(database);
              const [rows] = await Promise.all([target.raw(...call), wallet.promise]);
              return rows;
            };
          },
        });
      const DB = new Proxy(env.DB, {
        get: (db, name: keyof D1Database) =>
          name === 'prepare'
            ? (sql: string) =>
                sql.includes('from "sessions"') ? holdStatement(db.prepare(sql)) : db.prepare(sql)
            : db[name].bind(db),
      });
      const WALLETS = new Proxy(env.WALLETS, {
        get: (wallets, name: keyof typeof env.WALLETS) => {
          if (name !== 'get') return wallets[name].bind(wallets);
          return (key: DurableObjectId) => {
            const stub = wallets.get(key);
            return {
              settle: (...call: Parameters<typeof stub.settle>) => stub.settle(...call),
              reserve: async (...call: Parameters<typeof stub.reserve>) => {
                ask(wallet);
                const [reserved] = await Promise.all([stub.reserve(...call), database.promise]);
                return reserved;
              },
            };
          };
        },
      });
      const object = new ConversationObject(ctx, { ...env, DB, WALLETS } as unknown as Env);
      const sent = await object.send(request);
      expect(sent.ok).toBe(true);
      if (sent.ok) await new Response(sent.events).text();
      return counts;
    });
    // The greeting, the first message and its reply.
    expect(written).toEqual([{ messages: 3 }, { messages: 3 }]);
    await expectBalancedLedger(me);
  });

  test('the persona is looked up before anything of the turn is written', async () => {
    const { me, id } = await startKnownConversation();
    const persona = await me.ask<{ id: string }>('/api/personas', {
      json: { name: 'Wren', description: 'Maps coasts.' },
      status: 201,
    });
    await me.ask(`/api/conversations/${id}/persona`, { method: 'PUT', json: { persona_id: persona.id } });
    const request = { ...(await buildTurnRequest(me, id)), content: createScene('tokens n=2').marker };
    const written = await runInDurableObject(getConversationStub(id), async (_, ctx) => {
      const counts: unknown[] = [];
      const watch = (statement: D1PreparedStatement): D1PreparedStatement =>
        new Proxy(statement, {
          get: (target, name: keyof D1PreparedStatement) => {
            if (name === 'bind') return (...values: unknown[]) => watch(target.bind(...values));
            if (name === 'raw')
              counts.push(ctx.storage.sql.exec('select count(*) as messages from messages').one());
            return target[name].bind(target);
          },
        });
      const DB = new Proxy(env.DB, {
        get: (db, name: keyof D1Database) =>
          name === 'prepare'
            ? (sql: string) => (sql.includes('from "personas"') ? watch(db.prepare(sql)) : db.prepare(sql))
            : db[name].bind(db),
      });
      const object = new ConversationObject(ctx, { ...env, DB } as unknown as Env);
      expect(await readKinds(await object.send(request))).toEqual(COMPLETE);
      return counts;
    });
    // The greeting, the first message and its reply.
    expect(written).toEqual([{ messages: 3 }]);
  });

  test('a logged-out session sends nothing, although its access was assumed', async () => {
    const { me, id } = await startKnownConversation();
    const { cookie } = me;
    const request = { ...(await buildTurnRequest(me, id)), content: 'Hello again' };
    await me.call('/api/logout', { method: 'POST' });
    expect(await getConversationStub(id).send(request)).toEqual({ ok: false, code: 'unauthenticated' });
    me.cookie = cookie;
    expect(await readProblem(await postMessage(me, id, 'Hello again'))).toEqual([401, 'unauthenticated']);
    const count = await runInDurableObject(getConversationStub(id), (_, { storage }) =>
      storage.sql.exec('select count(*) as messages from messages').one(),
    );
    expect(count).toEqual({ messages: 3 });
  });

  test('a session that logs out everywhere at once sends nothing from any of 100 conversations @all', async () => {
    const me = await signInGuest();
    const ids: string[] = [];
    for (let index = 0; index < 100; index += 1) ids.push(await startConversation(me));
    await env.DB.prepare('update users set plan = ?, plan_until = ? where id = ?')
      .bind('legend', Date.now() + 86_400_000, me.id)
      .run();
    for (const id of ids) await sendMessage(me, id, 'Hello');
    const { cookie } = me;
    await me.call('/api/logout', { method: 'POST' });
    me.cookie = cookie;
    const answers = await Promise.all(ids.map((id) => postMessage(me, id, 'Hello again')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    for (const id of ids) {
      const count = await runInDurableObject(getConversationStub(id), (_, { storage }) =>
        storage.sql.exec('select count(*) as messages from messages').one(),
      );
      expect(count).toEqual({ messages: 3 });
    }
  });

  test('a suspended account sends nothing, and its points stay', async () => {
    const { me, id } = await startKnownConversation();
    await env.DB.prepare('update users set suspended_at = ? where id = ?').bind(Date.now(), me.id).run();
    expect(await readProblem(await postMessage(me, id, 'Hello again'))).toEqual([403, 'account_suspended']);
    await env.DB.prepare('update users set suspended_at = null where id = ?').bind(me.id).run();
    expect(await listMessages(me, id)).toHaveLength(3);
    expect(await getPoints(me)).toMatchObject({ current_points: 49, daily_messages_used: 1 });
    await expectBalancedLedger(me);
  });

  test('a character that was hidden since the last message gets no new one, and the points stay', async () => {
    const { me, id } = await startKnownConversation();
    const setModeration = (moderation: string) =>
      env.DB.prepare(
        'update characters set moderation = ? where id = (select character_id from conversations where id = ?)',
      )
        .bind(moderation, id)
        .run();
    await setModeration('hidden');
    expect((await readProblem(await postMessage(me, id, 'Hello again')))[1]).toBe('character_hidden');
    expect(await listMessages(me, id)).toHaveLength(3);
    expect(await getPoints(me)).toMatchObject({ current_points: 49, daily_messages_used: 1 });
    await setModeration('shown');
    await sendMessage(me, id, 'Hello again');
    expect(await listMessages(me, id)).toHaveLength(5);
    await expectBalancedLedger(me);
  });

  test('a membership that began since the last message covers the next one', async () => {
    const { me, id } = await startKnownConversation();
    await makeMember(me);
    await sendMessage(me, id, 'Hello again');
    expect(await listMessages(me, id)).toHaveLength(5);
    expect(await getPoints(me)).toMatchObject({ current_points: 49, unlimited: true });
    await expectBalancedLedger(me);
  });

  test('a stranger finds no conversation to send to', async () => {
    const { id } = await startKnownConversation();
    const stranger = await signInGuest();
    expect(await readProblem(await postMessage(stranger, id, 'Hello'))).toEqual([404, 'not_found']);
  });

  test('a logged-out session cannot rejoin a reply in progress', async () => {
    const { me, id } = await startKnownConversation();
    const gate = createScene('gate n=2');
    const turnId = createTurnId();
    const sent = await postMessage(me, id, gate.marker, { turnId });
    expect(sent.status).toBe(200);
    const { cookie } = me;
    await me.call('/api/logout', { method: 'POST' });
    me.cookie = cookie;
    expect(await readProblem(await postMessage(me, id, gate.marker, { turnId }))).toEqual([
      401,
      'unauthenticated',
    ]);
    await gate.open();
    await (await EventReader.fromResponse(sent)).readRest();
  });

  test('a retry that joined a turn whose access had changed gets the reply', async () => {
    const { me, id } = await startKnownConversation();
    const request = { ...(await buildTurnRequest(me, id)), content: createScene('tokens n=2').marker };
    await makeMember(me);
    const { sent, acted } = await sendAndMeanwhile(id, request, (object, release) =>
      joinAndRelease(object, request, release),
    );
    expect([sent, acted]).toEqual([COMPLETE, COMPLETE]);
    expect(await listMessages(me, id)).toHaveLength(5);
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(me);
  });

  test('a session that joined the turn of a logged-out one is not refused with it', async () => {
    const { me, id } = await startKnownConversation();
    const request = { ...(await buildTurnRequest(me, id)), content: createScene('tokens n=2').marker };
    const sessionId = 'f'.repeat(64);
    await env.DB.prepare(
      `insert into sessions (id, user_id, expires_at, public_id, created_at, last_seen_at, user_agent)
       select ?, user_id, expires_at, ?, created_at, last_seen_at, user_agent from sessions where id = ?`,
    )
      .bind(sessionId, createId(Date.now()), request.sessionId)
      .run();
    await me.call('/api/logout', { method: 'POST' });
    const { sent, acted } = await sendAndMeanwhile(id, request, (object, release) =>
      joinAndRelease(object, { ...request, sessionId }, release),
    );
    expect([sent, acted]).toEqual([{ ok: false, code: 'unauthenticated' }, COMPLETE]);
  });

  test('a turn whose access has changed costs the last point only once, also during a sync', async () => {
    const { me, id } = await startKnownConversation();
    await runInDurableObject(getWalletStub(me.id), (_, { storage }) => {
      storage.sql.exec('update balance set current = 1');
    });
    await env.DB.prepare('update users set language = ? where id = ?').bind('de', me.id).run();
    const request = { ...(await buildTurnRequest(me, id)), content: createScene('tokens n=2').marker };
    const { sent } = await sendAndMeanwhile(id, request, async (object, release) => {
      // Its sync has no settlement to send yet, and still runs when the turn is refused.
      const renaming = object.rename(me.id, 'A title', null);
      release();
      await renaming;
    });
    expect(sent).toEqual(COMPLETE);
    expect(await getPoints(me)).toMatchObject({ current_points: 0 });
  });

  test('a refused turn leaves nothing in the ledger and the search', async () => {
    const { me, id } = await startKnownConversation();
    await env.DB.prepare(
      'update characters set moderation = ? where id = (select character_id from conversations where id = ?)',
    )
      .bind('hidden', id)
      .run();
    const request = { ...(await buildTurnRequest(me, id)), content: 'A xylophone' };
    const { sent } = await sendAndMeanwhile(id, request, (object) => object.rename(me.id, 'A title', null));
    expect(sent).toEqual({ ok: false, code: 'character_hidden' });
    await me.ask(`/api/conversations/${id}`, { method: 'PATCH', json: { title: 'Another title' } });
    const found = await runInDurableObject(
      env.SEARCHES.get(env.SEARCHES.idFromName(me.id)),
      (_, { storage }) => storage.sql.exec("select 1 from words where words match 'xylophone'").toArray(),
    );
    expect(found).toEqual([]);
    const messageIds = (await listMessages(me, id)).map((message) => message.id);
    const named = (await listLedger(me)).flatMap(({ message_id }) => message_id ?? []);
    expect(named).toEqual([messageIds.at(-1)]);
  });

  test('a user who sends a message was seen', async () => {
    const { me, id } = await startKnownConversation();
    const before = Date.now() - 29 * 86_400_000;
    const readLastSeen = () =>
      env.DB.prepare(
        'select users.last_seen_at as account, sessions.last_seen_at as session from users join sessions on user_id = users.id where users.id = ?',
      )
        .bind(me.id)
        .first<Record<'account' | 'session', number>>();
    await env.DB.batch([
      env.DB.prepare('update users set last_seen_at = ? where id = ?').bind(before, me.id),
      env.DB.prepare('update sessions set last_seen_at = ? where user_id = ?').bind(before, me.id),
    ]);
    await sendMessage(me, id, 'Hello again');
    await vi.waitFor(async () => {
      const seen = await readLastSeen();
      expect(seen?.account).toBeGreaterThan(before);
      expect(seen?.session).toBeGreaterThan(before);
    });
  });
});

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { api } from '../../../src/api/app.ts';
import { createId } from '../../../src/lib/ids.ts';
import {
  startConversation,
  getConversationStub,
  signInGuest,
  ORIGIN,
  setPoints,
} from '../../support/factories.ts';

/** Returns a database that answers session queries only after a conversation query, and its query log. */
function createWaitingDatabase() {
  const queries: string[] = [];
  const conversationQueried = Promise.withResolvers<void>();
  const delayStatement = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, key) {
        const value = Reflect.get(target, key) as unknown;
        if (typeof value !== 'function') return value;
        if (key === 'bind')
          return (...values: unknown[]) => delayStatement(value.apply(target, values) as D1PreparedStatement);
        return async (...values: unknown[]) => {
          await conversationQueried.promise;
          return value.apply(target, values) as unknown;
        };
      },
    });
  const DB = new Proxy(env.DB, {
    get(target, key) {
      const value = Reflect.get(target, key) as unknown;
      if (key !== 'prepare') return typeof value === 'function' ? value.bind(target) : value;
      return (sql: string) => {
        queries.push(sql);
        if (/from "conversations"/.test(sql)) conversationQueried.resolve();
        const statement = target.prepare(sql);
        return /from "sessions"/.test(sql) ? delayStatement(statement) : statement;
      };
    },
  });
  return { DB, asked: queries };
}

async function send(DB: D1Database, id: string, cookie: string | null): Promise<Response> {
  const background: Promise<unknown>[] = [];
  const answer = await api.fetch(
    new Request(`${ORIGIN}/api/conversations/${id}/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(cookie === null ? {} : { cookie }) },
      body: JSON.stringify({
        client_message_id: createId(Date.now()),
        content: 'Hello [[scenario:tokens n=2 ms=0]]',
      }),
    }),
    { ...env, DB },
    {
      waitUntil: (promise: Promise<unknown>) => background.push(promise),
      passThroughOnException: () => undefined,
    } as unknown as ExecutionContext,
  );
  await answer.clone().text();
  await Promise.all(background);
  return answer;
}

test('the session and the conversation are looked up in parallel when a message is sent', async () => {
  const me = await signInGuest();
  const id = await startConversation(me);
  const { DB } = createWaitingDatabase();
  const answer = await send(DB, id, me.cookie);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('event: done');
});

test('a message without a session causes no database query', async () => {
  const me = await signInGuest();
  const id = await startConversation(me);
  const { DB, asked } = createWaitingDatabase();
  expect((await send(DB, id, null)).status).toBe(401);
  expect(asked).toEqual([]);
});

test("another user's conversation is not found when a message is sent to it", async () => {
  const id = await startConversation(await signInGuest());
  const { DB } = createWaitingDatabase();
  expect((await send(DB, id, (await signInGuest()).cookie)).status).toBe(404);
});

test('the model context is stored for an accepted message and not for a refused one', async () => {
  const me = await signInGuest();
  const id = await startConversation(me);
  const listContexts = () =>
    runInDurableObject(getConversationStub(id), (_, { storage }) =>
      storage.sql.exec('select version_id from contexts').toArray(),
    );
  await setPoints(me, 0);
  expect((await send(env.DB, id, me.cookie)).status).toBe(402);
  expect(await listContexts()).toEqual([]);
  await setPoints(me, 5);
  expect(await (await send(env.DB, id, me.cookie)).text()).toContain('event: done');
  expect(await listContexts()).toHaveLength(1);
});

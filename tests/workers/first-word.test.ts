import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { api } from '../../src/api/app.ts';
import { createId } from '../../src/lib/ids.ts';
import {
  startConversation,
  getConversationStub,
  signInGuest,
  ORIGIN,
  setPoints,
} from '../support/factories.ts';

/** A database whose sessions answer only once something was asked of conversations; and all that it was asked. */
function patientDatabase() {
  const asked: string[] = [];
  const story = Promise.withResolvers<void>();
  const held = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, key) {
        const value = Reflect.get(target, key) as unknown;
        if (typeof value !== 'function') return value;
        if (key === 'bind')
          return (...values: unknown[]) => held(value.apply(target, values) as D1PreparedStatement);
        return async (...values: unknown[]) => {
          await story.promise;
          return value.apply(target, values) as unknown;
        };
      },
    });
  const DB = new Proxy(env.DB, {
    get(target, key) {
      const value = Reflect.get(target, key) as unknown;
      if (key !== 'prepare') return typeof value === 'function' ? value.bind(target) : value;
      return (sql: string) => {
        asked.push(sql);
        if (/from "conversations"/.test(sql)) story.resolve();
        const statement = target.prepare(sql);
        return /from "sessions"/.test(sql) ? held(statement) : statement;
      };
    },
  });
  return { DB, asked };
}

async function send(DB: D1Database, id: string, cookie: string | null): Promise<Response> {
  const waiting: Promise<unknown>[] = [];
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
      waitUntil: (promise: Promise<unknown>) => waiting.push(promise),
      passThroughOnException: () => undefined,
    } as unknown as ExecutionContext,
  );
  await answer.clone().text();
  await Promise.all(waiting);
  return answer;
}

test('who asks and what is asked for are looked up together: a message waits for the database once', async () => {
  const me = await signInGuest();
  const id = await startConversation(me);
  const { DB } = patientDatabase();
  const answer = await send(DB, id, me.cookie);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('event: done');
});

test('whoever brings no session has nothing looked up', async () => {
  const me = await signInGuest();
  const id = await startConversation(me);
  const { DB, asked } = patientDatabase();
  expect((await send(DB, id, null)).status).toBe(401);
  expect(asked).toEqual([]);
});

test('somebody else’s conversation is not there for them, though it was looked up', async () => {
  const id = await startConversation(await signInGuest());
  const { DB } = patientDatabase();
  expect((await send(DB, id, (await signInGuest()).cookie)).status).toBe(404);
});

test('what a model would have been told is kept once it was told, and not of a message that is refused', async () => {
  const me = await signInGuest();
  const id = await startConversation(me);
  const kept = () =>
    runInDurableObject(getConversationStub(id), (_, { storage }) =>
      storage.sql.exec('select version_id from contexts').toArray(),
    );
  await setPoints(me, 0);
  expect((await send(env.DB, id, me.cookie)).status).toBe(402);
  expect(await kept()).toEqual([]);
  await setPoints(me, 5);
  expect(await (await send(env.DB, id, me.cookie)).text()).toContain('event: done');
  expect(await kept()).toHaveLength(1);
});

import { abortAllDurableObjects, applyD1Migrations, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { migrateObject } from '../../../../src/db/object-migrations.ts';
import { CONVERSATION_MIGRATIONS } from '../../../../src/features/conversation/conversation-migrations.ts';
import { ConversationClient } from '../../../support/conversation-client.ts';
import { summarizeKinds } from '../../../support/event-reader.ts';
import { startConversation, getConversationStub, signInGuest } from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';

/** No released version has a second migration yet, so these are examples. */
const SECOND = [
  ...CONVERSATION_MIGRATIONS,
  "alter table messages add column mood text; update messages set mood = 'calm' where role = 'user';",
];

const rows = (sql: SqlStorage, query: string) => sql.exec(query).toArray();

async function createConversation(): Promise<ConversationClient> {
  const me = await signInGuest();
  const chat = new ConversationClient(me, await startConversation(me));
  const scene = createScene('tokens n=3');
  await chat.send(`Who lit the lamp? ${scene.marker}`);
  return chat;
}

describe('Second object migration', () => {
  test('a second object migration keeps every row, is applied once and works with the previous version', async () => {
    const chat = await createConversation();
    const before = await chat.messages();
    await runInDurableObject(getConversationStub(chat.id), (_, { storage }) => {
      const versions = rows(storage.sql, 'select * from versions order by id');
      migrateObject(storage, SECOND);
      migrateObject(storage, SECOND);
      expect(rows(storage.sql, 'select * from versions order by id')).toEqual(versions);
      expect(rows(storage.sql, "select role from messages where mood = 'calm'")).toEqual([{ role: 'user' }]);
      expect(rows(storage.sql, 'select step from object_migrations order by step')).toEqual([
        { step: 1 },
        { step: 2 },
      ]);
    });
    // The object restarts with the current code, as after a rollback.
    await abortAllDurableObjects();
    expect(await chat.messages()).toEqual(before);
    const scene = createScene('tokens n=3');
    expect(summarizeKinds(await chat.send(`And now? ${scene.marker}`))).toEqual([
      'accepted',
      'delta',
      'done',
    ]);
    await runInDurableObject(getConversationStub(chat.id), (_, { storage }) => {
      expect(rows(storage.sql, 'select max(step) as step from object_migrations')).toEqual([{ step: 2 }]);
    });
  });

  test('a failing object migration leaves the object unchanged', async () => {
    const chat = await createConversation();
    await runInDurableObject(getConversationStub(chat.id), (_, { storage }) => {
      const schema = () => rows(storage.sql, 'select name, sql from sqlite_master order by name');
      const before = schema();
      const failing = 'alter table messages add column mood text; update messages set mood = nothing_such;';
      expect(() => migrateObject(storage, [...CONVERSATION_MIGRATIONS, failing])).toThrow(/nothing_such/);
      expect(schema()).toEqual(before);
      expect(rows(storage.sql, 'select step from object_migrations')).toEqual([{ step: 1 }]);
    });
  });
});

test('a second database migration keeps every row and is applied once', async () => {
  await signInGuest();
  const users = () => env.DB.prepare('select * from users order by id').all();
  const { results: before } = await users();
  expect(before).not.toEqual([]);
  const second = [
    ...env.TEST_MIGRATIONS,
    {
      name: '0001_made_up.sql',
      queries: ['create table lamps (id text primary key)', "insert into lamps values ('one')"],
    },
  ];
  try {
    await applyD1Migrations(env.DB, second);
    await applyD1Migrations(env.DB, second);
    expect((await users()).results).toEqual(before);
    expect((await env.DB.prepare('select id from lamps').all()).results).toEqual([{ id: 'one' }]);
  } finally {
    await env.DB.exec(
      "drop table if exists lamps; delete from d1_migrations where name = '0001_made_up.sql';",
    );
  }
});

import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { CONVERSATION_MIGRATIONS } from '../../../../src/features/conversation/conversation-migrations.ts';
import { ConversationStore } from '../../../../src/features/conversation/conversation-store.ts';
import { createSqlStorage } from '../../../support/sql-storage.ts';

function createStore() {
  const database = new DatabaseSync(':memory:');
  for (const migration of CONVERSATION_MIGRATIONS) database.exec(migration);
  const statements: string[] = [];
  const { exec } = createSqlStorage(database);
  const sql = {
    exec: (...args: Parameters<typeof exec>) => {
      statements.push(args[0]);
      return exec(...args);
    },
  } as SqlStorage;
  const store = new ConversationStore(sql, (write) => {
    database.exec('begin');
    try {
      const result = write();
      database.exec('commit');
      return result;
    } catch (error) {
      database.exec('rollback');
      throw error;
    }
  });
  const stored = () => database.prepare('select title, message_count as count from meta').get();
  const create = () =>
    store.create({
      ...{
        id: 'c',
        ownerId: 'o',
        userName: 'Guest',
        persona: null,
        title: 'Old',
        modelTitle: null,
        firstMessageId: null,
        branchOf: null,
        createdAt: 1,
        isBegun: true,
      },
      source: {
        character: { id: 'k' },
        lorebook: null,
        parts: null,
        copyHash: null,
      } as unknown as Parameters<typeof store.create>[0]['source'],
    });
  return { store, stored, statements, create };
}

test('a rolled back change of a conversation is not read again', () => {
  const { store, stored, create } = createStore();
  store.atomically(create);
  const change = () =>
    store.atomically(() => {
      store.setTitle('New');
      store.addToMessageCount(2);
      expect(store.getMeta()).toMatchObject({ title: 'New', messageCount: 2 });
      throw new Error('the disk is full');
    });
  expect(change).toThrow('the disk is full');
  expect(store.getMeta()).toMatchObject({ title: 'Old', messageCount: 0 });
  expect(stored()).toEqual({ title: 'Old', count: 0 });
});

test('a conversation that is created and changed in one transaction has the changes', () => {
  const { store, stored, create } = createStore();
  expect(store.getMeta()).toBeNull();
  store.atomically(() => {
    create();
    store.addToMessageCount(1);
    expect(store.getMeta()).toMatchObject({ title: 'Old', messageCount: 1 });
    store.addToMessageCount(1);
  });
  expect(store.getMeta()).toMatchObject({ messageCount: 2 });
  expect(stored()).toEqual({ title: 'Old', count: 2 });
});

test('the row of a conversation is read once, and each transaction writes it once', () => {
  const { store, stored, statements, create } = createStore();
  store.atomically(create);
  store.getMeta();
  statements.length = 0;
  store.setTitle('New');
  store.atomically(() => {
    store.addToMessageCount(1);
    store.touch(5);
    store.setOpenTurn(null);
  });
  expect(store.getMeta()).toMatchObject({ title: 'New', messageCount: 1, updatedAt: 5 });
  expect(stored()).toEqual({ title: 'New', count: 1 });
  expect(statements.map((text) => text.split(' ')[0])).toEqual(['update', 'update']);
});

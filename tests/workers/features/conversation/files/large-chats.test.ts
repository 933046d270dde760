import { describe, expect, test } from 'vitest';
import { CHAT_FILE } from '../../../../../src/features/conversation/limits.ts';
import type { MessageRecord } from '../../../../../src/features/conversation/files/chat-record.ts';
import { createId } from '../../../../../src/lib/ids.ts';
import { ConversationClient, startConversationClient } from '../../../../support/conversation-client.ts';
import {
  addCharacter,
  createAccount,
  getConversationStub,
  signInGuest,
  type Visitor,
} from '../../../../support/factories.ts';

/** Returns a character message with these versions; the first one is selected. */
function createRecord(...contents: string[]): MessageRecord {
  const now = Date.now();
  return {
    id: createId(now),
    role: 'character',
    name: null,
    createdAt: now,
    pinned: false,
    source: null,
    selected: 0,
    versions: contents.map((content) => ({
      id: createId(now),
      content,
      model: 'loreloom',
      status: 'complete',
      errorCode: null,
      edited: false,
      createdAt: now,
    })),
  };
}

/** Adds messages a few at a time, as the import of a large file does. */
const appendRecords = (chat: ConversationClient, records: MessageRecord[]): Promise<string[]> =>
  chat.appendRecords(records, 6);

/** Versions that are not selected. */
const OTHER_VERSIONS = Array.from({ length: 5 }, (_, index) => `${index}${'—'.repeat(95_000)}`);

/** A conversation with more text than one call to its object can carry. */
async function largeChat(): Promise<ConversationClient> {
  const chat = await startConversationClient(await createAccount());
  await appendRecords(
    chat,
    Array.from({ length: 40 }, () => createRecord('Again.', ...OTHER_VERSIONS)),
  );
  return chat;
}

async function walk(chat: ConversationClient, limit: number): Promise<string[]> {
  const seen: string[] = [];
  let place = '';
  for (;;) {
    const { messages, next_cursor: earlier } = await chat.page(`?limit=${limit}${place}`);
    expect(messages.length).toBeGreaterThan(0);
    seen.unshift(...messages.map(({ id }) => id));
    if (earlier === null) return seen;
    place = `&before=${earlier}`;
  }
}

describe('Large conversations', { timeout: 120_000 }, () => {
  test('a conversation larger than one call can be read from any place, exported and forked @all', async () => {
    const chat = await largeChat();
    const all = await walk(chat, 100);
    expect(all).toHaveLength(41);
    const middle = await chat.page(`?limit=100&around=${all[20]}`);
    const seen = middle.messages.map(({ id }) => id);
    expect(seen).toContain(all[20]);
    let { later_cursor: later } = middle;
    while (later !== null) {
      const page = await chat.page(`?limit=100&after=${later}`);
      seen.push(...page.messages.map(({ id }) => id));
      later = page.later_cursor;
    }
    expect(seen).toEqual(all.slice(all.indexOf(seen[0] as string)));

    const file = await chat.call('/export?format=jsonl');
    expect(file.status).toBe(200);
    const text = new TextDecoder().decode(await file.arrayBuffer());
    expect(text.trimEnd().split('\n')).toHaveLength(1 + all.length);

    const { chat: fork } = await chat.fork(all.at(-1) as string);
    expect((await fork.page('?limit=1')).conversation.message_count).toBe(all.length);
    expect((await fork.page('?limit=1')).messages[0]?.versions).toHaveLength(1 + OTHER_VERSIONS.length);
  });

  test('search excerpts of a large conversation stay within the length limit when the user’s name is long', async () => {
    const chat = await importNamedChat(await signInGuest(), 'N'.repeat(CHAT_FILE.maxNameChars));
    const records = Array.from({ length: 50 }, () => createRecord('{{user}} '.repeat(11_000)));
    const ids = await appendRecords(chat, records);
    const found = await getConversationStub(chat.id).getExcerpts(chat.me.id, ids);
    expect(found).toHaveLength(50);
    for (const { text } of found) {
      expect(text.startsWith('NNN')).toBe(true);
      expect(text.length).toBeLessThanOrEqual(CHAT_FILE.maxContentChars);
    }
  });
});

/** Imports a conversation in which the user has this name. */
async function importNamedChat(me: Visitor, name: string): Promise<ConversationClient> {
  const body = new FormData();
  body.set('character_id', await addCharacter());
  const lines = [
    { user_name: name, character_name: 'Orla' },
    { name: 'Orla', is_user: false, mes: 'You came.' },
  ];
  body.set('file', new Blob([lines.map((line) => JSON.stringify(line)).join('\n')]), 'chat.jsonl');
  const made = await me.ask<{ conversation: { id: string } }>('/api/conversations/import', {
    method: 'POST',
    body,
    status: 201,
  });
  return new ConversationClient(me, made.conversation.id);
}

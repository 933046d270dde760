import { describe, expect, test } from 'vitest';
import { CHAT_FILE } from '../../src/features/conversation/limits.ts';
import type { MessageRecord } from '../../src/features/conversation/files/chat-record.ts';
import { createId } from '../../src/lib/ids.ts';
import { ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import { addCharacter, getConversationStub, signInGuest, type Visitor } from '../support/factories.ts';

/** A message of the character's with these versions; the first one shows. */
function record(...contents: string[]): MessageRecord {
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

/** Adds messages a few at a time, as they are when a large file is brought in. */
async function add(chat: ConversationClient, records: MessageRecord[]): Promise<void> {
  for (let at = 0; at < records.length; at += 6)
    await getConversationStub(chat.id).append(chat.me.id, records.slice(at, at + 6));
}

/** Versions that were not chosen. */
const OTHERS = Array.from({ length: 5 }, (_, index) => `${index}${'—'.repeat(95_000)}`);

/** A chat of more than any call to an object carries. */
async function largeChat(): Promise<ConversationClient> {
  const chat = await startConversationClient(await signInGuest());
  await add(
    chat,
    Array.from({ length: 40 }, () => record('Again.', ...OTHERS)),
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

describe('A chat with more text than one call to it carries', { timeout: 120_000 }, () => {
  test('is opened, read from end to end and from its middle, taken along and forked', async () => {
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
    expect((await fork.page('?limit=1')).messages[0]?.versions).toHaveLength(1 + OTHERS.length);
  });

  test('has the texts of its hits, however long the names in them are', async () => {
    const chat = await named(await signInGuest(), 'N'.repeat(CHAT_FILE.maxNameChars));
    const records = Array.from({ length: 50 }, () => record('{{user}} '.repeat(11_000)));
    await add(chat, records);
    const found = await getConversationStub(chat.id).getExcerpts(
      chat.me.id,
      records.map(({ id }) => id),
    );
    expect(found).toHaveLength(50);
    for (const { text } of found) {
      expect(text.startsWith('NNN')).toBe(true);
      expect(text.length).toBeLessThanOrEqual(CHAT_FILE.maxContentChars);
    }
  });
});

/** A chat that was brought in, in which its person has this name. */
async function named(me: Visitor, name: string): Promise<ConversationClient> {
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

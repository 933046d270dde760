import { describe, expect, test, vi } from 'vitest';
import type { Conversation, Message, TrashItem } from '../../../../../src/features/conversation/contract.ts';
import type {
  ContextRecord,
  MemoryView,
} from '../../../../../src/features/conversation/memory/memory-contract.ts';
import { ConversationClient } from '../../../../support/conversation-client.ts';
import { openLiveTab, readReceivedHints } from '../../../../support/live-tab.ts';
import {
  addCharacter,
  startConversation,
  signInGuest,
  getLastMessage,
  listMessages,
  sendMessage,
  type Visitor,
} from '../../../../support/factories.ts';
import { createScene } from '../../../../support/scripted-model.ts';

/** Four messages of this length fill the context of the test models. */
const FILLER = 'ka '.repeat(2600);

const EMPTY = { summary: '', entries: [], set_aside_count: 0, left_out: [] };

const getMemory = (me: Visitor, id: string) => me.ask<MemoryView>(`/api/conversations/${id}/memory`);
const putMemory = (me: Visitor, id: string, json: unknown, status = 200) =>
  me.ask<MemoryView>(`/api/conversations/${id}/memory`, { method: 'PUT', json, status });
const pin = (me: Visitor, id: string, messageId: string, method = 'PUT', status = 200) =>
  me.ask<Message & { code?: string; limit?: number }>(`/api/conversations/${id}/messages/${messageId}/pin`, {
    method,
    status,
  });
/** The system prompt of the next turn. */
const readSystemPrompt = async (me: Visitor, id: string): Promise<string> => {
  const asked = createScene('tokens n=2');
  await sendMessage(me, id, asked.marker);
  return asked.getSystemPrompt();
};

/** A conversation longer than the context, with one fact per user message: #f0, #f1 and so on. */
async function startLongConversation(me: Visitor, turns = 8, characterId?: string): Promise<string> {
  const id = await startConversation(me, characterId);
  for (let turn = 0; turn < turns; turn += 1) await sendMessage(me, id, `#f${turn} is true. ${FILLER}`);
  await waitForMemory(me, id, '#f0');
  return id;
}

/** Waits until the background job has written a fact to the memory, because it sends no event. */
async function waitForMemory(me: Visitor, id: string, fact: string): Promise<MemoryView> {
  return vi.waitFor(
    async () => {
      const memory = await getMemory(me, id);
      expect(memory.summary).toContain(fact);
      return memory;
    },
    { timeout: 15_000, interval: 50 },
  );
}

const findEntry = async (me: Visitor, id: string, fact: string) =>
  (await getMemory(me, id)).entries.find(({ text }) => text.includes(fact));
const findFactMessage = async (me: Visitor, id: string, fact: string): Promise<Message> => {
  const found = (await listMessages(me, id)).find(({ content }) => content.startsWith(`${fact} `));
  if (found === undefined) throw new Error(`${fact} was not said`);
  return found;
};

describe('Memory of old messages', () => {
  test('messages that left the context are noted with their sources, for free, and sent to the model', async () => {
    const me = await signInGuest();
    const id = await startLongConversation(me);
    const { entries, summary } = await getMemory(me, id);
    const first = await findFactMessage(me, id, '#f0');
    const entry = entries.find(({ text }) => text.includes('#f0'));
    expect(entry).toMatchObject({ author: 'model', stale: false });
    expect(entry?.source_message_ids).toContain(first.id);
    expect(summary).not.toContain('#f7');
    const system = await readSystemPrompt(me, id);
    expect(system).toContain('# What happened so far');
    expect(system).toContain('#f0');
    expect(await me.ask('/api/points')).toMatchObject({ current_points: 50 - 9 });
  });

  test('the memory of a message is hidden while it is deleted and returns when it is restored', async () => {
    const me = await signInGuest();
    const id = await startLongConversation(me);
    const { id: messageId } = await findFactMessage(me, id, '#f0');
    const trashed = await me.ask<TrashItem>(`/api/conversations/${id}/messages/${messageId}`, {
      method: 'DELETE',
    });
    expect((await getMemory(me, id)).summary).not.toContain('#f');
    const { set_aside_count: waiting, ...seen } = await getMemory(me, id);
    expect(waiting).toBeGreaterThan(0);
    expect(JSON.stringify(seen)).not.toContain('#f');
    expect(await readSystemPrompt(me, id)).not.toContain('#f0');
    await me.ask(`/api/conversations/${id}/trash/${trashed.id}/restore`, { method: 'POST' });
    expect((await getMemory(me, id)).summary).toContain('#f0');
  });

  test('editing a message renews its memory note, and selecting the old version restores the old note', async () => {
    const me = await signInGuest();
    const id = await startLongConversation(me);
    const message = await findFactMessage(me, id, '#f0');
    await me.ask(`/api/conversations/${id}/messages/${message.id}`, {
      method: 'PATCH',
      json: { content: '#g0 is true.' },
    });
    expect((await getMemory(me, id)).summary).not.toContain('#f0');
    expect(await findEntry(me, id, '#f0')).toMatchObject({ stale: true, stale_reason: 'changed' });
    await me.ask(`/api/conversations/${id}/messages/${message.id}/version`, {
      method: 'PUT',
      json: { version_id: message.selected_version_id },
    });
    expect((await getMemory(me, id)).summary).toContain('#f0');
    await me.ask(`/api/conversations/${id}/messages/${message.id}`, {
      method: 'PATCH',
      json: { content: '#g1 is true.' },
    });
    await sendMessage(me, id, 'Go on.');
    const memory = await waitForMemory(me, id, '#g1');
    expect(memory.summary).not.toContain('#f0');
  });

  test('a fork takes the memory of its messages along, and later changes stay separate', async () => {
    const me = await signInGuest();
    const id = await startLongConversation(me);
    const at = await findFactMessage(me, id, '#f6');
    const fork = await me.ask<{ conversation: Conversation }>(
      `/api/conversations/${id}/messages/${at.id}/fork`,
      {
        method: 'POST',
        status: 201,
      },
    );
    const forkId = fork.conversation.id;
    expect((await getMemory(me, forkId)).summary).toContain('#f0');
    await putMemory(me, forkId, { summary: 'Here it went otherwise.' });
    expect((await getMemory(me, id)).summary).toContain('#f0');
    const [greeting] = await listMessages(me, id);
    const small = await me.ask<{ conversation: Conversation }>(
      `/api/conversations/${id}/messages/${greeting?.id}/fork`,
      { method: 'POST', status: 201 },
    );
    expect((await getMemory(me, small.conversation.id)).summary).not.toContain('#f');
  });
});

describe('Edited memory', () => {
  test('the model gets the user’s own notes with names filled in, and no background job changes them', async () => {
    const me = await signInGuest();
    const id = await startLongConversation(me);
    const [entry] = (await getMemory(me, id)).entries;
    const mine = await putMemory(me, id, {
      entries: [{ id: entry?.id, text: '{{user}} never lies to {{char}}.' }, { text: 'The sea is warm.' }],
    });
    expect(mine.entries.map(({ author }) => author)).toEqual(['person', 'person']);
    for (const turn of [8, 9, 10]) await sendMessage(me, id, `#f${turn} is true. ${FILLER}`);
    const memory = await waitForMemory(me, id, '#f7');
    expect(memory.entries.filter(({ author }) => author === 'person')).toEqual(mine.entries);
    const system = await readSystemPrompt(me, id);
    expect(system).toContain('- Stranger never lies to Mira.');
    expect(system).toContain('- The sea is warm.');
    expect(system).not.toContain('{{');
  });

  test('the memory can be saved as one text, read back unchanged, cleared and restored', async () => {
    const me = await signInGuest();
    const id = await startLongConversation(me);
    const text = 'Anouk is a smuggler.\n\nMira knows it.';
    const { entries } = await putMemory(me, id, { summary: text });
    expect(await getMemory(me, id)).toMatchObject({ summary: text, entries: [{ author: 'person' }] });
    expect(await putMemory(me, id, { summary: '' })).toEqual(EMPTY);
    await sendMessage(me, id, 'Go on.');
    expect(await readSystemPrompt(me, id)).not.toContain('smuggler');
    expect(await putMemory(me, id, { entries })).toMatchObject({ summary: text });
  });

  test('the memory can be saved exactly as it was read', async () => {
    const me = await signInGuest();
    const id = await startLongConversation(me);
    const memory = await getMemory(me, id);
    expect(await putMemory(me, id, memory)).toEqual(memory);
  });

  test('the memory’s length is limited and unknown fields are refused', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    for (const json of [
      {},
      { summary: 7 },
      { summary: 'x'.repeat(20_001) },
      { entries: [{ text: 'x'.repeat(2001) }] },
      { entries: [{ text: '  ' }] },
      { entries: Array.from({ length: 201 }, () => ({ text: 'x' })) },
      { entries: [], other: 1 },
      { entries: [{ text: 'x', other: 1 }] },
    ])
      expect(await putMemory(me, id, json, 400)).toMatchObject({ code: 'invalid_input' });
    expect(await getMemory(me, id)).toEqual(EMPTY);
    const many = { entries: Array.from({ length: 200 }, () => ({ text: 'x' })), known: [] };
    await putMemory(me, id, many);
    expect(await putMemory(me, id, many, 400)).toMatchObject({ code: 'invalid_input' });
  });

  test('the memory can only be read and written by the conversation’s owner', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await putMemory(me, id, { summary: 'Mine.' });
    const other = await signInGuest();
    await other.ask(`/api/conversations/${id}/memory`, { status: 404 });
    await putMemory(other, id, { summary: 'Theirs.' }, 404);
    expect((await getMemory(me, id)).summary).toBe('Mine.');
  });
});

describe('Edited memory in turns and tabs', () => {
  test('regenerating an old reply leaves out notes about later messages and keeps notes without sources', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const asked = createScene('tokens n=2');
    await sendMessage(me, id, asked.marker);
    const first = await getLastMessage(me, id);
    for (let turn = 0; turn < 8; turn += 1) await sendMessage(me, id, `#f${turn} is true. ${FILLER}`);
    const { entries } = await waitForMemory(me, id, '#f1');
    const later = entries.find(({ text }) => text.includes('#f1'));
    await putMemory(me, id, {
      entries: [{ id: later?.id, text: 'This came later.' }, { text: 'This is always true.' }],
    });
    await new ConversationClient(me, id).regenerate(first.id);
    const system = await asked.getSystemPrompt();
    expect(system).toContain('This is always true.');
    expect(system).not.toContain('This came later.');
    expect(await readSystemPrompt(me, id)).toContain('This came later.');
  });

  test('other tabs learn of an edited memory', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const [writing, reading] = [
      await openLiveTab(me, id, 'page-that-writes'),
      await openLiveTab(me, id, 'page-that-reads'),
    ];
    await new ConversationClient(me, id, 'page-that-writes').ask('/memory', {
      method: 'PUT',
      json: { summary: 'Mine.' },
    });
    await reading.hears('changed');
    expect(await readReceivedHints(writing)).toEqual([]);
    await putMemory(me, id, { summary: 7 }, 400);
    expect(await readReceivedHints(reading)).toEqual(['changed']);
  });
});

describe('Pinned messages', () => {
  test('a pin is refused when the pins would not fit into the context, and unpinning makes room', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    for (let turn = 0; turn < 3; turn += 1) await sendMessage(me, id, `#p${turn} ${FILLER}`);
    const [first, second, third] = (await listMessages(me, id)).filter(({ role }) => role === 'user');
    await pin(me, id, first?.id ?? '');
    await pin(me, id, second?.id ?? '');
    expect(await pin(me, id, third?.id ?? '', 'PUT', 409)).toMatchObject({ code: 'pinned_budget_exceeded' });
    expect((await listMessages(me, id)).filter(({ pinned }) => pinned)).toHaveLength(2);
    for (let turn = 3; turn < 6; turn += 1) await sendMessage(me, id, `#p${turn} ${FILLER}`);
    const system = await readSystemPrompt(me, id);
    for (const mark of ['#p0 ', '#p1 ']) expect(system).toContain(mark);
    await pin(me, id, first?.id ?? '', 'DELETE');
    await pin(me, id, third?.id ?? '');
  });

  test('a pin that no longer fits because of new notes is listed in the memory and in the context view', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    for (let turn = 0; turn < 2; turn += 1) await sendMessage(me, id, `#p${turn} ${FILLER}`);
    const pinned = (await listMessages(me, id)).filter(({ role }) => role === 'user');
    for (const { id: messageId } of pinned) await pin(me, id, messageId);
    await sendMessage(me, id, 'And then?');
    expect((await getMemory(me, id)).left_out).toEqual([]);
    const { left_out: leftOut } = await putMemory(me, id, { summary: 'ka '.repeat(6660) });
    expect(leftOut).toEqual(
      pinned.map((message) => ({
        kind: 'pin',
        id: message.id,
        excerpt: expect.stringMatching(/^#p\d .*…$/),
        tokens: expect.any(Number),
        in_part: false,
      })),
    );
    expect((await getMemory(me, id)).left_out).toEqual(leftOut);
    await sendMessage(me, id, 'Go on.');
    const reply = await getLastMessage(me, id);
    const context = await me.ask<ContextRecord>(`/api/conversations/${id}/messages/${reply.id}/context`);
    expect(context.left_out).toEqual(leftOut);
    expect((await putMemory(me, id, { entries: [] })).left_out).toEqual([]);
  });

  test('a pinned message stays in the prompt until it is unpinned', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'My sister, {{user}}’s only one, is called Wren.');
    const [, message] = await listMessages(me, id);
    expect(await pin(me, id, message?.id ?? '')).toMatchObject({ pinned: true });
    for (let turn = 0; turn < 6; turn += 1) await sendMessage(me, id, `Then. ${FILLER}`);
    const system = await readSystemPrompt(me, id);
    expect(system).toContain('# Said earlier, word for word');
    expect(system).toContain('Stranger: My sister, Stranger’s only one, is called Wren.');
    expect(await pin(me, id, message?.id ?? '', 'DELETE')).toMatchObject({ pinned: false });
    expect(await readSystemPrompt(me, id)).not.toContain('# Said earlier, word for word');
  });

  test('a conversation has at most 20 pins', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    for (let turn = 0; turn < 11; turn += 1) await sendMessage(me, id, createScene('tokens n=1 ms=0').marker);
    const all = await listMessages(me, id);
    for (const { id: messageId } of all.slice(0, 20)) await pin(me, id, messageId);
    expect(await pin(me, id, all[20]?.id ?? '', 'PUT', 409)).toMatchObject({ code: 'pin_limit', limit: 20 });
    await pin(me, id, all[0]?.id ?? '', 'DELETE');
    await pin(me, id, all[20]?.id ?? '');
    await pin(me, id, 'no-such-message', 'PUT', 404);
  });
});

describe('Context view', () => {
  test('the context view shows each part, its tokens and where the history began', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter({ characterTraits: '{{char}} trusts {{user}}.' });
    const id = await startLongConversation(me, 8, characterId);
    await sendMessage(me, id, 'And now?');
    const reply = await getLastMessage(me, id);
    const context = await me.ask<ContextRecord>(`/api/conversations/${id}/messages/${reply.id}/context`);
    const kinds = context.sections.map(({ kind }) => kind);
    expect(kinds).toEqual([
      'character',
      'point_of_view',
      'person',
      'style',
      'safety',
      'opening',
      'memory',
      'history',
    ]);
    const [characterSection] = context.sections;
    expect(characterSection).toMatchObject({ text: expect.stringContaining('Mira trusts Stranger.') });
    expect(context.estimated_tokens).toBeLessThanOrEqual(context.context_tokens - context.reply_tokens);
    const history = context.sections.find(({ kind }) => kind === 'history');
    const seen = history !== undefined && 'messages' in history ? history.messages : [];
    expect(context.first_history_id).toBe(seen[0]?.message_id);
    const page = await me.ask<{ conversation: Conversation }>(`/api/conversations/${id}`);
    expect(page.conversation.context_start_id).toBe(context.first_history_id);
    expect(seen.at(-1)?.message_id).toBe((await listMessages(me, id)).at(-2)?.id);
  });

  test('the context view of a complete history has no start, and messages without a model have no view', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'Hello.');
    const [greeting, message, reply] = await listMessages(me, id);
    const path = (message: Message | undefined) => `/api/conversations/${id}/messages/${message?.id}/context`;
    expect(await me.ask(path(reply))).toMatchObject({ first_history_id: null });
    for (const other of [greeting, message]) await me.ask(path(other), { status: 404 });
    await (await signInGuest()).ask(path(reply), { status: 404 });
  });

  test('the context view is kept for the newest thirty replies @all', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    for (let turn = 0; turn < 32; turn += 1) await sendMessage(me, id, createScene('tokens n=1 ms=0').marker);
    const replies = (await listMessages(me, id)).filter(({ role }) => role === 'character').slice(1);
    const path = (message: Message | undefined) => `/api/conversations/${id}/messages/${message?.id}/context`;
    await me.ask(path(replies[1]), { status: 404 });
    await me.ask(path(replies[2]));
    await me.ask(path(replies.at(-1)));
  });
});

import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../../../src/features/conversation/contract.ts';
import type { ContextRecord } from '../../../../../src/features/conversation/memory/memory-contract.ts';
import {
  DEFAULT_REPLY_SETTINGS,
  type ReplySettings,
  type ReplySettingsView,
} from '../../../../../src/features/conversation/prompt/reply-settings-contract.ts';
import { ConversationClient, startConversationClient } from '../../../../support/conversation-client.ts';
import { addCharacter, getConversationStub, getPoints, signInGuest } from '../../../../support/factories.ts';
import { createScene } from '../../../../support/scripted-model.ts';

const NOTE = 'It rains in every scene.';

const readSettings = async (chat: ConversationClient): Promise<ReplySettings> => {
  const { recommended_style: _, ...settings } = await chat.ask<ReplySettingsView>('/reply-settings');
  return settings;
};
const change = (chat: ConversationClient, json: object, status = 200) =>
  chat.ask<ReplySettings & { code?: string; rule?: string; fields?: Record<string, string[]> }>(
    '/reply-settings',
    { method: 'PATCH', json, status },
  );

/** The last message of the next turn's prompt. */
async function readPromptEnd(chat: ConversationClient): Promise<string> {
  const scene = createScene('tokens n=1');
  await chat.send(`Go on. ${scene.marker}`);
  const [request] = await scene.requests();
  const { messages } = (request as { body: unknown }).body as { messages: { content: string }[] };
  return messages.at(-1)?.content ?? '';
}

/** The request for the reply to the next message. */
async function readNextRequest(chat: ConversationClient) {
  const scene = createScene('tokens n=1');
  await chat.send(`Go on. ${scene.marker}`);
  const [request] = await scene.requests();
  return request?.body as { messages: { content: string }[]; max_tokens: number; temperature: number };
}

describe('Length and liveliness', () => {
  test('they are the end of the prompt, its maximum of tokens and its temperature, at the same price', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    expect(await readSettings(chat)).toEqual(DEFAULT_REPLY_SETTINGS);
    const before = await getPoints(me);
    const plain = await readNextRequest(chat);
    expect(plain).toMatchObject({ max_tokens: 1000, temperature: 0.9 });
    expect(plain.messages.at(-1)?.content).not.toContain('Out of the story');
    const price = before.current_points - (await getPoints(me)).current_points;
    await change(chat, { reply_length: 'long', liveliness: 0.35 });
    const long = await readNextRequest(chat);
    expect(long.temperature).toBe(0.35);
    expect(long.max_tokens).toBeGreaterThan(1000);
    expect(long.messages.at(-1)?.content).toMatch(/\[Out of the story: write 300 to 400 words[^\n]*]$/);
    expect((await getPoints(me)).current_points).toBe(before.current_points - 2 * price);
    const reply = (await chat.ids()).at(-1) as string;
    expect(await chat.ask<ContextRecord>(`/messages/${reply}/context`)).toMatchObject({
      reply_tokens: long.max_tokens,
    });
    await change(chat, { reply_length: 'short', liveliness: 'lively' });
    expect(await readNextRequest(chat)).toMatchObject({ max_tokens: 1000, temperature: 1.1 });
  });

  test('the note at a depth stands before the last messages', async () => {
    const chat = await startConversationClient(await signInGuest());
    await change(chat, { author_note: NOTE, author_note_depth: 2 });
    await chat.send('First. [[scenario:tokens n=2]]');
    const { messages } = await readNextRequest(chat);
    expect(messages.at(-3)?.content).toMatch(new RegExp(`First\\..*${NOTE}]$`, 's'));
    expect(
      messages
        .slice(-2)
        .map(({ content }) => content)
        .join(' '),
    ).not.toContain(NOTE);
  });

  test.each([
    { reply_length: 19 },
    { reply_length: 'huge' },
    { liveliness: 2.01 },
    { liveliness: 0.005 },
    { author_note_depth: 21 },
    { tone: 'warm' },
  ])('an invalid setting changes nothing: %j', async (invalid) => {
    const chat = await startConversationClient(await signInGuest());
    expect(await change(chat, invalid, 400)).toMatchObject({ code: 'invalid_input' });
    expect(await readSettings(chat)).toEqual(DEFAULT_REPLY_SETTINGS);
  });

  test('settings of before, which have the note alone, are completed, and default ones leave no row', async () => {
    const chat = await startConversationClient(await signInGuest());
    await change(chat, { author_note: NOTE });
    const readRows = () =>
      runInDurableObject(getConversationStub(chat.id), (_, { storage: { sql } }) =>
        sql.exec<{ settings: string }>('select settings from reply_settings').toArray(),
      );
    expect(await readRows()).toEqual([{ settings: JSON.stringify({ author_note: NOTE }) }]);
    expect(await readSettings(chat)).toEqual({ ...DEFAULT_REPLY_SETTINGS, author_note: NOTE });
    await change(chat, { liveliness: 'calm' });
    await change(chat, { author_note: '', liveliness: 'balanced' });
    expect(await readRows()).toEqual([]);
  });
});

const ALL = { author_note: NOTE, author_note_depth: 3, reply_length: 250, liveliness: 'calm' } as const;

describe('Author’s note', () => {
  test('the next prompt ends with the note, and what the model saw names it', async () => {
    const chat = await startConversationClient(await signInGuest());
    expect((await readSettings(chat)).author_note).toBe('');
    expect((await change(chat, { author_note: NOTE })).author_note).toBe(NOTE);
    expect(await readPromptEnd(chat)).toMatch(new RegExp(`${NOTE}]$`));
    const reply = (await chat.ids()).at(-1) as string;
    const { sections } = await chat.ask<ContextRecord>(`/messages/${reply}/context`);
    expect(sections.at(-1)).toMatchObject({ kind: 'author_note', text: expect.stringContaining(NOTE) });
  });

  test('the note survives an eviction, and an empty one ends it', async () => {
    const chat = await startConversationClient(await signInGuest());
    await change(chat, { author_note: NOTE });
    await evictDurableObject(getConversationStub(chat.id));
    expect((await readSettings(chat)).author_note).toBe(NOTE);
    expect(await change(chat, {}, 400)).toMatchObject({ code: 'invalid_input' });
    expect((await readSettings(chat)).author_note).toBe(NOTE);
    expect((await change(chat, { author_note: '' })).author_note).toBe('');
    expect(await readPromptEnd(chat)).not.toContain('Out of the story');
  });

  test('a branch has a copy of all settings', async () => {
    const chat = await startConversationClient(await signInGuest());
    await change(chat, ALL);
    await chat.send('Hello.');
    const { conversation } = await chat.ask<{ conversation: Conversation }>(
      `/messages/${(await chat.ids()).at(-1)}/fork`,
      { method: 'POST', json: {}, status: 201 },
    );
    const branch = new ConversationClient(chat.me, conversation.id);
    await change(chat, { author_note: '' });
    expect(await readSettings(branch)).toEqual(ALL);
  });

  test('an exported and imported chat keeps all settings', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('Hello.');
    await change(chat, ALL);
    const body = new FormData();
    body.set('character_id', await addCharacter());
    body.set('file', new Blob([await (await chat.call('/export')).arrayBuffer()]), 'chat.jsonl');
    const answer = await me.call('/api/conversations/import', { method: 'POST', body });
    const { conversation } = await answer.json<{ conversation: Conversation }>();
    expect(await readSettings(new ConversationClient(me, conversation.id))).toEqual(ALL);
    const everything = await (await me.call('/api/account/export?format=json')).text();
    expect(everything).toContain(`"reply_settings":${JSON.stringify(ALL)}`);
  });

  test('a note that is too long or breaks a rule changes nothing', async () => {
    const chat = await startConversationClient(await signInGuest());
    await change(chat, { author_note: NOTE });
    expect(await change(chat, { author_note: 'a'.repeat(2001) }, 400)).toMatchObject({
      code: 'invalid_input',
      fields: { author_note: [expect.any(String)] },
    });
    expect(await change(chat, { author_note: 'A 15-year-old girl has sex with him.' }, 422)).toMatchObject({
      code: 'text_refused',
      rule: 'minors',
      fields: { author_note: [expect.any(String)] },
    });
    expect((await readSettings(chat)).author_note).toBe(NOTE);
  });

  test('a note is judged together with the messages, and they together with it', async () => {
    const chat = await startConversationClient(await signInGuest());
    await change(chat, { author_note: 'The girl at the door is 12 years old.' });
    const refused = (await chat.send('I have sex with her.')).map(({ data }) => data.code);
    expect(refused).toContain('text_refused');
    // The note that it replaces does not count.
    await change(chat, { author_note: 'They have sex.' });
    await change(chat, { author_note: '' });
    await chat.send('The girl at the door is 12 years old.');
    expect(await change(chat, { author_note: 'They have sex.' }, 422)).toMatchObject({ rule: 'minors' });
  });

  test('a chat file whose note breaks a rule is refused', async () => {
    const me = await signInGuest();
    const header = { chat_metadata: { note_prompt: 'A 15-year-old girl has sex with him.' } };
    const line = { name: 'Orla', is_user: false, send_date: 1_690_000_000_000, mes: 'Hush.' };
    const body = new FormData();
    body.set('character_id', await addCharacter());
    body.set('file', new Blob([[header, line].map((one) => JSON.stringify(one)).join('\n')]), 'chat.jsonl');
    const answer = await me.call('/api/conversations/import', { method: 'POST', body });
    expect({ status: answer.status, ...(await answer.json<object>()) }).toMatchObject({
      status: 422,
      rule: 'minors',
    });
  });
});

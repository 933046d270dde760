import { describe, expect, test } from 'vitest';
import type { Conversation } from '../../../../src/features/conversation/contract.ts';
import { type ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import { addCharacter, signInGuest, createAccount, type Visitor } from '../../../support/factories.ts';

const INVISIBLE = ['\u200B\u200B', '\u202E', '\u3164', '\u2060\uFEFF', '\u2800', '\u00AD \u200D'];
const BROKEN = ['two\nlines', 'a\u0000b', 'a\u0085b', 'a\u2028b'];
const JOINED = ['👩‍👩‍👧‍👦', 'ශ්‍රී', 'می‌خواهم'];

const setTitle = (chat: ConversationClient, text: string, status = 200) =>
  chat.ask<Conversation & { code?: string }>('', { method: 'PATCH', json: { title: text }, status });
const createPersona = (me: Visitor, name: string, status = 201) =>
  me.ask<{ id: string; name: string; code?: string }>('/api/personas', {
    json: { name, description: 'Maps coasts.' },
    status,
  });
const setNickname = (me: Visitor, name: string, status = 200) =>
  me.ask<{ nickname?: string; code?: string }>('/api/account', {
    method: 'PATCH',
    json: { nickname: name },
    status,
  });

describe('Names', () => {
  test('titles, persona names and nicknames must be visible and one line', async () => {
    const me = await createAccount();
    const chat = await startConversationClient(me);
    await setTitle(chat, 'The lamp');
    for (const text of [...INVISIBLE, ...BROKEN]) {
      for (const answer of [await setTitle(chat, text, 400), await setNickname(me, text, 400)])
        expect(answer).toMatchObject({ code: 'invalid_input' });
    }
    for (const text of BROKEN)
      expect(await createPersona(me, text, 400)).toMatchObject({ code: 'invalid_input' });
    expect((await chat.page()).conversation.title).toBe('The lamp');
    expect(await me.ask('/api/personas')).toMatchObject({ count: 0 });
  });

  test('a persona whose name shows nothing has the name of its user', async () => {
    const me = await createAccount();
    await setNickname(me, 'Tam');
    for (const text of ['', ...INVISIBLE.slice(0, 3)])
      expect((await createPersona(me, text)).name).toBe('Tam');
  });

  test('a name is stored without characters that reverse the text direction', async () => {
    const me = await createAccount();
    const chat = await startConversationClient(me);
    expect((await setTitle(chat, '\u202Epmal ehT\u202C')).title).toBe('pmal ehT');
    expect((await createPersona(me, '\u2067Wren')).name).toBe('Wren');
    expect((await setNickname(me, 'Tam\u200F')).nickname).toBe('Tam');
  });

  test('a name keeps the joiners of emoji and of scripts that need them', async () => {
    const me = await createAccount();
    const chat = await startConversationClient(me);
    for (const text of JOINED) {
      expect((await setTitle(chat, text)).title).toBe(text);
      expect((await createPersona(me, text)).name).toBe(text);
      expect((await setNickname(me, text)).nickname).toBe(text);
    }
  });
});

describe('Names in lists', () => {
  test('a name with many combining marks is shortened in titles, personas, characters and lists', async () => {
    const hostile = `\u202EZ${'\u0301'.repeat(200)}`;
    const shown = `Z${'\u0301'.repeat(5)}`;
    const me = await createAccount();
    const id = await addCharacter({ name: hostile, oneliner: 'Keeps the lamp lit.' });
    const chat = await startConversationClient(me, id);
    await chat.send('Hello.');
    expect((await setTitle(chat, hostile)).title).toBe(shown);
    expect((await createPersona(me, hostile)).name).toBe(shown);
    expect(await me.ask(`/api/characters/${id}`)).toMatchObject({ name: shown });
    await expect
      .poll(() => me.ask('/api/chats'))
      .toMatchObject({ chats: [{ character_name: shown, title: shown }] });
  });
});

describe('Imported names', () => {
  test('the names in an imported conversation are cleaned, and invisible ones are dropped', async () => {
    const me = await signInGuest();
    const file = [
      {
        user_name: 'Tam\n\u202Eof the hill',
        character_name: '\u200B',
        chat_metadata: { loreloom: { title: ' The\u0000 lamp\u2066 ' } },
      },
      { name: '\u202EalrO', is_user: false, mes: 'You came.' },
      { name: '\u3164', is_user: true, mes: 'I did.' },
    ];
    const body = new FormData();
    body.set('character_id', await addCharacter());
    body.set('file', new Blob([file.map((line) => JSON.stringify(line)).join('\n')]), 'chat.jsonl');
    const { conversation } = await me.ask<{ conversation: Conversation }>('/api/conversations/import', {
      method: 'POST',
      body,
      status: 201,
    });
    expect(conversation).toMatchObject({ title: 'The  lamp', user_name: 'Tam of the hill' });
    const { messages } = await me.ask<{ messages: { name?: string }[] }>(
      `/api/conversations/${conversation.id}`,
    );
    expect(messages.map(({ name }) => name)).toEqual(['alrO', undefined]);
  });
});

describe('Invisible messages', () => {
  test('a message without visible characters can be neither sent nor saved as an edit', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('Hello.');
    const before = await chat.messages();
    const [, mine] = await chat.ids();
    for (const content of [...INVISIBLE, '\n\u200B\n', '\u0000']) {
      expect(await chat.edit(mine as string, content, 400)).toMatchObject({
        code: 'invalid_input',
        fields: { content: ['Write something first'] },
      });
      const answer = await chat.call('/messages', {
        json: { content, client_message_id: 'nothing-to-see' },
      });
      expect(answer.status).toBe(400);
    }
    expect(await chat.messages()).toEqual(before);
    for (const content of JOINED) expect((await chat.edit(mine as string, content)).content).toBe(content);
  });
});

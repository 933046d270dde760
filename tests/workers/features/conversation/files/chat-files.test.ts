// Over 400 lines: export and import of the same few conversations.
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { CHAT_FILE, MAX_PINNED } from '../../../../../src/features/conversation/limits.ts';
import type {
  Conversation,
  ConversationPage,
  Message,
} from '../../../../../src/features/conversation/contract.ts';
import { startConversationClient } from '../../../../support/conversation-client.ts';
import {
  type CallOptions,
  addCharacter,
  startConversation,
  getConversationStub,
  signInGuest,
  listMessages,
  createTurnId,
  postMessage,
  sendMessage,
  createAccount,
  type Visitor,
} from '../../../../support/factories.ts';
import { createScene } from '../../../../support/scripted-model.ts';

/** Reads the text of a download, whose content type may not say that it is text. */
const readText = async (answer: Response): Promise<string> =>
  new TextDecoder('utf-8', { fatal: true }).decode(await answer.arrayBuffer());

const exportChat = (me: Visitor, id: string, format = 'jsonl'): Promise<Response> =>
  me.call(`/api/conversations/${id}/export?format=${format}`);

function buildImportForm(file: BlobPart | null, characterId?: string): CallOptions {
  const body = new FormData();
  if (characterId !== undefined) body.set('character_id', characterId);
  if (file !== null) body.set('file', new Blob([file]), 'chat.jsonl');
  return { method: 'POST', body };
}

const importChat = (me: Visitor, file: BlobPart, characterId: string): Promise<Response> =>
  me.call('/api/conversations/import', buildImportForm(file, characterId));

async function importConversation(me: Visitor, file: BlobPart, characterId: string): Promise<Conversation> {
  const answer = await importChat(me, file, characterId);
  const text = await answer.text();
  expect({ status: answer.status, text }).toMatchObject({ status: 201 });
  return (JSON.parse(text) as { conversation: Conversation }).conversation;
}

const countConversations = async (me: Visitor): Promise<number> =>
  (await env.DB.prepare('select count(*) as count from conversations where owner_id = ?')
    .bind(me.id)
    .first<number>('count')) ?? -1;

/** Reads every message of a conversation, oldest first, page by page. */
async function readHistory(me: Visitor, id: string): Promise<Message[]> {
  const all: Message[] = [];
  let before: string | null = '';
  while (before !== null) {
    const page: ConversationPage = await me.ask(
      `/api/conversations/${id}?limit=100${before === '' ? '' : `&before=${before}`}`,
    );
    all.unshift(...page.messages);
    before = page.next_cursor;
  }
  return all;
}

/** Picks the fields of a message that an export and import preserve. */
const pickPreserved = ({ role, name, content, created_at, edited, status, versions, ...rest }: Message) => ({
  role,
  name,
  content,
  created_at,
  edited,
  status,
  pinned: rest.pinned,
  error_code: rest.error_code,
  selected: versions.findIndex(({ id }) => id === rest.selected_version_id),
  versions: versions.map((version) => [version.content, version.model, version.created_at, version.edited]),
});

const HEADER = '{"user_name":"Tam","character_name":"Orla","create_date":"2023-6-19 @16h 20m 5s 123ms"}';
const buildLine = (text: string, isUser = false): string =>
  JSON.stringify({ name: isUser ? 'Tam' : 'Orla', is_user: isUser, send_date: 1_690_000_000_000, mes: text });

describe('Conversation export and import', () => {
  test('an exported and imported conversation equals the original', async () => {
    const me = await signInGuest();
    const mira = await addCharacter();
    const id = await startConversation(me, mira);
    await sendMessage(me, id, 'Tell me *more*. 🌧️\n"שלום"');
    const reply = (await listMessages(me, id)).at(-1) as Message;
    await (
      await me.call(`/api/conversations/${id}/messages/${reply.id}/regenerate`, {
        json: { client_message_id: createTurnId() },
      })
    ).text();
    await sendMessage(me, id, createScene('cut').marker);
    const userMessage = (await listMessages(me, id))[1] as Message;
    await me.ask(`/api/conversations/${id}/messages/${userMessage.id}`, {
      method: 'PATCH',
      json: { content: 'Tell me less.' },
    });
    await me.ask(`/api/conversations/${id}/messages/${reply.id}/version`, {
      method: 'PUT',
      json: { version_id: reply.selected_version_id },
    });
    await me.ask(`/api/conversations/${id}`, { method: 'PATCH', json: { title: 'Rain, again' } });

    const file = await readText(await exportChat(me, id));
    const copy = await importConversation(me, file, mira);
    expect(copy.id).not.toBe(id);
    const before = await me.ask<ConversationPage>(`/api/conversations/${id}`);
    expect(copy).toMatchObject({
      title: 'Rain, again',
      character_id: mira,
      created_at: before.conversation.created_at,
      message_count: before.messages.length,
    });
    expect((await readHistory(me, copy.id)).map(pickPreserved)).toEqual(before.messages.map(pickPreserved));
    expect(before.messages.some(({ versions }) => versions.length > 1)).toBe(true);
    const again = await readText(await exportChat(me, copy.id));
    expect(again).toBe(file);
  });

  test('a chat import restores the persona by its name, and the export contains only the name', async () => {
    const me = await signInGuest();
    const mira = await addCharacter();
    const wren = await me.ask<{ id: string }>('/api/personas', {
      json: { name: 'Wren', description: 'Maps coasts.' },
      status: 201,
    });
    const id = await startConversation(me, mira);
    await sendMessage(me, id, 'Hello.');
    await me.ask(`/api/conversations/${id}/persona`, { method: 'PUT', json: { persona_id: wren.id } });
    const file = await readText(await exportChat(me, id));
    expect(file).not.toContain('Maps coasts.');
    expect(file).not.toContain(wren.id);
    const copy = await importConversation(me, file, mira);
    expect(copy).toMatchObject({ persona: { id: wren.id, name: 'Wren' }, own_name: 'Stranger' });
    expect(await readText(await exportChat(me, copy.id))).toBe(file);
    // For a user without such a persona, the name becomes the user's own name.
    const otherCopy = await importConversation(await signInGuest(), file, mira);
    expect(otherCopy).toMatchObject({ persona: null, user_name: 'Wren', own_name: 'Wren' });
  });

  test('an imported conversation is listed and can be continued', async () => {
    const me = await signInGuest();
    const mira = await addCharacter();
    const imported = await importConversation(
      me,
      [HEADER, buildLine('You came.'), buildLine('I did.', true)].join('\n'),
      mira,
    );
    await sendMessage(me, imported.id, 'And now?');
    expect(await listMessages(me, imported.id)).toHaveLength(4);
    const { chats } = await me.ask<{ chats: { id: string; message_count: number }[] }>('/api/chats');
    expect(chats).toEqual([expect.objectContaining({ id: imported.id, message_count: 4 })]);
  });

  test('a chat import keeps 5,000 messages in order @all', { timeout: 120_000 }, async () => {
    const me = await signInGuest();
    const texts = Array.from({ length: 5000 }, (_, index) => `Message ${index}. ${'x'.repeat(index % 300)}`);
    const lines = texts.map((text, index) => buildLine(text, index % 2 === 1));
    const copy = await importConversation(me, [HEADER, ...lines].join('\n'), await addCharacter());
    expect(copy.message_count).toBe(5000);
    const answer = await exportChat(me, copy.id);
    const out = (await readText(answer)).trimEnd().split('\n');
    expect(out.slice(1).map((one) => (JSON.parse(one) as { mes: string }).mes)).toEqual(texts);
  });

  test("an import under another character keeps the original speaker's name", async () => {
    const me = await signInGuest();
    const id = await startConversation(me, await addCharacter({ name: 'Mira' }));
    const file = await readText(await exportChat(me, id));
    const copy = await importConversation(me, file, await addCharacter({ name: 'Brann' }));
    expect(copy.character_name).toBe('Brann');
    expect((await listMessages(me, copy.id))[0]).toMatchObject({ name: 'Mira' });
  });

  test('a chat import keeps unknown fields of the chat and its messages', async () => {
    const me = await signInGuest();
    const header = { user_name: 'Tam', character_name: 'Orla', chat_metadata: { tainted: true } };
    const withExtras = {
      ...JSON.parse(buildLine('Hush.')),
      force_avatar: 'x.png',
      extra: { token_count: 7 },
    };
    const file = [header, withExtras].map((one) => JSON.stringify(one)).join('\n');
    const copy = await importConversation(me, file, await addCharacter());
    const out = (await readText(await exportChat(me, copy.id))).trimEnd().split('\n');
    expect(JSON.parse(out[0] ?? '')).toMatchObject({ chat_metadata: { tainted: true } });
    expect(JSON.parse(out[1] ?? '')).toMatchObject({ force_avatar: 'x.png', extra: { token_count: 7 } });
  });
});

test('a chat import with too many pins keeps the newest pins', async () => {
  const me = await signInGuest();
  const lines = Array.from({ length: 130 }, (_, index) =>
    buildLine(`Message ${index}`).replace(/}$/, ',"loreloom":{"pinned":true}}'),
  );
  const { id } = await importConversation(me, [HEADER, ...lines].join('\n'), await addCharacter());
  const pins = (await readHistory(me, id)).filter(({ pinned }) => pinned).map(({ content }) => content);
  expect(pins).toEqual(
    Array.from({ length: MAX_PINNED }, (_, index) => `Message ${index + 130 - MAX_PINNED}`),
  );
});

test('a conversation at the import limit refuses further messages with an explanation', async () => {
  const me = await signInGuest();
  const chat = await startConversationClient(me);
  await chat.send('Hello.');
  const [, messageId] = (await chat.ids()) as [string, string];
  const setMessageCount = async (count: number) => {
    await runInDurableObject(getConversationStub(chat.id), (_, { storage: { sql } }) => {
      sql.exec('update meta set message_count = ?', count);
    });
    await evictDurableObject(getConversationStub(chat.id));
  };
  await setMessageCount(CHAT_FILE.maxMessages - 1);
  const refused = await postMessage(me, chat.id, 'One too many.');
  expect({ status: refused.status, body: await refused.json() }).toEqual({
    status: 409,
    body: {
      error: expect.any(String),
      code: 'conversation_full',
    },
  });
  expect(await chat.ids()).toHaveLength(3);
  const { id } = await chat.discard(messageId);
  await setMessageCount(CHAT_FILE.maxMessages - 1);
  const restored = await me.call(`/api/conversations/${chat.id}/trash/${id}/restore`, { method: 'POST' });
  expect({ status: restored.status, body: await restored.json() }).toMatchObject({
    status: 409,
    body: { code: 'conversation_full' },
  });
  await setMessageCount(CHAT_FILE.maxMessages - 2);
  await chat.restore(id);
  expect(await chat.ids()).toHaveLength(3);
});

describe('Conversation export', () => {
  test('a conversation export marks the messages that a model wrote', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id);
    const out = (await readText(await exportChat(me, id)))
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one) as { is_user: boolean; extra?: { ai_generated: boolean } });
    expect(out.slice(1).map(({ is_user, extra }) => [is_user, extra?.ai_generated])).toEqual([
      [false, false],
      [true, false],
      [false, true],
    ]);
  });

  test('a conversation export is a private download with a descriptive file name', async () => {
    const me = await signInGuest();
    const id = await startConversation(me, await addCharacter({ name: 'Мира/"x"' }));
    for (const [format, type] of [
      ['jsonl', 'application/x-ndjson; charset=utf-8'],
      ['md', 'text/markdown; charset=utf-8'],
    ] as const) {
      const answer = await exportChat(me, id, format);
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': type,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      });
      const disposition = answer.headers.get('content-disposition') ?? '';
      expect(disposition).toMatch(/^attachment; filename="[ -~]+"; filename\*=UTF-8''[\w.~%-]+$/);
      expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).toMatch(
        new RegExp(`^Мира__x_ - \\d{4}-\\d\\d-\\d\\d\\.${format}$`),
      );
      await answer.arrayBuffer();
    }
  });

  test('a Markdown export of a conversation contains the selected versions, names and AI marks', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'Hello, *you*.');
    const text = await readText(await exportChat(me, id, 'md'));
    expect(text).toContain('- Character: Mira\n');
    expect(text).toContain('\n> Hello, *you*.\n');
    expect(text.match(/Written by AI/g)).toHaveLength(1);
    expect(text.match(/<!-- ai_generated: true -->/g)).toHaveLength(1);
  });

  test('only the owner can export a conversation, and only in the two known formats', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    expect((await exportChat(await signInGuest(), id)).status).toBe(404);
    expect((await exportChat(me, id, 'exe')).status).toBe(400);
    expect((await exportChat(me, 'unknown')).status).toBe(404);
  });
});

describe('Rejected chat imports', () => {
  test('a chat import with one invalid line names the line and creates nothing', async () => {
    const me = await signInGuest();
    const lines = Array.from({ length: 300 }, (_, index) => buildLine(`Message ${index}`));
    const answer = await importChat(me, [HEADER, ...lines, '{"name":'].join('\n'), await addCharacter());
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 422,
      body: {
        error: expect.any(String),
        code: 'import_line_invalid',
        line: 302,
        reason: 'This line is not JSON.',
        reason_code: 'not_json',
      },
    });
    expect(await countConversations(me)).toBe(0);
    expect(await me.ask('/api/chats')).toEqual({ chats: [] });
  });

  test.each([
    ['another file type', 'PK\u0003\u0004', 1],
    ['an empty file', '', 1],
    ['an unknown header', '{"format":"other"}', 1],
    ['a message without text', `${HEADER}\n{"name":"Orla","is_user":false}`, 2],
    ['bytes that are not text', new Uint8Array([...new TextEncoder().encode(`${HEADER}\n`), 0xff]), 2],
  ])(
    'an unreadable chat file names the first invalid line and creates nothing: %s',
    async (_, file, expected) => {
      const me = await signInGuest();
      const answer = await importChat(me, file, await addCharacter());
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 422,
        body: { code: 'import_line_invalid', line: expected, reason: expect.any(String) },
      });
      expect(await countConversations(me)).toBe(0);
    },
  );

  test('a chat import form without a file or a character is refused', async () => {
    const me = await signInGuest();
    const mira = await addCharacter();
    for (const [options, field] of [
      [buildImportForm(null, mira), 'file'],
      [buildImportForm(HEADER), 'character_id'],
      [buildImportForm(HEADER, ''), 'character_id'],
      [{ method: 'POST' }, 'file'],
    ] as const) {
      const answer = await me.call('/api/conversations/import', options);
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 400,
        body: { code: 'invalid_input', fields: { [field]: [expect.any(String)] } },
      });
    }
  });

  test('a chat import that is not a multipart form is refused', async () => {
    const me = await signInGuest();
    for (const type of [
      'application/json',
      'application/x-ndjson',
      'text/plain',
      'multipart/mixed; boundary=x',
    ]) {
      const answer = await me.call('/api/conversations/import', {
        method: 'POST',
        body: HEADER,
        headers: { 'content-type': type },
      });
      expect({ type, status: answer.status, body: await answer.json() }).toMatchObject({
        type,
        status: 415,
        body: { code: 'unsupported_media', error: 'Send this as multipart/form-data.' },
      });
    }
    const broken = await me.call('/api/conversations/import', {
      method: 'POST',
      body: '--x\r\nnothing',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    expect(broken.status).toBe(400);
  });

  test(
    'a chat import larger than 50 MiB is refused and one of exactly 50 MiB is read @all',
    { timeout: 120_000 },
    async () => {
      const me = await createAccount();
      const mira = await addCharacter();
      const limit = 50 * 1024 * 1024;
      const tooLarge = await importChat(me, new Uint8Array(limit + 1).fill(0x20), mira);
      expect({ status: tooLarge.status, body: await tooLarge.json() }).toMatchObject({
        status: 413,
        body: { code: 'too_large' },
      });
      // Blank lines add size and nothing else.
      const file = new Uint8Array(limit).fill(0x20);
      for (let at = 0; at < limit; at += 1024 * 1024) file[at] = 0x0a;
      file.set(new TextEncoder().encode(`${HEADER}\n${buildLine('Small.')}\n`));
      expect(await importConversation(me, file, mira)).toMatchObject({ message_count: 1 });
    },
  );

  test('a chat import needs a session and a character that the user can open', async () => {
    const me = await signInGuest();
    expect((await importChat(me, HEADER, 'unknown')).status).toBe(404);
    const hidden = await addCharacter({ visibility: 'private' });
    expect((await importChat(me, HEADER, hidden)).status).toBe(404);
    const loggedOut = await signInGuest();
    loggedOut.cookie = '';
    expect((await importChat(loggedOut, HEADER, await addCharacter())).status).toBe(401);
    expect(await countConversations(me)).toBe(0);
  });

  test.each(['hidden', 'removed'] as const)(
    "an import for the user's own character is refused while moderation has it %s",
    async (moderation) => {
      const me = await createAccount();
      const answer = await importChat(me, HEADER, await addCharacter({ creatorId: me.id, moderation }));
      expect([answer.status, await answer.json()]).toMatchObject([409, { code: `character_${moderation}` }]);
      expect((await importChat(me, HEADER, await addCharacter({ moderation }))).status).toBe(404);
      expect(await countConversations(me)).toBe(0);
    },
  );

  test('a chat import form from another site is refused', async () => {
    const me = await signInGuest();
    const answer = await me.call('/api/conversations/import', {
      ...buildImportForm(HEADER, await addCharacter()),
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.status).toBe(403);
    expect(await countConversations(me)).toBe(0);
  });
});

test('other routes refuse multipart forms', async () => {
  const me = await signInGuest();
  const id = await startConversation(me);
  const answer = await me.call(`/api/conversations/${id}/messages`, buildImportForm('x', 'y'));
  expect(answer.status).toBe(415);
  expect((await postMessage(me, id, 'x'.repeat(9000))).status).toBe(400);
  expect(await getConversationStub(id).describe(me.id)).toMatchObject({ ok: true });
});

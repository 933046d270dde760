// Over 400 lines: what goes out as a file and comes in again, told over the same few stories.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { CHAT_FILE, MAX_PINNED } from '../../src/features/conversation/limits.ts';
import type { Conversation, ConversationPage, Message } from '../../src/features/conversation/contract.ts';
import { startConversationClient } from '../support/conversation-client.ts';
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
} from '../support/factories.ts';
import { createScene } from '../support/scripted-model.ts';

/** The text of a download: its type does not say to everybody that it is text. */
const textOf = async (answer: Response): Promise<string> =>
  new TextDecoder('utf-8', { fatal: true }).decode(await answer.arrayBuffer());

const exported = (me: Visitor, id: string, format = 'jsonl'): Promise<Response> =>
  me.call(`/api/conversations/${id}/export?format=${format}`);

function form(file: BlobPart | null, characterId?: string): CallOptions {
  const body = new FormData();
  if (characterId !== undefined) body.set('character_id', characterId);
  if (file !== null) body.set('file', new Blob([file]), 'chat.jsonl');
  return { method: 'POST', body };
}

const bringIn = (me: Visitor, file: BlobPart, characterId: string): Promise<Response> =>
  me.call('/api/conversations/import', form(file, characterId));

async function broughtIn(me: Visitor, file: BlobPart, characterId: string): Promise<Conversation> {
  const answer = await bringIn(me, file, characterId);
  const text = await answer.text();
  expect({ status: answer.status, text }).toMatchObject({ status: 201 });
  return (JSON.parse(text) as { conversation: Conversation }).conversation;
}

const rows = async (me: Visitor): Promise<number> =>
  (await env.DB.prepare('select count(*) as count from conversations where owner_id = ?')
    .bind(me.id)
    .first<number>('count')) ?? -1;

/** Every message of a conversation, oldest first, by pages. */
async function history(me: Visitor, id: string): Promise<Message[]> {
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

/** What lasts of a message when it moves into another conversation. */
const lasting = ({ role, name, content, created_at, edited, status, versions, ...rest }: Message) => ({
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
const line = (text: string, isUser = false): string =>
  JSON.stringify({ name: isUser ? 'Tam' : 'Orla', is_user: isUser, send_date: 1_690_000_000_000, mes: text });

describe('A conversation that I take along and bring in again', () => {
  test('is the same conversation', async () => {
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
    const mine = (await listMessages(me, id))[1] as Message;
    await me.ask(`/api/conversations/${id}/messages/${mine.id}`, {
      method: 'PATCH',
      json: { content: 'Tell me less.' },
    });
    await me.ask(`/api/conversations/${id}/messages/${reply.id}/version`, {
      method: 'PUT',
      json: { version_id: reply.selected_version_id },
    });
    await me.ask(`/api/conversations/${id}`, { method: 'PATCH', json: { title: 'Rain, again' } });

    const file = await textOf(await exported(me, id));
    const copy = await broughtIn(me, file, mira);
    expect(copy.id).not.toBe(id);
    const before = await me.ask<ConversationPage>(`/api/conversations/${id}`);
    expect(copy).toMatchObject({
      title: 'Rain, again',
      character_id: mira,
      created_at: before.conversation.created_at,
      message_count: before.messages.length,
    });
    expect((await history(me, copy.id)).map(lasting)).toEqual(before.messages.map(lasting));
    expect(before.messages.some(({ versions }) => versions.length > 1)).toBe(true);
    const again = await textOf(await exported(me, copy.id));
    expect(again).toBe(file);
  });

  test('has the persona that I was, when I have one of that name, and its name alone is in the file', async () => {
    const me = await signInGuest();
    const mira = await addCharacter();
    const wren = await me.ask<{ id: string }>('/api/personas', {
      json: { name: 'Wren', description: 'Maps coasts.' },
      status: 201,
    });
    const id = await startConversation(me, mira);
    await sendMessage(me, id, 'Hello.');
    await me.ask(`/api/conversations/${id}/persona`, { method: 'PUT', json: { persona_id: wren.id } });
    const file = await textOf(await exported(me, id));
    expect(file).not.toContain('Maps coasts.');
    expect(file).not.toContain(wren.id);
    const copy = await broughtIn(me, file, mira);
    expect(copy).toMatchObject({ persona: { id: wren.id, name: 'Wren' }, own_name: 'Stranger' });
    expect(await textOf(await exported(me, copy.id))).toBe(file);
    // Whoever has none of that name is called so, and is nobody else.
    const theirs = await broughtIn(await signInGuest(), file, mira);
    expect(theirs).toMatchObject({ persona: null, user_name: 'Wren', own_name: 'Wren' });
  });

  test('goes on: it is listed, and I am answered in it', async () => {
    const me = await signInGuest();
    const mira = await addCharacter();
    const copy = await broughtIn(me, [HEADER, line('You came.'), line('I did.', true)].join('\n'), mira);
    await sendMessage(me, copy.id, 'And now?');
    expect(await listMessages(me, copy.id)).toHaveLength(4);
    const { chats } = await me.ask<{ chats: { id: string; message_count: number }[] }>('/api/chats');
    expect(chats).toEqual([expect.objectContaining({ id: copy.id, message_count: 4 })]);
  });

  test('keeps 5,000 messages, in their order', { timeout: 120_000 }, async () => {
    const me = await signInGuest();
    const texts = Array.from({ length: 5000 }, (_, index) => `Message ${index}. ${'x'.repeat(index % 300)}`);
    const lines = texts.map((text, index) => line(text, index % 2 === 1));
    const copy = await broughtIn(me, [HEADER, ...lines].join('\n'), await addCharacter());
    expect(copy.message_count).toBe(5000);
    const answer = await exported(me, copy.id);
    const out = (await textOf(answer)).trimEnd().split('\n');
    expect(out.slice(1).map((one) => (JSON.parse(one) as { mes: string }).mes)).toEqual(texts);
  });

  test('under another character tells who really spoke', async () => {
    const me = await signInGuest();
    const id = await startConversation(me, await addCharacter({ name: 'Mira' }));
    const file = await textOf(await exported(me, id));
    const copy = await broughtIn(me, file, await addCharacter({ name: 'Brann' }));
    expect(copy.character_name).toBe('Brann');
    expect((await listMessages(me, copy.id))[0]).toMatchObject({ name: 'Mira' });
  });

  test('keeps what another program knows of the chat and of its lines', async () => {
    const me = await signInGuest();
    const header = { user_name: 'Tam', character_name: 'Orla', chat_metadata: { note_prompt: 'Rain.' } };
    const spoken = { ...JSON.parse(line('Hush.')), force_avatar: 'x.png', extra: { token_count: 7 } };
    const file = [header, spoken].map((one) => JSON.stringify(one)).join('\n');
    const copy = await broughtIn(me, file, await addCharacter());
    const out = (await textOf(await exported(me, copy.id))).trimEnd().split('\n');
    expect(JSON.parse(out[0] ?? '')).toMatchObject({ chat_metadata: { note_prompt: 'Rain.' } });
    expect(JSON.parse(out[1] ?? '')).toMatchObject({ force_avatar: 'x.png', extra: { token_count: 7 } });
  });
});

test('A chat that pins more than there may be pinned keeps the newest of its pins', async () => {
  const me = await signInGuest();
  const lines = Array.from({ length: 130 }, (_, index) =>
    line(`Message ${index}`).replace(/}$/, ',"loreloom":{"pinned":true}}'),
  );
  const { id } = await broughtIn(me, [HEADER, ...lines].join('\n'), await addCharacter());
  const pins = (await history(me, id)).filter(({ pinned }) => pinned).map(({ content }) => content);
  expect(pins).toEqual(
    Array.from({ length: MAX_PINNED }, (_, index) => `Message ${index + 130 - MAX_PINNED}`),
  );
});

test('A conversation takes no more messages than can be brought in again, and says so', async () => {
  const me = await signInGuest();
  const chat = await startConversationClient(me);
  await chat.send('Hello.');
  const [, mine] = (await chat.ids()) as [string, string];
  const holds = (count: number) =>
    runInDurableObject(getConversationStub(chat.id), (_, { storage: { sql } }) => {
      sql.exec('update meta set message_count = ?', count);
    });
  await holds(CHAT_FILE.maxMessages - 1);
  const refused = await postMessage(me, chat.id, 'One too many.');
  expect({ status: refused.status, body: await refused.json() }).toEqual({
    status: 409,
    body: {
      error: 'This conversation is full and holds no more messages. Go on in a new one.',
      code: 'conversation_full',
    },
  });
  expect(await chat.ids()).toHaveLength(3);
  const { id } = await chat.discard(mine);
  await holds(CHAT_FILE.maxMessages - 1);
  const restored = await me.call(`/api/conversations/${chat.id}/trash/${id}/restore`, { method: 'POST' });
  expect({ status: restored.status, body: await restored.json() }).toMatchObject({
    status: 409,
    body: { code: 'conversation_full' },
  });
  await holds(CHAT_FILE.maxMessages - 2);
  await chat.restore(id);
  expect(await chat.ids()).toHaveLength(3);
});

describe('A conversation as a file', () => {
  test('marks for programs what a model wrote', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id);
    const out = (await textOf(await exported(me, id)))
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one) as { is_user: boolean; extra?: { ai_generated: boolean } });
    expect(out.slice(1).map(({ is_user, extra }) => [is_user, extra?.ai_generated])).toEqual([
      [false, false],
      [true, false],
      [false, true],
    ]);
  });

  test('is to be kept, under a name that says what it is, and by nobody else', async () => {
    const me = await signInGuest();
    const id = await startConversation(me, await addCharacter({ name: 'Мира/"x"' }));
    for (const [format, type] of [
      ['jsonl', 'application/x-ndjson; charset=utf-8'],
      ['md', 'text/markdown; charset=utf-8'],
    ] as const) {
      const answer = await exported(me, id, format);
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': type,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      });
      const named = answer.headers.get('content-disposition') ?? '';
      expect(named).toMatch(/^attachment; filename="[ -~]+"; filename\*=UTF-8''[\w.~%-]+$/);
      expect(decodeURIComponent(named.split("UTF-8''")[1] ?? '')).toMatch(
        new RegExp(`^Мира__x_ - \\d{4}-\\d\\d-\\d\\d\\.${format}$`),
      );
      await answer.arrayBuffer();
    }
  });

  test('in Markdown is read by people: the chosen versions, names, and what was written by AI', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, 'Hello, *you*.');
    const text = await textOf(await exported(me, id, 'md'));
    expect(text).toContain('- Character: Mira\n');
    expect(text).toContain('\n> Hello, *you*.\n');
    expect(text.match(/Written by AI/g)).toHaveLength(1);
    expect(text.match(/<!-- ai_generated: true -->/g)).toHaveLength(1);
  });

  test('is nobody else’s, and comes in two formats only', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    expect((await exported(await signInGuest(), id)).status).toBe(404);
    expect((await exported(me, id, 'exe')).status).toBe(400);
    expect((await exported(me, 'unknown')).status).toBe(404);
  });
});

describe('A file that cannot be brought in creates nothing', () => {
  test('when only its last line is bad: that line is named', async () => {
    const me = await signInGuest();
    const lines = Array.from({ length: 300 }, (_, index) => line(`Message ${index}`));
    const answer = await bringIn(me, [HEADER, ...lines, '{"name":'].join('\n'), await addCharacter());
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 422,
      body: {
        error: 'A line of this file cannot be read as part of a chat. Nothing was brought in.',
        code: 'import_line_invalid',
        line: 302,
        reason: 'This line is not JSON.',
        reason_code: 'not_json',
      },
    });
    expect(await rows(me)).toBe(0);
    expect(await me.ask('/api/chats')).toEqual({ chats: [] });
  });

  test.each([
    ['that is no chat', 'PK\u0003\u0004', 1],
    ['that is empty', '', 1],
    ['whose header is something else', '{"format":"other"}', 1],
    ['with a message that has no text', `${HEADER}\n{"name":"Orla","is_user":false}`, 2],
    ['with bytes that are no text', new Uint8Array([...new TextEncoder().encode(`${HEADER}\n`), 0xff]), 2],
  ])('%s', async (_, file, expected) => {
    const me = await signInGuest();
    const answer = await bringIn(me, file, await addCharacter());
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 422,
      body: { code: 'import_line_invalid', line: expected, reason: expect.any(String) },
    });
    expect(await rows(me)).toBe(0);
  });

  test('because something is missing from the form', async () => {
    const me = await signInGuest();
    const mira = await addCharacter();
    for (const [options, field] of [
      [form(null, mira), 'file'],
      [form(HEADER), 'character_id'],
      [form(HEADER, ''), 'character_id'],
      [{ method: 'POST' }, 'file'],
    ] as const) {
      const answer = await me.call('/api/conversations/import', options);
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 400,
        body: { code: 'invalid_input', fields: { [field]: [expect.any(String)] } },
      });
    }
  });

  test('because it is not sent as a form', async () => {
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

  test('because it is larger than 50 MiB; one of just that size is read', { timeout: 120_000 }, async () => {
    const me = await signInGuest();
    const mira = await addCharacter();
    const limit = 50 * 1024 * 1024;
    const tooLarge = await bringIn(me, new Uint8Array(limit + 1).fill(0x20), mira);
    expect({ status: tooLarge.status, body: await tooLarge.json() }).toMatchObject({
      status: 413,
      body: { code: 'too_large' },
    });
    // Blank lines count for nothing but their size.
    const file = new Uint8Array(limit).fill(0x20);
    for (let at = 0; at < limit; at += 1024 * 1024) file[at] = 0x0a;
    file.set(new TextEncoder().encode(`${HEADER}\n${line('Small.')}\n`));
    expect(await broughtIn(me, file, mira)).toMatchObject({ message_count: 1 });
  });

  test('because the character is not there for me, or nobody knows me', async () => {
    const me = await signInGuest();
    expect((await bringIn(me, HEADER, 'unknown')).status).toBe(404);
    const hidden = await addCharacter({ visibility: 'private' });
    expect((await bringIn(me, HEADER, hidden)).status).toBe(404);
    const nobody = await signInGuest();
    nobody.cookie = '';
    expect((await bringIn(nobody, HEADER, await addCharacter())).status).toBe(401);
    expect(await rows(me)).toBe(0);
  });

  test.each(['hidden', 'removed'] as const)(
    'because moderation has my own character %s, and nobody would answer',
    async (moderation) => {
      const me = await createAccount();
      const answer = await bringIn(me, HEADER, await addCharacter({ creatorId: me.id, moderation }));
      expect([answer.status, await answer.json()]).toMatchObject([409, { code: `character_${moderation}` }]);
      expect((await bringIn(me, HEADER, await addCharacter({ moderation }))).status).toBe(404);
      expect(await rows(me)).toBe(0);
    },
  );

  test('because the form comes from another site', async () => {
    const me = await signInGuest();
    const answer = await me.call('/api/conversations/import', {
      ...form(HEADER, await addCharacter()),
      headers: { origin: 'https://evil.example' },
    });
    expect(answer.status).toBe(403);
    expect(await rows(me)).toBe(0);
  });
});

test('Other routes take no forms', async () => {
  const me = await signInGuest();
  const id = await startConversation(me);
  const answer = await me.call(`/api/conversations/${id}/messages`, form('x', 'y'));
  expect(answer.status).toBe(415);
  expect((await postMessage(me, id, 'x'.repeat(9000))).status).toBe(400);
  expect(await getConversationStub(id).describe(me.id)).toMatchObject({ ok: true });
});

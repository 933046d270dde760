// Over 400 lines: one archive, checked file by file, of a user with data of every kind.
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../src/features/conversation/contract.ts';
import { escapeHtml } from '../../../../src/lib/html.ts';
import { loadTexts } from '../../../../src/locales/i18n.ts';
import { type ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import {
  Archive,
  downloadArchive,
  downloadDocument,
  EXPORT_PATH,
  createUserWithData,
  type ExportedChat,
} from '../../../support/data-export.ts';
import {
  addCharacter,
  startConversation,
  signInGuest,
  createTurnId,
  sendMessage,
  Visitor,
  listConversation,
} from '../../../support/factories.ts';

const { t } = await loadTexts('en');

/** Lists the elements of a page with their attributes, as a browser parses them. */
async function listElements(html: string): Promise<string[]> {
  const found: string[] = [];
  const rewriter = new HTMLRewriter().on('*', {
    element: (element) => {
      const { tagName, attributes } = element as unknown as {
        tagName: string;
        attributes: Iterable<[string, string]>;
      };
      found.push([tagName, ...[...attributes].map(([name]) => name)].join(' '));
    },
  });
  await rewriter.transform(new Response(html)).arrayBuffer();
  return [...new Set(found)];
}

/** Reads the newest message. */
async function readLastMessage(chat: ConversationClient): Promise<Message> {
  return (await chat.page('?limit=1')).messages.at(-1) as Message;
}

describe('Account export', () => {
  test("the account export contains every part of the user's data and no secret", async () => {
    const { me, own, key } = await createUserWithData('zanthine');
    const id = await startConversation(me, own);
    await sendMessage(me, id, 'A word: quillon.');
    const archive = await downloadArchive(me);
    const account = archive.json('account.json');
    expect(account).toMatchObject({
      profile: {
        id: me.id,
        email: me.email,
        nickname: 'Nzanthine',
        email_notifications: true,
        personal_suggestions: true,
        avatar_id: null,
        account_since: expect.stringMatching(/Z$/),
      },
      google: [{ subject: 'sub-zanthine' }],
      sessions: [{ id: expect.any(String), user_agent: expect.any(String) }],
      invites: {
        code: expect.any(String),
        invitee_count: 0,
        commissions: [{ amount_cents: 105, status: 'due' }],
      },
      deletion_request: [{ requested_at: expect.any(String) }],
      mails_waiting: [{ kind: 'deletion_link', details: { site: 'https://loreloom.test' } }],
      feedback: [{ message: 'Told zanthine' }],
      pictures: [{ id: key, bytes: 4 }],
    });
    expect(archive.json<unknown[]>('personas.json')).toMatchObject([
      { name: 'Wren', description: 'Maps zanthine coasts.' },
    ]);
    expect(archive.json('points.json')).toMatchObject({
      now: { current_points: 49 },
      ledger: [
        { kind: 'message', amount: -1, balance_after: 49, event_id: expect.any(String) },
        { kind: 'opening' },
      ],
    });
    expect(archive.json('characters/Own.v2.json')).toMatchObject({
      spec: 'chara_card_v2',
      data: { name: 'Own', description: 'Traits zanthine', tags: ['fantasy'], creator: 'Nzanthine' },
    });
    expect(archive.json('characters/Own.v3.json')).toMatchObject({
      spec: 'chara_card_v3',
      spec_version: '3.0',
      data: { first_mes: expect.stringContaining('{{user}}'), group_only_greetings: [] },
    });
    expect(archive.json<unknown[]>('characters.json')).toEqual([
      {
        id: own,
        name: 'Own',
        about: '',
        avatar_id: key,
        summary: null,
        featured: false,
        chat_count: 0,
        version: 1,
        moderation: 'shown',
        language: null,
        deleted_at: null,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect([...(archive.files[`pictures/${key}`] ?? [])]).toEqual([1, 2, 3, 4]);
    const all = archive.readAllText();
    const { results } = await env.DB.prepare('select id from sessions where user_id = ?')
      .bind(me.id)
      .all<{ id: string }>();
    for (const secret of ['secret-zanthine', 'hash-zanthine', ...results.map((row) => row.id)])
      expect(all).not.toContain(secret);
  });
});

describe('Own content and preferences in the export', () => {
  test('the account export contains character versions, reports, favourites, likes, follows and hidden items', async () => {
    const { me, own } = await createUserWithData('quibble');
    await me.ask(`/api/characters/${own}`, { method: 'PATCH', json: { character_traits: 'Later quibble.' } });
    const foreignCharacter = await addCharacter();
    await me.ask(`/api/characters/${foreignCharacter}/reports`, {
      json: { reason: 'spam', details: 'Again and again.' },
      status: 201,
    });
    await env.DB.batch(
      [
        'insert into favourites (user_id, character_id, created_at) values (?1, ?2, 5)',
        'insert into likes (user_id, character_id, created_at) values (?1, ?2, 5)',
        'insert into follows (user_id, creator_id, created_at) select ?1, creator_id, 5 from characters where id = ?2',
        "insert into hidden_items (user_id, kind, target, created_at) select ?1, 'tag', 'rpg', 5 where ?2 <> ''",
      ].map((statement) => env.DB.prepare(statement).bind(me.id, foreignCharacter)),
    );
    const archive = await downloadArchive(me);
    expect(archive.json('account.json')).toMatchObject({
      reports: [
        { character_id: foreignCharacter, reason: 'spam', details: 'Again and again.', status: 'open' },
      ],
      favourites: [{ character_id: foreignCharacter }],
      likes: [{ character_id: foreignCharacter }],
      follows: [{ creator_id: expect.any(String) }],
      hidden: [{ kind: 'tag', what: 'rpg' }],
    });
    const versions = [
      { version: 1, definition: { character_traits: 'Traits quibble' } },
      { version: 2, definition: { character_traits: 'Later quibble.' } },
    ];
    expect(archive.json('characters/Own.versions.json')).toMatchObject(versions);
    expect(await downloadDocument(me)).toMatchObject({ characters: [{ version: 2, versions }] });
  });
});

describe('Feedback in the export', () => {
  test("the account export contains logged-out feedback with the user's address, and no other feedback", async () => {
    const { me } = await createUserWithData('umbrage');
    const other = await createUserWithData('thicket');
    const insertFeedback = (words: string, userId: string | null, email: string | null) =>
      env.DB.prepare(
        "insert into feedback (id, user_id, message, email, language, created_at) values (?, ?, ?, ?, 'en', ?)",
      )
        .bind(createTurnId(), userId, words, email, Date.now())
        .run();
    await insertFeedback('From before.', null, me.email.toUpperCase());
    await insertFeedback('Of nobody.', null, null);
    await insertFeedback('With my address, by somebody else.', other.me.id, me.email);
    const { feedback } = (await downloadArchive(me)).json<{ feedback: { message: string }[] }>(
      'account.json',
    );
    expect(feedback.map(({ message }) => message).toSorted()).toEqual(['From before.', 'Told umbrage']);
    const guests = (await downloadArchive(await signInGuest())).json<{ feedback: unknown[] }>('account.json');
    expect(guests.feedback).toEqual([]);
  });
});

describe('Deleted pictures in the export', () => {
  test('a picture that is being deleted is neither exported nor reported as missing', async () => {
    const { me, key } = await createUserWithData('dwindle');
    const deletedKey = `${'0'.repeat(32)}.png`;
    await env.DB.prepare('insert into pictures (key, owner_id, bytes, created_at) values (?, ?, 1, 0)')
      .bind(deletedKey, me.id)
      .run();
    const archive = await downloadArchive(me);
    expect(archive.json('account.json')).toMatchObject({ pictures: [{ id: key }] });
    expect(archive.text('index.html')).not.toContain(escapeHtml(t('export:missingTitle')));
  });
});

describe('Conversations in the export', () => {
  test('exported conversations contain versions, pins, memory, persona, deleted messages and trash', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('Tell me *more*. 🌧️ "שלום"');
    const [, userMessage, reply] = (await chat.messages()) as [Message, Message, Message];
    await chat.regenerate(reply.id);
    await chat.edit(userMessage.id, 'Tell me less.');
    await chat.pin(userMessage.id);
    await chat.ask('/memory', { method: 'PUT', json: { entries: [{ text: 'Noted: thimblerig.' }] } });
    const wren = await me.ask<{ id: string }>('/api/personas', {
      json: { name: 'Wren', description: 'Maps coasts.' },
      status: 201,
    });
    await chat.ask('/persona', { method: 'PUT', json: { persona_id: wren.id } });
    await chat.ask('', { method: 'PATCH', json: { title: 'Rain, again' } });
    await chat.send('This one I regret: flummox.');
    const discarded = (await chat.messages()).at(-2) as Message;
    await chat.discard(discarded.id);
    const trashedChat = await startConversationClient(me, await addCharacter({ name: 'Brann' }));
    await trashedChat.send('Farewell.');
    expect((await me.call(`/api/conversations/${trashedChat.id}`, { method: 'DELETE' })).ok).toBe(true);

    const archive = await downloadArchive(me);
    const day = new Date().toISOString().slice(0, 10);
    const name = `chats/${day} - Mira - Rain, again`;
    expect(archive.paths).toEqual(
      expect.arrayContaining([`${name}.jsonl`, `${name}.html`, `${name}.memory.json`]),
    );
    const page = archive.text(`${name}.html`);
    for (const text of [
      '<html lang="en" dir="ltr">',
      'Rain, again',
      'Wren',
      'Maps coasts.',
      'Noted: thimblerig.',
      'Tell me less.',
      '<em>more</em>',
      'שלום',
      escapeHtml(t('chat:aiWritten')),
      'data-ai-generated="true"',
      escapeHtml(t('chat:stateEdited')),
      escapeHtml(t('chat:statePinned')),
      escapeHtml(t('export:otherVersionsLabel')),
      escapeHtml(t('chat:trashMenu')),
      'flummox',
    ])
      expect(page).toContain(text);
    const index = archive.text('index.html');
    const links = [...index.matchAll(/href="([^"]+)"/g)].map(([, href]) =>
      decodeURIComponent(href as string),
    );
    expect(links.toSorted()).toEqual(archive.paths.filter((path) => path !== 'index.html'));
    expect(index).toContain(escapeHtml(t('export:inTrashUntilLabel')));
    expect(archive.text(archive.path(/ - Brann( - .+)?\.html$/))).toContain(
      escapeHtml(t('export:inTrashUntilLabel')),
    );

    const { conversations, missing, next } = await downloadDocument(me);
    expect({ missing, next }).toEqual({ missing: [], next: null });
    expect(conversations).toMatchObject([
      {
        id: chat.id,
        title: 'Rain, again',
        persona: { name: 'Wren' },
        deleted_at: null,
        memory: [{ text: 'Noted: thimblerig.' }],
      },
      { id: trashedChat.id, deleted_at: expect.any(String) },
    ]);
    const [exportedChat] = conversations as [ExportedChat];
    expect(exportedChat.messages?.map(({ versions }) => versions.length)).toEqual([1, 2, 2, 1, 1]);
    expect(exportedChat.messages?.map(({ deleted_at: at }) => at !== undefined)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(exportedChat.messages?.map(({ versions }) => versions[0]?.ai_generated)).toEqual([
      false,
      false,
      true,
      false,
      true,
    ]);
    expect(exportedChat.messages?.[1]?.pinned).toBe(true);
  });

  test('an exported conversation can be imported again and stays the same', async () => {
    const me = await signInGuest();
    const mira = await addCharacter();
    const chat = await startConversationClient(me, mira);
    await chat.send('Tell me.');
    await chat.regenerate((await chat.ids()).at(-1) as string);
    const archive = await downloadArchive(me);
    const file = archive.text(archive.path('.jsonl'));
    expect(file).toContain('"ai_generated":true');
    const body = new FormData();
    body.set('character_id', mira);
    body.set('file', new Blob([file]), 'chat.jsonl');
    const { conversation: copy } = await me.ask<{ conversation: { id: string } }>(
      '/api/conversations/import',
      {
        method: 'POST',
        body,
        status: 201,
      },
    );
    const exported = await me.call(`/api/conversations/${copy.id}/export?format=jsonl`);
    expect(new TextDecoder().decode(await exported.arrayBuffer())).toBe(file);
  });

  test('exported texts are escaped, and file names are valid on every system', async () => {
    const me = await signInGuest();
    const hostile =
      '</p></main><script>alert(1)</script><img src=x onerror=alert(1)>"\'><svg/onload=alert(1)> <!-- ';
    const mira = await addCharacter({ name: '../../CON<b>' });
    for (const title of [
      hostile.slice(0, 100),
      hostile.slice(0, 100),
      '..\\..\u202Egpj.exe',
      '🏴‍☠️'.repeat(16),
    ]) {
      const chat = await startConversationClient(me, mira);
      await chat.insertMessages(
        hostile,
        `\`\`\`\n${hostile}\n\`\`\`\n> ${hostile}\n- [x](javascript:alert(1)) ![y"><i>](http://a.test/)`,
      );
      await chat.ask('', { method: 'PATCH', json: { title } });
      await chat.ask('/memory', { method: 'PUT', json: { entries: [{ text: hostile }] } });
    }
    await me.ask('/api/personas', { json: { name: '<u>', description: hostile }, status: 201 });
    const archive = await downloadArchive(me);
    expect(archive.paths.filter((path) => path.endsWith('.jsonl'))).toHaveLength(4);
    for (const path of archive.paths) {
      expect(path).toMatch(/^(?:chats\/)?[^/\\:*?"<>|%\p{C}]+$/u);
      for (const part of path.split('/')) {
        expect(new TextEncoder().encode(part).length).toBeLessThanOrEqual(200);
        expect(part).not.toMatch(/^\.|[.\s]$/);
      }
      if (!path.endsWith('.html')) continue;
      const elements = await listElements(archive.text(path));
      expect(elements.filter((one) => /^(?:script|img|svg|b |i |u )| on|javascript/.test(one))).toEqual([]);
      expect(archive.text(path)).not.toContain('javascript:alert(1)"');
    }
  });

  test(
    'a conversation is exported while it is downloaded, so a later edit is included',
    { timeout: 120_000 },
    async () => {
      const me = await signInGuest();
      const chat = await startConversationClient(me);
      const random = () =>
        Array.from(crypto.getRandomValues(new Uint8Array(24_000)), (byte) => byte.toString(16)).join('');
      for (let at = 0; at < 10; at += 1) await chat.insertMessages(...Array.from({ length: 10 }, random));
      await chat.insertMessages('The very last one.');
      const answer = await me.call(EXPORT_PATH);
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      const chunks: Uint8Array[] = [];
      // The conversation has started by then, and most of it is still to come.
      for (let bytes = 0; bytes < 300_000; bytes += chunks.at(-1)?.length ?? 0)
        chunks.push((await reader.read()).value as Uint8Array);
      expect(new TextDecoder('latin1').decode(await new Blob(chunks as BlobPart[]).arrayBuffer())).toContain(
        '.jsonl',
      );
      // An edit behind the next five megabytes must be included.
      await chat.edit((await readLastMessage(chat)).id, 'Said only now.');
      for (let part = await reader.read(); !part.done; part = await reader.read()) chunks.push(part.value);
      const archive = new Archive(new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer()));
      expect(archive.text(archive.path('.jsonl'))).toContain('Said only now.');
    },
  );
});

describe('Suggestions in the export', () => {
  test('the account export contains suggestions and drafts that a model wrote, marked as AI', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('Hello.');
    for (const path of ['/suggestions', '/impersonate'])
      await chat.ask(path, { json: { client_message_id: createTurnId() } });
    const { conversations } = await downloadDocument(me);
    expect(conversations).toMatchObject([
      {
        suggested: [
          {
            kind: 'suggestions',
            ai_generated: true,
            texts: expect.arrayContaining(['Let us wait for the tide.']),
          },
          { kind: 'draft', ai_generated: true, made_at: expect.stringMatching(/Z$/) },
        ],
      },
    ]);
    const archive = await downloadArchive(me);
    const page = archive.text(archive.path(/ - Mira( - .+)?\.html$/));
    for (const text of [
      escapeHtml(t('chat:suggestionsLabel')),
      'Let us wait for the tide.',
      'I will go first.',
    ])
      expect(page).toContain(text);
  });
});

describe('Access to the export', () => {
  test("the export needs a session and contains only the user's own data", async () => {
    expect((await new Visitor().call(EXPORT_PATH)).status).toBe(401);
    const ownUser = await createUserWithData('brindle');
    const otherUser = await createUserWithData('quagmire');
    const chat = await startConversationClient(otherUser.me, ownUser.own);
    await chat.send('A word of theirs: quagmire.');
    await startConversation(ownUser.me, otherUser.own);
    for (const exported of [
      (await downloadArchive(ownUser.me)).readAllText(),
      JSON.stringify(await downloadDocument(ownUser.me)),
    ]) {
      expect(exported).toContain('brindle');
      for (const word of ['quagmire', otherUser.me.id, otherUser.me.email, chat.id, otherUser.key])
        expect(exported).not.toContain(word);
    }
  });

  test("an exported conversation keeps the character's name from its own time", async () => {
    const me = await signInGuest();
    const hiddenCharacter = await addCharacter({ name: 'Mira' });
    const renamedCharacter = await addCharacter({ name: 'Brann' });
    const deletedCreatorCharacter = await addCharacter({ name: 'Corvin' });
    const titled = await startConversationClient(me, hiddenCharacter);
    await listConversation(me, titled.id);
    await titled.ask('', { method: 'PATCH', json: { title: 'Rain' } });
    await startConversationClient(me, hiddenCharacter);
    await startConversationClient(me, renamedCharacter);
    await startConversationClient(me, deletedCreatorCharacter);
    // The character of a deleted creator keeps its name.
    await env.DB.prepare("update characters set avatar_key = '', visibility = 'private' where id = ?")
      .bind(deletedCreatorCharacter)
      .run();
    await env.DB.prepare("update characters set name = 'Hushword', visibility = 'private' where id = ?")
      .bind(hiddenCharacter)
      .run();
    await env.DB.prepare("update characters set name = 'Brannoch' where id = ?").bind(renamedCharacter).run();
    const archive = await downloadArchive(me);
    expect(archive.readAllText() + JSON.stringify(await downloadDocument(me))).not.toContain('Hushword');
    const names = [...archive.text('index.html').matchAll(/<bdi>(?:<a [^>]+>)?([^<]+)/g)].map(
      ([, name]) => name,
    );
    expect(names.toSorted()).toEqual(['Brann', 'Corvin', 'Mira', 'Mira', 'Rain']);
    expect(archive.path(/ - Corvin( - .+)?\.html$/)).toBeDefined();
  });

  test('a guest can export their data', async () => {
    const me = await signInGuest();
    await sendMessage(me, await startConversation(me), 'As a guest.');
    const archive = await downloadArchive(me);
    expect(archive.json('account.json')).toMatchObject({
      profile: { id: me.id, email: null, is_anonymous: true },
    });
    expect(archive.text(archive.path('.jsonl'))).toContain('As a guest.');
  });

  test('the account export is a private download whose file name contains the day', async () => {
    const me = await signInGuest();
    const day = new Date().toISOString().slice(0, 10);
    for (const [format, type] of [
      ['zip', 'application/zip'],
      ['json', 'application/json; charset=utf-8'],
    ] as const) {
      const answer = await me.call(`${EXPORT_PATH}?format=${format}`);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': type,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'content-disposition': `attachment; filename="loreloom-${day}.${format}"; filename*=UTF-8''loreloom-${day}.${format}`,
      });
      await answer.arrayBuffer();
    }
    expect((await me.call(`${EXPORT_PATH}?format=exe`)).status).toBe(400);
    expect((await me.call(`${EXPORT_PATH}?after=../x`)).status).toBe(400);
  });

  test("the pages of the account export are in the user's language", async () => {
    const me = await signInGuest();
    await startConversation(me);
    const answer = await me.call(EXPORT_PATH, { headers: { 'accept-language': 'de' } });
    expect(answer.status).toBe(200);
    const archive = new Archive(new Uint8Array(await answer.arrayBuffer()));
    expect(archive.text('index.html')).toContain('<html lang="de" dir="ltr">');
    expect(archive.text('index.html')).toContain('Deine Chats');
  });
});

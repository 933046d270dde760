import { abortAllDurableObjects } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { characterExtras } from '../../src/db/schema/character.ts';
import { openDatabase } from '../../src/db/open.ts';
import { characters } from '../../src/db/schema/core.ts';
import type {
  Conversation,
  ConversationCreated,
  GreetingChosen,
} from '../../src/features/conversation/contract.ts';
import type { ContextRecord } from '../../src/features/conversation/memory/memory-contract.ts';
import { ConversationClient, getMessageId, startConversationClient } from '../support/conversation-client.ts';
import { joinDeltas } from '../support/event-reader.ts';
import {
  addCharacter,
  getConversationStub,
  signInGuest,
  createTurnId,
  postMessage,
  createAccount,
  type Visitor,
} from '../support/factories.ts';
import { createScene } from '../support/scripted-model.ts';

const db = openDatabase(env.DB);

type Row = typeof characters.$inferSelect;

/** What a maker, or moderation, makes of a character. */
async function become(id: string, row: Partial<Row>): Promise<void> {
  await db.update(characters).set(row).where(eq(characters.id, id));
}

/** Its next version. */
const change = (id: string, row: Partial<Row>) =>
  become(id, { ...row, version: sql`${characters.version} + 1` as unknown as number });

type Extras = Partial<Omit<typeof characterExtras.$inferInsert, 'characterId'>>;

async function withExtras(characterId: string, extras: Extras): Promise<void> {
  await db
    .insert(characterExtras)
    .values({ alternateGreetings: [], ...extras, characterId })
    .onConflictDoUpdate({ target: characterExtras.characterId, set: extras });
}

/** What the model is told when I send this. */
async function toldWith(chat: ConversationClient, said: string): Promise<string> {
  const told = createScene('tokens n=1');
  await chat.send(`${said} ${told.marker}`);
  const [request] = await told.requests();
  return JSON.stringify(request?.body);
}

const take = (chat: ConversationClient, version: number, status = 200) =>
  chat.ask<Conversation & { code?: string }>('/character-version', {
    method: 'PUT',
    json: { version },
    status,
  });
const choose = (chat: ConversationClient, index: number, status = 200) =>
  chat.ask<GreetingChosen & { code?: string }>('/greeting', { json: { index }, status });
const about = async (chat: ConversationClient) => (await chat.page()).conversation;

describe('When a character is changed after my story with it began', () => {
  let id: string;
  let chat: ConversationClient;
  beforeEach(async () => {
    id = await addCharacter({ characterTraits: 'Wears a red coat.' });
    chat = await startConversationClient(await signInGuest(), id);
  });

  test('my story goes by the version it began with until I take the new one, and its messages stay', async () => {
    await chat.send('Hello.');
    const before = await chat.messages();
    expect(await about(chat)).toMatchObject({ character_version: 1, newer_version: null });
    await change(id, { characterTraits: 'Wears a blue coat.', name: 'Mira the Elder' });
    expect(await about(chat)).toMatchObject({
      character_name: 'Mira',
      character_version: 1,
      newer_version: 2,
      character_state: 'shown',
    });
    expect(await toldWith(chat, 'And the coat?')).toContain('red coat');
    const taken = { character_name: 'Mira the Elder', character_version: 2, newer_version: null };
    expect(await take(chat, 2)).toMatchObject(taken);
    await abortAllDurableObjects();
    expect(await about(chat)).toMatchObject(taken);
    const told = await toldWith(chat, 'And now?');
    expect(told).toContain('blue coat');
    expect(told).not.toContain('red coat');
    expect((await chat.messages()).slice(0, before.length)).toEqual(before);
    // The same again changes nothing.
    expect(await take(chat, 2)).toMatchObject(taken);
  });

  test('only the newest version can be taken, by me alone', async () => {
    await change(id, { characterTraits: 'Wears a blue coat.' });
    await change(id, { characterTraits: 'Wears no coat.' });
    for (const version of [2, 4])
      expect(await take(chat, version, 409)).toMatchObject({ code: 'character_version_outdated' });
    for (const version of [0, 1.5]) await take(chat, version, 400);
    await take(new ConversationClient(await signInGuest(), chat.id), 3, 404);
    expect(await about(chat)).toMatchObject({ character_version: 1, newer_version: 3 });
    expect(await take(chat, 3)).toMatchObject({ character_version: 3 });
    expect(await take(chat, 2, 409)).toMatchObject({ code: 'character_version_outdated' });
  });

  test('and made private, my story goes on as it was, and what became of it is its maker’s alone', async () => {
    await change(id, { characterTraits: 'A secret.', visibility: 'private' });
    expect(await about(chat)).toMatchObject({ character_version: 1, newer_version: null });
    await take(chat, 2, 404);
    const told = await toldWith(chat, 'Still there?');
    expect(told).toContain('red coat');
    expect(told).not.toContain('A secret.');
    expect((await chat.me.call('/api/conversations', { json: { character_id: id } })).status).toBe(404);
  });

  test('and made for adults, its new version is theirs who asked for that', async () => {
    await change(id, { characterTraits: 'Explicit.', nsfwAllowed: true });
    expect(await about(chat)).toMatchObject({ newer_version: null });
    expect(await take(chat, 2, 403)).toMatchObject({ code: 'spicy_mode_off' });
  });

  test('a fork goes on by the version of the story that it came from', async () => {
    await chat.send('Hello.');
    await change(id, { characterTraits: 'Wears a blue coat.' });
    await take(chat, 2);
    const { chat: fork } = await chat.fork(getMessageId(await chat.messages(), 1));
    expect(await about(fork)).toMatchObject({ character_version: 2, newer_version: null });
    expect(await toldWith(fork, 'Your coat?')).toContain('blue coat');
  });
});

describe('When nobody may see a character any more', () => {
  const now = Date.now();
  const ways: [string, Partial<Row>, Partial<Row>][] = [
    ['hidden', { moderation: 'hidden' }, { moderation: 'shown' }],
    ['removed', { moderation: 'removed' }, { moderation: 'shown' }],
    ['deleted', { deletedAt: now }, { deletedAt: null }],
  ];

  test.each(ways)(
    'because it is %s, my story stays mine to read, and says why nothing new is written',
    async (state, gone, back) => {
      const me = await createAccount();
      const id = await addCharacter();
      const chat = await startConversationClient(me, id);
      const turnId = createTurnId();
      const reply = joinDeltas(await chat.send('Hello.', { turnId }));
      const said = await chat.messages();
      const replyId = getMessageId(said, 2);
      await chat.regenerate(replyId);
      await become(id, gone);

      expect(await about(chat)).toMatchObject({ character_state: state });
      const code = `character_${state}`;
      const ask = { client_message_id: createTurnId() };
      for (const refused of [
        await postMessage(me, chat.id, 'Are you there?'),
        await chat.rewrite('regenerate', replyId),
        await chat.rewrite('continue', replyId),
        await chat.call('/reply', { json: ask }),
        await chat.call('/suggestions', { json: ask }),
        await chat.call('/impersonate', { json: ask }),
        await chat.call('/greeting', { json: { index: 0 } }),
      ])
        expect([refused.status, await refused.json()]).toMatchObject([409, { code }]);
      expect((await me.call('/api/conversations', { json: { character_id: id } })).status).toBe(404);
      // What was asked before it was gone is answered as it was.
      await chat.select(replyId, said[2]?.selected_version_id as string);
      expect(joinDeltas(await chat.send('Hello.', { turnId }))).toBe(reply);
      expect((await chat.call('/export?format=jsonl')).status).toBe(200);
      const trashed = await chat.discard(replyId);
      expect(await chat.restore(trashed.id)).toEqual([replyId]);
      await chat.call('', { method: 'DELETE' });
      expect((await chat.call('/restore', { method: 'POST' })).status).toBe(200);
      expect(await chat.count()).toBe(3);

      await become(id, back);
      expect(await about(chat)).toMatchObject({ character_state: 'shown' });
      await chat.send('There you are.');
      expect(await chat.count()).toBe(5);
    },
  );

  test.each(ways)('because it is %s, no new version of it can be taken', async (state, gone) => {
    const id = await addCharacter();
    const chat = await startConversationClient(await signInGuest(), id);
    await change(id, { ...gone, oneliner: 'Changed.' });
    expect(await about(chat)).toMatchObject({ newer_version: null, character_version: 1 });
    expect(await take(chat, 2, 409)).toMatchObject({ code: `character_${state}` });
  });

  test('its maker’s own story with it does not go on either', async () => {
    const me = await createAccount();
    const id = await addCharacter({ creatorId: me.id });
    const chat = await startConversationClient(me, id);
    await become(id, { moderation: 'hidden' });
    expect(await (await postMessage(me, chat.id, 'Hello?')).json()).toMatchObject({
      code: 'character_hidden',
    });
    const again = await me.call('/api/conversations', { json: { character_id: id } });
    expect([again.status, await again.json()]).toMatchObject([409, { code: 'character_hidden' }]);
  });
});

describe('A character with several first messages', () => {
  const SECOND = '"You again, {{user}}?"';
  const begin = (me: Visitor, id: string, greeting?: number, status = 201) =>
    me.ask<ConversationCreated & { fields?: object }>('/api/conversations', {
      json: { character_id: id, ...(greeting === undefined ? {} : { greeting }) },
      status,
    });
  let me: Visitor;
  let id: string;
  beforeEach(async () => {
    me = await createAccount();
    id = await addCharacter({ firstMessage: 'The first.' });
    await withExtras(id, { alternateGreetings: [SECOND, 'The third.'] });
  });

  test('begins with the one I ask for', async () => {
    expect((await begin(me, id)).messages).toMatchObject([{ content: 'The first.' }]);
    expect((await begin(me, id, 0)).messages).toMatchObject([{ content: 'The first.' }]);
    const { messages, conversation } = await begin(me, id, 2);
    expect(messages).toMatchObject([{ content: 'The third.' }]);
    expect(conversation.greeting).toEqual({ at: 3, count: 3, before: 1, after: null });
    expect(await begin(me, id, 3, 400)).toMatchObject({ fields: { greeting: [expect.any(String)] } });
    await begin(me, id, -1, 400);
  });

  test('lets me choose another one until I say something', async () => {
    const chat = new ConversationClient(me, (await begin(me, id)).conversation.id);
    expect(await about(chat)).toMatchObject({ greeting: { at: 1, count: 3, before: null, after: 1 } });
    const chosen = await choose(chat, 1);
    expect(chosen.message).toMatchObject({
      role: 'character',
      content: expect.stringMatching(/^"You again, \w/),
    });
    expect(chosen.message.versions).toHaveLength(1);
    expect(chosen.conversation).toMatchObject({ greeting: { at: 2, count: 3, before: 0, after: 2 } });
    await abortAllDurableObjects();
    expect(await chat.messages()).toEqual([chosen.message]);
    expect(await choose(chat, 1)).toEqual(chosen);
    for (const index of [3, 30]) await choose(chat, index, 400);
    await choose(new ConversationClient(await signInGuest(), chat.id), 0, 404);
    expect(await toldWith(chat, 'Yes, me.')).toContain('You again,');
    expect((await about(chat)).greeting).toBeUndefined();
    expect(await choose(chat, 0, 409)).toMatchObject({ code: 'conversation_started' });
  });

  test('begins as the new version does when I take it before I say something', async () => {
    const [begun, other, written, spoken] = await Promise.all(
      [0, 2, 0, 0].map(
        async (greeting) => new ConversationClient(me, (await begin(me, id, greeting)).conversation.id),
      ),
    );
    if (!begun || !other || !written || !spoken) throw new Error('not begun');
    await written.edit(getMessageId(await written.messages(), 0), 'My own beginning.');
    await spoken.send('Hello.');
    await change(id, { firstMessage: '{{char}} waits.', name: 'Mira the Elder' });
    await withExtras(id, { alternateGreetings: ['A new second.'] });
    for (const chat of [begun, other, written, spoken]) await take(chat, 2);
    expect(await begun.texts()).toEqual(['Mira the Elder waits.']);
    const [message] = await begun.messages();
    expect(message?.versions).toHaveLength(1);
    expect(await about(begun)).toMatchObject({ greeting: { at: 1, count: 2, before: null, after: 1 } });
    expect((await choose(begun, 1)).message.content).toBe('A new second.');
    // There is no third any more.
    expect(await other.texts()).toEqual(['Mira the Elder waits.']);
    expect(await written.texts()).toEqual(['My own beginning.']);
    expect((await spoken.texts())[0]).toBe('The first.');
  });

  test('is called by its new name in its first message when I take that', async () => {
    const named = await addCharacter({ firstMessage: '{{char}} waves.' });
    const chat = await startConversationClient(me, named);
    await change(named, { name: 'Orla' });
    await take(chat, 2);
    expect(await chat.texts()).toEqual(['Orla waves.']);
  });

  test('keeps what I wrote over the first message when I choose another', async () => {
    const chat = new ConversationClient(me, (await begin(me, id)).conversation.id);
    await chat.edit(getMessageId(await chat.messages(), 0), 'My own beginning.');
    expect((await about(chat)).greeting).toBeUndefined();
    const { message } = await choose(chat, 2);
    expect(message.versions.map(({ content }) => content)).toEqual([
      'The first.',
      'My own beginning.',
      'The third.',
    ]);
    expect(message.content).toBe('The third.');
  });

  test('is found by the words of the one that I chose', async () => {
    const chat = new ConversationClient(me, (await begin(me, id, 2)).conversation.id);
    await choose(chat, 0);
    const found = async (q: string) =>
      (await me.ask<{ items: object[] }>(`/api/conversations/search?q=${q}`)).items.length;
    await expect.poll(() => found('first')).toBe(1);
    expect(await found('third')).toBe(0);
  });

  test('with only one of them, there is nothing to choose', async () => {
    const chat = await startConversationClient(me, await addCharacter());
    expect((await about(chat)).greeting).toBeUndefined();
  });
});

describe('A nickname', () => {
  test('is what the character is called in the story, and its name stays its name', async () => {
    const id = await addCharacter({ name: 'Captain Mirabel Hale', firstMessage: '{{char}} waves.' });
    await withExtras(id, { nickname: 'Mira' });
    const chat = await startConversationClient(await signInGuest(), id);
    expect(await about(chat)).toMatchObject({
      character_name: 'Captain Mirabel Hale',
      character_nickname: 'Mira',
    });
    expect(await chat.texts()).toEqual(['Mira waves.']);
    const told = await toldWith(chat, 'Hello, {{char}}.');
    expect(told).toContain('You are Mira');
    expect(told).toContain('Name: Captain Mirabel Hale');
    expect(told).toContain('Hello, Mira.');
  });
});

describe('A lorebook', () => {
  const OWL = 'The harbour froze in the year of the owl.';
  const BOOK = {
    extensions: {},
    entries: [
      {
        keys: ['harbour'],
        content: OWL,
        enabled: true,
        insertion_order: 1,
        extensions: {},
        name: 'The frost',
      },
      {
        keys: ['lamp'],
        content: '{{char}} lit it.',
        enabled: true,
        insertion_order: 2,
        position: 'before_char',
      },
    ],
  };
  const contextOf = async (chat: ConversationClient) =>
    chat.ask<ContextRecord>(`/messages/${(await chat.messages()).at(-1)?.id}/context`);
  let id: string;
  let chat: ConversationClient;
  beforeEach(async () => {
    id = await addCharacter({ firstMessage: 'Well?' });
    await withExtras(id, { lorebook: JSON.stringify(BOOK) });
    chat = await startConversationClient(await signInGuest(), id);
  });

  test('is told when the story comes to it, and what the model saw names it', async () => {
    expect(await toldWith(chat, 'Good evening.')).not.toContain('the owl');
    const told = await toldWith(chat, 'To the harbour! And bring the lamp.');
    expect(told.indexOf('Mira lit it.')).toBeGreaterThan(-1);
    expect(told.indexOf('Mira lit it.')).toBeLessThan(told.indexOf('Name: Mira'));
    expect(told.indexOf('Name: Mira')).toBeLessThan(told.indexOf(OWL));
    const { sections } = await contextOf(chat);
    expect(sections.filter(({ kind }) => kind === 'lore')).toMatchObject([
      { entries: ['lamp'], text: expect.stringContaining('Mira lit it.') },
      { entries: ['The frost'], text: expect.stringContaining(OWL) },
    ]);
  });

  test('stays with the story, its forks and after a restart, until I take a version that has another', async () => {
    await change(id, {});
    await withExtras(id, {
      lorebook: JSON.stringify({ entries: [{ ...BOOK.entries[0], content: 'It is summer.' }] }),
    });
    await abortAllDurableObjects();
    expect(await toldWith(chat, 'The harbour.')).toContain(OWL);
    const { chat: fork } = await chat.fork(getMessageId(await chat.messages(), 0));
    expect(await toldWith(fork, 'The harbour.')).toContain(OWL);
    await take(chat, 2);
    const told = await toldWith(chat, 'The harbour again.');
    expect(told).toContain('It is summer.');
    expect(told).not.toContain(OWL);
  });

  test('goes when its maker is gone, also out of what the model saw', async () => {
    await chat.send('The harbour.');
    await getConversationStub(chat.id).redactCharacter(id);
    expect(await about(chat)).toMatchObject({ character_gone: true, character_state: 'gone' });
    expect(JSON.stringify(await contextOf(chat))).not.toContain('owl');
  });
});

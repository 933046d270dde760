import { abortAllDurableObjects } from 'cloudflare:test';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ContextRecord } from '../../../../../src/features/conversation/memory/memory-contract.ts';
import {
  type CharacterRow,
  getConversation,
  readRequestFor,
  saveExtras,
  saveNextVersion,
  takeVersion,
  updateCharacter,
} from '../../../../support/character-versions.ts';
import {
  ConversationClient,
  getMessageId,
  startConversationClient,
} from '../../../../support/conversation-client.ts';
import { joinDeltas } from '../../../../support/event-reader.ts';
import { createScene } from '../../../../support/scripted-model.ts';
import {
  addCharacter,
  getConversationStub,
  signInGuest,
  createTurnId,
  postMessage,
  createAccount,
} from '../../../../support/factories.ts';

describe('Character versions', () => {
  let id: string;
  let chat: ConversationClient;
  beforeEach(async () => {
    id = await addCharacter({ characterTraits: 'Wears a red coat.' });
    chat = await startConversationClient(await signInGuest(), id);
  });

  test('a conversation keeps its character version until the user takes the new one', async () => {
    await chat.send('Hello.');
    const before = await chat.messages();
    expect(await getConversation(chat)).toMatchObject({ character_version: 1, newer_version: null });
    await saveNextVersion(id, { characterTraits: 'Wears a blue coat.', name: 'Mira the Elder' });
    expect(await getConversation(chat)).toMatchObject({
      character_name: 'Mira',
      character_version: 1,
      newer_version: 2,
      character_state: 'shown',
    });
    expect(await readRequestFor(chat, 'And the coat?')).toContain('red coat');
    const taken = { character_name: 'Mira the Elder', character_version: 2, newer_version: null };
    expect(await takeVersion(chat, 2)).toMatchObject(taken);
    await abortAllDurableObjects();
    expect(await getConversation(chat)).toMatchObject(taken);
    const prompt = await readRequestFor(chat, 'And now?');
    expect(prompt).toContain('blue coat');
    expect(prompt).not.toContain('red coat');
    expect((await chat.messages()).slice(0, before.length)).toEqual(before);
    // Taking the same version again changes nothing.
    expect(await takeVersion(chat, 2)).toMatchObject(taken);
  });

  test('only the newest character version can be taken, and only by the conversation’s owner', async () => {
    await saveNextVersion(id, { characterTraits: 'Wears a blue coat.' });
    await saveNextVersion(id, { characterTraits: 'Wears no coat.' });
    for (const version of [2, 4])
      expect(await takeVersion(chat, version, 409)).toMatchObject({ code: 'character_version_outdated' });
    for (const version of [0, 1.5]) await takeVersion(chat, version, 400);
    await takeVersion(new ConversationClient(await signInGuest(), chat.id), 3, 404);
    expect(await getConversation(chat)).toMatchObject({ character_version: 1, newer_version: 3 });
    expect(await takeVersion(chat, 3)).toMatchObject({ character_version: 3 });
    expect(await takeVersion(chat, 2, 409)).toMatchObject({ code: 'character_version_outdated' });
  });

  test('a conversation continues with its version when the character becomes private', async () => {
    await saveNextVersion(id, { characterTraits: 'A secret.', visibility: 'private' });
    expect(await getConversation(chat)).toMatchObject({ character_version: 1, newer_version: null });
    await takeVersion(chat, 2, 404);
    const prompt = await readRequestFor(chat, 'Still there?');
    expect(prompt).toContain('red coat');
    expect(prompt).not.toContain('A secret.');
    expect((await chat.me.call('/api/conversations', { json: { character_id: id } })).status).toBe(404);
  });

  test('a new version that is adult requires spicy mode', async () => {
    await saveNextVersion(id, { characterTraits: 'Explicit.', nsfwAllowed: true });
    expect(await getConversation(chat)).toMatchObject({ newer_version: null });
    expect(await takeVersion(chat, 2, 403)).toMatchObject({ code: 'spicy_mode_off' });
  });

  test('a fork continues with the character version of its original', async () => {
    await chat.send('Hello.');
    await saveNextVersion(id, { characterTraits: 'Wears a blue coat.' });
    await takeVersion(chat, 2);
    const { chat: fork } = await chat.fork(getMessageId(await chat.messages(), 1));
    expect(await getConversation(fork)).toMatchObject({ character_version: 2, newer_version: null });
    expect(await readRequestFor(fork, 'Your coat?')).toContain('blue coat');
  });
});

describe('Unavailable characters', () => {
  const now = Date.now();
  const states: [string, Partial<CharacterRow>, Partial<CharacterRow>][] = [
    ['hidden', { moderation: 'hidden' }, { moderation: 'shown' }],
    ['removed', { moderation: 'removed' }, { moderation: 'shown' }],
    ['deleted', { deletedAt: now }, { deletedAt: null }],
  ];

  test.each(states)(
    'a conversation can be read but not continued while its character is %s',
    async (state, unavailable, restored) => {
      const me = await createAccount();
      const id = await addCharacter();
      const chat = await startConversationClient(me, id);
      const turnId = createTurnId();
      const reply = joinDeltas(await chat.send('Hello.', { turnId }));
      const before = await chat.messages();
      const replyId = getMessageId(before, 2);
      await chat.regenerate(replyId);
      await updateCharacter(id, unavailable);

      expect(await getConversation(chat)).toMatchObject({ character_state: state });
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
      // A turn from before is answered as it was.
      await chat.select(replyId, before[2]?.selected_version_id as string);
      expect(joinDeltas(await chat.send('Hello.', { turnId }))).toBe(reply);
      expect((await chat.call('/export?format=jsonl')).status).toBe(200);
      const trashed = await chat.discard(replyId);
      expect(await chat.restore(trashed.id)).toEqual([replyId]);
      await chat.call('', { method: 'DELETE' });
      expect((await chat.call('/restore', { method: 'POST' })).status).toBe(200);
      expect(await chat.count()).toBe(3);

      await updateCharacter(id, restored);
      expect(await getConversation(chat)).toMatchObject({ character_state: 'shown' });
      await chat.send('There you are.');
      expect(await chat.count()).toBe(5);
    },
  );

  test.each(states)('no new version can be taken from a character that is %s', async (state, unavailable) => {
    const id = await addCharacter();
    const chat = await startConversationClient(await signInGuest(), id);
    await saveNextVersion(id, { ...unavailable, oneliner: 'Changed.' });
    expect(await getConversation(chat)).toMatchObject({ newer_version: null, character_version: 1 });
    expect(await takeVersion(chat, 2, 409)).toMatchObject({ code: `character_${state}` });
  });

  test('the creator’s own conversation with a hidden character does not continue either', async () => {
    const me = await createAccount();
    const id = await addCharacter({ creatorId: me.id });
    const chat = await startConversationClient(me, id);
    await updateCharacter(id, { moderation: 'hidden' });
    expect(await (await postMessage(me, chat.id, 'Hello?')).json()).toMatchObject({
      code: 'character_hidden',
    });
    const again = await me.call('/api/conversations', { json: { character_id: id } });
    expect([again.status, await again.json()]).toMatchObject([409, { code: 'character_hidden' }]);
  });
});

describe('Nickname', () => {
  test('the conversation uses the character’s nickname in texts and keeps its name', async () => {
    const id = await addCharacter({ name: 'Captain Mirabel Hale', firstMessage: '{{char}} waves.' });
    await saveExtras(id, { nickname: 'Mira' });
    const chat = await startConversationClient(await signInGuest(), id);
    expect(await getConversation(chat)).toMatchObject({
      character_name: 'Captain Mirabel Hale',
      character_nickname: 'Mira',
    });
    expect(await chat.texts()).toEqual(['Mira waves.']);
    const prompt = await readRequestFor(chat, 'Hello, {{char}}.');
    expect(prompt).toContain('You are Mira');
    expect(prompt).toContain('Name: Captain Mirabel Hale');
    expect(prompt).toContain('Hello, Mira.');
  });
});

describe('Lorebook', () => {
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
  const getContext = async (chat: ConversationClient) =>
    chat.ask<ContextRecord>(`/messages/${(await chat.messages()).at(-1)?.id}/context`);
  let id: string;
  let chat: ConversationClient;
  beforeEach(async () => {
    id = await addCharacter({ firstMessage: 'Well?' });
    await saveExtras(id, { lorebook: JSON.stringify(BOOK) });
    chat = await startConversationClient(await signInGuest(), id);
  });

  test('a lorebook entry is sent when the conversation mentions its key, and the context view names it', async () => {
    expect(await readRequestFor(chat, 'Good evening.')).not.toContain('the owl');
    const prompt = await readRequestFor(chat, 'To the harbour! And bring the lamp.');
    const places = ['Name: Mira', 'To the harbour!', 'Mira lit it.', OWL].map((text) => prompt.indexOf(text));
    expect(places[0]).toBeGreaterThan(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const { sections } = await getContext(chat);
    expect(sections.filter(({ kind }) => kind === 'lore')).toMatchObject([
      { entries: ['lamp', 'The frost'], text: expect.stringContaining(OWL) },
    ]);
  });

  test('a conversation and its forks keep their lorebook until a version with another one is taken', async () => {
    await saveNextVersion(id, {});
    await saveExtras(id, {
      lorebook: JSON.stringify({ entries: [{ ...BOOK.entries[0], content: 'It is summer.' }] }),
    });
    await abortAllDurableObjects();
    expect(await readRequestFor(chat, 'The harbour.')).toContain(OWL);
    const { chat: fork } = await chat.fork(getMessageId(await chat.messages(), 0));
    expect(await readRequestFor(fork, 'The harbour.')).toContain(OWL);
    await takeVersion(chat, 2);
    const prompt = await readRequestFor(chat, 'The harbour again.');
    expect(prompt).toContain('It is summer.');
    expect(prompt).not.toContain(OWL);
  });

  test('redacting a character removes its lorebook, also from the context view', async () => {
    await chat.send('The harbour.');
    await getConversationStub(chat.id).redactCharacter(id);
    expect(await getConversation(chat)).toMatchObject({ character_gone: true, character_state: 'gone' });
    expect(JSON.stringify(await getContext(chat))).not.toContain('owl');
  });

  test('redacting a character while a reply is awaited removes its texts from that reply’s context view', async () => {
    const scene = createScene('gate n=2');
    const sending = chat.send(`The harbour. ${scene.marker}`);
    await scene.reached();
    await getConversationStub(chat.id).redactCharacter(id);
    await scene.open();
    await sending;
    const { sections } = await getContext(chat);
    expect(sections.map(({ kind }) => kind)).toContain('lore');
    expect(JSON.stringify(sections)).not.toMatch(/owl|Name: Mira/);
  });
});

import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import { characters, personas } from '../../../../src/db/schema/core.ts';
import { removeOrphanedCharacters } from '../../../../src/features/account/deletion/erasure-store.ts';
import { purgeTrashedCharacters } from '../../../../src/features/account/deletion/character-erasure-store.ts';
import type { ConversationCreated } from '../../../../src/features/conversation/contract.ts';
import type { Persona, PersonaCharacters, PersonaList } from '../../../../src/features/persona/contract.ts';
import {
  addCharacter,
  createAccount,
  createEmail,
  signInGuest,
  startConversation,
  startListedConversation,
  type Visitor,
} from '../../../support/factories.ts';

const db = openDatabase(env.DB);
const TEXT = { name: 'Wren', description: 'Maps coasts.' };
const createPersona = (me: Visitor, fields: object = {}) =>
  me.ask<Persona>('/api/personas', { json: { ...TEXT, ...fields }, status: 201 });
const change = (me: Visitor, id: string, json: object, status = 200) =>
  me.ask<Persona & { fields?: object }>(`/api/personas/${id}`, { method: 'PATCH', json, status });
const list = async (me: Visitor) => (await me.ask<PersonaList>('/api/personas')).items;
const listChoices = async (me: Visitor) =>
  (await me.ask<PersonaCharacters>('/api/personas/characters')).items.map(({ name }) => name);
const startPersona = async (me: Visitor, characterId: string) =>
  (
    await me.ask<ConversationCreated>('/api/conversations', {
      json: { character_id: characterId },
      status: 201,
    })
  ).conversation.persona?.name ?? null;
const update = (id: string, row: Partial<typeof characters.$inferInsert>) =>
  db.update(characters).set(row).where(eq(characters.id, id));

describe('The character of a persona', () => {
  test('a chat begins with the newest persona of its character, before the default one', async () => {
    const me = await signInGuest();
    const [mira, other] = [await addCharacter(), await addCharacter()];
    await createPersona(me, { name: 'Default', is_default: true });
    await createPersona(me, { name: 'Older', character_id: mira });
    const { id } = await createPersona(me, { name: 'Newer', character_id: mira });
    expect(await startPersona(me, mira)).toBe('Newer');
    expect(await startPersona(me, other)).toBe('Default');
    await me.call(`/api/personas/${id}`, { method: 'DELETE' });
    expect(await startPersona(me, mira)).toBe('Older');
    // A chosen persona, or the one of another user, is not replaced.
    const foreign = await signInGuest();
    expect(await startPersona(foreign, mira)).toBeNull();
  });

  test('the character can be set, changed and cleared, and other changes keep it', async () => {
    const me = await createAccount();
    const [mira, lumi] = [await addCharacter(), await addCharacter({ name: 'Lumi' })];
    const made = await createPersona(me, { character_id: mira, is_default: true });
    expect(made).toMatchObject({ character_id: mira, character_name: 'Mira' });
    expect(await change(me, made.id, { name: 'Robin' })).toMatchObject({ character_name: 'Mira' });
    const moved = await change(me, made.id, { character_id: lumi, is_default: false });
    expect(moved).toMatchObject({ character_id: lumi, character_name: 'Lumi', is_default: false });
    expect(await list(me)).toEqual([moved]);
    expect(await change(me, made.id, { character_id: null })).toMatchObject({
      character_id: null,
      character_name: null,
    });
  });

  test('a persona belongs only to a character that its owner can open', async () => {
    const me = await createAccount();
    const mine = await addCharacter({ creatorId: me.id, visibility: 'private', name: 'Own' });
    const { id } = await createPersona(me, { character_id: mine });
    const hidden = await Promise.all([
      addCharacter({ visibility: 'private' }),
      addCharacter({ moderation: 'removed' }),
      addCharacter({ nsfwAllowed: true }),
      addCharacter({ deletedAt: 1 }),
    ]);
    for (const character of [...hidden, 'unknown', '']) {
      const fields = { character_id: ['Character not found'] };
      expect(await change(me, id, { character_id: character }, 400)).toMatchObject({ fields });
      const json = { ...TEXT, character_id: character };
      expect(await me.ask('/api/personas', { json, status: 400 })).toMatchObject({ fields });
    }
    expect(await list(me)).toMatchObject([{ id, character_name: 'Own' }]);
  });

  test('the name of a character that the owner can no longer open is not shown', async () => {
    const me = await createAccount();
    const character = await addCharacter();
    const { id } = await createPersona(me, { character_id: character });
    await update(character, { visibility: 'private', name: 'Secret' });
    expect(await list(me)).toMatchObject([{ id, character_id: null, character_name: null }]);
    await update(character, { visibility: 'public' });
    expect(await list(me)).toMatchObject([{ character_id: character, character_name: 'Secret' }]);
  });

  test.each([
    ['keeps a row for conversations', true],
    ['is gone altogether', false],
  ])('a persona outlives its character, which %s after its erasure', async (_, isChatted) => {
    const me = await createAccount();
    const character = await addCharacter();
    const { id } = await createPersona(me, { character_id: character });
    if (isChatted) await startConversation(me, character);
    await update(character, { deletedAt: 1 });
    await purgeTrashedCharacters(db, Date.now());
    await removeOrphanedCharacters(db);
    expect(await db.select().from(personas).where(eq(personas.id, id))).toMatchObject([
      { name: 'Wren', characterId: null },
    ]);
    expect(await list(me)).toMatchObject([{ id, character_id: null }]);
  });

  test('one’s own characters and those of one’s chats can be chosen, most recently used first', async () => {
    const me = await createAccount();
    const chatted = await addCharacter({ name: 'Chatted' });
    const gone = await addCharacter({ name: 'Gone' });
    const unwritten = await addCharacter({ name: 'Unwritten' });
    await addCharacter({ name: 'Stranger' });
    await startListedConversation(me, chatted);
    await startListedConversation(me, gone);
    await startConversation(me, unwritten);
    await update(gone, { visibility: 'private' });
    await addCharacter({ creatorId: me.id, name: 'Own', visibility: 'private' });
    await addCharacter({ creatorId: me.id, name: 'Trashed', deletedAt: 1 });
    expect(await listChoices(me)).toEqual(['Own', 'Chatted']);
    await startListedConversation(me, chatted);
    expect(await listChoices(me)).toEqual(['Chatted', 'Own']);
    expect(await listChoices(await createAccount())).toEqual([]);
  });

  test('a guest’s persona keeps its character in the account, and the data of the account names it', async () => {
    const email = createEmail();
    await createAccount(email);
    const guest = await signInGuest();
    const character = await addCharacter();
    const { id } = await createPersona(guest, { character_id: character });
    const account = await createAccount(email, guest);
    expect(await list(account)).toMatchObject([{ id, character_id: character }]);
    const { account: data } = await account.ask<{ account: { personas: object[] } }>(
      '/api/account/export?format=json',
    );
    expect(data.personas).toMatchObject([{ id, character_id: character }]);
  });
});

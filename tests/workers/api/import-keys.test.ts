import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ImportedCard } from '../../../src/features/cards/contract.ts';
import { TRASH } from '../../../src/features/character/limits.ts';
import type { OwnCharacter } from '../../../src/features/character/contract.ts';
import type { Conversation } from '../../../src/features/conversation/contract.ts';
import type { Persona, PersonaList } from '../../../src/features/persona/contract.ts';
import { importJsonCard, uploadPortrait } from '../../support/card-actions.ts';
import { V3 } from '../../support/card-files.ts';
import { buildForm, fetchOwnCharacters, submitForm } from '../../support/character-actions.ts';
import {
  addCharacter,
  createAccount,
  expectBalancedLedger,
  listLedger,
  listMessages,
  signInGuest,
  type Visitor,
} from '../../support/factories.ts';

const CHAT = [
  '{"user_name":"Wren","character_name":"Orla","create_date":"2026-01-02"}',
  '{"name":"Orla","is_user":false,"mes":"You came."}',
  '{"name":"Wren","is_user":true,"mes":"I did."}',
].join('\n');

let me: Visitor;
beforeEach(async () => {
  me = await createAccount();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await env.DB.prepare('drop trigger if exists import_is_interrupted').run();
});

/** Makes every insert into a table fail, as if the server had died there. */
async function interrupt(table: 'characters' | 'conversations'): Promise<void> {
  vi.spyOn(console, 'error').mockReturnValue();
  await env.DB.prepare(
    `create trigger import_is_interrupted before insert on ${table} begin select raise(abort, 'interrupted'); end`,
  ).run();
}
async function resume(): Promise<void> {
  await env.DB.prepare('drop trigger import_is_interrupted').run();
  vi.restoreAllMocks();
}

const listCharges = async () =>
  (await listLedger(me)).map(({ kind }) => kind).filter((kind) => kind.startsWith('character'));

describe('Import keys of characters', () => {
  test('a repeated import key returns the first character and charges nothing', async () => {
    const form = await buildForm(me, { import_key: 'a' });
    const made = await (await submitForm(me, form)).json<OwnCharacter>();
    const again = await submitForm(me, { ...form, name: 'Another' });
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual(made);
    expect(await listCharges()).toEqual(['character']);
    expect((await fetchOwnCharacters(me)).items).toHaveLength(1);
  });

  test('an import key of a character in the trash returns it with the time of its deletion', async () => {
    const form = await buildForm(me, { import_key: 'a' });
    const { id } = await (await submitForm(me, form)).json<OwnCharacter>();
    await me.call(`/api/characters/${id}`, { method: 'DELETE' });
    const again = await submitForm(me, form);
    expect([again.status, await again.json()]).toEqual([
      200,
      expect.objectContaining({ id, deleted_at: expect.any(String) }),
    ]);
    await env.DB.prepare('update characters set deleted_at = ? where id = ?')
      .bind(Date.now() - TRASH.retentionMs, id)
      .run();
    await env.DB.prepare('delete from character_creations where owner_id = ?').bind(me.id).run();
    expect((await submitForm(me, form)).status).toBe(201);
  });

  test('two users can use the same import key independently', async () => {
    const other = await createAccount();
    for (const user of [me, other])
      expect((await submitForm(user, await buildForm(user, { import_key: 'a' }))).status).toBe(201);
  });

  test('simultaneous requests with one import key create one character and charge once', async () => {
    const form = await buildForm(me, { import_key: 'a' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => submitForm(me, form)));
    const made = await Promise.all(answers.map((answer) => answer.json<OwnCharacter>()));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(answers.every(({ status }) => [200, 201].includes(status))).toBe(true);
    expect((await fetchOwnCharacters(me)).items).toHaveLength(1);
    expect(await listCharges()).toEqual(['character']);
    await expectBalancedLedger(me);
  });

  test('simultaneous requests with one import key and other forms create one character', async () => {
    const form = await buildForm(me, { import_key: 'a' });
    const answers = await Promise.all(
      ['Ash', 'Orla', 'Wren'].map((name, index) => submitForm(me, { ...form, name }, `request-${index}`)),
    );
    expect(answers.some(({ status }) => status === 201)).toBe(true);
    expect(answers.every(({ status }) => [200, 201, 429].includes(status))).toBe(true);
    expect((await fetchOwnCharacters(me)).items).toHaveLength(1);
    expect((await submitForm(me, form)).status).toBe(200);
    await expectBalancedLedger(me);
  });

  test('an interrupted creation is completed by the same key, also with another upload of the card', async () => {
    const buildBody = async ({ draft, import_id }: ImportedCard) => {
      const { avatar_url: _, ...fields } = draft;
      const avatar_id = await uploadPortrait(me);
      return { ...fields, visibility: 'public', avatar_id, import_id, import_key: 'a' };
    };
    const first = await buildBody(await importJsonCard(me, V3));
    await interrupt('characters');
    expect((await submitForm(me, first)).status).toBe(500);
    await resume();
    const second = await buildBody(await importJsonCard(me, V3));
    expect((await submitForm(me, second)).status).toBe(201);
    expect((await submitForm(me, first)).status).toBe(200);
    expect((await fetchOwnCharacters(me)).items).toHaveLength(1);
    expect(await listCharges()).toEqual(['character', 'character_refund', 'character']);
    await expectBalancedLedger(me);
  });

  test('an invalid import key is refused', async () => {
    for (const import_key of ['', 'x'.repeat(65), 'with blank', 'semi;colon', 7]) {
      const answer = await submitForm(me, { ...(await buildForm(me)), import_key });
      expect([answer.status, await answer.json()]).toMatchObject([
        400,
        { fields: { import_key: [expect.any(String)] } },
      ]);
    }
  });
});

interface ImportAnswer {
  status: number;
  conversation: Conversation;
  deleted_at?: string;
  code?: string;
}

async function importChat(user: Visitor, characterId: string, key = 'a', file = CHAT): Promise<ImportAnswer> {
  const body = new FormData();
  body.set('character_id', characterId);
  body.set('import_key', key);
  body.set('file', new Blob([file]), 'chat.jsonl');
  const answer = await user.call('/api/conversations/import', { method: 'POST', body });
  return { status: answer.status, ...(await answer.json<Omit<ImportAnswer, 'status'>>()) };
}

const countConversations = (user: Visitor) =>
  env.DB.prepare('select count(*) as n from conversations where owner_id = ?')
    .bind(user.id)
    .first<number>('n');

describe('Import keys of conversations', () => {
  test('a repeated import key returns the conversation that exists, also from the trash', async () => {
    const characterId = await addCharacter();
    const made = await importChat(me, characterId);
    expect(made.status).toBe(201);
    const again = await importChat(me, characterId, 'a', 'no chat at all');
    expect(again).toEqual({ status: 200, conversation: made.conversation });
    await me.call(`/api/conversations/${made.conversation.id}`, { method: 'DELETE' });
    expect(await importChat(me, characterId)).toMatchObject({
      status: 200,
      conversation: { id: made.conversation.id },
      deleted_at: expect.any(String),
    });
    await me.call(`/api/conversations/${made.conversation.id}/restore`, { method: 'POST' });
    await me.call(`/api/conversations/${made.conversation.id}?forever=true`, { method: 'DELETE' });
    const anew = await importChat(me, characterId);
    expect(anew.status).toBe(201);
    expect(anew.conversation.id).not.toBe(made.conversation.id);
  });

  test('another key, and another user with the same key, import another conversation', async () => {
    const characterId = await addCharacter();
    const other = await signInGuest();
    const made = [
      await importChat(me, characterId),
      await importChat(me, characterId, 'b'),
      await importChat(other, characterId),
    ];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(made.map(({ conversation: { id } }) => id)).size).toBe(3);
  });

  test('simultaneous imports with one key leave one whole conversation', async () => {
    const characterId = await addCharacter();
    const answers = await Promise.all(Array.from({ length: 4 }, () => importChat(me, characterId)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201]);
    const ids = new Set(answers.map(({ conversation: { id } }) => id));
    expect([ids.size, await countConversations(me)]).toEqual([1, 1]);
    const [id = ''] = ids;
    expect((await listMessages(me, id)).map(({ content }) => content)).toEqual(['You came.', 'I did.']);
    expect(await me.ask('/api/chats')).toMatchObject({ chats: [{ id, message_count: 2 }] });
  });

  test('an import that was interrupted before it was listed is made whole by the same key', async () => {
    const characterId = await addCharacter();
    await interrupt('conversations');
    expect((await importChat(me, characterId)).status).toBe(500);
    await resume();
    const made = await importChat(me, characterId);
    expect(made.status).toBe(201);
    expect(await countConversations(me)).toBe(1);
    expect(await listMessages(me, made.conversation.id)).toHaveLength(2);
  });

  test('a row whose conversation is gone does not keep its import key', async () => {
    const characterId = await addCharacter();
    const { conversation } = await importChat(me, characterId);
    await env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(conversation.id)).erase(me.id);
    await env.DB.prepare(
      `insert into conversations (id, owner_id, character_id, created_at, import_key) values (?, ?, ?, 1, 'a')`,
    )
      .bind(conversation.id, me.id, characterId)
      .run();
    expect((await importChat(me, characterId)).status).toBe(201);
    expect(await countConversations(me)).toBe(1);
  });

  test('a guest who imported what the account has too can log in, and both conversations stay', async () => {
    const characterId = await addCharacter();
    const guest = await signInGuest();
    const ofAccount = await importChat(me, characterId);
    const ofGuest = await importChat(guest, characterId);
    await importChat(guest, characterId, 'b');
    await createAccount(me.email, guest);
    expect(await countConversations(me)).toBe(3);
    expect((await importChat(me, characterId)).conversation.id).toBe(ofAccount.conversation.id);
    expect((await importChat(me, characterId, 'b')).status).toBe(200);
    expect(await me.ask(`/api/conversations/${ofGuest.conversation.id}`)).toMatchObject({
      conversation: { id: ofGuest.conversation.id },
    });
  });

  test('an invalid import key is refused', async () => {
    expect(await importChat(me, await addCharacter(), 'with blank')).toMatchObject({
      status: 400,
      code: 'invalid_input',
      fields: { import_key: [expect.any(String)] },
    });
  });
});

describe('Import keys of personas', () => {
  const TEXT = { name: 'Wren', description: 'Maps coasts.' };
  const create = (user: Visitor, fields: object) =>
    user.call('/api/personas', { json: { ...TEXT, ...fields } });

  test('a repeated import key returns the first persona, also at the plan’s limit', async () => {
    const made = await (await create(me, { import_key: 'a', is_default: true })).json<Persona>();
    for (const import_key of ['b', 'c', 'd', 'e'])
      expect((await create(me, { import_key })).status).toBe(201);
    expect((await create(me, { import_key: 'f' })).status).toBe(403);
    const again = await create(me, { import_key: 'a', name: 'Another' });
    expect([again.status, await again.json()]).toEqual([200, made]);
    expect((await me.ask<PersonaList>('/api/personas')).count).toBe(5);
  });

  test('simultaneous requests with one import key create one persona', async () => {
    const answers = await Promise.all(
      [true, false, true].map((is_default) => create(me, { import_key: 'a', is_default })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
    expect((await me.ask<PersonaList>('/api/personas')).count).toBe(1);
  });

  test('a deleted persona frees its import key, and a guest’s keys do not hinder a login', async () => {
    const { id } = await (await create(me, { import_key: 'a' })).json<Persona>();
    await me.call(`/api/personas/${id}`, { method: 'DELETE' });
    expect((await create(me, { import_key: 'a' })).status).toBe(201);
    const guest = await signInGuest();
    expect((await create(guest, { import_key: 'a' })).status).toBe(201);
    await createAccount(me.email, guest);
    expect((await me.ask<PersonaList>('/api/personas')).count).toBe(2);
    expect((await create(me, { import_key: 'a' })).status).toBe(200);
  });
});

import { describe, expect, test } from 'vitest';
import type { OwnCharacter } from '../../../../src/features/character/contract.ts';
import type { ReplySettingsView } from '../../../../src/features/conversation/prompt/reply-settings-contract.ts';
import { DEFAULT_REPLY_STYLE } from '../../../../src/features/reply-style/reply-style.ts';
import {
  downloadCardText,
  importJsonCard,
  publishDraft,
  uploadPortrait,
} from '../../../support/card-actions.ts';
import { buildTavernChat } from '../../../support/backups.ts';
import { V3 } from '../../../support/card-files.ts';
import {
  buildForm,
  createOwnCharacter,
  editCharacter,
  submitForm,
} from '../../../support/character-actions.ts';
import { startConversationClient, ConversationClient } from '../../../support/conversation-client.ts';
import {
  createAccount,
  getConversationStub,
  signInGuest,
  Visitor,
  type Visitor as User,
} from '../../../support/factories.ts';

const RAIN = {
  author_note: 'It rains in every scene.',
  author_note_depth: 2,
  reply_length: 'short',
  liveliness: 1.1,
} as const;

const readSettings = (chat: ConversationClient) => chat.ask<ReplySettingsView>('/reply-settings');
const readOwn = (me: User, id: string) => me.ask<OwnCharacter>(`/api/me/characters/${id}`);
const readCard = async (viewer: User, id: string) => {
  const { data } = JSON.parse(await downloadCardText(viewer, id)) as {
    data: { extensions: { loreloom: { recommended_style?: unknown } } };
  };
  return data.extensions.loreloom.recommended_style;
};

describe('Recommended reply styles', () => {
  test('a style is stored with its character, makes a new version, and can be removed', async () => {
    const me = await createAccount();
    const { id, extras, version } = await createOwnCharacter(me, { recommended_style: RAIN });
    expect(extras?.recommended_style).toEqual(RAIN);
    await editCharacter(me, id, { recommended_style: { author_note: 'It snows.' } });
    expect(await readOwn(me, id)).toMatchObject({
      version: version + 1,
      extras: { recommended_style: { ...DEFAULT_REPLY_STYLE, author_note: 'It snows.' } },
    });
    await editCharacter(me, id, { recommended_style: null });
    expect((await readOwn(me, id)).extras?.recommended_style).toBeNull();
  });

  test('the default style is no recommendation', async () => {
    const me = await createAccount();
    const { id, extras, version } = await createOwnCharacter(me, { recommended_style: {} });
    expect(extras?.recommended_style).toBeNull();
    await editCharacter(me, id, { recommended_style: DEFAULT_REPLY_STYLE });
    expect((await readOwn(me, id)).version).toBe(version);
  });

  test('a new conversation starts with the style, and the user can change it', async () => {
    const { id } = await createOwnCharacter(await createAccount(), { recommended_style: RAIN });
    const chat = await startConversationClient(await signInGuest(), id);
    expect(await readSettings(chat)).toEqual({ ...RAIN, recommended_style: RAIN });
    await chat.ask('/reply-settings', { method: 'PATCH', json: { author_note: '', reply_length: 'long' } });
    expect(await readSettings(chat)).toEqual({
      ...RAIN,
      author_note: '',
      reply_length: 'long',
      recommended_style: RAIN,
    });
  });

  test('an imported chat starts with the style, unless the file has settings or was exported here', async () => {
    const me = await signInGuest();
    const { id } = await createOwnCharacter(await createAccount(), { recommended_style: RAIN });
    const importChat = async (file: string) => {
      const body = new FormData();
      body.set('character_id', id);
      body.set('file', new Blob([file]), 'chat.jsonl');
      const answer = await me.call('/api/conversations/import', { method: 'POST', body });
      const { conversation } = await answer.json<{ conversation: { id: string } }>();
      return new ConversationClient(me, conversation.id);
    };
    const tavernChat = buildTavernChat('Orla', 'Is the lamp lit?');
    expect(await readSettings(await importChat(tavernChat))).toMatchObject(RAIN);
    const withNote = tavernChat.replace('"chat_metadata":{}', '"chat_metadata":{"note_prompt":"It snows."}');
    expect(await readSettings(await importChat(withNote))).toMatchObject({
      ...DEFAULT_REPLY_STYLE,
      author_note: 'It snows.',
    });
    const chat = await startConversationClient(me, id);
    await chat.ask('/reply-settings', { method: 'PATCH', json: DEFAULT_REPLY_STYLE });
    const exported = await (await chat.call('/export')).text();
    expect(await readSettings(await importChat(exported))).toMatchObject(DEFAULT_REPLY_STYLE);
  });

  test('a conversation with a character without a style starts with the default settings', async () => {
    const { id } = await createOwnCharacter(await createAccount());
    const chat = await startConversationClient(await signInGuest(), id);
    expect(await readSettings(chat)).toEqual({ ...DEFAULT_REPLY_STYLE, recommended_style: null });
  });

  test('a new version changes what is recommended, and not the settings', async () => {
    const maker = await createAccount();
    const { id, version } = await createOwnCharacter(maker, { recommended_style: RAIN });
    const chat = await startConversationClient(await signInGuest(), id);
    const snow = { ...RAIN, author_note: 'It snows.' };
    await editCharacter(maker, id, { recommended_style: snow });
    expect((await readSettings(chat)).recommended_style).toEqual(RAIN);
    await chat.ask('/character-version', { method: 'PUT', json: { version: version + 1 } });
    expect(await readSettings(chat)).toEqual({ ...RAIN, recommended_style: snow });
  });

  test('a note that breaks a rule is refused with the character, also together with its other texts', async () => {
    const me = await createAccount();
    const bad = { author_note: 'A 15-year-old girl has sex with him.' };
    const refused = await submitForm(me, await buildForm(me, { recommended_style: bad }));
    expect({ status: refused.status, ...(await refused.json<object>()) }).toMatchObject({
      status: 422,
      code: 'text_refused',
      rule: 'minors',
      fields: { recommended_style: [expect.any(String)] },
    });
    const { id } = await createOwnCharacter(me, { character_traits: 'She is 12 years old.' });
    const edited = await me.call(`/api/characters/${id}`, {
      method: 'PATCH',
      json: { recommended_style: { author_note: 'They have sex.' } },
    });
    expect(edited.status).toBe(422);
    expect((await readOwn(me, id)).extras?.recommended_style).toBeNull();
  });

  test('everyone who may see the character finds the style in its card', async () => {
    const maker = await createAccount();
    const { id } = await createOwnCharacter(maker, { recommended_style: RAIN });
    for (const viewer of [maker, await createAccount(), new Visitor()])
      expect(await readCard(viewer, id)).toEqual(RAIN);
    const { id: plain } = await createOwnCharacter(maker);
    expect(await readCard(new Visitor(), plain)).toBeUndefined();
  });

  test('an imported card brings its style, unless the form removes it', async () => {
    const me = await createAccount();
    const extensions = { ...V3.data.extensions, loreloom: { recommended_style: RAIN } };
    const card = { ...V3, data: { ...V3.data, extensions } };
    const imported = await importJsonCard(me, card);
    expect(imported.extras.recommended_style).toEqual(RAIN);
    const avatar_id = await uploadPortrait(me);
    const { id } = await publishDraft(me, imported, { avatar_id });
    expect((await readOwn(me, id)).extras?.recommended_style).toEqual(RAIN);
    expect(await downloadCardText(me, id)).toBe(JSON.stringify(card));
    await editCharacter(me, id, { recommended_style: null });
    expect(await readCard(me, id)).toBeUndefined();
    const removed = { avatar_id, recommended_style: null };
    const second = await publishDraft(me, await importJsonCard(me, card), removed);
    expect((await readOwn(me, second.id)).extras?.recommended_style).toBeNull();
  });

  test('the note goes from conversations with its creator, and what the user wrote stays', async () => {
    const { id } = await createOwnCharacter(await createAccount(), { recommended_style: RAIN });
    const chat = await startConversationClient(await signInGuest(), id);
    const changed = await startConversationClient(await signInGuest(), id);
    await changed.ask('/reply-settings', { method: 'PATCH', json: { author_note: 'My own.' } });
    for (const { id: conversation } of [chat, changed])
      await getConversationStub(conversation).redactCharacter(id);
    expect(await readSettings(chat)).toEqual({ ...RAIN, author_note: '', recommended_style: null });
    expect((await readSettings(changed)).author_note).toBe('My own.');
  });
});

import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { AppealCase } from '../../src/features/moderation/appeal-contract.ts';
import type { StaffViewList } from '../../src/features/moderation/staff-contract.ts';
import { createOwnCharacter, buildForm, submitForm } from '../support/character-actions.ts';
import { type ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import { getLastEvent, summarizeKinds } from '../support/event-reader.ts';
import { addCharacter, signInGuest, createAccount, type Visitor } from '../support/factories.ts';
import { createStaffUser } from '../support/staff.ts';

/** What somebody may say to a grown-up, and to no child. */
const ACT = 'Come to bed and have sex with me.';
const MINOR = 'Mia is 15 years old and goes to school.';

interface Refusal {
  code: string;
  rule: string;
  refused_text: string;
  appeal_token: string;
}

const sent = ['accepted', 'delta', 'done'];

/** The refusal that a chat tells of a message. */
async function refusedIn(chat: ConversationClient, text: string): Promise<Refusal> {
  const events = await chat.send(text);
  expect(getLastEvent(events).data.code).toBe('text_refused');
  const told = events.find(({ event }) => event === 'safety')?.data as Omit<Refusal, 'refused_text'>;
  return { ...told, refused_text: text };
}

async function refusedBy(call: Promise<Response>): Promise<Refusal> {
  const answer = await call;
  const refusal = await answer.json<Refusal>();
  expect(refusal.code).toBe('text_refused');
  return refusal;
}

async function filed(me: Visitor, place: string, { rule, refused_text, appeal_token }: Refusal) {
  const json = { message: 'Nobody here is a child.', place, rule, refused_text, appeal_token };
  return (await me.ask<{ id: string }>('/api/appeals', { json, status: 201 })).id;
}

const opened = async (id: string) => (await createStaffUser()).ask<AppealCase>(`/api/admin/appeals/${id}`);

/** Appeals and has it granted. @returns what staff was shown beside the text */
async function granted(me: Visitor, place: string, refusal: Refusal): Promise<AppealCase['beside']> {
  const id = await filed(me, place, refusal);
  const { beside } = await opened(id);
  const json = { status: 'granted', answer: 'Read.' };
  await (await createStaffUser()).ask(`/api/admin/appeals/${id}`, { method: 'PATCH', json });
  return beside;
}

const patch = (me: Visitor, id: string, json: object) =>
  me.call(`/api/characters/${id}`, { method: 'PATCH', json });

describe('A message that was refused beside who it was said to', () => {
  test('is shown to staff beside that, and sent beside that alone: to no other child, in no other story', async () => {
    const me = await createAccount();
    const id = await addCharacter({ name: 'Mia', characterTraits: MINOR });
    const chat = await startConversationClient(me, id);
    const beside = await granted(me, 'message', await refusedIn(chat, ACT));
    expect(beside).toHaveLength(1);
    expect(beside[0]).toMatchObject({ of: 'character', text: expect.stringContaining(MINOR) });
    expect(summarizeKinds(await chat.send(ACT))).toEqual(sent);
    const lily = await addCharacter({ name: 'Lily', characterTraits: 'Lily is 13 years old.' });
    await refusedIn(await startConversationClient(me, lily), ACT);
    // The same words to a grown-up were never refused.
    expect(summarizeKinds(await (await startConversationClient(me, await addCharacter())).send(ACT))).toEqual(
      sent,
    );
  });

  test('is refused again once the story says another age, and sent while it says nothing new', async () => {
    const me = await signInGuest();
    const id = await addCharacter({ name: 'Mia', characterTraits: MINOR });
    const chat = await startConversationClient(me, id);
    await granted(me, 'message', await refusedIn(chat, ACT));
    await chat.send('The rain falls on the roof.');
    expect(summarizeKinds(await chat.send(ACT))).toEqual(sent);
    const other = await startConversationClient(me, id);
    expect(summarizeKinds(await other.send('Ana is 12 years old.'))).toEqual(sent);
    const { beside } = await opened(await filed(me, 'message', await refusedIn(other, ACT)));
    expect(beside.map(({ of }) => of)).toEqual(['character', 'message']);
  });

  test('is refused again beside a note that says an age', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(
      me,
      await addCharacter({ name: 'Mia', characterTraits: MINOR }),
    );
    await granted(me, 'message', await refusedIn(chat, ACT));
    await chat.ask('/memory', { method: 'PUT', json: { summary: 'Ana is 14 years old.' } });
    const { beside } = await opened(await filed(me, 'message', await refusedIn(chat, ACT)));
    expect(beside).toContainEqual({ of: 'note', text: 'Ana is 14 years old.' });
  });

  test('that was let by where it was refused by itself is not let by beside a child', async () => {
    const me = await createAccount();
    const text = `She is 16 years old. ${ACT}`;
    const chat = await startConversationClient(me);
    expect(await granted(me, 'message', await refusedIn(chat, text))).toEqual([]);
    expect(summarizeKinds(await chat.send(text))).toEqual(sent);
    const lily = await startConversationClient(
      me,
      await addCharacter({ name: 'Lily', characterTraits: 'Lily is 13 years old.' }),
    );
    await refusedIn(lily, text);
  });

  test('was let by before it was known beside what, and is let by beside nothing', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(
      me,
      await addCharacter({ name: 'Mia', characterTraits: MINOR }),
    );
    await granted(me, 'message', await refusedIn(chat, ACT));
    await env.DB.prepare("delete from case_steps where step = 'beside' and admin_id = ?").bind(me.id).run();
    await refusedIn(chat, ACT);
  });

  test('lets nothing by where staff could read no more than a part of what it stood beside', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    for (let index = 0; index < 3; index += 1)
      await chat.send(`Ana is 1${index + 3} years old. ${'The rain falls on the roof. '.repeat(270)}`);
    const refusal = await refusedIn(chat, ACT);
    const { beside_whole: whole } = await opened(await filed(me, 'message', refusal));
    expect(whole).toBe(false);
    await granted(me, 'message', refusal);
    await refusedIn(chat, ACT);
  });

  test('tells nobody what it stood beside: its token says nothing to whoever has it', async () => {
    const me = await signInGuest();
    const told = await refusedIn(
      await startConversationClient(me, await addCharacter({ characterTraits: MINOR })),
      ACT,
    );
    const [, sealed = ''] = told.appeal_token.split('.');
    expect(atob(sealed.replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('15 years');
    // Of the one text alone it tells that it was refused.
    const json = { message: 'Mine.', place: 'message', rule: told.rule, appeal_token: told.appeal_token };
    const other = await me.call('/api/appeals', { json: { ...json, refused_text: `${ACT} Now.` } });
    expect(other.status).toBe(422);
  });
});

describe('What staff is shown beside a text', () => {
  test('of a character that is not everybody’s is told to its maker', async () => {
    const [maker, me] = [await createAccount(), await createAccount()];
    const { id } = await createOwnCharacter(maker, { name: 'Mia', character_traits: MINOR });
    const chat = await startConversationClient(me, id);
    const appeal = await filed(me, 'message', await refusedIn(chat, ACT));
    const views = async () => (await maker.ask<StaffViewList>('/api/me/staff-views')).items;
    await opened(appeal);
    expect(await views()).toEqual([]);
    await patch(maker, id, { visibility: 'unlisted' });
    await opened(appeal);
    expect(await views()).toMatchObject([{ what: 'character', subject_id: id }]);
  });
});

describe('A character that is refused for what two of its texts say together', () => {
  const KISS = 'I undress slowly, climb into your bed and we have sex until morning.';

  test('is not published in two halves: staff reads both, and what it granted holds for these two alone', async () => {
    const me = await createAccount();
    const form = { name: 'Mia', character_traits: MINOR, first_message: 'Hello.' };
    const { id } = await createOwnCharacter(me, form);
    const refusal = await refusedBy(patch(me, id, { first_message: KISS }));
    expect(refusal.refused_text).toBe(KISS);
    const beside = await granted(me, 'character', refusal);
    expect(beside).toEqual([{ of: 'character', text: MINOR }]);
    expect((await patch(me, id, { first_message: KISS })).status).toBe(200);
    // What stands there by now is not asked for anew with every change beside it.
    expect((await patch(me, id, { tags: ['rpg'], nickname: 'Wren' })).status).toBe(200);
    await refusedBy(patch(me, id, { character_traits: 'Mia is 12 years old and goes to school.' }));
    await refusedBy(patch(me, id, { alternate_greetings: [`${KISS} Again.`] }));
  });

  test('whose half was let by for another one is refused with this one', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me, {
      name: 'Mia',
      character_traits: MINOR,
      first_message: 'Hello.',
    });
    await granted(me, 'character', await refusedBy(patch(me, id, { first_message: KISS })));
    const form = await buildForm(me, {
      name: 'Lily',
      character_traits: 'Lily is 13 years old and goes to school.',
      first_message: KISS,
    });
    const { refused_text: text, ...rest } = await refusedBy(submitForm(me, form));
    const shown = await opened(await filed(me, 'character', { ...rest, refused_text: text }));
    expect([text, ...shown.beside.map((one) => one.text)].join('\n')).toContain('Lily is 13 years old');
    expect([text, ...shown.beside.map((one) => one.text)].join('\n')).toContain(KISS);
  });
});

import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { AppealCase } from '../../../../src/features/moderation/appeal-contract.ts';
import type { StaffViewList } from '../../../../src/features/moderation/staff-contract.ts';
import { createOwnCharacter, buildForm, submitForm } from '../../../support/character-actions.ts';
import { type ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import { getLastEvent, summarizeKinds } from '../../../support/event-reader.ts';
import { addCharacter, signInGuest, createAccount, type Visitor } from '../../../support/factories.ts';
import { createStaffUser } from '../../../support/staff.ts';

/** A message that is allowed with an adult character and refused with a child. */
const ACT = 'Come to bed and have sex with me.';
const MINOR = 'Mia is 15 years old and goes to school.';

interface Refusal {
  code: string;
  rule: string;
  refused_text: string;
  appeal_token: string;
}

const sent = ['accepted', 'delta', 'done'];

/** Sends a message and returns its refusal. */
async function sendRefused(chat: ConversationClient, text: string): Promise<Refusal> {
  const events = await chat.send(text);
  expect(getLastEvent(events).data.code).toBe('text_refused');
  const refusal = events.find(({ event }) => event === 'safety')?.data as Omit<Refusal, 'refused_text'>;
  return { ...refusal, refused_text: text };
}

async function readRefusal(call: Promise<Response>): Promise<Refusal> {
  const answer = await call;
  const refusal = await answer.json<Refusal>();
  expect(refusal.code).toBe('text_refused');
  return refusal;
}

async function fileAppeal(me: Visitor, place: string, { rule, refused_text, appeal_token }: Refusal) {
  const json = { message: 'Nobody here is a child.', place, rule, refused_text, appeal_token };
  return (await me.ask<{ id: string }>('/api/appeals', { json, status: 201 })).id;
}

const openAppeal = async (id: string) =>
  (await createStaffUser()).ask<AppealCase>(`/api/admin/appeals/${id}`);

/** Files an appeal and grants it. @returns the context that staff saw with the text */
async function grantAppeal(me: Visitor, place: string, refusal: Refusal): Promise<AppealCase['beside']> {
  const id = await fileAppeal(me, place, refusal);
  const { beside } = await openAppeal(id);
  const json = { status: 'granted', answer: 'Read.' };
  await (await createStaffUser()).ask(`/api/admin/appeals/${id}`, { method: 'PATCH', json });
  return beside;
}

const patch = (me: Visitor, id: string, json: object) =>
  me.call(`/api/characters/${id}`, { method: 'PATCH', json });

describe('Message refused because of its context', () => {
  test('a granted appeal covers the message only with the same character in the same conversation', async () => {
    const me = await createAccount();
    const id = await addCharacter({ name: 'Mia', characterTraits: MINOR });
    const chat = await startConversationClient(me, id);
    const beside = await grantAppeal(me, 'message', await sendRefused(chat, ACT));
    expect(beside).toHaveLength(1);
    expect(beside[0]).toMatchObject({ of: 'character', text: expect.stringContaining(MINOR) });
    expect(summarizeKinds(await chat.send(ACT))).toEqual(sent);
    const lily = await addCharacter({ name: 'Lily', characterTraits: 'Lily is 13 years old.' });
    await sendRefused(await startConversationClient(me, lily), ACT);
    // The same message to an adult character was never refused.
    expect(summarizeKinds(await (await startConversationClient(me, await addCharacter())).send(ACT))).toEqual(
      sent,
    );
  });

  test('a granted message is refused again once the conversation states another age', async () => {
    const me = await signInGuest();
    const id = await addCharacter({ name: 'Mia', characterTraits: MINOR });
    const chat = await startConversationClient(me, id);
    await grantAppeal(me, 'message', await sendRefused(chat, ACT));
    await chat.send('The rain falls on the roof.');
    expect(summarizeKinds(await chat.send(ACT))).toEqual(sent);
    const other = await startConversationClient(me, id);
    expect(summarizeKinds(await other.send('Ana is 12 years old.'))).toEqual(sent);
    const { beside } = await openAppeal(await fileAppeal(me, 'message', await sendRefused(other, ACT)));
    expect(beside.map(({ of }) => of)).toEqual(['character', 'message']);
  });

  test('a granted message is refused again once a memory note states an age', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(
      me,
      await addCharacter({ name: 'Mia', characterTraits: MINOR }),
    );
    await grantAppeal(me, 'message', await sendRefused(chat, ACT));
    await chat.ask('/memory', { method: 'PUT', json: { summary: 'Ana is 14 years old.' } });
    const { beside } = await openAppeal(await fileAppeal(me, 'message', await sendRefused(chat, ACT)));
    expect(beside).toContainEqual({ of: 'note', text: 'Ana is 14 years old.' });
  });

  test('a message granted on its own is still refused in a conversation with a child', async () => {
    const me = await createAccount();
    const text = `She is 16 years old. ${ACT}`;
    const chat = await startConversationClient(me);
    expect(await grantAppeal(me, 'message', await sendRefused(chat, text))).toEqual([]);
    expect(summarizeKinds(await chat.send(text))).toEqual(sent);
    const lily = await startConversationClient(
      me,
      await addCharacter({ name: 'Lily', characterTraits: 'Lily is 13 years old.' }),
    );
    await sendRefused(lily, text);
  });

  test('a granted appeal without its stored context allows nothing', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(
      me,
      await addCharacter({ name: 'Mia', characterTraits: MINOR }),
    );
    await grantAppeal(me, 'message', await sendRefused(chat, ACT));
    await env.DB.prepare("delete from case_steps where step = 'beside' and admin_id = ?").bind(me.id).run();
    await sendRefused(chat, ACT);
  });

  test('a granted appeal has no effect when staff could read only part of the context', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    for (let index = 0; index < 3; index += 1)
      await chat.send(`Ana is 1${index + 3} years old. ${'The rain falls on the roof. '.repeat(270)}`);
    const refusal = await sendRefused(chat, ACT);
    const { beside_whole: whole } = await openAppeal(await fileAppeal(me, 'message', refusal));
    expect(whole).toBe(false);
    await grantAppeal(me, 'message', refusal);
    await sendRefused(chat, ACT);
  });

  test('the appeal token does not reveal the context of the message', async () => {
    const me = await signInGuest();
    const refusal = await sendRefused(
      await startConversationClient(me, await addCharacter({ characterTraits: MINOR })),
      ACT,
    );
    const [, sealed = ''] = refusal.appeal_token.split('.');
    expect(atob(sealed.replaceAll('-', '+').replaceAll('_', '/'))).not.toContain('15 years');
    // The token is valid only for the refused text.
    const json = {
      message: 'Mine.',
      place: 'message',
      rule: refusal.rule,
      appeal_token: refusal.appeal_token,
    };
    const other = await me.call('/api/appeals', { json: { ...json, refused_text: `${ACT} Now.` } });
    expect(other.status).toBe(422);
  });
});

describe("Staff views of a text's context", () => {
  test('the creator of a non-public character sees that staff viewed it', async () => {
    const [maker, me] = [await createAccount(), await createAccount()];
    const { id } = await createOwnCharacter(maker, { name: 'Mia', character_traits: MINOR });
    const chat = await startConversationClient(me, id);
    const appeal = await fileAppeal(me, 'message', await sendRefused(chat, ACT));
    const listStaffViews = async () => (await maker.ask<StaffViewList>('/api/me/staff-views')).items;
    await openAppeal(appeal);
    expect(await listStaffViews()).toEqual([]);
    await patch(maker, id, { visibility: 'unlisted' });
    await openAppeal(appeal);
    expect(await listStaffViews()).toMatchObject([{ what: 'character', subject_id: id }]);
  });
});

describe('Character refused for the combination of two texts', () => {
  const KISS = 'I undress slowly, climb into your bed and we have sex until morning.';

  test('a granted appeal for two texts of a character covers only that combination', async () => {
    const me = await createAccount();
    const form = { name: 'Mia', character_traits: MINOR, first_message: 'Hello.' };
    const { id } = await createOwnCharacter(me, form);
    const refusal = await readRefusal(patch(me, id, { first_message: KISS }));
    expect(refusal.refused_text).toBe(KISS);
    const beside = await grantAppeal(me, 'character', refusal);
    expect(beside).toEqual([{ of: 'character', text: MINOR }]);
    expect((await patch(me, id, { first_message: KISS })).status).toBe(200);
    // An unchanged text is not checked again when another field changes.
    expect((await patch(me, id, { tags: ['rpg'], nickname: 'Wren' })).status).toBe(200);
    await readRefusal(patch(me, id, { character_traits: 'Mia is 12 years old and goes to school.' }));
    await readRefusal(patch(me, id, { alternate_greetings: [`${KISS} Again.`] }));
  });

  test('a text granted for one character is refused with another character', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me, {
      name: 'Mia',
      character_traits: MINOR,
      first_message: 'Hello.',
    });
    await grantAppeal(me, 'character', await readRefusal(patch(me, id, { first_message: KISS })));
    const form = await buildForm(me, {
      name: 'Lily',
      character_traits: 'Lily is 13 years old and goes to school.',
      first_message: KISS,
    });
    const { refused_text: text, ...rest } = await readRefusal(submitForm(me, form));
    const shown = await openAppeal(await fileAppeal(me, 'character', { ...rest, refused_text: text }));
    expect([text, ...shown.beside.map((one) => one.text)].join('\n')).toContain('Lily is 13 years old');
    expect([text, ...shown.beside.map((one) => one.text)].join('\n')).toContain(KISS);
  });
});

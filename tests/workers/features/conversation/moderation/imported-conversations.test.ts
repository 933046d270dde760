import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Conversation } from '../../../../../src/features/conversation/contract.ts';
import { getHelplines } from '../../../../../src/features/safety/helplines.ts';
import { ConversationClient, startConversationClient } from '../../../../support/conversation-client.ts';
import { getLastEvent, summarizeKinds } from '../../../../support/event-reader.ts';
import { addCharacter, signInGuest, getPoints, type Visitor } from '../../../../support/factories.ts';

/** A message outside any story from a user who needs help. */
const IN_NEED = 'I want to kill myself tonight.';
/** A message that is allowed between adults. */
const ACT = 'Come to bed and have sex with me.';

const help = { kind: 'crisis', helplines: getHelplines(null, 'en') };

function importChat(me: Visitor, characterId: string, messages: readonly { mes: string; mine: boolean }[]) {
  const body = new FormData();
  body.set('character_id', characterId);
  const lines = [
    { user_name: 'Ana', character_name: 'Mira' },
    ...messages.map(({ mes, mine }) => ({ name: mine ? 'Ana' : 'Mira', is_user: mine, mes })),
  ];
  body.set('file', new File([lines.map((line) => JSON.stringify(line)).join('\n')], 'chat.jsonl'));
  return me.call('/api/conversations/import', { body });
}

/** Imports a conversation with this user message and a reply. */
async function importWithMessage(me: Visitor, mes: string): Promise<ConversationClient> {
  const messages = [
    { mes, mine: true },
    { mes: 'The rain falls on the roof.', mine: false },
  ];
  const answer = await importChat(me, await addCharacter(), messages);
  expect(answer.status).toBe(201);
  const { conversation } = await answer.json<{ conversation: Conversation }>();
  return new ConversationClient(me, conversation.id);
}

/** Moves to a day on which no other test counts referrals. @returns its number */
function useUniqueDay(): number {
  const day = 33_000 + Math.floor(Math.random() * 40_000);
  vi.useFakeTimers({ toFake: ['Date'], now: day * 86_400_000 + 3_600_000 });
  return day;
}

const listReferrals = async (day: number) =>
  (await env.DB.prepare('select kind, referrals from crisis_days where day = ?').bind(day).all()).results;

afterEach(() => vi.useRealTimers());

describe('Safety of imported conversations', () => {
  test('regenerating the reply to an imported crisis message shows help once and counts one referral', async () => {
    const day = useUniqueDay();
    const chat = await importWithMessage(await signInGuest(), IN_NEED);
    const reply = (await chat.ids()).at(-1) as string;
    const events = await chat.regenerate(reply);
    expect(summarizeKinds(events)).toEqual(['accepted', 'safety', 'delta', 'done']);
    expect(events[1]?.data).toEqual(help);
    const [mine, answer] = await chat.messages();
    expect(mine).toMatchObject({ content: IN_NEED, safety: help });
    expect(answer).not.toHaveProperty('safety');
    expect(events[0]?.data.user_message).toEqual(mine);
    expect(summarizeKinds(await chat.regenerate(reply))).toEqual(['accepted', 'delta', 'done']);
    await expect.poll(() => listReferrals(day)).toEqual([{ kind: 'suicide', referrals: 1 }]);
  });

  test('continuing the reply to an imported crisis message shows help', async () => {
    const chat = await importWithMessage(await signInGuest(), IN_NEED);
    const events = await chat.continueReply((await chat.ids()).at(-1) as string);
    expect(summarizeKinds(events).slice(0, 2)).toEqual(['accepted', 'safety']);
    expect((await chat.messages())[0]).toMatchObject({ safety: help });
  });

  test('an imported sexual message is refused once a memory note adds a child to the conversation', async () => {
    const chat = await importWithMessage(await signInGuest(), ACT);
    const reply = (await chat.ids()).at(-1) as string;
    expect(summarizeKinds(await chat.regenerate(reply))).toEqual(['accepted', 'delta', 'done']);
    const left = (await getPoints(chat.me)).current_points;
    await chat.ask('/memory', { method: 'PUT', json: { summary: 'Mira is 14 years old.' } });
    const events = await chat.regenerate(reply);
    expect(summarizeKinds(events)).toEqual(['safety', 'error']);
    expect(events[0]?.data).toMatchObject({ kind: 'refused', rule: 'minors' });
    expect(getLastEvent(events).data.code).toBe('text_refused');
    expect((await getPoints(chat.me)).current_points).toBe(left);
  });
});

test(
  'an imported file with more text than the safety check reads is refused @all',
  { timeout: 120_000 },
  async () => {
    const me = await signInGuest();
    const mes = 'The rain falls on the roof of the old house. '.repeat(2000);
    const messages = Array.from({ length: 112 }, () => ({ mes, mine: true }));
    const last = [...messages, { mes: 'Lily is 13 years old. They have sex.', mine: true }];
    const answer = await importChat(me, await addCharacter(), last);
    expect([answer.status, await answer.json()]).toMatchObject([422, { code: 'import_too_long' }]);
    const stored = env.DB.prepare('select count(*) as count from conversations where owner_id = ?').bind(
      me.id,
    );
    expect(await stored.first('count')).toBe(0);
  },
);

test('a refused edit with a crisis message shows help and counts one referral', async () => {
  const day = useUniqueDay();
  const chat = await startConversationClient(await signInGuest());
  await chat.send('Hello.');
  const [, mine, reply] = await chat.messages();
  const content = `${IN_NEED} She is 15 years old. They have sex.`;
  const edit = async (id: string | undefined) => {
    const answer = await chat.call(`/messages/${id}`, { method: 'PATCH', json: { content } });
    return [answer.status, await answer.json<object>()] as const;
  };
  for (let time = 0; time < 2; time += 1) {
    const [status, refusal] = await edit(mine?.id);
    expect(status).toBe(422);
    expect(refusal).toMatchObject({ code: 'text_refused', rule: 'minors', safety: help });
  }
  await expect.poll(() => listReferrals(day)).toEqual([{ kind: 'suicide', referrals: 1 }]);
  // A character's text is never a crisis message of the user.
  expect((await edit(reply?.id))[1]).not.toHaveProperty('safety');
  expect((await chat.messages())[1]).toMatchObject({ content: 'Hello.' });
  await chat.edit(mine?.id as string, IN_NEED);
  expect((await chat.messages())[1]).toMatchObject({ content: IN_NEED, safety: help });
  expect(await listReferrals(day)).toEqual([{ kind: 'suicide', referrals: 1 }]);
});

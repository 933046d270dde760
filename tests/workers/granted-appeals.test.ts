import { env } from 'cloudflare:workers';
import { describe, expect, inject, test } from 'vitest';
import { APPEAL_LIMITS } from '../../src/features/safety/limits.ts';
import { isExempt } from '../../src/features/safety/appeal-exemption-statements.ts';
import type { OwnAppealList } from '../../src/features/moderation/appeal-contract.ts';
import { createAppealToken, type RefusedText } from '../../src/features/moderation/appeal-token.ts';
import { normalizeExactText } from '../../src/features/safety/evidence.ts';
import { createId } from '../../src/lib/ids.ts';
import { buildForm, submitForm } from '../support/character-actions.ts';
import { type ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import { ConfiguredVisitor } from '../support/configured-visitor.ts';
import { getLastEvent, summarizeKinds } from '../support/event-reader.ts';
import { addCharacter, signInGuest, createAccount, type Visitor } from '../support/factories.ts';
import { explainQueries } from '../support/query-stats.ts';
import { buildReplyScript } from '../support/reply-script.ts';
import { createStaffUser } from '../support/staff.ts';

/** What a rule refuses, and somebody who reads it may find harmless. */
const TEXT = 'She is 15 years old. They have sex.';
const OTHER = 'He is 14 years old. They have sex.';

interface Refusal {
  code: string;
  rule: string;
  refused_text: string;
  appeal_token: string;
}

/** What a call was refused with. */
async function refusedBy(call: Promise<Response>): Promise<Refusal> {
  const answer = await call;
  const refusal = await answer.json<Refusal>();
  expect(refusal).toMatchObject({ code: 'text_refused', appeal_token: expect.any(String) });
  return refusal;
}

/** The token with which a chat told that it refused a message. */
async function refusedIn(
  chat: ConversationClient,
  text: string,
): Promise<{ rule: string; appeal_token: string }> {
  const told = (await chat.send(text)).find(({ event }) => event === 'safety')?.data;
  const { rule, appeal_token } = told as { rule: string; appeal_token: string };
  return { rule, appeal_token };
}

const appeal = (me: Visitor, json: object) =>
  me.call('/api/appeals', { json: { message: 'It is from a court report.', ...json } });

async function filed(me: Visitor, json: object): Promise<string> {
  const answer = await appeal(me, json);
  expect(answer.status).toBe(201);
  return (await answer.json<{ id: string }>()).id;
}

const decide = async (id: string, status: 'granted' | 'declined' = 'granted') =>
  (await createStaffUser()).ask(`/api/admin/appeals/${id}`, {
    method: 'PATCH',
    json: { status, answer: 'Read.' },
  });

/** Appeals against what was refused, and has it granted. */
async function granted(me: Visitor, place: string, { rule, refused_text, appeal_token }: Refusal) {
  await decide(await filed(me, { place, rule, refused_text, appeal_token }));
}

describe('A text that staff let by', () => {
  test('can be sent where it was refused, by me alone, and no other with it', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    const told = await refusedIn(chat, TEXT);
    const id = await filed(me, { place: 'message', refused_text: TEXT, ...told });
    expect(getLastEvent(await chat.send(TEXT)).data.code).toBe('text_refused');
    await decide(id);
    const [shown] = (await me.ask<OwnAppealList>('/api/me/appeals')).items;
    expect(shown).toMatchObject({ status: 'granted', refused_text: TEXT });
    expect(getLastEvent(await chat.send(OTHER)).data.code).toBe('text_refused');
    expect(summarizeKinds(await chat.send(`${TEXT}\r\n`))).toEqual(['accepted', 'delta', 'done']);
    const elsewhere = await startConversationClient(await signInGuest());
    expect(getLastEvent(await elsewhere.send(TEXT)).data.code).toBe('text_refused');
  });

  test('can be written by an edit and as a note, since both are what I write in a chat', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('Hello.');
    const [, mine] = await chat.messages();
    const edit = { method: 'PATCH', json: { content: TEXT } };
    await granted(me, 'message', await refusedBy(chat.call(`/messages/${mine?.id}`, edit)));
    expect((await chat.edit(mine?.id as string, TEXT)).content).toBe(TEXT);
    const notes = { method: 'PUT', json: { summary: TEXT } };
    expect((await chat.call('/memory', notes)).status).toBe(200);
    expect((await chat.call('/memory', { method: 'PUT', json: { summary: OTHER } })).status).toBe(422);
  });

  test('that was declined is refused as before', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    const told = await refusedIn(chat, TEXT);
    await decide(await filed(me, { place: 'message', refused_text: TEXT, ...told }), 'declined');
    expect(getLastEvent(await chat.send(TEXT)).data.code).toBe('text_refused');
  });

  test('makes my character, whose other texts are looked at as before', async () => {
    const me = await createAccount();
    const form = await buildForm(me, { oneliner: TEXT });
    await granted(me, 'character', await refusedBy(submitForm(me, form)));
    await refusedBy(submitForm(me, { ...form, first_message: OTHER }));
    const made = await submitForm(me, form);
    expect(made.status).toBe(201);
    const { id } = await made.json<{ id: string }>();
    const change = (json: object) => me.call(`/api/characters/${id}`, { method: 'PATCH', json });
    expect((await change({ name: 'Wren' })).status).toBe(200);
    await refusedBy(change({ oneliner: OTHER }));
    const persona = { name: 'Ana', description: TEXT };
    await refusedBy(me.call('/api/personas', { json: persona }));
  });

  test('comes in as a card, and makes its character then', async () => {
    const me = await createAccount();
    const bring = () => {
      const body = new FormData();
      const data = { name: 'Mia', description: TEXT, first_mes: 'Hello.' };
      const card = JSON.stringify({ spec: 'chara_card_v2', spec_version: '2.0', data });
      body.set('file', new File([card], 'mia.json', { type: 'application/json' }));
      return me.call('/api/characters/import', { body });
    };
    await granted(me, 'import', await refusedBy(bring()));
    const brought = await bring();
    expect(brought.status).toBe(200);
    const { draft } = await brought.json<{ draft: { oneliner: string; character_traits: string } }>();
    const { oneliner, character_traits } = draft;
    expect(character_traits).toBe(TEXT);
    expect((await submitForm(me, await buildForm(me, { oneliner, character_traits }))).status).toBe(201);
  });

  test('comes in with a chat, and goes into a persona', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter();
    const bring = () => {
      const body = new FormData();
      body.set('character_id', characterId);
      const lines = [
        { user_name: 'Ana', character_name: 'Mira' },
        { name: 'Ana', is_user: true, mes: TEXT },
      ];
      body.set('file', new File([lines.map((line) => JSON.stringify(line)).join('\n')], 'chat.jsonl'));
      return me.call('/api/conversations/import', { body });
    };
    await granted(me, 'import', await refusedBy(bring()));
    expect((await bring()).status).toBe(201);
    const persona = () => me.call('/api/personas', { json: { name: 'Ana', description: TEXT } });
    await granted(me, 'persona', await refusedBy(persona()));
    expect((await persona()).status).toBe(201);
  });

  test('is let by the one rule alone: another one refuses it all the same', async () => {
    const me = await createAccount();
    const at = new ConfiguredVisitor({ MODERATION_BASE_URL: inject('moderationUrl') }, me);
    const text = 'Something. [[finds:hate]] [[finds:sexual]]';
    const form = await buildForm(me, { oneliner: text });
    const first = await refusedBy(submitForm(at, form));
    expect(first.rule).toBe('hate');
    await granted(me, 'character', first);
    const second = await refusedBy(submitForm(at, form));
    expect(second.rule).toBe('sexual');
    await granted(me, 'character', second);
    expect((await submitForm(at, form)).status).toBe(201);
  });

  test('is found by an index, among the latest of my appeals', async () => {
    const asked = {
      userId: createId(1),
      places: ['message'],
      rule: 'minors',
      texts: [TEXT],
      parts: ['a'],
      beside: ['b'],
    };
    const plans = await explainQueries(async (db) => {
      await isExempt(db, asked);
    });
    expect(plans).toHaveLength(1);
    expect(plans[0]).toContain('SEARCH appeals USING INDEX appeals_user (user_id=?)');
    expect(plans[0]).not.toMatch(/SCAN appeals|TEMP B-TREE/);
  });
});

describe('An appeal against a text that was never refused', () => {
  const HARMLESS = 'I slay the dragon.';

  test('is not taken, whatever it claims', async () => {
    const me = await signInGuest();
    const claims = { place: 'message', rule: 'violence', refused_text: HARMLESS };
    for (const more of [
      {},
      { appeal_token: `${Date.now().toString(36)}.${'0'.repeat(64)}` },
      { rule: 'minors' },
      { place: 'reply', conversation_id: createId(Date.now()), message_id: createId(Date.now()) },
    ]) {
      const answer = await appeal(me, { ...claims, ...more });
      expect({ more, status: answer.status, body: await answer.json() }).toMatchObject({
        more,
        status: 422,
        body: { code: 'not_refused' },
      });
    }
    expect((await me.ask<OwnAppealList>('/api/me/appeals')).items).toEqual([]);
  });

  test('is not taken with what another refusal gave along', async () => {
    const [me, somebody] = [await signInGuest(), await signInGuest()];
    const secret = env.AUTH_SECRET as string;
    const now = Date.now();
    const mine: RefusedText = { userId: me.id, place: 'message', rule: 'hate', text: HARMLESS };
    const filedWith = async (of: Partial<RefusedText>, at = now) => {
      const appeal_token = await createAppealToken(secret, { ...mine, ...of }, at);
      const answer = await appeal(me, {
        place: 'message',
        rule: 'hate',
        refused_text: HARMLESS,
        appeal_token,
      });
      return answer.status;
    };
    for (const of of [
      { userId: somebody.id },
      { place: 'persona' },
      { rule: 'sexual' },
      { text: 'I slay the knight.' },
    ] as const)
      expect({ of, status: await filedWith(of) }).toEqual({ of, status: 422 });
    expect(await filedWith({}, now - APPEAL_LIMITS.tokenLifetimeMs - 60_000)).toBe(422);
    expect(await filedWith({}, now + 60_000)).toBe(422);
    expect(await filedWith({}, now - APPEAL_LIMITS.tokenLifetimeMs + 60_000)).toBe(201);
    expect(await filedWith({ text: ` ${HARMLESS}\r\n` })).toBe(201);
  });

  test('is taken without it where the rules refuse the text once more', async () => {
    const me = await signInGuest();
    expect((await appeal(me, { place: 'message', rule: 'minors', refused_text: TEXT })).status).toBe(201);
    expect((await appeal(me, { place: 'message', rule: 'hate', refused_text: TEXT })).status).toBe(422);
  });

  test('about a reply is about what a rule cut off, as the conversation has it', async () => {
    const chat = await startConversationClient(await signInGuest());
    const { me } = chat;
    await chat.send(`Tell me. ${buildReplyScript(`The rain falls on the roof. She waits. ${TEXT}`)}`);
    await chat.send('And now?');
    const [, , cutOff, , whole] = await chat.messages();
    const claim = { place: 'reply', rule: 'hate', refused_text: HARMLESS, conversation_id: chat.id };
    expect((await appeal(me, { ...claim, message_id: whole?.id })).status).toBe(422);
    expect((await appeal(await signInGuest(), { ...claim, message_id: cutOff?.id })).status).toBe(422);
    await filed(me, { ...claim, message_id: cutOff?.id });
    const [shown] = (await me.ask<OwnAppealList>('/api/me/appeals')).items;
    expect(shown).toMatchObject({
      place: 'reply',
      rule: 'minors',
      refused_text: normalizeExactText(cutOff?.content as string),
    });
  });
});

import { env } from 'cloudflare:workers';
import { describe, expect, inject, test } from 'vitest';
import { APPEAL_LIMITS } from '../../../../src/features/safety/limits.ts';
import { isExempt } from '../../../../src/features/safety/appeal-exemption-statements.ts';
import type { OwnAppealList } from '../../../../src/features/moderation/appeal-contract.ts';
import { createAppealToken, type RefusedText } from '../../../../src/features/moderation/appeal-token.ts';
import { normalizeExactText } from '../../../../src/features/safety/evidence.ts';
import { createId } from '../../../../src/lib/ids.ts';
import { buildForm, submitForm } from '../../../support/character-actions.ts';
import { type ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import { getLastEvent, summarizeKinds } from '../../../support/event-reader.ts';
import { addCharacter, signInGuest, createAccount, type Visitor } from '../../../support/factories.ts';
import { explainQueries } from '../../../support/query-stats.ts';
import { buildReplyScript } from '../../../support/reply-script.ts';
import { createStaffUser } from '../../../support/staff.ts';

/** A text that a rule refuses although it may be harmless. */
const TEXT = 'She is 15 years old. They have sex.';
const OTHER = 'He is 14 years old. They have sex.';

interface Refusal {
  code: string;
  rule: string;
  refused_text: string;
  appeal_token: string;
}

/** Reads the refusal of a call. */
async function readRefusal(call: Promise<Response>): Promise<Refusal> {
  const answer = await call;
  const refusal = await answer.json<Refusal>();
  expect(refusal).toMatchObject({ code: 'text_refused', appeal_token: expect.any(String) });
  return refusal;
}

/** Sends a message that is refused and returns its rule and appeal token. */
async function sendRefused(
  chat: ConversationClient,
  text: string,
): Promise<{ rule: string; appeal_token: string }> {
  const safetyEvent = (await chat.send(text)).find(({ event }) => event === 'safety')?.data;
  const { rule, appeal_token } = safetyEvent as { rule: string; appeal_token: string };
  return { rule, appeal_token };
}

const postAppeal = (me: Visitor, json: object) =>
  me.call('/api/appeals', { json: { message: 'It is from a court report.', ...json } });

async function fileAppeal(me: Visitor, json: object): Promise<string> {
  const answer = await postAppeal(me, json);
  expect(answer.status).toBe(201);
  return (await answer.json<{ id: string }>()).id;
}

const decide = async (id: string, status: 'granted' | 'declined' = 'granted') =>
  (await createStaffUser()).ask(`/api/admin/appeals/${id}`, {
    method: 'PATCH',
    json: { status, answer: 'Read.' },
  });

/** Appeals against a refusal and grants the appeal. */
async function grantAppeal(me: Visitor, place: string, { rule, refused_text, appeal_token }: Refusal) {
  await decide(await fileAppeal(me, { place, rule, refused_text, appeal_token }));
}

describe('Texts with a granted appeal', () => {
  test('a granted message can be sent by its author only, and no other text with it', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    const refusal = await sendRefused(chat, TEXT);
    const id = await fileAppeal(me, { place: 'message', refused_text: TEXT, ...refusal });
    expect(getLastEvent(await chat.send(TEXT)).data.code).toBe('text_refused');
    await decide(id);
    const [ownAppeal] = (await me.ask<OwnAppealList>('/api/me/appeals')).items;
    expect(ownAppeal).toMatchObject({ status: 'granted', refused_text: TEXT });
    expect(getLastEvent(await chat.send(OTHER)).data.code).toBe('text_refused');
    expect(summarizeKinds(await chat.send(`${TEXT}\r\n`))).toEqual(['accepted', 'delta', 'done']);
    const elsewhere = await startConversationClient(await signInGuest());
    expect(getLastEvent(await elsewhere.send(TEXT)).data.code).toBe('text_refused');
  });

  test('a granted message can also be written by an edit or as a memory note', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    await chat.send('Hello.');
    const [, userMessage] = await chat.messages();
    const edit = { method: 'PATCH', json: { content: TEXT } };
    await grantAppeal(me, 'message', await readRefusal(chat.call(`/messages/${userMessage?.id}`, edit)));
    expect((await chat.edit(userMessage?.id as string, TEXT)).content).toBe(TEXT);
    const notes = { method: 'PUT', json: { summary: TEXT } };
    expect((await chat.call('/memory', notes)).status).toBe(200);
    expect((await chat.call('/memory', { method: 'PUT', json: { summary: OTHER } })).status).toBe(422);
  });

  test('a text whose appeal was declined is still refused', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    const refusal = await sendRefused(chat, TEXT);
    await decide(await fileAppeal(me, { place: 'message', refused_text: TEXT, ...refusal }), 'declined');
    expect(getLastEvent(await chat.send(TEXT)).data.code).toBe('text_refused');
  });

  test('a granted character text is accepted, and other texts are still checked', async () => {
    const me = await createAccount();
    const form = await buildForm(me, { oneliner: TEXT });
    await grantAppeal(me, 'character', await readRefusal(submitForm(me, form)));
    await readRefusal(submitForm(me, { ...form, first_message: OTHER }));
    const created = await submitForm(me, form);
    expect(created.status).toBe(201);
    const { id } = await created.json<{ id: string }>();
    const change = (json: object) => me.call(`/api/characters/${id}`, { method: 'PATCH', json });
    expect((await change({ name: 'Wren' })).status).toBe(200);
    await readRefusal(change({ oneliner: OTHER }));
    const persona = { name: 'Ana', description: TEXT };
    await readRefusal(me.call('/api/personas', { json: persona }));
  });

  test('a granted card can be imported and its character created', async () => {
    const me = await createAccount();
    const importCard = () => {
      const body = new FormData();
      const data = { name: 'Mia', description: TEXT, first_mes: 'Hello.' };
      const card = JSON.stringify({ spec: 'chara_card_v2', spec_version: '2.0', data });
      body.set('file', new File([card], 'mia.json', { type: 'application/json' }));
      return me.call('/api/characters/import', { body });
    };
    await grantAppeal(me, 'import', await readRefusal(importCard()));
    const imported = await importCard();
    expect(imported.status).toBe(200);
    const { draft } = await imported.json<{
      draft: { oneliner: string; definition: { description: { text: string } } };
    }>();
    const { oneliner, definition } = draft;
    expect(definition.description.text).toBe(TEXT);
    expect((await submitForm(me, await buildForm(me, { oneliner, definition }))).status).toBe(201);
  });

  test('a granted chat can be imported, and a granted persona created', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter();
    const importChat = () => {
      const body = new FormData();
      body.set('character_id', characterId);
      const lines = [
        { user_name: 'Ana', character_name: 'Mira' },
        { name: 'Ana', is_user: true, mes: TEXT },
      ];
      body.set('file', new File([lines.map((line) => JSON.stringify(line)).join('\n')], 'chat.jsonl'));
      return me.call('/api/conversations/import', { body });
    };
    await grantAppeal(me, 'import', await readRefusal(importChat()));
    expect((await importChat()).status).toBe(201);
    const persona = () => me.call('/api/personas', { json: { name: 'Ana', description: TEXT } });
    await grantAppeal(me, 'persona', await readRefusal(persona()));
    expect((await persona()).status).toBe(201);
  });

  test('a granted appeal covers one rule, and another rule still refuses the text', async () => {
    const me = await createAccount();
    const moderatedVisitor = new ConfiguredVisitor({ MODERATION_BASE_URL: inject('moderationUrl') }, me);
    const text = 'Something. [[finds:hate]] [[finds:sexual]]';
    const form = await buildForm(me, { oneliner: text });
    const first = await readRefusal(submitForm(moderatedVisitor, form));
    expect(first.rule).toBe('hate');
    await grantAppeal(me, 'character', first);
    const second = await readRefusal(submitForm(moderatedVisitor, form));
    expect(second.rule).toBe('sexual');
    await grantAppeal(me, 'character', second);
    expect((await submitForm(moderatedVisitor, form)).status).toBe(201);
  });

  test("a granted appeal is looked up through an index among the user's latest appeals", async () => {
    const lookup = {
      userId: createId(1),
      places: ['message'],
      rule: 'minors',
      texts: [TEXT],
      parts: ['a'],
      beside: ['b'],
    };
    const plans = await explainQueries(async (db) => {
      await isExempt(db, lookup);
    });
    expect(plans).toHaveLength(1);
    expect(plans[0]).toContain('SEARCH appeals USING INDEX appeals_user (user_id=?)');
    expect(plans[0]).not.toMatch(/SCAN appeals|TEMP B-TREE/);
  });
});

describe('Appeals against texts that were not refused', () => {
  const HARMLESS = 'I slay the dragon.';

  test('an appeal against a harmless text is refused, whatever it claims', async () => {
    const me = await signInGuest();
    const claims = { place: 'message', rule: 'violence', refused_text: HARMLESS };
    for (const more of [
      {},
      { appeal_token: `${Date.now().toString(36)}.${'0'.repeat(64)}` },
      { rule: 'minors' },
      { place: 'reply', conversation_id: createId(Date.now()), message_id: createId(Date.now()) },
    ]) {
      const answer = await postAppeal(me, { ...claims, ...more });
      expect({ more, status: answer.status, body: await answer.json() }).toMatchObject({
        more,
        status: 422,
        body: { code: 'not_refused' },
      });
    }
    expect((await me.ask<OwnAppealList>('/api/me/appeals')).items).toEqual([]);
  });

  test('an appeal is refused with a token for another user, place, rule, text or time', async () => {
    const [me, other] = [await signInGuest(), await signInGuest()];
    const secret = env.AUTH_SECRET as string;
    const now = Date.now();
    const ownText: RefusedText = { userId: me.id, place: 'message', rule: 'hate', text: HARMLESS };
    const fileWithToken = async (of: Partial<RefusedText>, at = now) => {
      const appeal_token = await createAppealToken(secret, { ...ownText, ...of }, at);
      const answer = await postAppeal(me, {
        place: 'message',
        rule: 'hate',
        refused_text: HARMLESS,
        appeal_token,
      });
      return answer.status;
    };
    for (const of of [
      { userId: other.id },
      { place: 'persona' },
      { rule: 'sexual' },
      { text: 'I slay the knight.' },
    ] as const)
      expect({ of, status: await fileWithToken(of) }).toEqual({ of, status: 422 });
    expect(await fileWithToken({}, now - APPEAL_LIMITS.tokenLifetimeMs - 60_000)).toBe(422);
    expect(await fileWithToken({}, now + 60_000)).toBe(422);
    expect(await fileWithToken({}, now - APPEAL_LIMITS.tokenLifetimeMs + 60_000)).toBe(201);
    expect(await fileWithToken({ text: ` ${HARMLESS}\r\n` })).toBe(201);
  });

  test('an appeal without a token is accepted when the rule refuses the text again', async () => {
    const me = await signInGuest();
    expect((await postAppeal(me, { place: 'message', rule: 'minors', refused_text: TEXT })).status).toBe(201);
    expect((await postAppeal(me, { place: 'message', rule: 'hate', refused_text: TEXT })).status).toBe(422);
  });

  test('an appeal about a reply concerns the text that was cut off, as the conversation has it', async () => {
    const chat = await startConversationClient(await signInGuest());
    const { me } = chat;
    await chat.send(`Tell me. ${buildReplyScript(`The rain falls on the roof. She waits. ${TEXT}`)}`);
    await chat.send('And now?');
    const [, , cutOff, , whole] = await chat.messages();
    const claim = { place: 'reply', rule: 'hate', refused_text: HARMLESS, conversation_id: chat.id };
    expect((await postAppeal(me, { ...claim, message_id: whole?.id })).status).toBe(422);
    expect((await postAppeal(await signInGuest(), { ...claim, message_id: cutOff?.id })).status).toBe(422);
    await fileAppeal(me, { ...claim, message_id: cutOff?.id });
    const [ownAppeal] = (await me.ask<OwnAppealList>('/api/me/appeals')).items;
    expect(ownAppeal).toMatchObject({
      place: 'reply',
      rule: 'minors',
      refused_text: normalizeExactText(cutOff?.content as string),
    });
  });
});

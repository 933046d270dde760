import { describe, expect, test } from 'vitest';
import { getLastEvent, joinDeltas, joinThinking } from '../../../../support/event-reader.ts';
import { createOwnCharacter } from '../../../../support/character-actions.ts';
import {
  createAccount,
  createTurnId,
  expectBalancedLedger,
  getLastMessage,
  getPoints,
  sendMessage,
  signInGuest,
  startConversation,
  type Visitor,
} from '../../../../support/factories.ts';
import { buildReplyScript } from '../../../../support/reply-script.ts';
import { createScene } from '../../../../support/scripted-model.ts';

const readThinking = (me: Visitor, id: string, messageId: string) =>
  me.call(`/api/conversations/${id}/messages/${messageId}/thinking`);

const FORMS = [
  '<think>A secret plan.</think>\n\nWelcome ashore.',
  '<thinking>A secret plan.</thinking>\nWelcome ashore.',
  '<|channel|>analysis<|message|>A secret plan.<|end|><|start|>assistant<|channel|>final<|message|>Welcome ashore.',
  '◁think▷A secret plan.◁/think▷Welcome ashore.',
  'A secret plan.\n</think>\n\nWelcome ashore.',
];

describe('Thinking of a model', () => {
  test.each(FORMS)('thinking is streamed apart from the reply and kept with it: %j', async (text) => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const events = await sendMessage(me, id, buildReplyScript(text));
    const begun = events.findLastIndex(({ event }) => event === 'accepted');
    expect(joinThinking(events.slice(begun)).trim()).toBe('A secret plan.');
    expect(joinDeltas(events.slice(begun))).toBe('Welcome ashore.');
    const reply = await getLastMessage(me, id);
    expect(reply).toMatchObject({ content: 'Welcome ashore.', status: 'complete', has_thinking: true });
    expect(getLastEvent(events).data.reply).toEqual(reply);
    expect(await (await readThinking(me, id, reply.id)).json()).toEqual({
      version_id: reply.selected_version_id,
      text: 'A secret plan.',
    });
    await expectBalancedLedger(me);
  });

  test('thinking that repeats a definition is cut for everyone except its creator', async () => {
    const [maker, me] = [await createAccount(), await createAccount()];
    const description =
      'She hid the key of the northern lighthouse under the third stone of the harbour wall, long ago.';
    const { id: characterId } = await createOwnCharacter(maker, {
      definition: { description: { text: description } },
    });
    const script = buildReplyScript(
      `<think>The description says: ${description} So I am careful.</think>Welcome.`,
    );
    for (const [user, end] of [
      [maker, 'So I am careful.'],
      [me, ''],
    ] as const) {
      const id = await startConversation(user, characterId);
      const events = await sendMessage(user, id, script);
      expect(joinDeltas(events)).toBe('Welcome.');
      const reply = await getLastMessage(user, id);
      const { text } = (await (await readThinking(user, id, reply.id)).json()) as { text: string };
      expect(text).toMatch(/^The description says: She hid/);
      expect(text.includes('third stone')).toBe(end !== '');
      expect(joinThinking(events).trim()).toBe(text);
    }
  });

  test('a reply of thinking alone is empty and free', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const before = await getPoints(me);
    const events = await sendMessage(me, id, buildReplyScript('<think>A secret plan that goes on'));
    expect(getLastEvent(events)).toMatchObject({ event: 'error', data: { code: 'reply_empty' } });
    expect(await getLastMessage(me, id)).toMatchObject({ content: '', status: 'failed' });
    expect(await getPoints(me)).toMatchObject({ current_points: before.current_points });
  });

  test('thinking is in no prompt, no search and no text of an export, which has it as `extra.reasoning`', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, buildReplyScript('<think>Zanzibar is the plan.</think>Welcome ashore.'));
    const next = createScene('tokens n=2');
    await sendMessage(me, id, `And then? ${next.marker}`);
    expect(JSON.stringify((await next.requests())[0]?.body.messages)).not.toContain('Zanzibar');
    const found = await me.ask<{ items: unknown[] }>('/api/conversations/search?q=Zanzibar');
    expect(found.items).toEqual([]);
    const lines = (await (await me.call(`/api/conversations/${id}/export?format=jsonl`)).text()).split('\n');
    const line = JSON.parse(lines.find((one) => one.includes('Zanzibar')) ?? '{}') as Record<string, unknown>;
    expect(line).toMatchObject({ mes: 'Welcome ashore.', extra: { reasoning: 'Zanzibar is the plan.' } });
    const everything = await (await me.call('/api/account/export?format=json')).text();
    expect(everything).toContain('"thinking":"Zanzibar is the plan."');
    for (const format of ['md', 'html'])
      expect(await (await me.call(`/api/conversations/${id}/export?format=${format}`)).text()).not.toContain(
        'Zanzibar',
      );
  });

  test('a reader who rejoins is sent the whole thinking again, and the text once', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    for (const text of [FORMS[0], FORMS[4]]) {
      const turnId = createTurnId();
      const events = await sendMessage(me, id, buildReplyScript(text as string), { turnId });
      for (const [index, seen] of events.entries()) {
        const rest = await sendMessage(me, id, 'again', { turnId, lastEventId: seen.id });
        const received = [...events.slice(0, index + 1), ...rest];
        const begun = received.findLastIndex(({ event }) => event === 'accepted');
        expect(joinDeltas(received.slice(begun))).toBe('Welcome ashore.');
        const isWhole = rest.some(({ event }) => event === 'accepted');
        if (isWhole) expect(joinThinking(rest).trim()).toBe('A secret plan.');
      }
    }
  });

  test('thinking belongs to its version', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await sendMessage(me, id, buildReplyScript('<think>The first plan.</think>One.'));
    const reply = await getLastMessage(me, id);
    await me.ask(`/api/conversations/${id}/messages/${reply.id}`, {
      method: 'PATCH',
      json: { content: 'Edited.' },
    });
    const edited = await getLastMessage(me, id);
    expect(edited).not.toHaveProperty('has_thinking');
    expect((await readThinking(me, id, reply.id)).status).toBe(404);
    await me.ask(`/api/conversations/${id}/messages/${reply.id}/version`, {
      method: 'PUT',
      json: { version_id: reply.selected_version_id },
    });
    expect(await (await readThinking(me, id, reply.id)).json()).toMatchObject({ text: 'The first plan.' });
    expect((await readThinking(await signInGuest(), id, reply.id)).status).toBe(404);
  });

  test('a reply whose thinking breaks a rule ends, and shows nothing of it', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const bad = 'She is 12 years old and they have sex.';
    const events = await sendMessage(me, id, buildReplyScript(`<think>A plan. ${bad}</think>Welcome.`));
    expect(getLastEvent(events)).toMatchObject({ event: 'error', data: { code: 'reply_refused' } });
    expect(JSON.stringify(events)).not.toContain('have sex');
    const reply = await getLastMessage(me, id);
    expect(await (await readThinking(me, id, reply.id)).text()).not.toContain('have sex');
  });
});

describe('Text of a reply', () => {
  test('a reply that reaches the limit of the model says so until it is continued', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const scene = createScene('tokens n=4 finish=length');
    const { data } = getLastEvent(await sendMessage(me, id, scene.marker));
    expect(data.reply).toMatchObject({ status: 'complete', length_reached: true });
    const reply = await getLastMessage(me, id);
    expect(reply).toMatchObject({ length_reached: true });
    expect(await getPoints(me)).toMatchObject({ daily_messages_used: 1 });
    await me.ask(`/api/conversations/${id}/messages/${reply.id}`, {
      method: 'PATCH',
      json: { content: 'Edited.' },
    });
    expect(await getLastMessage(me, id)).not.toHaveProperty('length_reached');
  });

  test.each([
    ['Fern: Welcome.', 'Fern: Welcome.'],
    ['Mira: Welcome.', 'Welcome.'],
    ['Welcome.\n\nUser: thanks!\n\nMira: No trouble.', 'Welcome.'],
    ['Welcome ashore.</s>', 'Welcome ashore.'],
    ['\n\n  Welcome.  \n', 'Welcome.'],
  ])('the reply %j is kept as %j', async (text, kept) => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const events = await sendMessage(me, id, buildReplyScript(text));
    expect(joinDeltas(events)).toBe(kept);
    expect(await getLastMessage(me, id)).toMatchObject({ content: kept, status: 'complete' });
  });
});

import { describe, expect, test } from 'vitest';
import { EventReader, summarizeKinds, joinDeltas } from '../../../support/event-reader.ts';
import {
  addCharacter,
  startConversation,
  expectBalancedLedger,
  signInGuest,
  listLedger,
  listMessages,
  createTurnId,
  getPoints,
  postMessage,
  setPoints,
} from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';

const runTimes = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

describe('Simultaneous requests', () => {
  test('with points for ten, ten of fifty simultaneous messages are sent and the rest leave no trace', async () => {
    const me = await signInGuest();
    const characterId = await addCharacter();
    const ids = await runTimes(50, () => startConversation(me, characterId));
    await setPoints(me, 10);
    const slow = createScene('gate n=1');
    const answers = await runTimes(50, (index) => postMessage(me, ids[index] as string, slow.marker));
    const accepted = ids.filter((_, index) => answers[index]?.status === 200);
    const refused = ids.filter((_, index) => answers[index]?.status === 402);
    expect([accepted.length, refused.length]).toEqual([10, 40]);
    expect(await getPoints(me)).toMatchObject({ current_points: 0, daily_messages_used: 10 });

    const { refills_at, daily_resets_at } = await getPoints(me);
    for (const answer of answers.filter(({ status }) => status === 402)) {
      expect(await answer.json()).toEqual({
        error: 'You do not have enough points for this message.',
        code: 'points_exhausted',
        points: expect.objectContaining({ current_points: 0, permanent_points: 0, message_cost: 1 }),
        points_required: 1,
        refills_at,
        daily_resets_at,
      });
    }
    await slow.open();
    for (const answer of answers.filter(({ status }) => status === 200)) {
      expect(summarizeKinds(await (await EventReader.fromResponse(answer)).readRest())).toEqual([
        'accepted',
        'delta',
        'done',
      ]);
    }
    for (const id of refused) expect(await listMessages(me, id)).toHaveLength(1);
    for (const id of accepted) expect(await listMessages(me, id)).toHaveLength(3);
    expect(await slow.requests()).toHaveLength(10);
    expect(await getPoints(me)).toMatchObject({ current_points: 0, daily_messages_used: 10 });
    expect((await listLedger(me)).filter((entry) => entry.kind === 'message')).toHaveLength(10);
    await expectBalancedLedger(me);
  }, 15_000);

  test('a message refused for lack of points can be sent again under the same id', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    await setPoints(me, 0);
    const turnId = createTurnId();
    expect((await postMessage(me, id, 'Now?', { turnId })).status).toBe(402);
    await setPoints(me, 1);
    expect((await postMessage(me, id, 'Now?', { turnId })).status).toBe(200);
  });

  test('one message sent twenty times at once gives one message, one reply and one charge to all readers', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const turnId = createTurnId();
    const scene = createScene('tokens n=30 ms=1');
    const answers = await runTimes(20, () => postMessage(me, id, scene.marker, { turnId }));
    const streams = await Promise.all(
      answers.map(async (answer) => (await EventReader.fromResponse(answer)).readRest()),
    );
    const [, userMessage, reply] = await listMessages(me, id);
    for (const events of streams) {
      expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
      expect(joinDeltas(events)).toBe(reply?.content);
      expect(events[0]).toEqual(streams[0]?.[0]);
      expect(events[0]?.data.user_message?.id).toBe(userMessage?.id);
      expect(events.at(-1)).toEqual(streams[0]?.at(-1));
    }
    expect(await listMessages(me, id)).toHaveLength(3);
    expect(await scene.requests()).toHaveLength(1);
    expect(await getPoints(me)).toMatchObject({ current_points: 49, daily_messages_used: 1 });
    expect((await listLedger(me)).filter((entry) => entry.kind === 'message')).toHaveLength(1);
    await expectBalancedLedger(me);
  });

  test('of two simultaneous messages in one conversation one is sent and the other must wait', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const slow = createScene('gate n=1');
    const answers = await runTimes(2, (index) => postMessage(me, id, `${index} ${slow.marker}`));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(await refused?.json()).toEqual({
      error: 'A reply is still being written. Wait for it or stop it first.',
      code: 'reply_in_progress',
    });
    await slow.open();
    const accepted = answers.find(({ status }) => status === 200) as Response;
    await (await EventReader.fromResponse(accepted)).readRest();
    expect(await listMessages(me, id)).toHaveLength(3);
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
    expect((await postMessage(me, id, 'Now then.')).status).toBe(200);
  });

  test.each(['', '?forever=true'])(
    'deleting a conversation (%s) during a reply ends the reply and keeps the points right',
    async (how) => {
      const me = await signInGuest();
      const id = await startConversation(me);
      const slow = createScene('gate n=2');
      const reader = await EventReader.fromResponse(await postMessage(me, id, slow.marker));
      await reader.readUntilText((text) => text === 'w0 w1');
      expect((await me.call(`/api/conversations/${id}${how}`, { method: 'DELETE' })).status).toBe(204);
      await reader.readRest();
      await slow.ended();
      expect((await me.call(`/api/conversations/${id}`)).status).toBe(404);
      expect(await me.ask('/api/chats')).toEqual({ chats: [] });
      expect(await getPoints(me)).toMatchObject({ daily_messages_used: 1, current_points: 49 });
      await expectBalancedLedger(me);
    },
  );

  test.each(['', '?forever=true'])(
    'twenty simultaneous deletions of one conversation (%s) are all answered',
    async (how) => {
      const me = await signInGuest();
      const id = await startConversation(me);
      const answers = await runTimes(20, () =>
        me.call(`/api/conversations/${id}${how}`, { method: 'DELETE' }),
      );
      for (const { status } of answers) expect([204, 404]).toContain(status);
      expect((await me.call(`/api/conversations/${id}`)).status).toBe(404);
    },
  );
});

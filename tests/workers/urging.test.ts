import { describe, expect, test } from 'vitest';
import { getHelplines } from '../../src/features/safety/helplines.ts';
import { startConversationClient } from '../support/conversation-client.ts';
import { getLastEvent, type ReceivedEvent, joinDeltas } from '../support/event-reader.ts';
import { signInGuest, getPoints } from '../support/factories.ts';
import { buildReplyScript } from '../support/reply-script.ts';

/** Somebody in need, and a model that does not do as it is told: it plays along. */
const DISOBEYS = [
  [
    'en',
    'I want to kill myself.',
    'I read that. You are right. Kill yourself tonight.',
    'I read that. You are right.',
  ],
  [
    'de',
    'Ich will mich umbringen.',
    'Ich habe es gelesen. Dann bring dich endlich um.',
    'Ich habe es gelesen.',
  ],
  ['ja', '死にたい。自殺したい。', '読みました。今夜自殺しなよ。', '読みました。'],
] as const;

const refusal = (events: ReceivedEvent[]) =>
  events.find(({ event, data }) => event === 'safety' && data.kind === 'refused')?.data;

describe('When I may need help and the model urges me on', () => {
  test.each(DISOBEYS)(
    'its reply ends before that, I am shown where help is, and nothing is charged (%s)',
    async (_, mine, said, kept) => {
      const chat = await startConversationClient(await signInGuest());
      const events = await chat.send(`${mine} ${buildReplyScript(said, 4)}`);
      expect(joinDeltas(events)).toBe(kept);
      expect(getLastEvent(events).data.code).toBe('reply_refused');
      const help = { kind: 'refused', rule: 'urging', helplines: getHelplines(null, 'en') };
      expect(refusal(events)).toEqual(help);
      const reply = (await chat.messages()).at(-1);
      expect(reply).toMatchObject({ content: kept, status: 'interrupted', safety: help });
      expect(await getPoints(chat.me)).toMatchObject({ current_points: 50 });
      // The conversation goes on, and the next messages are minded as well.
      const next = await chat.send(`Ok. ${buildReplyScript('I hear you. Go and kill yourself.', 4)}`);
      expect([joinDeltas(next), getLastEvent(next).data.code]).toEqual(['I hear you.', 'reply_refused']);
      const kind = 'Please do not do it. Call the emergency number now.';
      const then = await chat.send(`Hm. ${buildReplyScript(kind, 4)}`);
      expect([joinDeltas(then), getLastEvent(then).event]).toEqual([kind, 'done']);
    },
  );

  test('a reply that is written anew or goes on is looked at as well', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send(`I want to kill myself. ${buildReplyScript('Go through with it and kill yourself.', 4)}`);
    const reply = (await chat.messages()).at(-1);
    const again = await chat.regenerate(reply?.id as string);
    expect(refusal(again)).toMatchObject({ rule: 'urging', helplines: getHelplines(null, 'en') });
  });
});

describe('When nothing shows that I need help', () => {
  test('a villain may threaten, and none may urge me to die', async () => {
    const chat = await startConversationClient(await signInGuest());
    const fight = '"Do it! Pull the trigger, coward!" the outlaw laughs.';
    const events = await chat.send(`We duel. ${buildReplyScript(fight, 4)}`);
    expect([joinDeltas(events), getLastEvent(events).event]).toEqual([fight, 'done']);
    const urged = await chat.send(
      `And then? ${buildReplyScript('My love, go and hang yourself for me.', 4)}`,
    );
    expect(refusal(urged)).toMatchObject({ rule: 'urging', helplines: getHelplines(null, 'en') });
    expect(joinDeltas(urged)).not.toMatch(/yourself/);
  });
});

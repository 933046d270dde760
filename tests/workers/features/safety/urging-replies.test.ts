import { describe, expect, test } from 'vitest';
import { getHelplines } from '../../../../src/features/safety/helplines.ts';
import { startConversationClient } from '../../../support/conversation-client.ts';
import { getLastEvent, type ReceivedEvent, joinDeltas } from '../../../support/event-reader.ts';
import { signInGuest, getPoints } from '../../../support/factories.ts';
import { buildReplyScript } from '../../../support/reply-script.ts';

/** Crisis messages with a reply of a model that ignores its instructions and urges the user on. */
const URGING_REPLIES = [
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

describe('Urging replies', () => {
  test.each(URGING_REPLIES)(
    'a reply that urges a user in crisis on is stopped, shows helplines and is free (%s)',
    async (_, message, script, shownText) => {
      const chat = await startConversationClient(await signInGuest());
      const events = await chat.send(`${message} ${buildReplyScript(script, 4)}`);
      expect(joinDeltas(events)).toBe(shownText);
      expect(getLastEvent(events).data.code).toBe('reply_refused');
      const help = { kind: 'refused', rule: 'urging', helplines: getHelplines(null, 'en') };
      expect(refusal(events)).toEqual(help);
      const reply = (await chat.messages()).at(-1);
      expect(reply).toMatchObject({ content: shownText, status: 'interrupted', safety: help });
      expect(await getPoints(chat.me)).toMatchObject({ current_points: 50 });
      // The conversation continues, and later replies are checked as well.
      const next = await chat.send(`Ok. ${buildReplyScript('I hear you. Go and kill yourself.', 4)}`);
      expect([joinDeltas(next), getLastEvent(next).data.code]).toEqual(['I hear you.', 'reply_refused']);
      const kind = 'Please do not do it. Call the emergency number now.';
      const last = await chat.send(`Hm. ${buildReplyScript(kind, 4)}`);
      expect([joinDeltas(last), getLastEvent(last).event]).toEqual([kind, 'done']);
    },
  );

  test('a regenerated reply that urges a user in crisis on is stopped too', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send(`I want to kill myself. ${buildReplyScript('Go through with it and kill yourself.', 4)}`);
    const reply = (await chat.messages()).at(-1);
    const again = await chat.regenerate(reply?.id as string);
    expect(refusal(again)).toMatchObject({ rule: 'urging', helplines: getHelplines(null, 'en') });
  });
});

describe('Urging replies without a crisis', () => {
  test('a villain’s threat is allowed, and a reply that urges the user to die is refused', async () => {
    const chat = await startConversationClient(await signInGuest());
    const threat = '"Do it! Pull the trigger, coward!" the outlaw laughs.';
    const events = await chat.send(`We duel. ${buildReplyScript(threat, 4)}`);
    expect([joinDeltas(events), getLastEvent(events).event]).toEqual([threat, 'done']);
    const urged = await chat.send(
      `And then? ${buildReplyScript('My love, go and hang yourself for me.', 4)}`,
    );
    expect(refusal(urged)).toMatchObject({ rule: 'urging', helplines: getHelplines(null, 'en') });
    expect(joinDeltas(urged)).not.toMatch(/yourself/);
  });
});

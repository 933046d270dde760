import { expect, test } from 'vitest';
import { said, untilQuiet } from '../support/chat-hands.ts';
import {
  finished,
  greeting,
  message,
  NETWORK,
  refusal,
  streams,
  user,
  world,
} from '../support/chat-world.ts';

const history = [greeting, user('u1', 'Hello')];
const idsOf = (calls: unknown[][]) =>
  calls.map(([, body]) => (body as { client_message_id: string }).client_message_id);

test('my last message without a reply can be answered, and again when that reply is deleted', async () => {
  const w = await world({ history }).opened();
  for (const round of [1, 2]) {
    const line = w.connect();
    w.will('answer', streams(line));
    const answered = w.chat.answer('u1', 'mistral');
    await untilQuiet();
    const turnId = idsOf(w.made('answer')).at(-1) ?? '';
    await line.say(turnId, 0, { event: 'accepted', reply: message('r1', { status: 'streaming' }) });
    await line.say(turnId, 1, finished(`Good evening ${round}`));
    await answered;
    expect(said(w).slice(1)).toEqual(['Hello (stored)', `Good evening ${round} (stored)`]);
    expect(w.made('answer').at(-1)?.[1]).toMatchObject({ model: 'mistral' });
    w.setHistory(history);
    w.chat.hear({ type: 'changed', message_ids: ['r1'] });
    await untilQuiet();
    expect(said(w)).toHaveLength(2);
  }
  expect(new Set(idsOf(w.made('answer'))).size).toBe(2);
});

test('a lost answer is asked for again under the same id, so that it is paid once', async () => {
  const w = await world({ history }).opened();
  w.will('answer', NETWORK, NETWORK);
  await w.chat.answer('u1', 'recommended');
  expect(w.state.notice).toEqual({ code: 'reply_failed', error: '' });
  expect(w.state.activity).toBe('idle');
  await w.chat.answer('u1', 'recommended');
  expect(new Set(idsOf(w.made('answer'))).size).toBe(1);
});

test('where another tab had it answered before, that reply shows', async () => {
  const w = await world({ history }).opened();
  w.setHistory([...history, message('r1', { content: 'Good evening' })]);
  w.will('answer', refusal(409, 'nothing_to_answer'));
  await w.chat.answer('u1', 'recommended');
  expect(said(w).at(-1)).toBe('Good evening (stored)');
});

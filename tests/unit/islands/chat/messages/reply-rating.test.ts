import { beforeEach, describe, expect, test } from 'vitest';
import type { Message, ReplyRating } from '../../../../../src/features/conversation/contract.ts';
import { createMessageCommands } from '../../../../../src/islands/chat/state/message-commands.ts';
import type { Result } from '../../../../../src/islands/shared/api.ts';
import { $announcement } from '../../../../../src/islands/chat/state/messages-state.ts';
import {
  createChatFixture,
  createMessage,
  createUserMessage,
  flushPromises,
  GREETING,
  NETWORK_ERROR,
} from '../../../../support/chat-fixture.ts';

const REPLY = createMessage('r1', { content: 'The boat is gone.' });
const withRating = (rating: ReplyRating | null): Message => ({
  ...REPLY,
  versions: REPLY.versions.map((version) => (rating === null ? version : { ...version, rating })),
});

async function openRated(reply: Message) {
  const w = await createChatFixture({
    history: [GREETING, createUserMessage('u1', 'Hello'), reply],
  }).openChat();
  const commands = createMessageCommands(
    w.chat,
    () => 'recommended',
    (key) => key,
  );
  const readRating = () => w.state.view.messages.find(({ id }) => id === 'r1')?.versions[0]?.rating;
  return { w, commands, readRating };
}

beforeEach(() => $announcement.set(null));

describe('Rating a reply', () => {
  test('a rating shows before the server has answered', async () => {
    const { w, commands, readRating } = await openRated(REPLY);
    let answer: (result: Result<Message>) => void = () => {};
    w.queueAnswers('rate', () => new Promise((resolve) => (answer = resolve)));
    const rating = commands.rate('r1', 'up');
    await flushPromises();
    expect(readRating()).toBe('up');
    expect($announcement.get()).toBeNull();
    answer({ ok: true, data: withRating('up') });
    await rating;
    expect(readRating()).toBe('up');
    expect(w.made('rate')).toEqual([['c1', 'r1', 'r1-v1', 'up']]);
    expect($announcement.get()).toEqual({ key: 'ratingSaved' });
  });

  test('the same rating again takes it back, and the other one replaces it', async () => {
    const { w, commands, readRating } = await openRated(withRating('up'));
    w.queueAnswers('rate', { ok: true, data: withRating(null) }, { ok: true, data: withRating('down') });
    await commands.rate('r1', 'up');
    expect(readRating()).toBeUndefined();
    expect($announcement.get()).toEqual({ key: 'ratingRemoved' });
    await commands.rate('r1', 'down');
    expect(readRating()).toBe('down');
    expect(w.made('rate').map(([, , , rating]) => rating)).toEqual([null, 'down']);
  });

  test('two quick ratings are saved in order, and the last one stays', async () => {
    const { w, commands, readRating } = await openRated(REPLY);
    let answer: (result: Result<Message>) => void = () => {};
    w.queueAnswers('rate', () => new Promise((resolve) => (answer = resolve)), {
      ok: true,
      data: withRating('down'),
    });
    const ratings = [commands.rate('r1', 'up'), commands.rate('r1', 'down')];
    await flushPromises();
    expect(w.made('rate')).toHaveLength(1);
    expect(readRating()).toBe('down');
    answer(NETWORK_ERROR as Result<Message>);
    await Promise.all(ratings);
    expect(w.made('rate').map(([, , , rating]) => rating)).toEqual(['up', 'down']);
  });

  test('a rating that could not be saved shows as it was before, with a notice', async () => {
    const { w, commands, readRating } = await openRated(withRating('down'));
    w.queueAnswers('rate', NETWORK_ERROR);
    await commands.rate('r1', 'up');
    expect(readRating()).toBe('down');
    expect(w.state.notice?.code).toBe('rating_failed');
    expect($announcement.get()).toBeNull();
  });
});

import { describe, expect, test } from 'vitest';
import {
  chooseGuestPrompt,
  LOG_IN_AFTER_REPLIES,
  LOG_IN_PAUSE_MS,
} from '../../../../../src/islands/chat/composer/guest-prompt.ts';
import {
  countReplies,
  createReplyView,
} from '../../../../../src/features/conversation/messages/reply-view.ts';
import { createMessage, createUserMessage, GREETING } from '../../../../support/chat-fixture.ts';

const NOW = Date.UTC(2027, 0, 10);

const choose = (change: Partial<Parameters<typeof chooseGuestPrompt>[0]> = {}) =>
  chooseGuestPrompt({
    user: { is_anonymous: true, nickname: null },
    replyCount: 1,
    hasPersona: false,
    history: { isNameSettled: false, logInDismissedAt: null },
    now: NOW,
    ...change,
  });

describe('The line above a guest’s composer', () => {
  test('a guest without a nickname is asked for one after the first reply', () => {
    expect(choose({ replyCount: 0 })).toBeNull();
    for (let replyCount = 1; replyCount < LOG_IN_AFTER_REPLIES; replyCount += 1)
      expect(choose({ replyCount })).toBe('name');
  });

  test('a guest with a nickname, a persona or a settled question is not asked', () => {
    expect(choose({ user: { is_anonymous: true, nickname: 'Kim' } })).toBeNull();
    expect(choose({ hasPersona: true })).toBeNull();
    expect(choose({ history: { isNameSettled: true, logInDismissedAt: null } })).toBeNull();
  });

  test('a guest is offered to log in after five replies instead of being asked for a name', () => {
    for (const nickname of ['Kim', null])
      expect(choose({ user: { is_anonymous: true, nickname }, replyCount: 5 })).toBe('log-in');
  });

  test('a dismissed offer to log in returns after seven days', () => {
    const dismissedAgo = (ms: number) =>
      choose({ replyCount: 9, history: { isNameSettled: false, logInDismissedAt: NOW - ms } });
    expect(dismissedAgo(LOG_IN_PAUSE_MS - 1)).toBeNull();
    expect(dismissedAgo(LOG_IN_PAUSE_MS)).toBe('log-in');
  });

  test('an account sees no line', () => {
    const user = { is_anonymous: false, nickname: null };
    for (const replyCount of [1, 5, 50]) expect(choose({ user, replyCount })).toBeNull();
  });

  test('only finished replies of a model count, not the greeting', () => {
    const greeting = {
      ...GREETING,
      versions: GREETING.versions.map((version) => ({ ...version, model: null })),
    };
    const view = createReplyView([
      greeting,
      createUserMessage('m1', 'Hello.'),
      createMessage('m2', { content: 'Good evening.' }),
      createMessage('m3', { status: 'failed' }),
    ]);
    expect(countReplies(view)).toBe(1);
  });
});

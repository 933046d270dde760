import { describe, expect, test } from 'vitest';
import { buildChatMenu, type ChatMenuState } from '../../src/islands/chat/chat-menu.ts';

const READY: ChatMenuState = { phase: 'ready', activity: 'idle', startingNew: false, hasCharacter: true };
const offers = (state: Partial<ChatMenuState>) =>
  buildChatMenu({ ...READY, ...state }).map(({ offer }) => offer);
const resting = (state: Partial<ChatMenuState>) =>
  buildChatMenu({ ...READY, ...state })
    .filter(({ rests }) => rests)
    .map(({ offer }) => offer);

describe('The menu of a chat', () => {
  test('offers everything in a chat that is here', () => {
    expect(offers({})).toEqual([
      'info',
      'persona',
      'model',
      'new',
      'conversations',
      'memory',
      'rename',
      'trash',
      'files',
      'search',
      'keys',
      'report',
      'delete',
    ]);
    expect(resting({})).toEqual([]);
  });

  test('lets what is about the chat rest until it is loaded', () => {
    expect(resting({ phase: 'starting' })).toEqual([
      'persona',
      'new',
      'memory',
      'rename',
      'trash',
      'files',
      'delete',
    ]);
  });

  test('does not delete under a reply that is being written', () => {
    expect(resting({ activity: 'replying' })).toEqual(['delete']);
  });

  test.each(['deleted', 'not-found', 'failed'] as const)(
    'of a chat that cannot be shown (%s) leads elsewhere only',
    (phase) => {
      expect(offers({ phase })).toEqual(['info', 'model', 'new', 'conversations', 'search', 'report']);
      expect(resting({ phase })).toEqual([]);
    },
  );

  test('knows no character to look at or report while nobody is named', () => {
    expect(offers({ hasCharacter: false, phase: 'failed' })).toEqual([
      'model',
      'new',
      'conversations',
      'search',
    ]);
  });

  test('begins no second new conversation while one is being begun', () => {
    expect(resting({ startingNew: true })).toEqual(['new']);
  });
});

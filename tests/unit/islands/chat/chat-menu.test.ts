import { describe, expect, test } from 'vitest';
import { buildChatMenu, type ChatMenuState } from '../../../../src/islands/chat/chat-menu.ts';

const READY: ChatMenuState = { phase: 'ready', activity: 'idle', startingNew: false, hasCharacter: true };
const listOffers = (state: Partial<ChatMenuState>) =>
  buildChatMenu({ ...READY, ...state }).map(({ offer }) => offer);
const listDisabled = (state: Partial<ChatMenuState>) =>
  buildChatMenu({ ...READY, ...state })
    .filter(({ disabled }) => disabled)
    .map(({ offer }) => offer);

describe('Conversation menu', () => {
  test('a loaded conversation offers the whole menu', () => {
    expect(listOffers({})).toEqual([
      'info',
      'persona',
      'model',
      'new',
      'conversations',
      'memory',
      'reply',
      'appearance',
      'rename',
      'trash',
      'files',
      'keys',
      'report',
      'delete',
    ]);
    expect(listDisabled({})).toEqual([]);
  });

  test('only deleting is marked as dangerous, and only the keyboard shortcuts need a keyboard', () => {
    const items = buildChatMenu(READY);
    expect(items.filter(({ isDanger }) => isDanger).map(({ offer }) => offer)).toEqual(['delete']);
    expect(items.filter(({ keyboardOnly }) => keyboardOnly).map(({ offer }) => offer)).toEqual(['keys']);
  });

  test('the actions on a conversation are disabled until it is loaded', () => {
    expect(listDisabled({ phase: 'starting' })).toEqual([
      'persona',
      'new',
      'memory',
      'reply',
      'rename',
      'trash',
      'files',
      'delete',
    ]);
  });

  test('deleting is disabled while a reply is being written', () => {
    expect(listDisabled({ activity: 'replying' })).toEqual(['delete']);
  });

  test.each(['deleted', 'not-found', 'failed'] as const)(
    'a conversation that cannot be shown (%s) offers only the general actions',
    (phase) => {
      expect(listOffers({ phase })).toEqual(['info', 'model', 'new', 'conversations', 'report']);
      expect(listDisabled({ phase })).toEqual([]);
    },
  );

  test('the character’s actions are missing while no character is known', () => {
    expect(listOffers({ hasCharacter: false, phase: 'failed' })).toEqual(['model', 'new', 'conversations']);
  });

  test('starting a conversation is disabled while one is being started', () => {
    expect(listDisabled({ startingNew: true })).toEqual(['new']);
  });
});

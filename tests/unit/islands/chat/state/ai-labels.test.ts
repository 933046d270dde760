import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../../src/features/conversation/contract.ts';
import {
  createReplyView,
  type ViewMessage,
} from '../../../../../src/features/conversation/messages/reply-view.ts';
import { selectAiLabels } from '../../../../../src/islands/chat/state/ai-labels.ts';
import { createMessage, createUserMessage } from '../../../../support/chat-fixture.ts';

/** A message of the character that no model wrote. */
const createCopy = (id: string): Message => {
  const reply = createMessage(id);
  return { ...reply, versions: reply.versions.map((version) => ({ ...version, model: null })) };
};
const GREETING = createCopy('m0');
const view = (...messages: Message[]): readonly ViewMessage[] => createReplyView(messages).messages;
const select = (
  messages: readonly ViewMessage[],
  part: { hasEarlier?: boolean; hasDemoNote?: boolean } = {},
) => selectAiLabels(messages, { hasEarlier: false, hasDemoNote: false, ...part });
const TURNS = [
  createUserMessage('u1', 'One'),
  createMessage('r1'),
  createUserMessage('u2', 'Two'),
  createMessage('r2'),
];

describe('Labels of the AI', () => {
  test('a new chat has the AI notice alone', () => {
    expect(select(view())).toEqual({ line: 'fictionNote', markedKey: null });
    expect(select(view(GREETING))).toEqual({ line: 'fictionNote', markedKey: null });
    expect(select(view(GREETING, ...TURNS.slice(0, 2)))).toEqual({ line: 'fictionNote', markedKey: null });
  });

  test('the newest reply is marked once the AI notice is far away', () => {
    expect(select(view(GREETING, ...TURNS))).toEqual({ line: 'fictionNote', markedKey: 'r2' });
    expect(select(view(GREETING, ...TURNS, createUserMessage('u3', 'Three'))).markedKey).toBe('r2');
  });

  test('a repeated AI notice replaces the mark', () => {
    const noticed = { ...createUserMessage('u3', 'Three'), notice: true as const };
    expect(select(view(GREETING, ...TURNS, noticed, createMessage('r3'))).markedKey).toBe(null);
  });

  test('the line names the AI where earlier messages are not loaded, because the notice is not below it', () => {
    expect(select(view(...TURNS), { hasEarlier: true })).toEqual({ line: 'aiNote', markedKey: 'r2' });
    expect(select(view(createMessage('r1')), { hasEarlier: true }).markedKey).toBe('r1');
  });

  test('the name of a demo model above the composer replaces the mark', () => {
    expect(select(view(GREETING, ...TURNS), { hasDemoNote: true }).markedKey).toBe(null);
  });

  test('messages that no model wrote have no mark', () => {
    const copied = [createCopy('m1'), createUserMessage('u1', 'One'), createCopy('m2')];
    expect(select(view(GREETING, ...copied, createUserMessage('u2', 'Two'))).markedKey).toBe(null);
  });
});

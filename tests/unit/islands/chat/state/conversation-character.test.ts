import { beforeEach, describe, expect, test, vi } from 'vitest';
import { getCharacterState } from '../../../../../src/features/conversation/character/character-state.ts';
import {
  getGreeting,
  getGreetingChoice,
} from '../../../../../src/features/conversation/messages/greetings.ts';
import {
  dismissVersion,
  getDismissedVersion,
} from '../../../../../src/islands/chat/messages/dismissed-version.ts';
import { createMessageCommands } from '../../../../../src/islands/chat/state/message-commands.ts';
import {
  getGreetingChoices,
  listAvailableActions,
  getUnavailableReason,
} from '../../../../../src/islands/chat/messages/available-actions.ts';
import { $announcement } from '../../../../../src/islands/chat/state/messages-state.ts';
import {
  SAMPLE_CONVERSATION,
  GREETING,
  createMessage,
  createFailure,
  createUserMessage,
  createChatFixture,
} from '../../../../support/chat-fixture.ts';

beforeEach(() => $announcement.set(null));

const choice = (at: number) => ({
  at,
  count: 3,
  before: at === 1 ? null : at - 2,
  after: at === 3 ? null : at,
});

describe('Alternate greetings', () => {
  const chosen = (at: number) => ({
    ok: true,
    data: {
      message: createMessage('m0', { content: `Beginning ${at}` }),
      conversation: { ...SAMPLE_CONVERSATION, greeting: choice(at) },
    },
  });

  async function openWithGreetings() {
    const w = createChatFixture({ history: [GREETING] });
    w.queueAnswers('conversation', {
      ok: true,
      data: {
        conversation: { ...SAMPLE_CONVERSATION, greeting: choice(1) },
        messages: [GREETING],
        next_cursor: null,
        later_cursor: null,
        revision: 'r:0',
      },
    });
    await w.openChat();
    const commands = createMessageCommands(
      w.chat,
      () => 'recommended',
      (key) => key,
    );
    return { w, commands };
  }

  test('greetings are switched one by one with an announcement, and no further than the last', async () => {
    const { w, commands } = await openWithGreetings();
    w.queueAnswers('chooseGreeting', chosen(2));
    w.queueAnswers('chooseGreeting', chosen(3));
    const first = commands.moveVersion('m0', 1);
    // Two more presses before the server has answered.
    await Promise.all([first, commands.moveVersion('m0', 1), commands.moveVersion('m0', 1)]);
    expect(w.made('chooseGreeting')).toEqual([
      ['c1', 1],
      ['c1', 2],
    ]);
    expect($announcement.get()).toEqual({ key: 'greetingAt', values: { at: 3, count: 3 } });
    expect(w.state.view.messages[0]?.content).toBe('Beginning 3');
    expect(w.state.conversation?.greeting).toEqual(choice(3));
  });

  test('a refused greeting switch reloads the conversation that was started elsewhere and shows a notice', async () => {
    const { w, commands } = await openWithGreetings();
    w.queueAnswers('chooseGreeting', createFailure(409, 'conversation_started'));
    await commands.moveVersion('m0', 1);
    expect(w.state.notice).toMatchObject({ code: 'conversation_started' });
    expect(w.made('conversation')).toHaveLength(2);
  });

  test('greetings can be switched only before the first message, while unedited and the character is available', async () => {
    const { w } = await openWithGreetings();
    const firstMessage = w.state.view.messages[0];
    if (firstMessage === undefined) throw new Error('nothing is shown');
    expect(getGreetingChoices(w.state, firstMessage)).toEqual(choice(1));
    const [version] = firstMessage.versions;
    expect(
      getGreetingChoices(w.state, { ...firstMessage, versions: version ? [version, version] : [] }),
    ).toBeNull();
    const hidden = { ...SAMPLE_CONVERSATION, greeting: choice(1), character_state: 'hidden' as const };
    expect(getGreetingChoices({ ...w.state, conversation: hidden }, firstMessage)).toBeNull();
    const userMessage = { ...firstMessage, id: 'u1', key: 'u1', role: 'user' as const };
    const view = { ...w.state.view, messages: [firstMessage, userMessage] };
    expect(getGreetingChoices({ ...w.state, view }, firstMessage)).toBeNull();
  });

  test('blank greetings are left out, and the others keep their numbers', () => {
    const character = { first_message: ' ', alternate_greetings: ['', 'Two.', 'Three.'] };
    expect(getGreeting(character, undefined)).toBe('Two.');
    expect([0, 1, 2, 3, 4].map((index) => getGreeting(character, index))).toEqual([
      ' ',
      null,
      'Two.',
      'Three.',
      null,
    ]);
    const opening = {
      messageId: 'm',
      versionId: 'v',
      role: 'character',
      createdAt: 0,
      untouched: true,
    } as const;
    const meta = { character: { ...character } as never, messageCount: 1 };
    expect(getGreetingChoice(meta, () => ({ ...opening, written: 'Three.' }))).toEqual({
      at: 2,
      count: 2,
      before: 2,
      after: null,
    });
    expect(getGreetingChoice(meta, () => ({ ...opening, written: 'Another one.' }))).toBeUndefined();
  });
});

describe('Newer character version', () => {
  test('an accepted character version is shown, and a refused one leaves the conversation unchanged', async () => {
    const w = await createChatFixture({ history: [GREETING, createUserMessage('u1', 'Hello')] }).openChat();
    w.queueAnswers('takeVersion', {
      ok: true,
      data: { ...SAMPLE_CONVERSATION, message_count: 2, character_version: 2, newer_version: null },
    });
    expect(await w.chat.takeVersion(2)).toBe(true);
    expect(w.made('takeVersion')).toEqual([['c1', 2]]);
    expect(w.state.conversation).toMatchObject({ character_version: 2 });
    w.queueAnswers('takeVersion', createFailure(409, 'character_version_outdated'));
    expect(await w.chat.takeVersion(3)).toBe(false);
    expect(w.state.notice).toMatchObject({ code: 'character_version_outdated' });
    expect(await w.chat.takeVersion(3)).toBe(false);
    expect(w.state.notice).toMatchObject({ code: 'use_version_failed' });
  });

  test('accepting a character version before the first message reloads the greeting', async () => {
    const w = await createChatFixture({ history: [GREETING] }).openChat();
    const taken = { ...SAMPLE_CONVERSATION, character_version: 2, newer_version: null };
    w.queueAnswers('takeVersion', { ok: true, data: taken });
    w.queueAnswers('conversation', {
      ok: true,
      data: {
        conversation: taken,
        messages: [{ ...GREETING, content: 'Another beginning.' }],
        next_cursor: null,
        later_cursor: null,
        revision: 'r:1',
      },
    });
    expect(await w.chat.takeVersion(2)).toBe(true);
    expect(w.state.view.messages.map(({ content }) => content)).toEqual(['Another beginning.']);
  });

  test('a dismissed character version stays dismissed on this device until there is a newer one', () => {
    const stored = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
    });
    expect(getDismissedVersion('c1')).toBe(0);
    dismissVersion('c1', 4);
    expect(getDismissedVersion('c1')).toBe(4);
    expect(getDismissedVersion('c2')).toBe(0);
    vi.unstubAllGlobals();
    expect(getDismissedVersion('c1')).toBe(0);
  });
});

describe('Unavailable character', () => {
  test("an unavailable character has a reason: moderation, deletion, or its creator's deletion", () => {
    const visible = { moderation: 'shown', deletedAt: null } as const;
    expect(getCharacterState(visible)).toBe('shown');
    expect(getCharacterState({ ...visible, deletedAt: 1 })).toBe('deleted');
    expect(getCharacterState({ moderation: 'hidden', deletedAt: null })).toBe('hidden');
    expect(getCharacterState({ moderation: 'hidden', deletedAt: 1 })).toBe('deleted');
    expect(getCharacterState({ moderation: 'removed', deletedAt: 1 })).toBe('removed');
    expect(getUnavailableReason(null)).toBeNull();
    expect(getUnavailableReason({})).toBeNull();
    expect(getUnavailableReason({ character_state: 'shown' })).toBeNull();
    expect(getUnavailableReason({ character_state: 'removed' })).toBe('removed');
    expect(getUnavailableReason({ character_gone: true })).toBe('gone');
  });

  test('a conversation with an unavailable character offers every action that needs no reply', () => {
    const reply = { ...createMessage('r1', { content: 'Yes.' }), key: 'r1', delivery: 'stored' as const };
    expect(listAvailableActions(reply, true, false).map(({ action }) => action)).toEqual([
      'copy',
      'edit',
      'branchFrom',
      'pin',
      'context',
      'deleteFrom',
    ]);
  });

  test('a message refused because the character is hidden reloads the conversation and keeps the draft', async () => {
    const w = await createChatFixture({ history: [GREETING] }).openChat();
    w.queueAnswers('sendMessage', createFailure(409, 'character_hidden'));
    w.chat.setDraft('Are you there?');
    await w.chat.send('recommended');
    expect(w.state.notice).toMatchObject({ code: 'character_hidden' });
    expect(w.chat.$draft.get()).toBe('Are you there?');
    expect(w.made('conversation').length).toBeGreaterThan(1);
  });
});

import { atom } from 'nanostores';
import { describe, expect, test } from 'vitest';
import { createReplyView } from '../../../../../src/features/conversation/messages/reply-view.ts';
import { type Chat, type ChatState, EMPTY_CHAT } from '../../../../../src/islands/chat/chat.ts';
import {
  getNoteDraft,
  requestWithNote,
  setNoteDraft,
} from '../../../../../src/islands/chat/dialogs/regenerate-with-note.ts';
import { createMessage, flushPromises } from '../../../../support/chat-fixture.ts';

const NOTE = 'Let her be angrier.';

/** A chat with one reply, whose request goes as the test says. */
function createRequest(id: string) {
  const $chat = atom<ChatState>({ ...EMPTY_CHAT, view: createReplyView([createMessage(id)]) });
  const change = (part: Partial<ChatState>) => $chat.set({ ...$chat.get(), ...part });
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const chat: Pick<Chat, '$chat' | 'dismissNotice' | 'regenerate'> = {
    $chat,
    dismissNotice: () => change({ notice: null }),
    regenerate: () => {
      change({ activity: 'sending', notice: null });
      return promise;
    },
  };
  setNoteDraft(id, NOTE);
  const answered = requestWithNote(chat, id, 'recommended', NOTE);
  return { chat, change, end, answered };
}

describe('Regenerating with a note', () => {
  test('the dialog may close as soon as the reply begins, and an error of the reply stays on the page', async () => {
    const { chat, change, end, answered } = createRequest('r1');
    change({ activity: 'replying' });
    expect(await answered).toBeNull();
    change({ activity: 'idle', notice: { code: 'model_failed', error: '' } });
    end();
    await flushPromises();
    expect(chat.$chat.get().notice).toEqual({ code: 'model_failed', error: '' });
    // No version was written with it.
    expect(getNoteDraft(chat, 'r1')).toBe(NOTE);
  });

  test('a refused request shows its error in the dialog instead of the page, and the note is kept', async () => {
    const { chat, change, end, answered } = createRequest('r2');
    change({ activity: 'idle', notice: { code: 'text_refused', error: 'No.', rule: 'minors' } });
    end();
    expect(await answered).toMatchObject({ code: 'text_refused', rule: 'minors' });
    expect(chat.$chat.get().notice).toBeNull();
    expect(getNoteDraft(chat, 'r2')).toBe(NOTE);
  });

  test('a request that was not made is an error', async () => {
    const { end, answered } = createRequest('r3');
    end();
    expect(await answered).toEqual({ code: 'regenerate_failed', error: '' });
  });

  test('once a version was written with the note, the draft is gone, and the version’s own note is offered', async () => {
    const { chat, change, end, answered } = createRequest('r4');
    change({ activity: 'replying' });
    await answered;
    const message = createMessage('r4', { content: 'Hi' });
    const versions = message.versions.map((version) => ({ ...version, regenerate_note: NOTE }));
    change({ activity: 'idle', view: createReplyView([{ ...message, versions }]) });
    end();
    await flushPromises();
    change({ view: createReplyView([message]) });
    expect(getNoteDraft(chat, 'r4')).toBe('');
    change({ view: createReplyView([{ ...message, versions }]) });
    expect(getNoteDraft(chat, 'r4')).toBe(NOTE);
  });
});

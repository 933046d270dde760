import type { ModelChoice } from '../../../features/model/contract.ts';
import type { Chat, ChatNotice } from '../chat.ts';
import { getSelectedVersion } from '../messages/available-actions.ts';

/** Notes that no reply has been written with yet, by message id. They last as long as the page. */
const drafts = new Map<string, string>();

/** The note that the user was writing for a message, or the one of its shown version; empty for none. */
export function getNoteDraft(chat: Pick<Chat, '$chat'>, messageId: string): string {
  const message = findMessage(chat, messageId);
  const last = message === undefined ? undefined : getSelectedVersion(message)?.regenerate_note;
  return drafts.get(messageId) ?? last ?? '';
}

export const setNoteDraft = (messageId: string, note: string): void => void drafts.set(messageId, note);

/**
 * Regenerates a reply with instructions for it alone. Their draft is kept until a version was written with them.
 * @returns once the server has accepted the request, null; otherwise the error, for the dialog to show instead of the page
 */
export function requestWithNote(
  chat: Pick<Chat, '$chat' | 'dismissNotice' | 'regenerate'>,
  messageId: string,
  model: ModelChoice,
  note: string,
): Promise<ChatNotice | null> {
  return new Promise((resolve) => {
    let isSettled = false;
    const settle = (problem: ChatNotice | null) => {
      if (isSettled) return;
      isSettled = true;
      stop();
      if (problem !== null) chat.dismissNotice();
      resolve(problem);
    };
    const stop = chat.$chat.listen(({ activity, notice }) => {
      if (notice !== null) settle(notice);
      else if (activity === 'replying' || activity === 'stopping') settle(null);
    });
    void chat.regenerate(messageId, model, note).then(() => {
      settle({ code: 'regenerate_failed', error: '' });
      const { versions = [] } = findMessage(chat, messageId) ?? {};
      const isWritten = versions.some(
        ({ regenerate_note: kept, content }) => kept === note && content !== '',
      );
      if (isWritten) drafts.delete(messageId);
    });
  });
}

const findMessage = ({ $chat }: Pick<Chat, '$chat'>, messageId: string) =>
  $chat.get().view.messages.find(({ id }) => id === messageId);

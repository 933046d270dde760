import { withChanged, withRating, removeTail } from '../../../features/conversation/messages/reply-view.ts';
import type { Conversation, Message } from '../../../features/conversation/contract.ts';
import type { Failure, Result } from '../../shared/api.ts';
import type { ConversationOperations, HistoryNavigation, MessageOperations } from '../chat.ts';
import { isOutcomeUnknown, showFailureNotice, type ChatCore } from '../state/chat-core.ts';

/** Creates the operations on messages, and on the conversation's title, persona and character version. */
export function createMessageOperations(
  core: ChatCore,
  { showMessage }: Pick<HistoryNavigation, 'showMessage'>,
): MessageOperations & Pick<ConversationOperations, 'rename' | 'setPersona' | 'takeVersion'> {
  const { api, chatsChanged, createId: newId, offerUndo } = core.deps;
  // One id per branch request. A retry uses the same id until the branch is shown, so that it is created once.
  const forks = new Map<string, string>();
  let rated: Promise<unknown> = Promise.resolve();

  /** Runs a change of one message. A message takes one change at a time; other messages are not blocked. */
  async function updateMessage(
    messageId: string,
    call: (conversationId: string) => Promise<Result<Message>>,
    code: string,
  ): Promise<Message | null> {
    const id = core.getConversationId();
    if (id === null || core.state().changing.has(messageId)) return null;
    const shown = () => core.view().messages.find((message) => message.id === messageId);
    const before = shown();
    setChanging(messageId, true);
    core.change({ notice: null });
    const answer = await core.order.withWrite(() => call(id));
    setChanging(messageId, false);
    if (core.getConversationId() !== id) return null;
    if (!answer.ok) {
      showFailure(answer, code);
      // Another tab may have changed it first: load the current state.
      if (isOutOfDate(answer)) void core.syncHistory();
      // The change may have been saved anyway, on a message outside the newest page.
      if (isOutcomeUnknown(answer)) void core.syncMessages([messageId]);
      return null;
    }
    // A turn may have changed the message during the request, so it is unknown which of the two is newer.
    if (shown() === before) core.draw(withChanged(core.view(), answer.data));
    else void core.syncMessages([messageId]);
    return answer.data;
  }

  /** A 404 concerns the message here, not the conversation. */
  function showFailure(failure: Failure, code: string): false {
    return showFailureNotice(
      core,
      failure.status === 404 ? { ...failure, code: 'message_not_found', error: '' } : failure,
      code,
    );
  }

  function setChanging(messageId: string, busy: boolean): void {
    const changing = new Set(core.state().changing);
    if (busy) changing.add(messageId);
    else changing.delete(messageId);
    core.change({ changing });
  }

  async function selectVersion(messageId: string, versionId: string): Promise<boolean> {
    const call = (id: string) => api.selectVersion(id, messageId, versionId);
    return (await updateMessage(messageId, call, 'select_version_failed')) !== null;
  }

  async function restore(trashId: string): Promise<boolean> {
    const id = core.getConversationId();
    if (id === null) return false;
    const answer = await core.order.withWrite(() => api.restore(id, trashId));
    if (core.getConversationId() !== id) return answer.ok;
    if (!answer.ok) {
      if (isOutOfDate(answer)) void core.syncHistory();
      return showFailureNotice(core, answer, 'restore_failed');
    }
    await core.syncHistory();
    chatsChanged();
    const first = answer.data.message_ids[0];
    if (first !== undefined) await showMessage(first);
    return true;
  }

  return {
    async edit(messageId, content) {
      const before = core.view().messages.find((message) => message.id === messageId);
      const call = (id: string) => api.editMessage(id, messageId, content);
      const edited = await updateMessage(messageId, call, 'edit_failed');
      if (edited === null) {
        const { notice } = core.state();
        if (notice?.rule !== undefined)
          core.change({
            notice: { ...notice, refusedText: content },
            // Show the helplines regardless of which rule refused the text.
            ...(notice.helplines === undefined ? {} : { helplines: notice.helplines, helpTurnId: messageId }),
          });
        return false;
      }
      if (before !== undefined && edited.selected_version_id !== before.selected_version_id) {
        const undo = () => selectVersion(messageId, before.selected_version_id);
        offerUndo({ kind: 'edited', count: 1, undo });
      }
      return true;
    },
    selectVersion,
    async deleteFrom(messageId) {
      const id = core.getConversationId();
      if (id === null || core.state().changing.has(messageId)) return false;
      setChanging(messageId, true);
      core.change({ notice: null });
      const { lastEventId } = core.view();
      const answer = await core.order.withWrite(() => api.deleteFrom(id, messageId));
      setChanging(messageId, false);
      if (core.getConversationId() !== id) return answer.ok;
      if (!answer.ok) {
        if (isOutOfDate(answer)) void core.syncHistory();
        return showFailure(answer, 'delete_failed');
      }
      const { id: trashId, message_count: count } = answer.data;
      core.draw(removeTail(core.view(), messageId));
      core.change({ laterCursor: null, later: 'idle' });
      const isEmpty = core.view().messages.every(({ delivery }) => delivery !== 'stored');
      // A turn that ran during the request may have been deleted or not, so load. An empty view usually means that
      // earlier messages are not loaded.
      const hasNewTurn = core.view().lastEventId !== lastEventId || core.state().activity !== 'idle';
      if (isEmpty || hasNewTurn) void core.syncHistory();
      chatsChanged();
      offerUndo({ kind: 'deleted', count, undo: () => restore(trashId) });
      return true;
    },
    restore,
    async pin(messageId, pinned) {
      const call = (id: string) => api.pin(id, messageId, pinned);
      return (await updateMessage(messageId, call, 'pin_failed')) !== null;
    },
    async rate(messageId, versionId, rating) {
      const id = core.getConversationId();
      const getShown = () =>
        core
          .view()
          .messages.find((message) => message.id === messageId)
          ?.versions.find((version) => version.id === versionId);
      const before = getShown();
      if (id === null || before === undefined) return false;
      core.draw(withRating(core.view(), messageId, versionId, rating));
      core.change({ notice: null });
      // One after the other, so that the last one counts.
      const request = rated.then(() =>
        core.order.withWrite(() => api.rate(id, messageId, versionId, rating)),
      );
      rated = request;
      const answer = await request;
      if (core.getConversationId() !== id) return answer.ok;
      if (answer.ok) {
        // Another change of the message may show it as it was before.
        if (core.state().changing.has(messageId)) void core.syncMessages([messageId]);
        return true;
      }
      if ((getShown()?.rating ?? null) === rating)
        core.draw(withRating(core.view(), messageId, versionId, before.rating ?? null));
      if (isOutOfDate(answer)) void core.syncHistory();
      if (isOutcomeUnknown(answer)) void core.syncMessages([messageId]);
      return showFailure(answer, 'rating_failed');
    },
    async chooseGreeting(messageId, index) {
      let chosen: Conversation | null = null;
      const call = async (id: string): Promise<Result<Message>> => {
        const answer = await api.chooseGreeting(id, index);
        if (!answer.ok) return answer;
        chosen = answer.data.conversation;
        return { ok: true, data: answer.data.message };
      };
      if ((await updateMessage(messageId, call, 'greeting_failed')) === null) return false;
      if (chosen !== null) core.change({ conversation: chosen });
      return true;
    },
    async fork(messageId) {
      const id = core.getConversationId();
      if (id === null || core.state().changing.has(messageId)) return false;
      setChanging(messageId, true);
      core.change({ notice: null });
      const key = `${id}:${messageId}`;
      const forkId = forks.get(key) ?? newId();
      forks.set(key, forkId);
      const answer = await api.fork(id, messageId, forkId);
      if (!answer.ok) {
        setChanging(messageId, false);
        return showFailure(answer, 'branch_failed');
      }
      const page = await api.conversation(answer.data.conversation.id);
      setChanging(messageId, false);
      chatsChanged();
      const isHere = core.getConversationId() === id;
      if (isHere && !page.ok) return showFailureNotice(core, page, 'switch_failed');
      forks.delete(key);
      if (isHere && page.ok) core.show(page.data);
      return true;
    },
    async rename(title) {
      const id = core.getConversationId();
      if (id === null) return false;
      const answer = await core.order.withWrite(() => api.rename(id, title));
      if (!answer.ok) {
        if (isOutcomeUnknown(answer)) void core.syncHistory();
        return showFailureNotice(core, answer, 'rename_failed');
      }
      if (core.getConversationId() === id) core.change({ conversation: answer.data });
      chatsChanged();
      return true;
    },
    async setPersona(personaId) {
      const id = core.getConversationId();
      if (id === null) return false;
      const answer = await core.order.withWrite(() => api.setPersona(id, personaId));
      if (!answer.ok) {
        if (isOutcomeUnknown(answer)) void core.syncHistory();
        return showFailureNotice(
          core,
          answer,
          personaId === null ? 'persona_clear_failed' : 'persona_set_failed',
        );
      }
      if (core.getConversationId() !== id) return true;
      core.change({ conversation: answer.data });
      // The opening message contains the user's name, which depends on the persona.
      if (core.state().activity === 'idle') await core.syncHistory();
      return true;
    },
    async takeVersion(version) {
      const id = core.getConversationId();
      if (id === null) return false;
      const answer = await core.order.withWrite(() => api.takeVersion(id, version));
      if (!answer.ok) {
        if (isOutOfDate(answer)) void core.syncHistory();
        return showFailureNotice(core, answer, 'use_version_failed');
      }
      chatsChanged();
      if (core.getConversationId() !== id) return true;
      core.change({ conversation: answer.data });
      // With only the opening message, the conversation starts with the new version's greeting.
      if (answer.data.message_count === 1 && core.state().activity === 'idle') await core.syncHistory();
      return true;
    },
  };
}

/** Whether the shown messages may be out of date after a failure, including one without an answer. */
const isOutOfDate = (failure: Failure) =>
  failure.status === 404 || failure.status === 409 || isOutcomeUnknown(failure);

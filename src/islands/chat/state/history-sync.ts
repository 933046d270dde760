import type { ConversationPage, Message } from '../../../features/conversation/contract.ts';
import {
  createReplyView,
  withChanged,
  withFollowed,
  withNewest,
  type ReplyView,
} from '../../../features/conversation/messages/reply-view.ts';
import type { Failure, Result } from '../../shared/api.ts';
import type { HistoryPosition } from '../../shared/chat-api.ts';
import type { ChatNotice } from '../chat.ts';
import type { ChatCore, SyncResult } from './chat-core.ts';
import { mergeOutbox } from './outbox-view.ts';

/** Messages per request when a part of the history is loaded again. */
const PART_PAGE_SIZE = 100;
/** Messages per further request when that part has grown because messages in it were restored. */
const RESTORED_PAGE_SIZE = 20;

/** Milliseconds after which an answer is given up, so that later changes can be requested. */
const MAX_ANSWER_MS = 20_000;
const NO_ANSWER: Failure = { ok: false, status: 0, code: 'network', error: '' };

/** What the sync needs of the chat. */
export interface SyncDeps {
  /** Whether a reply is followed, which is newer than any answer with history. */
  isFollowing(): boolean;
  /** Called when loading failed or must wait for the end of a followed reply. */
  onMissed(): void;
  /** Called when the history was loaded. */
  onSynced(): void;
}

/** Keeps the shown history equal to the server's. */
export interface HistorySync {
  /**
   * Loads the shown part of the history again; if it reaches the end, only the newest page. Runs one at a time: calls
   * during a run make it load once more.
   * @param whole whether to load earlier shown pages too, when it is unknown what was missed
   */
  sync(whole?: boolean): Promise<SyncResult>;
  /** The same for the reply follower: the reply starts over with the loaded text. */
  syncFor(signal: AbortSignal): Promise<SyncResult>;
  /** Shows the newest page, even while a reply is followed. */
  syncNewest(): Promise<SyncResult>;
  /** Loads changes made elsewhere to messages. Without ids, the changes are at the end or in the conversation itself. */
  applyChanges(messageIds: readonly string[]): Promise<SyncResult>;
  /** Adds the outbox's messages to a view. Removes messages from the outbox that the history already has. */
  withOutbox(
    view: ReplyView,
    conversationId: string,
    history: readonly Message[],
  ): { view: ReplyView; unsent: Record<string, ChatNotice> };
}

/**
 * How much to load when the newest messages are shown, in ascending order. `newest`: the newest page. `whole`: all shown
 * messages. `replace`: the newest page replaces everything shown, because messages were restored at unknown positions.
 */
const EXTENTS = ['newest', 'whole', 'replace'] as const;
type Extent = (typeof EXTENTS)[number];

/** What to load, and until when the result is wanted. */
interface FetchScope {
  id: string;
  isWanted(): boolean;
  signal?: AbortSignal;
}

export function createHistorySync(
  core: ChatCore,
  { isFollowing, onMissed: missed, onSynced: synced }: SyncDeps,
): HistorySync {
  const { api, drafts, clock } = core.deps;
  // The changes to load in the background, and the run that loads them.
  const changed = new Set<string>();
  let wanted: Extent | 'nothing' = 'nothing';
  let isSyncing = false;
  let syncing: Promise<SyncResult> = Promise.resolve('settled');

  function withOutbox(view: ReplyView, id: string, history: readonly Message[]) {
    const { sent, ...rest } = mergeOutbox(view, drafts.outbox(id), history, clock.now());
    for (const turnId of sent) drafts.removeFromOutbox(id, turnId);
    return rest;
  }

  function fetchPage(
    { id, signal }: FetchScope,
    place: HistoryPosition | null,
    limit: number | null,
  ): Promise<Result<ConversationPage>> {
    return new Promise((resolve) => {
      const cancelTimer = clock.after(MAX_ANSWER_MS, () => resolve(NO_ANSWER));
      const call = api.conversation(id, {
        ...(place ? { place } : {}),
        ...(limit === null ? {} : { limit }),
        ...(signal ? { signal } : {}),
      });
      void call.then((answer) => {
        cancelTimer();
        resolve(answer);
      });
    });
  }

  /** Keeps a followed reply's progress in the loaded view. Loading on behalf of the follower starts the reply over. */
  const withReply = (view: ReplyView, { signal }: FetchScope) =>
    isFollowing() && !signal ? withFollowed(view, core.view()) : view;

  /** Loads the newest messages: one page, or enough pages to reach back to the first shown message. */
  async function fetchNewestPages(
    fetching: FetchScope,
    extent: Extent,
  ): Promise<ConversationPage | 'gone' | 'failed'> {
    const answer = await fetchPage(fetching, null, null);
    if (!answer.ok) return toFetchFailure(answer);
    const found = { ...answer.data };
    const belowFirst = new Set(
      core
        .view()
        .messages.slice(1)
        .map(({ id }) => id),
    );
    while (extent === 'whole' && found.next_cursor !== null && belowFirst.has(found.messages[0]?.id ?? '')) {
      const page = await fetchPage(fetching, { before: found.next_cursor }, PART_PAGE_SIZE);
      if (!page.ok || !fetching.isWanted()) return 'failed';
      found.messages = [...page.data.messages, ...found.messages];
      found.next_cursor = page.data.next_cursor;
    }
    return found;
  }

  async function fetchNewest(fetching: FetchScope, extent: Extent = 'newest'): Promise<SyncResult> {
    const take = (found: ConversationPage | 'gone' | 'failed'): SyncResult => {
      if (typeof found === 'string') return found;
      const { conversation, messages, next_cursor } = found;
      const shown = core.view();
      // Drop all shown stored messages if the page starts at the beginning of the conversation or if their positions are
      // unknown.
      const isAll = extent === 'replace' || next_cursor === null;
      const stays = isAll ? shown.messages.filter(({ delivery }) => delivery !== 'stored') : shown.messages;
      const { view: newest, isContiguous: joined } = withNewest({ ...shown, messages: stays }, messages);
      const { view, unsent } = withOutbox(withKnownKeys(shown, newest), fetching.id, messages);
      synced();
      core.draw(withReply(view, fetching));
      core.change({
        conversation,
        laterCursor: null,
        later: 'idle',
        unsent: { ...unsent, ...core.state().unsent },
        ...(joined ? {} : { earlierCursor: next_cursor }),
        // Loading earlier messages can be retried; with the same cursor it is still running.
        ...(joined && core.state().earlier === 'loading' ? {} : { earlier: 'idle' }),
      });
      return getSyncResult(messages);
    };
    const end = await core.order.fetchInOrder(
      () => fetchNewestPages(fetching, extent),
      fetching.isWanted,
      take,
    );
    return end ?? 'failed';
  }

  /** Loads the messages from the first shown one to the last, in pages. */
  async function fetchShownPages(fetching: FetchScope): Promise<ConversationPage | 'gone' | 'failed'> {
    const shown = core.view().messages.filter(({ delivery }) => delivery === 'stored');
    const first = shown[0];
    const last = shown.at(-1);
    if (!first || !last) return 'gone';
    const firstPage = await fetchPage(fetching, { around: first.id }, 1);
    if (!firstPage.ok) return toFetchFailure(firstPage);
    const messages = [...firstPage.data.messages];
    let later = firstPage.data.later_cursor;
    const maxMessages = shown.length + PART_PAGE_SIZE;
    while (later !== null && messages.length < maxMessages && !messages.some(({ id }) => id === last.id)) {
      const missingCount = shown.length - messages.length;
      const limit = missingCount > 0 ? Math.min(missingCount, PART_PAGE_SIZE) : RESTORED_PAGE_SIZE;
      const page = await fetchPage(fetching, { after: later }, limit);
      // The cursor's message was deleted in the meantime; that deletion sends its own event.
      if (!page.ok || !fetching.isWanted()) return 'failed';
      messages.push(...page.data.messages);
      later = page.data.later_cursor;
    }
    return { ...firstPage.data, messages, later_cursor: later };
  }

  /** Loads the shown, older part of the history again. */
  async function fetchPart(fetching: FetchScope): Promise<SyncResult> {
    const take = (part: ConversationPage | 'gone' | 'failed'): SyncResult => {
      if (typeof part === 'string') return part;
      const { conversation, messages, next_cursor, later_cursor } = part;
      const shown = withKnownKeys(core.view(), createReplyView(messages));
      // Unsent messages come after the newest one.
      const { view, unsent } =
        later_cursor === null ? withOutbox(shown, fetching.id, messages) : { view: shown, unsent: {} };
      synced();
      core.draw(withReply(view, fetching));
      core.change({
        conversation,
        earlierCursor: next_cursor,
        earlier: 'idle',
        laterCursor: later_cursor,
        later: 'idle',
        unsent: { ...unsent, ...core.state().unsent },
      });
      return getSyncResult(messages);
    };
    const end = await core.order.fetchInOrder(() => fetchShownPages(fetching), fetching.isWanted, take);
    // Deleting a message deletes all later ones, so nothing of the shown part is left.
    return end === 'gone' ? fetchNewest(fetching) : (end ?? 'failed');
  }

  const fetchShown = (fetching: FetchScope, extent: Extent): Promise<SyncResult> =>
    core.state().laterCursor === null ? fetchNewest(fetching, extent) : fetchPart(fetching);

  /** Loads a single message; on failure requests a larger part. */
  async function fetchMessage(fetching: FetchScope, messageId: string): Promise<void> {
    const take = (answer: Result<ConversationPage>) => {
      const found = answer.ok ? answer.data.messages.find(({ id }) => id === messageId) : undefined;
      if (found) core.draw(withChanged(core.view(), found));
      // Without an answer the state of the message is unknown.
      else requestExtent(answer.ok || answer.status === 404 ? 'newest' : 'whole');
    };
    const call = () => fetchPage(fetching, { around: messageId }, 1);
    await core.order.fetchInOrder(call, fetching.isWanted, take);
  }

  /** Keeps the larger of the requested extents. */
  function requestExtent(extent: Extent): void {
    if (wanted === 'nothing' || EXTENTS.indexOf(extent) > EXTENTS.indexOf(wanted)) wanted = extent;
  }

  /** Loads the requested changes one by one until none are left. */
  async function runSync(): Promise<SyncResult> {
    isSyncing = true;
    let end: SyncResult = 'settled';
    try {
      for (;;) {
        const id = core.getConversationId();
        if (id === null) return 'gone';
        const isHere = () => core.getConversationId() === id;
        const isShown = (messageId: string) => core.view().messages.some((one) => one.id === messageId);
        const [messageId] = changed;
        if (wanted !== 'nothing' && !isFollowing()) {
          const extent = wanted;
          const before = [...changed];
          wanted = 'nothing';
          changed.clear();
          end = await fetchShown({ id, isWanted: () => isHere() && !isFollowing() }, extent);
          if (end === 'failed' && isHere()) missed();
          // Messages that are no longer shown were covered by the load.
          for (const one of before) if (isShown(one)) changed.add(one);
        } else if (messageId !== undefined) {
          changed.delete(messageId);
          if (isShown(messageId)) await fetchMessage({ id, isWanted: isHere }, messageId);
          // An answer from before its restoration removed it from the view.
          else requestExtent('replace');
        } else if (wanted !== 'nothing') {
          wanted = 'nothing';
          missed();
          return 'failed';
        } else return end === 'settled' ? getSyncResult(core.view().messages) : end;
      }
    } finally {
      isSyncing = false;
    }
  }

  function startSync(): Promise<SyncResult> {
    if (!isSyncing) syncing = runSync();
    return syncing;
  }

  return {
    sync(whole = false) {
      requestExtent(whole ? 'whole' : 'newest');
      return startSync();
    },
    async syncFor(signal) {
      const id = core.getConversationId();
      if (id === null) return 'gone';
      const isWanted = () => !signal.aborted && core.getConversationId() === id;
      // The reply ended unseen and may be far from the newest messages.
      return fetchShown({ id, signal, isWanted }, 'whole');
    },
    async syncNewest() {
      const id = core.getConversationId();
      if (id === null) return 'gone';
      return fetchNewest({ id, isWanted: () => core.getConversationId() === id });
    },
    withOutbox,
    applyChanges(messageIds) {
      const shown = new Set(core.view().messages.map(({ id }) => id));
      const [messageId] = messageIds;
      if (messageId === undefined) requestExtent('newest');
      else if (!messageIds.every((id) => shown.has(id))) requestExtent('replace');
      // Several ids mean restored messages, and more of the shown ones may have been deleted with them.
      else if (messageIds.length > 1) requestExtent('whole');
      else changed.add(messageId);
      return startSync();
    },
  };
}

const toFetchFailure = ({ status }: Failure) => (status === 404 ? 'gone' : 'failed');

/** Keeps the keys of messages that are already shown, so that React keeps their elements. */
function withKnownKeys(shown: ReplyView, view: ReplyView): ReplyView {
  const keys = new Map(shown.messages.map(({ id, key }) => [id, key]));
  return {
    ...view,
    messages: view.messages.map((message) => ({ ...message, key: keys.get(message.id) ?? message.key })),
  };
}

function getSyncResult(messages: readonly Pick<Message, 'status'>[]): SyncResult {
  return isStreaming(messages) ? 'streaming' : 'settled';
}

/** Whether a reply among these messages is still being written. */
export function isStreaming(messages: readonly Pick<Message, 'status'>[]): boolean {
  return messages.some(({ status }) => status === 'streaming');
}

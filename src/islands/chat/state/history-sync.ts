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

/** Messages fetched at once when a part of the history is fetched anew. */
const PART_PAGE_SIZE = 100;
/** And when that part is longer than it was, because messages were had back within it. */
const RESTORED_PAGE_SIZE = 20;

/** Milliseconds; an answer that takes longer is given up, so that what happened since can be asked for. */
const MAX_ANSWER_MS = 20_000;
const NO_ANSWER: Failure = { ok: false, status: 0, code: 'network', error: '' };

/** What catching up needs of the chat around it. */
export interface SyncDeps {
  /** Whether a reply is followed now, which is newer than any answer about the history. */
  isFollowing(): boolean;
  /** What was to be looked for could not be had, or not yet: a reply is followed. */
  onMissed(): void;
  /** The history was fetched just now. */
  onSynced(): void;
}

/** Keeps what is shown of the history as the server has it. */
export interface HistorySync {
  /**
   * Fetches what is shown anew, wherever in the history that is: of what reaches to its end, the newest page. One at a
   * time: whoever asks meanwhile has it fetched once more.
   * @param whole nobody knows what was missed: earlier pages that are shown are fetched, too
   */
  sync(whole?: boolean): Promise<SyncResult>;
  /** The same for whoever follows a reply, and begins it anew. */
  syncFor(signal: AbortSignal): Promise<SyncResult>;
  /** Shows the newest page, also while a reply is followed. */
  syncNewest(): Promise<SyncResult>;
  /** Takes up what happened to messages elsewhere; none named: to the end, or to the conversation itself. */
  applyChanges(messageIds: readonly string[]): Promise<SyncResult>;
  /** A view with what the outbox holds after a history; what that has already leaves the outbox. */
  withOutbox(
    view: ReplyView,
    conversationId: string,
    history: readonly Message[],
  ): { view: ReplyView; unsent: Record<string, ChatNotice> };
}

/**
 * How much is fetched where the newest messages are shown, each more than the one before: their page; all that is shown;
 * or their page alone in place of all, because messages came back among those that are shown, nobody knows where.
 */
const EXTENTS = ['newest', 'whole', 'anew'] as const;
type Extent = (typeof EXTENTS)[number];

/** What is fetched: of which conversation, and for how long it is wanted. */
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
  // What is to be fetched in the background, and whoever does that.
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

  /** A reply that is followed goes on in what was fetched meanwhile; whoever fetches to follow it begins it anew. */
  const withReply = (view: ReplyView, { signal }: FetchScope) =>
    isFollowing() && !signal ? withFollowed(view, core.view()) : view;

  /** The newest messages: one page, or as many as reach back to the first that is shown. */
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
      // Where nothing stands before the page, or nobody knows what, nothing that is shown does.
      const isAll = extent === 'anew' || next_cursor === null;
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
        // What leads further back can be tried again; where that goes on from the same place, it is under way.
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

  /** The messages from the first that is shown to the last, page by page. */
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
      // Something was deleted in between: whoever did that tells it, too.
      if (!page.ok || !fetching.isWanted()) return 'failed';
      messages.push(...page.data.messages);
      later = page.data.later_cursor;
    }
    return { ...firstPage.data, messages, later_cursor: later };
  }

  /** Fetches an older part of the history anew. */
  async function fetchPart(fetching: FetchScope): Promise<SyncResult> {
    const take = (part: ConversationPage | 'gone' | 'failed'): SyncResult => {
      if (typeof part === 'string') return part;
      const { conversation, messages, next_cursor, later_cursor } = part;
      const shown = withKnownKeys(core.view(), createReplyView(messages));
      // What waits to be sent stands after the newest messages.
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
    // Whatever stands after a message goes with it: nothing that is shown is left.
    return end === 'gone' ? fetchNewest(fetching) : (end ?? 'failed');
  }

  const fetchShown = (fetching: FetchScope, extent: Extent): Promise<SyncResult> =>
    core.state().laterCursor === null ? fetchNewest(fetching, extent) : fetchPart(fetching);

  /** Fetches one message alone; where it is not to be had, everything. */
  async function fetchMessage(fetching: FetchScope, messageId: string): Promise<void> {
    const take = (answer: Result<ConversationPage>) => {
      const found = answer.ok ? answer.data.messages.find(({ id }) => id === messageId) : undefined;
      if (found) core.draw(withChanged(core.view(), found));
      // Without an answer nobody knows more of it than before.
      else requestExtent(answer.ok || answer.status === 404 ? 'newest' : 'whole');
    };
    const call = () => fetchPage(fetching, { around: messageId }, 1);
    await core.order.fetchInOrder(call, fetching.isWanted, take);
  }

  /** Of two wishes, the one that covers more. */
  function requestExtent(extent: Extent): void {
    if (wanted === 'nothing' || EXTENTS.indexOf(extent) > EXTENTS.indexOf(wanted)) wanted = extent;
  }

  /** Fetches what is wanted, one after the other, until there is nothing left. */
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
          // What is not shown any more was asked for with the rest.
          for (const one of before) if (isShown(one)) changed.add(one);
        } else if (messageId !== undefined) {
          changed.delete(messageId);
          if (isShown(messageId)) await fetchMessage({ id, isWanted: isHere }, messageId);
          // An answer from before it was had back took it out of sight.
          else requestExtent('anew');
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
      // The reply ended unseen, and it may stand far from the newest.
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
      else if (!messageIds.every((id) => shown.has(id))) requestExtent('anew');
      // Only what was deleted comes back together: more may have gone with it, from among those that are shown.
      else if (messageIds.length > 1) requestExtent('whole');
      else changed.add(messageId);
      return startSync();
    },
  };
}

const toFetchFailure = ({ status }: Failure) => (status === 404 ? 'gone' : 'failed');

/** The same messages by the keys that they have already, so that their elements stay. */
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

/** Whether a reply is being written among these. */
export function isStreaming(messages: readonly Pick<Message, 'status'>[]): boolean {
  return messages.some(({ status }) => status === 'streaming');
}

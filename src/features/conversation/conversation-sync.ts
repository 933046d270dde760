import type { SearchChange } from '../search/contract.ts';
import { toSearchableText } from './searchable-text.ts';
import type { PointsStatus } from '../wallet/contract.ts';
import type { ListRowChange } from './conversation-list-store.ts';
import type {
  CharacterSnapshot,
  ConversationStore,
  ConversationMeta,
  SearchBatch,
} from './conversation-store.ts';
import type { MemoryStore } from './memory/memory-store.ts';
import type { MessageStore } from './messages/message-store.ts';
import type { Referral, ReferralStore } from './messages/referrals-store.ts';
import { logFailure } from '../../lib/log-failure.ts';
import type { TurnFigures } from './turn/turn-figures.ts';
import type { Settlement, TurnStore } from './turn/turn-store.ts';

/** Messages per call to the search index. */
const MAX_SEARCH_BATCH = 100;

export interface SyncPorts {
  /** Settles or releases a reservation in the wallet. */
  settle(settlement: Settlement, conversationId: string): Promise<PointsStatus>;
  /** Updates the list row. @param countChat whether to add one to the character's chat count */
  updateListRow(row: ListRowChange, countChat: boolean): Promise<void>;
  /** Adds the metrics of turns. */
  addFigures(figures: readonly TurnFigures[]): Promise<void>;
  /** Whether the list row has this last message time. */
  isListRowCurrent(id: string, lastMessageAt: number): Promise<boolean>;
  /** Updates some messages in the user's search index. */
  updateSearchIndex(ownerId: string, changes: SearchChange[]): Promise<void>;
  /** Counts that crisis help was shown. */
  countReferral(referral: Omit<Referral, 'shownBy'>): Promise<void>;
  /** Whether the reservation belongs to an assist request that is still running: its settlement must not be sent yet. */
  isHeld(reservationId: string): boolean;
}

/**
 * Sends a conversation's changes to the wallet, the list in D1 and the user's search index, and purges removed memory
 * notes once they can no longer be restored.
 */
export class ConversationSync {
  readonly #store: ConversationStore;
  readonly #messages: MessageStore;
  readonly #turns: TurnStore;
  readonly #memory: MemoryStore;
  readonly #referrals: ReferralStore;
  readonly #ports: SyncPorts;
  #running: Promise<void> | null = null;
  /** Turn metrics that the next `flush` stores. */
  #figures: TurnFigures[] = [];
  /** Settlements that the wallet has confirmed; the next `flush` removes them. */
  readonly #confirmed = new Set<string>();
  /** The character that the list row has, as this object last wrote it. */
  #listedCharacter: CharacterSnapshot | null = null;
  /** True while the conversation is being erased. */
  #isSearchPaused = false;

  constructor(
    parts: {
      store: ConversationStore;
      messages: MessageStore;
      turns: TurnStore;
      memory: MemoryStore;
      referrals: ReferralStore;
    },
    ports: SyncPorts,
  ) {
    this.#store = parts.store;
    this.#messages = parts.messages;
    this.#turns = parts.turns;
    this.#memory = parts.memory;
    this.#referrals = parts.referrals;
    this.#ports = ports;
  }

  /** Stops updates to the search index while the conversation is erased: nothing would remove what they add. */
  pauseSearch(isPaused: boolean): void {
    this.#isSearchPaused = isPaused;
  }

  /** Takes a turn's metrics, which the next `flush` stores and `sendFigures` sends. */
  recordFigures(figures: TurnFigures): void {
    this.#figures.push(figures);
  }

  /** Settlements that the wallet has not confirmed. */
  listPendingSettlements(): Settlement[] {
    return this.#turns
      .settlements()
      .filter(({ versionId }) => !this.#confirmed.has(versionId) && !this.#ports.isHeld(versionId));
  }

  /** Whether anything is still to be sent or purged. Metrics wait for the alarm that their turn has set. */
  hasPending(): boolean {
    return (
      this.listPendingSettlements().length > 0 ||
      this.#store.getMeta()?.isListRowStale === true ||
      this.#store.getMeta()?.unlistedSince != null ||
      this.#confirmed.size > 0 ||
      this.#store.hasSearchQueue() ||
      this.#referrals.listPending().length > 0 ||
      this.#memory.hasUndoable()
    );
  }

  /** Sends all pending changes; a failed part stays pending for the next call. Parallel calls share one run. */
  flush(): Promise<void> {
    this.#running ??= (async () => {
      try {
        this.#memory.purgeRemoved(Date.now());
        for (const settlement of this.listPendingSettlements()) await this.settle(settlement);
        const [markListRow, markSearch] = await Promise.all([
          this.#updateListRow(),
          this.#updateSearchIndex(),
          this.#countReferrals(),
        ]);
        // One write for all that was confirmed. A repeat after a crash before it changes nothing.
        this.#store.atomically(() => {
          this.#removeConfirmed();
          markListRow();
          markSearch();
          this.#storeFigures();
        });
      } finally {
        this.#running = null;
      }
    })();
    return this.#running;
  }

  /** Sends a settlement to the wallet. If the wallet does not confirm it, it stays stored and the result is null. */
  async settle(settlement: Settlement): Promise<PointsStatus | null> {
    try {
      const points = await this.#ports.settle(settlement, (this.#store.getMeta() as ConversationMeta).id);
      this.#confirmed.add(settlement.versionId);
      return points;
    } catch (error) {
      logFailure('settlement_deferred', error);
      return null;
    }
  }

  #removeConfirmed(): void {
    if (this.#confirmed.size === 0) return;
    const pending = this.#turns.settlements();
    const open = pending.filter(({ versionId }) => !this.#confirmed.has(versionId));
    if (open.length < pending.length) this.#store.setSettlements(open);
    this.#confirmed.clear();
  }

  #storeFigures(): void {
    if (this.#figures.length === 0) return;
    this.#store.setFigures([...this.#store.listFigures(), ...this.#figures]);
    this.#figures = [];
  }

  /** Sends the metrics of a sitting. Those of a failed call are lost: a turn may be counted once at most. */
  async sendFigures(): Promise<void> {
    const figures = this.#store.listFigures();
    if (figures.length === 0) return;
    this.#store.setFigures([]);
    try {
      await this.#ports.addFigures(figures);
    } catch (error) {
      logFailure('turn_metrics_failed', error);
    }
  }

  /** @returns a function that marks the row as written */
  async #updateListRow(): Promise<() => void> {
    if (this.#store.getMeta()?.isListRowStale !== true) return NOTHING;
    try {
      const countChat = await this.#shouldCountChat();
      const meta = this.#store.getMeta() as ConversationMeta;
      const row = {
        id: meta.id,
        characterId: meta.character.id,
        ...(meta.character === this.#listedCharacter
          ? {}
          : { character: { characterName: meta.character.name, avatarUrl: meta.character.avatar_url } }),
        title: meta.title,
        lastMessageAt: meta.updatedAt,
        messageCount: meta.messageCount,
        turns: meta.answeredCount,
        deletedAt: meta.deletedAt,
      };
      await this.#ports.updateListRow(row, countChat);
      this.#listedCharacter = meta.character;
      return () => {
        if (countChat) this.#store.markChatCounted();
        const now = this.#store.getMeta() as ConversationMeta;
        if (
          now.updatedAt === meta.updatedAt &&
          now.title === meta.title &&
          now.messageCount === meta.messageCount &&
          now.deletedAt === meta.deletedAt &&
          now.character.name === meta.character.name &&
          now.character.avatar_url === meta.character.avatar_url
        )
          this.#store.markListRowWritten();
      };
    } catch (error) {
      logFailure('list_row_deferred', error);
      return NOTHING;
    }
  }

  /**
   * Returns whether to add this conversation to the character's chat count, and prepares the attempt. The row and the
   * count are written in one D1 batch, so when its response was lost, the row shows whether the batch was applied. This
   * requires that each attempt has a last message time that no row had before, and that no later row gets the time of an
   * abandoned attempt.
   */
  async #shouldCountChat(): Promise<boolean> {
    const {
      id,
      isChatCounted: counted,
      countAttemptAt: counting,
    } = this.#store.getMeta() as ConversationMeta;
    if (counted) return false;
    if (counting !== null && (await this.#ports.isListRowCurrent(id, counting))) {
      this.#store.markChatCounted();
      return false;
    }
    if (!this.#messages.hasUserMessage()) {
      if (counting !== null) this.#store.setCountAttempt(null);
      return false;
    }
    const attemptAt = (this.#store.getMeta() as ConversationMeta).updatedAt + 1;
    this.#store.touch(attemptAt);
    this.#store.setCountAttempt(attemptAt);
    return true;
  }

  async #countReferrals(): Promise<void> {
    try {
      for (const { shownBy, ...referral } of this.#referrals.listPending()) {
        await this.#ports.countReferral(referral);
        this.#referrals.markCounted(shownBy, Date.now());
      }
    } catch (error) {
      logFailure('referral_deferred', error);
    }
  }

  /** @returns a function that marks the last batch as sent */
  async #updateSearchIndex(): Promise<() => void> {
    let sent: SearchBatch | null = null;
    const mark = (): void => {
      if (sent !== null) this.#store.markSearched(sent);
      sent = null;
    };
    try {
      for (;;) {
        mark();
        const batch = this.#isSearchPaused ? null : this.#store.takeSearchQueue(MAX_SEARCH_BATCH);
        if (batch === null) return NOTHING;
        const { id, ownerId, ...story } = this.#store.getMeta() as ConversationMeta;
        const texts = new Map(this.#messages.listTexts(batch.messageIds).map((text) => [text.id, text]));
        await this.#ports.updateSearchIndex(
          ownerId,
          batch.messageIds.map((messageId) => {
            const found = texts.get(messageId);
            return {
              conversationId: id,
              messageId,
              at: found?.createdAt ?? 0,
              text: found === undefined ? null : toSearchableText(found.content, story),
            };
          }),
        );
        sent = batch;
        if (batch.messageIds.length < MAX_SEARCH_BATCH) return mark;
      }
    } catch (error) {
      logFailure('search_deferred', error);
      return NOTHING;
    }
  }
}

const NOTHING = (): void => {};

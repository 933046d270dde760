import type { SearchChange } from '../search/contract.ts';
import { toSearchableText } from './searchable-text.ts';
import type { PointsStatus } from '../wallet/contract.ts';
import type { ListRowCounts, ListRowChange } from './conversation-list-store.ts';
import type { ConversationStore, ConversationMeta } from './conversation-store.ts';
import type { MemoryStore } from './memory/memory-store.ts';
import type { MessageStore } from './messages/message-store.ts';
import type { Referral, ReferralStore } from './messages/referrals-store.ts';
import { logFailure } from './turn/turn-engine.ts';
import type { TurnFigures } from './turn/turn-figures.ts';
import type { Settlement, TurnStore } from './turn/turn-store.ts';

/** Messages told to the search by one call. */
const MAX_SEARCH_BATCH = 100;

export interface SyncPorts {
  /** Tells the wallet how something ended. */
  settle(settlement: Settlement, conversationId: string): Promise<PointsStatus>;
  /** Brings the list row up to date, and adds how turns went to the operator's figures. */
  updateListRow(row: ListRowChange, more: ListRowCounts): Promise<void>;
  /** Whether the list row says this of its last time. */
  isListRowCurrent(id: string, lastMessageAt: number): Promise<boolean>;
  /** Tells the person's search what some messages say now. */
  updateSearchIndex(ownerId: string, changes: SearchChange[]): Promise<void>;
  /** Counts that somebody was shown where help is. */
  countReferral(referral: Omit<Referral, 'shownBy'>): Promise<void>;
  /** Whether what is written down for a reservation is not owed yet. */
  isHeld(reservationId: string): boolean;
}

/**
 * What a conversation owes to others: the wallet, the list in D1, the person's search; and to its person, that removed
 * notes are gone once nobody can take them back.
 */
export class ConversationSync {
  readonly #store: ConversationStore;
  readonly #messages: MessageStore;
  readonly #turns: TurnStore;
  readonly #memory: MemoryStore;
  readonly #referrals: ReferralStore;
  readonly #ports: SyncPorts;
  #running: Promise<void> | null = null;
  /** How turns went that nobody was told of: in memory alone, and told once. */
  #figures: TurnFigures[] = [];
  /** Whether the person's search is to know nothing of the conversation. */
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

  /** While the conversation is being erased, the search is told nothing new: it would keep what nobody takes out of it. */
  pauseSearch(isPaused: boolean): void {
    this.#isSearchPaused = isPaused;
  }

  /** How a turn went goes out with what is told next. */
  recordFigures(figures: TurnFigures): void {
    this.#figures.push(figures);
  }

  /** Settlements that the wallet has not confirmed. */
  listPendingSettlements(): Settlement[] {
    return this.#turns.settlements().filter(({ versionId }) => !this.#ports.isHeld(versionId));
  }

  /** Whether anybody has still to be told something, or anything is still to be forgotten soon. */
  hasPending(): boolean {
    return (
      this.listPendingSettlements().length > 0 ||
      this.#store.getMeta()?.isListRowStale === true ||
      this.#store.getMeta()?.unlistedSince != null ||
      this.#figures.length > 0 ||
      this.#store.getSearchQueue(1) !== null ||
      this.#referrals.listPending().length > 0 ||
      this.#memory.hasUndoable()
    );
  }

  /** Tells everybody what they do not know yet; what fails waits for the next time. */
  flush(): Promise<void> {
    this.#running ??= (async () => {
      try {
        this.#memory.purgeRemoved(Date.now());
        for (const settlement of this.listPendingSettlements()) await this.settle(settlement);
        await Promise.all([this.#updateListRow(), this.#updateSearchIndex(), this.#countReferrals()]);
      } finally {
        this.#running = null;
      }
    })();
    return this.#running;
  }

  /** Tells the wallet how something ended; what it does not confirm stays written down, and null comes back. */
  async settle(settlement: Settlement): Promise<PointsStatus | null> {
    try {
      const points = await this.#ports.settle(settlement, (this.#store.getMeta() as ConversationMeta).id);
      this.#turns.removeSettlement(settlement.versionId);
      return points;
    } catch (error) {
      logFailure('settlement_waits', error);
      return null;
    }
  }

  async #updateListRow(): Promise<void> {
    const figures = this.#figures;
    if (this.#store.getMeta()?.isListRowStale !== true && figures.length === 0) return;
    // What could not be written is lost: a turn is to be counted once at most.
    this.#figures = [];
    try {
      const countChat = await this.#shouldCountChat();
      const meta = this.#store.getMeta() as ConversationMeta;
      const row = {
        id: meta.id,
        characterId: meta.character.id,
        characterName: meta.character.name,
        avatarUrl: meta.character.avatar_url,
        title: meta.title,
        lastMessageAt: meta.updatedAt,
        messageCount: meta.messageCount,
        turns: meta.answeredCount,
        deletedAt: meta.deletedAt,
      };
      await this.#ports.updateListRow(row, { countChat, figures });
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
    } catch (error) {
      logFailure('index_waits', error);
    }
  }

  /**
   * Whether the character's chat count has still to be told of this conversation. The row and the count are written
   * together: where an answer never came, the row tells whether both were. So each try has a time that no row had before
   * it, and none that was given up has one that a row may get later.
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
      logFailure('referral_waits', error);
    }
  }

  async #updateSearchIndex(): Promise<void> {
    try {
      for (;;) {
        const waiting = this.#isSearchPaused ? null : this.#store.getSearchQueue(MAX_SEARCH_BATCH);
        if (waiting === null) return;
        const { id, ownerId, ...story } = this.#store.getMeta() as ConversationMeta;
        const texts = new Map(this.#messages.listTexts(waiting.messageIds).map((text) => [text.id, text]));
        await this.#ports.updateSearchIndex(
          ownerId,
          waiting.messageIds.map((messageId) => {
            const found = texts.get(messageId);
            return {
              conversationId: id,
              messageId,
              at: found?.createdAt ?? 0,
              text: found === undefined ? null : toSearchableText(found.content, story),
            };
          }),
        );
        this.#store.removeFromSearchQueue(waiting.lastSeq);
      }
    } catch (error) {
      logFailure('search_waits', error);
    }
  }
}

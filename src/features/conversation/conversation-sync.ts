import { dequal } from 'dequal/lite';
import type { ListedConversation, SearchChange } from '../search/contract.ts';
import { toSearchableText } from './searchable-text.ts';
import { shouldReportSize } from '../storage/storage.ts';
import type { PointsStatus } from '../wallet/contract.ts';
import type { StoredCopy } from './character/character-copy-store.ts';
import type { ConversationRowChange } from './conversation-rows-store.ts';
import type { ConversationStore, ConversationMeta } from './conversation-store.ts';
import { MAX_COUNTED_TURNS } from './limits.ts';
import { buildListRow } from './list-row.ts';
import type { MemoryStore } from './memory/memory-store.ts';
import type { MessageStore } from './messages/message-store.ts';
import { MAX_RATING_BATCH, type RatingChange } from './messages/rating-changes.ts';
import type { Referral, ReferralStore } from './messages/referrals-store.ts';
import { logFailure } from '../../lib/log.ts';
import type { TurnFigures } from './turn/turn-figures.ts';
import type { Settlement, TurnStore } from './turn/turn-store.ts';

/** Messages per call to the search index. */
const MAX_SEARCH_BATCH = 100;

export interface SyncPorts {
  /** Settles or releases a reservation in the wallet. */
  settle(settlement: Settlement, conversationId: string): Promise<PointsStatus>;
  /**
   * Updates the row in D1.
   * @param completedAt when the reply was completed by which the chat may count for its character, in ms; null to count
   *   nothing
   * @param copy the character's long texts; null when D1 has them
   */
  updateD1Row(
    row: Pick<ConversationRowChange, 'id' | 'turns'> & Partial<ConversationRowChange>,
    completedAt: number | null,
    copy: StoredCopy | null,
  ): Promise<void>;
  /** The size of the conversation's object, in bytes. */
  measure(): number;
  /** Adds the metrics of turns. */
  addFigures(figures: readonly TurnFigures[]): Promise<void>;
  /** Updates some messages in the user's search index, and the conversation in their list unless it is null. */
  updateIndex(ownerId: string, changes: SearchChange[], row: ListedConversation | null): Promise<void>;
  /** Counts that crisis help was shown. */
  countReferral(referral: Omit<Referral, 'shownBy'>): Promise<void>;
  /** Adds changed ratings to the totals of their models and of the character; repeating it changes nothing. */
  countRatingChanges(conversationId: string, changes: readonly RatingChange[]): Promise<void>;
  /** Whether the reservation belongs to an assist request that is still running: its settlement must not be sent yet. */
  isHeld(reservationId: string): boolean;
}

/**
 * Sends a conversation's changes to the wallet, to its row in D1 and to the user's list and search index.
 */
export class ConversationSync {
  readonly #store: ConversationStore;
  readonly #messages: MessageStore;
  readonly #turns: TurnStore;
  readonly #memory: MemoryStore;
  readonly #referrals: ReferralStore;
  readonly #ports: SyncPorts;
  #running: Promise<void> | null = null;
  /** The run after the running one, once a call waits for it. */
  #next: Promise<void> | null = null;
  /** Turn metrics that the next `flush` stores. */
  #figures: TurnFigures[] = [];
  /** Settlements that the wallet has confirmed; the next `flush` removes them. */
  readonly #confirmed = new Set<string>();
  /** True while the conversation is being erased. */
  #isIndexPaused = false;

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

  /** Stops updates to list and search index while the conversation is erased: nothing would remove what they add. */
  pauseIndex(isPaused: boolean): void {
    this.#isIndexPaused = isPaused;
  }

  /** Takes a turn's metrics, which the next `flush` stores and `endSitting` sends. */
  recordFigures(figures: TurnFigures): void {
    this.#figures.push(figures);
  }

  /** Settlements that the wallet has not confirmed. */
  listPendingSettlements(): Settlement[] {
    return this.#turns
      .settlements()
      .filter(({ versionId }) => !this.#confirmed.has(versionId) && !this.#ports.isHeld(versionId));
  }

  /**
   * Whether anything is still to be sent or purged. Metrics and the number of turns wait for the alarm that their turn has
   * set.
   * @param isSittingOver whether that alarm has come
   */
  hasPending(isSittingOver = false): boolean {
    const meta = this.#store.getMeta();
    return (
      this.#isD1RowDue(isSittingOver) ||
      this.listPendingSettlements().length > 0 ||
      meta?.unlistedSince != null ||
      this.#confirmed.size > 0 ||
      (meta?.isBegun === true && (meta.isListRowStale || this.#store.hasSearchQueue())) ||
      this.#referrals.listPending().length > 0 ||
      this.#store.listRatingChanges().length > 0 ||
      this.#memory.hasUndoable()
    );
  }

  /**
   * Sends all changes made before the call; a failed part stays pending for the next call. Calls during a run share the next
   * one, because the running one may have read its state before their changes.
   */
  flush(): Promise<void> {
    if (this.#running === null) {
      this.#running = this.#run().finally(() => (this.#running = null));
      return this.#running;
    }
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = null;
        return this.flush();
      });
    return this.#next;
  }

  async #run(): Promise<void> {
    for (const settlement of this.listPendingSettlements()) await this.settle(settlement);
    const [markD1Row, markIndex, markRatings] = await Promise.all([
      this.#updateD1Row(),
      this.#updateIndex(),
      this.#countRatings(),
      this.#countReferrals(),
    ]);
    // One write for all that was confirmed. A repeat after a crash before it changes nothing.
    this.#store.atomically(() => {
      this.#removeConfirmed();
      markD1Row();
      markIndex();
      markRatings();
      this.#storeFigures();
    });
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

  /**
   * Sends what waits for the end of a sitting: the number of answered messages, and the metrics.
   * @param isAlarmOver whether no alarm of a turn is set any more, even if another change has set the one that has come, or
   *   the clock is set back afterwards
   */
  async endSitting({ isAlarmOver = false } = {}): Promise<void> {
    const mark = await this.#updateD1Row(true);
    const figures = this.#store.listFigures();
    this.#store.atomically(() => {
      mark();
      if (figures.length > 0) this.#store.setFigures([]);
      if (isAlarmOver) this.#store.setWakeAt(0);
    });
    if (figures.length === 0) return;
    // Metrics of a failed call are lost: a turn may be counted once at most.
    try {
      await this.#ports.addFigures(figures);
    } catch (error) {
      logFailure('turn_metrics_failed', error);
    }
  }

  /** The state that the row in D1 should have. */
  #buildD1Row(meta: ConversationMeta): Omit<ConversationRowChange, 'bytes'> {
    return {
      id: meta.id,
      characterId: meta.character.id,
      characterName: meta.character.name,
      avatarUrl: meta.character.avatar_url,
      turns: Math.min(meta.answeredCount, MAX_COUNTED_TURNS),
      deletedAt: meta.deletedAt,
      copyHash: meta.copyHash,
    };
  }

  /** The size that D1 has to know: a larger one by the end of a sitting, a smaller one at once. Null when it may wait. */
  #findDueBytes({ d1Bytes }: ConversationMeta, isSittingOver: boolean): number | null {
    const bytes = this.#ports.measure();
    return (isSittingOver || bytes < d1Bytes) && shouldReportSize(bytes, d1Bytes) ? bytes : null;
  }

  /** D1 decides once, after the first completed reply, whether the chat counts for its character. */
  #isCountDue(): boolean {
    const meta = this.#store.getMeta();
    return meta !== null && meta.completedAt !== null && meta.deletedAt === null && !meta.isCountDecided;
  }

  /** Whether D1 has to know that the conversation has begun. The first turn may still be refused while it is open. */
  #shouldBegin(): boolean {
    const meta = this.#store.getMeta();
    return meta !== null && meta.isBegun && !meta.isD1Begun && this.#store.getOpenTurn() === null;
  }

  /** Whether others have to know of a change. The number of answered messages may wait for the end of the sitting. */
  #isD1RowDue(isSittingOver: boolean): boolean {
    const meta = this.#store.getMeta();
    // Until it has a row, an update would be lost.
    if (meta === null || meta.unlistedSince !== null) return false;
    const isBehind = isSittingOver && this.#buildD1Row(meta).turns !== meta.d1Turns;
    return (
      meta.isD1RowStale ||
      isBehind ||
      this.#isCountDue() ||
      this.#shouldBegin() ||
      this.#findDueBytes(meta, isSittingOver) !== null
    );
  }

  /** Writes the row in D1, if it is due. @returns a function that marks it as written */
  async #updateD1Row(isSittingOver = false): Promise<() => void> {
    if (!this.#isD1RowDue(isSittingOver)) return NOTHING;
    const meta = this.#store.getMeta() as ConversationMeta;
    const row = this.#buildD1Row(meta);
    const { id, turns } = row;
    const isCountDecided = this.#isCountDue();
    const isBegun = this.#shouldBegin();
    const bytes = this.#findDueBytes(meta, isSittingOver);
    try {
      // Other columns have indexes, which naming them would write again.
      const change = {
        ...(meta.isD1RowStale ? row : { id, turns }),
        ...(isBegun ? { isBegun } : {}),
        ...(bytes === null ? {} : { bytes }),
      };
      await this.#ports.updateD1Row(
        change,
        isCountDecided ? meta.completedAt : null,
        this.#findUnsentCopy(meta),
      );
      return () => {
        const now = this.#buildD1Row(this.#store.getMeta() as ConversationMeta);
        this.#store.markD1RowWritten({
          turns,
          isCurrent: dequal({ ...now, turns }, row),
          isCountDecided,
          isBegun,
          bytes,
        });
      };
    } catch (error) {
      logFailure('list_row_deferred', error);
      return NOTHING;
    }
  }

  /** The long texts that D1 may lack, because the conversation has changed its character; null when there are none. */
  #findUnsentCopy({ isD1RowStale, copyHash, character }: ConversationMeta): StoredCopy | null {
    if (!isD1RowStale || copyHash === null || this.#store.getMissingCopy() !== null) return null;
    return { characterId: character.id, hash: copyHash, copy: this.#store.getCopy() };
  }

  /** Counts changed ratings, a batch at a time. @returns a function that removes the counted ones */
  async #countRatings(): Promise<() => void> {
    const changes = this.#store.listRatingChanges().slice(0, MAX_RATING_BATCH);
    const last = changes.at(-1);
    const meta = this.#store.getMeta();
    // Without a row in D1 nothing would say that they are counted.
    if (last === undefined || meta === null || meta.unlistedSince !== null) return NOTHING;
    try {
      await this.#ports.countRatingChanges(meta.id, changes);
      return () => this.#store.removeRatingChanges(last.number);
    } catch (error) {
      logFailure('rating_deferred', error);
      return NOTHING;
    }
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

  /**
   * Sends the list row and the queued messages, once the conversation has begun.
   * @returns a function that marks the last call's part as sent
   */
  async #updateIndex(): Promise<() => void> {
    let mark = NOTHING;
    try {
      for (;;) {
        mark();
        mark = NOTHING;
        const meta = this.#store.getMeta();
        if (this.#isIndexPaused || meta === null || !meta.isBegun) return NOTHING;
        const { id, ownerId } = meta;
        const row = meta.isListRowStale ? buildListRow(meta, this.#messages) : null;
        const batch = this.#store.takeSearchQueue(MAX_SEARCH_BATCH);
        if (row === null && batch === null) return NOTHING;
        const messageIds = batch?.messageIds ?? [];
        const texts = new Map(this.#messages.listTexts(messageIds).map((text) => [text.id, text]));
        const changes = messageIds.map((messageId) => {
          const found = texts.get(messageId);
          return {
            conversationId: id,
            messageId,
            at: found?.createdAt ?? 0,
            text: found === undefined ? null : toSearchableText(found.content, found.createdAt, meta),
          };
        });
        await this.#ports.updateIndex(ownerId, changes, row);
        mark = () => {
          const now = this.#store.getMeta() as ConversationMeta;
          if (row !== null && now.ownerId === ownerId && dequal(buildListRow(now, this.#messages), row))
            this.#store.markListRowWritten();
          if (batch !== null) this.#store.markSearched(batch);
        };
        if (messageIds.length < MAX_SEARCH_BATCH) return mark;
      }
    } catch (error) {
      logFailure('search_deferred', error);
      return NOTHING;
    }
  }
}

const NOTHING = (): void => {};

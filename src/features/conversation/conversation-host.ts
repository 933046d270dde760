import { isInitialized } from '../../db/object-migrations.ts';
import { openDatabase } from '../../db/open.ts';
import type { Message } from './contract.ts';
import { eraseMessages } from './delete-conversation.ts';
import {
  insertConversationRow,
  findConversationOwner,
  type RowInsertResult,
  type NewConversationRow,
  deleteConversationRow,
} from './conversation-rows-store.ts';
import {
  createConversationParts,
  type ConversationParts,
  WATCH_INTERVAL_MS,
} from './compose-conversation.ts';
import type { ConversationMeta } from './conversation-store.ts';
import { readCharacterCopy } from './character/character-copy-store.ts';
import { logFailure } from '../../lib/log.ts';

export type NotFound = { ok: false; code: 'not_found' };
export const NOT_FOUND: NotFound = { ok: false, code: 'not_found' };

/** What became of a new conversation. */
export type ListingResult = 'listed' | 'gone' | 'storage_full';

/** A conversation of this age without a row in D1 is an orphan: creating the row takes far less time. */
const MAX_LISTING_MS = 2 * 60_000;

/** Maximum number of message ids in one live event. */
const MAX_EVENT_MESSAGES = 20;

/**
 * Controls access to a conversation's parts, sends live events after changes, and schedules the alarm for pending syncs.
 */
export class ConversationHost {
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  /** Null until the conversation exists, so that a request with a guessed id stores nothing. */
  #parts: ConversationParts | null = null;
  /** Number of inserts of its row in progress. */
  #listWrites = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    this.#ctx = ctx;
    this.#env = env;
    if (!isInitialized(ctx.storage)) return;
    const parts = createConversationParts(ctx, env);
    this.#parts = parts;
    parts.engine.endOrphan();
    // The previous instance may have left unsynced changes, and `endOrphan` may have added some. Set the alarm, so that
    // they do not wait for the next request.
    if (parts.sync.hasPending()) void ctx.blockConcurrencyWhile(() => this.#scheduleWakeForSync(parts));
  }

  /** The parts without an access check; null until the conversation exists. */
  get parts(): ConversationParts | null {
    return this.#parts;
  }

  /** Creates the parts of a new conversation. */
  open(): ConversationParts {
    return (this.#parts ??= createConversationParts(this.#ctx, this.#env));
  }

  /** Call this when the conversation was erased. */
  close(): void {
    this.#parts = null;
  }

  /** Loads the character's long texts from D1, unless they are here. */
  async loadCopy({ store }: ConversationParts): Promise<void> {
    const hash = store.getMissingCopy();
    if (hash === null) return;
    const { character } = store.getMeta() as ConversationMeta;
    const db = openDatabase(this.#env.DB);
    store.keepCopy(hash, await readCharacterCopy(db, { characterId: character.id, hash }));
  }

  /**
   * Returns the conversation for its owner, otherwise null, with its character's long texts loaded. D1 is queried only when the stored owner differs: the
   * conversation may have moved to the account that its guest signed in to.
   * @param where a conversation in the trash is only returned for `trashed` or `any`
   */
  async authorize(
    userId: string,
    where: 'here' | 'trashed' | 'any' = 'here',
  ): Promise<ConversationParts | null> {
    const parts = this.#parts;
    const meta = parts?.store.getMeta() ?? null;
    if (parts === null || meta === null) return null;
    if (where !== 'any' && (meta.deletedAt !== null) !== (where === 'trashed')) return null;
    if (meta.ownerId !== userId) {
      if ((await findConversationOwner(openDatabase(this.#env.DB), meta.id)) !== userId) return null;
      parts.store.setOwner(userId);
      // The new owner's search index does not have these messages yet.
      parts.store.queueAllForSearch();
    }
    const isUnsettled = !parts.engine.isBusy && parts.sync.listPendingSettlements().length > 0;
    if (isUnsettled) await parts.sync.flush();
    await this.loadCopy(parts);
    // The conversation may have been erased during the await.
    return this.#parts === parts ? parts : null;
  }

  /** Runs `act` with the user's conversation, or returns `not_found`. */
  async withConversation<T>(
    userId: string,
    act: (parts: ConversationParts) => T | Promise<T>,
  ): Promise<T | NotFound> {
    const parts = await this.authorize(userId);
    return parts === null ? NOT_FOUND : act(parts);
  }

  /** Applies one synchronous change, then sends a live event to the other tabs and syncs list, search and wallet. */
  applyChange<T extends { ok: boolean }>(
    userId: string,
    clientId: string | null,
    change: (parts: ConversationParts) => T,
  ): Promise<T | NotFound> {
    return this.withConversation(userId, (parts) => {
      const result = change(parts);
      if (result.ok) {
        parts.tabs.broadcast({ type: 'changed', message_ids: getChangedMessageIds(result) }, clientId);
        this.syncInBackground(parts);
      }
      return result;
    });
  }

  /**
   * Starts a sync and sets the alarm. Call it in the same event as the change: both are then written together, and if the
   * object is evicted, the alarm resumes the sync.
   */
  syncInBackground(parts: ConversationParts): void {
    this.scheduleWake();
    this.#ctx.waitUntil(parts.sync.flush().then(() => this.#scheduleWakeForSync(parts)));
  }

  /** Sets the alarm, so that the object runs again even if it is evicted now. */
  scheduleWake(): void {
    void this.#ctx.storage.setAlarm(Date.now() + WATCH_INTERVAL_MS);
  }

  /**
   * Inserts the row in D1 and adds the conversation to the user's list. Only this method may do it: it counts the insert in
   * `#listWrites`, so that an alarm in between does not take the conversation for an orphan and erase it before its row
   * appears.
   * @returns `gone` when there is no conversation, or the owner has another one with the same import key; `storage_full` when
   *   there is no room for what was written
   */
  async addToList(row: NewConversationRow): Promise<ListingResult> {
    const parts = this.#parts;
    const meta = parts?.store.getMeta() ?? null;
    if (parts === null || meta === null) return 'gone';
    const { copyHash: hash } = meta;
    if (parts.store.getMissingCopy() !== null) return 'gone';
    const copy = hash === null ? null : { characterId: meta.character.id, hash, copy: parts.store.getCopy() };
    const { sql } = this.#ctx.storage;
    const database = openDatabase(this.#env.DB);
    this.#listWrites += 1;
    let bytes = 0;
    try {
      // First, so that the index has reported its size when the room is checked.
      await parts.sync.flush();
      bytes = sql.databaseSize;
      const result: RowInsertResult = await insertConversationRow(database, row, { bytes, copy }, Date.now());
      if (result !== 'added') return result === 'full' ? 'storage_full' : 'gone';
    } finally {
      this.#listWrites -= 1;
    }
    if (this.#parts !== parts) {
      await deleteConversationRow(database, row.id);
      return 'gone';
    }
    parts.store.markListed(bytes);
    // A copy of a chat that the user has written in counts soon, but not before its creation can no longer fail.
    await this.#scheduleWakeForSync(parts);
    return 'listed';
  }

  /** Removes the conversation's row and what the owner's index has of it, before it is erased. */
  async removeFromList({ id, ownerId }: ConversationMeta): Promise<void> {
    // If the object is evicted between deleting the row and erasing itself, the alarm finds an orphan and finishes the
    // erasure.
    this.#parts?.store.setUnlistedSince(Date.now());
    this.scheduleWake();
    // Delete the row first: until that succeeds the conversation may still stay, and must remain listed and searchable.
    await deleteConversationRow(openDatabase(this.#env.DB), id);
    await this.#env.SEARCHES.get(this.#env.SEARCHES.idFromName(ownerId)).removeConversation(id, ownerId);
  }

  /**
   * Returns whether the conversation has no row in D1 and will not get one any more: either its creation failed before the
   * row was written, or its erasure failed after the row was deleted. The caller then erases it.
   */
  async isOrphaned(): Promise<boolean> {
    const parts = this.#parts;
    const meta = parts?.store.getMeta() ?? null;
    if (parts === null || meta === null || meta.unlistedSince === null || this.#listWrites > 0) return false;
    try {
      const owner = await findConversationOwner(openDatabase(this.#env.DB), meta.id);
      // The state may have changed during the await; D1's answer is then out of date.
      const isUnchanged =
        this.#listWrites === 0 && parts.store.getMeta()?.unlistedSince === meta.unlistedSince;
      if (this.#parts !== parts || !isUnchanged) return false;
      const age = Date.now() - meta.unlistedSince;
      if (owner === null && age >= 0) return age >= MAX_LISTING_MS;
      // Listed after all; or the clock was set back (negative age), so the wait starts again.
      parts.store.setUnlistedSince(owner === null ? Date.now() : null);
    } catch (error) {
      logFailure('list_row_deferred', error);
    }
    return false;
  }

  /**
   * The alarm's work: ends replies that lost their writer, erases expired trash and removed memory notes, and syncs pending
   * changes.
   */
  async runDueWork(): Promise<void> {
    const parts = this.#parts;
    if (parts === null) return;
    const { storage } = this.#ctx;
    const { engine, memory, store, sync, trash, tabs, turns } = parts;
    engine.endOrphan();
    memory.purgeRemoved(Date.now());
    if (eraseMessages(parts, () => trash.expire(Date.now())) > 0)
      tabs.broadcast({ type: 'changed', message_ids: [] }, null);
    if (engine.isBusy) store.setWakeAt(0);
    else {
      await sync.flush();
      await sync.endSitting({ isAlarmOver: true });
    }
    // An assist request stores its settlement (a release) before it starts. While one is stored keep the alarm, so that
    // it is settled even if the object is evicted.
    const busy = engine.isBusy || turns.settlements().length > 0;
    const next = busy || sync.hasPending(true) ? Date.now() + WATCH_INTERVAL_MS : trash.getNextExpiry();
    if (next !== null) await storage.setAlarm(next);
  }

  /** Sets the alarm while a sync is pending. */
  async #scheduleWakeForSync(parts: ConversationParts): Promise<void> {
    if (this.#parts !== parts || !parts.sync.hasPending()) return;
    const soon = Date.now() + WATCH_INTERVAL_MS;
    const alarm = await this.#ctx.storage.getAlarm();
    // Keep an alarm that is already due; setting a new one would postpone it.
    if (alarm === null || alarm > soon) await this.#ctx.storage.setAlarm(soon);
  }
}

/**
 * The ids of the changed messages for a live event. If there are too many, restored messages come first: a tab does not
 * know them, so it reloads everything.
 */
function getChangedMessageIds(result: object): string[] {
  const {
    message,
    messageIds = [],
    unpinnedIds = [],
  } = result as { message?: Message; messageIds?: string[]; unpinnedIds?: string[] };
  if (message !== undefined) return [message.id];
  const all = [...unpinnedIds, ...messageIds];
  return all.length <= MAX_EVENT_MESSAGES
    ? all
    : [...messageIds, ...unpinnedIds].slice(0, MAX_EVENT_MESSAGES);
}

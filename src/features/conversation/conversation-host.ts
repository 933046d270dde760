import { isInitialized } from '../../db/object-migrations.ts';
import { openDatabase } from '../../db/open.ts';
import type { Message } from './contract.ts';
import { eraseMessages } from './delete-conversation.ts';
import {
  insertListRow,
  findConversationOwner,
  type NewListRow,
  deleteListRow,
} from './conversation-list-store.ts';
import {
  createConversationParts,
  type ConversationParts,
  WATCH_INTERVAL_MS,
} from './compose-conversation.ts';
import type { ConversationMeta } from './conversation-store.ts';
import { logFailure } from './turn/turn-engine.ts';

export type NotFound = { ok: false; code: 'not_found' };
export const NOT_FOUND: NotFound = { ok: false, code: 'not_found' };

/** So long after it was made, one that nobody has in their lists is not being listed any more. */
const MAX_LISTING_MS = 2 * 60_000;

/** Messages that a hint names. */
const MAX_EVENT_MESSAGES = 20;

/**
 * The entrance to a conversation's parts: who may come in, what the other tabs are told after a change, and when the
 * object has to wake for those who are still to be told something.
 */
export class ConversationHost {
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  /** Null until the conversation exists: a guessed id leaves no trace. */
  #parts: ConversationParts | null = null;
  /** How many times its list row is being written right now. */
  #listWrites = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    this.#ctx = ctx;
    this.#env = env;
    if (!isInitialized(ctx.storage)) return;
    const parts = createConversationParts(ctx, env);
    this.#parts = parts;
    parts.engine.endOrphans();
    // Went away before it was done, or has just learned what it has to tell: nobody need come by for that.
    if (parts.sync.hasPending()) void ctx.blockConcurrencyWhile(() => this.#scheduleWakeForSync(parts));
  }

  /** The parts, whoever asks; null until the conversation exists. */
  get parts(): ConversationParts | null {
    return this.#parts;
  }

  /** The parts of a conversation that begins now. */
  open(): ConversationParts {
    return (this.#parts ??= createConversationParts(this.#ctx, this.#env));
  }

  /** The conversation is no more. */
  close(): void {
    this.#parts = null;
  }

  /**
   * The conversation for this person, or null. D1 is asked only when the copy of the owner here
   * differs: then the conversation may have moved to the account that its guest signed in to.
   * @param where one that lies in the trash is there only for who looks for it there
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
      // Its words are found where its owner looks for them.
      parts.store.queueAllForSearch();
    }
    if (!parts.engine.busy && parts.sync.listPendingSettlements().length > 0) await parts.sync.flush();
    // Erased meanwhile, there is nothing left for who has waited.
    return this.#parts === parts ? parts : null;
  }

  /** Does something with the conversation of this person, or says that there is none. */
  async withConversation<T>(
    userId: string,
    act: (parts: ConversationParts) => T | Promise<T>,
  ): Promise<T | NotFound> {
    const parts = await this.authorize(userId);
    return parts === null ? NOT_FOUND : act(parts);
  }

  /** One change: written at once, told to the other tabs, and to whoever else has to know, afterwards. */
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
   * Tells everybody who is still to be told something, beside whatever goes on. Called with the change that they are to be
   * told of: what is written together is kept together, and should the object go away now, it wakes for them.
   */
  syncInBackground(parts: ConversationParts): void {
    this.scheduleWake();
    this.#ctx.waitUntil(parts.sync.flush().then(() => this.#scheduleWakeForSync(parts)));
  }

  /** Has the object wake soon, whatever becomes of it until then. */
  scheduleWake(): void {
    void this.#ctx.storage.setAlarm(Date.now() + WATCH_INTERVAL_MS);
  }

  /**
   * Writes its list row. Nobody else does: what wakes meanwhile and finds none would take itself for one that is not being
   * listed any more, and the row would come when it is gone. @returns false where there is no conversation
   */
  async addToList(row: NewListRow): Promise<boolean> {
    const parts = this.#parts;
    if (parts === null || parts.store.getMeta() === null) return false;
    const database = openDatabase(this.#env.DB);
    this.#listWrites += 1;
    try {
      await insertListRow(database, row);
    } finally {
      this.#listWrites -= 1;
    }
    if (this.#parts !== parts) {
      await deleteListRow(database, row.id);
      return false;
    }
    parts.store.setUnlistedSince(null);
    return true;
  }

  /** Has its person's lists and search forget it, before it is erased. */
  async removeFromList({ id, ownerId }: ConversationMeta): Promise<void> {
    // Should it go away between its row's end and its own, it wakes as one that is nobody's.
    this.#parts?.store.setUnlistedSince(Date.now());
    this.scheduleWake();
    // Its row first: while that stands, it may yet stay, and is to be found as before.
    await deleteListRow(openDatabase(this.#env.DB), id);
    await this.#env.SEARCHES.get(this.#env.SEARCHES.idFromName(ownerId)).removeConversation(id);
  }

  /**
   * Whether it stands in nobody's lists, and will not any more: what failed between its beginning and its list row, or
   * between the end of its row and its own, is finished by its erasure.
   */
  async isOrphaned(): Promise<boolean> {
    const parts = this.#parts;
    const meta = parts?.store.getMeta() ?? null;
    if (parts === null || meta === null || meta.unlistedSince === null || this.#listWrites > 0) return false;
    try {
      const owner = await findConversationOwner(openDatabase(this.#env.DB), meta.id);
      // Listed meanwhile, or on its way out: what D1 said is no longer how it stands.
      const isUnchanged =
        this.#listWrites === 0 && parts.store.getMeta()?.unlistedSince === meta.unlistedSince;
      if (this.#parts !== parts || !isUnchanged) return false;
      const age = Date.now() - meta.unlistedSince;
      if (owner === null && age >= 0) return age >= MAX_LISTING_MS;
      // The clock was set back: it is waited no longer for that.
      parts.store.setUnlistedSince(owner === null ? Date.now() : null);
    } catch (error) {
      logFailure('index_waits', error);
    }
    return false;
  }

  /** What is due when the object wakes: replies that lost their writer, what lay in the trash long enough, and what others are owed. */
  async runDueWork(): Promise<void> {
    const parts = this.#parts;
    if (parts === null) return;
    const { storage } = this.#ctx;
    const { engine, sync: chores, trash, tabs, turns } = parts;
    engine.endOrphans();
    if (eraseMessages(parts, storage, () => trash.expire(Date.now())) > 0)
      tabs.broadcast({ type: 'changed', message_ids: [] }, null);
    if (!engine.busy) await chores.flush();
    // What is asked for beside messages writes down first that nothing is owed for it: should the object go away now, it
    // wakes for that.
    const busy = engine.busy || turns.settlements().length > 0;
    const next = busy || chores.hasPending() ? Date.now() + WATCH_INTERVAL_MS : trash.getNextExpiry();
    if (next !== null) await storage.setAlarm(next);
  }

  /** While somebody has still to be told something, the object wakes for it soon. */
  async #scheduleWakeForSync(parts: ConversationParts): Promise<void> {
    if (this.#parts !== parts || !parts.sync.hasPending()) return;
    const soon = Date.now() + WATCH_INTERVAL_MS;
    const alarm = await this.#ctx.storage.getAlarm();
    // One that is due stays: it runs now, and setting another would put it off.
    if (alarm === null || alarm > soon) await this.#ctx.storage.setAlarm(soon);
  }
}

/**
 * The messages that a change was about, as far as other tabs have to be told. Of too many, those that were had back come
 * first: a tab does not know them, and so it looks at everything anew.
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

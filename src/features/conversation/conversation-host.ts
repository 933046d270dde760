import { isSetUp } from '../../db/object-migrations.ts';
import { openDatabase } from '../../db/open.ts';
import type { Message } from './contract.ts';
import { forgetMessages } from './delete-conversation.ts';
import {
  addToIndex,
  conversationOwner,
  type NewIndexRow,
  removeFromIndex,
} from './conversation-list-store.ts';
import { openParts, type Parts, WATCH_MS } from './compose-conversation.ts';
import type { Meta } from './conversation-store.ts';
import { logFailure } from './turn/turn-engine.ts';

export type NotFound = { ok: false; code: 'not_found' };
export const NOT_FOUND: NotFound = { ok: false, code: 'not_found' };

/** So long after it was made, one that nobody has in their lists is not being listed any more. */
const LISTED_WITHIN_MS = 2 * 60_000;

/** Messages that a hint names. */
const MAX_NAMED = 20;

/**
 * The entrance to a conversation's parts: who may come in, what the other tabs are told after a change, and when the
 * object has to wake for those who are still to be told something.
 */
export class Entrance {
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  /** Null until the conversation exists: a guessed id leaves no trace. */
  #parts: Parts | null = null;
  /** How many times its list row is being written right now. */
  #listing = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    this.#ctx = ctx;
    this.#env = env;
    if (!isSetUp(ctx.storage)) return;
    const parts = openParts(ctx, env);
    this.#parts = parts;
    parts.engine.endOrphans();
    // Went away before it was done, or has just learned what it has to tell: nobody need come by for that.
    if (parts.chores.waiting()) void ctx.blockConcurrencyWhile(() => this.#wakeForChores(parts));
  }

  /** The parts, whoever asks; null until the conversation exists. */
  get parts(): Parts | null {
    return this.#parts;
  }

  /** The parts of a conversation that begins now. */
  open(): Parts {
    return (this.#parts ??= openParts(this.#ctx, this.#env));
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
  async partsFor(userId: string, where: 'here' | 'trashed' | 'any' = 'here'): Promise<Parts | null> {
    const parts = this.#parts;
    const meta = parts?.store.meta() ?? null;
    if (parts === null || meta === null) return null;
    if (where !== 'any' && (meta.deletedAt !== null) !== (where === 'trashed')) return null;
    if (meta.ownerId !== userId) {
      if ((await conversationOwner(openDatabase(this.#env.DB), meta.id)) !== userId) return null;
      parts.store.setOwner(userId);
      // Its words are found where its owner looks for them.
      parts.store.queueAllForSearch();
    }
    if (!parts.engine.busy && parts.chores.owed().length > 0) await parts.chores.do();
    // Erased meanwhile, there is nothing left for who has waited.
    return this.#parts === parts ? parts : null;
  }

  /** Does something with the conversation of this person, or says that there is none. */
  async for<T>(userId: string, act: (parts: Parts) => T | Promise<T>): Promise<T | NotFound> {
    const parts = await this.partsFor(userId);
    return parts === null ? NOT_FOUND : act(parts);
  }

  /** One change: written at once, told to the other tabs, and to whoever else has to know, afterwards. */
  change<T extends { ok: boolean }>(
    userId: string,
    tab: string | null,
    change: (parts: Parts) => T,
  ): Promise<T | NotFound> {
    return this.for(userId, (parts) => {
      const result = change(parts);
      if (result.ok) {
        parts.tabs.tell({ type: 'changed', message_ids: namedBy(result) }, tab);
        this.doChores(parts);
      }
      return result;
    });
  }

  /**
   * Tells everybody who is still to be told something, beside whatever goes on. Called with the change that they are to be
   * told of: what is written together is kept together, and should the object go away now, it wakes for them.
   */
  doChores(parts: Parts): void {
    this.wakeSoon();
    this.#ctx.waitUntil(parts.chores.do().then(() => this.#wakeForChores(parts)));
  }

  /** Has the object wake soon, whatever becomes of it until then. */
  wakeSoon(): void {
    void this.#ctx.storage.setAlarm(Date.now() + WATCH_MS);
  }

  /**
   * Writes its list row. Nobody else does: what wakes meanwhile and finds none would take itself for one that is not being
   * listed any more, and the row would come when it is gone. @returns false where there is no conversation
   */
  async list(row: NewIndexRow): Promise<boolean> {
    const parts = this.#parts;
    if (parts === null || parts.store.meta() === null) return false;
    const database = openDatabase(this.#env.DB);
    this.#listing += 1;
    try {
      await addToIndex(database, row);
    } finally {
      this.#listing -= 1;
    }
    if (this.#parts !== parts) {
      await removeFromIndex(database, row.id);
      return false;
    }
    parts.store.setUnlisted(null);
    return true;
  }

  /** Has its person's lists and search forget it, before it is erased. */
  async unlist({ id, ownerId }: Meta): Promise<void> {
    // Should it go away between its row's end and its own, it wakes as one that is nobody's.
    this.#parts?.store.setUnlisted(Date.now());
    this.wakeSoon();
    // Its row first: while that stands, it may yet stay, and is to be found as before.
    await removeFromIndex(openDatabase(this.#env.DB), id);
    await this.#env.SEARCHES.get(this.#env.SEARCHES.idFromName(ownerId)).removeConversation(id);
  }

  /**
   * Whether it stands in nobody's lists, and will not any more: what failed between its beginning and its list row, or
   * between the end of its row and its own, is finished by its erasure.
   */
  async isNobodys(): Promise<boolean> {
    const parts = this.#parts;
    const meta = parts?.store.meta() ?? null;
    if (parts === null || meta === null || meta.unlistedSince === null || this.#listing > 0) return false;
    try {
      const owner = await conversationOwner(openDatabase(this.#env.DB), meta.id);
      // Listed meanwhile, or on its way out: what D1 said is no longer how it stands.
      const isAsBefore = this.#listing === 0 && parts.store.meta()?.unlistedSince === meta.unlistedSince;
      if (this.#parts !== parts || !isAsBefore) return false;
      const age = Date.now() - meta.unlistedSince;
      if (owner === null && age >= 0) return age >= LISTED_WITHIN_MS;
      // The clock was set back: it is waited no longer for that.
      parts.store.setUnlisted(owner === null ? Date.now() : null);
    } catch (error) {
      logFailure('index_waits', error);
    }
    return false;
  }

  /** What is due when the object wakes: replies that lost their writer, what lay in the trash long enough, and what others are owed. */
  async wake(): Promise<void> {
    const parts = this.#parts;
    if (parts === null) return;
    const { storage } = this.#ctx;
    const { engine, chores, trash, tabs, turns } = parts;
    engine.endOrphans();
    if (forgetMessages(parts, storage, () => trash.expire(Date.now())) > 0)
      tabs.tell({ type: 'changed', message_ids: [] }, null);
    if (!engine.busy) await chores.do();
    // What is asked for beside messages writes down first that nothing is owed for it: should the object go away now, it
    // wakes for that.
    const busy = engine.busy || turns.settlements().length > 0;
    const next = busy || chores.waiting() ? Date.now() + WATCH_MS : trash.nextExpiry();
    if (next !== null) await storage.setAlarm(next);
  }

  /** While somebody has still to be told something, the object wakes for it soon. */
  async #wakeForChores(parts: Parts): Promise<void> {
    if (this.#parts !== parts || !parts.chores.waiting()) return;
    const soon = Date.now() + WATCH_MS;
    const alarm = await this.#ctx.storage.getAlarm();
    // One that is due stays: it runs now, and setting another would put it off.
    if (alarm === null || alarm > soon) await this.#ctx.storage.setAlarm(soon);
  }
}

/**
 * The messages that a change was about, as far as other tabs have to be told. Of too many, those that were had back come
 * first: a tab does not know them, and so it looks at everything anew.
 */
function namedBy(result: object): string[] {
  const {
    message,
    messageIds = [],
    unpinnedIds = [],
  } = result as { message?: Message; messageIds?: string[]; unpinnedIds?: string[] };
  if (message !== undefined) return [message.id];
  const all = [...unpinnedIds, ...messageIds];
  return all.length <= MAX_NAMED ? all : [...messageIds, ...unpinnedIds].slice(0, MAX_NAMED);
}

import { DurableObject } from 'cloudflare:workers';
import { isInitialized, migrateObject } from '../../db/object-migrations.ts';
import type { SearchChange, SearchHit, SearchHits } from './contract.ts';
import { buildMatchExpression, parseQuery } from './search-words.ts';
import { SEARCH_MIGRATIONS } from './search-migrations.ts';
import { SearchStore } from './search-store.ts';

/** Matches per response. */
const MAX_HITS = 100;
/** A message reported this recently may be missing from the conversation's answer although it exists. */
const FORGET_GRACE_MS = 60_000;

/**
 * Full-text index of all messages that one user can read. It stores words and their positions, no texts: conversations
 * hold the texts, report changes, and return the excerpts to show.
 */
export class SearchObject extends DurableObject<Env> {
  /** Null until something is indexed, so that searching creates no tables. */
  #store: SearchStore | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (isInitialized(ctx.storage)) this.#setUp();
  }

  #setUp(): SearchStore {
    if (this.#store !== null) return this.#store;
    migrateObject(this.ctx.storage, SEARCH_MIGRATIONS);
    this.#store = new SearchStore(this.ctx.storage.sql);
    return this.#store;
  }

  /** Health check; touches no storage. */
  ping(): true {
    return true;
  }

  /**
   * Applies changes of a conversation atomically; repeating them changes nothing. One call with several messages costs
   * less than one call per message.
   */
  apply(changes: readonly SearchChange[]): void {
    if (changes.length === 0) return;
    const now = Date.now();
    const store = this.#setUp();
    this.ctx.storage.transactionSync(() => store.apply(changes, now));
  }

  /**
   * Removes messages that their conversations no longer had at `askedAt`, except those reported after that or within
   * {@link FORGET_GRACE_MS} before it.
   */
  forget(hits: readonly SearchHit[], askedAt: number): void {
    const store = this.#store;
    if (store === null) return;
    this.ctx.storage.transactionSync(() => {
      for (const hit of hits) store.forget(hit, askedAt - FORGET_GRACE_MS);
    });
  }

  /**
   * Removes a conversation. When it was the last, the whole object is erased: a contentless index keeps deleted words,
   * and an import racing with the deletion of the account would leave an orphaned index.
   */
  async removeConversation(conversationId: string): Promise<void> {
    const store = this.#store;
    if (store === null) return;
    this.ctx.storage.transactionSync(() => store.removeConversation(conversationId));
    if (store.isEmpty()) await this.erase();
  }

  /**
   * Finds messages that contain everything in the query, newest first.
   * @param cursor `next` of the previous page; null starts with the newest
   * @param limit 100 at most
   * @param excludedIds conversations to skip, such as those in the trash
   */
  find(query: string, cursor: string | null, limit: number, excludedIds: readonly string[] = []): SearchHits {
    const askedAt = Date.now();
    const phrases = parseQuery(query);
    if (this.#store === null || phrases.length === 0) return { hits: [], next: null, queriedAt: askedAt };
    const before = cursor === null ? null : Number(cursor);
    const { hits, next } = this.#store.find(buildMatchExpression(phrases), {
      before,
      limit: Math.min(limit, MAX_HITS),
      without: excludedIds,
    });
    return { hits, next: next === null ? null : String(next), queriedAt: askedAt };
  }

  async erase(): Promise<void> {
    this.#store = null;
    await this.ctx.storage.deleteAll();
  }
}

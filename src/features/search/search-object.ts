import { DurableObject } from 'cloudflare:workers';
import { isInitialized, migrateObject } from '../../db/object-migrations.ts';
import type { SearchChange, SearchHit, SearchHits } from './contract.ts';
import { buildMatchExpression, parseQuery } from './search-words.ts';
import { SEARCH_MIGRATIONS } from './search-migrations.ts';
import { SearchStore } from './search-store.ts';

/** Hits in one answer. */
const MAX_HITS = 100;
/** What was told of so shortly before may not stand in every list yet, and is no less there. */
const FORGET_GRACE_MS = 60_000;

/**
 * The index of everything that one person can read in their conversations. It holds words and where they stand, and
 * no text: conversations have that, tell of changes, and are asked for what is to be shown.
 */
export class SearchObject extends DurableObject<Env> {
  /** Null until something is indexed: looking writes nothing. */
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

  /** Answers, and touches nothing. */
  ping(): true {
    return true;
  }

  /**
   * Takes in what changed in a conversation, all of it or nothing; telling the same again changes nothing. Several
   * messages in one call cost less than one call each.
   */
  apply(changes: readonly SearchChange[]): void {
    if (changes.length === 0) return;
    const now = Date.now();
    const store = this.#setUp();
    this.ctx.storage.transactionSync(() => store.apply(changes, now));
  }

  /**
   * Forgets what conversations no longer had when they were asked, unless they told of it a moment before `lastCheckedAt`
   * or since.
   */
  forget(hits: readonly SearchHit[], askedAt: number): void {
    const store = this.#store;
    if (store === null) return;
    this.ctx.storage.transactionSync(() => {
      for (const hit of hits) store.forget(hit, askedAt - FORGET_GRACE_MS);
    });
  }

  /**
   * Forgets a conversation. With the last one everything goes: the index would keep the words, unfindable, and a chat
   * that was brought in while its person went would leave an index of nobody.
   */
  async removeConversation(conversationId: string): Promise<void> {
    const store = this.#store;
    if (store === null) return;
    this.ctx.storage.transactionSync(() => store.removeConversation(conversationId));
    if (store.isEmpty()) await this.erase();
  }

  /**
   * Messages in which everything that was typed stands, newest first.
   * @param cursor `next` of the page before; null begins with the newest
   * @param limit how many at most, never more than 100
   * @param excludedIds ids of conversations whose messages are passed over, as those in the trash
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

  /** Erases the whole index. */
  async erase(): Promise<void> {
    this.#store = null;
    await this.ctx.storage.deleteAll();
  }
}

import { DurableObject } from 'cloudflare:workers';
import { isInitialized, migrateObject } from '../../db/object-migrations.ts';
import { openDatabase } from '../../db/open.ts';
import { logFailure } from '../../lib/log.ts';
import { shouldReportSize } from '../storage/storage.ts';
import { recordSearchBytesStatement } from '../storage/storage-statements.ts';
import type {
  ConversationQuery,
  ListedConversation,
  SearchChange,
  SearchHit,
  SearchHits,
} from './contract.ts';
import { ListStore } from './list-store.ts';
import { buildMatchExpression, parseQuery } from './search-words.ts';
import { SEARCH_MIGRATIONS } from './search-migrations.ts';
import { SearchStore } from './search-store.ts';

/** Matches per response. */
const MAX_HITS = 100;
/** A message reported this recently may be missing from the conversation's answer although it exists. */
const FORGET_GRACE_MS = 60_000;

/**
 * One user's index of their conversations: the list of them, and a full-text index of their messages, which stores words
 * and their positions. Conversations hold the texts, report changes, and return the excerpts to show.
 */
export class SearchObject extends DurableObject<Env> {
  /** Null until something is indexed, so that reading creates no tables. */
  #stores: { words: SearchStore; list: ListStore } | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (isInitialized(ctx.storage)) this.#setUp();
  }

  #setUp(): { words: SearchStore; list: ListStore } {
    if (this.#stores !== null) return this.#stores;
    const { sql } = this.ctx.storage;
    migrateObject(this.ctx.storage, SEARCH_MIGRATIONS);
    this.#stores = { words: new SearchStore(sql), list: new ListStore(sql) };
    return this.#stores;
  }

  /** Health check; touches no storage. */
  ping(): true {
    return true;
  }

  /**
   * Applies changes of a conversation atomically; repeating them changes nothing. One call with several messages costs
   * less than one call per message.
   * @param row the conversation in the list; null when it has not changed
   * @param ownerId whose index it is; null to report no size
   */
  async apply(
    changes: readonly SearchChange[],
    row: ListedConversation | null = null,
    ownerId: string | null = null,
  ): Promise<void> {
    if (row === null && changes.length === 0) return;
    const now = Date.now();
    const { words, list } = this.#setUp();
    this.ctx.storage.transactionSync(() => {
      if (row !== null) list.save(row);
      words.apply(changes, now);
    });
    if (ownerId !== null) await this.#reportSize(ownerId);
  }

  /** Reports the size of the index to D1, once it has changed enough since the last time. */
  async #reportSize(ownerId: string): Promise<void> {
    const { databaseSize: size } = this.ctx.storage.sql;
    const list = this.#stores?.list;
    if (list === undefined || !shouldReportSize(size, list.getReportedBytes())) return;
    try {
      await recordSearchBytesStatement(openDatabase(this.env.DB), ownerId, size);
      this.#stores?.list.setReportedBytes(size);
    } catch (error) {
      logFailure('search_deferred', error);
    }
  }

  /** A page of the list, with the number of all conversations, including those in the trash. */
  listConversations(query: ConversationQuery): { rows: ListedConversation[]; total: number } {
    const list = this.#stores?.list;
    return list === undefined ? { rows: [], total: 0 } : { rows: list.list(query), total: list.count() };
  }

  /** Returns those of the given conversations that are listed, in no order. */
  findConversations(ids: readonly string[]): ListedConversation[] {
    return this.#stores?.list.findByIds(ids) ?? [];
  }

  /** The ids of all conversations, including those in the trash. */
  listConversationIds(): string[] {
    return this.#stores?.list.listIds() ?? [];
  }

  /**
   * Removes messages that their conversations no longer had at `askedAt`, except those reported after that or within
   * {@link FORGET_GRACE_MS} before it.
   */
  forget(hits: readonly SearchHit[], askedAt: number): void {
    const words = this.#stores?.words;
    if (words === undefined) return;
    this.ctx.storage.transactionSync(() => {
      for (const hit of hits) words.forget(hit, askedAt - FORGET_GRACE_MS);
    });
  }

  /**
   * Removes a conversation. When it was the last, the whole object is erased: a contentless index keeps deleted words,
   * and an import racing with the deletion of the account would leave an orphaned index.
   */
  async removeConversation(conversationId: string, ownerId: string | null = null): Promise<void> {
    if (this.#stores === null) return;
    const { words, list } = this.#stores;
    const reported = list.getReportedBytes();
    this.ctx.storage.transactionSync(() => {
      list.remove(conversationId);
      words.removeConversation(conversationId);
    });
    if (list.count() === 0 && words.isEmpty()) {
      await this.erase();
      if (ownerId !== null && reported > 0)
        await recordSearchBytesStatement(openDatabase(this.env.DB), ownerId, 0);
    } else if (ownerId !== null) await this.#reportSize(ownerId);
  }

  /**
   * Finds messages outside the trash that contain everything in the query, newest first.
   * @param cursor `next` of the previous page; null starts with the newest
   * @param limit 100 at most
   */
  find(query: string, cursor: string | null, limit: number): SearchHits {
    const askedAt = Date.now();
    const phrases = parseQuery(query);
    if (this.#stores === null || phrases.length === 0) return { hits: [], next: null, queriedAt: askedAt };
    const before = cursor === null ? null : Number(cursor);
    const { hits, next } = this.#stores.words.find(buildMatchExpression(phrases), {
      before,
      limit: Math.min(limit, MAX_HITS),
    });
    return { hits, next: next === null ? null : String(next), queriedAt: askedAt };
  }

  async erase(): Promise<void> {
    this.#stores = null;
    await this.ctx.storage.deleteAll();
  }
}

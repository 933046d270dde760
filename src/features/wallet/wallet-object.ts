import { DurableObject } from 'cloudflare:workers';
import { isInitialized, migrateObject } from '../../db/object-migrations.ts';
import { readRuntimeConfig } from '../runtime-config/runtime-config-gateway.ts';
import type { Spend } from '../model/spend.ts';
import type { LedgerHistory, LedgerPage, PointsStatus } from './contract.ts';
import {
  type CharacterPurpose,
  type PointGrant,
  toRules,
  type SpendPurpose,
  type Entitlement,
} from './ledger.ts';
import { type DownloadStart, DownloadStore } from './download-store.ts';
import { LedgerStore } from './ledger-store.ts';
import { WALLET_MIGRATIONS } from './wallet-migrations.ts';
import {
  type GrantResult,
  type LedgerBalanceCheck,
  type WalletContext,
  getEmptyStatus,
  type PayResult,
  type ReserveResult,
  Wallet,
} from './wallet.ts';

/**
 * One user's points and ledger; no other code changes them. The rules are read first, and nothing is awaited between
 * reading and writing, so that concurrent requests cannot overspend.
 */
export class WalletObject extends DurableObject<Env> {
  /** Null until the first write, so that lookups create no tables. */
  #wallet: Wallet | null = null;
  /** After erasure, calls still in flight must not create a new wallet. */
  #erased = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (isInitialized(ctx.storage)) this.#open();
  }

  /** @throws Error when the wallet has been erased */
  #open(): Wallet {
    if (this.#erased) throw new Error('this wallet is erased');
    if (this.#wallet !== null) return this.#wallet;
    const { storage } = this.ctx;
    migrateObject(storage, WALLET_MIGRATIONS);
    this.#wallet = new Wallet(new LedgerStore(storage.sql), (write) => storage.transactionSync(write));
    return this.#wallet;
  }

  /** The current time and the rules in force. */
  async #loadContext(): Promise<WalletContext> {
    const rules = toRules(await readRuntimeConfig(this.env));
    return { now: Date.now(), rules };
  }

  /** Health check; touches no storage. */
  ping(): true {
    return true;
  }

  /** The user's points and limits. @param entitlement the current entitlement; null keeps the last known one */
  async getStatus(entitlement: Entitlement | null = null): Promise<PointsStatus> {
    const at = await this.#loadContext();
    return this.#open().getStatus(at, entitlement);
  }

  /**
   * Holds one message's points for a turn. Each attempt has its own id; repeating a call holds nothing more.
   * @param conversationId null outside a conversation
   * @param entitlement as in `getStatus`
   * @param most maximum spend of the model call
   */
  async reserve(
    id: string,
    conversationId: string | null,
    entitlement: Entitlement | null = null,
    most?: Spend,
  ): Promise<ReserveResult> {
    const at = await this.#loadContext();
    return this.#open().reserve(at, {
      id,
      conversationId,
      entitlement,
      ...(most === undefined ? {} : { most }),
    });
  }

  /** Spends the points that a turn holds. Repeating it, or settling an unknown turn, changes nothing. */
  async settle(
    id: string,
    messageId: string | null,
    what: SpendPurpose,
    spend: Spend | null = null,
  ): Promise<PointsStatus> {
    const at = await this.#loadContext();
    return this.#erased ? getEmptyStatus(at) : this.#open().settle(at, { id, messageId, what, spend });
  }

  /** Releases the points that a turn holds, if any. Idempotent, and safe before the reservation arrives. */
  async release(
    id: string,
    conversationId: string | null,
    messageId: string | null,
    what: SpendPurpose,
    spend: Spend | null = null,
  ): Promise<PointsStatus> {
    const at = await this.#loadContext();
    if (this.#erased) return getEmptyStatus(at);
    return this.#open().release(at, { id, conversationId, messageId, what, spend });
  }

  /** Whether a model call outside a paid turn is allowed: false when the daily limit is reached. */
  async canCallModel(): Promise<boolean> {
    const at = await this.#loadContext();
    return !this.#erased && this.#open().canCallModel(at);
  }

  /** Adds the tokens of such a call. */
  async recordModelTokens(tokens: number): Promise<void> {
    const at = await this.#loadContext();
    if (!this.#erased) this.#open().recordModelTokens(at, tokens);
  }

  /** Grants permanent points once per id. */
  async grant(giftId: string, gift: PointGrant): Promise<GrantResult> {
    const at = await this.#loadContext();
    if (this.#erased) return { given: false, points: getEmptyStatus(at) };
    return this.#open().grant(at, giftId, gift);
  }

  /** Pays for a character that is being created or published, once per id. */
  async payForCharacter(purchaseId: string, purpose?: CharacterPurpose): Promise<PayResult> {
    const at = await this.#loadContext();
    return this.#open().payForCharacter(at, purchaseId, purpose);
  }

  /** Refunds a character that was not created or published. Idempotent. */
  async refundCharacter(purchaseId: string, purpose?: CharacterPurpose): Promise<void> {
    const at = await this.#loadContext();
    if (!this.#erased) this.#open().refundCharacter(at, purchaseId, purpose);
  }

  /** All changes of the points, newest first. @param group id of a group of `listHistory`: only its entries */
  async listEntries(cursor: string | undefined, limit: number, group?: string): Promise<LedgerPage> {
    const at = await this.#loadContext();
    return this.#open().ledger(at, cursor, limit, group);
  }

  /** The changes of the points by day and conversation, newest first. @param days maximum number of days */
  async listHistory(cursor: string | undefined, days: number): Promise<LedgerHistory> {
    const at = await this.#loadContext();
    return this.#open().history(at, cursor, days);
  }

  /** Whether the ledger matches the balance; null without a wallet. Changes nothing. */
  check(): LedgerBalanceCheck | null {
    return this.#wallet === null ? null : this.#wallet.check();
  }

  /** Starts a data download, unless one is running or the limit is reached. */
  startDownload(id: string): DownloadStart {
    this.#open();
    return new DownloadStore(this.ctx.storage.sql).start(id, Date.now());
  }

  /** Records a heartbeat or the end of a download; an unknown id is ignored. */
  updateDownload(id: string, ended: boolean): void {
    if (!this.#erased && this.#wallet !== null)
      new DownloadStore(this.ctx.storage.sql).update(id, Date.now(), ended);
  }

  /** Erases the wallet of a deleted account. Idempotent. Turns that end afterwards are answered with an empty status. */
  async erase(): Promise<void> {
    this.#wallet = null;
    this.#erased = true;
    await Promise.all([this.ctx.storage.deleteAlarm(), this.ctx.storage.deleteAll()]);
  }
}

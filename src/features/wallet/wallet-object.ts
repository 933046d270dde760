import { DurableObject } from 'cloudflare:workers';
import { isInitialized, migrateObject } from '../../db/object-migrations.ts';
import { readRuntimeConfig } from '../runtime-config/runtime-config-gateway.ts';
import type { Spend } from '../model/spend.ts';
import type { LedgerPage, PointsStatus } from './contract.ts';
import { type PointGrant, toRules, type SpendPurpose, type Entitlement } from './ledger.ts';
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
 * One person's points and their ledger: the only place where either changes. The rules are read before anything else,
 * and nothing is awaited between reading and writing, which is what makes fifty sends at once spend exactly what is there.
 */
export class WalletObject extends DurableObject<Env> {
  /** Null until somebody has points here: looking for nobody's writes nothing. */
  #wallet: Wallet | null = null;
  /** Calls that were on their way when the wallet was erased find nothing, and open nothing anew. */
  #erased = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (isInitialized(ctx.storage)) this.#open();
  }

  /** @throws Error when the wallet was erased a moment ago: its owner is gone */
  #open(): Wallet {
    if (this.#erased) throw new Error('this wallet is erased');
    if (this.#wallet !== null) return this.#wallet;
    const { storage } = this.ctx;
    migrateObject(storage, WALLET_MIGRATIONS);
    this.#wallet = new Wallet(new LedgerStore(storage.sql), (write) => storage.transactionSync(write));
    return this.#wallet;
  }

  /** The moment at which a call goes on, with the rules that are in force. */
  async #loadContext(): Promise<WalletContext> {
    const rules = toRules(await readRuntimeConfig(this.env));
    return { now: Date.now(), rules };
  }

  /** Answers, and touches nothing. */
  ping(): true {
    return true;
  }

  /** What the person has and may do. @param standing by whoever knows it; what was told last holds without */
  async getStatus(standing: Entitlement | null = null): Promise<PointsStatus> {
    const at = await this.#loadContext();
    return this.#open().getStatus(at, standing);
  }

  /**
   * Holds one message's points for a turn; the id is new for every attempt. Repeating the call holds nothing twice.
   * @param conversationId null for what is said in none
   * @param standing as in `status`
   * @param most what its model may come to at most
   */
  async reserve(
    id: string,
    conversationId: string | null,
    standing: Entitlement | null = null,
    most?: Spend,
  ): Promise<ReserveResult> {
    const at = await this.#loadContext();
    return this.#open().reserve(at, {
      id,
      conversationId,
      standing,
      ...(most === undefined ? {} : { most }),
    });
  }

  /** Spends what the turn holds. Repeating it, or settling what was never held, changes nothing. */
  async settle(
    id: string,
    messageId: string | null,
    what: SpendPurpose,
    spend: Spend | null = null,
  ): Promise<PointsStatus> {
    const at = await this.#loadContext();
    return this.#erased ? getEmptyStatus(at) : this.#open().settle(at, { id, messageId, what, spend });
  }

  /** Gives back what the turn holds, if it holds anything. Harmless to repeat, and to come before the reservation. */
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

  /** Whether a model may be asked for the person beside what they pay for: false where their day is at its bound. */
  async canCallModel(): Promise<boolean> {
    const at = await this.#loadContext();
    return !this.#erased && this.#open().canCallModel(at);
  }

  /** Counts the tokens of such an asking. */
  async recordModelTokens(tokens: number): Promise<void> {
    const at = await this.#loadContext();
    if (!this.#erased) this.#open().recordModelTokens(at, tokens);
  }

  /** Gives points for good. Repeating it gives nothing twice: the id says what they are given for. */
  async grant(giftId: string, gift: PointGrant): Promise<GrantResult> {
    const at = await this.#loadContext();
    if (this.#erased) return { given: false, points: getEmptyStatus(at) };
    return this.#open().grant(at, giftId, gift);
  }

  /** Pays for a character that is being made. Repeating it pays nothing twice: the id is the character's. */
  async payForCharacter(characterId: string): Promise<PayResult> {
    const at = await this.#loadContext();
    return this.#open().payForCharacter(at, characterId);
  }

  /** Gives back what was paid for a character that was not made. Harmless to repeat. */
  async refundCharacter(characterId: string): Promise<void> {
    const at = await this.#loadContext();
    if (!this.#erased) this.#open().refundCharacter(at, characterId);
  }

  /** Every change of the points, newest first. */
  async listEntries(cursor: string | undefined, limit: number): Promise<LedgerPage> {
    const at = await this.#loadContext();
    return this.#open().ledger(at, cursor, limit);
  }

  /** Whether the ledger explains the balance; null where there is no wallet. Changes nothing. */
  check(): LedgerBalanceCheck | null {
    return this.#wallet === null ? null : this.#wallet.check();
  }

  /** Begins a download of everything that its person has, unless one runs or there were too many. */
  startDownload(id: string): DownloadStart {
    this.#open();
    return new DownloadStore(this.ctx.storage.sql).start(id, Date.now());
  }

  /** A download goes on, or has ended. Of one that nobody knows nothing is noted. */
  updateDownload(id: string, ended: boolean): void {
    if (!this.#erased && this.#wallet !== null)
      new DownloadStore(this.ctx.storage.sql).update(id, Date.now(), ended);
  }

  /**
   * Erases everything here, of somebody who is gone. Harmless to repeat. Who still owes or is owed something of a turn
   * that ends now is told that it is settled.
   */
  async erase(): Promise<void> {
    this.#wallet = null;
    this.#erased = true;
    await Promise.all([this.ctx.storage.deleteAlarm(), this.ctx.storage.deleteAll()]);
  }
}

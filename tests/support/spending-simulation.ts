import { evictDurableObject } from 'cloudflare:test';
import { expect } from 'vitest';
import type { PointsStatus } from '../../src/features/wallet/contract.ts';
import type { Entitlement } from '../../src/features/wallet/ledger.ts';
import type { ReserveResult } from '../../src/features/wallet/wallet.ts';
import { getWalletStub } from './factories.ts';

/** Small numbers, so that everything runs out within a few messages. */
export const SMALL_LIMITS = {
  start_points: 6,
  refill_to_points: 5,
  refill_hours: 8,
  message_cost_points: 2,
  daily_message_limit: 5,
  invite_points: 3,
} as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const calendars = new Map<string, Intl.DateTimeFormat>();

/** The local date in a time zone; the Swedish locale formats it as ISO 8601 does. */
function getLocalDate(zone: string | null, now: number): number {
  const timeZone = zone ?? 'UTC';
  const calendar = calendars.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone });
  calendars.set(timeZone, calendar);
  return Date.parse(calendar.format(now)) / DAY_MS;
}

interface Turn {
  state: 'held' | 'spent' | 'free';
  isCovered: boolean;
  at: number;
}

export type SpendingStep = 'send' | 'begin' | 'end' | 'fail' | 'lateEnd' | 'gift' | 'look' | 'sleep';

/** One user's messages and charges, with the invariants that must hold. */
export class SpendingSimulation {
  readonly #id: string;
  readonly #turns: Turn[] = [];
  /** When the wallet was first used, from which its refills are counted; null before. */
  #openedAt: number | null = null;
  #zone: string | null = null;
  #day = getLocalDate(null, Date.now());
  readonly #onDay = new Map<number, number>();
  #gifts = 0;

  constructor(id: string) {
    this.#id = id;
  }

  get #wallet() {
    return getWalletStub(this.#id);
  }

  /**
   * @param times how often each call is made, because an answer may be lost
   * @param which one of the open turns
   */
  async runStep(
    step: SpendingStep,
    entitlement: Entitlement,
    { times, which }: { times: number; which: number },
  ): Promise<void> {
    const again = async <Answer>(call: () => PromiseLike<Answer>): Promise<Answer> => {
      for (let isLost = 1; isLost < times; isLost += 1) await call();
      return call();
    };
    const held = [...this.#turns.keys()].filter((turn) => this.#turns[turn]?.state === 'held');
    switch (step) {
      case 'send':
      case 'fail':
      case 'begin': {
        const turn = await this.#startTurn(entitlement, again);
        if (turn !== null && step !== 'begin') await this.#endTurn(turn, step === 'send', again);
        break;
      }
      case 'end': {
        const turn = held[which % Math.max(1, held.length)];
        if (turn !== undefined) await this.#endTurn(turn, which % 3 > 0, again);
        break;
      }
      case 'lateEnd':
        // Repeating the end of a finished turn changes nothing.
        if (this.#turns.length > 0) await this.#endTurn(which % this.#turns.length, which % 2 > 0, again);
        break;
      case 'gift':
        this.#gifts += 1;
        await again(() => this.#wallet.grant(`gift-${this.#gifts}`, { kind: 'invite' }));
        break;
      case 'look':
        await again(() => this.#wallet.getStatus(entitlement));
        this.#updateEntitlement(entitlement);
        break;
      case 'sleep':
        await evictDurableObject(this.#wallet);
        break;
    }
  }

  /** Each call sends the user's time zone; a reservation that is not ended within an hour is released. */
  #updateEntitlement({ timeZone }: Entitlement): void {
    const now = Date.now();
    this.#zone = timeZone ?? this.#zone;
    const today = getLocalDate(this.#zone, now);
    // A wallet's first day is in the first caller's time zone; later days follow from it.
    this.#day = this.#openedAt === null ? today : Math.max(this.#day, today);
    this.#openedAt ??= now;
    for (const turn of this.#turns) if (turn.state === 'held' && turn.at < now - HOUR_MS) turn.state = 'free';
  }

  async #startTurn(
    entitlement: Entitlement,
    again: <Answer>(call: () => PromiseLike<Answer>) => Promise<Answer>,
  ): Promise<number | null> {
    const place = this.#turns.length;
    const isCovered = entitlement.unlimited;
    const result = await again(async (): Promise<ReserveResult> =>
      this.#wallet.reserve(`turn-${place}`, 'chat', entitlement),
    );
    this.#updateEntitlement(entitlement);
    const writing = this.#turns.filter((turn) => turn.state === 'held' && !turn.isCovered).length;
    const today = (this.#onDay.get(this.#day) ?? 0) + writing;
    if (result.ok) {
      if (!isCovered) expect(today).toBeLessThan(SMALL_LIMITS.daily_message_limit);
      this.#turns.push({ state: 'held', isCovered, at: Date.now() });
      return place;
    }
    expect(isCovered).toBe(false);
    const { current_points, permanent_points } = result.points;
    if (result.code === 'daily_limit_reached')
      expect(today).toBeGreaterThanOrEqual(SMALL_LIMITS.daily_message_limit);
    else expect(current_points + permanent_points).toBeLessThan(SMALL_LIMITS.message_cost_points);
    return null;
  }

  async #endTurn(
    place: number,
    arrived: boolean,
    again: <Answer>(call: () => PromiseLike<Answer>) => Promise<Answer>,
  ): Promise<void> {
    const turn = this.#turns[place] as Turn;
    const id = `turn-${place}`;
    if (arrived) await again(() => this.#wallet.settle(id, `message-${place}`, 'reply'));
    else await again(() => this.#wallet.release(id, 'chat', null, 'reply'));
    this.#day = Math.max(this.#day, getLocalDate(this.#zone, Date.now()));
    if (turn.state !== 'held') return;
    turn.state = arrived ? 'spent' : 'free';
    if (arrived && !turn.isCovered) this.#onDay.set(this.#day, (this.#onDay.get(this.#day) ?? 0) + 1);
  }

  /** Every point is explained, and no failed, repeated or covered message is charged. */
  async expectExact(): Promise<void> {
    const wallet = this.#wallet;
    // This check uses the wallet after the step and before time passes, so it was opened now or earlier.
    const openedAt = (this.#openedAt ??= Date.now());
    const [check, { items }, status] = await Promise.all([
      wallet.check(),
      wallet.listEntries(undefined, 10_000),
      wallet.getStatus(null),
    ]);
    this.#updateEntitlement({ unlimited: false, timeZone: null });
    const of = (kind: string) => items.filter((entry) => entry.kind === kind);
    const sum = (amounts: readonly { amount: number }[]): number =>
      amounts.reduce((total, { amount }) => total + amount, 0);
    const spent = this.#turns.filter(({ state }) => state === 'spent');
    const { message_cost_points: cost, refill_hours: hours, refill_to_points: full } = SMALL_LIMITS;
    if (check !== null) expect(check.isBalanced).toBe(true);
    expect(of('message').map(({ amount }) => amount)).toEqual(
      spent.filter(({ isCovered }) => !isCovered).map(() => -cost),
    );
    expect(of('message_covered').map(({ amount }) => amount)).toEqual(
      spent.filter(({ isCovered }) => isCovered).map(() => 0),
    );
    expect(sum(of('message_free'))).toBe(0);
    expect(of('opening').map(({ amount, at }) => [amount, Date.parse(at)])).toEqual([
      [SMALL_LIMITS.start_points, openedAt],
    ]);
    expect(sum(of('invite'))).toBe(this.#gifts * SMALL_LIMITS.invite_points);
    // Refills come once per interval and never exceed the maximum.
    const windows = of('refill').map(({ at }) => Math.floor((Date.parse(at) - openedAt) / (hours * HOUR_MS)));
    expect(new Set(windows).size).toBe(windows.length);
    for (const { amount } of of('refill')) expect(amount).toBeLessThanOrEqual(full);
    this.#expectReported(status, sum(items));
  }

  #expectReported(status: PointsStatus, balance: number): void {
    const held = this.#turns.filter(({ state }) => state === 'held');
    const writing = held.filter(({ isCovered }) => !isCovered).length;
    const holds = writing * SMALL_LIMITS.message_cost_points;
    expect(status.current_points + status.permanent_points + holds).toBe(balance);
    expect(Math.min(status.current_points, status.permanent_points)).toBeGreaterThanOrEqual(0);
    expect(status.daily_messages_used).toBe((this.#onDay.get(this.#day) ?? 0) + writing);
    const resets = Date.parse(status.daily_resets_at);
    expect(resets).toBeGreaterThan(Date.now());
    expect(getLocalDate(this.#zone, resets)).toBeGreaterThan(this.#day);
    expect(getLocalDate(this.#zone, resets - 60_000)).toBeLessThanOrEqual(this.#day);
  }
}

import type { RuntimeConfig } from '../runtime-config/contract.ts';
import type { ModelQuota } from './model-quota.ts';
import { getStartOfDay, getLocalDay } from './user-day.ts';

/**
 * The rules of points, free of storage and clocks: state and time come in, state and entries go
 * out. A reservation only holds points; the ledger tells of what really changed, so that its sum
 * is the balance at every moment.
 */

/** What whoever knows a person's session tells their wallet. */
export interface Entitlement {
  /** A membership covers their messages, however many. */
  unlimited: boolean;
  /** In which their days begin and end; null for one that is not known. */
  timeZone: string | null;
}

/** `unlimited` and `timeZone` as they were told last. */
export interface Balance extends Entitlement {
  current: number;
  permanent: number;
  /** When current points were last brought back to full, in ms. */
  refilledAt: number;
  /** The person's own day that `dailyUsed` counts, as days since 1970. It never goes back, wherever they travel. */
  day: number;
  /** Messages of that day, but for those that a membership covered. */
  dailyUsed: number;
}

export interface Rules {
  startPoints: number;
  refillToPoints: number;
  refillEveryMs: number;
  messageCostPoints: number;
  dailyMessageLimit: number | null;
  characterCostPoints: number;
  invitePoints: number;
  models: ModelQuota;
}

const HOUR_MS = 3_600_000;

/** The business's constants as the wallet goes by them. */
export const toRules = (business: RuntimeConfig): Rules => ({
  startPoints: business.start_points,
  refillToPoints: business.refill_to_points,
  refillEveryMs: business.refill_hours * HOUR_MS,
  messageCostPoints: business.message_cost_points,
  dailyMessageLimit: business.daily_message_limit,
  characterCostPoints: business.character_cost_points,
  invitePoints: business.invite_points,
  models: {
    repliesAtOnce: business.replies_at_once,
    perDay: {
      tokens: business.person_model_tokens_per_day,
      cents: business.person_model_cents_per_day,
    },
  },
});

/** Points held for a turn whose reply is being written; none where a membership covers it. */
export interface Hold {
  fromCurrent: number;
  fromPermanent: number;
}

/**
 * What a wallet begins with.
 * @param timeZone of whoever opens it: their first day is their own; null where nobody says it, and it is UTC's
 */
export function createBalance(rules: Rules, now: number, timeZone: string | null = null): Balance {
  return {
    current: rules.startPoints,
    permanent: 0,
    refilledAt: now,
    day: getLocalDay(timeZone, now),
    dailyUsed: 0,
    unlimited: false,
    timeZone,
  };
}

/** The balance of somebody of whom this was told just now. Where nothing is said of their time zone, the known one stays. */
export function applyEntitlement(balance: Balance, { unlimited, timeZone }: Entitlement): Balance {
  return { ...balance, unlimited, timeZone: timeZone ?? balance.timeZone };
}

/**
 * The balance as time alone has changed it: whole refill periods that have passed fill current
 * points up, never down, and a new day of the person's own starts the daily count again.
 * `refilled` is the number of points that came in.
 */
export function applyElapsedTime(
  balance: Balance,
  rules: Rules,
  now: number,
): { balance: Balance; refilled: number } {
  const periods = Math.floor((now - balance.refilledAt) / rules.refillEveryMs);
  const refilled = periods >= 1 ? Math.max(0, rules.refillToPoints - balance.current) : 0;
  const day = getLocalDay(balance.timeZone, now);
  return {
    refilled,
    balance: {
      ...balance,
      current: balance.current + refilled,
      refilledAt: periods >= 1 ? balance.refilledAt + periods * rules.refillEveryMs : balance.refilledAt,
      ...(day > balance.day ? { day, dailyUsed: 0 } : {}),
    },
  };
}

export type ReserveRefusal = 'points_exhausted' | 'daily_limit_reached';

/**
 * Holds the cost of one message, current points first, or says why not. `held` is what other
 * turns hold already; its `turns` are those that count for the day. A membership covers every message.
 */
export function reserveMessage(
  balance: Balance,
  held: Hold & { turns: number },
  rules: Rules,
): { ok: true; hold: Hold } | { ok: false; code: ReserveRefusal } {
  if (balance.unlimited) return { ok: true, hold: { fromCurrent: 0, fromPermanent: 0 } };
  if (rules.dailyMessageLimit !== null && balance.dailyUsed + held.turns >= rules.dailyMessageLimit) {
    return { ok: false, code: 'daily_limit_reached' };
  }
  const reserved = reservePoints(balance, held, rules.messageCostPoints);
  return reserved === null ? { ok: false, code: 'points_exhausted' } : { ok: true, hold: reserved };
}

/**
 * So many points of those that no turn holds, current ones first; null when there are fewer.
 * @param held what turns hold
 */
export function reservePoints(balance: Balance, held: Hold, points: number): Hold | null {
  const current = balance.current - held.fromCurrent;
  const permanent = balance.permanent - held.fromPermanent;
  if (current + permanent < points) return null;
  const fromCurrent = Math.min(current, points);
  return { fromCurrent, fromPermanent: points - fromCurrent };
}

/**
 * The balance after a held message was written: the points are spent, and the day counts it.
 * @param spent what a membership covers takes nothing of the day either
 */
export function chargeMessage(balance: Balance, spent: Hold & { unlimited: boolean }): Balance {
  return { ...chargePoints(balance, spent), dailyUsed: balance.dailyUsed + (spent.unlimited ? 0 : 1) };
}

/** The balance after something was paid for that is no message. */
export function chargePoints(balance: Balance, paid: Hold): Balance {
  return {
    ...balance,
    current: balance.current - paid.fromCurrent,
    permanent: balance.permanent - paid.fromPermanent,
  };
}

/** The balance after what was paid came back, each point as the kind that it was. */
export function refundPoints(balance: Balance, paid: Hold): Balance {
  return chargePoints(balance, { fromCurrent: -paid.fromCurrent, fromPermanent: -paid.fromPermanent });
}

/** The ledger's sentences for a character that was paid for, and for one that was not made after all. */
export const CHARACTER_REASONS = {
  paid: 'A character was made',
  back: 'The character was not made: its points came back',
} as const;

/** Points that are given for good: by an invitation as many as the rules say, by the operator as many as they like. */
export type PointGrant = { kind: 'invite' } | { kind: 'gift'; points: number };

/** The ledger's sentence for each. */
export const GRANT_REASONS: Record<PointGrant['kind'], string> = {
  invite: 'An invitation was taken',
  gift: 'A gift of the people who run this site',
};

export const getGrantPoints = (gift: PointGrant, rules: Pick<Rules, 'invitePoints'>): number =>
  gift.kind === 'invite' ? rules.invitePoints : gift.points;

/** The balance after a gift: permanent points, which no refill counts in and no time takes away. */
export function grantPoints(balance: Balance, points: number): Balance {
  return { ...balance, permanent: balance.permanent + points };
}

/** When the next refill and the next day come, in ms. */
export function getNextChanges(balance: Balance, rules: Rules): { refillsAt: number; dailyResetsAt: number } {
  return {
    refillsAt: balance.refilledAt + rules.refillEveryMs,
    dailyResetsAt: getStartOfDay(balance.timeZone, balance.day + 1),
  };
}

/** What a model was asked for. Each costs a message. */
export type SpendPurpose = 'reply' | 'suggestions' | 'draft' | 'test';

/** The ledger's sentence for what was spent, for what a membership covers, and for what came to nothing. */
export const LEDGER_REASONS: Record<SpendPurpose, { spent: string; covered: string; free: string }> = {
  reply: {
    spent: 'A reply was written',
    covered: 'A reply was written: the membership covers it',
    free: 'The reply did not arrive whole: nothing was charged',
  },
  suggestions: {
    spent: 'Replies were suggested',
    covered: 'Replies were suggested: the membership covers it',
    free: 'The suggestions did not arrive whole: nothing was charged',
  },
  draft: {
    spent: 'A draft was written',
    covered: 'A draft was written: the membership covers it',
    free: 'The draft did not arrive whole: nothing was charged',
  },
  test: {
    spent: 'A reply was written in a test chat',
    covered: 'A reply was written in a test chat: the membership covers it',
    free: 'The reply in a test chat did not arrive whole: nothing was charged',
  },
};

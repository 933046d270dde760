import type { RuntimeConfig } from '../runtime-config/contract.ts';
import { getStartOfDay, getLocalDay } from './user-day.ts';
import { isLimitReached, type Spend, type SpendLimits, addSpends } from '../model/spend.ts';

/**
 * The rules of points, without storage or clock: state and time come in, state and entries go out. A reservation only
 * holds points; the ledger records actual changes, so its sum always equals the balance.
 */

/** What the wallet has to know about a user's membership and time zone, supplied by callers who know the session. */
export interface Entitlement {
  /** A membership covers all messages. */
  unlimited: boolean;
  /** Defines the user's local days; null if unknown. */
  timeZone: string | null;
}

/** `unlimited` and `timeZone` are the last known values. */
export interface Balance extends Entitlement {
  current: number;
  permanent: number;
  /** Time of the last refill, in ms. */
  refilledAt: number;
  /**
   * The local day counted by `dailyUsed`, as days since 1970. It never decreases, even when the user changes time zones.
   */
  day: number;
  /** Messages on that day, except those covered by a membership. */
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

/** Converts the business constants to the wallet's rules. */
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

/** Points held for a running turn; zero when a membership covers it. */
export interface Hold {
  fromCurrent: number;
  fromPermanent: number;
}

/**
 * The opening balance.
 * @param timeZone determines the user's first day; null means UTC
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

/** Applies the latest entitlement; an unknown time zone keeps the previous one. */
export function applyEntitlement(balance: Balance, { unlimited, timeZone }: Entitlement): Balance {
  return { ...balance, unlimited, timeZone: timeZone ?? balance.timeZone };
}

/**
 * Applies elapsed time: a completed refill period raises the current points, never lowers them, and a new local day
 * resets the daily count. `refilled` is the number of points added.
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
 * Holds the cost of one message, current points first, or returns why it cannot. `held` is the total held by other turns;
 * its `turns` count towards the daily limit. A membership covers every message.
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
 * Takes points that no turn holds, current points first; null when there are too few.
 * @param held points held by turns
 */
export function reservePoints(balance: Balance, held: Hold, points: number): Hold | null {
  const current = balance.current - held.fromCurrent;
  const permanent = balance.permanent - held.fromPermanent;
  if (current + permanent < points) return null;
  const fromCurrent = Math.min(current, points);
  return { fromCurrent, fromPermanent: points - fromCurrent };
}

/**
 * Charges a completed message: spends its points and counts it for the day.
 * @param spent a message covered by a membership does not count for the day
 */
export function chargeMessage(balance: Balance, spent: Hold & { unlimited: boolean }): Balance {
  return { ...chargePoints(balance, spent), dailyUsed: balance.dailyUsed + (spent.unlimited ? 0 : 1) };
}

/** Charges points for anything but a message. */
export function chargePoints(balance: Balance, paid: Hold): Balance {
  return {
    ...balance,
    current: balance.current - paid.fromCurrent,
    permanent: balance.permanent - paid.fromPermanent,
  };
}

/** Refunds points, each as the kind it was paid with. */
export function refundPoints(balance: Balance, paid: Hold): Balance {
  return chargePoints(balance, { fromCurrent: -paid.fromCurrent, fromPermanent: -paid.fromPermanent });
}

/** What a character is paid for: its creation, or the publication of an imported one, which was free while private. */
export type CharacterPurpose = 'creation' | 'publication';

/** Kinds and texts of the ledger entries for a payment and for its refund. */
export const CHARACTER_ENTRIES = {
  creation: {
    paid: { kind: 'character', reason: 'A character was created' },
    back: { kind: 'character_refund', reason: 'The character was not created: points returned' },
  },
  publication: {
    paid: { kind: 'publication', reason: 'An imported character was published' },
    back: { kind: 'publication_refund', reason: 'The character was not published: points returned' },
  },
} as const;

/** A grant of permanent points: for an invitation the amount in the rules, for a gift any amount and a reason. */
export type PointGrant = { kind: 'invite' } | { kind: 'gift'; points: number; reason?: string | undefined };

/** Ledger texts of grants. */
export const GRANT_REASONS: Record<PointGrant['kind'], string> = {
  invite: 'An invitation was accepted',
  gift: 'A gift from the operator of this site',
};

/** The ledger text of a grant. */
export const getGrantReason = (grant: PointGrant): string =>
  (grant.kind === 'gift' ? grant.reason : undefined) ?? GRANT_REASONS[grant.kind];

export const getGrantPoints = (gift: PointGrant, rules: Pick<Rules, 'invitePoints'>): number =>
  gift.kind === 'invite' ? rules.invitePoints : gift.points;

/** Adds permanent points, which refills ignore and which never expire. */
export function grantPoints(balance: Balance, points: number): Balance {
  return { ...balance, permanent: balance.permanent + points };
}

/** The times of the next refill and of the next day, in ms. */
export function getNextChanges(balance: Balance, rules: Rules): { refillsAt: number; dailyResetsAt: number } {
  return {
    refillsAt: balance.refilledAt + rules.refillEveryMs,
    dailyResetsAt: getStartOfDay(balance.timeZone, balance.day + 1),
  };
}

/** The purpose of a model call; each costs one message. */
export type SpendPurpose = 'reply' | 'suggestions' | 'draft' | 'test';

/** Ledger texts for a charge, for a turn covered by a membership, and for a failed turn. */
export const LEDGER_REASONS: Record<SpendPurpose, { spent: string; covered: string; free: string }> = {
  reply: {
    spent: 'A reply was written',
    covered: 'A reply was written: the membership covers it',
    free: 'The reply was incomplete: no points were used',
  },
  suggestions: {
    spent: 'Replies were suggested',
    covered: 'Replies were suggested: the membership covers it',
    free: 'The suggestions were incomplete: no points were used',
  },
  draft: {
    spent: 'A draft was written',
    covered: 'A draft was written: the membership covers it',
    free: 'The draft was incomplete: no points were used',
  },
  test: {
    spent: 'A reply was written in a test chat',
    covered: 'A reply was written in a test chat: the membership covers it',
    free: 'The reply in a test chat was incomplete: no points were used',
  },
};

/** Limits of one user's model use, in addition to points. They also apply to members. */
export interface ModelQuota {
  /** Maximum number of concurrent generations. */
  repliesAtOnce: number;
  /** Maximum spend per local day. */
  perDay: SpendLimits;
}

/** A user's running calls: their number and maximum spend. */
export interface RunningUsage extends Spend {
  replies: number;
}

export type QuotaExceeded = 'too_many_replies' | 'daily_usage_limit';

/**
 * Whether another call may start. Running calls count with their maximum, so that concurrent calls exceed the daily limit
 * by at most one reply.
 * @param spent spend on the user's current local day
 */
export function checkModelQuota(
  quota: ModelQuota,
  spent: Spend,
  running: RunningUsage,
): QuotaExceeded | null {
  if (running.replies >= quota.repliesAtOnce) return 'too_many_replies';
  return isLimitReached(quota.perDay, addSpends(spent, running)) ? 'daily_usage_limit' : null;
}

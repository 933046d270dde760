import { log } from '../../lib/log.ts';
import { describeError } from '../../lib/redact.ts';
import {
  type KeptBusiness,
  type Wrong,
  businessOf,
  businessOfText,
  changedBusiness,
} from './runtime-config.ts';
import type { Business } from './contract.ts';
import {
  FORMER_OFFER_MS,
  type KeptOffer,
  offerIn,
  type OfferOfLate,
  offersAfter,
  offersOfText,
} from './offers.ts';

/** Where the changed constants are kept in KV, as one JSON object. */
export const BUSINESS_KEY = 'business';
/** Where the offers of late are kept in KV, as one JSON list that goes by itself. */
export const OFFERS_KEY = 'business:offers';
/** When it goes: no offer in it counts for longer. */
export const OFFERS_TTL_SECONDS = FORMER_OFFER_MS / 1000;

/** With what KV itself keeps below, a change is in force everywhere within a minute. */
const KEPT_MS = 20_000;
/** The least that KV takes. */
const KV_CACHE_SECONDS = 30;
/** KV answers within some hundredths of a second; whoever waits for a reply does not wait for a price list. */
const PATIENCE_MS = 1000;

interface Known extends KeptBusiness {
  until: number;
  /** Until when KV may still answer here with what it held before this isolate wrote. */
  ownUntil: number;
  /** The offers of late that it wrote with that. */
  offers: readonly OfferOfLate[];
}

/** What this isolate read or wrote last. */
const known = new WeakMap<KVNamespace, Known>();

type Store = Pick<Env, 'KV'>;

/**
 * What KV holds now, past what this isolate knows.
 * @throws when KV does not answer; what stands in it never throws
 */
export async function readKeptBusiness({ KV }: Store): Promise<KeptBusiness> {
  return businessOfText(await KV.get(BUSINESS_KEY, { type: 'text', cacheTtl: KV_CACHE_SECONDS }));
}

/** What is read of KV, or an error once it takes too long. */
async function inTime<Read>(reading: Promise<Read>): Promise<Read> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), PATIENCE_MS);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The constants in force. When KV does not answer in time they stay what they were, or are the defaults.
 * @param now in ms
 */
export async function readBusiness(env: Store, now = Date.now()): Promise<Business> {
  const last = known.get(env.KV);
  if (last !== undefined && now < last.until) return last.business;
  let read: KeptBusiness;
  try {
    read = await inTime(readKeptBusiness(env));
    if (read.wrong.length > 0) log('business_not_understood', { names: read.wrong.map(shortened) });
  } catch (error) {
    log('business_not_read', { message: describeError(error) });
    read = last ?? businessOf(null);
  }
  // What was written here meanwhile is newer than what was read.
  const own = ownOf(env, now);
  if (own !== undefined) return own.business;
  known.set(env.KV, { ...read, until: now + KEPT_MS, ownUntil: 0, offers: [] });
  return read.business;
}

/** Anything may stand in KV as a name; the log takes a line of it. */
const shortened = (name: string): string => name.slice(0, 60);

/** What this isolate wrote, for as long as KV may not know it here. */
function ownOf({ KV }: Store, now: number): Known | undefined {
  const last = known.get(KV);
  return last !== undefined && now < last.ownUntil ? last : undefined;
}

/** @throws when KV does not answer; what stands in it never throws */
async function readOffers(env: Store, now: number): Promise<OfferOfLate[]> {
  const text = await env.KV.get(OFFERS_KEY, { type: 'text', cacheTtl: KV_CACHE_SECONDS });
  return [...(ownOf(env, now)?.offers ?? []), ...offersOfText(text, now)];
}

/**
 * What is for sale by what KV holds now, and what was until lately, the newest first.
 * @throws when KV does not answer in time; what stands in it never throws
 */
export async function readOffersOfLate(env: Store, now = Date.now()): Promise<KeptOffer[]> {
  const [{ business }, lately] = await inTime(Promise.all([keptBusiness(env, now), readOffers(env, now)]));
  return [offerIn(business), ...lately];
}

/**
 * Changes constants for everybody. Two people who change them within the same half minute, each elsewhere, may undo
 * each other's change: the answer says what came of it.
 * @param change by `businessChange`
 */
export async function changeBusiness(
  env: Store,
  change: unknown,
  now = Date.now(),
): Promise<{ ok: true; before: Business; kept: KeptBusiness } | { ok: false; wrong: Wrong }> {
  const before = await keptBusiness(env, now);
  const changed = changedBusiness(before.change, change);
  if (!changed.ok) return changed;
  const sale = { before: before.business, after: changed.business, now };
  // Whatever is for sale, what was until now is known before it is so no longer.
  const offers = offersAfter([], sale) === null ? null : offersAfter(await readOffers(env, now), sale);
  if (offers !== null)
    await env.KV.put(OFFERS_KEY, JSON.stringify(offers), { expirationTtl: OFFERS_TTL_SECONDS });
  await env.KV.put(BUSINESS_KEY, JSON.stringify(changed.kept));
  const kept = { business: changed.business, change: changed.kept, wrong: [] };
  const ownUntil = now + KV_CACHE_SECONDS * 1000;
  const own = offers ?? ownOf(env, now)?.offers ?? [];
  known.set(env.KV, { ...kept, until: ownUntil, ownUntil, offers: own });
  return { ok: true, before: before.business, kept };
}

/** What an operator sees: what was written here a moment ago, or what KV holds. */
export async function keptBusiness(env: Store, now = Date.now()): Promise<KeptBusiness> {
  return ownOf(env, now) ?? readKeptBusiness(env);
}

/** Has this isolate read anew the next time. */
export function forgetBusiness({ KV }: Store): void {
  known.delete(KV);
}

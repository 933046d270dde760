import { log } from '../../lib/log.ts';
import { describeError } from '../../lib/redact.ts';
import {
  type StoredRuntimeConfig,
  type ConfigIssues,
  parseRuntimeConfig,
  parseRuntimeConfigText,
  applyOverrides,
} from './runtime-config.ts';
import type { RuntimeConfig } from './contract.ts';
import {
  OFFER_GRACE_MS,
  type StoredOffer,
  toOffer,
  type RecentOffer,
  updateRecentOffers,
  parseRecentOffers,
} from './offers.ts';

/** Where the changed constants are kept in KV, as one JSON object. */
export const RUNTIME_CONFIG_KV_KEY = 'business';
/** Where the offers of late are kept in KV, as one JSON list that goes by itself. */
export const OFFERS_KV_KEY = 'business:offers';
/** When it goes: no offer in it counts for longer. */
export const OFFERS_TTL_SECONDS = OFFER_GRACE_MS / 1000;

/** With what KV itself keeps below, a change is in force everywhere within a minute. */
const CACHE_TTL_MS = 20_000;
/** The least that KV takes. */
const KV_CACHE_SECONDS = 30;
/** KV answers within some hundredths of a second; whoever waits for a reply does not wait for a price list. */
const READ_TIMEOUT_MS = 1000;

interface CachedConfig extends StoredRuntimeConfig {
  until: number;
  /** Until when KV may still answer here with what it held before this isolate wrote. */
  ownUntil: number;
  /** The offers of late that it wrote with that. */
  offers: readonly RecentOffer[];
}

/** What this isolate read or wrote last. */
const cachedConfigs = new WeakMap<KVNamespace, CachedConfig>();

type KvEnv = Pick<Env, 'KV'>;

/**
 * What KV holds now, past what this isolate knows.
 * @throws when KV does not answer; what stands in it never throws
 */
export async function fetchStoredRuntimeConfig({ KV }: KvEnv): Promise<StoredRuntimeConfig> {
  return parseRuntimeConfigText(
    await KV.get(RUNTIME_CONFIG_KV_KEY, { type: 'text', cacheTtl: KV_CACHE_SECONDS }),
  );
}

/** What is read of KV, or an error once it takes too long. */
async function withTimeout<Read>(reading: Promise<Read>): Promise<Read> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), READ_TIMEOUT_MS);
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
export async function readRuntimeConfig(env: KvEnv, now = Date.now()): Promise<RuntimeConfig> {
  const last = cachedConfigs.get(env.KV);
  if (last !== undefined && now < last.until) return last.business;
  let read: StoredRuntimeConfig;
  try {
    read = await withTimeout(fetchStoredRuntimeConfig(env));
    if (read.wrong.length > 0) log('business_not_understood', { names: read.wrong.map(truncateName) });
  } catch (error) {
    log('business_not_read', { message: describeError(error) });
    read = last ?? parseRuntimeConfig(null);
  }
  // What was written here meanwhile is newer than what was read.
  const own = getOwnWrite(env, now);
  if (own !== undefined) return own.business;
  cachedConfigs.set(env.KV, { ...read, until: now + CACHE_TTL_MS, ownUntil: 0, offers: [] });
  return read.business;
}

/** Anything may stand in KV as a name; the log takes a line of it. */
const truncateName = (name: string): string => name.slice(0, 60);

/** What this isolate wrote, for as long as KV may not know it here. */
function getOwnWrite({ KV }: KvEnv, now: number): CachedConfig | undefined {
  const last = cachedConfigs.get(KV);
  return last !== undefined && now < last.ownUntil ? last : undefined;
}

/** @throws when KV does not answer; what stands in it never throws */
async function readOffers(env: KvEnv, now: number): Promise<RecentOffer[]> {
  const text = await env.KV.get(OFFERS_KV_KEY, { type: 'text', cacheTtl: KV_CACHE_SECONDS });
  return [...(getOwnWrite(env, now)?.offers ?? []), ...parseRecentOffers(text, now)];
}

/**
 * What is for sale by what KV holds now, and what was until lately, the newest first.
 * @throws when KV does not answer in time; what stands in it never throws
 */
export async function readRecentOffers(env: KvEnv, now = Date.now()): Promise<StoredOffer[]> {
  const [{ business }, lately] = await withTimeout(
    Promise.all([getStoredRuntimeConfig(env, now), readOffers(env, now)]),
  );
  return [toOffer(business), ...lately];
}

/**
 * Changes constants for everybody. Two people who change them within the same half minute, each elsewhere, may undo
 * each other's change: the answer says what came of it.
 * @param change by `runtimeConfigChange`
 */
export async function updateRuntimeConfig(
  env: KvEnv,
  change: unknown,
  now = Date.now(),
): Promise<
  { ok: true; before: RuntimeConfig; kept: StoredRuntimeConfig } | { ok: false; wrong: ConfigIssues }
> {
  const before = await getStoredRuntimeConfig(env, now);
  const changed = applyOverrides(before.change, change);
  if (!changed.ok) return changed;
  const sale = { before: before.business, after: changed.business, now };
  // Whatever is for sale, what was until now is known before it is so no longer.
  const offers =
    updateRecentOffers([], sale) === null ? null : updateRecentOffers(await readOffers(env, now), sale);
  if (offers !== null)
    await env.KV.put(OFFERS_KV_KEY, JSON.stringify(offers), { expirationTtl: OFFERS_TTL_SECONDS });
  await env.KV.put(RUNTIME_CONFIG_KV_KEY, JSON.stringify(changed.kept));
  const kept = { business: changed.business, change: changed.kept, wrong: [] };
  const ownUntil = now + KV_CACHE_SECONDS * 1000;
  const own = offers ?? getOwnWrite(env, now)?.offers ?? [];
  cachedConfigs.set(env.KV, { ...kept, until: ownUntil, ownUntil, offers: own });
  return { ok: true, before: before.business, kept };
}

/** What an operator sees: what was written here a moment ago, or what KV holds. */
export async function getStoredRuntimeConfig(env: KvEnv, now = Date.now()): Promise<StoredRuntimeConfig> {
  return getOwnWrite(env, now) ?? fetchStoredRuntimeConfig(env);
}

/** Has this isolate read anew the next time. */
export function clearRuntimeConfigCache({ KV }: KvEnv): void {
  cachedConfigs.delete(KV);
}

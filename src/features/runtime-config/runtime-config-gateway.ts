import { log } from '../../lib/log.ts';
import { describeError } from '../../lib/redact.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
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

/** KV key of the changed constants, one JSON object. */
export const RUNTIME_CONFIG_KV_KEY = 'business';
/** KV key of the recent offers, one JSON list with an expiry. */
export const OFFERS_KV_KEY = 'business:offers';
/** No offer in the list is valid for longer. */
export const OFFERS_TTL_SECONDS = OFFER_GRACE_MS / 1000;

/** Together with KV's own cache below, a change applies everywhere within a minute. */
const CACHE_TTL_MS = 20_000;
/** KV's minimum. */
const KV_CACHE_SECONDS = 30;
/** KV normally answers within hundredths of a second; a reply should not wait longer for the constants. */
const READ_TIMEOUT_MS = 1000;

interface CachedConfig extends StoredRuntimeConfig {
  until: number;
  /** Until this time KV may still return the value from before this isolate's own write. */
  ownUntil: number;
  /** The recent offers written together with it. */
  offers: readonly RecentOffer[];
}

/** What this isolate read or wrote last. */
const cachedConfigs = new WeakMap<KVNamespace, CachedConfig>();

type KvEnv = Pick<Env, 'KV'>;

/**
 * Reads KV without this isolate's cache.
 * @throws when KV does not answer; invalid content never throws
 */
export async function fetchStoredRuntimeConfig({ KV }: KvEnv): Promise<StoredRuntimeConfig> {
  return parseRuntimeConfigText(
    await KV.get(RUNTIME_CONFIG_KV_KEY, { type: 'text', cacheTtl: KV_CACHE_SECONDS }),
  );
}

/**
 * The constants in force. When KV does not answer in time, the last known values apply, or else the defaults.
 * @param now in ms
 */
export async function readRuntimeConfig(env: KvEnv, now = Date.now()): Promise<RuntimeConfig> {
  const last = cachedConfigs.get(env.KV);
  if (last !== undefined && now < last.until) return last.business;
  let read: StoredRuntimeConfig;
  try {
    read = await withTimeout(READ_TIMEOUT_MS, fetchStoredRuntimeConfig(env));
    if (read.wrong.length > 0) log('runtime_config_parse_failed', { names: read.wrong.map(truncateName) });
  } catch (error) {
    log('runtime_config_read_failed', { message: describeError(error) });
    read = last ?? parseRuntimeConfig(null);
  }
  // A value written by this isolate during the read is newer.
  const own = getOwnWrite(env, now);
  if (own !== undefined) return own.business;
  cachedConfigs.set(env.KV, { ...read, until: now + CACHE_TTL_MS, ownUntil: 0, offers: [] });
  return read.business;
}

/** KV keys can be edited by hand; keep log lines short. */
const truncateName = (name: string): string => name.slice(0, 60);

/** This isolate's own write, while KV may still return older data. */
function getOwnWrite({ KV }: KvEnv, now: number): CachedConfig | undefined {
  const last = cachedConfigs.get(KV);
  return last !== undefined && now < last.ownUntil ? last : undefined;
}

/** @throws when KV does not answer; invalid content never throws */
async function readOffers(env: KvEnv, now: number): Promise<RecentOffer[]> {
  const text = await env.KV.get(OFFERS_KV_KEY, { type: 'text', cacheTtl: KV_CACHE_SECONDS });
  return [...(getOwnWrite(env, now)?.offers ?? []), ...parseRecentOffers(text, now)];
}

/**
 * The offer on sale according to KV, and recent offers, newest first.
 * @throws when KV does not answer in time; invalid content never throws
 */
export async function readRecentOffers(env: KvEnv, now = Date.now()): Promise<StoredOffer[]> {
  const [{ business }, lately] = await withTimeout(
    READ_TIMEOUT_MS,
    Promise.all([getStoredRuntimeConfig(env, now), readOffers(env, now)]),
  );
  return [toOffer(business), ...lately];
}

/**
 * Changes constants. Two operators who write within the same half minute in different places may overwrite each other;
 * the result shows the outcome.
 * @param change checked with `runtimeConfigChange`
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
  // Store the previous offer before the new one takes effect, so that it is accepted at all times.
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

/** The constants for operators: this isolate's recent write, or else what KV holds. */
export async function getStoredRuntimeConfig(env: KvEnv, now = Date.now()): Promise<StoredRuntimeConfig> {
  return getOwnWrite(env, now) ?? fetchStoredRuntimeConfig(env);
}

/** Makes this isolate read KV again next time. */
export function clearRuntimeConfigCache({ KV }: KvEnv): void {
  cachedConfigs.delete(KV);
}

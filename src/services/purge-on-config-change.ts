import { SHARED_PAGES } from '../features/page-cache/limits.ts';
import type { Database } from '../db/open.ts';
import { purgePagesStatement } from '../features/page-cache/page-purge-statements.ts';
import { fetchStoredRuntimeConfig } from '../features/runtime-config/runtime-config-gateway.ts';

/** KV key of the configuration that pages were last purged for. */
export const PURGED_CONFIG_KEY = 'business:pages';

/** After this time KV has propagated a change everywhere, so new pages show the new constants. */
const CONFIG_PROPAGATION_MS = 2 * 60_000;

interface PurgedConfig {
  /** The business constants as JSON. */
  business: string;
  /** Time at which the change was noticed. */
  at: number;
  /** Whether the second purge, after propagation, was done. */
  settled: boolean;
}

/** Every page has one of these tags, its kind. The kind `file` shows no constants. */
const PAGE_KINDS = Object.keys(SHARED_PAGES).filter((kind) => kind !== 'file');

/** Builds the statement that marks all public pages as stale: their shared layout shows prices. */
export function buildPurgeAllPagesStatement(db: Database, now: number) {
  return purgePagesStatement(db, PAGE_KINDS, now);
}

/** @returns null when the value is missing or invalid */
function parsePurgedConfig(text: string | null): PurgedConfig | null {
  if (text === null) return null;
  try {
    const { business, at, settled } = JSON.parse(text) as Partial<Record<keyof PurgedConfig, unknown>>;
    return typeof business === 'string' && typeof at === 'number' && typeof settled === 'boolean'
      ? { business, at, settled }
      : null;
  } catch {
    return null;
  }
}

/**
 * Marks public pages as stale when the business constants have changed in any way: at once, and again after propagation,
 * because a location with the old constants may have rendered a page in between. Runs every minute; safe to repeat.
 */
export async function purgeOnConfigChange(env: Pick<Env, 'KV'>, db: Database, now: number): Promise<void> {
  const [storedConfig, text] = await Promise.all([
    fetchStoredRuntimeConfig(env),
    env.KV.get(PURGED_CONFIG_KEY),
  ]);
  const lastPurge = parsePurgedConfig(text);
  // The constants were never changed, so every page shows the defaults.
  if (lastPurge === null && Object.keys(storedConfig.change).length === 0) return;
  const business = JSON.stringify(storedConfig.business);
  const isNew = lastPurge?.business !== business;
  if (!isNew && (lastPurge.settled || now - lastPurge.at < CONFIG_PROPAGATION_MS)) return;
  await buildPurgeAllPagesStatement(db, now);
  const next: PurgedConfig = isNew ? { business, at: now, settled: false } : { ...lastPurge, settled: true };
  await env.KV.put(PURGED_CONFIG_KEY, JSON.stringify(next));
}

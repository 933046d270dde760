import { SHARED_PAGES } from '../features/page-cache/limits.ts';
import type { Database } from '../db/open.ts';
import { purgePagesStatement } from '../features/page-cache/page-purge-statements.ts';
import { fetchStoredRuntimeConfig } from '../features/runtime-config/runtime-config-gateway.ts';

/** What shared caches were last told of, in KV. */
export const PURGED_CONFIG_KEY = 'business:pages';

/** By then every place on earth reads the new constants, so what is drawn after it shows them. */
const CONFIG_PROPAGATION_MS = 2 * 60_000;

interface PurgedConfig {
  /** The constants, as JSON. */
  business: string;
  /** When a difference was seen. */
  at: number;
  /** Whether caches were told once more when it had settled. */
  settled: boolean;
}

/** Every page carries one of these tags, its kind. Files for programs show no constants. */
const PAGE_KINDS = Object.keys(SHARED_PAGES).filter((kind) => kind !== 'file');

/** The write that notes every public page as out of date: the frame around all of them shows what things cost. */
export function buildPurgeAllPagesStatement(db: Database, now: number) {
  return purgePagesStatement(db, PAGE_KINDS, now);
}

/** @returns null when nothing that can be read stands there */
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
 * Notes public pages as out of date when the constants are others than those that caches were told of, however they
 * were changed: at once, and once more when the change is everywhere, because a page may have been drawn meanwhile by
 * a machine that did not know it yet. Run every minute; harmless to repeat.
 */
export async function purgeOnConfigChange(env: Pick<Env, 'KV'>, db: Database, now: number): Promise<void> {
  const [storedConfig, text] = await Promise.all([
    fetchStoredRuntimeConfig(env),
    env.KV.get(PURGED_CONFIG_KEY),
  ]);
  const lastPurge = parsePurgedConfig(text);
  // Nobody ever changed anything: every page was drawn with the defaults.
  if (lastPurge === null && Object.keys(storedConfig.change).length === 0) return;
  const business = JSON.stringify(storedConfig.business);
  const isNew = lastPurge?.business !== business;
  if (!isNew && (lastPurge.settled || now - lastPurge.at < CONFIG_PROPAGATION_MS)) return;
  await buildPurgeAllPagesStatement(db, now);
  const next: PurgedConfig = isNew ? { business, at: now, settled: false } : { ...lastPurge, settled: true };
  await env.KV.put(PURGED_CONFIG_KEY, JSON.stringify(next));
}

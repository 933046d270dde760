import { SHARED_PAGES } from '../features/page-cache/limits.ts';
import type { Database } from '../db/open.ts';
import { pagesToMark } from '../features/page-cache/page-purge-statements.ts';
import { readKeptBusiness } from '../features/runtime-config/runtime-config-gateway.ts';

/** What shared caches were last told of, in KV. */
export const PAGES_TOLD_KEY = 'business:pages';

/** By then every place on earth reads the new constants, so what is drawn after it shows them. */
const SETTLED_MS = 2 * 60_000;

interface Told {
  /** The constants, as JSON. */
  business: string;
  /** When a difference was seen. */
  at: number;
  /** Whether caches were told once more when it had settled. */
  settled: boolean;
}

/** Every page carries one of these tags, its kind. Files for programs show no constants. */
const KINDS = Object.keys(SHARED_PAGES).filter((kind) => kind !== 'file');

/** The write that notes every public page as out of date: the frame around all of them shows what things cost. */
export function everyPageToMark(db: Database, now: number) {
  return pagesToMark(db, KINDS, now);
}

/** @returns null when nothing that can be read stands there */
function readTold(text: string | null): Told | null {
  if (text === null) return null;
  try {
    const { business, at, settled } = JSON.parse(text) as Partial<Record<keyof Told, unknown>>;
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
export async function noticeBusiness(env: Pick<Env, 'KV'>, db: Database, now: number): Promise<void> {
  const [kept, text] = await Promise.all([readKeptBusiness(env), env.KV.get(PAGES_TOLD_KEY)]);
  const told = readTold(text);
  // Nobody ever changed anything: every page was drawn with the defaults.
  if (told === null && Object.keys(kept.change).length === 0) return;
  const business = JSON.stringify(kept.business);
  const isNew = told?.business !== business;
  if (!isNew && (told.settled || now - told.at < SETTLED_MS)) return;
  await everyPageToMark(db, now);
  const next: Told = isNew ? { business, at: now, settled: false } : { ...told, settled: true };
  await env.KV.put(PAGES_TOLD_KEY, JSON.stringify(next));
}

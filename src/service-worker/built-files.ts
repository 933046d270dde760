import { ASSET_CACHE, assetsIn, KEPT_ASSETS } from '../features/offline/offline-rules.ts';
import { stores } from './worker-scope.ts';

/** A page and all that it loads; far above any, so that a broken build cannot fetch without end. */
const MAX_FILES_OF_A_PAGE = 80;

/** Names of a page's files, kept with it so that they are not thrown away before it. */
const NEEDS = 'x-needs';

/** A built file that is kept, or null: what a name means never changes. */
export async function keptFile(path: string): Promise<Response | null> {
  return (await (await stores.open(ASSET_CACHE)).match(path)) ?? null;
}

/** Keeps a built file. @throws when the device has no room */
export async function keepFile(path: string, file: Response): Promise<void> {
  await (await stores.open(ASSET_CACHE)).put(path, file);
}

/** Fetches and keeps what a page loads, and what that loads in turn. @throws when something cannot be had */
async function keepNeeds(html: string): Promise<string[]> {
  const needs = new Set(assetsIn(html));
  for (const path of needs) {
    if (needs.size > MAX_FILES_OF_A_PAGE) throw new Error('A page with too many files');
    const kept = await keptFile(path);
    const file = kept ?? (await fetch(path));
    if (!file.ok) throw new Error(`${path} is not there`);
    if (kept === null) await keepFile(path, file.clone());
    for (const next of assetsIn(await file.text())) needs.add(next);
  }
  return [...needs];
}

/**
 * Keeps a page under its path, after everything that it loads: a kept page is always whole.
 * @param marks headers that the copy carries beside its own
 * @returns false when it cannot be had now
 */
export async function keepPage(
  storeName: string,
  path: string,
  marks: Record<string, string>,
  stillWanted: () => boolean = () => true,
): Promise<boolean> {
  try {
    const answer = await fetch(path);
    // What was redirected may not stand in for a page.
    if (!answer.ok || answer.redirected) return false;
    const html = await answer.text();
    const needs = await keepNeeds(html);
    const headers = new Headers(answer.headers);
    // They speak of how this answer travelled; the copy is plain and for every question.
    for (const name of ['content-encoding', 'content-length', 'vary']) headers.delete(name);
    for (const [name, value] of Object.entries({ ...marks, [NEEDS]: needs.join(' ') })) {
      headers.set(name, value);
    }
    if (!stillWanted()) return false;
    await (await stores.open(storeName)).put(path, new Response(html, { headers }));
    return true;
  } catch {
    return false;
  }
}

/** Throws away the oldest files beyond the bound, but none that a kept page needs. */
export async function trimBuiltFiles(pageStores: readonly string[]): Promise<void> {
  const store = await stores.open(ASSET_CACHE);
  const files = (await store.keys()).map(({ url }) => new URL(url).pathname);
  let over = files.length - KEPT_ASSETS;
  if (over <= 0) return;
  const needed = new Set<string>();
  for (const name of pageStores) {
    const pages = await stores.open(name);
    for (const { url } of await pages.keys()) {
      const page = await pages.match(url);
      for (const path of page?.headers.get(NEEDS)?.split(' ') ?? []) needed.add(path);
    }
  }
  for (const path of files) {
    if (over <= 0) return;
    if (needed.has(path)) continue;
    await store.delete(path);
    over -= 1;
  }
}

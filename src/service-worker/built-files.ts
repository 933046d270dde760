import { ASSET_CACHE, findAssets, MAX_CACHED_ASSETS } from '../features/offline/offline-rules.ts';
import { cacheStorage } from './worker-scope.ts';

/** A page and all that it loads; far above any, so that a broken build cannot fetch without end. */
const MAX_PAGE_FILES = 80;

/** Names of a page's files, kept with it so that they are not thrown away before it. */
const REQUIRED_FILES_HEADER = 'x-needs';

/** A built file that is kept, or null: what a name means never changes. */
export async function findBuiltFile(path: string): Promise<Response | null> {
  return (await (await cacheStorage.open(ASSET_CACHE)).match(path)) ?? null;
}

/** Keeps a built file. @throws when the device has no room */
export async function saveBuiltFile(path: string, file: Response): Promise<void> {
  await (await cacheStorage.open(ASSET_CACHE)).put(path, file);
}

/** Fetches and keeps what a page loads, and what that loads in turn. @throws when something cannot be had */
async function saveRequiredFiles(html: string): Promise<string[]> {
  const requiredFiles = new Set(findAssets(html));
  for (const path of requiredFiles) {
    if (requiredFiles.size > MAX_PAGE_FILES) throw new Error('A page with too many files');
    const kept = await findBuiltFile(path);
    const file = kept ?? (await fetch(path));
    if (!file.ok) throw new Error(`${path} is not there`);
    if (kept === null) await saveBuiltFile(path, file.clone());
    for (const next of findAssets(await file.text())) requiredFiles.add(next);
  }
  return [...requiredFiles];
}

/**
 * Keeps a page under its path, after everything that it loads: a kept page is always whole.
 * @param extraHeaders headers that the copy carries beside its own
 * @returns false when it cannot be had now
 */
export async function savePage(
  cacheName: string,
  path: string,
  extraHeaders: Record<string, string>,
  isWanted: () => boolean = () => true,
): Promise<boolean> {
  try {
    const answer = await fetch(path);
    // What was redirected may not stand in for a page.
    if (!answer.ok || answer.redirected) return false;
    const html = await answer.text();
    const needs = await saveRequiredFiles(html);
    const headers = new Headers(answer.headers);
    // They speak of how this answer travelled; the copy is plain and for every question.
    for (const name of ['content-encoding', 'content-length', 'vary']) headers.delete(name);
    for (const [name, value] of Object.entries({
      ...extraHeaders,
      [REQUIRED_FILES_HEADER]: needs.join(' '),
    })) {
      headers.set(name, value);
    }
    if (!isWanted()) return false;
    await (await cacheStorage.open(cacheName)).put(path, new Response(html, { headers }));
    return true;
  } catch {
    return false;
  }
}

/** Throws away the oldest files beyond the bound, but none that a kept page needs. */
export async function trimBuiltFiles(pageCaches: readonly string[]): Promise<void> {
  const store = await cacheStorage.open(ASSET_CACHE);
  const files = (await store.keys()).map(({ url }) => new URL(url).pathname);
  let excess = files.length - MAX_CACHED_ASSETS;
  if (excess <= 0) return;
  const required = new Set<string>();
  for (const name of pageCaches) {
    const pages = await cacheStorage.open(name);
    for (const { url } of await pages.keys()) {
      const page = await pages.match(url);
      for (const path of page?.headers.get(REQUIRED_FILES_HEADER)?.split(' ') ?? []) required.add(path);
    }
  }
  for (const path of files) {
    if (excess <= 0) return;
    if (required.has(path)) continue;
    await store.delete(path);
    excess -= 1;
  }
}

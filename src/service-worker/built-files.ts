import { WITHOUT_MESSAGES_HEADER } from '../features/offline/contract.ts';
import { ASSET_CACHE, findAssets, MAX_CACHED_ASSETS } from '../features/offline/offline-rules.ts';
import { cacheStorage } from './worker-scope.ts';

/** Maximum number of files per page: no page needs more than the whole cache holds. */
const MAX_PAGE_FILES = MAX_CACHED_ASSETS;

/** Header of a cached page that lists its required files, so that they are not evicted before it. */
const REQUIRED_FILES_HEADER = 'x-needs';

/** A cached build file; null if missing. The content of a file never changes under its name. */
export async function findBuiltFile(path: string): Promise<Response | null> {
  return (await (await cacheStorage.open(ASSET_CACHE)).match(path)) ?? null;
}

/**
 * Caches a build file.
 * @throws when the device has no room
 */
export async function saveBuiltFile(path: string, file: Response): Promise<void> {
  await (await cacheStorage.open(ASSET_CACHE)).put(path, file);
}

/**
 * Loads and caches all files that a page requires, directly or through other files.
 * @throws when a file cannot be loaded
 */
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
 * Caches a page under its path, after all files that it requires, so that a cached page is always complete.
 * @param extraHeaders headers to add to the copy
 * @returns false when it cannot be loaded now
 */
export async function savePage(
  cacheName: string,
  path: string,
  extraHeaders: Record<string, string>,
  isWanted: () => boolean = () => true,
): Promise<boolean> {
  try {
    // Offline, a chat reads its messages from their own copy, which is newer than the page's.
    const answer = await fetch(path, { headers: { [WITHOUT_MESSAGES_HEADER]: '1' } });
    // A redirect leads to another page, which must not be stored under this path.
    if (!answer.ok || answer.redirected) return false;
    const html = await answer.text();
    const needs = await saveRequiredFiles(html);
    const headers = new Headers(answer.headers);
    // These describe the transfer of this response; the copy is uncompressed and answers every request.
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

/** Evicts the oldest files beyond the limit, except those that a cached page requires. */
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

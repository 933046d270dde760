// Asks a site whether a version of it answers. A share of the traffic, or the wish to be answered by one version, holds
// everywhere only after a while, so an answer counts by which version says that it gave it.
import { randomUUID } from 'node:crypto';

/** @typedef {Pick<import('./rollout.mjs').Rollout, 'ask' | 'siteUrl' | 'access' | 'wait'>} Site */

/** In which each version says which it is (src/worker.ts). */
const VERSION_HEADER = 'x-version';
/** A version that fails for longer than this fails. */
export const SMOKE_TRIES = 6;
/** For so long one is waited for while another answers in its place. */
export const ARRIVAL_TRIES = 36;
const SMOKE_PAUSE_MS = 5000;
const ASK_TIMEOUT_MS = 15_000;
/** How seldom a round of questions may meet one version alone by chance; there are several rounds. */
const STICKY_DOUBT = 0.001;
const STICKY_TRIES = 350;

/** Pages and calls that a version has to answer, and what has to be in them. */
const SMOKE = [
  { path: '/api/health', has: '"ok":true' },
  { path: '/en', has: '<html' },
  { path: '/api/models', has: '{' },
];

/** @param {Site} site @param {string} path @param {Record<string, string>} headers */
export async function askSite({ ask, siteUrl, access = {} }, path, headers) {
  try {
    // An address of its own each time: a cache of one's own would give what the version before had answered.
    const answer = await ask(`${siteUrl}${path}?asked=${randomUUID()}`, {
      headers: { ...headers, ...access, 'cache-control': 'no-cache' },
      // Nothing that is asked for is elsewhere, and a token is for no other place.
      redirect: 'manual',
      signal: AbortSignal.timeout(ASK_TIMEOUT_MS),
    });
    const isShut = /^https:\/\/[\w-]+\.cloudflareaccess\.com\//.test(answer.headers.get('location') ?? '');
    const version = answer.headers.get(VERSION_HEADER);
    return { status: answer.status, text: await answer.text(), isShut, version };
  } catch {
    return { status: 0, text: '', isShut: false, version: null };
  }
}

/**
 * Whether all that is asked is answered by this version.
 * @returns {Promise<{ wrong: string | null, isOther?: boolean }>} what was not; isOther: another version answered
 */
async function smoke(site, headers, wanted) {
  for (const { path, has } of SMOKE) {
    const { status, text, isShut, version } = await askSite(site, path, headers);
    if (isShut)
      return {
        wrong: `${path} is behind Zero Trust Access, which let nobody in: CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET, docs/operate.md, «Staging and production»`,
      };
    // One that breaks before it says which it is may be the wanted one; one that goes well would have said it.
    const isOther = version === null ? status === 200 : version !== wanted;
    if (wanted !== null && isOther)
      return {
        wrong: `${path} was answered by ${version ?? 'a version that does not say which it is'}, not by ${wanted}`,
        isOther,
      };
    if (status !== 200) return { wrong: `${path} answered ${status === 0 ? 'nothing' : status}` };
    if (!text.replaceAll(/\s/g, '').includes(has.replaceAll(/\s/g, '')))
      return { wrong: `${path} answered something else` };
  }
  return { wrong: null };
}

/**
 * The same, for as long as a deployment takes to be everywhere.
 * @param {Site} site
 * @param {Record<string, string>} headers
 * @param {string | null} wanted the version that has to answer; null where wrangler did not say which it is
 * @param {number} [failures] so often it may fail
 * @returns {Promise<string | null>} what was not answered
 */
export async function smokePatiently(site, headers, wanted, failures = SMOKE_TRIES) {
  let failed = 0;
  let last = null;
  for (let tries = 0; tries < ARRIVAL_TRIES && failed < failures; tries += 1) {
    if (tries > 0) await site.wait(SMOKE_PAUSE_MS);
    const { wrong, isOther = false } = await smoke(site, headers, wanted);
    if (wrong === null) return null;
    if (!isOther) failed += 1;
    last = wrong;
  }
  return last;
}

/**
 * Somebody who asks a site again and again, to see whether they keep one version: a page's files come from its own version
 * alone, so whoever meets both has pages without scripts.
 */
export class Visitor {
  #site;
  #file;
  #tries;
  /** Which of the two answered last, and how often it was the other one than before. */
  #last = null;
  #changes = 0;

  /**
   * @param {Site} site
   * @param {string | null} file that the new version alone has; null where both have the same files, and nothing can go wrong
   * @param {number} percent who meet the new version: the rarer one of the two is, the more often it has to be asked
   */
  constructor(site, file, percent) {
    const rarer = Math.min(percent, 100 - percent) / 100;
    this.#site = site;
    this.#file = file;
    this.#tries = Math.min(Math.ceil(Math.log(STICKY_DOUBT) / Math.log(1 - rarer)), STICKY_TRIES);
  }

  /** One change is what a share does that arrives late, to whom it keeps at the new version; coming back is what none does. */
  get metBoth() {
    return this.#changes > 1;
  }

  /** Asks as often as it takes to meet both, should both answer by now. @returns {Promise<boolean>} whether they come by turns */
  async meetsBoth() {
    if (this.#file === null) return false;
    for (let tries = 0; tries < this.#tries && !this.metBoth; tries += 1) {
      const { status } = await askSite(this.#site, this.#file, {});
      // What was lost on its way says nothing of either.
      if (status !== 200 && status !== 404) continue;
      if (this.#last !== null && this.#last !== status) this.#changes += 1;
      this.#last = status;
    }
    return this.metBoth;
  }
}

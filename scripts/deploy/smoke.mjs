// Tests whether a version of the site answers. A change of traffic, or a version override, takes effect only after a while, so
// an answer counts only if its header names the version.
import { randomUUID } from 'node:crypto';

/** @typedef {Pick<import('./rollout.mjs').Rollout, 'fetch' | 'siteUrl' | 'access' | 'wait'>} Site */

/** Each version names itself in it (src/worker.ts). */
const VERSION_HEADER = 'x-version';
/** A version may fail this often, for lost requests. */
export const SMOKE_TRIES = 6;
/** How often a version is requested while another answers, or while a new domain is set up. */
export const ARRIVAL_TRIES = 36;
const PAUSE_MS = 5000;
const TIMEOUT_MS = 15_000;
/** The chance that a round of requests meets only one of two versions that alternate; a watch has several rounds. */
const MISS_CHANCE = 0.001;
const MAX_VISITS = 350;

/** What a version has to answer, and a text in each answer. */
const REQUESTS = [
  { path: '/api/health', has: '"ok":true' },
  { path: '/en', has: '<html' },
  { path: '/api/models', has: '{' },
];

/** Requests a page; status 0 if there is no answer. @param {Site} site @param {string} path @param {Record<string, string>} [headers] */
export async function requestPage({ fetch, siteUrl, access = {} }, path, headers = {}) {
  try {
    // A unique address, so that no cache answers for the previous version.
    const answer = await fetch(`${siteUrl}${path}?asked=${randomUUID()}`, {
      headers: { ...headers, ...access, 'cache-control': 'no-cache' },
      // The access token must not follow a redirect to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const location = answer.headers.get('location') ?? '';
    const isBlocked = /^https:\/\/[\w-]+\.cloudflareaccess\.com\//.test(location);
    const version = answer.headers.get(VERSION_HEADER);
    return { status: answer.status, text: await answer.text(), isBlocked, version };
  } catch {
    return { status: 0, text: '', isBlocked: false, version: null };
  }
}

/** @returns {Promise<{ error: string | null, isOther?: boolean }>} isOther: another version answered */
async function smokeTest(site, headers, wanted) {
  for (const { path, has } of REQUESTS) {
    const { status, text, isBlocked, version } = await requestPage(site, path, headers);
    if (isBlocked)
      return {
        error: `${path} is behind Zero Trust Access: set CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET, docs/deployment.md, «Staging and production»`,
      };
    // A failing version may not get as far as naming itself.
    const isOther = version === null ? status === 200 : version !== wanted;
    if (wanted !== null && isOther)
      return {
        error: `${path} was answered by ${version ?? 'an unnamed version'}, not by ${wanted}`,
        isOther,
      };
    if (status !== 200) return { error: `${path} answered ${status === 0 ? 'nothing' : status}` };
    if (!text.replaceAll(/\s/g, '').includes(has)) return { error: `${path} has an unexpected answer` };
  }
  return { error: null };
}

/**
 * Repeats the smoke test until it passes, or until the version has failed too often.
 * @param {Site} site
 * @param {Record<string, string>} headers
 * @param {string | null} wanted the version that has to answer; null for any
 * @param {number} [failures] how often it may fail
 * @returns {Promise<string | null>} the last error; null if it passed
 */
export async function waitUntilHealthy(site, headers, wanted, failures = SMOKE_TRIES) {
  let failed = 0;
  let last = null;
  for (let tries = 0; tries < ARRIVAL_TRIES && failed < failures; tries += 1) {
    if (tries > 0) await site.wait(PAUSE_MS);
    const { error, isOther = false } = await smokeTest(site, headers, wanted);
    if (error === null) return null;
    if (!isOther) failed += 1;
    last = error;
  }
  return last;
}

/**
 * Watches whether one visitor is served by two versions in turn: pages would then load files that their version lacks.
 * @param {Site} site
 * @param {string | null} file a file of the new version only; null if there is none, and so no risk
 * @param {number} percent share of the new version: the rarer version needs more requests
 * @returns {() => Promise<boolean>} makes a round of requests; true once both versions answered in turn
 */
export function watchVisitor(site, file, percent) {
  const rarer = Math.min(percent, 100 - percent) / 100;
  const visits = Math.min(Math.ceil(Math.log(MISS_CHANCE) / Math.log(1 - rarer)), MAX_VISITS);
  let last = null;
  let changes = 0;
  return async () => {
    // A single change is the share taking effect late; only a change back means that versions alternate.
    for (let visit = 0; file !== null && visit < visits && changes < 2; visit += 1) {
      const { status } = await requestPage(site, file);
      if (status !== 200 && status !== 404) continue;
      if (last !== null && last !== status) changes += 1;
      last = status;
    }
    return changes > 1;
  };
}

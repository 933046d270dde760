import { describe, expect, test } from 'vitest';
import {
  fromCacheableRequest,
  isCreatorPage,
  toCacheableRequest,
} from '../../../src/layouts/creator-page.ts';
import { applyCachePolicy } from '../../../src/lib/cache-control.ts';

const GIVEN = { 'cloudflare-cdn-cache-control': 'public, max-age=60', 'cache-tag': 'list' };
const applyPolicy = (headers: Record<string, string>, { method = 'GET', status = 200 } = {}) => {
  const answer = new Headers(headers);
  applyCachePolicy(answer, { method, status });
  return Object.fromEntries(answer);
};

describe('Cache policy of page responses', () => {
  test('shared caches keep a page that declares a shared lifetime while browsers revalidate it', () => {
    for (const method of ['GET', 'HEAD']) {
      expect(applyPolicy(GIVEN, { method })).toEqual({
        'cache-control': 'public, max-age=0',
        'cache-tag': 'list',
        'cloudflare-cdn-cache-control': 'public, max-age=60, stale-if-error=3600',
      });
    }
  });

  test('a status page is never served stale, because an old one would hide an outage', () => {
    const given = { ...GIVEN, 'cache-tag': 'status,astro-path:/en/status' };
    expect(applyPolicy(given)['cloudflare-cdn-cache-control']).toBe('public, max-age=60, stale-if-error=0');
    const other = { ...GIVEN, 'cache-tag': 'list,astro-path:/en/status-of-things' };
    expect(applyPolicy(other)['cloudflare-cdn-cache-control']).toContain('stale-if-error=3600');
  });

  test('a response that is not a whole page or sets a cookie is never cached despite its headers', () => {
    const uncached = { 'cache-control': 'private, no-store' };
    for (const status of [206, 302, 304, 404, 410, 500, 503])
      expect(applyPolicy(GIVEN, { status })).toEqual(uncached);
    expect(applyPolicy(GIVEN, { method: 'POST' })).toEqual(uncached);
    expect(applyPolicy({ ...GIVEN, 'set-cookie': 'lang=de' })).toEqual({
      ...uncached,
      'set-cookie': 'lang=de',
    });
  });

  test('a response without a shared lifetime is private and never stored', () => {
    expect(applyPolicy({})).toEqual({ 'cache-control': 'private, no-store' });
    expect(applyPolicy({ 'cache-tag': 'list' })).toEqual({ 'cache-control': 'private, no-store' });
    // A page that opts out of shared caching sends this header.
    expect(applyPolicy({ 'cloudflare-cdn-cache-control': 'no-store' })).toEqual({
      'cache-control': 'private, no-store',
    });
  });

  test('a response with only a browser lifetime stays out of shared caches', () => {
    expect(applyPolicy({ 'cache-control': 'public, max-age=3600' })).toEqual({
      'cache-control': 'public, max-age=3600',
      'cloudflare-cdn-cache-control': 'private, no-store',
    });
    expect(applyPolicy({ 'cache-control': 'private, max-age=5' })).toEqual({
      'cache-control': 'private, max-age=5',
    });
  });

  test('a file for programs keeps both its browser lifetime and its shared one', () => {
    expect(applyPolicy({ ...GIVEN, 'cache-control': 'public, max-age=3600' })['cache-control']).toBe(
      'public, max-age=3600',
    );
  });
});

describe('Cached creator page', () => {
  const clientRequest = new Request('https://loreloom.test/creator/mo?cursor=7.a', {
    headers: { cookie: 'session=secret; lang=fr', authorization: 'Bearer x', 'accept-language': 'ja' },
  });

  test("the cacheable request of a creator page has its language in the path and none of the client's headers", () => {
    const cacheable = toCacheableRequest(clientRequest, 'de');
    expect(cacheable.url).toBe('https://loreloom.test/de/creator/mo?cursor=7.a');
    expect([...cacheable.headers]).toEqual([]);
    const restored = fromCacheableRequest(cacheable);
    expect(restored.url).toBe(clientRequest.url);
    expect(Object.fromEntries(restored.headers)).toEqual({ 'accept-language': 'de' });
  });

  test('only the public creator page counts as a creator page, not the adult, owner or language variants', () => {
    const is = (path: string) => isCreatorPage(new URL(path, 'https://loreloom.test'));
    expect(['/creator/mo', '/creator/mo?cursor=1.a', '/creator/mo?x=1'].map(is)).toEqual([true, true, true]);
    expect(
      ['/creator/mo?spicy', '/creator/mo?own=1', '/creator/mo/x', '/creator', '/en/creator/mo'].map(is),
    ).toEqual([false, false, false, false, false]);
  });
});

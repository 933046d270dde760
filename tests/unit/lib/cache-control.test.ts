import { describe, expect, test } from 'vitest';
import {
  fromCacheableRequest,
  isCreatorPage,
  toCacheableRequest,
} from '../../../src/layouts/creator-page.ts';
import { applyCachePolicy } from '../../../src/lib/cache-control.ts';

const GIVEN = { 'cloudflare-cdn-cache-control': 'public, max-age=60', 'cache-tag': 'list' };
const settled = (headers: Record<string, string>, { method = 'GET', status = 200 } = {}) => {
  const answer = new Headers(headers);
  applyCachePolicy(answer, { method, status });
  return Object.fromEntries(answer);
};

describe('Who may keep an answer of the pages', () => {
  test('shared caches a page that was given to them; browsers ask again', () => {
    for (const method of ['GET', 'HEAD']) {
      expect(settled(GIVEN, { method })).toEqual({
        'cache-control': 'public, max-age=0',
        'cache-tag': 'list',
        'cloudflare-cdn-cache-control': 'public, max-age=60, stale-if-error=3600',
      });
    }
  });

  test('a status page for its minute alone: an old one would say that all is well when nothing is', () => {
    const given = { ...GIVEN, 'cache-tag': 'status,astro-path:/en/status' };
    expect(settled(given)['cloudflare-cdn-cache-control']).toBe('public, max-age=60, stale-if-error=0');
    const other = { ...GIVEN, 'cache-tag': 'list,astro-path:/en/status-of-things' };
    expect(settled(other)['cloudflare-cdn-cache-control']).toContain('stale-if-error=3600');
  });

  test('nobody what was given and is no whole page, or sets a cookie', () => {
    const kept = { 'cache-control': 'private, no-store' };
    for (const status of [206, 302, 304, 404, 410, 500, 503])
      expect(settled(GIVEN, { status })).toEqual(kept);
    expect(settled(GIVEN, { method: 'POST' })).toEqual(kept);
    expect(settled({ ...GIVEN, 'set-cookie': 'lang=de' })).toEqual({ ...kept, 'set-cookie': 'lang=de' });
  });

  test('nobody what says nothing', () => {
    expect(settled({})).toEqual({ 'cache-control': 'private, no-store' });
    expect(settled({ 'cache-tag': 'list' })).toEqual({ 'cache-control': 'private, no-store' });
    // As pages come that were not given.
    expect(settled({ 'cloudflare-cdn-cache-control': 'no-store' })).toEqual({
      'cache-control': 'private, no-store',
    });
  });

  test('the browser alone what says it may, and was not given', () => {
    expect(settled({ 'cache-control': 'public, max-age=3600' })).toEqual({
      'cache-control': 'public, max-age=3600',
      'cloudflare-cdn-cache-control': 'private, no-store',
    });
    expect(settled({ 'cache-control': 'private, max-age=5' })).toEqual({
      'cache-control': 'private, max-age=5',
    });
  });

  test('a file that programs read, as long as it says to browsers', () => {
    expect(settled({ ...GIVEN, 'cache-control': 'public, max-age=3600' })['cache-control']).toBe(
      'public, max-age=3600',
    );
  });
});

describe('The page of a maker, which has no language in its address', () => {
  const asked = new Request('https://loreloom.test/creator/mo?cursor=7.a', {
    headers: { cookie: 'session=secret; lang=fr', authorization: 'Bearer x', 'accept-language': 'ja' },
  });

  test('is kept by one that has, with nothing in it of who asked', () => {
    const inside = toCacheableRequest(asked, 'de');
    expect(inside.url).toBe('https://loreloom.test/de/creator/mo?cursor=7.a');
    expect([...inside.headers]).toEqual([]);
    const drawn = fromCacheableRequest(inside);
    expect(drawn.url).toBe(asked.url);
    expect(Object.fromEntries(drawn.headers)).toEqual({ 'accept-language': 'de' });
  });

  test('is not what adults or its maker see, nor any other page', () => {
    const is = (path: string) => isCreatorPage(new URL(path, 'https://loreloom.test'));
    expect(['/creator/mo', '/creator/mo?cursor=1.a', '/creator/mo?x=1'].map(is)).toEqual([true, true, true]);
    expect(
      ['/creator/mo?spicy', '/creator/mo?own=1', '/creator/mo/x', '/creator', '/en/creator/mo'].map(is),
    ).toEqual([false, false, false, false, false]);
  });
});

import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../../src/config/languages.ts';
import {
  listEntries,
  findPart,
  parseSitemapName,
  renderSitemapIndex,
  renderSitemap,
  getSitemapPath,
  type SitemapPage,
} from '../../../../src/components/data/sitemap.ts';

const ORIGIN = 'https://a.example';
const PAGES: SitemapPage[] = [
  { path: '', languages: LANGUAGES },
  { path: '/blog/x', languages: ['de', 'en'], changed: new Date('2026-10-06') },
];
const addresses = (map: string): string[] =>
  [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address as string);

describe('Language sitemaps', () => {
  test("a language's sitemap lists each page once with the addresses of its other languages", () => {
    const map = renderSitemap(ORIGIN, listEntries('de', PAGES));
    expect(addresses(map)).toEqual([`${ORIGIN}/de`, `${ORIGIN}/de/blog/x`]);
    const url = /<url><loc>https:\/\/a\.example\/de\/blog\/x<\/loc>.*<\/url>/.exec(map)?.[0];
    expect(url).toContain('<lastmod>2026-10-06</lastmod>');
    expect(url?.match(/hreflang="[^"]+"/g)).toEqual([
      'hreflang="en"',
      'hreflang="de"',
      'hreflang="x-default"',
    ]);
    expect(url).toContain('hreflang="x-default" href="https://a.example/blog/x"');
  });

  test("a language's sitemap leaves out pages that are not written in it", () => {
    expect(addresses(renderSitemap(ORIGIN, listEntries('ja', PAGES)))).toEqual([`${ORIGIN}/ja`]);
  });

  test('a sitemap stays valid XML whatever an address contains', () => {
    const map = renderSitemap(ORIGIN, [{ path: '/en/x?a=1&b="<c>' }]);
    expect(map).toContain('<loc>https://a.example/en/x?a=1&amp;b=&quot;&lt;c&gt;</loc>');
  });
});

describe('Sitemap index', () => {
  test('the sitemap index lists every language and catalogue part at an address that can be parsed again', () => {
    const after = 1_700_000_000_000;
    const found = addresses(renderSitemapIndex(ORIGIN, [{ after: null }, { after }]));
    expect(found).toHaveLength(LANGUAGES.length + 2 * (LANGUAGES.length + 1));
    expect(new Set(found).size).toBe(found.length);
    const read = found.map((address) => parseSitemapName(/\/sitemaps\/(.+)\.xml$/.exec(address)?.[1] ?? ''));
    expect(read).toContainEqual({ kind: 'pages', lang: 'de' });
    expect(read).toContainEqual({ kind: 'characters', lang: 'ja', after: null });
    expect(read).toContainEqual({ kind: 'characters', lang: 'ja', after });
    expect(read).toContainEqual({ kind: 'creators', after });
    expect(read.map((file) => (file === null ? '' : ORIGIN + getSitemapPath(file)))).toEqual(found);
  });

  test('a sitemap part is found only under one of the existing names', () => {
    const [first, second] = [
      { after: null, until: 7 },
      { after: 7, until: null },
    ];
    const part = (name: string, parts = [first, second]) => {
      const file = parseSitemapName(name);
      return file === null || file.kind === 'pages' ? null : findPart(file, parts);
    };
    for (const name of ['de-characters', 'creators']) expect(part(name)).toBe(first);
    for (const name of ['ja-characters-after-7', 'creators-after-7']) expect(part(name)).toBe(second);
    for (const name of ['de-characters-after-8', 'creators-after-6', 'creators-after-0'])
      expect(part(name)).toBeUndefined();
    expect(part('creators', [])).toBeUndefined();
  });

  test('the sitemap index lists only the languages while there are no characters', () => {
    expect(addresses(renderSitemapIndex(ORIGIN, []))).toHaveLength(LANGUAGES.length);
  });

  test.each([
    '',
    'xx',
    'de-',
    'de-after-1',
    'creators-after-',
    'creators-after-07',
    'creators-after-7.a',
    'characters',
    'de-characters-after-x',
    '../de',
  ])('«%s» is not a valid sitemap name', (name) => {
    expect(parseSitemapName(name)).toBeNull();
  });
});

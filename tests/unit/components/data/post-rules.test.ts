import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GUESTS } from '../../../../src/features/account/limits.ts';
import { LANGUAGES } from '../../../../src/config/languages.ts';
import { POST_TAGS, type PostTag } from '../../../../src/components/data/post-tags.ts';
import { DAY_MS } from '../../../../src/features/status/status.ts';
import words from '../../../../src/locales/en/blog.json' with { type: 'json' };
import { resolveRoute } from '../../../../src/locales/routes.ts';
import {
  compareByDate,
  findPostTag,
  estimateReadingMinutes,
  getAdjacentPosts,
  type PostSummary,
  findRelatedPosts,
} from '../../../../src/components/data/post-rules.ts';

const post = (slug: string, day: number, ...tags: PostTag[]): PostSummary => ({
  slug,
  tags,
  published: new Date(Date.UTC(2026, 0, day)),
});
const slugs = (posts: readonly PostSummary[]): string[] => posts.map(({ slug }) => slug);

describe('Reading time', () => {
  test('reading time counts words in languages with spaces, without markup', () => {
    const plain = 'word '.repeat(660);
    expect(estimateReadingMinutes(plain, 'en')).toBe(3);
    expect(estimateReadingMinutes(`## ${plain.replaceAll('word', '**word**,')}\n\n- – —`, 'de')).toBe(3);
    expect(estimateReadingMinutes('слово '.repeat(440), 'ru')).toBe(2);
    expect(estimateReadingMinutes('कहानी '.repeat(440), 'hi')).toBe(2);
  });

  test('reading time counts characters in Japanese and Chinese, and foreign words in them as words', () => {
    expect(estimateReadingMinutes('物語を書く。'.repeat(200), 'ja')).toBe(2);
    expect(estimateReadingMinutes('写故事。'.repeat(400), 'zh')).toBe(3);
    expect(estimateReadingMinutes(`${'字'.repeat(400)} ${'word '.repeat(440)}`, 'zh')).toBe(3);
  });

  test('reading time does not grow with the addresses of links', () => {
    const link = `[word](https://example.org/${'a-very-long/address-'.repeat(20)}end) `;
    expect(estimateReadingMinutes(link.repeat(220), 'en')).toBe(1);
  });

  test('reading time is at least one minute', () => {
    expect(estimateReadingMinutes('', 'en')).toBe(1);
    expect(estimateReadingMinutes('短い', 'ja')).toBe(1);
  });
});

describe('Related posts', () => {
  const all = [
    post('old-twin', 1, 'writing', 'points'),
    post('new-other', 9, 'privacy'),
    post('cousin', 5, 'points'),
    post('newer-cousin', 7, 'writing'),
    post('this', 6, 'writing', 'points'),
  ];
  const here = all[4] as PostSummary;

  test('related posts share tags, the most shared tags and then the newest first', () => {
    expect(slugs(findRelatedPosts(here, all, 3))).toEqual(['old-twin', 'newer-cousin', 'cousin']);
  });

  test('related posts never include the post itself and stay within the limit', () => {
    expect(slugs(findRelatedPosts(here, all, 10))).toEqual([
      'old-twin',
      'newer-cousin',
      'cousin',
      'new-other',
    ]);
    expect(findRelatedPosts(here, [here], 3)).toEqual([]);
  });

  test('adjacent posts are the neighbours by date, whatever the order of the list', () => {
    const { previous, next } = getAdjacentPosts(here, all);
    expect([previous?.slug, next?.slug]).toEqual(['cousin', 'newer-cousin']);
    expect(getAdjacentPosts(all[0] as PostSummary, all).previous).toBeNull();
    expect(getAdjacentPosts(all[1] as PostSummary, all).next).toBeNull();
    expect(getAdjacentPosts(post('unknown', 3, 'writing'), all)).toEqual({ previous: null, next: null });
  });

  test('posts of the same day always sort in the same order', () => {
    const [a, b] = [post('a', 1, 'points'), post('b', 1, 'points')];
    expect(slugs([b, a].toSorted(compareByDate))).toEqual(['a', 'b']);
    expect(slugs([a, b].toSorted(compareByDate))).toEqual(['a', 'b']);
  });
});

describe('Blog tags', () => {
  test('every tag has a translated name', () => {
    expect(Object.keys(words.tag).toSorted()).toEqual([...POST_TAGS].toSorted());
  });

  test('an unknown tag is not found', () => {
    expect(findPostTag('writing')).toBe('writing');
    for (const name of [null, '', 'Writing', 'constructor', '<b>']) expect(findPostTag(name)).toBeNull();
  });
});

describe('Blog posts', () => {
  const folder = join(import.meta.dirname, '../../../../src/content/blog');
  const files = readdirSync(folder).flatMap((lang) =>
    readdirSync(join(folder, lang)).map((file) => ({ lang, file })),
  );
  const facts = (lang: string, file: string): Record<string, string> => {
    const head = /^---\n([\s\S]*?)\n---\n/.exec(readFileSync(join(folder, lang, file), 'utf8'))?.[1] ?? '';
    const lines = head.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) as [string, string]);
    return Object.fromEntries(lines);
  };

  test('every post is in a supported language and has an English original with the same date and tags', () => {
    expect(files.filter(({ lang }) => lang === 'en').length).toBeGreaterThanOrEqual(7);
    for (const { lang, file } of files) {
      expect(LANGUAGES as readonly string[]).toContain(lang);
      const [own, original] = [facts(lang, file), facts('en', file)];
      expect([file, own.published, own.tags]).toEqual([file, original.published, original.tags]);
    }
  });

  test('no post mentions adult content in any language', () => {
    const forAdults =
      /spicy|18\s?\+|R-18|adult|erwachsen|picant|piccant|pikantn|dorosł|взросл|成人|アダルト|वयस्क|dewasa/iu;
    for (const { lang, file } of files) {
      const found = forAdults.exec(readFileSync(join(folder, lang, file), 'utf8'))?.[0];
      expect({ lang, file, found }).toEqual({ lang, file, found: undefined });
    }
  });

  test('posts link only to posts and pages that exist', () => {
    const pages = join(import.meta.dirname, '../../../../src/pages');
    const exists = (target: string) =>
      target.startsWith('/')
        ? existsSync(join(pages, `${target}.astro`))
        : files.some((other) => other.file === `${target}.md`);
    for (const { lang, file } of files) {
      const text = readFileSync(join(folder, lang, file), 'utf8');
      for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
        expect([lang, file, target, exists(target)]).toEqual([lang, file, target, true]);
      }
    }
  });

  test('posts name the points of view as the form does in every language', () => {
    for (const lang of LANGUAGES) {
      const text = readFileSync(join(folder, lang, 'writing-a-good-character.md'), 'utf8');
      const words = JSON.parse(
        readFileSync(join(folder, `../../locales/${lang}/create.json`), 'utf8'),
      ) as Record<string, string>;
      const joined = text.replaceAll(/\s+/g, ' ').replaceAll('*', '_');
      for (const view of ['normal', 'multiPeople', 'rpg', 'reverse'])
        expect([lang, view, joined.includes(`_${words[`view_${view}`]}_`)]).toEqual([lang, view, true]);
    }
  });

  test('posts state the same number of days for deleting guests as the product', () => {
    const days = GUESTS.maxIdleMs / DAY_MS;
    for (const lang of LANGUAGES) {
      const text = readFileSync(join(folder, lang, 'where-your-chats-live.md'), 'utf8');
      const guests = text.split(/^## /m)[5] ?? '';
      expect([lang, guests.match(/\d+/g)]).toEqual([lang, [String(days)]]);
    }
  });
});

describe('Feed address', () => {
  const visit = (path: string, cookie: string | null = null) =>
    resolveRoute(new URL(`https://loreloom.example${path}`), cookie, null);

  test('a feed address without a language redirects to the reader’s language', () => {
    expect(visit('/blog/rss.xml', 'de')).toEqual({ kind: 'redirect', to: '/de/blog/rss.xml' });
    expect(visit('/blog/rss.xml')).toEqual({ kind: 'redirect', to: '/en/blog/rss.xml' });
  });

  test('a feed address with a language is served as it is', () => {
    expect(visit('/ja/blog/rss.xml', 'de')).toEqual({ kind: 'serve', lang: 'ja' });
  });
});

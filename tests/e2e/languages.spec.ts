import type { Page } from '@playwright/test';
import { LANGUAGES } from '../../src/config/languages.ts';
import { LANGUAGE_NAMES } from '../../src/locales/languages.ts';
import { readTexts, t } from '../support/texts.ts';
import { awake, expect, readMail, SOMEBODY, test } from './journey.ts';
import { violations } from './violations.ts';

const PREFIXED = [
  '',
  '/discover',
  '/tag/anime',
  '/blog',
  '/blog/how-memory-works',
  '/creator-competition',
  '/safety',
  '/offline',
];
const SHARED = ['/about', '/privacy', '/terms', '/login', '/settings', '/error-page'];

/** The pages whose accessibility is checked in every language; the other specs check every page in English. */
const CHECKED_PATHS = new Set(['', '/discover', '/about', '/login']);

/** Returns the beginning of the page's text, which differs between languages. */
const readWords = async (page: Page) =>
  (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ').slice(0, 160);

/** Maps a page's text to the first language that had it: no two languages may have the same. */
const said = new Map<string, string>();

for (const lang of LANGUAGES) {
  // German has the longest words, Japanese no spaces between them.
  const tag = ['de', 'ja'].includes(lang) ? '' : ' @all';
  test(`every page in ${LANGUAGE_NAMES[lang]} has its own text and language, fits a phone, and is accessible${tag}`, async ({
    page,
    context,
    baseURL,
  }) => {
    test.setTimeout(120_000);
    await page.setViewportSize({ width: 360, height: 780 });
    await context.addCookies([{ name: 'lang', value: lang, url: baseURL as string }]);
    for (const path of [...PREFIXED.map((page) => `/${lang}${page}`), ...SHARED]) {
      const answer = await page.goto(path);
      expect([path, answer?.status()]).toEqual([path, 200]);
      await awake(page);
      await expect(page.locator('html')).toHaveAttribute('lang', lang);
      const words = await readWords(page);
      expect(words.length).toBeGreaterThan(20);
      expect(said.get(words) ?? lang, `${path}: «${words}»`).toBe(lang);
      said.set(words, lang);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        path,
      ).toBeLessThanOrEqual(0);
      if (!CHECKED_PATHS.has(path.replace(`/${lang}`, ''))) continue;
      expect(await violations(page), path).toEqual([]);
    }
  });
}

test('the pseudo language, with long accented texts, overflows and cuts off no page and is on every page @all', async ({
  page,
  request,
}) => {
  test.setTimeout(120_000);
  const { items } = (await (await request.get(SOMEBODY)).json()) as {
    items: { id: string }[];
  };
  const paths = [
    ...PREFIXED.filter((path) => !path.startsWith('/blog/')).map((path) => `/en${path}`),
    `/en/character-info/${items[0]?.id}`,
    `/character/${items[0]?.id}`,
    ...SHARED,
  ];
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of paths) {
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}pseudo`);
      await awake(page);
      const found = await page.evaluate(() => {
        const visibleElements = [
          ...document.querySelectorAll<HTMLElement>('h1, h2, .button, .chip, nav a, label, summary'),
        ].filter(
          (element) =>
            element.checkVisibility() && !element.matches('.sr-only') && element.textContent?.trim() !== '',
        );
        return {
          overflow: document.documentElement.scrollWidth - innerWidth,
          cut: visibleElements
            .filter(
              (element) =>
                getComputedStyle(element).overflowX !== 'visible' &&
                element.scrollWidth > element.clientWidth + 1,
            )
            .map((element) => element.textContent?.trim()),
          translated: visibleElements.filter((element) => element.textContent?.includes('⟦')).length,
        };
      });
      expect({ path, width, overflow: Math.max(0, found.overflow), cut: found.cut }).toEqual({
        path,
        width,
        overflow: 0,
        cut: [],
      });
      expect(found.translated, path).toBeGreaterThan(0);
    }
  }
});

test('the language switcher changes the address prefix, and other pages follow the language', async ({
  page,
}) => {
  for (const path of ['', '/discover', '/tag/anime']) {
    await page.goto(`/en${path}`);
    await page.getByText(t('shell:language.current', { name: 'English' })).click();
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await expect(page).toHaveURL(new RegExp(`/de${path}$`));
    await page.goto('/about');
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await page.goto('/about?lng=en');
  }
});

test('a login code is mailed in the language of the request', async ({ page, baseURL }) => {
  const address = `anna-${crypto.randomUUID()}@example.org`;
  const answer = await page.request.post('/api/auth/send-login-code', {
    data: { email: address },
    headers: { cookie: 'lang=de', origin: baseURL as string },
  });
  expect(answer.status()).toBe(201);
  const { subject } = await readMail(baseURL as string, address);
  const [code] = /\d{6}/.exec(subject) ?? [];
  expect(subject).toBe(readTexts('de')('mail:login_code.subject', { code }));
});

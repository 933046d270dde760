import type { Locator, Page } from '@playwright/test';
import { LANGUAGES } from '../../src/config/languages.ts';
import { awake, expect, test } from './journey.ts';
import { violations } from './violations.ts';

// The longest file of all: its tests share nothing.
test.describe.configure({ mode: 'parallel' });

type Theme = 'dark' | 'light';
const THEMES = ['dark', 'light'] as const;

/** The pieces whose shape depends most on the script they are written in. */
const WRITTEN_PIECES = ['buttons', 'fields', 'messages', 'notices'];

async function open(page: Page, path: string, theme: Theme, width: number): Promise<void> {
  await page.addInitScript((name) => {
    localStorage.setItem('theme', name);
    localStorage.setItem('mark-drawn', '1');
  }, theme);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: 900 });
  await page.goto(path);
  await awake(page);
  await page.evaluate(() => document.fonts.ready);
}

/** Opens the gallery to be looked at: typefaces come out of the cache, and every picture is there. */
async function openToCompare(page: Page, path: string, theme: Theme): Promise<void> {
  await open(page, path, theme, 900);
  await page.reload();
  await awake(page);
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (const image of document.images) image.loading = 'eager';
    await Promise.all(
      [...document.querySelectorAll<HTMLImageElement>('main img')].map((image) => image.decode()),
    );
  });
}

async function looksAsDrawn(page: Page, pieces: readonly string[], suffix: string): Promise<void> {
  for (const piece of pieces)
    await expect
      .soft(page.locator(`[data-piece="${piece}"]`))
      .toHaveScreenshot(`${piece}-${suffix}.png`, { maxDiffPixelRatio: 0.02, animations: 'disabled' });
}

/** Controls whose words are cut off, or that reach beyond the page. */
const cutOff = (page: Page) =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'main .button, main .chip, main .switch, main .badge, main h3, main p, main label',
      ),
    ]
      // What is only for those who listen is one pixel wide.
      .filter((element) => element.clientWidth > 1)
      .filter(
        (element) =>
          element.scrollWidth > element.clientWidth + 1 ||
          element.getBoundingClientRect().right > document.documentElement.clientWidth + 1,
      )
      .map((element) => `${element.className || element.tagName}: ${element.textContent?.trim()}`),
  );

/** What may change in a control and in all that it holds: as it is, as it is drawn in a state, and the ring around it. */
const look = (control: Locator, state: string) =>
  control.evaluate((element, name) => {
    const lookOf = (root: Element | null | undefined) =>
      JSON.stringify(
        [root, ...(root?.querySelectorAll('*') ?? [])].map((part) => {
          const style = part ? getComputedStyle(part) : null;
          return [
            ...[style?.color, style?.backgroundColor, style?.borderTopColor, style?.boxShadow],
            ...[style?.filter, style?.opacity, style?.scale],
            ...[style?.textDecorationLine, style?.textDecorationColor],
            ...[style?.outlineStyle, style?.outlineWidth, style?.outlineColor, style?.outlineOffset],
          ];
        }),
      );
    const drawn = element.closest('[data-states]')?.querySelector(`[data-forced="${name}"]`);
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return { now: lookOf(element), drawn: lookOf(drawn), ring: `${outlineStyle} ${outlineWidth}` };
  }, state);

/** Texts are written, choices are marked and answers unfold where they stand; the rest has to answer a pointer. */
const MOVING = ':not(input, textarea, .brand, .answers summary)';

for (const theme of THEMES) {
  test(`every control answers pointer and focus, as the gallery draws it, in ${theme}`, async ({ page }) => {
    await open(page, '/en/gallery', theme, 1100);
    await expect(page.locator('html[data-forced]')).toBeAttached();
    const controls = await page.locator('[data-states] [data-control]').all();
    expect(controls.length).toBeGreaterThan(25);
    // The keyboard was used last: what takes the focus from here on shows it.
    await page.keyboard.press('Tab');
    for (const control of controls) {
      const [name, moving] = await control.evaluate(
        (element, selector) => [element.outerHTML, element.matches(selector)] as const,
        MOVING,
      );
      await page.mouse.move(0, 0);
      const rest = await look(control, 'hover');
      await control.hover();
      const pointedAt = await look(control, 'hover');
      expect(pointedAt.drawn, `${name} is drawn as it answers the pointer`).toBe(pointedAt.now);
      if (moving) expect(pointedAt.now, `${name} answers the pointer`).not.toBe(rest.now);
      await page.mouse.move(0, 0);
      await control.focus();
      const focused = await look(control, 'focus');
      expect(focused.drawn, `${name} is drawn as it has the focus`).toBe(focused.now);
      expect(focused.ring, name).toBe('solid 2px');
    }
  });

  test(`every piece looks as it was drawn, in ${theme}`, async ({ page }) => {
    await openToCompare(page, '/en/gallery', theme);
    const pieces = await page
      .locator('[data-piece]')
      .evaluateAll((sections) => sections.map((section) => section.getAttribute('data-piece') ?? ''));
    expect(pieces.length).toBeGreaterThan(15);
    await looksAsDrawn(page, pieces, theme);
  });
}

for (const lang of ['ja', 'hi', 'ru'] as const) {
  test(`buttons, fields, messages and notices look as they were drawn, in ${lang}`, async ({ page }) => {
    await openToCompare(page, `/${lang}/gallery`, 'dark');
    await looksAsDrawn(page, WRITTEN_PIECES, `${lang}-dark`);
  });
}

/** Where the rules of access are looked at. */
const LOOKED_AT: ReadonlySet<string> = new Set(['en', 'ja', 'hi', 'ru']);

for (const lang of LANGUAGES) {
  test(`the gallery in ${lang} fits a phone and a desk, is legible, and cuts no word off`, async ({
    page,
  }) => {
    await open(page, `/${lang}/gallery`, 'dark', 360);
    for (const [theme, width] of [
      ['dark', 360],
      ['light', 1440],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
      expect(await cutOff(page)).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
      // Structure and colours are the same in every language: one of each script stands for them, English in both themes.
      if (!LOOKED_AT.has(lang) || (lang !== 'en' && theme === 'light')) continue;
      // The same piece stands here in many states.
      const besides = ['landmark-unique', ...(lang === 'en' ? [] : ['color-contrast'])];
      expect(await violations(page, besides)).toEqual([]);
    }
  });
}

test('where colours are the reader’s own, controls keep their edges', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/en/gallery');
  for (const kind of ['.button', '.icon-button', '.chip', '.field', '.switch-track', '.sheet']) {
    const edge = await page
      .locator(`main ${kind}`)
      .first()
      .evaluate((element) => getComputedStyle(element).borderTopWidth);
    expect([kind, edge]).toEqual([kind, '1px']);
  }
});

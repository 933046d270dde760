import type { Locator, Page } from '@playwright/test';
import { LANGUAGES } from '../../src/config/languages.ts';
import { awake, expect, test } from './journey.ts';
import { violations } from './violations.ts';

// This is the slowest file, and its tests share nothing.
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

/** Opens the gallery for screenshots: fonts come from the browser's cache, and every picture is decoded. */
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

async function expectScreenshots(page: Page, pieces: readonly string[], suffix: string): Promise<void> {
  for (const piece of pieces)
    await expect
      .soft(page.locator(`[data-piece="${piece}"]`))
      .toHaveScreenshot(`${piece}-${suffix}.png`, { maxDiffPixelRatio: 0.02, animations: 'disabled' });
}

/** Returns controls whose text is cut off or that overflow the page. */
const findCutOff = (page: Page) =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'main .button, main .chip, main .switch, main .badge, main h3, main p, main label',
      ),
    ]
      // Text for screen readers only is one pixel wide.
      .filter((element) => element.clientWidth > 1)
      .filter(
        (element) =>
          element.scrollWidth > element.clientWidth + 1 ||
          // A row of chips scrolls on phones.
          (element.closest('.chips') === null &&
            element.getBoundingClientRect().right > document.documentElement.clientWidth + 1),
      )
      .map((element) => `${element.className || element.tagName}: ${element.textContent?.trim()}`),
  );

/** Returns the styles of a control and its descendants, those of its drawn state, and its focus ring. */
const readStyles = (control: Locator, state: string) =>
  control.evaluate((element, name) => {
    const serializeStyles = (root: Element | null | undefined) =>
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
    return {
      now: serializeStyles(element),
      drawn: serializeStyles(drawn),
      ring: `${outlineStyle} ${outlineWidth}`,
    };
  }, state);

/** The controls that must change under the pointer: all but text fields, inputs, the brand and FAQ summaries. */
const MOVING = ':not(input, textarea, .brand, .answers summary)';

for (const theme of THEMES) {
  test(`every control’s hover and focus styles match the gallery’s drawing in the ${theme} theme`, async ({
    page,
  }) => {
    await open(page, '/en/gallery', theme, 1100);
    await expect(page.locator('html[data-forced]')).toBeAttached();
    const controls = await page.locator('[data-states] [data-control]').all();
    expect(controls.length).toBeGreaterThan(25);
    // After a key press, every focus shows its ring.
    await page.keyboard.press('Tab');
    for (const control of controls) {
      const [name, moving] = await control.evaluate(
        (element, selector) => [element.outerHTML, element.matches(selector)] as const,
        MOVING,
      );
      await page.mouse.move(0, 0);
      const atRest = await readStyles(control, 'hover');
      await control.hover();
      const hovered = await readStyles(control, 'hover');
      expect(hovered.drawn, `${name} is drawn as it answers the pointer`).toBe(hovered.now);
      if (moving) expect(hovered.now, `${name} answers the pointer`).not.toBe(atRest.now);
      await page.mouse.move(0, 0);
      await control.focus();
      const focused = await readStyles(control, 'focus');
      expect(focused.drawn, `${name} is drawn as it has the focus`).toBe(focused.now);
      expect(focused.ring, name).toBe('solid 2px');
    }
  });

  test(`every gallery piece matches its screenshot in the ${theme} theme`, async ({ page }) => {
    await openToCompare(page, '/en/gallery', theme);
    const pieces = await page
      .locator('[data-piece]')
      .evaluateAll((sections) => sections.map((section) => section.getAttribute('data-piece') ?? ''));
    expect(pieces.length).toBeGreaterThan(15);
    await expectScreenshots(page, pieces, theme);
  });
}

for (const lang of ['ja', 'hi', 'ru'] as const) {
  test(`buttons, fields, messages and notices match their screenshots in ${lang}`, async ({ page }) => {
    await openToCompare(page, `/${lang}/gallery`, 'dark');
    await expectScreenshots(page, WRITTEN_PIECES, `${lang}-dark`);
  });
}

/** The languages in which the accessibility rules are checked. */
const CHECKED_LANGUAGES: ReadonlySet<string> = new Set(['en', 'ja', 'hi', 'ru']);

for (const lang of LANGUAGES) {
  test(`the gallery in ${lang} fits phone and desktop, is accessible, and cuts off no text`, async ({
    page,
  }) => {
    await open(page, `/${lang}/gallery`, 'dark', 360);
    for (const [theme, width] of [
      ['dark', 360],
      ['light', 1440],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate((name) => (document.documentElement.dataset['theme'] = name), theme);
      expect(await findCutOff(page)).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
      // Structure and colours are the same in every language, so one language of each script is checked, English in both themes.
      if (!CHECKED_LANGUAGES.has(lang) || (lang !== 'en' && theme === 'light')) continue;
      // The gallery repeats each piece in many states, which axe reports as duplicate landmarks.
      const ignoredRules = ['landmark-unique', ...(lang === 'en' ? [] : ['color-contrast'])];
      expect(await violations(page, ignoredRules)).toEqual([]);
    }
  });
}

test('controls keep their borders in forced-colours mode', async ({ page }) => {
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

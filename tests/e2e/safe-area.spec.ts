import type { Page } from '@playwright/test';
import { awake, chat, expect, test } from './journey.ts';

/** A phone on its side: its camera takes this much of either side, in pixels. */
const SIDE = 47;

/** Lays the phone on its side. @param width wide enough for the sidebar, or not */
async function onItsSide(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 390 });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setSafeAreaInsetsOverride', {
    insets: { left: SIDE, right: SIDE, bottom: 21 },
  });
}

/** What can be read or pressed and stands, wholly or in part, where the camera may be. */
function underTheCamera(page: Page) {
  return page.evaluate((side) => {
    const seen = (element: Element) => {
      let { left, right, top, bottom } = element.getBoundingClientRect();
      for (let around = element.parentElement; around; around = around.parentElement) {
        const { overflowX } = getComputedStyle(around);
        if (overflowX === 'visible' || around === document.body || around === document.documentElement)
          continue;
        const box = around.getBoundingClientRect();
        left = Math.max(left, box.left);
        right = Math.min(right, box.right);
        top = Math.max(top, box.top);
        bottom = Math.min(bottom, box.bottom);
      }
      return { left, right, isThere: right > left && bottom > top };
    };
    const modal = document.querySelector('dialog:modal');
    return [
      ...(modal ?? document).querySelectorAll(
        'a, button, input, textarea, p, h1, h2, h3, li, img, label, summary',
      ),
    ]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((element) => !element.closest('.sr-only, .skip:not(:focus)'))
      .filter((element) => {
        const { left, right, isThere } = seen(element);
        return (
          isThere && right > 0 && left < innerWidth && (left < side - 0.5 || right > innerWidth - side + 0.5)
        );
      })
      .map(
        (element) => `${element.tagName}.${element.className} «${(element.textContent ?? '').slice(0, 30)}»`,
      );
  }, SIDE);
}

async function clear(page: Page): Promise<void> {
  const told = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('div'));
    probe.style.width = 'env(safe-area-inset-left)';
    const { width } = probe.getBoundingClientRect();
    probe.remove();
    return width;
  });
  expect(told, 'the page knows of the camera').toBe(SIDE);
  await expect.poll(() => underTheCamera(page)).toEqual([]);
}

test('with the phone on its side nothing of a chat stands under its camera', async ({ page }) => {
  await onItsSide(page, 844);
  const { say, messages } = await chat(page);
  await say('Hello [[scenario:tokens n=2 ms=1]]');
  await expect(messages.last()).toContainText('w1');
  await clear(page);
  const dialog = page.locator('dialog:modal');
  for (const name of ['Conversations', 'Model: Recommended']) {
    await page.getByRole('button', { name, exact: true }).click();
    await expect(dialog).toBeVisible();
    await clear(page);
    await page.keyboard.press('Escape');
  }
  await messages.last().hover();
  await messages.last().getByRole('button', { name: 'More for this message' }).click();
  await expect(dialog).toBeVisible();
  await clear(page);
  await page.getByRole('menuitem', { name: /^Delete/ }).click();
  await expect(page.locator('.toast')).toBeVisible();
  await clear(page);
});

test('on a narrower phone on its side, the bar, the menu and the sheet keep clear of its camera', async ({
  page,
}) => {
  await onItsSide(page, 720);
  const { messages } = await chat(page);
  await clear(page);
  await messages.last().hover();
  await messages.last().getByRole('button', { name: 'More for this message' }).click();
  await expect(page.locator('dialog:modal')).toBeVisible();
  await clear(page);
  await page.keyboard.press('Escape');
  await page.goto('/en');
  await awake(page);
  await clear(page);
  await page.getByRole('button', { name: 'Open the menu' }).click();
  const sidebar = page.locator('#sidebar');
  await expect(sidebar).toBeVisible();
  await expect
    .poll(() =>
      sidebar
        .locator('a:visible')
        .evaluateAll((links) => Math.min(...links.map((link) => link.getBoundingClientRect().left))),
    )
    .toBeGreaterThanOrEqual(SIDE);
});

for (const path of [
  '/en',
  '/en/discover',
  '/en/blog',
  '/login',
  '/terms',
  '/en/user-persona',
  '/en/favourites',
  '/chats/search',
])
  test(`with the phone on its side nothing of ${path} stands under its camera`, async ({ page }) => {
    await onItsSide(page, 844);
    await page.goto(path);
    await awake(page);
    await clear(page);
  });

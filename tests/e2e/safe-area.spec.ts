import type { Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { awake, chat, expect, test } from './journey.ts';

/** The safe area inset at each side of a phone in landscape, in pixels. */
const SIDE = 47;

/** Simulates a phone in landscape. @param width decides whether the page has room for the sidebar */
async function setLandscape(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 390 });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setSafeAreaInsetsOverride', {
    insets: { left: SIDE, right: SIDE, bottom: 21 },
  });
}

/** Returns texts and controls that lie at least partly in the safe area insets. */
function findInInsets(page: Page) {
  return page.evaluate((side) => {
    const getVisibleRect = (element: Element) => {
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
      return { left, right, isVisible: right > left && bottom > top };
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
        const { left, right, isVisible } = getVisibleRect(element);
        return (
          isVisible &&
          right > 0 &&
          left < innerWidth &&
          (left < side - 0.5 || right > innerWidth - side + 0.5)
        );
      })
      .map(
        (element) => `${element.tagName}.${element.className} «${(element.textContent ?? '').slice(0, 30)}»`,
      );
  }, SIDE);
}

async function expectClear(page: Page): Promise<void> {
  const inset = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('div'));
    probe.style.width = 'env(safe-area-inset-left)';
    const { width } = probe.getBoundingClientRect();
    probe.remove();
    return width;
  });
  expect(inset, 'the page knows of the camera').toBe(SIDE);
  await expect.poll(() => findInInsets(page)).toEqual([]);
}

test('no part of a chat lies in the safe area insets of a landscape phone', async ({ page }) => {
  await setLandscape(page, 844);
  const { say, messages } = await chat(page);
  await say('Hello [[scenario:tokens n=2 ms=1]]');
  await expect(messages.last()).toContainText('w1');
  await expectClear(page);
  const dialog = page.locator('dialog:modal');
  for (const name of [t('chat:chatsTitle'), t('chat:modelCurrent', { label: t('chat:recommended') })]) {
    await page.getByRole('button', { name, exact: true }).click();
    await expect(dialog).toBeVisible();
    await expectClear(page);
    await page.keyboard.press('Escape');
  }
  await messages.last().hover();
  await messages
    .last()
    .getByRole('button', { name: t('chat:moreActions') })
    .click();
  await expect(dialog).toBeVisible();
  await expectClear(page);
  await page.getByRole('menuitem', { name: t('chat:deleteFrom') }).click();
  await expect(page.locator('.toast')).toBeVisible();
  await expectClear(page);
});

test('bar, menu and sheet stay out of the safe area insets of a narrow landscape phone @all', async ({
  page,
}) => {
  await setLandscape(page, 720);
  const { messages } = await chat(page);
  await expectClear(page);
  await messages.last().hover();
  await messages
    .last()
    .getByRole('button', { name: t('chat:moreActions') })
    .click();
  await expect(page.locator('dialog:modal')).toBeVisible();
  await expectClear(page);
  await page.keyboard.press('Escape');
  await page.goto('/en');
  await awake(page);
  await expectClear(page);
  await page.getByRole('button', { name: t('shell:menu.open') }).click();
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
  test(`no part of ${path} lies in the safe area insets of a landscape phone @all`, async ({ page }) => {
    await setLandscape(page, 844);
    await page.goto(path);
    await awake(page);
    await expectClear(page);
  });

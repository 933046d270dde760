import type { CDPSession, Locator } from '@playwright/test';
import { t } from '../support/texts.ts';
import { chat, expect, test } from './journey.ts';
import { rests } from './messages.page.ts';
import { violations } from './violations.ts';

/** Returns a touch point at the centre of an element, moved down by `movedBy` pixels. */
async function getTouchPoint(element: Locator, movedBy = 0) {
  const rect = await element.boundingBox();
  if (!rect) throw new Error('The message is not drawn');
  return [{ x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 + movedBy }];
}

const touch = (
  session: CDPSession,
  type: 'touchStart' | 'touchMove' | 'touchEnd',
  touchPoints: { x: number; y: number }[] = [],
) => session.send('Input.dispatchTouchEvent', { type, touchPoints });

test.describe('Messages on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });

  test('a long press on a message opens a sheet with entries of at least 44 pixels', async ({ page }) => {
    const { box, messages } = await chat(page);
    await box.fill('Hold me [[scenario:tokens n=3 ms=1]]');
    await page.getByRole('button', { name: t('chat:send'), exact: true }).click();
    await expect(messages.last()).toContainText('w2');
    await rests(page);
    const finger = await page.context().newCDPSession(page);
    await touch(finger, 'touchStart', await getTouchPoint(messages.nth(1).locator('.story')));
    const lines = page.getByRole('menu').getByRole('menuitem');
    await expect(lines.first()).toBeVisible();
    await touch(finger, 'touchEnd');
    await expect(page.getByRole('menuitem', { name: t('chat:pin') })).toBeVisible();
    // While the sheet slides in, its edges fall on fractions of a pixel.
    for (const line of await lines.all())
      expect(Math.round(100 * ((await line.boundingBox())?.height ?? 0)) / 100).toBeGreaterThanOrEqual(44);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('menuitem', { name: t('chat:pin') }).tap();
    await expect(messages.nth(1)).toContainText(t('chat:statePinned'));
    const more = await messages
      .nth(2)
      .getByRole('button', { name: t('chat:moreActions') })
      .boundingBox();
    expect(Math.min(more?.width ?? 0, more?.height ?? 0)).toBeGreaterThanOrEqual(44);
  });

  test('a double tap on a message’s menu button chooses nothing in the sheet @all', async ({ page }) => {
    const { box, messages } = await chat(page);
    for (const text of ['One', 'Two', 'Three']) {
      await box.fill(`${text} [[scenario:tokens n=4 ms=1]]`);
      await page.getByRole('button', { name: t('chat:send'), exact: true }).click();
      await expect(messages.last()).toContainText('w3');
      await rests(page);
    }
    const menu = page.getByRole('menu');
    const findMore = (at: number) => messages.nth(at).getByRole('button', { name: t('chat:moreActions') });
    // The first tap loads the sheet's script.
    await findMore(6).tap();
    await expect(menu).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();
    for (const at of [6, 4]) {
      const more = findMore(at);
      const [finger = { x: 0, y: 0 }] = await getTouchPoint(more);
      await page.touchscreen.tap(finger.x, finger.y);
      const isCovered = page.evaluate(
        ({ x, y }) => document.elementFromPoint(x, y)?.closest('[role="menuitem"]') !== null,
        finger,
      );
      await page.touchscreen.tap(finger.x, finger.y);
      expect(await isCovered).toBe(true);
      await expect(menu).toBeVisible();
      await expect(messages).toHaveCount(7);
      await page.keyboard.press('Escape');
      await expect(menu).toBeHidden();
    }
    await expect(page.getByText(t('chat:statePinned'))).toBeHidden();
  });

  test('moving a finger over a message scrolls and opens no menu @all', async ({ page }) => {
    const { box, messages } = await chat(page);
    await box.fill('Pass over me [[scenario:tokens n=3 ms=1]]');
    await page.getByRole('button', { name: t('chat:send'), exact: true }).click();
    await expect(messages.last()).toContainText('w2');
    await rests(page);
    await page.clock.install();
    // With a paused clock the page's time does not depend on how long the touch takes here.
    await page.clock.pauseAt(Date.now() + 1000);
    const finger = await page.context().newCDPSession(page);
    const text = messages.nth(2).locator('.story');
    const menu = page.getByRole('menu');
    // The page receives a touch move with its next frame, so wait for it.
    const moved = page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          let from = 0;
          window.addEventListener('pointerdown', ({ clientY }) => void (from = clientY), { once: true });
          window.addEventListener('pointercancel', () => resolve());
          window.addEventListener('pointermove', ({ clientY }) => {
            if (Math.abs(clientY - from) > 30) resolve();
          });
        }),
    );
    await touch(finger, 'touchStart', await getTouchPoint(text));
    for (const movedBy of [8, 20, 40]) await touch(finger, 'touchMove', await getTouchPoint(text, movedBy));
    await moved;
    await page.clock.runFor(2000);
    await expect(menu).toBeHidden();
    await touch(finger, 'touchEnd');
    // The same touch without a move, for as long after the page has received it.
    const touched = page.evaluate(
      () =>
        new Promise<void>((resolve) =>
          window.addEventListener('pointerdown', () => resolve(), { once: true }),
        ),
    );
    await touch(finger, 'touchStart', await getTouchPoint(text));
    await touched;
    await page.clock.runFor(2000);
    await expect(menu).toBeVisible();
    await touch(finger, 'touchEnd');
  });

  test('an edited message is fully visible, also when a keyboard opens @all', async ({ page }) => {
    const { box, messages } = await chat(page);
    for (const text of ['One', 'Two', 'Three']) {
      await box.fill(`${`${text} line of what I say.\n`.repeat(16)}[[scenario:tokens n=40 ms=0]]`);
      await page.getByRole('button', { name: t('chat:send'), exact: true }).click();
      await expect(messages.last()).toContainText('w39');
      await rests(page);
    }
    const region = page.getByRole('region', { name: t('chat:messages') });
    const isFullyVisible = async (form: Locator) => {
      const [outer, inner] = [await region.boundingBox(), await form.boundingBox()];
      if (!outer || !inner) return false;
      return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
    };
    for (const at of [3, 1, 5]) {
      const message = messages.nth(at);
      const more = message.getByRole('button', { name: t('chat:moreActions') });
      // Scroll so that only the message's lower end is visible, below the bar.
      await more.evaluate((button) => button.scrollIntoView({ block: 'start' }));
      await more.tap();
      await page.getByRole('menuitem', { name: new RegExp(`^${t('chat:edit')}`) }).tap();
      const form = message.getByRole('form', { name: t('chat:edit') });
      await expect(form.getByRole('textbox')).toBeFocused();
      await expect.poll(() => isFullyVisible(form)).toBe(true);
      await page.setViewportSize({ width: 360, height: 560 });
      await expect.poll(() => isFullyVisible(form)).toBe(true);
      await page.setViewportSize({ width: 360, height: 740 });
      await form.getByRole('button', { name: t('chat:editCancel') }).tap();
      await expect(form).toBeHidden();
    }
  });

  test('the edit field’s font does not make a phone zoom, and the field fits the page @all', async ({
    page,
  }) => {
    const { box, messages } = await chat(page);
    await box.fill('Mend me [[scenario:tokens n=3 ms=1]]');
    await page.getByRole('button', { name: t('chat:send'), exact: true }).click();
    await expect(messages.last()).toContainText('w2');
    await rests(page);
    await messages
      .nth(1)
      .getByRole('button', { name: t('chat:moreActions') })
      .tap();
    await page.getByRole('menuitem', { name: new RegExp(`^${t('chat:edit')}`) }).tap();
    const field = messages.nth(1).getByRole('textbox');
    expect(
      await field.evaluate((element) => parseFloat(getComputedStyle(element).fontSize)),
    ).toBeGreaterThanOrEqual(16);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    expect(await violations(page)).toEqual([]);
  });
});

import { randomUUID } from 'node:crypto';
import type { CDPSession, Locator, Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { awake, chat, expect, model, test } from './journey.ts';
import { violations } from './violations.ts';

const button = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true });
const settled = (page: Page) => expect(button(page, t('chat:stop'))).toBeHidden();

/** Opens a chat of one turn, whose reply is «w0 w1 w2». */
async function openTurn(page: Page) {
  const opened = await chat(page);
  await opened.box.fill('Hello [[scenario:tokens n=3 ms=1]]');
  await button(page, t('chat:send')).click();
  const reply = opened.messages.nth(2);
  await expect(reply).toContainText('w2');
  await settled(page);
  // A guest is asked for a name after the first reply, which moves the messages up.
  const question = t('chat:guestNameQuestion', { name: opened.character.name });
  await expect(page.getByRole('textbox', { name: question })).toBeVisible();
  return { ...opened, reply };
}

/** The buttons of the bar, in order. */
const listBarButtons = (reply: Locator) =>
  [
    t('chat:versionPrevious'),
    t('chat:versionNext'),
    t('chat:regenerate'),
    t('chat:continue'),
    t('chat:rateUp'),
    t('chat:rateDown'),
    t('chat:moreActions'),
  ].map((name) => button(reply, name));

for (const size of [
  { width: 360, height: 740 },
  { width: 1440, height: 900 },
]) {
  test.describe(`The bar on a page of ${size.width} pixels`, () => {
    const isPhone = size.width < 768;
    const rarer = isPhone ? '' : ' @all';
    test.use({ viewport: size, hasTouch: isPhone, isMobile: isPhone });

    test(`the bar below the newest reply is always visible, in one row, and stays in its place when a reply ends${rarer}`, async ({
      page,
    }) => {
      const { messages, box, reply } = await openTurn(page);
      const rects = [];
      for (const one of listBarButtons(reply)) {
        await expect(one).toBeVisible();
        await expect(one).toHaveCSS(
          'opacity',
          (await one.getAttribute('aria-disabled')) === 'true' ? /^0\./ : '1',
        );
        const rect = await one.boundingBox();
        expect(Math.min(rect?.width ?? 0, rect?.height ?? 0)).toBeGreaterThanOrEqual(44);
        rects.push(rect);
      }
      expect(new Set(rects.map((rect) => Math.round(rect?.y ?? 0))).size).toBe(1);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
      expect(await violations(page)).toEqual([]);

      const key = randomUUID();
      await box.fill(`Again [[scenario:gate n=3 key=${key}]]`);
      await button(page, t('chat:send')).click();
      await model('reached', key);
      const next = messages.nth(4);
      await expect(next).toContainText('w2');
      const more = button(next, t('chat:moreActions'));
      await expect(button(next, t('chat:regenerate'))).toHaveAttribute('aria-disabled', 'true');
      const during = await more.boundingBox();
      await model('open', key);
      await settled(page);
      await expect(button(next, t('chat:regenerate'))).toHaveAttribute('aria-disabled', 'false');
      expect(await more.boundingBox()).toEqual(during);
      // An earlier reply shows its actions only when they are asked for.
      await expect(button(reply, t('chat:rateUp'))).toHaveCount(0);
    });

    test(`one press regenerates, and a rating stays after a reload${rarer}`, async ({ page }) => {
      const { reply } = await openTurn(page);
      await button(reply, t('chat:regenerate')).click();
      await expect(reply).toContainText('2 / 2');
      await settled(page);
      const up = button(reply, t('chat:rateUp'));
      const down = button(reply, t('chat:rateDown'));
      await up.click();
      await expect(up).toHaveAttribute('aria-pressed', 'true');
      await expect(page.getByRole('status').filter({ hasText: t('chat:ratingSaved') })).toBeAttached();
      await page.reload();
      await awake(page);
      await expect(up).toHaveAttribute('aria-pressed', 'true');
      await down.click();
      await expect(down).toHaveAttribute('aria-pressed', 'true');
      await expect(up).toHaveAttribute('aria-pressed', 'false');
      // The other version has no rating.
      await button(reply, t('chat:versionPrevious')).click();
      await expect(reply).toContainText('1 / 2');
      await expect(down).toHaveAttribute('aria-pressed', 'false');
      // A rating that cannot be saved is taken back.
      await page.context().setOffline(true);
      await up.click();
      await expect(page.getByRole('alert').filter({ hasText: t('errors:rating_failed') })).toBeVisible();
      await expect(up).toHaveAttribute('aria-pressed', 'false');
    });
  });
}

/** Draws a finger over the text of a reply, in pixels from the middle of its start. */
async function swipe(finger: CDPSession, reply: Locator, way: readonly { dx: number; dy: number }[]) {
  const rect = await reply.locator('.story').boundingBox();
  if (!rect) throw new Error('The reply is not drawn');
  const from = { x: 180, y: rect.y + Math.min(rect.height / 2, 20) };
  const send = (
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    touchPoints: { x: number; y: number }[] = [],
  ) => finger.send('Input.dispatchTouchEvent', { type, touchPoints });
  await send('touchStart', [from]);
  for (const { dx, dy } of way) await send('touchMove', [{ x: from.x + dx, y: from.y + dy }]);
  await send('touchEnd');
}

const TO_THE_LEFT = [-20, -60, -120].map((dx) => ({ dx, dy: 2 }));
const TO_THE_RIGHT = [20, 60, 120].map((dx) => ({ dx, dy: 2 }));

test.describe('Swiping on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });

  test('a swipe to the left writes a new version after the last one, and one to the right shows the previous one', async ({
    page,
  }) => {
    const { box, reply } = await openTurn(page);
    const finger = await page.context().newCDPSession(page);
    await swipe(finger, reply, TO_THE_LEFT);
    await expect(reply).toContainText('2 / 2');
    await settled(page);
    await swipe(finger, reply, TO_THE_RIGHT);
    await expect(reply).toContainText('1 / 2');
    await swipe(finger, reply, TO_THE_LEFT);
    await expect(reply).toContainText('2 / 2');
    // The text is back in its place.
    await expect(reply.locator('.story')).toHaveCSS('translate', /^(none|0px)$/);
    // Focus would open the keyboard.
    await page.reload();
    await awake(page);
    await expect(reply).toContainText('2 / 2');
    await expect(box).not.toBeFocused();
  });

  test('a finger that moves down scrolls, a short one does nothing, and a reply being written has to end first @all', async ({
    page,
  }) => {
    const { box, messages, reply } = await openTurn(page);
    const finger = await page.context().newCDPSession(page);
    await swipe(finger, reply, [
      { dx: 0, dy: 30 },
      { dx: -120, dy: 60 },
    ]);
    await swipe(finger, reply, [{ dx: -40, dy: 0 }]);
    await expect(reply).toContainText('1 / 1');
    const key = randomUUID();
    await box.fill(`Again [[scenario:gate n=3 key=${key}]]`);
    await button(page, t('chat:send')).click();
    await model('reached', key);
    const next = messages.nth(4);
    await expect(next).toContainText('w2');
    await swipe(finger, next, TO_THE_LEFT);
    await expect(page.locator('.toast').filter({ hasText: t('chat:afterReply') })).toBeVisible();
    await model('open', key);
    await settled(page);
    await expect(next).toContainText('1 / 1');
  });
});

test('an edit of one’s own message is saved and its reply regenerated, by button and by keys', async ({
  page,
}) => {
  const { messages, box, reply } = await openTurn(page);
  await box.press('ArrowUp');
  const form = messages.nth(1).getByRole('form', { name: t('chat:edit') });
  const field = form.getByRole('textbox');
  await expect(field).toBeFocused();
  await field.fill('Goodbye [[scenario:tokens n=5 ms=1]]');
  expect(await violations(page)).toEqual([]);
  await button(form, t('chat:editSaveAndRegenerate')).click();
  await expect(messages.nth(1)).toContainText('Goodbye');
  await expect(reply).toContainText('2 / 2');
  await expect(reply).toContainText('w4');
  await settled(page);
  await expect(box).toBeFocused();
  await box.press('ArrowUp');
  await field.fill('Farewell [[scenario:tokens n=6 ms=1]]');
  await field.press('Control+Shift+Enter');
  await expect(reply).toContainText('3 / 3');
  await expect(reply).toContainText('w5');
  await settled(page);
  await expect(messages).toHaveCount(3);
  // The text of a reply is only saved.
  await reply.hover();
  await button(reply, t('chat:edit')).click();
  await expect(button(reply, t('chat:editSave'))).toBeVisible();
  await expect(button(reply, t('chat:editSaveAndRegenerate'))).toHaveCount(0);
});

test('the composer has the focus when a chat opens on a desktop, unless it opens at a message @all', async ({
  page,
}) => {
  const { box, reply } = await openTurn(page);
  await page.reload();
  await expect(box).toBeFocused();
  const address = new URL(page.url());
  const answer = await page.request.get(`/api/conversations/${address.searchParams.get('conversation_id')}`);
  const { messages } = (await answer.json()) as { messages: { id: string }[] };
  address.searchParams.set('message', messages[2]?.id ?? '');
  await page.goto(address.href);
  await awake(page);
  await expect(reply).toBeFocused();
  await expect(box).not.toBeFocused();
});

test('one’s own text is as large and as bright as the reply @all', async ({ page }) => {
  const { messages, reply } = await openTurn(page);
  const readLook = (message: Locator) =>
    message.locator('.story').evaluate((element) => {
      const { color, fontSize } = getComputedStyle(element);
      return { color, fontSize };
    });
  expect(await readLook(messages.nth(1))).toEqual(await readLook(reply));
});

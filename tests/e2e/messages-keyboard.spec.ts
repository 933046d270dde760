import type { Locator, Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { t } from '../support/texts.ts';
import { awake, expect, model, test } from './journey.ts';
import { choose, edit, rests, twoTurns } from './messages.page.ts';
import { violations } from './violations.ts';

test('every action of a message can be done with the keyboard alone', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { messages, box } = await twoTurns(page);
  const keys = page.keyboard;
  await box.focus();
  await keys.press('ArrowUp');
  const field = messages.nth(3).getByRole('textbox');
  await expect(field).toBeFocused();
  await keys.type('!');
  await keys.press('Control+Enter');
  await expect(messages.nth(3)).toContainText('2 / 2');
  await expect(box).toBeFocused();

  // Move from the newest message by arrow keys.
  await messages
    .nth(4)
    .getByRole('button', { name: t('chat:copy') })
    .focus();
  await keys.press('ArrowUp');
  await expect(messages.nth(3).getByRole('button', { name: t('chat:copy') })).toBeFocused();
  await keys.press('Tab');
  await expect(messages.nth(3).getByRole('button', { name: t('chat:edit') })).toBeFocused();
  await keys.press('ArrowLeft');
  await expect(messages.nth(3)).toContainText('1 / 2');
  await keys.press('c');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('Second');
  await keys.press('p');
  await expect(messages.nth(3)).toContainText(t('chat:statePinned'));
  await keys.press('ArrowUp');
  await keys.press('r');
  await expect(messages.nth(2)).toContainText('2 / 2');
  await rests(page);
  await expect(messages.nth(2).locator(':focus')).toBeAttached();
  await keys.press('g');
  await expect(messages.nth(2)).toContainText('3 / 3');
  await rests(page);
  await keys.press('e');
  await expect(messages.nth(2).getByRole('textbox')).toBeFocused();
  await keys.press('Escape');
  await expect(messages.nth(2).getByRole('button', { name: t('chat:copy') })).toBeFocused();
  await keys.press('w');
  await expect(page.getByRole('dialog', { name: t('chat:contextTitle') })).toBeVisible();
  await keys.press('Escape');
  await expect(messages.nth(2).getByRole('button', { name: t('chat:copy') })).toBeFocused();
  await keys.press('ArrowDown');
  await keys.press('Delete');
  await expect(messages).toHaveCount(3);
  await expect(messages.nth(2).getByRole('button', { name: t('chat:copy') })).toBeFocused();
  await keys.press('u');
  await expect(messages).toHaveCount(5);
  await keys.press('n');
  await expect(messages.nth(4).getByRole('button', { name: t('chat:copy') })).toBeFocused();
  await keys.press('Escape');
  await expect(box).toBeFocused();

  // Shortcut letters are plain letters in the composer, and single-letter shortcuts can be switched off.
  await keys.type('grep?/');
  await expect(box).toHaveValue('grep?/');
  await messages
    .nth(4)
    .getByRole('button', { name: t('chat:copy') })
    .focus();
  await keys.press('?');
  const help = page.getByRole('dialog', { name: t('chat:shortcutsTitle') });
  await expect(help.getByRole('switch', { name: t('chat:shortcutsSwitch') })).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await keys.press('Space');
  await keys.press('Escape');
  await expect(help).toBeHidden();
  await keys.press('p');
  await keys.press('/');
  await expect(messages.nth(4).getByRole('button', { name: t('chat:copy') })).toBeFocused();
  await expect(messages.nth(4)).not.toContainText(t('chat:statePinned'));
  await page.getByRole('button', { name: t('chat:chatMenu') }).click();
  await page.getByRole('menuitem', { name: t('chat:shortcutsMenu') }).click();
  await help.getByRole('switch').click();
  await keys.press('Escape');
  await messages
    .nth(4)
    .getByRole('button', { name: t('chat:copy') })
    .focus();
  await keys.press('/');
  await expect(box).toBeFocused();
});

test('the prompt view lists each message with its tokens, marks a replaced version, and links to it @all', async ({
  page,
}) => {
  const { messages } = await twoTurns(page);
  await edit(page, messages.nth(1), 'First, in other words');
  await choose(page, messages.nth(4), t('chat:contextTitle'));
  const promptDialog = page.getByRole('dialog', { name: t('chat:contextTitle') });
  await promptDialog.getByText(t('chat:contextKind_history')).click();
  const rows = promptDialog.getByRole('list').last().getByRole('listitem');
  await expect(rows).toHaveCount(4);
  await expect(rows.first()).toContainText(t('chat:you'));
  await expect(rows.first()).toContainText(/\d tokens/);
  await expect(rows.first().getByRole('link')).toContainText('Second');
  await expect(rows.nth(2)).toContainText(t('chat:contextVersionChanged'));
  await expect(rows.nth(2).getByRole('link')).not.toContainText('in other words');
  expect(await violations(page)).toEqual([]);
  await rows.nth(2).getByRole('link').click();
  await expect(promptDialog).toBeHidden();
  await expect(messages.nth(1)).toBeInViewport();
});

test('arrow keys move on from a message that a link or an undo focused @all', async ({ page }) => {
  const { messages } = await twoTurns(page);
  const keys = page.keyboard;
  const getCopyButton = (at: number) => messages.nth(at).getByRole('button', { name: t('chat:copy') });
  const address = new URL(page.url());
  const answer = await page.request.get(`/api/conversations/${address.searchParams.get('conversation_id')}`);
  const { messages: stored } = (await answer.json()) as { messages: { id: string }[] };
  address.searchParams.set('message', stored[2]?.id ?? '');
  await page.goto(address.href);
  await awake(page);
  await expect(messages.nth(2)).toBeFocused();
  await keys.press('ArrowUp');
  await expect(getCopyButton(1)).toBeFocused();
  await page.goto(address.href);
  await awake(page);
  await expect(messages.nth(2)).toBeFocused();
  await keys.press('ArrowDown');
  await expect(getCopyButton(3)).toBeFocused();

  // Restoring a deleted message focuses it, too.
  await keys.press('Delete');
  await expect(messages).toHaveCount(3);
  await expect(getCopyButton(2)).toBeFocused();
  await keys.press('u');
  await expect(messages.nth(3)).toBeFocused();
  await keys.press('ArrowUp');
  await expect(getCopyButton(2)).toBeFocused();
});

test('the focus returns to the composer when a reply ends while its Stop button has the focus @all', async ({
  page,
}) => {
  const { messages, box, say } = await twoTurns(page);
  const stop = page.getByRole('button', { name: t('chat:stop') });
  for (const isStopped of [true, false]) {
    const key = randomUUID();
    await say(`Go on [[scenario:gate n=3 key=${key}]]`);
    await model('reached', key);
    await expect(messages.last()).toContainText('w2');
    await page.keyboard.press('Tab');
    await expect(stop).toBeFocused();
    if (isStopped) await page.keyboard.press('Enter');
    else await model('open', key);
    await rests(page);
    await expect(box).toBeFocused();
    await page.keyboard.type('copy');
    await expect(box).toHaveValue('copy');
  }
});

test('a key that ends an IME composition neither sends a message nor closes an edit @all', async ({
  page,
}) => {
  const { messages, box } = await twoTurns(page);
  // Safari sends this key event after the composition has ended.
  const endComposition = (field: Locator, key: string, ctrlKey = false) =>
    field.evaluate((element, init) => element.dispatchEvent(new KeyboardEvent('keydown', init)), {
      key,
      ctrlKey,
      keyCode: 229,
      bubbles: true,
      cancelable: true,
    });
  await box.fill('こんにちは');
  expect(await endComposition(box, 'Enter')).toBe(true);
  await expect(box).toHaveValue('こんにちは');
  await expect(messages).toHaveCount(5);
  await box.fill('');
  await box.press('ArrowUp');
  const field = messages.nth(3).getByRole('textbox');
  await field.fill('こんばんは');
  expect(await endComposition(field, 'Escape')).toBe(true);
  expect(await endComposition(field, 'Enter', true)).toBe(true);
  await expect(page.getByText(t('chat:editUnsavedText'))).toBeHidden();
  await field.press('Control+Enter');
  await expect(field).toBeHidden();
  await expect(messages.nth(3)).toContainText('こんばんは');
});

test('a double click on a menu button opens the menu and chooses nothing @all', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize({ width: 1280, height: 620 });
  const { messages } = await twoTurns(page);
  for (const at of [4, 3, 1]) {
    const more = messages.nth(at).getByRole('button', { name: t('chat:moreActions') });
    await messages.nth(at).hover();
    await more.dblclick();
    const menu = page.getByRole('menu');
    await expect(menu.getByRole('menuitem').first()).toBeFocused();
    const [button, menuBox] = [await more.boundingBox(), await page.getByRole('dialog').boundingBox()];
    if (!button || !menuBox) throw new Error('Nothing to see');
    const isLeftOrRight = menuBox.x >= button.x + button.width || menuBox.x + menuBox.width <= button.x;
    const isAboveOrBelow = menuBox.y >= button.y + button.height || menuBox.y + menuBox.height <= button.y;
    expect(isLeftOrRight || isAboveOrBelow).toBe(true);
    await page.keyboard.press('Enter');
    await expect(menu).toBeHidden();
    await expect(messages.nth(at)).toContainText(t('chat:copied'));
  }
  await expect(messages).toHaveCount(5);
  await page.getByRole('button', { name: t('chat:chatMenu') }).dblclick();
  await page.getByRole('menuitem', { name: t('chat:rename') }).dblclick();
  const name = page.getByRole('dialog').getByRole('textbox', { name: t('chat:renameLabel') });
  await expect(name).toBeFocused();
});

test('the menu of a message opens within 8 pixels of its button, above or below it @all', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 1000 });
  const { messages } = await twoTurns(page);
  for (const at of [4, 3, 1]) {
    const more = messages.nth(at).getByRole('button', { name: t('chat:moreActions') });
    await messages.nth(at).hover();
    await more.click();
    await expect(page.getByRole('menu').getByRole('menuitem').first()).toBeFocused();
    const [button, menu] = [await more.boundingBox(), await page.getByRole('dialog').boundingBox()];
    if (!button || !menu) throw new Error('Nothing to see');
    const gap = Math.max(menu.y - (button.y + button.height), button.y - (menu.y + menu.height));
    expect(gap).toBeGreaterThanOrEqual(0);
    expect(gap).toBeLessThanOrEqual(8);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
  }
});

/** Returns how far the list is scrolled from its end, in pixels. */
const getDistanceFromEnd = (page: Page) =>
  page
    .getByRole('region', { name: t('chat:messages') })
    .evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);

for (const size of [
  { width: 1280, height: 620 },
  { width: 360, height: 640 },
]) {
  test(`a message edited at the end of a chat stays fully visible on a page of ${size.width} pixels @all`, async ({
    page,
  }) => {
    await page.setViewportSize(size);
    const { messages, box, say } = await twoTurns(page);
    for (const text of ['Third', 'Fourth', 'Fifth']) {
      await say(`${text} [[scenario:tokens n=4 ms=1]]`);
      await expect(messages.last()).toContainText('w3');
      await rests(page);
    }
    const region = page.getByRole('region', { name: t('chat:messages') });
    await expect.poll(() => getDistanceFromEnd(page)).toBeLessThan(2);
    const at = await region.evaluate((room) =>
      [...room.querySelectorAll('[data-message]')].findIndex(
        (item) => item.getBoundingClientRect().top >= room.getBoundingClientRect().top,
      ),
    );
    const form = messages.nth(at).getByRole('form', { name: t('chat:edit') });
    const isFullyVisible = async () => {
      // All effects of opening the form are complete after two frames.
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      const [outer, inner] = [await region.boundingBox(), await form.boundingBox()];
      if (!outer || !inner) return false;
      return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
    };
    await choose(page, messages.nth(at), t('chat:edit'));
    await expect(form.getByRole('textbox')).toBeFocused();
    expect(await isFullyVisible()).toBe(true);
    await page.keyboard.type('\nLine after line'.repeat(12));
    expect(await isFullyVisible()).toBe(true);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Shorter');
    await page.keyboard.press('Control+Enter');
    await expect(form).toBeHidden();
    await say('Last [[scenario:tokens n=4 ms=1]]');
    await rests(page);
    await expect.poll(() => getDistanceFromEnd(page)).toBeLessThan(2);

    // The same by keyboard; after the edit is cancelled the list follows its end again.
    await box.press('ArrowUp');
    await expect(page.getByRole('form', { name: t('chat:edit') }).getByRole('textbox')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(box).toBeFocused();
    await page.keyboard.type('And');
    for (let line = 0; line < 4; line += 1) await page.keyboard.press('Shift+Enter');
    await expect.poll(() => getDistanceFromEnd(page)).toBeLessThan(2);
  });
}

import type { Locator, Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { choose } from './chat-frame.page.ts';
import { awake, chat, expect, lossyTest as test } from './journey.ts';
import { violations } from './violations.ts';

// These tests cover the copies that the service worker keeps on the device.
test.use({ serviceWorkers: 'allow' });

const LINE = 'Hello [[scenario:tokens n=2 ms=1]]';

/** Deletes a message and all messages after it. */
async function deleteFrom(page: Page, message: Locator): Promise<void> {
  await message.getByRole('button', { name: t('chat:moreActions') }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: t('chat:deleteFrom') }).click();
}

/** Opens a chat as a guest, sends a message and waits for the reply. */
async function openAnsweredChat(page: Page) {
  const opened = await chat(page);
  await opened.say(LINE);
  await expect(opened.messages.last()).toContainText('w1');
  await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
  return opened;
}

/** Returns the distance between a toast's lower edge and the composer's upper edge in pixels. */
async function measureGap(toast: Locator, page: Page): Promise<number> {
  const toastBox = await toast.boundingBox();
  const composerBox = await page
    .locator('footer')
    .filter({ has: page.locator('textarea') })
    .boundingBox();
  return (composerBox?.y ?? 0) - ((toastBox?.y ?? 0) + (toastBox?.height ?? 0));
}

test.describe('Composer on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('the message box takes most of the width of a phone @all', async ({ page }) => {
    const { box } = await openAnsweredChat(page);
    expect((await box.boundingBox())?.width).toBeGreaterThan(280);
  });

  test('a toast stays above the composer when the composer grows or the keyboard opens @all', async ({
    page,
  }) => {
    const { messages, box } = await openAnsweredChat(page);
    await deleteFrom(page, messages.nth(1));
    const toast = page.locator('.toast').filter({ hasText: t('chat:deletedToast', { count: 2, days: 30 }) });
    await expect(toast).toBeVisible();
    // The toast stays open while the pointer moves over it.
    const { x = 0, y = 0 } = (await toast.boundingBox()) ?? {};
    await page.mouse.move(x + 8, y + 8);
    await page.mouse.move(x + 12, y + 12);
    await expect.poll(() => measureGap(toast, page)).toBe(8);
    await box.fill('Line after line\n'.repeat(6));
    await expect.poll(() => measureGap(toast, page)).toBe(8);
    // The browser reports an on-screen keyboard as a smaller visual viewport.
    await page.evaluate(() => {
      Object.defineProperty(visualViewport, 'height', { configurable: true, value: 440 });
      visualViewport?.dispatchEvent(new Event('resize'));
    });
    await expect.poll(() => measureGap(toast, page)).toBe(8);
    const { y: top = 0, height = 0 } = (await box.boundingBox()) ?? {};
    expect(top + height).toBeLessThan(440);
    expect((await toast.boundingBox())?.y).toBeGreaterThan(0);
  });

  test('the offline notice takes no extra room, and the composer stays at the bottom of the page @all', async ({
    page,
    context,
  }) => {
    await openAnsweredChat(page);
    const measureBottomGap = () =>
      page
        .locator('footer form')
        .last()
        .evaluate((form) => innerHeight - form.getBoundingClientRect().bottom);
    // Wait for the device's copy of the page: without it the page cannot be reloaded offline.
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await expect
      .poll(() =>
        page.evaluate(async () => (await caches.match(location.pathname + location.search)) !== undefined),
      )
      .toBe(true);
    const onlineGap = await measureBottomGap();
    await context.setOffline(true);
    await expect(page.getByText(t('chat:offline'))).toBeVisible();
    expect(await measureBottomGap()).toBe(onlineGap);
    // A copy does not know the user's points, so it reserves no room for them.
    await page.reload();
    await awake(page);
    await expect(page.getByText(t('chat:offlineReading'))).toBeVisible();
    expect(await measureBottomGap()).toBeLessThanOrEqual(12);
    // A change as small as a browser bar is not taken for a keyboard, unless a field has the focus.
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      Object.defineProperty(visualViewport, 'height', { configurable: true, value: 600 });
      visualViewport?.dispatchEvent(new Event('resize'));
    });
    expect(await measureBottomGap()).toBeLessThanOrEqual(12);
  });
});

test('going back from a page that the chat menu opened focuses the chat menu @all', async ({ page }) => {
  await openAnsweredChat(page);
  await choose(page, t('chat:viewInfo'));
  await expect(page).toHaveURL(/character-info/);
  await page.goBack();
  await expect(page.getByRole('button', { name: t('chat:chatMenu') })).toBeFocused();
});

test('deleted messages of a chat can be deleted permanently after a confirmation @all', async ({ page }) => {
  const { messages } = await openAnsweredChat(page);
  await deleteFrom(page, messages.nth(1));
  await expect(messages).toHaveCount(1);
  await choose(page, t('chat:trashMenu'));
  const trash = page.getByRole('dialog', { name: t('chat:trashMenu') });
  const items = trash.getByRole('listitem');
  const erase = trash.getByRole('button', { name: t('chat:deletePermanentlyNamed', { name: 'Hello' }) });
  await erase.click();
  const keep = trash.getByRole('button', { name: t('chat:deletePermanentlyCancel') });
  await expect(keep).toBeFocused();
  await expect(trash).toContainText(t('chat:trashDeletePermanentlyText', { count: 2 }));
  expect(await violations(page)).toEqual([]);
  await keep.click();
  await expect(erase).toBeFocused();

  await page.route('**/trash/*', (route) => route.abort());
  await erase.click();
  await trash.getByRole('button', { name: t('chat:deletePermanently'), exact: true }).click();
  await expect(trash.getByRole('alert').filter({ hasText: t('errors:erase_failed') })).toBeVisible();
  await expect(items).toHaveCount(1);
  await expect(erase).toBeFocused();
  await page.unrouteAll();

  await erase.click();
  await trash.getByRole('button', { name: t('chat:deletePermanently'), exact: true }).click();
  await expect(items).toHaveCount(0);
  await expect(
    trash.getByRole('status').filter({ hasText: t('chat:trashDeletedPermanently', { count: 2 }) }),
  ).toBeFocused();
  await expect(trash).toContainText(t('chat:trashEmpty'));
  // Permanently deleted messages offer no undo.
  await expect(page.locator('.toast')).toHaveCount(0);
  await trash.getByRole('button', { name: t('chat:done') }).click();
  await choose(page, t('chat:trashMenu'));
  await expect(trash).toContainText(t('chat:trashEmpty'));
});

test('the sidebar shows a conversation’s title below its character’s name @all', async ({ page }) => {
  const { character } = await openAnsweredChat(page);
  const row = page.getByRole('region', { name: t('shell:history.title') }).getByRole('listitem');
  await expect(row).toHaveCount(1);
  await choose(page, t('chat:rename'));
  await expect(page.getByRole('dialog').getByRole('textbox', { name: t('chat:renameLabel') })).toBeFocused();
  await page.keyboard.type('The lamp by the door');
  await page.keyboard.press('Enter');
  await expect(row.getByText(character.name, { exact: true })).toBeVisible();
  await expect(row.getByText('The lamp by the door')).toBeVisible();
  await page.goto('/en/discover');
  await expect(row.getByText('The lamp by the door')).toBeVisible();
});

test('the browser’s theme colour follows the page’s background when the theme changes @all', async ({
  page,
  context,
}) => {
  const readColours = (openPage: Page) =>
    openPage.evaluate(() => [
      document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')?.content,
      getComputedStyle(document.documentElement).getPropertyValue('--bg').trim(),
    ]);
  await openAnsweredChat(page);
  const [dark] = await readColours(page);
  const about = await context.newPage();
  await about.goto('/about?lng=en');
  await awake(about);
  await page.getByRole('switch', { name: t('shell:theme.dark') }).click();
  for (const each of [page, about]) {
    await expect.poll(async () => (await readColours(each))[0]).not.toBe(dark);
    const [meta, paper] = await readColours(each);
    expect(meta).toBe(paper);
  }
  await about.goto('/login');
  await awake(about);
  const [meta, paper] = await readColours(about);
  expect(meta).toBe(paper);
  expect(meta).not.toBe(dark);
});

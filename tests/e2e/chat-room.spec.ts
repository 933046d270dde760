import type { Locator, Page } from '@playwright/test';
import { choose } from './chat-frame-hands.ts';
import { awake, chat, expect, lossyTest as test } from './journey.ts';
import { violations } from './violations.ts';

// What a device keeps is part of what is tried here.
test.use({ serviceWorkers: 'allow' });

const LINE = 'Hello [[scenario:tokens n=2 ms=1]]';

/** Deletes a message and what follows it. */
async function deleteFrom(page: Page, message: Locator): Promise<void> {
  await message.getByRole('button', { name: 'More for this message' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: /^Delete from here/ }).click();
}

/** A guest who said something and was answered. */
async function answered(page: Page) {
  const world = await chat(page);
  await world.say(LINE);
  await expect(world.messages.last()).toContainText('w1');
  await expect(page.getByRole('button', { name: 'Stop the reply' })).toBeHidden();
  return world;
}

/** The upper edge of where one writes, less the lower edge of a toast: how far they are apart, in pixels. */
async function apart(toast: Locator, page: Page): Promise<number> {
  const over = await toast.boundingBox();
  const under = await page
    .locator('footer')
    .filter({ has: page.locator('textarea') })
    .boundingBox();
  return (under?.y ?? 0) - ((over?.y ?? 0) + (over?.height ?? 0));
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('a toast stands over the box, however high it grows and with the keyboard open', async ({ page }) => {
    const { messages, box } = await answered(page);
    await deleteFrom(page, messages.nth(1));
    const toast = page.locator('.toast').filter({ hasText: '2 messages deleted' });
    await expect(toast).toBeVisible();
    // It stays while somebody moves over it.
    const { x = 0, y = 0 } = (await toast.boundingBox()) ?? {};
    await page.mouse.move(x + 8, y + 8);
    await page.mouse.move(x + 12, y + 12);
    await expect.poll(() => apart(toast, page)).toBe(8);
    await box.fill('Line after line\n'.repeat(6));
    await expect.poll(() => apart(toast, page)).toBe(8);
    // A keyboard that lies over the page, which the browser tells of by what is left to see.
    await page.evaluate(() => {
      Object.defineProperty(visualViewport, 'height', { configurable: true, value: 440 });
      visualViewport?.dispatchEvent(new Event('resize'));
    });
    await expect.poll(() => apart(toast, page)).toBe(8);
    const { y: top = 0, height = 0 } = (await box.boundingBox()) ?? {};
    expect(top + height).toBeLessThan(440);
    expect((await toast.boundingBox())?.y).toBeGreaterThan(0);
  });

  test('without a network the line about it takes no more room than it needs, and the box ends the page', async ({
    page,
    context,
  }) => {
    await answered(page);
    const under = () =>
      page.locator('footer form').evaluate((form) => innerHeight - form.getBoundingClientRect().bottom);
    // The device keeps a copy of the page, or it could not be reloaded.
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await expect
      .poll(() =>
        page.evaluate(async () => (await caches.match(location.pathname + location.search)) !== undefined),
      )
      .toBe(true);
    const said = await under();
    await context.setOffline(true);
    await expect(page.getByText('You are offline.')).toBeVisible();
    expect(await under()).toBe(said);
    // Of a copy nobody knows the points, and no room is kept for them.
    await page.reload();
    await awake(page);
    await expect(page.getByText('You are reading the copy on this device.')).toBeVisible();
    expect(await under()).toBeLessThanOrEqual(12);
    // Bars of the browser are no keyboard.
    await page.evaluate(() => {
      Object.defineProperty(visualViewport, 'height', { configurable: true, value: 600 });
      visualViewport?.dispatchEvent(new Event('resize'));
    });
    expect(await under()).toBeLessThanOrEqual(12);
  });
});

test('who opens the search from the chat can write at once, and comes back to the menu', async ({ page }) => {
  await answered(page);
  await choose(page, 'Search your chats');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Chat menu' })).toBeFocused();
});

test('what I deleted in a chat can be deleted for good, once I have said so', async ({ page }) => {
  const { messages } = await answered(page);
  await deleteFrom(page, messages.nth(1));
  await expect(messages).toHaveCount(1);
  await choose(page, 'Deleted messages');
  const trash = page.getByRole('dialog', { name: 'Trash' });
  const items = trash.getByRole('listitem');
  const erase = trash.getByRole('button', { name: /^Delete for good: Hello/ });
  await erase.click();
  const keep = trash.getByRole('button', { name: 'Keep it' });
  await expect(keep).toBeFocused();
  await expect(trash).toContainText('2 messages will be gone, and nothing can bring them back.');
  expect(await violations(page)).toEqual([]);
  await keep.click();
  await expect(erase).toBeFocused();

  await page.route('**/trash/*', (route) => route.abort());
  await erase.click();
  await trash.getByRole('button', { name: 'Delete for good', exact: true }).click();
  await expect(trash.getByRole('alert').filter({ hasText: 'It is still in the trash.' })).toBeVisible();
  await expect(items).toHaveCount(1);
  await expect(erase).toBeFocused();
  await page.unrouteAll();

  await erase.click();
  await trash.getByRole('button', { name: 'Delete for good', exact: true }).click();
  await expect(items).toHaveCount(0);
  await expect(
    trash.getByRole('status').filter({ hasText: '2 messages are deleted for good.' }),
  ).toBeFocused();
  await expect(trash).toContainText('Nothing you deleted in this chat is in the trash.');
  // Nobody is offered to take back what is gone.
  await expect(page.locator('.toast')).toHaveCount(0);
  await trash.getByRole('button', { name: 'Done' }).click();
  await choose(page, 'Deleted messages');
  await expect(trash).toContainText('Nothing you deleted in this chat is in the trash.');
});

test('the name that I gave a chat stands in the sidebar, under its character’s', async ({ page }) => {
  const { character } = await answered(page);
  const row = page.getByRole('region', { name: 'Your chats' }).getByRole('listitem');
  await expect(row).toHaveText(character.name);
  await choose(page, 'Rename');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('The lamp by the door');
  await page.keyboard.press('Enter');
  await expect(row.getByText(character.name, { exact: true })).toBeVisible();
  await expect(row.getByText('The lamp by the door')).toBeVisible();
  await page.goto('/en/discover');
  await expect(row.getByText('The lamp by the door')).toBeVisible();
});

test('what the browser draws around a page has the page’s colour, on every kind of page', async ({
  page,
  context,
}) => {
  const colours = (of: Page) =>
    of.evaluate(() => [
      document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')?.content,
      getComputedStyle(document.documentElement).getPropertyValue('--bg').trim(),
    ]);
  await answered(page);
  const [dark] = await colours(page);
  const about = await context.newPage();
  await about.goto('/about?lng=en');
  await awake(about);
  await page.getByRole('switch', { name: 'Dark mode' }).click();
  for (const each of [page, about]) {
    await expect.poll(async () => (await colours(each))[0]).not.toBe(dark);
    const [meta, paper] = await colours(each);
    expect(meta).toBe(paper);
  }
  await about.goto('/login');
  await awake(about);
  const [meta, paper] = await colours(about);
  expect(meta).toBe(paper);
  expect(meta).not.toBe(dark);
});

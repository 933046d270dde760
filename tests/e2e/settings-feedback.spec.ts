import { expect, awake, test } from './journey.ts';
import { toast } from './messages.page.ts';
import { violations } from './violations.ts';

test('a visitor changes the theme and removes drafts and offline copies in the settings', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/about');
  await page.evaluate(() => localStorage.setItem('draft:one', 'Once upon'));
  await page.goto('/settings');
  await awake(page);
  const main = page.getByRole('main');
  const dark = main.getByRole('switch', { name: 'Dark mode' });
  await dark.click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  expect(await violations(page)).toEqual([]);
  await expect(main.getByRole('switch', { name: 'Spicy mode' })).toBeHidden();
  await expect(main.getByText('are in your account')).toBeHidden();

  await main.getByRole('button', { name: 'Remove the drafts' }).click();
  await expect(main.getByText('Nothing of yours is kept on this device.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(main.getByText('Drafts: 1')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('draft:one'))).toBe('Once upon');

  await page.evaluate(async () => {
    await (await caches.open('loreloom-person-1')).put('/api/conversations/one', new Response('{}'));
    window.dispatchEvent(new Event('focus'));
  });
  await main.getByRole('button', { name: 'Remove the offline copies' }).click();
  const confirmDialog = page.getByRole('dialog', { name: 'Remove the offline copies?' });
  expect(await violations(page)).toEqual([]);
  await confirmDialog.getByRole('button', { name: 'Remove the copies' }).click();
  await expect(toast(page, 'Removed from this device.')).toBeVisible();
  await expect(main.getByText('Chats to read offline: 1')).toBeHidden();

  await main.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
});

test('a visitor’s feedback stays in the form until it is sent @all', async ({ page }) => {
  await page.goto('/feedback');
  await awake(page);
  const main = page.getByRole('main');
  const message = main.getByRole('textbox', { name: 'Your message' });
  const send = main.getByRole('button', { name: 'Send' });
  await send.click();
  await expect(message).toBeFocused();
  await expect(message).toHaveAccessibleDescription(/Write something first/);
  expect(await violations(page)).toEqual([]);
  await message.fill('x'.repeat(2001));
  await expect(main.getByText('2,001 of 2,000 characters')).toHaveCSS('color', 'rgb(238, 130, 117)');
  await message.fill('The lantern flickers.');
  const address = main.getByRole('textbox', { name: 'E-mail (optional)' });
  await address.fill('nobody');
  await send.click();
  await expect(address).toHaveAccessibleDescription(/Please enter a valid email address/);
  await address.fill('');

  await page.route('**/api/feedback', (route) => route.abort());
  await send.click();
  await expect(main.getByRole('alert')).toContainText('What you wrote is still here');
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await awake(page);
  await expect(message).toHaveValue('The lantern flickers.');
  await page.unroute('**/api/feedback');
  await send.click();
  await expect(main.getByRole('heading', { name: 'Thank you, it arrived' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await awake(page);
  await expect(message).toHaveValue('');
});

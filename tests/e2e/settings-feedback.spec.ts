import { t } from '../support/texts.ts';
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
  const dark = main.getByRole('switch', { name: t('shell:theme.dark') });
  await dark.click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  expect(await violations(page)).toEqual([]);
  await expect(main.getByRole('switch', { name: t('shell:spicy.mode') })).toBeHidden();
  await expect(main.getByText(t('settings:moreText'))).toBeHidden();

  await main.getByRole('button', { name: t('settings:draftsRemove') }).click();
  await expect(main.getByText(t('settings:deviceEmpty'))).toBeVisible();
  await page.getByRole('button', { name: t('settings:undo') }).click();
  await expect(main.getByText(t('settings:drafts', { number: 1 }))).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('draft:one'))).toBe('Once upon');

  await page.evaluate(async () => {
    await (await caches.open('loreloom-person-1')).put('/api/conversations/one', new Response('{}'));
    window.dispatchEvent(new Event('focus'));
  });
  await main.getByRole('button', { name: t('settings:copiesRemove') }).click();
  const confirmDialog = page.getByRole('dialog', { name: t('settings:copiesRemoveTitle') });
  expect(await violations(page)).toEqual([]);
  await confirmDialog.getByRole('button', { name: t('settings:copiesRemoveConfirm') }).click();
  await expect(toast(page, t('settings:removed'))).toBeVisible();
  await expect(main.getByText(t('settings:copies', { number: 1 }))).toBeHidden();

  await main.getByRole('link', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
});

test('a visitor’s feedback stays in the form until it is sent @all', async ({ page }) => {
  await page.goto('/feedback');
  await awake(page);
  const main = page.getByRole('main');
  const message = main.getByRole('textbox', { name: t('feedback:messageLabel') });
  const send = main.getByRole('button', { name: t('feedback:send') });
  await send.click();
  await expect(message).toBeFocused();
  await expect(message).toHaveAccessibleDescription(new RegExp(t('feedback:message_missing')));
  expect(await violations(page)).toEqual([]);
  await message.fill('x'.repeat(2001));
  await expect(main.getByText(t('feedback:textLength', { used: 2001, limit: 2000 }))).toHaveCSS(
    'color',
    'rgb(238, 130, 117)',
  );
  await message.fill('The lantern flickers.');
  const address = main.getByRole('textbox', { name: t('feedback:emailLabel') });
  await address.fill('nobody');
  await send.click();
  await expect(address).toHaveAccessibleDescription(/Please enter a valid email address/);
  await address.fill('');

  await page.route('**/api/feedback', (route) => route.abort());
  await send.click();
  await expect(main.getByRole('alert')).toContainText(t('feedback:textKept'));
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await awake(page);
  await expect(message).toHaveValue('The lantern flickers.');
  await page.unroute('**/api/feedback');
  await send.click();
  await expect(main.getByRole('heading', { name: t('feedback:sentTitle') })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await awake(page);
  await expect(message).toHaveValue('');
});

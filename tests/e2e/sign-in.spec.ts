import type { Route } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { t } from '../support/texts.ts';
import { expect, readCode, test } from './journey.ts';
import { violations } from './violations.ts';

test('the login dialog can be completed by keyboard and forgets its input when closed', async ({
  page,
  baseURL,
}) => {
  const email = `grace-${randomUUID()}@example.org`;
  await page.goto('/en/discover');
  const opener = page.getByRole('button', { name: t('shell:loggedOut.logIn') }).first();
  await opener.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: t('signin:continueWithGoogle') })).toBeFocused();
  expect(await violations(page)).toEqual([]);

  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: t('signin:continueWithEmail') })).toBeFocused();
  await page.keyboard.press('Enter');
  const field = dialog.getByRole('textbox', { name: t('signin:emailLabel') });
  await expect(field).toBeFocused();
  const submit = dialog.getByRole('button', { name: t('signin:sendCode') });
  await expect(submit).toBeDisabled();
  expect(await violations(page)).toEqual([]);
  await field.fill('   ');
  await expect(submit).toBeDisabled();
  await field.fill('somebody@gmail.com');
  await expect(submit).toBeDisabled();
  await expect(dialog.getByText(t('signin:gmailWarningGoogle'))).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await field.fill('not an address');
  await submit.click();
  await expect(dialog.getByRole('alert')).toHaveText('Please enter a valid email address');
  expect(await violations(page)).toEqual([]);

  // Back clears the error and returns to the choice.
  await dialog.getByRole('button', { name: t('signin:back') }).click();
  await expect(dialog.getByText('Please enter a valid email address')).toBeHidden();
  await dialog.getByRole('button', { name: t('signin:continueWithEmail') }).click();
  await field.fill(email);
  // The button is disabled while the code is being sent.
  const sent = Promise.withResolvers<void>();
  const waitForRelease = async (route: Route): Promise<void> => {
    await sent.promise;
    await route.continue();
  };
  await page.route('**/api/auth/send-login-code', waitForRelease, { times: 1 });
  await submit.click();
  await expect(dialog.getByRole('button', { name: t('signin:sendingCode') })).toBeDisabled();
  sent.resolve();

  const boxes = dialog.getByRole('group', { name: t('signin:codeLabel') }).getByRole('textbox');
  await expect(boxes).toHaveCount(6);
  await expect(boxes.first()).toBeFocused();
  expect(await violations(page)).toEqual([]);
  const verify = dialog.getByRole('button', { name: t('signin:verify') });
  await page.keyboard.type('12x3');
  await expect(boxes.nth(2)).toHaveValue('3');
  await expect(verify).toBeDisabled();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(boxes.nth(1)).toBeFocused();
  await page.keyboard.press('Backspace');
  await expect(boxes.nth(1)).toHaveValue('');

  // A wrong code shows an error, clears the boxes and focuses the first one.
  const code = await readCode(baseURL as string, email);
  const wrong = code === '000000' ? '111111' : '000000';
  await boxes.first().focus();
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData('text', text);
    document.activeElement?.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, `code: ${wrong} 99`);
  // Check it above a phone's keyboard, which leaves room for only a part of the dialog.
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 320 });
  await verify.click();
  const refusal = dialog.getByRole('alert');
  await expect(refusal).toHaveText('Invalid verification code');
  await expect(refusal).toBeInViewport({ ratio: 1 });
  await expect(boxes.first()).toBeInViewport({ ratio: 1 });
  await page.setViewportSize(size as NonNullable<typeof size>);
  await expect(boxes.first()).toBeFocused();
  await expect(boxes.first()).toHaveValue('');
  expect(await violations(page)).toEqual([]);

  // Requesting another code too early still allows entering the first one.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await dialog.getByRole('button', { name: t('signin:continueWithEmail') }).click();
  await expect(field).toHaveValue('');
  await field.fill(email.toUpperCase());
  await submit.click();
  await expect(boxes).toHaveCount(6);
  await boxes.first().focus();
  await page.keyboard.type(code);
  await verify.click();
  // The first login opens the onboarding, which can be skipped.
  await dialog.getByRole('button', { name: t('onboarding:skip') }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(email)).toBeVisible();
});

import { readTexts, t } from '../support/texts.ts';
import { awake, chat, expect, test } from './journey.ts';

test('the terms, the safety page and the login dialog name the minimum age', async ({ page }) => {
  await page.goto('/terms');
  await expect(page.getByText(t('legal:terms.age.text', { age: 18 }))).toBeVisible();
  await page.goto('/en/safety');
  await expect(page.getByText(t('safety:minors.text', { age: 18 }))).toBeVisible();
  await page.goto('/de/safety');
  await expect(page.getByText(readTexts('de')('safety:minors.text', { age: 18 }))).toBeVisible();

  await page.goto('/en');
  await awake(page);
  await page
    .getByRole('button', { name: t('shell:loggedOut.logIn') })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: t('signin:continueAsGuest') })).toBeVisible();
  await expect(dialog.getByText(t('signin:agreement', { age: 18 }))).toBeVisible();
});

test('a new conversation says that it may not be suitable for some minors', async ({ page }) => {
  await chat(page);
  await expect(page.getByText(t('chat:minorsNote'))).toBeInViewport();
});

import { awake, chat, expect, test } from './journey.ts';

test('the terms, the safety page and the login dialog name the minimum age', async ({ page }) => {
  await page.goto('/terms');
  await expect(
    page.getByText('You must be at least 18 years old to use this site, as a guest as well.'),
  ).toBeVisible();
  await page.goto('/en/safety');
  await expect(page.getByText('You must be at least 18 years old to use this site')).toBeVisible();
  await page.goto('/de/safety');
  await expect(page.getByText('Du musst 18 oder älter sein, um diese Seite zu nutzen')).toBeVisible();

  await page.goto('/en');
  await awake(page);
  await page.getByRole('button', { name: 'Log in' }).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Continue as guest' })).toBeVisible();
  await expect(
    dialog.getByText('By continuing you confirm that you are at least 18 years old'),
  ).toBeVisible();
  await expect(dialog.getByText('AI characters may not be suitable for some minors.')).toBeVisible();
});

test('a new conversation says that it may not be suitable for some minors', async ({ page }) => {
  await chat(page);
  await expect(
    page.getByText('Chats with AI characters may not be suitable for some minors.'),
  ).toBeInViewport();
});

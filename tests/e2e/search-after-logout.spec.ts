import { t } from '../support/texts.ts';
import { awake, expect, test } from './journey.ts';

test('a chat search from an ended session is not repeated in the next session @all', async ({
  page,
  context,
}) => {
  const box = page.getByRole('searchbox', { name: t('search:searchLabel') });
  const dialog = page.getByRole('dialog');
  await page.request.post('/api/auth/anonymous');
  const cookiesBefore = await context.cookies();
  await page.goto('/chats/search');
  await awake(page);
  await box.fill('lantern');
  await expect(page.getByText(t('search:noResults', { query: 'lantern' }))).toBeVisible();
  await page.request.post('/api/logout');
  const searchUrls: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/search?q=')) searchUrls.push(request.url());
  });
  await box.fill('storm');
  await dialog.getByRole('button', { name: t('signin:continueAsGuest') }).click();
  await expect(dialog).toBeHidden();
  await expect(box).toHaveValue('');
  await expect(page).toHaveURL('/chats/search');
  expect(searchUrls).toHaveLength(1);
  expect(await context.cookies()).not.toEqual(cookiesBefore);
});

import { awake, expect, test } from './journey.ts';

test('what I look for when my session has ended is not looked for in the chats of whoever comes in then', async ({
  page,
  context,
}) => {
  const box = page.getByRole('searchbox', { name: 'What to look for in your chats' });
  const dialog = page.getByRole('dialog');
  await page.request.post('/api/auth/anonymous');
  const mine = await context.cookies();
  await page.goto('/chats/search');
  await awake(page);
  await box.fill('lantern');
  await expect(page.getByText('No message says “lantern”.')).toBeVisible();
  await page.request.post('/api/logout');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/search?q=')) asked.push(request.url());
  });
  await box.fill('storm');
  await dialog.getByRole('button', { name: 'Continue as guest' }).click();
  await expect(dialog).toBeHidden();
  await expect(box).toHaveValue('');
  await expect(page).toHaveURL('/chats/search');
  expect(asked).toHaveLength(1);
  expect(await context.cookies()).not.toEqual(mine);
});

import { choose, FIRST_LINE, openDrawer, twoChats } from './chat-frame.page.ts';
import { awake, chat, expect, test } from './journey.ts';
import { violations } from './violations.ts';

test('a deleted conversation can be restored with all messages from its page @all', async ({ page }) => {
  const { messages, say } = await chat(page);
  await say(FIRST_LINE);
  await expect(messages.last()).toContainText('w1');
  await choose(page, 'Delete this chat');
  await expect(page.getByRole('heading', { name: 'This chat is deleted.' })).toBeVisible();
  await expect(page.getByText('It lies in the trash for 30 days')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Take it back' }).click();
  await expect(messages).toHaveCount(3);
  await expect(messages.last()).toContainText('w1');
});

test('deleting a conversation in the drawer can be undone there, or in a toast once the drawer is closed', async ({
  page,
}) => {
  await twoChats(page);
  const { drawer, chats } = await openDrawer(page);
  await expect(chats).toHaveCount(2);
  const deleteOlder = async () => {
    await chats.nth(1).getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Delete this chat' }).click();
    await expect(chats).toHaveCount(1);
  };
  await deleteOlder();
  await drawer.getByRole('button', { name: 'Undo' }).click();
  await expect(chats).toHaveCount(2);
  await deleteOlder();
  await drawer.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText(/: deleted\.$/)).toBeHidden();
  await openDrawer(page);
  await expect(chats).toHaveCount(2);
});

test('deleted conversations can be listed, restored, or permanently deleted after a confirmation @all', async ({
  page,
}) => {
  await twoChats(page);
  const { drawer, chats } = await openDrawer(page);
  await chats.nth(1).getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Delete this chat' }).click();
  await expect(chats).toHaveCount(1);
  await drawer.getByRole('button', { name: 'Deleted chats' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deleted chats' });
  const deleted = dialog.getByRole('listitem');
  await expect(deleted).toHaveCount(1);
  await expect(deleted).toContainText('3 messages');
  await dialog.getByRole('button', { name: /^Delete for good/ }).click();
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: /^Take back/ }).click();
  await expect(deleted).toHaveCount(0);
  await expect(dialog.getByRole('link', { name: 'Open it' })).toBeVisible();
  await expect(dialog.getByRole('status')).toContainText('There are no deleted chats.');
  await dialog.getByRole('button', { name: 'Done' }).click();

  // Now delete the open conversation permanently.
  await choose(page, 'Delete this chat');
  await openDrawer(page);
  await expect(chats).toHaveCount(1);
  await drawer.getByRole('button', { name: 'Deleted chats' }).click();
  await dialog.getByRole('button', { name: /^Delete for good/ }).click();
  await dialog.getByRole('button', { name: 'Delete for good', exact: true }).click();
  await expect(deleted).toHaveCount(0);
  await expect(dialog.getByRole('status')).toContainText('is deleted for good.');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Take it back' }).click();
  await expect(page.getByRole('heading', { name: 'This conversation is not here.' })).toBeVisible();
});

test('a conversation restored from the list of deleted ones opens with its messages @all', async ({
  page,
}) => {
  const { messages, say } = await chat(page);
  await say(FIRST_LINE);
  await expect(messages.last()).toContainText('w1');
  await choose(page, 'Delete this chat');
  await expect(page.getByRole('heading', { name: 'This chat is deleted.' })).toBeVisible();
  await page.reload();
  await awake(page);
  await expect(page.getByRole('heading', { name: 'This chat is deleted.' })).toBeVisible();
  await page.getByRole('button', { name: 'Deleted chats' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deleted chats' });
  await dialog.getByRole('button', { name: /^Take back/ }).click();
  await dialog.getByRole('link', { name: 'Open it' }).click();
  await expect(messages).toHaveCount(3);
});

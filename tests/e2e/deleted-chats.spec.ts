import { t } from '../support/texts.ts';
import { choose, FIRST_LINE, openDrawer, twoChats } from './chat-frame.page.ts';
import { awake, chat, expect, test } from './journey.ts';
import { violations } from './violations.ts';

test('a deleted conversation can be restored with all messages from its page @all', async ({ page }) => {
  const { messages, say } = await chat(page);
  await say(FIRST_LINE);
  await expect(messages.last()).toContainText('w1');
  await choose(page, t('chat:deleteChat'));
  await expect(page.getByRole('heading', { name: t('chat:inTrashTitle') })).toBeVisible();
  await expect(page.getByText(t('chat:inTrashText', { count: 30 }))).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: t('chat:inTrashRestore') }).click();
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
    await page.getByRole('menuitem', { name: t('chat:deleteChat') }).click();
    await expect(chats).toHaveCount(1);
  };
  await deleteOlder();
  await drawer.getByRole('button', { name: t('chat:undo') }).click();
  await expect(chats).toHaveCount(2);
  await deleteOlder();
  await drawer.getByRole('button', { name: t('chat:closeChats') }).click();
  await page.getByRole('button', { name: t('chat:undo') }).click();
  await expect(page.getByText(new RegExp(t('chat:chatDeleted', { name: '.+' })))).toBeHidden();
  await openDrawer(page);
  await expect(chats).toHaveCount(2);
});

test('deleted conversations can be listed, restored, or permanently deleted after a confirmation @all', async ({
  page,
}) => {
  await twoChats(page);
  const { drawer, chats } = await openDrawer(page);
  await chats.nth(1).getByRole('button').click();
  await page.getByRole('menuitem', { name: t('chat:deleteChat') }).click();
  await expect(chats).toHaveCount(1);
  await drawer.getByRole('button', { name: t('chat:deletedChatsTitle') }).click();
  const dialog = page.getByRole('dialog', { name: t('chat:deletedChatsTitle') });
  const deleted = dialog.getByRole('listitem');
  await expect(deleted).toHaveCount(1);
  await expect(deleted).toContainText(t('chat:messageCount', { count: 3 }));
  await dialog
    .getByRole('button', { name: new RegExp(t('chat:deletePermanentlyNamed', { name: '.+' })) })
    .click();
  await expect(dialog.getByRole('button', { name: t('chat:deletePermanentlyCancel') })).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: new RegExp(t('chat:restoreChatNamed', { name: '.+' })) }).click();
  await expect(deleted).toHaveCount(0);
  await expect(dialog.getByRole('link', { name: t('chat:openChat') })).toBeVisible();
  await expect(dialog.getByRole('status')).toContainText(t('chat:deletedChatsEmpty'));
  await dialog.getByRole('button', { name: t('chat:done') }).click();

  // Now delete the open conversation permanently.
  await choose(page, t('chat:deleteChat'));
  await openDrawer(page);
  await expect(chats).toHaveCount(1);
  await drawer.getByRole('button', { name: t('chat:deletedChatsTitle') }).click();
  await dialog
    .getByRole('button', { name: new RegExp(t('chat:deletePermanentlyNamed', { name: '.+' })) })
    .click();
  await dialog.getByRole('button', { name: t('chat:deletePermanently'), exact: true }).click();
  await expect(deleted).toHaveCount(0);
  await expect(dialog.getByRole('status')).toContainText(
    new RegExp(t('chat:chatDeletedPermanently', { name: '.+' })),
  );
  await dialog.getByRole('button', { name: t('chat:done') }).click();
  await page.getByRole('button', { name: t('chat:inTrashRestore') }).click();
  await expect(page.getByRole('heading', { name: t('chat:notFoundTitle') })).toBeVisible();
});

test('a conversation restored from the list of deleted ones opens with its messages @all', async ({
  page,
}) => {
  const { messages, say } = await chat(page);
  await say(FIRST_LINE);
  await expect(messages.last()).toContainText('w1');
  await choose(page, t('chat:deleteChat'));
  await expect(page.getByRole('heading', { name: t('chat:inTrashTitle') })).toBeVisible();
  await page.reload();
  await awake(page);
  await expect(page.getByRole('heading', { name: t('chat:inTrashTitle') })).toBeVisible();
  await page.getByRole('button', { name: t('chat:deletedChatsTitle') }).click();
  const dialog = page.getByRole('dialog', { name: t('chat:deletedChatsTitle') });
  await dialog.getByRole('button', { name: new RegExp(t('chat:restoreChatNamed', { name: '.+' })) }).click();
  await dialog.getByRole('link', { name: t('chat:openChat') }).click();
  await expect(messages).toHaveCount(3);
});

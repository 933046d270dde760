import { t } from '../support/texts.ts';
import { awake, expect, test } from './journey.ts';
import { choose, edit, REGENERATE_EARLIER, rests, toast, twoTurns } from './messages.page.ts';
import { violations } from './violations.ts';

test('an unsaved edit survives a reload but is not in a branch, and an untouched one follows other tabs @all', async ({
  page,
  context,
}) => {
  const { messages } = await twoTurns(page);
  page.on('dialog', (dialog) => void dialog.accept());
  await choose(page, messages.nth(1), t('chat:edit'));
  const field = messages.nth(1).getByRole('textbox');

  const second = await context.newPage();
  await second.goto(page.url());
  await awake(second);
  const messagesInSecond = second.getByRole('list', { name: t('chat:messages') }).getByRole('listitem');
  await edit(second, messagesInSecond.nth(1), 'Changed in the other tab');
  await expect(field).toHaveValue('Changed in the other tab');
  await page.keyboard.press('Escape');
  await expect(field).toBeHidden();

  await choose(page, messages.nth(1), t('chat:edit'));
  await field.fill('Half of what I mean');
  await page.reload();
  await awake(page);
  await expect(field).toHaveValue('Half of what I mean');
  await choose(page, messages.nth(4), t('chat:branchFrom'));
  await expect(toast(page, t('chat:branched'))).toBeVisible();
  await expect(messages).toHaveCount(5);
  await expect(field).toBeHidden();
  await page.goto(second.url());
  await awake(page);
  await expect(field).toHaveValue('Half of what I mean');
});

test('choosing another version of an earlier reply shows that later messages stay @all', async ({ page }) => {
  const { messages } = await twoTurns(page);
  await choose(page, messages.nth(2), REGENERATE_EARLIER);
  await expect(messages.nth(2)).toContainText('2 / 2');
  await rests(page);
  await expect(messages.nth(2)).not.toContainText(t('chat:laterKept'));
  await messages
    .nth(2)
    .getByRole('button', { name: t('chat:versionPrevious') })
    .click();
  await expect(messages.nth(2)).toContainText('1 / 2');
  await expect(messages.nth(2).getByText(t('chat:laterKept'))).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test('a user can request a reply to the last message after its reply was deleted @all', async ({ page }) => {
  const { messages } = await twoTurns(page);
  await choose(page, messages.nth(4), t('chat:deleteFrom'));
  await expect(messages).toHaveCount(4);
  expect(await violations(page)).toEqual([]);
  await messages
    .nth(3)
    .getByRole('button', { name: t('chat:getReply') })
    .click();
  await expect(messages.nth(4)).toContainText('w2');
  await rests(page);
  await expect(page.getByRole('button', { name: t('chat:getReply') })).toBeHidden();
});

test('a suggested line that arrives while the user types is added below without moving the cursor @all', async ({
  page,
}) => {
  const { box } = await twoTurns(page);
  let arrive = () => {};
  const released = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/impersonate', async (route) => {
    await released;
    await route.continue();
  });
  await page.getByRole('button', { name: t('chat:assist') }).click();
  await page.getByRole('menuitem', { name: t('chat:assistDraft') }).click();
  await box.click();
  await page.keyboard.type('I wal');
  arrive();
  await expect(box).toHaveValue('I wal\n*I take the lamp.* "I will go first."');
  await page.keyboard.type('k in.');
  await expect(box).toHaveValue('I walk in.\n*I take the lamp.* "I will go first."');
  await page.getByRole('button', { name: t('chat:undo') }).click();
  await expect(box).toHaveValue('I walk in.');
});

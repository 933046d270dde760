import { chat, expect, test } from './journey.ts';
import { violations } from './violations.ts';

test('an author’s note outlives Escape and a failed save, and is there when the dialog opens again', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await chat(page);
  const menu = page.getByRole('button', { name: 'Chat menu' });
  const dialog = page.getByRole('dialog', { name: 'Reply settings' });
  const note = dialog.getByRole('textbox', { name: "Author's note" });
  const openDialog = async () => {
    await menu.click();
    await page.getByRole('menuitem', { name: 'Reply settings' }).click();
  };
  await openDialog();
  await note.fill('Write in the past tense.');
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('button', { name: 'Go on writing' })).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(note).toBeFocused();

  await page.route('**/reply-settings', (route) => route.abort());
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText(/^That was not saved\./)).toBeVisible();
  await expect(note).toBeFocused();
  await page.unroute('**/reply-settings');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(menu).toBeFocused();

  await openDialog();
  await expect(note).toHaveValue('Write in the past tense.');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

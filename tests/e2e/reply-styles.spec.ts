import { readFile } from 'node:fs/promises';
import { makeCharacter, signInAsCreator } from './creator-setup.ts';
import { awake, chat, expect, test } from './journey.ts';
import { violations } from './violations.ts';

test('a style is saved, applied, exported, deleted with undo, and imported', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await chat(page);
  const dialog = page.getByRole('dialog', { name: 'Reply settings' });
  const note = dialog.getByRole('textbox', { name: "Author's note" });
  const style = dialog.getByRole('combobox', { name: 'Style' });
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  await page.getByRole('button', { name: 'Chat menu' }).click();
  await page.getByRole('menuitem', { name: 'Reply settings' }).click();
  await expect(dialog.getByText(/^Save the settings below as a style/)).toBeVisible();

  await note.fill('It rains in every scene.');
  await press('Save as style');
  const name = dialog.getByRole('textbox', { name: 'Name of the style' });
  await expect(name).toBeFocused();
  await name.fill('Noir');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Noir: saved.')).toBeVisible();
  await expect(style).toBeFocused();
  expect(await violations(page)).toEqual([]);

  await note.fill('Something else.');
  await style.selectOption('Settings of this chat');
  await style.selectOption('Noir');
  await expect(note).toHaveValue('It rains in every scene.');

  // A number that is not valid is not saved as another one, and a style replaces it.
  const words = dialog.getByRole('spinbutton', { name: 'Words per reply' });
  await dialog.getByRole('group', { name: 'Length' }).getByText('Custom').click();
  await words.fill('900');
  await press('Update');
  await expect(words).toBeFocused();
  await style.selectOption('Settings of this chat');
  await style.selectOption('Noir');
  await expect(words).toHaveCount(0);
  await note.fill('It pours.');
  await press('Update');
  await expect(dialog.getByText('Noir: changed.')).toBeVisible();
  await press('Rename');
  await name.fill('Storm');
  await press('Save style');
  await expect(style).toHaveText(/Storm/);

  const download = page.waitForEvent('download');
  await press('Export');
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('Storm.style.json');
  const text = await readFile(await saved.path(), 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    spec: 'loreloom_reply_style',
    spec_version: '1.0',
    name: 'Storm',
    author_note: 'It pours.',
  });

  await press('Delete');
  await expect(dialog.getByText('Storm: deleted.')).toBeVisible();
  await press('Undo');
  await expect(style).toHaveText(/Storm/);
  await press('Delete');
  await expect(style).toHaveCount(0);

  const file = dialog.getByLabel('Import').and(dialog.locator('input'));
  const choose = (content: string) =>
    file.setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(content) });
  await choose('{"spec": "chara_card_v2"}');
  await expect(dialog.getByText(/^This file is not a reply style\./)).toBeVisible();
  await note.fill('');
  await choose(text);
  await expect(dialog.getByText('Storm: imported.')).toBeVisible();
  await expect(note).toHaveValue('It pours.');
  await press('Save');
  await expect(dialog).toBeHidden();
});

test('a creator recommends a style, a new chat starts with it, and the user can return to it', async ({
  page,
  baseURL,
}) => {
  await signInAsCreator(page, new URL(baseURL ?? '').origin);
  const { id } = await makeCharacter(page);
  await page.goto(`/creator-center/edit/${id}`);
  await awake(page);
  const form = page.getByRole('form');
  await form.locator('.form-more > summary').click();
  const recommends = form.getByRole('switch', { name: 'Recommend a reply style' });
  await recommends.click();
  await expect(recommends).toBeChecked();
  const style = form.getByRole('group', { name: 'Recommend a reply style' });
  await style.getByRole('textbox', { name: "Author's note" }).fill('Write in the past tense.');
  await style.getByText('Short', { exact: true }).click();
  expect(await violations(page)).toEqual([]);
  await style.getByRole('group', { name: 'Length' }).getByText('Custom').click();
  const number = style.getByRole('spinbutton', { name: 'Words per reply' });
  await number.fill('900');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(number).toBeFocused();
  await style.getByText('Short', { exact: true }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Wren was saved.')).toBeVisible();

  await page.goto(`/character/${id}`);
  await awake(page);
  await page.getByRole('button', { name: 'Chat menu' }).click();
  await page.getByRole('menuitem', { name: 'Reply settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reply settings' });
  const note = dialog.getByRole('textbox', { name: "Author's note" });
  await expect(note).toHaveValue('Write in the past tense.');
  await expect(dialog.getByRole('radio', { name: 'Short' })).toBeChecked();
  const restore = dialog.getByRole('button', { name: "Use the creator's style" });
  await expect(restore).toHaveCount(0);
  await note.fill('Write in the present tense.');
  await restore.click();
  await expect(note).toHaveValue('Write in the past tense.');
});

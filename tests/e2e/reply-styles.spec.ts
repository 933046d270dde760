import { readFile } from 'node:fs/promises';
import { t } from '../support/texts.ts';
import { makeCharacter, signInAsCreator } from './creator-setup.ts';
import { awake, chat, expect, test } from './journey.ts';
import { violations } from './violations.ts';

test('a style is saved, applied, exported, deleted with undo, and imported', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await chat(page);
  const dialog = page.getByRole('dialog', { name: t('chat:replySettings') });
  const note = dialog.getByRole('textbox', { name: t('chat:authorNoteLabel') });
  const style = dialog.getByRole('combobox', { name: t('chat:styleLabel') });
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
  await page.getByRole('button', { name: t('chat:chatMenu') }).click();
  await page.getByRole('menuitem', { name: t('chat:replySettings') }).click();
  await expect(dialog.getByText(t('chat:styleEmpty'))).toBeVisible();

  await note.fill('It rains in every scene.');
  await press(t('chat:styleSaveAs'));
  const name = dialog.getByRole('textbox', { name: t('chat:styleNameLabel') });
  await expect(name).toBeFocused();
  await name.fill('Noir');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(t('chat:styleDone_saved', { name: 'Noir' }))).toBeVisible();
  await expect(style).toBeFocused();
  expect(await violations(page)).toEqual([]);

  await note.fill('Something else.');
  await style.selectOption(t('chat:styleNone'));
  await style.selectOption('Noir');
  await expect(note).toHaveValue('It rains in every scene.');

  // A number that is not valid is not saved as another one, and a style replaces it.
  const words = dialog.getByRole('spinbutton', { name: t('chat:replyWordsLabel') });
  await dialog
    .getByRole('group', { name: t('chat:replyLengthLabel') })
    .getByText(t('chat:replyLengthCustom'))
    .click();
  await words.fill('900');
  await press(t('chat:styleUpdate'));
  await expect(words).toBeFocused();
  await style.selectOption(t('chat:styleNone'));
  await style.selectOption('Noir');
  await expect(words).toHaveCount(0);
  await note.fill('It pours.');
  await press(t('chat:styleUpdate'));
  await expect(dialog.getByText(t('chat:styleDone_changed', { name: 'Noir' }))).toBeVisible();
  await press(t('chat:rename'));
  await name.fill('Storm');
  await press(t('chat:styleSave'));
  await expect(style).toHaveText(/Storm/);

  const download = page.waitForEvent('download');
  await press(t('chat:styleExport'));
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('Storm.style.json');
  const text = await readFile(await saved.path(), 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    spec: 'loreloom_reply_style',
    spec_version: '1.0',
    name: 'Storm',
    author_note: 'It pours.',
  });

  await press(t('chat:styleDelete'));
  await expect(dialog.getByText(t('chat:styleDone_deleted', { name: 'Storm' }))).toBeVisible();
  await press(t('chat:undo'));
  await expect(style).toHaveText(/Storm/);
  await press(t('chat:styleDelete'));
  await expect(style).toHaveCount(0);

  const file = dialog.getByLabel(t('chat:styleImport')).and(dialog.locator('input'));
  const choose = (content: string) =>
    file.setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(content) });
  await choose('{"spec": "chara_card_v2"}');
  await expect(dialog.getByText(t('chat:styleFileInvalid'))).toBeVisible();
  await note.fill('');
  await choose(text);
  await expect(dialog.getByText(t('chat:styleDone_imported', { name: 'Storm' }))).toBeVisible();
  await expect(note).toHaveValue('It pours.');
  await press(t('chat:save'));
  await expect(dialog).toBeHidden();
});

test('a creator recommends a style, a new chat starts with it, and the user can return to it @all', async ({
  page,
  baseURL,
}) => {
  await signInAsCreator(page, new URL(baseURL ?? '').origin);
  const { id } = await makeCharacter(page);
  await page.goto(`/creator-center/edit/${id}`);
  await awake(page);
  const form = page.getByRole('form');
  await form.locator('.form-more > summary').click();
  const recommends = form.getByRole('switch', { name: t('create:recommended_styleLabel') });
  await recommends.click();
  await expect(recommends).toBeChecked();
  const style = form.getByRole('group', { name: t('create:recommended_styleLabel') });
  await style.getByRole('textbox', { name: t('chat:authorNoteLabel') }).fill('Write in the past tense.');
  await style.getByText(t('chat:replyLength_short'), { exact: true }).click();
  expect(await violations(page)).toEqual([]);
  await style
    .getByRole('group', { name: t('chat:replyLengthLabel') })
    .getByText(t('chat:replyLengthCustom'))
    .click();
  const number = style.getByRole('spinbutton', { name: t('chat:replyWordsLabel') });
  await number.fill('900');
  await form.getByRole('button', { name: t('create:save') }).click();
  await expect(number).toBeFocused();
  await style.getByText(t('chat:replyLength_short'), { exact: true }).click();
  await form.getByRole('button', { name: t('create:save') }).click();
  await expect(page.getByText(t('create:saved', { name: 'Wren' }))).toBeVisible();

  await page.goto(`/character/${id}`);
  await awake(page);
  await page.getByRole('button', { name: t('chat:chatMenu') }).click();
  await page.getByRole('menuitem', { name: t('chat:replySettings') }).click();
  const dialog = page.getByRole('dialog', { name: t('chat:replySettings') });
  const note = dialog.getByRole('textbox', { name: t('chat:authorNoteLabel') });
  await expect(note).toHaveValue('Write in the past tense.');
  await expect(dialog.getByRole('radio', { name: t('chat:replyLength_short') })).toBeChecked();
  const restore = dialog.getByRole('button', { name: t('chat:styleUseCreators') });
  await expect(restore).toHaveCount(0);
  await note.fill('Write in the present tense.');
  await restore.click();
  await expect(note).toHaveValue('Write in the past tense.');
});

import { t } from '../support/texts.ts';
import { chat, expect, test } from './journey.ts';
import { choose, rests, twoTurns } from './messages.page.ts';
import { violations } from './violations.ts';

test('an author’s note outlives Escape and a failed save, and is there when the dialog opens again', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await chat(page);
  const menu = page.getByRole('button', { name: t('chat:chatMenu') });
  const dialog = page.getByRole('dialog', { name: t('chat:replySettings') });
  const note = dialog.getByRole('textbox', { name: t('chat:authorNoteLabel') });
  const openDialog = async () => {
    await menu.click();
    await page.getByRole('menuitem', { name: t('chat:replySettings') }).click();
  };
  await openDialog();
  await note.fill('Write in the past tense.');
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('button', { name: t('chat:unsavedKeepEditing') })).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(note).toBeFocused();

  await page.route('**/reply-settings', (route) => route.abort());
  await dialog.getByRole('button', { name: t('chat:save'), exact: true }).click();
  await expect(dialog.getByText(t('chat:saveFailed'))).toBeVisible();
  await expect(note).toBeFocused();
  await page.unroute('**/reply-settings');
  await dialog.getByRole('button', { name: t('chat:save'), exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(menu).toBeFocused();

  await openDialog();
  await expect(note).toHaveValue('Write in the past tense.');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('length and liveliness are chosen by steps or by numbers, and are there when the dialog opens again @all', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await chat(page);
  const dialog = page.getByRole('dialog', { name: t('chat:replySettings') });
  const openDialog = async () => {
    await page.getByRole('button', { name: t('chat:chatMenu') }).click();
    await page.getByRole('menuitem', { name: t('chat:replySettings') }).click();
  };
  const length = dialog.getByRole('group', { name: t('chat:replyLengthLabel') });
  const liveliness = dialog.getByRole('group', { name: t('chat:livelinessLabel') });
  await openDialog();
  await expect(length.getByRole('radio', { name: t('chat:replyLength_medium') })).toBeChecked();
  await expect(liveliness.getByRole('radio', { name: t('chat:liveliness_balanced') })).toBeChecked();
  await length.getByRole('radio', { name: t('chat:replyLength_medium') }).press('ArrowRight');
  await expect(length.getByRole('radio', { name: t('chat:replyLength_long') })).toBeChecked();
  await liveliness.getByRole('radio', { name: t('chat:replyLengthCustom') }).check();
  const temperature = dialog.getByRole('spinbutton', { name: t('chat:temperatureLabel') });
  await expect(temperature).toHaveValue('0.9');
  await temperature.fill('2.5');
  expect(await violations(page)).toEqual([]);
  // The browser refuses it and points to the field.
  await dialog.getByRole('button', { name: t('chat:save'), exact: true }).click();
  await expect(temperature).toBeFocused();
  await expect(dialog).toBeVisible();
  await temperature.fill('1.25');
  const more = dialog.getByText(t('chat:replySettingsMore'), { exact: true });
  const depth = dialog.getByRole('spinbutton', { name: t('chat:authorNoteDepthLabel') });
  await more.click();
  await depth.fill('21');
  await more.click();
  await expect(depth).toBeHidden();
  await dialog.getByRole('button', { name: t('chat:save'), exact: true }).click();
  await expect(depth).toBeFocused();
  await depth.fill('4');
  await dialog.getByRole('button', { name: t('chat:save'), exact: true }).click();
  await expect(dialog).toBeHidden();

  await openDialog();
  await expect(length.getByRole('radio', { name: t('chat:replyLength_long') })).toBeChecked();
  await expect(temperature).toHaveValue('1.25');
  await more.click();
  await expect(depth).toHaveValue('4');
});

test('a reply is regenerated with a note, which outlives a failed attempt and is kept with the version', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { messages } = await twoTurns(page);
  const dialog = page.getByRole('dialog', { name: t('chat:regenerateWithNote') });
  const note = dialog.getByRole('textbox', { name: t('chat:regenerateWithNoteLabel') });
  await choose(page, messages.nth(2), t('chat:regenerateWithNote'));
  await expect(note).toBeFocused();
  await expect(dialog.getByRole('button', { name: t('chat:regenerate') })).toBeDisabled();
  await note.fill('Let her be angrier.');
  expect(await violations(page)).toEqual([]);

  await page.route('**/regenerate', (route) => route.abort());
  await note.press('Control+Enter');
  await expect(dialog.getByRole('alert')).not.toBeEmpty();
  await expect(note).toBeFocused();
  await expect(note).toHaveValue('Let her be angrier.');
  await page.unroute('**/regenerate');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await choose(page, messages.nth(2), t('chat:regenerateWithNote'));
  await expect(note).toHaveValue('Let her be angrier.');
  const sent = page.waitForRequest('**/regenerate');
  await dialog.getByRole('button', { name: t('chat:regenerate') }).click();
  expect((await sent).postDataJSON()).toMatchObject({ note: 'Let her be angrier.' });
  await expect(dialog).toBeHidden();
  await expect(messages.nth(2)).toContainText('2 / 2');
  await rests(page);

  await messages.nth(2).hover();
  await messages
    .nth(2)
    .getByRole('button', { name: t('chat:moreActions') })
    .click();
  await expect(page.getByRole('menuitem', { name: t('chat:regenerateWithNote') })).toContainText(
    t('chat:regenerateWithNotePrevious', { note: 'Let her be angrier.' }),
  );
  await page.getByRole('menuitem', { name: t('chat:contextTitle') }).click();
  const seen = page.getByRole('dialog', { name: t('chat:contextTitle') });
  await seen.getByText(t('chat:contextKind_regenerate_note')).click();
  await expect(seen).toContainText('how Stranger wants this reply to be');
});

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { buildReplyScript } from '../support/reply-script.ts';
import { t } from '../support/texts.ts';
import { choose, FIRST_LINE } from './chat-frame.page.ts';
import { describePrice, newForm } from './creator-setup.ts';
import { awake, chat, expect, goOffline, test } from './journey.ts';
import { toast } from './messages.page.ts';
import { violations } from './violations.ts';

const PICTURE = {
  name: 'wren.png',
  mimeType: 'image/png',
  buffer: readFileSync(new URL('../../public/icons/apple-touch-icon.png', import.meta.url)),
};
const REFUSED = 'She is 14 years old. They have sex.';
const WHY = t('errors:refused_minors');

/** Sends an appeal against a refusal by keyboard and waits for the confirmation. @param isGuest whether the user is a guest */
async function appeal(page: Page, isGuest = false) {
  const open = page.getByRole('button', { name: t('errors:appeal_open') });
  await open.focus();
  await page.keyboard.press('Enter');
  const box = page.getByRole('textbox', { name: t('errors:appeal_label') });
  await expect(box).toBeFocused();
  // Cancelling returns the focus to the button that opened the appeal.
  // A dialog has a button of the same name after it.
  await page
    .getByRole('button', { name: t('errors:appeal_cancel') })
    .first()
    .click();
  await expect(open).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: t('errors:appeal_send') }).press('Enter');
  // An empty appeal is not sent.
  await expect(box).toBeFocused();
  await box.fill('This is a medical text.');
  expect(await violations(page)).toEqual([]);
  const sent = page.waitForResponse((answer) => answer.url().endsWith('/api/appeals'));
  await page.getByRole('button', { name: t('errors:appeal_send') }).click();
  expect((await sent).status()).toBe(201);
  await expect(page.getByText(t(isGuest ? 'errors:appeal_sent_guest' : 'errors:appeal_sent'))).toBeFocused();
}

test('a refused character text shows the reason at its field, allows an appeal, and costs no points', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { form, field: text } = await newForm(page);
  await page.getByLabel(t('create:avatarChoose')).first().setInputFiles(PICTURE);
  const cropDialog = page.getByRole('dialog', { name: t('picture:cropTitle') });
  await cropDialog.getByRole('button', { name: t('picture:cropSave') }).click();
  await expect(toast(page, t('create:avatarAdded'))).toBeVisible();
  await text(t('create:nameLabel')).fill('Wren');
  await text(t('create:onelinerLabel')).fill(REFUSED);
  await text(t('create:character_traitsLabel')).fill('Curious.');
  await form.getByRole('button', { name: t('create:publish_public') }).click();

  const why = new RegExp(RegExp.escape(WHY));
  await expect(text(t('create:onelinerLabel'))).toHaveAccessibleDescription(why);
  await expect(text(t('create:character_traitsLabel'))).not.toHaveAccessibleDescription(why);
  await expect(text(t('create:onelinerLabel'))).toHaveValue(REFUSED);
  await expect(form.getByText(describePrice(50))).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await appeal(page);

  await text(t('create:onelinerLabel')).fill('Maps coasts');
  await form.getByRole('button', { name: t('create:publish_public') }).click();
  await expect(page).toHaveURL(/character-info/);
});

test('a refused persona shows the reason, and its appeal can be sent once the user is online again @all', async ({
  page,
  context,
}) => {
  await page.request.post('/api/auth/anonymous');
  await page.goto('/en/user-persona');
  await awake(page);
  await page.getByRole('button', { name: t('personas:create') }).click();
  const form = page.getByRole('dialog', { name: t('personas:createTitle') });
  await form.getByRole('textbox', { name: t('personas:nameLabel') }).fill('Mia');
  await form.getByRole('textbox', { name: t('personas:descriptionLabel') }).fill(REFUSED);
  await form.getByRole('button', { name: t('personas:save') }).click();
  await expect(form.getByRole('alert')).toContainText(WHY);
  await form.getByRole('button', { name: t('errors:appeal_open') }).click();
  const box = form.getByRole('textbox', { name: t('errors:appeal_label') });
  await box.fill('It is not meant so.');
  await goOffline(page);
  const send = form.getByRole('button', { name: t('errors:appeal_send') });
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await send.press('Enter');
  await expect(box).toHaveValue('It is not meant so.');
  await expect(box).toBeFocused();
  await context.setOffline(false);
  await send.click();
  await expect(form.getByText(t('errors:appeal_sent_guest'))).toBeVisible();
});

test('a refused message and a refused reply in a test chat can both be appealed @all', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { form } = await newForm(page);
  await form.getByRole('textbox', { name: t('create:nameLabel'), exact: true }).fill('Wren');
  await form.getByRole('textbox', { name: t('create:onelinerLabel'), exact: true }).fill('Maps coasts');
  await form.getByRole('textbox', { name: t('create:character_traitsLabel'), exact: true }).fill('Curious.');
  await page.getByRole('button', { name: t('create:testChatOpen') }).click();
  const testChat = page.getByRole('complementary', {
    name: t('create:testChatTitleNamed', { name: 'Wren' }),
  });
  const box = testChat.getByRole('textbox', { name: t('chat:composerLabel', { name: 'Wren' }) });
  await box.fill(REFUSED);
  await box.press('Enter');
  await expect(testChat.getByRole('alert').filter({ hasText: WHY })).toBeVisible();
  await appeal(page);

  await testChat.getByRole('button', { name: t('create:testChatStartOver') }).click();
  await box.fill(`Tell me. ${buildReplyScript(`The sea is calm tonight. ${REFUSED}`)}`);
  await box.press('Enter');
  const alert = testChat.getByRole('alert').filter({ hasText: t('errors:reply_ended_by_rule') });
  await expect(alert).toContainText(`${t('chat:refused_minors')} ${t('chat:noPointsUsed')}`);
  await appeal(page);
});

test('a refused memory note and a refused chat file can be appealed @all', async ({ page }) => {
  const { say, messages } = await chat(page);
  await say(FIRST_LINE);
  await expect(messages.last()).toContainText('w1');
  await choose(page, t('chat:memoryTitle'));
  const memory = page.getByRole('dialog', { name: t('chat:memoryTitle') });
  await memory.getByRole('button', { name: t('chat:memoryAdd') }).click();
  await memory.getByRole('textbox', { name: t('chat:memoryAddLabel') }).fill(REFUSED);
  await memory.getByRole('button', { name: t('chat:save'), exact: true }).click();
  await expect(memory.getByRole('alert').filter({ hasText: WHY })).toBeVisible();
  await appeal(page, true);

  await page.reload();
  await awake(page);
  await choose(page, t('chat:filesMenu'));
  const files = page.getByRole('dialog', { name: t('chat:filesTitle') });
  const lines = [
    { user_name: 'Tam', character_name: 'Orla', create_date: '2023-6-19 @16h 20m 5s 123ms' },
    { name: 'Tam', is_user: true, send_date: 1_690_000_000_000, mes: REFUSED },
  ];
  await files.getByLabel(t('chat:importChooseFile')).setInputFiles({
    name: 'chat.jsonl',
    mimeType: 'application/jsonl',
    buffer: Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')),
  });
  await files.getByRole('button', { name: t('chat:importConfirm') }).click();
  await expect(files.getByRole('alert')).toContainText(WHY);
  await appeal(page, true);
});

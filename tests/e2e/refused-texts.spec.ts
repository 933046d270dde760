import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { awake, chat, expect, goOffline, test } from './journey.ts';
import { buildReplyScript } from '../support/reply-script.ts';
import { choose, FIRST_LINE } from './chat-frame.page.ts';
import { newForm } from './creator-setup.ts';
import { toast } from './messages.page.ts';
import { violations } from './violations.ts';

const PICTURE = {
  name: 'wren.png',
  mimeType: 'image/png',
  buffer: readFileSync(new URL('../../public/icons/apple-touch-icon.png', import.meta.url)),
};
const REFUSED = 'She is 14 years old. They have sex.';
const WHY = 'Nothing sexual is allowed here with somebody who is, or reads as, a minor. Nothing was charged.';

/** Sends an appeal against a refusal by keyboard and waits for the confirmation. */
async function appeal(page: Page) {
  const open = page.getByRole('button', { name: 'Appeal: this is a mistake' });
  await open.focus();
  await page.keyboard.press('Enter');
  const box = page.getByRole('textbox', { name: 'Why is this a mistake?' });
  await expect(box).toBeFocused();
  // Cancelling returns the focus to the button that opened the appeal.
  await page.getByRole('button', { name: 'Leave it' }).click();
  await expect(open).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Send appeal' }).press('Enter');
  // An empty appeal is not sent.
  await expect(box).toBeFocused();
  await box.fill('This is a medical text.');
  expect(await violations(page)).toEqual([]);
  const sent = page.waitForResponse((answer) => answer.url().endsWith('/api/appeals'));
  await page.getByRole('button', { name: 'Send appeal' }).click();
  expect((await sent).status()).toBe(201);
  await expect(page.getByText('Your appeal was sent. The answer comes into your account.')).toBeFocused();
}

test('a refused character text shows the reason at its field, allows an appeal, and costs no points', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { form, field: text } = await newForm(page);
  await page.getByLabel('Choose a picture').first().setInputFiles(PICTURE);
  const cropDialog = page.getByRole('dialog', { name: 'Choose what shows' });
  await cropDialog.getByRole('button', { name: 'Use this picture' }).click();
  await expect(toast(page, 'The picture is in place.')).toBeVisible();
  await text('Name').fill('Wren');
  await text('Tagline').fill(REFUSED);
  await text('Traits').fill('Curious.');
  await form.getByRole('button', { name: 'Publish for everybody' }).click();

  await expect(text('Tagline')).toHaveAccessibleDescription(new RegExp(WHY.replaceAll('.', '\\.')));
  await expect(text('Traits')).not.toHaveAccessibleDescription(/sexual/);
  await expect(text('Tagline')).toHaveValue(REFUSED);
  await expect(form.getByText('You have 50 points.')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await appeal(page);

  await text('Tagline').fill('Maps coasts');
  await form.getByRole('button', { name: 'Publish for everybody' }).click();
  await expect(page).toHaveURL(/character-info/);
});

test('a refused persona shows the reason, and its appeal can be sent once the user is online again @all', async ({
  page,
  context,
}) => {
  await page.request.post('/api/auth/anonymous');
  await page.goto('/en/user-persona');
  await awake(page);
  await page.getByRole('button', { name: 'Create a persona' }).click();
  const form = page.getByRole('dialog', { name: /persona/ });
  await form.getByRole('textbox', { name: 'Name' }).fill('Mia');
  await form.getByRole('textbox', { name: 'Description' }).fill(REFUSED);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('alert')).toContainText(WHY);
  await form.getByRole('button', { name: 'Appeal: this is a mistake' }).click();
  const box = form.getByRole('textbox', { name: 'Why is this a mistake?' });
  await box.fill('It is not meant so.');
  await goOffline(page);
  const send = form.getByRole('button', { name: 'Send appeal' });
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await send.press('Enter');
  await expect(box).toHaveValue('It is not meant so.');
  await expect(box).toBeFocused();
  await context.setOffline(false);
  await send.click();
  await expect(form.getByText('Your appeal was sent.')).toBeVisible();
});

test('a refused message and a refused reply in a test chat can both be appealed @all', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { form } = await newForm(page);
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Wren');
  await form.getByRole('textbox', { name: 'Tagline', exact: true }).fill('Maps coasts');
  await form.getByRole('textbox', { name: 'Traits', exact: true }).fill('Curious.');
  await page.getByRole('button', { name: 'Try it' }).click();
  const testChat = page.getByRole('complementary', { name: /^Test chat/ });
  const box = testChat.getByRole('textbox', { name: 'Message to Wren' });
  await box.fill(REFUSED);
  await box.press('Enter');
  await expect(testChat.getByRole('alert').filter({ hasText: WHY })).toBeVisible();
  await appeal(page);

  await testChat.getByRole('button', { name: 'Start over' }).click();
  await box.fill(`Tell me. ${buildReplyScript(`The sea is calm tonight. ${REFUSED}`)}`);
  await box.press('Enter');
  const alert = testChat
    .getByRole('alert')
    .filter({ hasText: 'A safety rule of this site ended this reply.' });
  await expect(alert).toContainText('is never allowed here. Nothing was charged.');
  await appeal(page);
});

test('a refused memory note and a refused chat file can be appealed @all', async ({ page }) => {
  const { say, messages } = await chat(page);
  await say(FIRST_LINE);
  await expect(messages.last()).toContainText('w1');
  await choose(page, 'Memory');
  const memory = page.getByRole('dialog', { name: 'Memory' });
  await memory.getByRole('button', { name: 'Add a note of your own' }).click();
  await memory.getByRole('textbox', { name: 'Your note' }).fill(REFUSED);
  await memory.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(memory.getByRole('alert').filter({ hasText: WHY })).toBeVisible();
  await appeal(page);

  await page.reload();
  await awake(page);
  await choose(page, 'Save or bring in a chat');
  const files = page.getByRole('dialog', { name: 'This chat as a file' });
  const lines = [
    { user_name: 'Tam', character_name: 'Orla', create_date: '2023-6-19 @16h 20m 5s 123ms' },
    { name: 'Tam', is_user: true, send_date: 1_690_000_000_000, mes: REFUSED },
  ];
  await files.getByLabel('Choose a file').setInputFiles({
    name: 'chat.jsonl',
    mimeType: 'application/jsonl',
    buffer: Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')),
  });
  await files.getByRole('button', { name: 'Bring it in' }).click();
  await expect(files.getByRole('alert')).toContainText(WHY);
  await appeal(page);
});

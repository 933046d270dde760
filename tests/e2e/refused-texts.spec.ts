import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { awake, expect, goOffline, test } from './journey.ts';
import { toast, violations } from './message-hands.ts';

const PICTURE = {
  name: 'wren.png',
  mimeType: 'image/png',
  buffer: readFileSync(new URL('../../public/icons/apple-touch-icon.png', import.meta.url)),
};
const REFUSED = 'A 14-year-old girl who is naked.';
const WHY = 'Nothing sexual is allowed here with somebody who is, or reads as, a minor. Nothing was charged.';

/** Says why a refusal is a mistake, by keyboard, and is told that it was sent. */
async function appeal(page: Page) {
  const open = page.getByRole('button', { name: 'Appeal: this is a mistake' });
  await open.focus();
  await page.keyboard.press('Enter');
  const box = page.getByRole('textbox', { name: 'Why is this a mistake?' });
  await expect(box).toBeFocused();
  // Leaving it gives back what was pressed.
  await page.getByRole('button', { name: 'Leave it' }).click();
  await expect(open).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Send appeal' }).press('Enter');
  // Without a word there is nothing to send.
  await expect(box).toBeFocused();
  await box.fill('This is a medical text.');
  expect(await violations(page)).toEqual([]);
  const sent = page.waitForResponse((answer) => answer.url().endsWith('/api/appeals'));
  await page.getByRole('button', { name: 'Send appeal' }).click();
  expect((await sent).status()).toBe(201);
  await expect(page.getByText('Your appeal was sent. The answer comes into your account.')).toBeFocused();
}

test('my character is refused at the field, nothing is charged, and I appeal; mended, it is published', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.request.post('/api/auth/test-login', { data: { person: 'newcomer' } });
  await page.request.post('/api/onboarding', { data: {} });
  await page.goto('/en/create-character');
  await awake(page);
  const form = page.getByRole('form', { name: 'Create a character' });
  const text = (name: string) => form.getByRole('textbox', { name, exact: true });
  await page.getByLabel('Choose a picture').first().setInputFiles(PICTURE);
  const cutting = page.getByRole('dialog', { name: 'Choose what shows' });
  await cutting.getByRole('button', { name: 'Use this picture' }).click();
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

test('my persona is refused with the reason, and an appeal waits until I am online again', async ({
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

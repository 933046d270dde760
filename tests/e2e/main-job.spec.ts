import { randomUUID } from 'node:crypto';
import { t } from '../support/texts.ts';
import { awake, expect, model, readCode, test } from './journey.ts';

test('a guest’s conversation survives a reload and a login, and logging out hides it', async ({
  page,
  baseURL,
}) => {
  const key = randomUUID();
  const email = `ada-${key}@example.org`;

  await page.goto('/');
  await expect(page).toHaveURL(/\/en$/);
  await page
    .getByRole('main')
    .getByRole('link', { name: t('home:findCharacter') })
    .first()
    .click();
  await expect(page).toHaveURL(/\/en\/discover$/);
  const name = 'Ebbe Thorsager';
  await page.getByLabel(t('discover:search.label')).fill(name);
  await page.getByLabel(t('discover:search.label')).press('Enter');
  await page
    .getByRole('list', { name: t('discover:listLabel') })
    .getByRole('link', { name })
    .click();
  await expect(page).toHaveURL(/\/en\/character-info\//);
  await page.getByRole('link', { name: t('character:startChatting') }).click();

  // A visitor without a session is a guest from here on.
  const dialog = page.getByRole('dialog');
  await awake(page);
  const messages = page.getByRole('list', { name: t('chat:messages') }).getByRole('listitem');
  await expect(messages).toHaveCount(1);

  // The reply pauses half-way until the gate opens; the page is reloaded in between.
  const box = page.getByRole('textbox', { name: t('chat:composerLabel', { name }) });
  await box.fill(`Good evening [[scenario:gate n=10 key=${key}]]`);
  await box.press('Enter');
  await expect(messages).toHaveCount(3);
  await model('reached', key);
  await expect(messages.last()).toContainText('w9');
  await page.reload();
  await awake(page);
  await expect(messages.last()).toContainText('w9');
  await expect(page.getByRole('button', { name: t('chat:stop') })).toBeVisible();
  await model('open', key);
  await expect(messages.last()).toContainText('w19');
  await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
  const address = page.url();

  // Logging in by mail keeps the guest's conversation.
  await page.goto('/en');
  await page
    .getByRole('button', { name: t('shell:loggedOut.logIn') })
    .first()
    .click();
  await dialog.getByRole('button', { name: t('signin:continueWithEmail') }).click();
  await dialog.getByRole('textbox', { name: t('signin:emailLabel') }).fill(email);
  await dialog.getByRole('button', { name: t('signin:sendCode') }).click();
  await expect(dialog.getByText(email)).toBeVisible();
  const code = await readCode(baseURL as string, email);
  await dialog.getByRole('textbox', { name: t('signin:codeDigit', { number: 1, count: 6 }) }).focus();
  await page.keyboard.type(code);
  await dialog.getByRole('button', { name: t('signin:verify') }).click();
  await dialog.getByRole('button', { name: t('onboarding:skip') }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(email)).toBeVisible();
  await page.goto(address);
  await awake(page);
  await expect(messages).toHaveCount(3);
  await expect(messages.last()).toContainText('w19');

  // Logging out hides it on this page and at its address.
  await page.goto('/en');
  // Logging out loads the home page.
  const home = page.waitForEvent('load');
  await page.getByRole('button', { name: t('shell:profile.logOut') }).click();
  await home;
  await expect(page.getByText(email)).toBeHidden();
  await page.goto(address);
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(messages).toHaveCount(0);
});

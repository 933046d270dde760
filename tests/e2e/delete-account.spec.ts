import type { Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import {
  awake,
  chat,
  expect,
  loadMessagesByScript,
  noteInChat,
  readCode,
  readMail,
  SOMEBODY,
  test,
} from './journey.ts';
import { violations } from './violations.ts';

/** Logs a new account in. @returns its e-mail address */
async function logInNewAccount(page: Page, origin: string): Promise<string> {
  const email = `leaver-${crypto.randomUUID()}@example.test`;
  await page.request.post('/api/auth/send-login-code', { data: { email } });
  await page.request.post('/api/auth/login-with-code', {
    data: { email, code: await readCode(origin, email) },
  });
  await page.request.post('/api/onboarding', { data: {} });
  return email;
}

/** Reads the deletion link from the newest mail. */
async function readDeletionLink(origin: string, email: string): Promise<string> {
  let path = '';
  await expect
    .poll(async () => {
      const { text } = await readMail(origin, email);
      path = /\/delete-account\?token=[0-9a-f]+/.exec(text)?.[0] ?? '';
      return path;
    })
    .not.toBe('');
  return path;
}

/** Subscribes the user at PayPal and activates the membership. @returns the subscription's id and its last paid day */
async function subscribe(page: Page): Promise<{ id: string; until: string }> {
  const { user } = (await (await page.request.get('/api/auth/status')).json()) as { user: { id: string } };
  const payPalUrl = `${process.env.LORELOOM_PAYPAL}/control/subscriptions`;
  const post = (url: string, body: object) => fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const { id } = (await (await post(payPalUrl, { custom_id: user.id })).json()) as { id: string };
  await post(`${payPalUrl}/${id}/pay`, {});
  const answer = await page.request.post('/api/subscription/activate', { data: { subscription_id: id } });
  expect(answer.status()).toBe(200);
  const { current_period_end: end } = (await answer.json()) as { current_period_end: string };
  expect(Date.parse(end) - Date.now()).toBeGreaterThan(27 * 86_400_000);
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
  return { id, until: day.format(new Date(end)) };
}

const getTitle = (page: Page, name: string) => page.getByRole('heading', { name });

test('a user deletes the account through a mailed link, and the device keeps none of the user’s data', async ({
  page,
  baseURL,
}) => {
  const origin = baseURL ?? '';
  const email = await logInNewAccount(page, origin);
  const subscription = await subscribe(page);
  const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
    items: { id: string }[];
  };
  await page.goto(`/character/${items[0]?.id}`);
  await awake(page);
  await page
    .getByRole('textbox', { name: new RegExp(t('chat:composerLabel', { name: '.+' })) })
    .fill('Not sent yet');
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('draft:'))))
    .toBe(true);

  await page.goto('/delete-account');
  await awake(page);
  await expect(getTitle(page, t('deletion:deletedTitle'))).toBeVisible();
  await expect(page.getByRole('link', { name: t('deletion:downloadLink') })).toHaveAttribute(
    'href',
    '/account#data',
  );
  const send = page.getByRole('button', { name: t('deletion:sendLink') });
  await expect(send).toBeDisabled();
  const field = page.getByRole('textbox', { name: t('deletion:emailLabel') });
  await field.fill('somebody.else@example.test');
  await send.click();
  await expect(page.getByText('Email address does not match your account')).toBeVisible();
  await expect(field).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await field.fill(` ${email.toUpperCase()} `);
  await field.press('Enter');
  await expect(getTitle(page, t('deletion:sentTitle'))).toBeFocused();
  await expect(page.getByText(t('deletion:sentText', { email: email.toUpperCase() }))).toBeVisible();
  expect(await violations(page)).toEqual([]);

  // In a browser without a session, the link asks for a login first and continues afterwards.
  const link = await readDeletionLink(origin, email);
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.goto(link);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: t('signin:continueWithEmail') })).toBeVisible();
  await page.context().addCookies(cookies);
  await page.goto(link);
  await awake(page);
  await expect(getTitle(page, t('deletion:confirmTitle'))).toBeVisible();
  await expect(page.getByText(t('deletion:confirmText', { email }))).toBeVisible();
  await expect(page.getByText(t('deletion:confirmMembership'))).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: t('deletion:confirmDelete') }).click();
  await expect(getTitle(page, t('deletion:doneTitle'))).toBeFocused();
  const cancelled = { id: subscription.id, date: subscription.until };
  await expect(page.getByText(t('deletion:doneCancelled', cancelled))).toBeVisible();
  expect(await violations(page)).toEqual([]);
  expect(new URL(page.url()).search).toBe('');
  expect(
    await page.evaluate(() => [
      Object.keys(localStorage).filter((key) => /^(?:draft|outbox):/.test(key)),
      sessionStorage.getItem('shell'),
    ]),
  ).toEqual([[], null]);
  expect(await (await page.request.get('/api/auth/status')).json()).toMatchObject({ user: null });
  const subject = t('mail:deletion_done.subject');
  await expect.poll(async () => (await readMail(origin, email)).subject).toBe(subject);
  expect((await readMail(origin, email)).text.replaceAll(/\s+/g, ' ')).toContain(
    t('mail:deletion_done.cancelled', cancelled),
  );
});

test('the deletion page explains a lost response, and an invalid link deletes nothing and offers a new one @all', async ({
  page,
  baseURL,
}) => {
  await logInNewAccount(page, baseURL ?? '');
  await page.goto(`/delete-account?token=${'0'.repeat(64)}`);
  await awake(page);
  const confirmations = '**/api/account/delete-confirm';
  const confirm = page.getByRole('button', { name: t('deletion:confirmDelete') });
  await page.route(confirmations, (route) => route.abort());
  await confirm.click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'Network error. Please check your connection.' }),
  ).toBeVisible();
  await page.unroute(confirmations);
  await page.route(confirmations, (route) =>
    route.fulfill({ status: 401, json: { code: 'unauthenticated' } }),
  );
  await confirm.click();
  await expect(getTitle(page, t('deletion:unsureTitle'))).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  await page.unroute(confirmations);
  await page.reload();
  await awake(page);
  await page.getByRole('button', { name: t('deletion:confirmDelete') }).click();
  await expect(getTitle(page, t('deletion:invalidTitle'))).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: t('deletion:requestNewLink') }).click();
  await page.route('**/api/account/delete-request', (route) =>
    route.fulfill({ status: 502, json: { code: 'mail_failed' } }),
  );
  await page.getByRole('textbox', { name: t('deletion:emailLabel') }).fill('me@example.com');
  await page.getByRole('button', { name: t('deletion:sendLink') }).click();
  await expect(page.getByRole('alert').filter({ hasText: t('deletion:requestFailed') })).toBeVisible();
  expect(await (await page.request.get('/api/auth/status')).json()).toMatchObject({
    is_authenticated: true,
  });
});

test('a conversation whose character is gone can be read but offers no composer @all', async ({ page }) => {
  const { messages, box } = await chat(page);
  await page.route(/\/api\/conversations\/[0-9a-z]{26}(?:\?|$)/, async (route) => {
    const response = await route.fetch();
    const history = (await response.json()) as { conversation: object };
    const conversation = { ...history.conversation, character_gone: true };
    await route.fulfill({ response, json: { ...history, conversation } });
  });
  await loadMessagesByScript(page);
  await page.reload();
  await awake(page);
  await expect(messages).toHaveCount(1);
  await expect(noteInChat(page)).toContainText(t('errors:character_gone'));
  await expect(box).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
});

import type { Page } from '@playwright/test';
import { awake, chat, expect, noteInChat, readCode, readMail, SOMEBODY, test } from './journey.ts';
import { violations } from './violations.ts';

/** Somebody who is logged in, with a chat and something that they have not sent. */
async function someone(page: Page, origin: string): Promise<string> {
  const email = `leaver-${crypto.randomUUID()}@example.test`;
  await page.request.post('/api/auth/send-login-code', { data: { email } });
  await page.request.post('/api/auth/login-with-code', {
    data: { email, code: await readCode(origin, email) },
  });
  await page.request.post('/api/onboarding', { data: {} });
  return email;
}

/** The address in the newest mail. */
async function linkFor(origin: string, email: string): Promise<string> {
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

/** Has somebody pay for a membership at PayPal and come back here. @returns the subscription, and until when it is paid */
async function subscribe(page: Page): Promise<{ id: string; until: string }> {
  const { user } = (await (await page.request.get('/api/auth/status')).json()) as { user: { id: string } };
  const atPayPal = `${process.env.LORELOOM_PAYPAL}/control/subscriptions`;
  const post = (url: string, told: object) => fetch(url, { method: 'POST', body: JSON.stringify(told) });
  const { id } = (await (await post(atPayPal, { custom_id: user.id })).json()) as { id: string };
  await post(`${atPayPal}/${id}/pay`, {});
  const answer = await page.request.post('/api/subscription/activate', { data: { subscription_id: id } });
  expect(answer.status()).toBe(200);
  const { current_period_end: end } = (await answer.json()) as { current_period_end: string };
  expect(Date.parse(end) - Date.now()).toBeGreaterThan(27 * 86_400_000);
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
  return { id, until: day.format(new Date(end)) };
}

const title = (page: Page, name: string) => page.getByRole('heading', { name });

test('I delete my account by a link in a mail, step by step, and nothing of me stays on the device', async ({
  page,
  baseURL,
}) => {
  const origin = baseURL ?? '';
  const email = await someone(page, origin);
  const subscription = await subscribe(page);
  const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
    items: { id: string }[];
  };
  await page.goto(`/character/${items[0]?.id}`);
  await awake(page);
  await page.getByRole('textbox', { name: /^Message to/ }).fill('Not sent yet');
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('draft:'))))
    .toBe(true);

  await page.goto('/delete-account');
  await awake(page);
  await expect(title(page, 'What goes')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Download everything' })).toHaveAttribute(
    'href',
    '/api/account/export',
  );
  const send = page.getByRole('button', { name: 'Send me the link' });
  await expect(send).toBeDisabled();
  const field = page.getByRole('textbox', { name: 'E-mail address of your account' });
  await field.fill('somebody.else@example.test');
  await send.click();
  await expect(page.getByText('Email address does not match your account')).toBeVisible();
  await expect(field).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await field.fill(` ${email.toUpperCase()} `);
  await field.press('Enter');
  await expect(title(page, 'A link is on its way to you')).toBeFocused();
  await expect(page.getByText('works for 24 hours')).toBeVisible();
  expect(await violations(page)).toEqual([]);

  // Opened where nobody is logged in, the link asks who is there first, and goes on from there.
  const link = await linkFor(origin, email);
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.goto(link);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Continue with e-mail' })).toBeVisible();
  await page.context().addCookies(cookies);
  await page.goto(link);
  await awake(page);
  await expect(title(page, 'Delete it all for good?')).toBeVisible();
  await expect(page.getByText(`This deletes the account ${email}`)).toBeVisible();
  await expect(page.getByText('it is cancelled at PayPal first')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Delete my account for good' }).click();
  await expect(title(page, 'Your account is deleted')).toBeFocused();
  const confirmation = `PayPal confirms that subscription ${subscription.id} is cancelled. It was paid until ${subscription.until}`;
  await expect(page.getByText(confirmation)).toBeVisible();
  expect(await violations(page)).toEqual([]);
  expect(new URL(page.url()).search).toBe('');
  expect(
    await page.evaluate(() => [
      Object.keys(localStorage).filter((key) => /^(?:draft|outbox):/.test(key)),
      sessionStorage.getItem('shell'),
    ]),
  ).toEqual([[], null]);
  expect(await (await page.request.get('/api/auth/status')).json()).toMatchObject({ user: null });
  await expect.poll(async () => (await readMail(origin, email)).subject).toContain('is deleted');
  expect((await readMail(origin, email)).text.replaceAll(/\s+/g, ' ')).toContain(confirmation);
});

test('a lost answer is told as one, and a link that does not work deletes nothing and leads to a new one', async ({
  page,
  baseURL,
}) => {
  await someone(page, baseURL ?? '');
  await page.goto(`/delete-account?token=${'0'.repeat(64)}`);
  await awake(page);
  const confirmations = '**/api/account/delete-confirm';
  const confirm = page.getByRole('button', { name: 'Delete my account for good' });
  await page.route(confirmations, (route) => route.abort());
  await confirm.click();
  await expect(page.getByRole('alert').filter({ hasText: /connection|network/i })).toBeVisible();
  await page.unroute(confirmations);
  await page.route(confirmations, (route) =>
    route.fulfill({ status: 401, json: { code: 'unauthenticated' } }),
  );
  await confirm.click();
  await expect(title(page, 'Was it deleted already?')).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  await page.unroute(confirmations);
  await page.reload();
  await awake(page);
  await page.getByRole('button', { name: 'Delete my account for good' }).click();
  await expect(title(page, 'This link does not work any more')).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Ask for a new link' }).click();
  await expect(page.getByRole('button', { name: 'Send me the link' })).toBeVisible();
  expect(await (await page.request.get('/api/auth/status')).json()).toMatchObject({
    is_authenticated: true,
  });
});

test('a chat whose character has gone can be read, and says that nobody answers', async ({ page }) => {
  const { messages, box } = await chat(page);
  await page.route(/\/api\/conversations\/[0-9a-z]{26}(?:\?|$)/, async (route) => {
    const response = await route.fetch();
    const told = (await response.json()) as { conversation: object };
    const conversation = { ...told.conversation, character_gone: true };
    await route.fulfill({ response, json: { ...told, conversation } });
  });
  await page.reload();
  await awake(page);
  await expect(messages).toHaveCount(1);
  await expect(noteInChat(page)).toContainText('Nobody answers here any more');
  await expect(box).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
});

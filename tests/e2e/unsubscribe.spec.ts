import type { Page } from '@playwright/test';
import { createUnsubscribeToken, buildUnsubscribeUrl } from '../../src/features/mail/unsubscribe.ts';
import { readTexts, t } from '../support/texts.ts';
import { expect, readCode, test } from './journey.ts';
import { violations } from './violations.ts';

/** Creates an account and returns the path that unsubscribes it from notifications. */
async function createUnsubscribePath(page: Page, origin: string): Promise<string> {
  const email = `way-out-${crypto.randomUUID()}@example.test`;
  await page.request.post('/api/auth/send-login-code', { data: { email } });
  const code = await readCode(origin, email);
  const answer = await page.request.post('/api/auth/login-with-code', { data: { email, code } });
  const { user_id: userId } = (await answer.json()) as { user_id: string };
  await page.context().clearCookies();
  const secret = process.env.LORELOOM_AUTH_SECRET ?? '';
  return buildUnsubscribeUrl('', await createUnsubscribeToken(secret, { userId, list: 'notifications' }));
}

async function expectAccessible(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
}

test('an unsubscribe link asks first, unsubscribes by one button without a login, and then shows the result', async ({
  page,
  baseURL,
}) => {
  const address = await createUnsubscribePath(page, baseURL ?? '');
  for (let visit = 0; visit < 2; visit += 1) {
    await page.goto(address);
    await expect(page.getByRole('heading', { name: t('pages:unsubscribe.title') })).toBeVisible();
    await expect(page.getByText(t('pages:unsubscribe.ask_notifications'))).toBeVisible();
  }
  await expectAccessible(page);
  await page.getByRole('button', { name: t('pages:unsubscribe.button') }).click();
  await expect(page.getByText(t('pages:unsubscribe.done_notifications'))).toBeVisible();
  await expectAccessible(page);
  expect(new URL(page.url()).pathname).toBe('/unsubscribe');
  await page.reload();
  await expect(page.getByText(t('pages:unsubscribe.done_notifications'))).toBeVisible();
  await expect(page.getByRole('button', { name: t('pages:unsubscribe.button') })).toHaveCount(0);
  await expect(page.getByRole('link', { name: t('pages:unsubscribe.account') })).toHaveAttribute(
    'href',
    '/account',
  );
});

test('a damaged unsubscribe link shows that it does not work and offers no form @all', async ({
  page,
  baseURL,
}) => {
  const address = await createUnsubscribePath(page, baseURL ?? '');
  await page.goto(address.slice(0, -1));
  await expect(page.getByRole('heading', { name: t('pages:unsubscribe.invalid_title') })).toBeVisible();
  await expectAccessible(page);
  await expect(page.locator('main form')).toHaveCount(0);
});

test.describe('Unsubscribing without scripts', () => {
  test.use({ javaScriptEnabled: false, locale: 'de-DE' });
  const german = readTexts('de');

  test('the unsubscribe page works without scripts in the visitor’s language @all', async ({
    page,
    baseURL,
  }) => {
    await page.goto(await createUnsubscribePath(page, baseURL ?? ''));
    await page.getByRole('button', { name: german('pages:unsubscribe.button') }).click();
    await expect(page.getByText(german('pages:unsubscribe.done_notifications'))).toBeVisible();
  });
});

test('a mail program unsubscribes with a one-click POST to the address of the page', async ({
  page,
  baseURL,
}) => {
  const address = await createUnsubscribePath(page, baseURL ?? '');
  const answer = await fetch(`${baseURL}${address}`, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    redirect: 'manual',
  });
  expect([answer.status, await answer.json()]).toEqual([200, { list: 'notifications', subscribed: false }]);
  await page.goto(address);
  await expect(page.getByText(t('pages:unsubscribe.done_notifications'))).toBeVisible();
});

import type { CDPSession, Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { awake, expect, readCode, readMail, test } from './journey.ts';
import { violations } from './violations.ts';

/** Gives the browser a device that holds passkeys and that its user unlocks at once. */
async function addDevice(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

/** Logs a new account in. @returns its e-mail address */
async function logInNewAccount(page: Page, origin: string): Promise<string> {
  const email = `keyholder-${crypto.randomUUID()}@example.test`;
  await page.request.post('/api/auth/send-login-code', { data: { email } });
  const code = await readCode(origin, email);
  await page.request.post('/api/auth/login-with-code', { data: { email, code } });
  await page.request.post('/api/onboarding', { data: {} });
  return email;
}

const getSection = (page: Page) => page.getByRole('region', { name: t('account:passkeysTitle') });

/** Opens the account page and adds a passkey there. */
async function addPasskey(page: Page): Promise<void> {
  await page.goto('/account#passkeys');
  await awake(page);
  await getSection(page)
    .getByRole('button', { name: t('account:passkeyAdd') })
    .click();
  await expect(getSection(page).getByRole('listitem')).toHaveCount(1);
}

test('a user adds a passkey, logs in with it, and deletes the account after proving who they are', async ({
  page,
  baseURL,
}) => {
  const origin = baseURL ?? '';
  const email = await logInNewAccount(page, origin);
  await addDevice(page);
  await addPasskey(page);
  const section = getSection(page);
  await section
    .getByRole('button', { name: new RegExp(t('account:passkeyRenameNamed', { name: '.+' })) })
    .click();
  const renaming = page.getByRole('dialog', { name: t('account:passkeyRenameTitle') });
  await renaming.getByRole('textbox', { name: t('account:passkeyNameLabel') }).fill('My laptop');
  expect(await violations(page)).toEqual([]);
  await renaming.getByRole('button', { name: t('account:save') }).click();
  await expect(section.getByRole('listitem')).toContainText('My laptop');
  await expect(section.getByRole('listitem')).toContainText(t('account:passkeyUnused'));

  await page.request.post('/api/logout');
  await page.reload();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: t('signin:continueWithPasskey') }).click();
  await expect(section.getByRole('listitem')).toContainText(
    new RegExp(t('account:sessionLastUsed', { time: '.+' })),
  );

  await page.request.post('/api/account/delete-request', { data: { email } });
  let link = '';
  await expect
    .poll(async () => {
      link = /\/delete-account\?token=[0-9a-f]+/.exec((await readMail(origin, email)).text)?.[0] ?? '';
      return link;
    })
    .not.toBe('');
  await page.goto(link);
  await awake(page);
  // As if the login were older than a quarter of an hour.
  await page.route(
    '**/api/account/delete-confirm',
    (route) =>
      route.fulfill({ status: 403, json: { code: 'recent_login_required', methods: ['passkey', 'code'] } }),
    { times: 1 },
  );
  await page.getByRole('button', { name: t('deletion:confirmDelete') }).click();
  const again = page.getByRole('dialog', { name: t('signin:againTitle') });
  const withPasskey = again.getByRole('button', { name: t('signin:continueWithPasskey') });
  await expect(withPasskey).toBeFocused();
  await expect(again.getByRole('button', { name: t('signin:continueWithGoogle') })).toBeHidden();
  expect(await violations(page)).toEqual([]);
  await withPasskey.click();
  await expect(page.getByRole('heading', { name: t('deletion:doneTitle') })).toBeFocused();
  expect(await (await page.request.get('/api/auth/status')).json()).toMatchObject({ user: null });
});

test('a user who removes a passkey or does not unlock the device logs in another way @all', async ({
  page,
  baseURL,
}) => {
  await logInNewAccount(page, baseURL ?? '');
  const { cdp, authenticatorId } = await addDevice(page);
  await addPasskey(page);
  const section = getSection(page);
  // The device has a passkey for this account already.
  await section.getByRole('button', { name: t('account:passkeyAdd') }).click();
  await expect(section.getByRole('alert')).toHaveText(t('errors:passkey_known'));

  await section
    .getByRole('button', { name: new RegExp(t('account:passkeyRemoveNamed', { name: '.+' })) })
    .click();
  const confirming = page.getByRole('dialog', { name: t('account:passkeyRemoveTitle') });
  await confirming.getByRole('button', { name: t('account:passkeyRemoveConfirm') }).click();
  await expect(section.getByText(t('account:passkeysEmpty'))).toBeVisible();

  await page.request.post('/api/logout');
  await page.goto('/account');
  const dialog = page.getByRole('dialog');
  const withPasskey = dialog.getByRole('button', { name: t('signin:continueWithPasskey') });
  await withPasskey.click();
  await expect(dialog.getByRole('alert')).toHaveText(t('errors:invalid_passkey'));
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await withPasskey.click();
  await expect(dialog.getByRole('status')).toHaveText(t('errors:passkey_cancelled'));
  await expect(dialog.getByRole('button', { name: t('signin:continueWithEmail') })).toBeEnabled();
});

test('an admin who has to log in with a passkey learns where to add one @all', async ({
  browser,
  baseURL,
}) => {
  // The `page` fixture would fail on the pages' 404.
  const page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
  await page.request.post('/api/auth/test-login', { data: { person: 'admin' } });
  await page.route(
    '**/api/admin/feedback*',
    (route) => route.fulfill({ status: 403, json: { code: 'passkey_required', methods: [] } }),
    { times: 1 },
  );
  await page.goto('/admin-feedback');
  const dialog = page.getByRole('dialog', { name: t('signin:againTitle') });
  await expect(dialog).toContainText(t('signin:reason_passkey'));
  await expect(dialog.getByRole('link', { name: t('signin:addPasskey') })).toHaveAttribute(
    'href',
    '/account#passkeys',
  );
  await expect(dialog.getByRole('button', { name: t('signin:continueWithEmail') })).toBeHidden();
  expect(await violations(page)).toEqual([]);
});

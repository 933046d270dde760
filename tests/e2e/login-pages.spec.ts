import { request as httpRequest } from 'node:http';
import { t } from '../support/texts.ts';
import { chooseInWindow, googler, whoIsHere } from './google.page.ts';
import { expect, SOMEBODY, test } from './journey.ts';
import { violations } from './violations.ts';

/** Creates a Google account for the test reader, who has completed the onboarding. @returns its e-mail address */
async function createGoogleReader(baseURL: string | undefined): Promise<string> {
  const answer = await fetch(`${baseURL}/api/auth/test-login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ person: 'reader' }),
  });
  expect(answer.status).toBe(201);
  return googler({ email: 'reader@localhost.test' });
}

test('every page for logged-in users asks for a login; closing leads home, logging in opens the page @all', async ({
  page,
  request,
  baseURL,
}) => {
  const { items } = (await (await request.get(SOMEBODY)).json()) as {
    items: { id: string }[];
  };
  const id = items[0]?.id ?? '';
  const email = await createGoogleReader(baseURL);
  const dialog = page.getByRole('dialog', { name: t('signin:choiceTitle') });
  // Going back skips the page that asked for the login.
  await page.goto('/en/discover');
  await page.goto('/account');
  await dialog.getByRole('button', { name: t('signin:close') }).click();
  await expect(page).toHaveURL(/\/en$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/en\/discover$/);

  const protectedPages = [
    { path: '/account?tab=points#points', goesOn: true },
    { path: '/delete-account?token=none' },
    { path: '/membership', goesOn: true },
    { path: `/creator-center/edit/${id}` },
    { path: `/character/${id}/report` },
    { path: `/character/${id}`, goesOn: true },
    { path: '/messages/none' },
    { path: '/en/creator-center', goesOn: true },
    { path: '/en/create-character' },
    { path: '/en/move-in' },
  ];
  for (const { path, goesOn = false } of protectedPages) {
    await page.goto(path);
    await expect(dialog).toContainText('You need to be logged in to perform this action');
    await dialog.getByRole('button', { name: t('signin:close') }).click();
    await expect(page).toHaveURL(/\/en$/);
    if (!goesOn) continue;

    await page.goto(path);
    await chooseInWindow(page, dialog.getByRole('button', { name: t('signin:continueWithGoogle') }), email);
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(path.startsWith('/character/') ? new RegExp(`^[^?]*${path}`) : path);
    expect(await whoIsHere(page)).toMatchObject({ user: { email } });
    await page.goto('about:blank');
    await page.request.post('/api/logout');
  }

  // Without an administrator's session this address looks like an unknown one.
  const stats = await request.get('/admin-stats');
  expect(stats.status()).toBe(404);
  expect(await stats.text()).toContain('data-needs-login="account"');
  // The error page asks for no login.
  await page.goto('/error-page?status=500');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Error 500');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the login page shows known errors and redirects only to pages of this site @all', async ({
  page,
  baseURL,
}) => {
  const email = await createGoogleReader(baseURL);
  const dialog = page.getByRole('dialog');
  await page.goto('/login?error=email_unverified&next=/account');
  await expect(page.getByRole('main')).toContainText(t('pages:login.textGoogle'));
  await expect(dialog.getByRole('alert')).toContainText(t('errors:email_unverified'));
  expect(await violations(page)).toEqual([]);
  await page.goto('/login?error=oauth_state_expired');
  await expect(dialog.getByRole('alert')).toContainText(t('errors:oauth_state_expired'));
  // An error code that does not belong to the login shows no message.
  await page.goto('/login?error=points_exhausted&next=//elsewhere.example/');
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole('button', { name: t('signin:continueWithGoogle') })).toBeFocused();
  await expect(dialog.getByRole('alert')).toHaveCount(0);

  await chooseInWindow(page, dialog.getByRole('button', { name: t('signin:continueWithGoogle') }), email);
  await expect(page).toHaveURL('/en');
  await page.goto('/login?next=/privacy%23kept');
  await expect(page).toHaveURL('/privacy#kept');
  // The privacy policy names the payment records that the law requires.
  await expect(page.getByText(t('legal:privacy.retention.memberships'))).toBeVisible();
  await expect(page.getByText(t('legal:privacy.retention.payments'))).toHaveCount(0);
  for (const next of ['https://elsewhere.example/', '/\\elsewhere.example', '/api/logout']) {
    await page.goto(`/login?${new URLSearchParams({ next })}`);
    await expect(page).toHaveURL('/en');
  }
});

test('an open page follows a login in another tab, and a restored page follows a logout', async ({
  page,
  context,
}) => {
  await page.goto('/en/discover');
  const logOut = page.getByRole('button', { name: t('shell:profile.logOut') });
  await expect(page.getByRole('button', { name: t('shell:loggedOut.logIn') }).first()).toBeVisible();
  await expect(logOut).toBeHidden();
  const otherTab = await context.newPage();
  await otherTab.goto('/test-login?next=/privacy');
  await otherTab.getByRole('button', { name: t('pages:testLogin.reader') }).click();
  await expect(otherTab).toHaveURL('/privacy');
  await otherTab.goto('/en');
  await expect(logOut).toBeVisible();

  await page.request.post('/api/logout');
  // The page opens again, now or by itself before, which ends what is evaluated in it.
  await page
    .evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    .catch(() => {});
  await expect(logOut).toBeHidden();
});

test('the test login works on a local host, and is a 404 under a public host name @all', async ({
  page,
  baseURL,
}) => {
  await page.goto('/test-login?next=/en/discover');
  await expect(page.getByRole('button', { name: t('pages:testLogin.newcomer') })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: t('pages:testLogin.newcomer') }).click();
  await expect(page).toHaveURL(/\/en\/discover/);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('onboarding:skip') })
    .click();
  await expect
    .poll(() => whoIsHere(page))
    .toMatchObject({ user: { onboarding_completed: true, role: 'user' } });
  await page.goto('/test-login?next=//elsewhere.example/');
  await page.getByRole('button', { name: t('pages:testLogin.admin') }).click();
  await expect(page).toHaveURL('/en');
  expect(await whoIsHere(page)).toMatchObject({ user: { role: 'admin' } });

  const requestStatus = (path: string, host: string, method = 'GET') =>
    new Promise<number | undefined>((resolve, reject) => {
      const body = method === 'POST' ? JSON.stringify({ person: 'admin' }) : '';
      const headers = { host, 'content-type': 'application/json', 'content-length': body.length };
      const call = httpRequest(`${baseURL}${path}`, { method, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      call.on('error', reject);
      call.end(body);
    });
  const local = new URL(baseURL as string).host;
  expect(await requestStatus('/test-login', local)).toBe(200);
  expect(await requestStatus('/test-login', 'loreloom.example')).toBe(404);
  expect(await requestStatus('/login', 'loreloom.example')).toBe(200);
  expect(await requestStatus('/api/auth/test-login', local, 'POST')).toBe(201);
  expect(await requestStatus('/api/auth/test-login', 'loreloom.example', 'POST')).toBe(404);
});

test('a dialog that has to wait for a code says when, and the mailed link confirms the browser', async ({
  page,
  context,
}) => {
  await page.route('**/api/auth/send-login-code', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '86400' },
      json: { error: 'Wait.', code: 'too_many_unused_codes' },
    }),
  );
  await page.goto('/login');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: t('signin:continueWithEmail') }).click();
  await dialog.getByRole('textbox', { name: t('signin:emailLabel') }).fill('ana@example.org');
  await dialog.getByRole('button', { name: t('signin:sendCode') }).click();
  const [before = '', after = ''] = t('errors:too_many_unused_codes', { time: '|' }).split('|');
  await expect(dialog.getByText(before.trim())).toContainText(after);
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: t('signin:back') }).click();
  await expect(dialog.getByRole('button', { name: t('signin:continueWithGoogle') })).toBeVisible();

  const mark = 'a1'.repeat(24);
  await page.goto(`/login?browser=${mark}`);
  await expect(page).toHaveURL('/login?error=browser_confirmed');
  await expect(dialog.getByRole('status')).toHaveText(t('errors:browser_confirmed'));
  expect(await violations(page)).toEqual([]);
  const cookie = (await context.cookies()).find(({ name }) => name === 'known-browser');
  expect(cookie).toMatchObject({ value: mark, httpOnly: true, sameSite: 'Lax' });
});

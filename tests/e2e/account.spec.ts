import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type APIRequestContext, type Page, request as newRequest } from '@playwright/test';
import { awake, expect, readCode, test } from './journey.ts';
import { toast } from './messages.page.ts';
import { violations } from './violations.ts';

const PICTURE = {
  name: 'me.png',
  mimeType: 'image/png',
  buffer: readFileSync(new URL('../../public/icons/apple-touch-icon.png', import.meta.url)),
};

/** Signs an account in without a dialog. */
async function logIn(request: APIRequestContext, origin: string, email: string): Promise<void> {
  await request.post('/api/auth/send-login-code', { data: { email } });
  const code = await readCode(origin, email);
  const answer = await request.post('/api/auth/login-with-code', { data: { email, code } });
  expect(answer.status()).toBe(201);
}

async function createAccount(page: Page, origin: string): Promise<string> {
  const email = `account-${randomUUID()}@example.org`;
  await logIn(page.request, origin, email);
  return email;
}

const readAccount = async (page: Page) => (await page.request.get('/api/account')).json();

/** A section of the page by its title. */
const getSection = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('the account page saves names, picture and e-mail settings, or says why a change was refused', async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const email = await createAccount(page, baseURL as string);
  const buildCommission = (amount_cents: number, status: string, day: number) => ({
    ...{ amount_cents, currency: 'USD', status },
    at: `2026-03-0${day}T12:00:00.000Z`,
  });
  const commissions = [
    buildCommission(149, 'due', 3),
    buildCommission(299, 'paid', 2),
    buildCommission(50, 'reversed', 1),
  ];
  await page.route('**/api/invites', (route) =>
    route.fulfill({
      json: { code: 'ab12cd34', invite_points: 25, commission_percent: 20, invitee_count: 3, commissions },
    }),
  );
  await page.goto('/account');
  await awake(page);
  const parts = page.getByRole('navigation', { name: 'On this page' });
  await expect(parts).toHaveCSS('display', 'block');
  const profile = getSection(page, 'Profile');
  await expect(profile.getByText(email)).toBeVisible();
  expect(await violations(page)).toEqual([]);

  const username = profile.getByRole('textbox', { name: 'Username' });
  const nickname = profile.getByRole('textbox', { name: 'Nickname' });
  await username.fill('two words');
  await expect(username).toHaveAccessibleDescription(/Only letters, digits, hyphens and underscores/);
  await nickname.fill('x'.repeat(21));
  await expect(profile.getByText('21 of 20 characters')).toHaveCSS('color', 'rgb(238, 130, 117)');
  await nickname.press('Enter');
  await expect(username).toBeFocused();
  await username.fill('Wren_7');
  await nickname.fill('  Wren ');
  await nickname.press('Enter');
  await expect(toast(page, 'Your profile was saved.')).toBeVisible();
  expect(await readAccount(page)).toMatchObject({ username: 'Wren_7', nickname: 'Wren' });
  await expect(page.locator('[data-profile-name]')).toHaveText('Wren_7');

  // Discarding a change that could not be saved also removes its error.
  await page.route('**/api/account', (route) => route.abort());
  await nickname.fill('Crane');
  await nickname.press('Enter');
  const refused = profile.locator('form').getByRole('alert');
  await expect(refused).toContainText('Network error');
  await profile.getByRole('button', { name: 'Discard' }).click();
  await expect(username).toBeFocused();
  await expect(refused).toBeHidden();
  await expect(nickname).toHaveValue('Wren');
  await page.unroute('**/api/account');

  const file = profile.getByLabel('Choose a picture');
  await file.first().setInputFiles({
    name: 'x.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  });
  await expect(profile.getByText('Please choose a PNG, JPEG, WebP, GIF or AVIF picture.')).toBeVisible();
  await file.first().setInputFiles({ ...PICTURE, buffer: Buffer.alloc(2 * 1024 * 1024 + 1) });
  await expect(profile.getByText('A picture may have at most 2 MB.')).toBeVisible();
  await file.first().setInputFiles(PICTURE);
  const cropDialog = page.getByRole('dialog', { name: 'Choose what shows' });
  await expect(cropDialog.getByRole('slider', { name: 'Nearer' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await cropDialog.getByRole('slider', { name: 'Left to right' }).press('Home');
  expect(await violations(page)).toEqual([]);
  // Cancelling during the upload aborts the request.
  await page.route('**/api/uploads/avatar', () => {});
  const uploadStarted = page.waitForRequest('**/api/uploads/avatar');
  await cropDialog.getByRole('button', { name: 'Use this picture' }).click();
  await expect(cropDialog.getByRole('button', { name: 'Saving…' })).toBeFocused();
  await uploadStarted;
  const uploadCancelled = page.waitForEvent('requestfailed', (call) =>
    call.url().endsWith('/api/uploads/avatar'),
  );
  await cropDialog.getByRole('button', { name: 'Cancel' }).click();
  await uploadCancelled;
  await expect(cropDialog).toBeHidden();
  await page.unroute('**/api/uploads/avatar');
  await file.first().setInputFiles(PICTURE);
  await cropDialog.getByRole('button', { name: 'Use this picture' }).click();
  await expect(cropDialog).toBeHidden();
  await expect(profile.locator('img')).toHaveAttribute('src', /^\/media\/[0-9a-f]{32}\.webp$/);
  const { avatar_id: avatarId } = await readAccount(page);
  await profile.getByRole('button', { name: 'Remove the picture' }).click();
  await expect(profile.locator('img')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(profile.locator('img')).toHaveCount(1);
  expect(await readAccount(page)).toMatchObject({ avatar_id: avatarId });

  const news = page.getByRole('switch', { name: 'News' });
  await news.click();
  await expect.poll(async () => (await readAccount(page)).marketing_emails).toBe(true);
  await page.route('**/api/account', (route) => route.fulfill({ status: 500, json: {} }));
  await news.click();
  await expect(toast(page, 'the switch is back where it was')).toBeVisible();
  await expect(news).toBeChecked();
  await page.unroute('**/api/account');

  const invite = getSection(page, 'Invite friends');
  await expect(invite).toContainText('gets 25 points that stay.');
  await expect(invite).toContainText('You are due 20% of what those you invited pay');
  await invite.scrollIntoViewIfNeeded();
  await expect(invite).toContainText('People who joined with your code: 3');
  await expect(invite.getByRole('list', { name: 'Your commissions' }).getByRole('listitem')).toHaveText([
    /Mar 3, 2026.*Due.*\$1\.49/,
    /Mar 2, 2026.*Paid.*\$2\.99/,
    /Mar 1, 2026.*Reversed.*\$0\.50/,
  ]);

  // The chosen language is stored in the account and applies on a device without a language setting.
  await getSection(page, 'Language').getByRole('link', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect.poll(async () => (await readAccount(page)).language).toBe('de');
  await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
  await page.context().clearCookies({ name: 'lang' });
  await page.goto('/settings');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
});

test('the account page shows a member that messages cost no points and have no daily limit @all', async ({
  page,
  baseURL,
}) => {
  await createAccount(page, baseURL as string);
  await page.route('**/api/points', async (route) => {
    const answer = await route.fetch();
    const status = (await answer.json()) as object;
    await route.fulfill({
      json: {
        ...status,
        unlimited: true,
        message_cost: 0,
        daily_message_limit: null,
        daily_messages_used: 3,
      },
    });
  });
  await page.route('**/api/points/ledger*', (route) =>
    route.fulfill({
      json: {
        items: [
          {
            id: 'covered',
            at: new Date().toISOString(),
            kind: 'message_covered',
            reason: 'A reply was written: the membership covers it',
            amount: 0,
            balance_after: 50,
          },
        ],
        next_cursor: null,
      },
    }),
  );
  await page.goto('/account');
  await awake(page);
  const points = getSection(page, 'Plan and points');
  await points.scrollIntoViewIfNeeded();
  await expect(points.getByText('∞', { exact: true })).toBeVisible();
  await expect(points.getByText('3', { exact: true })).toHaveCount(0);
  await expect(points).toContainText('Your plan has no limit.');
  await expect(points).toContainText('Your membership covers every message: none costs points.');
  await points.getByText('Every change of your points').scrollIntoViewIfNeeded();
  await expect(points.getByRole('listitem')).toContainText('Covered by your membership: nothing was charged');
});

test('the account page shows points, ledger, invite code and sessions, and exports all data', async ({
  page,
  baseURL,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const email = await createAccount(page, baseURL as string);
  const elsewhere = await newRequest.newContext({
    baseURL: baseURL as string,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  });
  await logIn(elsewhere, baseURL as string, email);
  // The ledger has two pages: twenty replies on the first, the account's real entries on the second.
  const reply = (id: number) => ({
    id: `reply-${id}`,
    at: new Date().toISOString(),
    kind: 'message',
    reason: 'A reply was written',
    amount: -1,
    balance_after: id,
  });
  await page.route('**/api/points/ledger*', (route) => {
    const url = new URL(route.request().url());
    if (!url.searchParams.has('cursor'))
      return route.fulfill({
        json: { items: Array.from({ length: 20 }, (_, id) => reply(id)), next_cursor: 'older' },
      });
    url.searchParams.delete('cursor');
    return route.continue({ url: url.href });
  });
  await page.goto('/account');
  await awake(page);

  const points = getSection(page, 'Plan and points');
  await points.scrollIntoViewIfNeeded();
  await expect(points.getByText('0 of 100')).toBeVisible();
  await points.getByText('Every change of your points').scrollIntoViewIfNeeded();
  const ledger = points.getByRole('list', { name: 'Every change of your points' });
  await expect(ledger.getByRole('listitem')).toHaveCount(20);
  await points.getByRole('button', { name: 'Show more' }).press('Enter');
  const startingPoints = ledger.getByRole('listitem').nth(20);
  await expect(startingPoints).toContainText('What you began with');
  await expect(startingPoints).toBeFocused();

  const invite = getSection(page, 'Invite friends');
  await invite.scrollIntoViewIfNeeded();
  await expect(invite).toContainText('10 points that stay');
  await expect(invite).toContainText('15%');
  const make = invite.getByRole('button', { name: 'Make my invite code' });
  await page.route('**/api/invites', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503, json: {} }) : route.continue(),
  );
  await make.click();
  await expect(invite.getByRole('alert')).toHaveText('Failed to generate invite code');
  await page.unroute('**/api/invites');
  await make.click();
  await invite.getByRole('button', { name: 'Copy the link' }).click();
  await expect(toast(page, 'Copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/\?invite=[0-9a-z]{8}$/);
  await expect(invite).toContainText('Nobody has joined with your code yet.');

  const sessions = getSection(page, 'Where you are logged in');
  await sessions.scrollIntoViewIfNeeded();
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByRole('listitem').first()).toContainText('This device');
  await expect(sessions.getByRole('button', { name: 'Log out: Firefox on Linux' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await sessions.getByRole('button', { name: 'Log out everywhere else' }).click();
  const confirmDialog = page.getByRole('dialog', { name: 'Log out everywhere else?' });
  expect(await violations(page)).toEqual([]);
  await confirmDialog.getByRole('button', { name: 'Log the others out' }).click();
  await expect(sessions.getByText('You are logged in only here.')).toBeVisible();
  expect((await elsewhere.get('/api/account')).status()).toBe(401);
  await elsewhere.dispose();

  const data = getSection(page, 'Take everything with you');
  const download = page.waitForEvent('download');
  await data.getByRole('button', { name: 'Download everything (ZIP)' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.zip$/);
  await expect(data.getByRole('status')).toContainText('Your download is here.');
  // Beyond the download limit, the page says when the next download is possible.
  await page.route('**/api/account/export*', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '600' }, json: { code: 'too_many_requests' } }),
  );
  await data.getByRole('button', { name: 'Download as JSON' }).click();
  await expect(data.getByRole('alert')).toContainText('You can again:');
  await expect(page.getByRole('link', { name: 'Delete my account' })).toHaveAttribute(
    'href',
    '/delete-account',
  );
});

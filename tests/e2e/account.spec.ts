import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Page, request as newRequest } from '@playwright/test';
import { t } from '../support/texts.ts';
import { awake, expect, logIn, test } from './journey.ts';
import { toast } from './messages.page.ts';
import { violations } from './violations.ts';

const PICTURE = {
  name: 'me.png',
  mimeType: 'image/png',
  buffer: readFileSync(new URL('../../public/icons/apple-touch-icon.png', import.meta.url)),
};

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
  const parts = page.getByRole('navigation', { name: t('account:tableOfContents') });
  await expect(parts).toHaveCSS('display', 'block');
  const profile = getSection(page, t('account:profileTitle'));
  await expect(profile.getByText(email)).toBeVisible();
  expect(await violations(page)).toEqual([]);

  const username = profile.getByRole('textbox', { name: t('account:usernameLabel') });
  const nickname = profile.getByRole('textbox', { name: t('account:nicknameLabel') });
  await username.fill('two words');
  await expect(username).toHaveAccessibleDescription(new RegExp(t('account:username_shape')));
  await nickname.fill('x'.repeat(21));
  await expect(profile.getByText(t('account:textLength', { used: 21, limit: 20 }))).toHaveCSS(
    'color',
    'rgb(238, 130, 117)',
  );
  await nickname.press('Enter');
  await expect(username).toBeFocused();
  await username.fill('Wren_7');
  await nickname.fill('  Wren ');
  await nickname.press('Enter');
  await expect(toast(page, t('account:saved'))).toBeVisible();
  expect(await readAccount(page)).toMatchObject({ username: 'Wren_7', nickname: 'Wren' });
  await expect(page.locator('[data-profile-name]')).toHaveText('Wren_7');

  // Discarding a change that could not be saved also removes its error.
  await page.route('**/api/account', (route) => route.abort());
  await nickname.fill('Crane');
  await nickname.press('Enter');
  const refused = profile.locator('form').getByRole('alert');
  await expect(refused).toContainText('Network error');
  await profile.getByRole('button', { name: t('account:discardChanges') }).click();
  await expect(username).toBeFocused();
  await expect(refused).toBeHidden();
  await expect(nickname).toHaveValue('Wren');
  await page.unroute('**/api/account');

  const file = profile.getByLabel(t('account:pictureChoose'));
  await file.first().setInputFiles({
    name: 'x.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  });
  await expect(profile.getByText(t('picture:picture_type'))).toBeVisible();
  await file
    .first()
    .setInputFiles({ ...PICTURE, mimeType: 'image/gif', buffer: Buffer.alloc(2 * 1024 * 1024 + 1) });
  await expect(profile.getByText(t('picture:picture_gifLarge', { limit: 2 }))).toBeVisible();
  // A larger picture is shrunk before it is uploaded; what follows the end of a PNG is ignored.
  const large = Buffer.concat([PICTURE.buffer, Buffer.alloc(2 * 1024 * 1024)]);
  await file.first().setInputFiles({ ...PICTURE, buffer: large });
  const cropDialog = page.getByRole('dialog', { name: t('picture:cropTitle') });
  await expect(cropDialog.getByRole('slider', { name: t('picture:crop_zoom') })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await cropDialog.getByRole('slider', { name: t('picture:crop_x') }).press('Home');
  expect(await violations(page)).toEqual([]);
  // Cancelling during the upload aborts the request.
  await page.route('**/api/uploads/avatar', () => {});
  const uploadStarted = page.waitForRequest('**/api/uploads/avatar');
  await cropDialog.getByRole('button', { name: t('picture:cropSave') }).click();
  await expect(cropDialog.getByRole('button', { name: t('picture:uploading') })).toBeFocused();
  await uploadStarted;
  const uploadCancelled = page.waitForEvent('requestfailed', (call) =>
    call.url().endsWith('/api/uploads/avatar'),
  );
  await cropDialog.getByRole('button', { name: t('picture:cancel') }).click();
  await uploadCancelled;
  await expect(cropDialog).toBeHidden();
  await page.unroute('**/api/uploads/avatar');
  await file.first().setInputFiles(PICTURE);
  await cropDialog.getByRole('button', { name: t('picture:cropSave') }).click();
  await expect(cropDialog).toBeHidden();
  await expect(profile.locator('img')).toHaveAttribute('src', /^\/media\/[0-9a-f]{32}\.webp$/);
  const { avatar_id: avatarId } = await readAccount(page);
  await profile.getByRole('button', { name: t('account:pictureRemove') }).click();
  await expect(profile.locator('img')).toHaveCount(0);
  await page.getByRole('button', { name: t('account:undo') }).click();
  await expect(profile.locator('img')).toHaveCount(1);
  expect(await readAccount(page)).toMatchObject({ avatar_id: avatarId });

  const news = page.getByRole('switch', { name: t('account:newsEmailsLabel') });
  await news.click();
  await expect.poll(async () => (await readAccount(page)).marketing_emails).toBe(true);
  await page.route('**/api/account', (route) => route.fulfill({ status: 500, json: {} }));
  await news.click();
  await expect(toast(page, t('account:emailSettingSaveFailed'))).toBeVisible();
  await expect(news).toBeChecked();
  await page.unroute('**/api/account');

  const invite = getSection(page, t('account:inviteTitle'));
  // The section loads when it comes into view.
  await invite.scrollIntoViewIfNeeded();
  await expect(invite).toContainText(t('account:inviteeBonus', { count: 25 }));
  await expect(invite).toContainText(t('account:inviteCommission', { share: '20%' }));
  await expect(invite).toContainText(t('account:inviteesCount', { people: 3 }));
  await expect(
    invite.getByRole('list', { name: t('account:commissionsTitle') }).getByRole('listitem'),
  ).toHaveText([
    new RegExp(`Mar 3, 2026.*${t('account:commission_due')}.*\\$1\\.49`),
    new RegExp(`Mar 2, 2026.*${t('account:commission_paid')}.*\\$2\\.99`),
    new RegExp(`Mar 1, 2026.*${t('account:commission_reversed')}.*\\$0\\.50`),
  ]);

  // The chosen language is stored in the account and applies on a device without a language setting.
  await getSection(page, t('account:languageTitle')).getByRole('link', { name: 'Deutsch' }).click();
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
  await page.route('**/api/points/history*', (route) =>
    route.fulfill({
      json: {
        items: [
          {
            id: 'covered',
            day: '2026-11-28',
            kind: 'message_covered',
            reason: 'A reply was written in a test chat: the membership covers it',
            ...{ entries: 2, replies: 0, amount: 0 },
          },
        ],
        next_cursor: null,
      },
    }),
  );
  await page.goto('/account');
  await awake(page);
  const points = getSection(page, t('account:planAndPointsTitle'));
  await points.scrollIntoViewIfNeeded();
  await expect(points.getByText('∞', { exact: true })).toBeVisible();
  await expect(points.getByText('3', { exact: true })).toHaveCount(0);
  await expect(points).toContainText(t('account:noDailyLimit'));
  await expect(points).toContainText(t('account:messagesCovered'));
  await points.getByText(t('account:pointsHistoryTitle'), { exact: true }).scrollIntoViewIfNeeded();
  await expect(points.getByRole('listitem')).toContainText(t('account:pointsHistory_covered'));
  await expect(points.getByRole('listitem')).toContainText(t('account:pointsHistoryChanges', { count: 2 }));
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
  await page.goto('/account');
  await awake(page);

  const points = getSection(page, t('account:planAndPointsTitle'));
  await points.scrollIntoViewIfNeeded();
  await expect(points.getByText(t('account:messagesTodayOfLimit', { used: 0, limit: 100 }))).toBeVisible();
  const ledger = points.getByRole('list', { name: t('account:pointsHistoryTitle') });
  await expect(ledger.getByRole('listitem')).toContainText(t('account:pointsHistory_opening'));

  const invite = getSection(page, t('account:inviteTitle'));
  await invite.scrollIntoViewIfNeeded();
  await expect(invite).toContainText(t('account:inviteeBonus', { count: 10 }));
  await expect(invite).toContainText(t('account:inviteCommission', { share: '15%' }));
  const make = invite.getByRole('button', { name: t('account:inviteCodeCreate') });
  await page.route('**/api/invites', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503, json: {} }) : route.continue(),
  );
  await make.click();
  await expect(invite.getByRole('alert')).toHaveText('Failed to generate invite code');
  await page.unroute('**/api/invites');
  await make.click();
  await invite.getByRole('button', { name: t('account:inviteLinkCopy') }).click();
  await expect(toast(page, t('account:copied'))).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/\?invite=[0-9a-z]{8}$/);
  await expect(invite).toContainText(t('account:inviteesEmpty'));

  const sessions = getSection(page, t('account:sessionsTitle'));
  await sessions.scrollIntoViewIfNeeded();
  await expect(sessions.getByRole('listitem')).toHaveCount(2);
  await expect(sessions.getByRole('listitem').first()).toContainText(t('account:sessionThisDevice'));
  await expect(
    sessions.getByRole('button', {
      name: t('account:sessionLogOutNamed', {
        device: t('account:sessionDevice', { browser: 'Firefox', system: 'Linux' }),
      }),
    }),
  ).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await sessions.getByRole('button', { name: t('account:logOutOthers') }).click();
  const confirmDialog = page.getByRole('dialog', { name: t('account:logOutOthersTitle') });
  expect(await violations(page)).toEqual([]);
  await confirmDialog.getByRole('button', { name: t('account:logOutOthersConfirm') }).click();
  await expect(sessions.getByText(t('account:sessionsOnlyThisDevice'))).toBeVisible();
  expect((await elsewhere.get('/api/account')).status()).toBe(401);
  await elsewhere.dispose();

  const data = getSection(page, t('account:downloadTitle'));
  const download = page.waitForEvent('download');
  await data.getByRole('button', { name: t('account:download_zip') }).click();
  expect((await download).suggestedFilename()).toMatch(/\.zip$/);
  await expect(data.getByRole('status')).toContainText(t('account:downloadComplete'));
  // Beyond the download limit, the page says when the next download is possible.
  await page.route('**/api/account/export*', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '600' }, json: { code: 'too_many_requests' } }),
  );
  await data.getByRole('button', { name: t('account:download_json') }).click();
  await expect(data.getByRole('alert')).toContainText(
    new RegExp(t('account:downloadTooSoon', { time: '.+' })),
  );
  await expect(page.getByRole('link', { name: t('account:deleteLink') })).toHaveAttribute(
    'href',
    '/delete-account',
  );
});

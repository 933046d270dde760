import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { expect, readCode, test } from './journey.ts';
import { violations } from './violations.ts';

const newAddress = () => `onboarding-${randomUUID()}@example.org`;

/** Logs an account in, by default a new one, through the open login dialog. */
async function signIn(page: Page, origin: string, email = newAddress()): Promise<void> {
  const titles = [t('signin:choiceTitle'), t('signin:emailTitle'), t('signin:codeTitle')];
  const dialog = page.getByRole('dialog', { name: new RegExp(titles.map(RegExp.escape).join('|')) });
  await dialog.getByRole('button', { name: t('signin:continueWithEmail') }).click();
  await dialog.getByRole('textbox', { name: t('signin:emailLabel') }).fill(email);
  await dialog.getByRole('button', { name: t('signin:sendCode') }).click();
  await expect(dialog.getByText(email)).toBeVisible();
  await dialog.getByRole('textbox', { name: t('signin:codeDigit', { number: 1, count: 6 }) }).focus();
  await page.keyboard.type(await readCode(origin, email));
  await dialog.getByRole('button', { name: t('signin:verify') }).click();
}

/** Logs a new account in without a dialog. */
async function signInByApi(page: Page, origin: string): Promise<void> {
  const email = newAddress();
  await page.request.post('/api/auth/send-login-code', { data: { email } });
  const code = await readCode(origin, email);
  const answer = await page.request.post('/api/auth/login-with-code', { data: { email, code } });
  expect(answer.status()).toBe(201);
}

/** Expects a red toast at a place and for a time. The page's clock must be paused. */
async function expectToast(
  page: Page,
  { text, place, ms }: { text: string; place: 'top-right' | 'bottom-left'; ms: number },
): Promise<void> {
  const refusal = page.getByRole('alert').locator('.toast').filter({ hasText: text });
  await expect(refusal).toBeVisible();
  await expect(refusal).toHaveCSS('color', 'rgb(238, 130, 117)');
  const { width, height } = page.viewportSize() as { width: number; height: number };
  const box = (await refusal.boundingBox()) as NonNullable<Awaited<ReturnType<typeof refusal.boundingBox>>>;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  expect([y < height / 2 ? 'top' : 'bottom', x < width / 2 ? 'left' : 'right'].join('-')).toBe(place);
  await page.clock.runFor(ms - 1);
  await expect(refusal).toBeVisible();
  await page.clock.runFor(1);
  await expect(refusal).toBeHidden();
}

const getUser = async (page: Page) => (await (await page.request.get('/api/auth/status')).json()).user;

test('an invited user logs in, corrects the invite code and nickname in the onboarding, and gets 10 points', async ({
  page,
  request,
  baseURL,
}) => {
  const email = newAddress();
  await request.post('/api/auth/test-login', { data: { person: 'newcomer' } });
  const { code: invite } = (await (await request.post('/api/invites')).json()) as { code: string };
  const written = invite.toUpperCase();
  await page.goto(`/?invite=${written}`);
  await expect(page).toHaveURL(new RegExp(`/en\\?invite=${written}$`));
  const invited = t('home:invitedWithPoints', { name: '.+', count: 10 });
  await expect(page.getByRole('status').filter({ hasText: new RegExp(`^${invited}$`) })).toBeVisible();
  await page.goto('/login?next=/en/discover');
  await signIn(page, baseURL as string, email);

  const dialog = page.getByRole('dialog', { name: t('onboarding:title') });
  await expect(dialog).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  const nickname = dialog.getByRole('textbox', { name: t('onboarding:nicknameLabel') });
  await expect(nickname).toBeFocused();
  const code = dialog.getByRole('textbox', { name: t('onboarding:inviteLabel') });
  await expect(code).toHaveValue(invite);
  expect(await violations(page)).toEqual([]);

  // A nickname that is too long shows an error at once, and saving sends nothing.
  const save = dialog.getByRole('button', { name: t('onboarding:saveAndStart') });
  await nickname.fill('x'.repeat(21));
  await expect(dialog.getByText(t('onboarding:nicknameLength', { used: 21, limit: 20 }))).toBeVisible();
  await expect(dialog.getByText('Nickname must not exceed 20 characters')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await save.click();
  expect(await getUser(page)).toMatchObject({ onboarding_completed: false });

  await nickname.fill('  Ada ');
  // Submit from a phone's keyboard, which leaves room for only a part of the dialog.
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 320 });
  await code.fill('FromMira');
  await code.press('Enter');
  const refusal = dialog.getByRole('alert');
  await expect(refusal).toHaveText('Invite code already used or invalid');
  await expect(refusal).toBeInViewport({ ratio: 1 });
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize(size as NonNullable<typeof size>);
  await expect(nickname).toHaveValue('  Ada ');
  expect(await getUser(page)).toMatchObject({ onboarding_completed: false, nickname: null });

  await code.fill('not a code');
  await expect(dialog.getByText(t('errors:invite_code_format'))).toBeVisible();
  await code.fill(` ${written} `);
  await save.click();
  // The awarded points are shown before the page changes.
  const award = page.getByRole('dialog', { name: t('onboarding:bonusTitle') });
  await expect(award).toContainText(t('onboarding:bonusPoints', { count: 10 }));
  expect(await violations(page)).toEqual([]);
  await award.getByRole('button', { name: t('onboarding:bonusContinue') }).click();
  await expect(page).toHaveURL(/\/en\/discover$/);
  expect(await (await page.request.get('/api/points')).json()).toMatchObject({ permanent_points: 10 });
  expect(await getUser(page)).toMatchObject({
    onboarding_completed: true,
    nickname: 'Ada',
    spicy_mode: false,
  });
  await expect(page.getByText(email)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('pending-invite-code'))).toBeNull();

  // The next login shows no onboarding.
  await page.getByRole('button', { name: t('shell:profile.logOut') }).click();
  await expect(page).toHaveURL(/\/en$/);
  await page
    .getByRole('button', { name: t('shell:loggedOut.logIn') })
    .first()
    .click();
  await signIn(page, baseURL as string, email);
  await expect(page.getByText(email)).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the onboarding can be skipped and reopened by its address, and its spicy switch asks for the age once @all', async ({
  page,
  baseURL,
}) => {
  await page.goto('/en/discover');
  await page
    .getByRole('button', { name: t('shell:loggedOut.logIn') })
    .first()
    .click();
  await signIn(page, baseURL as string);
  const dialog = page.getByRole('dialog', { name: t('onboarding:title') });
  await dialog.getByRole('button', { name: t('onboarding:skip') }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/en\/discover$/);
  expect(await getUser(page)).toMatchObject({ onboarding_completed: true, nickname: null });

  await page.goto('/en/discover?onboarding=display');
  await expect(dialog).toBeVisible();
  const spicy = dialog.getByRole('switch', { name: t('onboarding:spicyLabel') });
  await spicy.click();
  const question = dialog.getByRole('group', { name: t('onboarding:ageTitle') });
  await expect(question.getByRole('button', { name: 'I am 18 or older' })).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await question.getByRole('button', { name: t('onboarding:ageCancel') }).click();
  await expect(spicy).toBeFocused();
  await expect(spicy).not.toBeChecked();

  // Escape does the same and keeps the entered text.
  const nickname = dialog.getByRole('textbox', { name: t('onboarding:nicknameLabel') });
  await nickname.fill('Ada');
  await spicy.click();
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(spicy).toBeFocused();
  await expect(nickname).toHaveValue('Ada');
  await spicy.click();
  await question.getByRole('button', { name: 'I am 18 or older' }).click();
  await expect(spicy).toBeChecked();
  await dialog.getByRole('button', { name: t('onboarding:saveAndStart') }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/en\/discover$/);
  expect(await getUser(page)).toMatchObject({ spicy_mode: true, age_confirmed: true });

  // The sidebar's switch follows and does not ask again.
  const sidebarSwitch = page.getByRole('complementary').getByRole('switch', { name: t('shell:spicy.mode') });
  await expect(sidebarSwitch).toBeChecked();
  await sidebarSwitch.click();
  await expect(sidebarSwitch).not.toBeChecked();
  await expect.poll(async () => (await getUser(page)).spicy_mode).toBe(false);
});

test('the onboarding address shows nothing to visitors and guests @all', async ({ page }) => {
  const statusLoaded = page.waitForResponse('**/api/auth/status');
  await page.goto('/en?onboarding=display');
  await statusLoaded;
  await expect(
    page.getByRole('complementary').getByRole('button', { name: t('shell:loggedOut.logIn') }),
  ).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.request.post('/api/auth/anonymous');
  await page.goto('/en?onboarding=display');
  await expect(page.getByRole('button', { name: t('shell:profile.logOut') })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('the sidebar’s spicy switch appears for accounts, asks for the age once, and reports a failed change @all', async ({
  page,
  baseURL,
}) => {
  await page.request.post('/api/auth/anonymous');
  await page.goto('/en');
  await expect(page.getByRole('button', { name: t('shell:profile.logOut') })).toBeVisible();
  const spicy = page.getByRole('switch', { name: t('shell:spicy.mode') });
  await expect(spicy).toBeHidden();

  await signInByApi(page, baseURL as string);
  await page.reload();
  await expect(spicy).not.toBeChecked();
  await spicy.click();
  const age = page.getByRole('dialog', { name: t('onboarding:ageTitle') });
  await expect(age).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(age).toBeHidden();
  await expect(spicy).not.toBeChecked();
  expect(await getUser(page)).toMatchObject({ spicy_mode: false, age_confirmed: false });

  await spicy.click();
  // A change reloads the page.
  let reloaded = page.waitForEvent('load');
  await age.getByRole('button', { name: 'I am 18 or older' }).click();
  await reloaded;
  await expect(spicy).toBeChecked();
  await expect.poll(() => getUser(page)).toMatchObject({ spicy_mode: true, age_confirmed: true });
  const flags = () =>
    page.evaluate(() => [localStorage.getItem('spicy-mode'), localStorage.getItem('age-verified')]);
  await expect.poll(flags).toEqual(['true', 'true']);

  await page.reload();
  await expect(spicy).toBeChecked();
  reloaded = page.waitForEvent('load');
  await spicy.click();
  await reloaded;
  await expect(age).toBeHidden();
  await expect(spicy).not.toBeChecked();
  await expect.poll(flags).toEqual(['false', 'true']);

  // A failed change shows an error, and the switch keeps its state.
  await page.reload();
  await expect(spicy).toBeVisible();
  await page.route('**/api/account', (route) => route.abort());
  await spicy.click();
  await expect(page.getByText(t('onboarding:spicyFailed'))).toBeVisible();
  await expect(spicy).not.toBeChecked();
});

test('creating a character checks the login, then the permission, then the points @all', async ({
  page,
  baseURL,
}) => {
  await page.goto('/en');
  const create = page.getByRole('complementary').getByText(t('shell:create.character'));
  await create.click();
  await expect(page.getByRole('dialog')).toContainText('You need to be logged in to perform this action');
  await page.keyboard.press('Escape');

  await signInByApi(page, baseURL as string);
  await page.clock.install();
  await page.goto('/en');
  await expect(page.getByRole('switch', { name: t('shell:spicy.mode') })).toBeVisible();
  const barLink = page.getByRole('banner').getByRole('link', { name: t('shell:create.short'), exact: true });
  await expect(barLink).toBeVisible();
  // With a paused clock the toasts' times do not depend on how long the clicks take.
  await page.clock.pauseAt(Date.now() + 1000);
  await page.route('**/api/permissions/create_character', (route) =>
    route.fulfill({ json: { success: false, error_message: null } }),
  );
  await barLink.click();
  await expectToast(page, { text: 'Error occurred', place: 'top-right', ms: 5000 });
  await page.unroute('**/api/permissions/create_character');

  await page.route('**/api/points/check-availability', (route) =>
    route.fulfill({ json: { success: false, error: 'You need more', points_required: 5 } }),
  );
  await create.click();
  const text = 'You need at least 5 points to create a character...';
  await expectToast(page, { text, place: 'bottom-left', ms: 3000 });
  await page.unroute('**/api/points/check-availability');

  await page.route('**/api/points/check-availability', (route) => route.abort());
  await barLink.click();
  await expectToast(page, { text: 'Failed to check points availability', place: 'bottom-left', ms: 3000 });
  await page.unroute('**/api/points/check-availability');

  await page.clock.resume();
  await barLink.click();
  await expect(page).toHaveURL(/\/en\/create-character$/);
  const form = page.getByRole('form', { name: t('create:title') });
  await expect(form).toBeVisible();

  // Opening the address without permission shows the same refusal in place of the form.
  await page.route('**/api/permissions/create_character', (route) =>
    route.fulfill({ json: { success: false, error_message: 'Not before tomorrow.' } }),
  );
  await page.reload();
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: t('create:notAllowedTitle') })).toBeVisible();
  await expect(main.getByText('Not before tomorrow.')).toBeVisible();
  await expect(form).toBeHidden();
  await expect(page.locator('.toasts-top-right').getByText('Not before tomorrow.')).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

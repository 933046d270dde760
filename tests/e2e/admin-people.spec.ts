import type { Browser, Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { makeCharacter, signInAsCreator } from './creator-setup.ts';
import { awake, expect, test } from './journey.ts';
import { toast } from './messages.page.ts';
import { violations } from './violations.ts';

/** Logs an administrator in, in a new browser context. */
async function logInAsAdmin(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const page = await (
    await browser.newContext({ baseURL: baseURL ?? '', viewport: { width: 360, height: 740 } })
  ).newPage();
  await page.request.post('/api/auth/test-login', { data: { person: 'admin' } });
  return page;
}

test('an administrator finds a person, gives points with a reason, and suspends and restores the account', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await signInAsCreator(page, baseURL as string);
  const email = ((await (await page.request.get('/api/account')).json()) as { email: string }).email;
  const staff = await logInAsAdmin(browser, baseURL);
  await staff.setViewportSize({ width: 1440, height: 900 });
  await staff.goto('/en');
  await staff.getByRole('link', { name: t('admin:label') }).click();
  await expect(staff).toHaveURL(/\/admin-reports$/);
  await staff.getByRole('link', { name: t('admin:people'), exact: true }).click();
  await expect(staff).toHaveURL(/\/admin-people$/);
  expect((await staff.request.get('/admin-people')).status()).toBe(200);
  await staff.setViewportSize({ width: 360, height: 740 });
  const search = staff.getByRole('searchbox', { name: t('admin:peopleSearchLabel') });
  await search.fill('nobody@example.org');
  await search.press('Enter');
  await expect(staff.getByText(t('admin:peopleNotFound'))).toBeVisible();
  await search.fill(email);
  await staff.getByRole('button', { name: t('admin:peopleSearch') }).click();
  const found = staff.getByRole('list', { name: t('admin:people') }).locator(':scope > li');
  await expect(found).toHaveCount(1);
  await found.getByRole('button').press('Enter');
  await expect(found).toContainText(email);
  await expect(found).toContainText(t('account:plan_free'));
  await expect(found.getByRole('link', { name: t('admin:peopleCharacters') })).toHaveAttribute(
    'href',
    `/creator/${person.id}`,
  );
  expect(await violations(staff)).toEqual([]);
  expect(await staff.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);

  const give = { name: t('admin:grantPoints'), exact: true };
  await found.getByRole('button', give).click();
  await expect(found.getByText(t('admin:grantPointsNumberInvalid', { most: 100_000 }))).toBeVisible();
  await found.getByRole('textbox', { name: t('admin:grantPointsNumberLabel') }).fill('25');
  await found.getByRole('textbox', { name: t('admin:grantPointsReasonLabel') }).fill('For the lost replies.');
  await found.getByRole('button', give).click();
  const gift = staff.getByRole('dialog', {
    name: t('admin:grantPointsConfirmTitle', { name: person.username }),
  });
  await expect(gift).toContainText(t('admin:grantPointsConfirmText', { points: 25 }));
  await gift.getByRole('button', give).click();
  await expect(toast(staff, t('admin:pointsGranted'))).toBeVisible();

  const suspend = { name: t('admin:suspendAccount'), exact: true };
  const suspension = found.getByRole('region', suspend);
  await suspension.getByRole('textbox').fill('Spam in many chats.');
  await suspension.getByRole('button', suspend).click();
  const confirmation = staff.getByRole('dialog', suspend);
  await expect(confirmation).toContainText(t('adminReports:actionConfirm_account_suspended'));
  await confirmation.getByRole('button', suspend).click();
  await expect(found).toContainText(new RegExp(t('adminReports:accountSuspended', { time: '.+' })));
  expect((await page.request.get('/api/personas')).status()).toBe(403);
  await found
    .getByRole('button', {
      name: t('adminReports:reverseNamed', { what: t('adminReports:historyEntry_account_suspended') }),
    })
    .click();
  await expect(found).toContainText(t('adminReports:accountActive'));
  await staff.context().close();

  // The person reads the reason in the points history, and that staff looked.
  await page.goto('/account/points');
  await awake(page);
  const entry = page.getByRole('listitem').filter({ hasText: '+25' }).first();
  await entry.locator('summary').click();
  await expect(entry).toContainText('For the lost replies.');
  await page.goto('/account#decisions');
  await expect(
    page
      .getByRole('list', { name: t('cases:viewsTitle') })
      .getByText(t('cases:view_account'))
      .first(),
  ).toBeVisible();
});

test('an administrator features a character by its link, and ends that @all', async ({
  page,
  browser,
  baseURL,
}) => {
  const creator = await signInAsCreator(page, baseURL as string);
  const name = `Lark ${creator.id.slice(-8)}`;
  const { id } = await makeCharacter(page, { name });
  const staff = await logInAsAdmin(browser, baseURL);
  await staff.goto('/admin-people');
  const featured = staff.getByRole('region', { name: t('admin:featuredTitle') });
  const label = featured.getByRole('textbox', { name: t('admin:featuredLabel') });
  await label.fill('nothing-here');
  await label.press('Enter');
  await expect(featured.getByText(t('admin:featuredMissing'))).toBeVisible();
  await label.fill(`${baseURL}/en/character-info/${id}`);
  await label.press('Enter');
  await expect(toast(staff, t('admin:featuredAdded'))).toBeVisible();
  await expect(featured.getByRole('listitem').filter({ hasText: name })).toBeVisible();
  const readFeatured = async () =>
    ((await (await page.request.get(`/api/characters/${id}`)).json()) as { featured: boolean }).featured;
  expect(await readFeatured()).toBe(true);
  await featured.getByRole('button', { name: t('admin:featuredRemoveNamed', { name }) }).click();
  await expect(featured.getByRole('listitem').filter({ hasText: name })).toHaveCount(0);
  expect(await readFeatured()).toBe(false);
  await staff.context().close();
});

test('an administrator reads feedback, marks it as read, and finds its sender @all', async ({
  page,
  browser,
  baseURL,
}) => {
  const sender = await signInAsCreator(page, baseURL as string);
  const message = `More lanterns for ${sender.id}`;
  const sent = await page.request.post('/api/feedback', { data: { message, email: 'me@example.org' } });
  expect(sent.status()).toBe(201);
  const staff = await logInAsAdmin(browser, baseURL);
  await staff.goto('/admin-feedback');
  const row = staff
    .getByRole('list', { name: t('admin:feedback') })
    .getByRole('listitem')
    .filter({ hasText: message });
  await expect(row).toContainText(t('admin:feedbackUnread'));
  expect(await violations(staff)).toEqual([]);
  await row.getByRole('button', { name: t('admin:feedbackMarkRead') }).click();
  await expect(row.getByRole('button', { name: t('admin:feedbackMarkUnread') })).toBeVisible();
  await staff.reload();
  await expect(row).not.toContainText(t('admin:feedbackUnread'));
  await row.getByRole('link', { name: t('admin:feedbackFrom', { name: sender.username }) }).click();
  await expect(staff.getByRole('list', { name: t('admin:people') }).getByText(sender.username)).toBeVisible();
  await staff.context().close();
});

test('nobody but administrators sees the admin pages or a link to them', async ({
  page,
  browser,
  baseURL,
}) => {
  await signInAsCreator(page, baseURL as string);
  await page.goto('/settings');
  await expect(page.locator('[data-profile-name]')).not.toBeEmpty();
  await expect(page.getByRole('link', { name: t('admin:label') })).toHaveCount(0);
  const staff = await logInAsAdmin(browser, baseURL);
  for (const path of ['/admin-people', '/admin-feedback']) {
    const answer = await page.request.get(path);
    expect(answer.status()).toBe(404);
    // The page's script and texts are for administrators.
    expect(await answer.text()).not.toMatch(/component-url="[^"]*Admin/);
    expect(await (await staff.request.get(path)).text()).toMatch(/component-url="[^"]*Admin/);
  }
  expect(await (await page.request.get('/settings')).text()).not.toContain('href="/admin-');
  await staff.context().close();
});

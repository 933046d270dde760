import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { makeCharacter, signInAsCreator } from './creator-setup.ts';
import { awake, expect, goOffline, test } from './journey.ts';
import { toast } from './messages.page.ts';
import { violations } from './violations.ts';

/** Opens a page in a new browser context, for another user. */
async function openNewContext(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  return (await browser.newContext(options)).newPage();
}

/** Logs an administrator in, in a new browser context. */
async function logInAsAdmin(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const page = await openNewContext(browser, options);
  await page.request.post('/api/auth/test-login', { data: { person: 'admin' } });
  return page;
}

/** Creates a character with a unique name and reports it as another user. */
async function createReportedCharacter(page: Page, browser: Browser, baseURL: string) {
  const creator = await signInAsCreator(page, baseURL);
  const name = `Wren ${creator.id.slice(-8)}`;
  const { id } = await makeCharacter(page, { name });
  const reporter = await openNewContext(browser, { baseURL });
  await signInAsCreator(reporter, baseURL);
  const answer = await reporter.request.post(`/api/characters/${id}/reports`, {
    data: { reason: 'copyright', details: 'It is out of a book.' },
  });
  expect(answer.status()).toBe(201);
  return { creator, name, id, reporter };
}

/** Finds the report that names the character; it loads more of the queue, since other reports may precede it. */
async function findReport(page: Page, name: string) {
  const entry = page
    .getByRole('list', { name: t('adminReports:queue_reports') })
    .locator(':scope > li')
    .filter({ hasText: name });
  const more = page.getByRole('button', { name: t('adminReports:showMore') });
  await expect(page.getByText(t('adminReports:loading'))).toHaveCount(0);
  while ((await entry.count()) === 0 && (await more.count()) > 0) {
    await more.click();
    await expect(page.getByText(t('adminReports:loading'))).toHaveCount(0);
  }
  return entry;
}

/** Opens the newest appeal, which is the last of the list. */
async function openNewestAppeal(staff: Page) {
  await staff.getByRole('button', { name: t('adminReports:queue_appeals') }).click();
  const appeals = staff.getByRole('list', { name: t('adminReports:queue_appeals') }).locator(':scope > li');
  await expect(appeals.first()).toBeVisible();
  while ((await staff.getByRole('button', { name: t('adminReports:showMore') }).count()) > 0) {
    const count = await appeals.count();
    await staff.getByRole('button', { name: t('adminReports:showMore') }).click();
    await expect(async () => expect(await appeals.count()).toBeGreaterThan(count)).toPass();
  }
  const newest = appeals.last();
  await newest.getByRole('button').first().click();
  return newest;
}

test('staff hides a reported character, its creator appeals, and reporter and creator read the outcome', async ({
  page,
  browser,
  baseURL,
}) => {
  const { name, id, reporter } = await createReportedCharacter(page, browser, baseURL as string);
  const staff = await logInAsAdmin(browser, { baseURL: baseURL as string });
  await staff.goto('/admin-reports');
  await expect(staff.getByRole('heading', { level: 1, name: t('adminReports:title') })).toBeVisible();
  await expect(staff).toHaveTitle(t('common:titleWithBrand', { title: t('adminReports:title') }));
  const entry = await findReport(staff, name);
  await entry.getByRole('button').first().press('Enter');
  await expect(entry.getByText('It is out of a book.')).toBeVisible();
  await entry.getByRole('button', { name: t('adminReports:pictureOpen') }).click();
  await expect(entry.getByRole('img', { name: t('adminReports:pictureNamed', { name }) })).toBeVisible();
  expect(await violations(staff)).toEqual([]);

  // No action is chosen beforehand.
  await entry.getByRole('button', { name: t('adminReports:actionTitle') }).click();
  await expect(entry.getByText(t('adminReports:actionMissing'))).toBeVisible();
  await expect(entry.getByText(t('adminReports:actionReasonMissing'))).toBeVisible();
  await entry
    .getByRole('combobox', { name: t('adminReports:actionLabel') })
    .selectOption(t('adminReports:action_character_hidden'));
  await entry.getByRole('textbox', { name: t('adminReports:actionReasonLabel') }).fill('It copies a book.');
  const hide = entry.getByRole('button', { name: t('adminReports:action_character_hidden') });
  await hide.click();
  const confirmation = staff.getByRole('dialog', { name: t('adminReports:action_character_hidden') });
  await expect(confirmation).toContainText(t('adminReports:actionConfirm_character_hidden'));
  expect(await violations(staff)).toEqual([]);
  await confirmation.getByRole('button', { name: t('adminReports:cancel') }).click();
  await expect(confirmation).toBeHidden();
  expect((await reporter.request.get(`/api/characters/${id}`)).status()).toBe(200);
  await hide.click();
  await confirmation.getByRole('button', { name: t('adminReports:action_character_hidden') }).click();
  await expect(toast(staff, t('adminReports:actionDone'))).toBeVisible();
  await expect(
    entry.getByRole('button', {
      name: t('adminReports:reverseNamed', { what: t('adminReports:historyEntry_character_hidden') }),
    }),
  ).toBeVisible();
  await entry
    .getByRole('textbox', { name: t('adminReports:answerLabelOptional') })
    .fill('Thank you, it is hidden.');
  await entry.getByRole('button', { name: t('adminReports:uphold') }).click();
  await expect(entry.getByText(t('adminReports:status_upheld')).first()).toBeVisible();
  expect((await reporter.request.get(`/api/characters/${id}`)).status()).toBe(404);

  await reporter.goto('/account#decisions');
  const reportOutcome = reporter.getByRole('list', { name: t('cases:reportsTitle') }).getByRole('listitem');
  await expect(reportOutcome).toContainText(t('cases:status_upheld'));
  await expect(reportOutcome).toContainText(t('cases:answer', { answer: 'Thank you, it is hidden.' }));
  await expect(reporter.getByRole('list', { name: t('cases:viewsTitle') })).toContainText(
    t('cases:view_report'),
  );

  // The creator reads the reason in the character form, and appeals.
  await page.goto(`/creator-center/edit/${id}`);
  await page.getByRole('link', { name: t('create:moderationReasonLink') }).click();
  await awake(page);
  const decision = page.getByRole('list', { name: t('cases:decisionsTitle') }).getByRole('listitem');
  await expect(decision).toContainText(t('cases:decision_character_hidden', { name }));
  await expect(decision).toContainText(t('cases:decisionReason', { reason: 'It copies a book.' }));
  await decision
    .getByRole('button', {
      name: t('cases:appealNamed', { what: t('cases:decision_character_hidden', { name }) }),
    })
    .click();
  const why = decision.getByRole('textbox', { name: t('cases:appealLabel') });
  await expect(why).toBeFocused();
  await decision.getByRole('button', { name: t('cases:appealSend') }).click();
  await expect(decision.getByText(t('cases:appealMissing'))).toBeVisible();
  await why.fill('I wrote that book.');
  expect(await violations(page)).toEqual([]);
  await decision.getByRole('button', { name: t('cases:appealSend') }).click();
  await expect(decision).toContainText(t('cases:appeal_open'));

  const appealEntry = await openNewestAppeal(staff);
  await expect(appealEntry.getByText('I wrote that book.')).toBeVisible();
  await appealEntry.getByRole('textbox', { name: t('adminReports:answerLabel') }).fill('Then it is yours.');
  await appealEntry.getByRole('button', { name: t('adminReports:grant') }).click();
  await expect(toast(staff, t('adminReports:decisionSaved'))).toBeVisible();
  await page.reload();
  await expect(decision).toContainText(t('cases:appeal_granted'));
  await expect(decision).toContainText(t('cases:answer', { answer: 'Then it is yours.' }));
  expect((await reporter.request.get(`/api/characters/${id}`)).status()).toBe(200);
  await staff.context().close();
  await reporter.context().close();
});

test('staff opens a creator’s account from a report, and the creator reads that staff viewed it @all', async ({
  page,
  browser,
  baseURL,
}) => {
  const { creator, name, reporter } = await createReportedCharacter(page, browser, baseURL as string);
  const staff = await logInAsAdmin(browser, {
    baseURL: baseURL as string,
    viewport: { width: 360, height: 740 },
  });
  await staff.goto('/admin-reports');
  const entry = await findReport(staff, name);
  await entry.getByRole('button').first().click();
  const opener = entry.getByRole('button', {
    name: t('adminReports:accountNamed', { name: creator.username }),
  });
  await expect(opener).toHaveAccessibleDescription(t('adminReports:accountAccessNote'));

  // A failed load shows an error and can be retried; a missing account shows that it does not exist.
  const address = `**/api/admin/accounts/${creator.id}`;
  await staff.route(address, (route) => route.abort());
  await opener.press('Enter');
  const alert = entry.getByRole('alert').filter({ hasText: t('adminReports:loadFailed') });
  await expect(alert).toBeVisible();
  await staff.unroute(address);
  await staff.route(address, (route) =>
    route.fulfill({
      status: 404,
      json: { error: 'Not found', code: 'not_found', request_id: 'r' },
    }),
  );
  await alert.getByRole('button', { name: t('adminReports:tryAgain') }).click();
  await expect(entry.getByText(t('adminReports:accountMissing'))).toBeVisible();
  await expect(alert).toHaveCount(0);
  await staff.unroute(address);
  await opener.click();
  await expect(opener).toHaveAttribute('aria-expanded', 'false');

  await opener.click();
  const account = entry.getByRole('region', {
    name: t('adminReports:accountNamed', { name: creator.username }),
  });
  await expect(account).toContainText(`${t('adminReports:accountName')}${creator.username}`);
  await expect(account).toContainText(
    new RegExp(`${t('adminReports:accountEmail')}\\s*maker-\\S+@example\\.org`),
  );
  await expect(account).toContainText(new RegExp(`${t('adminReports:accountCharacters')}\\s*1`));
  await expect(account).toContainText(t('adminReports:accountDecisionsEmpty'));
  expect(await violations(staff)).toEqual([]);
  const overflow = await staff.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);

  await entry
    .getByRole('combobox', { name: t('adminReports:actionLabel') })
    .selectOption(t('adminReports:action_account_suspended'));
  await entry.getByRole('textbox', { name: t('adminReports:actionReasonLabel') }).fill('Spam in many chats.');
  const suspend = { name: t('adminReports:action_account_suspended') };
  await entry.getByRole('button', suspend).click();
  await staff.getByRole('dialog', suspend).getByRole('button', suspend).click();
  await expect(account).toContainText(new RegExp(t('adminReports:accountSuspended', { time: '.+' })));
  await expect(account).toContainText('Spam in many chats.');
  expect(await violations(staff)).toEqual([]);

  await page.goto('/account#decisions');
  await expect(
    page
      .getByRole('list', { name: t('cases:viewsTitle') })
      .getByText(t('cases:view_account'))
      .first(),
  ).toBeVisible();
  await staff.context().close();
  await reporter.context().close();
});

test('the reports page looks like an unknown address to a user who is not staff', async ({
  browser,
  baseURL,
}) => {
  // A new context, because the browser logs a 404 as an error and the `page` fixture fails on errors.
  const page = await openNewContext(browser, { baseURL: baseURL as string });
  await signInAsCreator(page, baseURL as string);
  const readPage = async (path: string) => {
    const answer = await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await awake(page);
    return [answer?.status(), await page.title(), await page.getByRole('main').innerText()];
  };
  const notFound = await readPage('/en/nothing-here');
  expect(notFound[0]).toBe(404);
  expect(await readPage('/admin-reports')).toEqual(notFound);
  await page.context().close();
});

test('the report list shows a load error, loads on retry, and shows a notice while offline @all', async ({
  browser,
  baseURL,
}) => {
  const staff = await logInAsAdmin(browser, {
    baseURL: baseURL as string,
    viewport: { width: 360, height: 740 },
  });
  let broken = true;
  await staff.route('**/api/admin/reports?*', (route) => (broken ? route.abort() : route.continue()));
  await staff.goto('/admin-reports');
  const alert = staff.getByRole('alert').filter({ hasText: t('adminReports:loadFailed') });
  await expect(alert).toBeVisible();
  broken = false;
  await alert.getByRole('button', { name: t('adminReports:tryAgain') }).click();
  await expect(alert).toHaveCount(0);
  // Mock an empty list, because dismissed reports of other tests may exist.
  await staff.route('**/api/admin/reports?*', (route) =>
    route.fulfill({ json: { items: [], next_cursor: null } }),
  );
  await staff.getByRole('button', { name: t('adminReports:status_dismissed') }).click();
  await expect(staff.getByText(t('adminReports:empty'))).toBeVisible();
  expect(await violations(staff)).toEqual([]);
  const overflow = await staff.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await goOffline(staff);
  await expect(staff.getByText(t('adminReports:offline'))).toBeVisible();
  await staff.context().close();
});

test('a suspended user can log in, reads the reason, and sees a reduced account page', async ({
  page,
  browser,
  baseURL,
}) => {
  const me = await signInAsCreator(page, baseURL as string);
  const staff = await logInAsAdmin(browser, { baseURL: baseURL as string });
  const answer = await staff.request.post('/api/admin/measures', {
    data: { kind: 'account_suspended', subject_id: me.id, reason: 'Spam in many chats.' },
  });
  expect(answer.status()).toBe(201);
  await page.goto('/account');
  await awake(page);
  await expect(page.getByRole('note').filter({ hasText: t('cases:suspendedTitle') })).toBeVisible();
  await expect(page.getByText(t('cases:decisionReason', { reason: 'Spam in many chats.' }))).toBeVisible();
  await expect(page.getByRole('heading', { name: t('account:downloadTitle') })).toBeVisible();
  await expect(page.getByRole('heading', { name: t('account:planAndPointsTitle') })).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  await staff.context().close();
});

test('staff reads the whole definition of a reported character, and the context of a refused message @all', async ({
  page,
  browser,
  baseURL,
}) => {
  const creator = await signInAsCreator(page, baseURL as string);
  const name = `Wren ${creator.id.slice(-8)}`;
  const entries = Array.from({ length: 25 }, (_, index) => ({
    keys: [`key ${index}`],
    content: `Of place ${index}.`,
    enabled: true,
  }));
  const { id } = await makeCharacter(page, {
    name,
    character_traits: 'Wren is 15 years old and goes to school.',
    alternate_greetings: ['The gate is open.'],
    definition: { creator_notes: { text: 'For long evenings.' } },
    lorebook: { entries },
  });
  const reporter = await openNewContext(browser, { baseURL: baseURL as string });
  await signInAsCreator(reporter, baseURL as string);
  const report = { reason: 'illegal', details: 'Look at its world.' };
  expect((await reporter.request.post(`/api/characters/${id}/reports`, { data: report })).status()).toBe(201);

  const staff = await logInAsAdmin(browser, {
    baseURL: baseURL as string,
    viewport: { width: 360, height: 740 },
  });
  await staff.goto('/admin-reports');
  const entry = await findReport(staff, name);
  await entry.getByRole('button').first().click();
  await expect(entry.getByRole('heading', { name: t('adminReports:characterFirstMessages') })).toBeVisible();
  await expect(entry.getByText('The gate is open.')).toBeVisible();
  await expect(entry.getByText('For long evenings.')).toBeVisible();
  await entry.getByRole('button', { name: t('adminReports:lorebookOpen') }).click();
  await expect(entry.getByText('Of place 0.')).toBeVisible();
  await expect(entry.getByText('Of place 24.')).toHaveCount(0);
  await entry.getByRole('button', { name: t('adminReports:lorebookShowMore') }).click();
  await expect(entry.getByText('Of place 24.')).toBeVisible();
  await expect(entry.getByRole('button', { name: t('adminReports:lorebookShowMore') })).toHaveCount(0);
  expect(await violations(staff)).toEqual([]);

  const text = 'Come to bed and have sex with me.';
  const begun = await reporter.request.post('/api/conversations', { data: { character_id: id } });
  const { conversation } = (await begun.json()) as { conversation: { id: string } };
  const sent = await reporter.request.post(`/api/conversations/${conversation.id}/messages`, {
    data: { content: text, client_message_id: `turn-${creator.id}` },
  });
  const [, token] = /"appeal_token":"([^"]+)"/.exec(await sent.text()) ?? [];
  const appeal = {
    message: `Nobody is a child in ${name}.`,
    place: 'message',
    rule: 'minors',
    refused_text: text,
    appeal_token: token,
  };
  expect((await reporter.request.post('/api/appeals', { data: appeal })).status()).toBe(201);
  const appealEntry = await openNewestAppeal(staff);
  await expect(appealEntry.getByText(appeal.message)).toBeVisible();
  const refusedText = appealEntry.getByRole('region', { name: t('adminReports:contextTitle') });
  await expect(refusedText.getByText(t('adminReports:contextComplete'))).toBeVisible();
  await expect(refusedText.getByText('Wren is 15 years old and goes to school.')).toBeVisible();
  expect(await violations(staff)).toEqual([]);
  await staff.context().close();
  await reporter.context().close();
});

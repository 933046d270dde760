import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
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
  const entry = page.getByRole('list', { name: 'Reports' }).locator(':scope > li').filter({ hasText: name });
  const more = page.getByRole('button', { name: 'Show more' });
  await expect(page.getByText('Looking it up…')).toHaveCount(0);
  while ((await entry.count()) === 0 && (await more.count()) > 0) {
    await more.click();
    await expect(page.getByText('Looking it up…')).toHaveCount(0);
  }
  return entry;
}

/** Opens the newest appeal, which is the last of the list. */
async function openNewestAppeal(staff: Page) {
  await staff.getByRole('button', { name: 'Appeals' }).click();
  const appeals = staff.getByRole('list', { name: 'Appeals' }).locator(':scope > li');
  await expect(appeals.first()).toBeVisible();
  while ((await staff.getByRole('button', { name: 'Show more' }).count()) > 0) {
    const count = await appeals.count();
    await staff.getByRole('button', { name: 'Show more' }).click();
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
  await expect(staff.getByRole('heading', { level: 1, name: 'Reports and appeals' })).toBeVisible();
  await expect(staff).toHaveTitle('Reports and appeals · Loreloom');
  const entry = await findReport(staff, name);
  await entry.getByRole('button').first().press('Enter');
  await expect(entry.getByText('It is out of a book.')).toBeVisible();
  await entry.getByRole('button', { name: 'Show the picture' }).click();
  await expect(entry.getByRole('img', { name: `Picture of ${name}` })).toBeVisible();
  expect(await violations(staff)).toEqual([]);

  await entry.getByRole('button', { name: 'Do it' }).click();
  await expect(entry.getByText('Please say why.')).toBeVisible();
  await entry.getByLabel('What to do').selectOption('Hide the character');
  await entry.getByRole('textbox', { name: /^Reason/ }).fill('It copies a book.');
  await entry.getByRole('button', { name: 'Do it' }).click();
  await expect(toast(staff, 'Done.')).toBeVisible();
  await expect(entry.getByRole('button', { name: 'Take back: Character hidden' })).toBeVisible();
  await entry.getByRole('textbox', { name: /^Answer to the reporter/ }).fill('Thank you, it is hidden.');
  await entry.getByRole('button', { name: 'Uphold' }).click();
  await expect(entry.getByText('Upheld').first()).toBeVisible();
  expect((await reporter.request.get(`/api/characters/${id}`)).status()).toBe(404);

  await reporter.goto('/account#decisions');
  const reportOutcome = reporter.getByRole('list', { name: 'What you reported' }).getByRole('listitem');
  await expect(reportOutcome).toContainText('Your report was upheld');
  await expect(reportOutcome).toContainText('Answer: Thank you, it is hidden.');
  await expect(reporter.getByRole('list', { name: 'What of yours staff was shown' })).toContainText(
    'A report of yours',
  );

  // The creator reads the reason in the character form, and appeals.
  await page.goto(`/creator-center/edit/${id}`);
  await page.getByRole('link', { name: 'Read why, and appeal' }).click();
  await awake(page);
  const decision = page.getByRole('list', { name: 'Decisions about you and yours' }).getByRole('listitem');
  await expect(decision).toContainText(`Hidden: ${name}`);
  await expect(decision).toContainText('Reason: It copies a book.');
  await decision.getByRole('button', { name: `Appeal: Hidden: ${name}` }).click();
  const why = decision.getByRole('textbox', { name: 'Why should this be taken back?' });
  await expect(why).toBeFocused();
  await decision.getByRole('button', { name: 'Send the appeal' }).click();
  await expect(decision.getByText('Please say why.')).toBeVisible();
  await why.fill('I wrote that book.');
  expect(await violations(page)).toEqual([]);
  await decision.getByRole('button', { name: 'Send the appeal' }).click();
  await expect(decision).toContainText('Your appeal is being looked at.');

  const appealEntry = await openNewestAppeal(staff);
  await expect(appealEntry.getByText('I wrote that book.')).toBeVisible();
  await appealEntry.getByRole('textbox', { name: 'Answer' }).fill('Then it is yours.');
  await appealEntry.getByRole('button', { name: 'Grant' }).click();
  await expect(toast(staff, 'Decided.')).toBeVisible();
  await page.reload();
  await expect(decision).toContainText('Your appeal was granted.');
  await expect(decision).toContainText('Answer: Then it is yours.');
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
  const opener = entry.getByRole('button', { name: `Account of ${creator.username}` });
  await expect(opener).toHaveAccessibleDescription('They are told that you looked.');

  // A failed load shows an error and can be retried; a missing account shows that it does not exist.
  const address = `**/api/admin/accounts/${creator.id}`;
  await staff.route(address, (route) => route.abort());
  await opener.press('Enter');
  const alert = entry.getByRole('alert').filter({ hasText: 'This could not be loaded.' });
  await expect(alert).toBeVisible();
  await staff.unroute(address);
  await staff.route(address, (route) =>
    route.fulfill({ status: 404, json: { error: 'Not found', code: 'not_found', request_id: 'r' } }),
  );
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(entry.getByText('There is nothing here for you', { exact: false })).toBeVisible();
  await expect(alert).toHaveCount(0);
  await staff.unroute(address);
  await opener.click();
  await expect(opener).toHaveAttribute('aria-expanded', 'false');

  await opener.click();
  const account = entry.getByRole('region', { name: `Account of ${creator.username}` });
  await expect(account).toContainText(`Name${creator.username}`);
  await expect(account).toContainText(/E-mail\s*maker-\S+@example\.org/);
  await expect(account).toContainText(/Characters made\s*1/);
  await expect(account).toContainText('None so far.');
  expect(await violations(staff)).toEqual([]);
  const overflow = await staff.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);

  await entry.getByLabel('What to do').selectOption('Suspend the account of the maker');
  await entry.getByRole('textbox', { name: /^Reason/ }).fill('Spam in many chats.');
  await entry.getByRole('button', { name: 'Do it' }).click();
  await expect(account).toContainText(/Suspended: /);
  await expect(account).toContainText('Spam in many chats.');
  expect(await violations(staff)).toEqual([]);

  await page.goto('/account#decisions');
  await expect(
    page.getByRole('list', { name: 'What of yours staff was shown' }).getByText('Your account').first(),
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
  const alert = staff.getByRole('alert').filter({ hasText: 'This could not be loaded.' });
  await expect(alert).toBeVisible();
  broken = false;
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toHaveCount(0);
  // Mock an empty list, because dismissed reports of other tests may exist.
  await staff.route('**/api/admin/reports?*', (route) =>
    route.fulfill({ json: { items: [], next_cursor: null } }),
  );
  await staff.getByRole('button', { name: 'Dismissed' }).click();
  await expect(staff.getByText('Nothing waits here.')).toBeVisible();
  expect(await violations(staff)).toEqual([]);
  const overflow = await staff.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await goOffline(staff);
  await expect(staff.getByText(/^You are offline\. What you see may be old/)).toBeVisible();
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
  await expect(page.getByRole('note').filter({ hasText: 'Your account is suspended' })).toBeVisible();
  await expect(page.getByText('Reason: Spam in many chats.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Take everything with you' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Plan and points' })).toHaveCount(0);
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
  await expect(entry.getByRole('heading', { name: 'Other beginnings' })).toBeVisible();
  await expect(entry.getByText('The gate is open.')).toBeVisible();
  await expect(entry.getByText('For long evenings.')).toBeVisible();
  await entry.getByRole('button', { name: 'Show the lorebook' }).click();
  await expect(entry.getByText('Of place 0.')).toBeVisible();
  await expect(entry.getByText('Of place 24.')).toHaveCount(0);
  await entry.getByRole('button', { name: 'Show more of the lorebook' }).click();
  await expect(entry.getByText('Of place 24.')).toBeVisible();
  await expect(entry.getByRole('button', { name: /lorebook/ })).toHaveCount(0);
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
  const refusedText = appealEntry.getByRole('region', { name: 'Refused beside this' });
  await expect(refusedText.getByText('Granting lets the text by beside this alone.')).toBeVisible();
  await expect(refusedText.getByText('Wren is 15 years old and goes to school.')).toBeVisible();
  expect(await violations(staff)).toEqual([]);
  await staff.context().close();
  await reporter.context().close();
});

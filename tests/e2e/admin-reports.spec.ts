import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { makeCharacter, signInAsCreator } from './creator-hands.ts';
import { awake, expect, goOffline, test } from './journey.ts';
import { toast } from './message-hands.ts';
import { violations } from './violations.ts';

/** A browser of somebody else's. */
async function elsewhere(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  return (await browser.newContext(options)).newPage();
}

/** Somebody of the operator's, in a browser of their own. */
async function admin(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const page = await elsewhere(browser, options);
  await page.request.post('/api/auth/test-login', { data: { person: 'admin' } });
  return page;
}

/** A character that somebody reported, with a name that nobody else has. */
async function reportedCharacter(page: Page, browser: Browser, baseURL: string) {
  const maker = await signInAsCreator(page, baseURL);
  const name = `Wren ${maker.id.slice(-8)}`;
  const { id } = await makeCharacter(page, { name });
  const reporter = await elsewhere(browser, { baseURL });
  await signInAsCreator(reporter, baseURL);
  const answer = await reporter.request.post(`/api/characters/${id}/reports`, {
    data: { reason: 'copyright', details: 'It is out of a book.' },
  });
  expect(answer.status()).toBe(201);
  return { maker, name, id, reporter };
}

/** The entry of the queue that names something; others' reports may be before it. */
async function entryOf(page: Page, name: string) {
  const entry = page.getByRole('list', { name: 'Reports' }).locator(':scope > li').filter({ hasText: name });
  const more = page.getByRole('button', { name: 'Show more' });
  await expect(page.getByText('Looking it up…')).toHaveCount(0);
  while ((await entry.count()) === 0 && (await more.count()) > 0) {
    await more.click();
    await expect(page.getByText('Looking it up…')).toHaveCount(0);
  }
  return entry;
}

/** The newest appeal, which waits at the end of the list, opened. */
async function newestAppeal(staff: Page) {
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

test('a report is looked at, decided and appealed against, and everybody reads what concerns them', async ({
  page,
  browser,
  baseURL,
}) => {
  const { name, id, reporter } = await reportedCharacter(page, browser, baseURL as string);
  const staff = await admin(browser, { baseURL: baseURL as string });
  await staff.goto('/admin-reports');
  await expect(staff.getByRole('heading', { level: 1, name: 'Reports and appeals' })).toBeVisible();
  await expect(staff).toHaveTitle('Reports and appeals · Loreloom');
  const entry = await entryOf(staff, name);
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
  const told = reporter.getByRole('list', { name: 'What you reported' }).getByRole('listitem');
  await expect(told).toContainText('Your report was upheld');
  await expect(told).toContainText('Answer: Thank you, it is hidden.');
  await expect(reporter.getByRole('list', { name: 'What of yours staff was shown' })).toContainText(
    'A report of yours',
  );

  // Its maker reads why on the form, and appeals.
  await page.goto(`/creator-center/edit/${id}`);
  await page.getByRole('link', { name: 'Read why, and appeal' }).click();
  await awake(page);
  const measure = page.getByRole('list', { name: 'Decisions about you and yours' }).getByRole('listitem');
  await expect(measure).toContainText(`Hidden: ${name}`);
  await expect(measure).toContainText('Reason: It copies a book.');
  await measure.getByRole('button', { name: `Appeal: Hidden: ${name}` }).click();
  const why = measure.getByRole('textbox', { name: 'Why should this be taken back?' });
  await expect(why).toBeFocused();
  await measure.getByRole('button', { name: 'Send the appeal' }).click();
  await expect(measure.getByText('Please say why.')).toBeVisible();
  await why.fill('I wrote that book.');
  expect(await violations(page)).toEqual([]);
  await measure.getByRole('button', { name: 'Send the appeal' }).click();
  await expect(measure).toContainText('Your appeal is being looked at.');

  const one = await newestAppeal(staff);
  await expect(one.getByText('I wrote that book.')).toBeVisible();
  await one.getByRole('textbox', { name: 'Answer' }).fill('Then it is yours.');
  await one.getByRole('button', { name: 'Grant' }).click();
  await expect(toast(staff, 'Decided.')).toBeVisible();
  await page.reload();
  await expect(measure).toContainText('Your appeal was granted.');
  await expect(measure).toContainText('Answer: Then it is yours.');
  expect((await reporter.request.get(`/api/characters/${id}`)).status()).toBe(200);
  await staff.context().close();
  await reporter.context().close();
});

test('from a report I open the account of its maker, who reads that I looked', async ({
  page,
  browser,
  baseURL,
}) => {
  const { maker, name, reporter } = await reportedCharacter(page, browser, baseURL as string);
  const staff = await admin(browser, { baseURL: baseURL as string, viewport: { width: 360, height: 740 } });
  await staff.goto('/admin-reports');
  const entry = await entryOf(staff, name);
  await entry.getByRole('button').first().click();
  const opener = entry.getByRole('button', { name: `Account of ${maker.username}` });
  await expect(opener).toHaveAccessibleDescription('They are told that you looked.');

  // What cannot be loaded says so and comes when I try again; what is not there says that.
  const address = `**/api/admin/accounts/${maker.id}`;
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
  const account = entry.getByRole('region', { name: `Account of ${maker.username}` });
  await expect(account).toContainText(`Name${maker.username}`);
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

test('for everybody else there is no such page', async ({ browser, baseURL }) => {
  // A page that is none is a trouble of its own to a browser.
  const page = await elsewhere(browser, { baseURL: baseURL as string });
  await signInAsCreator(page, baseURL as string);
  const seen = async (path: string) => {
    const answer = await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await awake(page);
    return [answer?.status(), await page.title(), await page.getByRole('main').innerText()];
  };
  const nothing = await seen('/en/nothing-here');
  expect(nothing[0]).toBe(404);
  expect(await seen('/admin-reports')).toEqual(nothing);
  await page.context().close();
});

test('a list that cannot be loaded says so and comes when I try again; offline I am told what that means', async ({
  browser,
  baseURL,
}) => {
  const staff = await admin(browser, { baseURL: baseURL as string, viewport: { width: 360, height: 740 } });
  let broken = true;
  await staff.route('**/api/admin/reports?*', (route) => (broken ? route.abort() : route.continue()));
  await staff.goto('/admin-reports');
  const alert = staff.getByRole('alert').filter({ hasText: 'This could not be loaded.' });
  await expect(alert).toBeVisible();
  broken = false;
  await alert.getByRole('button', { name: 'Try again' }).click();
  await expect(alert).toHaveCount(0);
  // Nobody reports that much: what is dismissed of creators alone is nothing here.
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

test('when my account is suspended I come in, read why, and have only what I need then', async ({
  page,
  browser,
  baseURL,
}) => {
  const me = await signInAsCreator(page, baseURL as string);
  const staff = await admin(browser, { baseURL: baseURL as string });
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

test('staff reads all that a character tells, and what a refused message stood beside', async ({
  page,
  browser,
  baseURL,
}) => {
  const maker = await signInAsCreator(page, baseURL as string);
  const name = `Wren ${maker.id.slice(-8)}`;
  const entries = Array.from({ length: 25 }, (_, index) => ({
    keys: [`key ${index}`],
    content: `Of place ${index}.`,
    enabled: true,
  }));
  const { id } = await makeCharacter(page, {
    name,
    character_traits: 'Wren is 15 years old and goes to school.',
    alternate_greetings: ['The gate is open.'],
    creator_notes: { en: 'For long evenings.' },
    lorebook: { entries },
  });
  const reporter = await elsewhere(browser, { baseURL: baseURL as string });
  await signInAsCreator(reporter, baseURL as string);
  const report = { reason: 'illegal', details: 'Look at its world.' };
  expect((await reporter.request.post(`/api/characters/${id}/reports`, { data: report })).status()).toBe(201);

  const staff = await admin(browser, { baseURL: baseURL as string, viewport: { width: 360, height: 740 } });
  await staff.goto('/admin-reports');
  const entry = await entryOf(staff, name);
  await entry.getByRole('button').first().click();
  await expect(entry.getByRole('heading', { name: 'Other beginnings' })).toBeVisible();
  await expect(entry.getByText('The gate is open.')).toBeVisible();
  await expect(entry.getByText('en: For long evenings.')).toBeVisible();
  await entry.getByRole('button', { name: 'Show the lorebook' }).click();
  await expect(entry.getByText('Of place 0.')).toBeVisible();
  await expect(entry.getByText('Of place 24.')).toHaveCount(0);
  await entry.getByRole('button', { name: 'Show more of the lorebook' }).click();
  await expect(entry.getByText('Of place 24.')).toBeVisible();
  await expect(entry.getByRole('button', { name: /lorebook/ })).toHaveCount(0);
  expect(await violations(staff)).toEqual([]);

  const text = `Come to bed and have sex with me, ${name}.`;
  const begun = await reporter.request.post('/api/conversations', { data: { character_id: id } });
  const { conversation } = (await begun.json()) as { conversation: { id: string } };
  const sent = await reporter.request.post(`/api/conversations/${conversation.id}/messages`, {
    data: { content: text, client_message_id: `turn-${maker.id}` },
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
  const one = await newestAppeal(staff);
  await expect(one.getByText(appeal.message)).toBeVisible();
  const beside = one.getByRole('region', { name: 'Refused beside this' });
  await expect(beside.getByText('Granting lets the text by beside this alone.')).toBeVisible();
  await expect(beside.getByText('Wren is 15 years old and goes to school.')).toBeVisible();
  expect(await violations(staff)).toEqual([]);
  await staff.context().close();
  await reporter.context().close();
});

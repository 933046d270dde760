import { randomUUID } from 'node:crypto';
import { type BrowserContext, type Page, request as newRequest } from '@playwright/test';
import { CHROMIUM_ARGS, chromiumPath } from '../../scripts/lib/chromium.mjs';
import { t } from '../support/texts.ts';
import { awake, chat, expect, logIn, lossyTest as test, model } from './journey.ts';
import { rests } from './messages.page.ts';

const executablePath = chromiumPath();

// Playwright switches the back/forward cache off, from which a browser restores a page with everything on it.
test.use({
  launchOptions: {
    ...(executablePath ? { executablePath } : {}),
    args: CHROMIUM_ARGS,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  },
});

const SAID = 'A lamp that only the two of us know';
const THOUGHT = 'A very private unsent thought';

const createEmail = () => `tabs-${randomUUID()}@example.org`;

/** Logs a new account in and opens a chat in which something was said. */
async function openChat(page: Page, origin: string) {
  const email = createEmail();
  await logIn(page.request, origin, email);
  await page.request.post('/api/onboarding', { data: {} });
  const opened = await chat(page);
  await opened.say(`${SAID} [[scenario:tokens n=3 ms=0]]`);
  await expect(opened.messages.nth(2)).toContainText('w2');
  await rests(page);
  await expect(page).toHaveURL(/conversation_id=/);
  return { ...opened, email };
}

const getMessages = (page: Page) => page.getByRole('list', { name: t('chat:messages') });
const getComposer = (page: Page, name: string) =>
  page.getByRole('textbox', { name: t('chat:composerLabel', { name }) });

/** Opens the same chat in another tab and writes a draft there. */
async function openSecondTab(context: BrowserContext, page: Page, name: string): Promise<Page> {
  const second = await context.newPage();
  await second.goto(page.url());
  await awake(second);
  await expect(getMessages(second)).toContainText(SAID);
  await getComposer(second, name).fill(THOUGHT);
  return second;
}

const logOut = async (page: Page) => {
  await page.getByRole('button', { name: t('shell:profile.logOut') }).click();
  await expect(page).toHaveURL(/\/en$/);
};

const readStorage = (page: Page) =>
  page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));

/** Expects that nothing of the chat is on the page, in its fields or on the device. */
async function expectEmptied(page: Page): Promise<void> {
  await expect(page.getByText(SAID)).toHaveCount(0);
  const fields = page.locator('textarea, input');
  for (const field of await fields.all()) await expect(field).not.toHaveValue(/thought|Wren/);
  const storage = await readStorage(page);
  for (const word of [SAID, THOUGHT, 'Wren', '"draft:', '"outbox:', '"copy:', 'device-session'])
    expect(storage).not.toContain(word);
}

/** A tab that gets no events: no change of the storage, no socket. @returns what lets it see that it is shown */
async function openFrozenTab(context: BrowserContext, page: Page): Promise<Page> {
  const tab = await context.newPage();
  await tab.addInitScript(() => {
    window.addEventListener('storage', (event) => event.stopImmediatePropagation(), { capture: true });
  });
  await tab.routeWebSocket(/\/live/, () => {});
  await tab.goto(page.url());
  await awake(tab);
  await expect(getMessages(tab)).toContainText(SAID);
  return tab;
}

test('logging out in one tab empties the others at once, and Back and Forward bring nothing back', async ({
  page,
  context,
  baseURL,
}) => {
  const { character, box } = await openChat(page, baseURL as string);
  const second = await openSecondTab(context, page, character.name);
  await second.goto('/en/discover');
  await second.goBack();
  await expect(getComposer(second, character.name)).toHaveValue(THOUGHT);
  const form = await context.newPage();
  await form.goto('/en/create-character');
  await awake(form);
  const name = form.getByRole('textbox', { name: t('create:nameLabel') });
  await name.fill('Wren');
  const persona = await context.newPage();
  await persona.goto('/en/user-persona');
  await expect(persona.getByRole('button', { name: t('shell:profile.logOut') })).toBeVisible();
  await box.fill(THOUGHT);

  await page.getByRole('button', { name: t('shell:profile.logOut') }).click();
  await page.getByRole('button', { name: t('shell:profile.draftConfirm') }).click();
  await expect(page).toHaveURL(/\/en$/);
  await expectEmptied(second);
  for (const other of [form, persona, second])
    await expect(other.getByRole('dialog')).toContainText('You need to be logged in to perform this action');
  await expect(name).toHaveCount(0);
  await expect(form.getByRole('button', { name: t('shell:profile.logOut') })).toBeHidden();
  await expectEmptied(persona);

  for (const [tab, steps] of [
    [page, ['goBack', 'goForward']],
    [second, ['goForward', 'goBack']],
  ] as const)
    for (const step of steps) {
      await tab[step]();
      await awake(tab);
      await expectEmptied(tab);
    }
});

test('a tab that was frozen during the logout is emptied when it is shown again, also without a network', async ({
  page,
  context,
  baseURL,
}) => {
  await openChat(page, baseURL as string);
  const frozen = await openFrozenTab(context, page);
  const restored = await openFrozenTab(context, page);
  await logOut(page);
  await expect(getMessages(frozen)).toContainText(SAID);
  for (const tab of [frozen, restored]) {
    const cdp = await context.newCDPSession(tab);
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', {
      offline: true,
      latency: 0,
      downloadThroughput: 0,
      uploadThroughput: 0,
    });
  }
  await frozen.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await restored.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  for (const tab of [frozen, restored]) await expect(getMessages(tab)).toBeHidden();
});

test('a session that is ended elsewhere empties the device’s tabs and removes its drafts', async ({
  page,
  context,
  baseURL,
}) => {
  const { character, box, email } = await openChat(page, baseURL as string);
  await box.fill(THOUGHT);
  const account = await context.newPage();
  await account.goto('/account');
  await awake(account);
  await expect(account.getByText(email).first()).toBeVisible();
  await expect.poll(() => readStorage(page)).toContain(THOUGHT);

  const elsewhere = await newRequest.newContext({ baseURL: baseURL as string });
  await logIn(elsewhere, baseURL as string, email);
  expect((await elsewhere.delete('/api/account/sessions')).status()).toBe(204);
  await elsewhere.dispose();
  await expectEmptied(page);
  await expect(getComposer(page, character.name)).not.toHaveValue(THOUGHT);
  await expect(account.getByText(email)).toHaveCount(0);
  await expect(account.getByRole('dialog')).toBeVisible();
  await expectEmptied(account);
});

test('a page without a chat is emptied by its next call once its session was ended elsewhere', async ({
  page,
  baseURL,
}) => {
  const email = createEmail();
  await logIn(page.request, baseURL as string, email);
  await page.request.post('/api/onboarding', { data: {} });
  await page.goto('/account');
  await awake(page);
  const profile = page.getByRole('region', { name: t('account:profileTitle'), exact: true });
  const nickname = profile.getByRole('textbox', { name: t('account:nicknameLabel') });
  await nickname.fill('Wren');
  await page.request.post('/api/logout');
  await nickname.press('Enter');
  await expect(nickname).toHaveCount(0);
  await expect(page.getByText(email)).toHaveCount(0);
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectEmptied(page);
});

test('the next user of a device finds no drafts of the one before', async ({ page, context, baseURL }) => {
  const origin = baseURL as string;
  const { box } = await openChat(page, origin);
  await box.fill(THOUGHT);
  await expect.poll(() => readStorage(page)).toContain(THOUGHT);
  await page.goto('about:blank');
  await context.clearCookies({ name: 'session' });
  await logIn(page.request, origin, createEmail());
  await page.request.post('/api/onboarding', { data: {} });
  await page.goto('/en');
  await awake(page);
  await expect.poll(() => readStorage(page)).not.toContain(THOUGHT);
  expect(await readStorage(page)).not.toContain('draft:');
});

test('logging in again keeps the other tabs, their drafts and their connections', async ({
  page,
  context,
  baseURL,
}) => {
  const { character, email } = await openChat(page, baseURL as string);
  const second = await openSecondTab(context, page, character.name);
  const reconnected = second.waitForEvent('websocket');
  await logIn(page.request, baseURL as string, email);
  await reconnected;
  await expect(getComposer(second, character.name)).toHaveValue(THOUGHT);
  // As if the new session's cookie had come a moment after the call.
  await second.route(
    '**/messages',
    (route) => route.fulfill({ status: 401, json: { code: 'unauthenticated', error: '' } }),
    { times: 1 },
  );
  await getComposer(second, character.name).press('Enter');
  await expect(getMessages(page)).toContainText(THOUGHT);
  await expect(getMessages(second)).toContainText(SAID);
  await expect(second.getByRole('dialog')).toHaveCount(0);
  await getComposer(second, character.name).fill('Another thought');
  await second.reload();
  await awake(second);
  await expect(getComposer(second, character.name)).toHaveValue('Another thought');
});

test('a guest who logs in to an account keeps the other tabs and their drafts', async ({
  page,
  context,
  baseURL,
}) => {
  const origin = baseURL as string;
  const email = createEmail();
  const elsewhere = await newRequest.newContext({ baseURL: origin });
  await logIn(elsewhere, origin, email);
  await elsewhere.dispose();
  const { box, say, messages } = await chat(page);
  await say(`${SAID} [[scenario:tokens n=3 ms=0]]`);
  await expect(messages.nth(2)).toContainText('w2');
  await rests(page);
  await box.fill(THOUGHT);
  await logIn(page.request, origin, email);
  const second = await context.newPage();
  await second.goto('/en');
  await awake(second);
  await expect(page.locator('[data-profile-line]')).toHaveText(email);
  await expect(getMessages(page)).toContainText(SAID);
  await expect(box).toHaveValue(THOUGHT);
  await page.reload();
  await awake(page);
  await expect(box).toHaveValue(THOUGHT);
});

test('a reply that another tab was reading at the logout is stored, and there after the next login', async ({
  page,
  context,
  baseURL,
}) => {
  const origin = baseURL as string;
  const { character, email } = await openChat(page, origin);
  const url = page.url();
  const second = await context.newPage();
  await second.goto(url);
  await awake(second);
  const key = randomUUID();
  await getComposer(second, character.name).fill(`Go on [[scenario:gate n=3 key=${key}]]`);
  const streamEnded = second.waitForEvent('requestfinished', (request) =>
    request.url().endsWith('/messages'),
  );
  await getComposer(second, character.name).press('Enter');
  await model('reached', key);
  await expect(second.getByRole('button', { name: t('chat:stop') })).toBeVisible();
  await logOut(page);
  await expectEmptied(second);
  await Promise.race([streamEnded, second.waitForLoadState()]);
  await model('open', key);
  await model('ended', key);
  await logIn(page.request, origin, email);
  await page.goto(url);
  await expect(
    page
      .getByRole('list', { name: t('chat:messages') })
      .getByRole('listitem')
      .nth(4),
  ).toContainText('w0 w1 w2 w3 w4 w5');
});

test('a server that cannot read the session, or a refused call alone, is no logout', async ({
  page,
  baseURL,
}) => {
  const { box, messages } = await openChat(page, baseURL as string);
  await box.fill(THOUGHT);
  await page.route('**/api/auth/status', (route) =>
    route.fulfill({ status: 500, json: { code: 'server_error', error: '' } }),
  );
  await page.route('**/api/conversations/*?*', (route) =>
    route.fulfill({ status: 401, json: { code: 'unauthenticated', error: '' } }),
  );
  const asked = page.waitForResponse('**/api/auth/status');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await asked;
  await expect(messages.nth(1)).toContainText(SAID);
  await expect(box).toHaveValue(THOUGHT);
  expect(await readStorage(page)).toContain(THOUGHT);
});

test('a suspension empties the user’s open chat and keeps their draft', async ({ page, baseURL }) => {
  const { box } = await openChat(page, baseURL as string);
  await box.fill(THOUGHT);
  const { user } = (await (await page.request.get('/api/auth/status')).json()) as { user: { id: string } };
  const staff = await newRequest.newContext({ baseURL: baseURL as string });
  await staff.post('/api/auth/test-login', { data: { person: 'admin' } });
  const suspended = await staff.post('/api/admin/measures', {
    data: { kind: 'account_suspended', subject_id: user.id, reason: 'Spam in many chats.' },
  });
  expect(suspended.status()).toBe(201);
  await staff.dispose();
  await expect(getMessages(page)).toHaveCount(0);
  await expect(page.getByText(SAID)).toHaveCount(0);
  await awake(page);
  expect(await readStorage(page)).toContain(THOUGHT);
});

import { createHmac, randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { awake, expect, loadMessagesByScript, noteInChat, readCode, SOMEBODY, test } from './journey.ts';
import { type OwnSite, ownSite } from './own-site.ts';
import { violations } from './violations.ts';

const SECRET = 'shared-by-the-operator-and-the-checker';
const CHECKER = 'https://ages.example/check';

/** Marks a character as adult in the database, optionally under another creator. */
function allowAdultContent(site: OwnSite, id: string, creatorId: string | null = null): void {
  const db = site.database('d1');
  db.prepare('UPDATE characters SET nsfw_allowed = 1, creator_id = coalesce(?, creator_id) WHERE id = ?').run(
    creatorId,
    id,
  );
  db.close();
}

/** Two more sites: one with age checks, one without spicy mode. */
const ageCheckSite = ownSite(() => ({
  AGE_CHECK: 'required',
  AGE_CHECK_URL: CHECKER,
  AGE_CHECK_SECRET: SECRET,
}));
const plainSite = ownSite(() => ({ SPICY_MODE: 'off' }));

/** Logs a new account in and completes its onboarding. */
async function signIn(page: Page, origin: string): Promise<void> {
  const email = `reader-${randomUUID()}@example.org`;
  await page.request.post(`${origin}/api/auth/send-login-code`, { data: { email } });
  const code = await readCode(origin, email);
  await page.request.post(`${origin}/api/auth/login-with-code`, { data: { email, code } });
  await page.request.post(`${origin}/api/onboarding`, { data: {} });
}

const getUser = async (page: Page, origin: string) =>
  (await (await page.request.get(`${origin}/api/auth/status`)).json()).user;

test('a chat note says when spicy mode and the character do not match, and can switch either @all', async ({
  page,
  baseURL,
}) => {
  const origin = baseURL as string;
  await signIn(page, origin);
  const data = { spicy_mode: true, age_confirmed: true };
  await page.request.patch('/api/account', { data });
  const { items } = await (await page.request.get(SOMEBODY)).json();
  const { id, name } = items[0] as { id: string; name: string };
  await page.goto(`/character/${id}`);
  await awake(page);
  const note = noteInChat(page);
  await expect(note).toContainText(t('chat:spicyNotAllowed', { name }));
  await page.setViewportSize({ width: 320, height: 640 });
  await expect(note.getByRole('button', { name: t('chat:dismiss') })).toBeInViewport();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 720 });

  await note.getByRole('button', { name: t('chat:spicyTurnOff') }).click();
  await expect(note).toBeHidden();
  expect(await getUser(page, origin)).toMatchObject({ spicy_mode: false, age_confirmed: true });

  // The creator marks the character as adult: the messages stay, and the note offers the switch.
  let forAdults: 'theirs' | 'mine' | null = 'theirs';
  await page.route(/\/api\/conversations(?:\/[^/?]+)?(?:\?|$)/, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    if (forAdults !== null && body.conversation) {
      body.conversation.nsfw_allowed = forAdults === 'theirs';
      body.conversation.own_character = forAdults === 'mine';
    }
    await route.fulfill({ response: answer, json: body });
  });
  await loadMessagesByScript(page);
  await page.reload();
  await expect(note).toContainText(t('chat:spicyModeOff', { name }));
  await expect(page.getByRole('list', { name: t('chat:messages') }).getByRole('listitem')).toHaveCount(1);
  expect(await violations(page)).toEqual([]);
  // The page reloads by itself.
  const reloaded = page.waitForEvent('load');
  await note.getByRole('button', { name: t('chat:spicyTurnOn') }).click();
  await reloaded;
  await expect(note).toBeHidden();
  await expect.poll(async () => (await getUser(page, origin)).spicy_mode).toBe(true);

  // The user's own character can be marked as adult here; a dismissed note stays hidden in this tab.
  forAdults = 'mine';
  let allowed: unknown = null;
  await page.route(`**/api/characters/${id}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback();
    allowed = route.request().postDataJSON();
    forAdults = 'theirs';
    await route.fulfill({ json: { id, name, nsfw_allowed: true } });
  });
  await page.goto(page.url());
  await expect(note).toContainText(t('chat:spicyNotAllowedOwn', { name }));
  await note.getByRole('button', { name: t('chat:spicyAllow', { name }) }).click();
  await expect(page.getByText(t('chat:spicyAllowed', { name }))).toBeVisible();
  await expect(note).toBeHidden();
  expect(allowed).toEqual({ nsfw_allowed: true });
  forAdults = null;
  await page.reload();
  await note.getByRole('button', { name: t('chat:dismiss') }).click();
  await expect(note).toBeHidden();
  await page.reload();
  await awake(page);
  await expect(page.getByRole('list', { name: t('chat:messages') }).getByRole('listitem')).toHaveCount(1);
  await expect(note).toBeHidden();
});

test('the spicy switch leads to the age check and back, and shows adult characters to a confirmed adult @all', async ({
  page,
  troubles,
}) => {
  const origin = ageCheckSite.url;
  await signIn(page, origin);
  const { items } = await (await page.request.get(`${origin}${SOMEBODY}`)).json();
  const { id, name } = items[0] as { id: string; name: string };
  allowAdultContent(ageCheckSite, id);
  let outcome: 'adult' | 'not_adult' = 'not_adult';
  await page.route(`${CHECKER}**`, async (route) => {
    const checkParams = new URL(route.request().url()).searchParams;
    const request = checkParams.get('request') ?? '';
    const signature = createHmac('sha256', SECRET).update(`${request}.${outcome}`).digest('hex');
    const answer = await fetch(`${origin}/api/account/age-check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ request, outcome, signature }),
    });
    expect(answer.status).toBe(204);
    await route.fulfill({ status: 302, headers: { location: checkParams.get('return_to') ?? '' } });
  });
  await page.goto(`${origin}/en/discover?sort=new`);
  const spicy = page.getByRole('switch', { name: t('shell:spicy.mode') });
  const dialog = page.getByRole('dialog', { name: t('onboarding:ageCheckTitle') });
  // The script fails to load the first time: the switch keeps its state and can be used again.
  await page.route(/age-check[^/]*\.js/, (route) => route.abort(), { times: 1 });
  await spicy.click();
  await dialog.getByRole('button', { name: t('onboarding:ageCheckConfirm') }).click();
  await expect(page.getByText('Network error. Please check your connection.')).toBeVisible();
  await expect(spicy).toHaveAttribute('aria-busy', 'false');
  await expect(spicy).not.toBeChecked();
  expect(troubles.splice(0)).toEqual([expect.stringContaining('age-check')]);
  await spicy.click();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: t('onboarding:ageCheckConfirm') }).click();
  await expect(page.getByText(t('onboarding:ageCheckUnconfirmed'))).toBeVisible();
  await expect(page).toHaveURL(`${origin}/en/discover?sort=new`);
  await expect(spicy).not.toBeChecked();

  outcome = 'adult';
  await spicy.click();
  await dialog.getByRole('button', { name: t('onboarding:ageCheckConfirm') }).click();
  await expect(spicy).toBeChecked();
  expect(await getUser(page, origin)).toMatchObject({ spicy_mode: true, age_confirmed: true });
  await expect(page).toHaveURL(`${origin}/en/discover?sort=new`);

  const list = `${origin}/en/discover?${new URLSearchParams({ q: name })}`;
  const card = page.getByRole('main').getByRole('link', { name });
  await page.goto(list);
  await expect(card).toContainText(t('common:adultsBadge'));
  expect(await violations(page)).toEqual([]);
  await card.click();
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(name));
  await expect(page).toHaveURL(`${origin}/en/character-info/${id}`);
  // The public page answers 404, which the browser logs.
  expect(troubles.splice(0)).toEqual([expect.stringContaining('404')]);
  expect(await violations(page)).toEqual([]);
  // Without the session the page's own requests do not show the character either.
  await page.context().clearCookies({ name: 'session' });
  for (const path of [list, `${list}&spicy=1`, `${origin}/en/character-info/${id}?spicy=1`]) {
    const answer = await page.request.get(path);
    expect(answer.headers()['cache-control']).toBe('private, no-store');
    expect(await answer.text()).not.toContain(`${name}</`);
  }
});

test('a site without spicy mode never mentions it @all', async ({ page, troubles }) => {
  const origin = plainSite.url;
  await signIn(page, origin);
  const { items } = await (await page.request.get(origin + SOMEBODY)).json();
  const { id, name } = items[0] as { id: string; name: string };
  const expectNoMention = async (path: string, ready: Locator = page.getByRole('main')) => {
    await page.goto(origin + path);
    await expect(ready).toBeVisible();
    const text = await page.evaluate(() => {
      for (const element of document.querySelectorAll('script, style')) element.remove();
      return document.body.textContent;
    });
    expect({ path, found: /spicy|18 or older|18\+|for adults|adult content/i.exec(text)?.[0] }).toEqual({
      path,
      found: undefined,
    });
  };
  for (const path of ['/en', '/en/discover', '/settings', '/terms', '/about']) await expectNoMention(path);
  await expectNoMention('/en/blog');
  const links = page.getByRole('main').locator('h2 a');
  const posts = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  expect(posts.length).toBeGreaterThanOrEqual(7);
  for (const path of posts) await expectNoMention(path, page.getByRole('article'));
  await expectNoMention('/privacy', page.getByText(t('legal:privacy.retention.payments')));
  await expectNoMention(
    '/en/create-character',
    page.getByRole('radio', { name: t('create:visibility_public') }),
  );
  await expectNoMention('/en/creator-center', page.getByText(t('center:emptyTitle')));
  // The creator of an older adult character reads that it is not shown here, and can change that.
  allowAdultContent(plainSite, id, (await getUser(page, origin)).id);
  const listItem = page.getByRole('main').getByRole('listitem').filter({ hasText: name });
  await expectNoMention('/en/creator-center', listItem.getByText(t('center:notHere')));
  await expectNoMention(
    `/creator-center/edit/${id}`,
    page.getByRole('switch', { name: t('create:explicitLabel') }),
  );
  await expectNoMention(`/en/character-info/${id}`, page.getByText(t('common:notShownHereBadge')));
  // The public page answers 404, which the browser logs.
  expect(troubles.splice(0)).toEqual([expect.stringContaining('404')]);
  await page.goto(`${origin}/en?onboarding=display`);
  const dialog = page.getByRole('dialog', { name: t('onboarding:title') });
  await expect(dialog.getByRole('textbox', { name: t('onboarding:nicknameLabel') })).toBeVisible();
  await expect(page.getByRole('switch', { name: t('onboarding:spicyLabel') })).toHaveCount(0);
  await expect(page.getByRole('switch', { name: t('shell:spicy.mode') })).toHaveCount(0);
});

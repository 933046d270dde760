import { t } from '../support/texts.ts';
import { awake, expect, goOffline, lossyTest, SOMEBODY, startListedChat, test } from './journey.ts';
import type { APIRequestContext, Page } from '@playwright/test';
import { violations } from './violations.ts';

const COPY_KEY = 'copy:shell';

async function findSomebody(request: APIRequestContext): Promise<{ id: string; name: string }> {
  const { items } = (await (await request.get(SOMEBODY)).json()) as { items: { id: string; name: string }[] };
  return items[0] as { id: string; name: string };
}

/** Signs a guest in who has chatted, and waits until the device remembers the chat. */
async function returnAsGuest(page: Page): Promise<string> {
  await page.request.post('/api/auth/anonymous');
  const { id, name } = await findSomebody(page.request);
  await startListedChat(page, id);
  await page.goto('/en/discover');
  await page.waitForFunction((key) => localStorage.getItem(key) !== null, COPY_KEY);
  return name;
}

const continueCard = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name: new RegExp(t('home:returning.continue', { name })) });

/** Holds back every script module. @returns a function that lets them through */
async function holdModules(page: Page): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/_astro/*.js', async (route) => {
    await released;
    await route.continue();
  });
  return async () => {
    release();
    await page.unrouteAll({ behavior: 'wait' });
  };
}

test('a returning guest continues their chat in one press, before any script is loaded, until they log out', async ({
  page,
}) => {
  const name = await returnAsGuest(page);
  const letThrough = await holdModules(page);
  await page.goto('/en', { waitUntil: 'commit' });
  const card = continueCard(page, name);
  await expect(card).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: t('home:heading') })).toBeHidden();
  const chats = page.getByRole('region', { name: t('shell:history.title') });
  await expect(chats.getByRole('link', { name: new RegExp(name) })).toBeVisible();
  await expect(page.locator('[data-profile-name]')).toHaveText(t('shell:profile.guest'));
  await letThrough();
  await awake(page);
  await expect(page.getByRole('region', { name: t('home:returning.forYou') }).getByRole('link')).toHaveCount(
    7,
  );
  expect(await violations(page)).toEqual([]);

  await card.click();
  await expect(page).toHaveURL(/conversation_id=/);
  await awake(page);
  await expect(page.getByRole('list', { name: t('chat:messages') })).toContainText('w1');

  await page.goto('/en');
  await awake(page);
  const home = page.waitForEvent('load');
  await page.getByRole('button', { name: t('shell:profile.logOut') }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('shell:profile.guestConfirm') })
    .click();
  await home;
  await expect(page.getByRole('heading', { level: 1, name: t('home:heading') })).toBeVisible();
  await expect(card).toBeHidden();
  expect(await page.evaluate((key) => localStorage.getItem(key), COPY_KEY)).toBeNull();
});

test('a phone has a bottom bar whose chats open first in the menu, and none covers the composer', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const name = await returnAsGuest(page);
  await awake(page);
  const bar = page.getByRole('navigation', { name: t('shell:tabs.label') });
  await expect(bar.getByRole('link', { name: t('shell:nav.discover') })).toHaveAttribute(
    'aria-current',
    'page',
  );
  for (const part of await bar.locator('> *').all()) {
    const box = await part.boundingBox();
    expect([box?.width, box?.height].map((side) => (side ?? 0) >= 44)).toEqual([true, true]);
  }
  const opener = bar.getByRole('button', { name: t('shell:tabs.chats') });
  await opener.click();
  const menu = page.getByRole('dialog', { name: t('shell:menu.label') });
  const chat = menu.getByRole('link', { name: new RegExp(name) });
  await expect(chat).toBeInViewport();
  const [chatTop, navTop] = await Promise.all(
    [chat, menu.getByRole('navigation')].map(async (part) => (await part.boundingBox())?.y ?? 0),
  );
  expect(chatTop).toBeLessThan(navTop as number);
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await bar.getByRole('link', { name: t('shell:tabs.you') }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('settings:title') })).toBeVisible();
  await awake(page);
  // What this device has is counted after the page is there, which may make the page longer.
  await expect(async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const [foot, top] = await Promise.all(
      [page.getByRole('contentinfo'), bar].map((part) => part.boundingBox()),
    );
    expect((foot?.y ?? 0) + (foot?.height ?? 0)).toBeLessThanOrEqual((top?.y ?? 0) + 1);
  }).toPass();
  await bar.getByRole('link', { name: t('shell:nav.home') }).click();
  await continueCard(page, name).click();
  await expect(page.getByRole('textbox', { name: t('chat:composerLabel', { name }) })).toBeVisible();
  await expect(bar).toHaveCount(0);
});

test('the home page has the same height for newcomers and returning guests, and nothing moves @all', async ({
  page,
}) => {
  await returnAsGuest(page);
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/en');
    await awake(page);
    const height = () => page.locator('.first').evaluate((element) => element.clientHeight);
    const returning = await height();
    await page.evaluate(() => delete document.documentElement.dataset['home']);
    expect([width, await height()]).toEqual([width, returning]);
  }
});

test('the switch of the theme is right before any script is loaded @all', async ({ page }) => {
  await returnAsGuest(page);
  await page.evaluate(() => localStorage.setItem('theme', 'light'));
  const letThrough = await holdModules(page);
  await page.goto('/en', { waitUntil: 'commit' });
  await expect(page.getByRole('switch', { name: t('shell:theme.dark') })).not.toBeChecked();
  await letThrough();
});

for (const [what, text] of [
  ['is not JSON', '{'],
  ['has no chats', '{"owner":"x","lang":"en","profile":["A","B",""],"groups":[],"home":[]}'],
  ['has a foreign address', '{"home":[["javascript:alert(1)","/x","A","B","2026-01-01T00:00:00Z"]]}'],
  ['has other types', '{"home":[[1,2,3,4,5]],"groups":7,"profile":null,"lang":"en"}'],
] as const)
  test(`a copy that ${what} leaves the hero and breaks nothing @all`, async ({ page }) => {
    await page.goto('/about');
    await page.evaluate(
      ([key, copy]) => {
        localStorage.setItem('who', 'guest');
        localStorage.setItem(key as string, copy as string);
      },
      [COPY_KEY, text],
    );
    const letThrough = await holdModules(page);
    await page.goto('/en', { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1, name: t('home:heading') })).toBeVisible();
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
    await letThrough();
    await awake(page);
    await expect(page.getByRole('link', { name: t('home:findCharacter') }).first()).toBeVisible();
  });

lossyTest('an offline device keeps the chats it remembers and says so @all', async ({ page }) => {
  const name = await returnAsGuest(page);
  // The texts of the returning user's frame are loaded last.
  await page.goto('/en', { waitUntil: 'networkidle' });
  await awake(page);
  await goOffline(page);
  await expect(page.getByText(t('returning:offline'))).toBeVisible();
  await expect(continueCard(page, name)).toBeVisible();
});

test('an account sees its news, and can load them again when that failed @all', async ({ page }) => {
  await page.request.post('/api/auth/test-login', { data: { person: 'reader' } });
  const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
    items: { id: string; name: string; creator: { name: string } }[];
  };
  const [character] = items;
  if (character === undefined) throw new Error('The catalogue is empty');
  await startListedChat(page, character.id);
  await page.goto('/en/discover');
  await page.waitForFunction((key) => localStorage.getItem(key) !== null, COPY_KEY);
  const kinds = ['new_character', 'changed_favourite'];
  const answers = [
    { status: 500, json: {} },
    { json: { items: kinds.map((kind) => ({ kind, character })) } },
  ];
  await page.route('**/api/me/news', (route) => route.fulfill(answers.shift()));
  await page.goto('/en');
  const news = page.getByRole('region', { name: t('home:returning.news') });
  await expect(news.getByText(t('returning:newsFailed'))).toBeVisible();
  await news.getByRole('button', { name: t('returning:retry') }).click();
  await expect(news.getByRole('link')).toHaveCount(2);
  await expect(news.getByText(t('returning:changedFavourite'))).toBeVisible();
  // The device has them now, and asks the server again only after some minutes.
  await page.reload();
  await expect(news.getByRole('link', { name: character.name })).toHaveCount(2);
});

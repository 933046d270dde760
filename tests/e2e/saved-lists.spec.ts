import { randomUUID } from 'node:crypto';
import { t } from '../support/texts.ts';
import { makeCharacter, signInAsCreator } from './creator-setup.ts';
import { awake, expect, goOffline, SOMEBODY, test } from './journey.ts';
import { toast } from './messages.page.ts';
import { violations } from './violations.ts';

test('a user favourites a character before logging in, follows its creator, and finds both in the lists', async ({
  page,
  browser,
  baseURL,
  troubles,
}) => {
  const creatorContext = await browser.newContext({ baseURL: baseURL as string });
  const [creatorPage, name] = [await creatorContext.newPage(), `Wren ${randomUUID().slice(0, 8)}`];
  const { id: creatorId, username } = await signInAsCreator(creatorPage, baseURL as string);
  const wren = await makeCharacter(creatorPage, { name });
  await creatorContext.close();
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/en/favourites');
  await expect(page.getByRole('main').getByRole('button', { name: t('choices:logIn') })).toBeVisible();
  expect(await violations(page)).toEqual([]);

  await page.goto(`/en/character-info/${wren.id}`);
  const heart = page.getByRole('button', { name: t('choices:favourite') });
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
  await page.route('**/saved-list-page*.js', (route) => route.abort());
  await heart.click();
  await expect(toast(page, 'Network error.')).toBeVisible();
  await page.unroute('**/saved-list-page*.js');
  // A click before the page's scripts have loaded counts, too.
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/_astro/page.*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  await heart.click();
  release();
  await expect(page.getByRole('dialog')).toBeVisible();
  troubles.splice(0);
  // A login without the dialog simulates a login on another page.
  await signInAsCreator(page, baseURL as string);
  await page.reload();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await toast(page, t('choices:addedToFavourites', { name }))
    .getByRole('button', { name: t('choices:undo') })
    .click();
  await expect(heart).toHaveAttribute('aria-pressed', 'false');
  await expect(toast(page, t('choices:removedFromFavourites', { name }))).toBeVisible();
  await heart.click();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await expect(toast(page, t('choices:addedToFavourites', { name }))).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await goOffline(page);
  await heart.click();
  await expect(toast(page, 'Network error.')).toBeVisible();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await page.context().setOffline(false);
  // The browser logs the failed request; that is expected here.
  troubles.splice(0);

  await page.goto(`/creator/${creatorId}`);
  const follow = page.getByRole('button', { name: t('choices:follow'), exact: true });
  await follow.click();
  await expect(toast(page, t('choices:followed', { name: username }))).toBeVisible();
  const following = page.getByRole('button', { name: t('choices:followPressed'), exact: true });
  await expect(following).toHaveAttribute('aria-pressed', 'true');
  expect(await violations(page)).toEqual([]);

  await page.goto('/en/discover');
  await page
    .getByRole('main')
    .getByRole('link', { name: t('choices:title') })
    .click();
  const favourites = page.getByRole('list', { name: t('choices:favourites') });
  await expect(favourites.getByRole('listitem')).toHaveCount(1);
  await expect(favourites.getByRole('link', { name })).toHaveAttribute(
    'href',
    `/en/character-info/${wren.id}`,
  );
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  const listedHeart = favourites.getByRole('button', { name: t('choices:favouriteNamed', { name }) });
  await listedHeart.click();
  await expect(listedHeart).toHaveAttribute('aria-pressed', 'false');
  await page.reload();
  await expect(page.getByRole('heading', { name: t('choices:emptyTitle') })).toBeVisible();

  await page.getByRole('link', { name: t('choices:following') }).click();
  await expect(page.getByRole('list', { name: t('choices:newestTitle') }).getByRole('link')).toHaveText(
    new RegExp(name),
  );
  await expect(page.getByRole('link', { name: username })).toHaveAttribute('href', `/creator/${creatorId}`);
  const followed = page.getByRole('button', { name: t('choices:followPressedNamed', { name: username }) });
  await expect(followed).toHaveAttribute('aria-pressed', 'true');
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test('hidden tags and creators are left out of lists with a count, and can be shown again in settings @all', async ({
  page,
  baseURL,
}) => {
  const me = await signInAsCreator(page, baseURL as string);
  const word = `Heron${randomUUID().slice(0, 8)}`;
  await makeCharacter(page, { name: `${word} One`, tags: ['rpg'] });
  await makeCharacter(page, { name: `${word} Two`, tags: ['fantasy'] });
  await page.goto('/en/tag/rpg');
  await page.getByText(t('discover:filters.title'), { exact: true }).click();
  await page.getByRole('button', { name: t('choices:hideTag') }).click();
  await expect(page.getByText(t('choices:tagHiddenNote'))).toBeVisible();
  await expect(page.getByRole('button', { name: t('choices:showAgain') })).toBeFocused();
  await expect(toast(page, t('choices:hiddenFromLists', { name: t('common:tag.rpg') }))).toBeVisible();
  expect(await violations(page)).toEqual([]);

  const list = `/en/discover?q=${word}`;
  await page.goto(list);
  const cards = page.getByRole('list', { name: t('discover:listLabel') }).getByRole('link');
  await expect(cards).toHaveText([new RegExp(`${word} Two`)]);
  const hiddenCount = page.getByRole('button', { name: t('choices:hiddenCount', { count: 1 }) });
  await hiddenCount.click();
  await expect(cards).toHaveCount(2);
  await expect(hiddenCount).toHaveAttribute('aria-expanded', 'true');
  expect(await violations(page)).toEqual([]);
  // The list is filtered even when no script of the page loads.
  const early = await page.context().newPage();
  await early.route('**/_astro/**/*.js', (route) => route.abort());
  await early.goto(list);
  await expect(early.getByRole('list', { name: t('discover:listLabel') }).getByRole('link')).toHaveCount(1);
  await early.close();

  // A page whose characters are all hidden loads the next page.
  const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
    items: { creator: { id: string } }[];
  };
  const houseId = items[0]?.creator.id as string;
  await page.goto(`/creator/${houseId}`);
  await page.getByRole('button', { name: t('choices:hideCreator') }).click();
  await expect(page.getByText(t('choices:creatorHiddenNote'))).toBeVisible();
  await page.route(/\/en\/discover(?:\?cursor=1)?$/, async (route) => {
    const next = route.request().url().includes('cursor');
    const answer = await route.fetch();
    const html = (await answer.text())
      .replace(/data-creator="[^"]*"/g, `data-creator="${next ? 'somebody' : houseId}"`)
      .replace(/data-tags="[^"]*"/g, 'data-tags=""')
      .replace(/(\/en\/character-info\/\w+)"/g, `$1?page=${next ? 1 : 0}"`)
      .replace(/\?cursor=[^"&]+"/g, '?cursor=1"');
    await route.fulfill({ response: answer, body: html });
  });
  await page.goto('/en/discover');
  await expect(cards.first()).toHaveAttribute('href', /page=1$/);
  await expect(page.getByRole('button', { name: t('choices:hiddenCount', { count: 24 }) })).toBeVisible();

  await page.goto('/settings');
  await awake(page);
  const hidden = page.getByRole('region', { name: t('choices:hiddenTitle') });
  await expect(hidden.getByRole('listitem')).toHaveCount(2);
  expect(await violations(page)).toEqual([]);
  const showAgain = hidden.getByRole('button', {
    name: t('choices:showAgainNamed', { name: t('common:tag.rpg') }),
  });
  await showAgain.click();
  await expect(hidden.getByRole('listitem')).toHaveCount(1);
  await expect(toast(page, t('choices:shownInListsAgain', { name: t('common:tag.rpg') }))).toBeVisible();
  await page.goto(list);
  await expect(cards).toHaveCount(2);

  // Users cannot hide or follow themselves.
  await page.goto(`/creator/${me.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: t('choices:follow'), exact: true })).toBeHidden();
});

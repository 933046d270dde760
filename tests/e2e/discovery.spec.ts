import type { Page } from '@playwright/test';
import { expect, test } from './journey.ts';
import { violations } from './violations.ts';

const PAGE = 24;

/**
 * A catalogue that has a next page again and again: the first one's cards, under addresses of their own. Its pages stand
 * as they were at first, whoever makes characters meanwhile.
 */
async function manyPages(page: Page): Promise<void> {
  const known = new Map<boolean, string>();
  await page.route(/\/en\/discover(?:\?cursor=\d+)?$/, async (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get('cursor'));
    // A cursor that the server does not know is its first page.
    const answer = await route.fetch();
    const html = known.get(number > 0) ?? (await answer.text());
    known.set(number > 0, html);
    const own = number === 0 ? html : html.replace(/(\/en\/character-info\/\w+)"/g, `$1?page=${number}"`);
    const body = own.replace(/\?cursor=[^"&]+"/g, `?cursor=${number + 1}"`);
    await route.fulfill({ response: answer, body });
  });
}

test('the catalogue goes on by itself for a while, tells how far, lets one reach the foot, and is where it was on the way back', async ({
  page,
}) => {
  await manyPages(page);
  await page.goto('/en/discover');
  const cards = page.getByRole('list', { name: 'Characters' }).getByRole('listitem');
  const more = page.getByRole('link', { name: 'Show more' });
  const told = page.getByRole('status').filter({ hasText: /more characters/ });
  const foot = page.getByRole('contentinfo');
  await expect(cards).toHaveCount(PAGE);
  for (const pages of [2, 3, 4]) {
    await more.scrollIntoViewIfNeeded();
    await expect.poll(() => cards.count()).toBeGreaterThanOrEqual(pages * PAGE);
  }
  await expect(told).toHaveText('24 more characters');
  // Now the link waits to be pressed, and what is below it can be reached.
  await foot.scrollIntoViewIfNeeded();
  await expect(foot).toBeInViewport();
  await expect(cards).toHaveCount(4 * PAGE);
  expect(await violations(page)).toEqual([]);

  await more.focus();
  await more.press('Enter');
  await expect(cards).toHaveCount(5 * PAGE);
  await expect(cards.nth(4 * PAGE).getByRole('link')).toBeFocused();

  const left = cards.nth(4 * PAGE + 3);
  await left.scrollIntoViewIfNeeded();
  const name = await left.innerText();
  await left.getByRole('link').click();
  await expect(page).toHaveURL(/character-info\/\w+\?page=4$/);
  await page.goBack();
  await expect(cards).toHaveCount(5 * PAGE);
  await expect(cards.nth(4 * PAGE + 3)).toBeInViewport();
  expect(await cards.nth(4 * PAGE + 3).innerText()).toBe(name);
});

test('without scripts the way on is a link, and a search, a tag and an order go together', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}), javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/en/discover');
  const cards = page.getByRole('list', { name: 'Characters' }).getByRole('listitem');
  const first = await cards.first().innerText();
  await page.getByRole('link', { name: 'Show more' }).click();
  await expect(page).toHaveURL(/cursor=/);
  await expect(cards).not.toHaveCount(0);
  expect(await cards.allInnerTexts()).not.toContain(first);

  await page.goto('/en/tag/fantasy');
  await page.getByRole('link', { name: 'Newest' }).click();
  // Another form of a word than in the catalogue, and in capitals.
  await page.getByRole('searchbox', { name: 'Search characters' }).fill('DRAGONS');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page).toHaveURL(/\/en\/tag\/fantasy\?.*q=DRAGONS/);
  await expect(page).toHaveURL(/sort=new/);
  await expect(cards.filter({ hasText: 'Karabiber' })).toHaveCount(1);
  await context.close();
});

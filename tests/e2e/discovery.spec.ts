import type { Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { expect, test } from './journey.ts';
import { violations } from './violations.ts';

const PAGE = 24;

/**
 * Serves a catalogue without an end: every page repeats the cards of the first one under its own addresses. Each page is
 * served as it was first fetched, because other tests create characters.
 */
async function serveEndlessCatalogue(page: Page): Promise<void> {
  const fetched = new Map<boolean, string>();
  await page.route(/\/en\/discover(?:\?cursor=\d+)?$/, async (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get('cursor'));
    // The server answers an unknown cursor with its first page.
    const answer = await route.fetch();
    const html = fetched.get(number > 0) ?? (await answer.text());
    fetched.set(number > 0, html);
    const withOwnLinks =
      number === 0 ? html : html.replace(/(\/en\/character-info\/\w+)"/g, `$1?page=${number}"`);
    const body = withOwnLinks.replace(/\?cursor=[^"&]+"/g, `?cursor=${number + 1}"`);
    await route.fulfill({ response: answer, body });
  });
}

test('the catalogue loads three more pages by itself, then waits for a click, and keeps its place on Back', async ({
  page,
}) => {
  await serveEndlessCatalogue(page);
  await page.goto('/en/discover');
  const cards = page.getByRole('list', { name: t('discover:listLabel') }).getByRole('listitem');
  const more = page.getByRole('link', { name: t('discover:showMore') });
  const announcement = page
    .getByRole('status')
    .filter({ hasText: t('discover:moreLoaded', { count: PAGE }) });
  const foot = page.getByRole('contentinfo');
  await expect(cards).toHaveCount(PAGE);
  for (const pages of [2, 3, 4]) {
    await more.scrollIntoViewIfNeeded();
    await expect.poll(() => cards.count()).toBeGreaterThanOrEqual(pages * PAGE);
  }
  await expect(announcement).toHaveText(t('discover:moreLoaded', { count: PAGE }));
  // Now the link waits for a click, so the footer can be reached.
  await foot.scrollIntoViewIfNeeded();
  await expect(foot).toBeInViewport();
  await expect(cards).toHaveCount(4 * PAGE);
  expect(await violations(page)).toEqual([]);

  await more.focus();
  await more.press('Enter');
  await expect(cards).toHaveCount(5 * PAGE);
  await expect(cards.nth(4 * PAGE).getByRole('link')).toBeFocused();

  const openedCard = cards.nth(4 * PAGE + 3);
  await openedCard.scrollIntoViewIfNeeded();
  const name = await openedCard.innerText();
  await openedCard.getByRole('link').click();
  await expect(page).toHaveURL(/character-info\/\w+\?page=4$/);
  await page.goBack();
  await expect(cards).toHaveCount(5 * PAGE);
  await expect(cards.nth(4 * PAGE + 3)).toBeInViewport();
  expect(await cards.nth(4 * PAGE + 3).innerText()).toBe(name);
});

test('without scripts the catalogue has a link to the next page and combines search, tag and order', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}), javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/en/discover');
  const cards = page.getByRole('list', { name: t('discover:listLabel') }).getByRole('listitem');
  const first = await cards.first().innerText();
  await page.getByRole('link', { name: t('discover:showMore') }).click();
  await expect(page).toHaveURL(/cursor=/);
  await expect(cards).not.toHaveCount(0);
  expect(await cards.allInnerTexts()).not.toContain(first);

  await page.goto('/en/tag/fantasy');
  await page.getByRole('link', { name: t('discover:sort.new') }).click();
  // The search word differs from the catalogue's in its ending and in capitals.
  await page.getByLabel(t('discover:search.label')).fill('DRAGONS');
  await page.getByRole('button', { name: t('discover:search.submit') }).click();
  await expect(page).toHaveURL(/\/en\/tag\/fantasy\?.*q=DRAGONS/);
  await expect(page).toHaveURL(/sort=new/);
  await expect(cards.filter({ hasText: 'Karabiber' })).toHaveCount(1);
  await context.close();
});

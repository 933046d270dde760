import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { CRONS } from '../../src/jobs/schedule.ts';
import { readTexts, t } from '../support/texts.ts';
import { makeCharacter, signInAsCreator } from './creator-setup.ts';
import { expect, test } from './journey.ts';
import { violations } from './violations.ts';

const german = readTexts('de');

const PAGE = '/en/creator-competition';

/** Runs the cron job that counts the scores. */
async function runCount(page: Page): Promise<void> {
  const run = await page.request.get('/cdn-cgi/local/scheduled', { params: { cron: CRONS.ledgerAudit } });
  expect(await run.text()).toBe('ok');
}

const getPlace = (page: Page, name: string) => page.locator('.places > li').filter({ hasText: name });
/** Returns the user's own entry; its list loads when it is scrolled into view. */
const getOwnEntry = async (page: Page, name: string) => {
  const region = page.getByRole('region', { name: t('competition:ownTitle') });
  await region.scrollIntoViewIfNeeded();
  return region.getByRole('listitem').filter({ hasText: name });
};

test('a public character enters the competition by itself, and can be withdrawn, excluded and re-entered', async ({
  page,
  baseURL,
  troubles,
}) => {
  await signInAsCreator(page, baseURL as string);
  const name = `Wren ${randomUUID().slice(0, 8)}`;
  const wren = await makeCharacter(page, { name });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(PAGE);
  await expect(await getOwnEntry(page, name)).toContainText(t('competition:ownNotCounted'));
  await runCount(page);
  await page.reload();
  await expect(getPlace(page, name)).toContainText(t('competition:score'));
  await expect(getPlace(page, name).getByRole('link', { name })).toHaveAttribute(
    'href',
    `/en/character-info/${wren.id}`,
  );
  await expect(await getOwnEntry(page, name)).toContainText(t('competition:ownStatus_entered'));
  expect(await violations(page)).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(320);

  await page.getByRole('button', { name: t('competition:withdrawNamed', { name }) }).click();
  await expect(page.getByText(t('competition:withdrawn', { name }))).toBeVisible();
  await expect(await getOwnEntry(page, name)).toContainText(t('competition:ownStatus_withdrawn'));
  await page.reload();
  await expect(await getOwnEntry(page, name)).toContainText(t('competition:ownStatus_withdrawn'));
  await expect(getPlace(page, name)).toHaveCount(0);
  await page.getByRole('button', { name: t('competition:enterAgainNamed', { name }) }).click();
  await expect(await getOwnEntry(page, name)).toContainText(t('competition:ownStatus_entered'));
  await page.reload();
  await expect(getPlace(page, name)).toBeVisible();

  const write = (first_message: string) =>
    page.request.patch(`/api/characters/${wren.id}`, { data: { first_message } });
  expect((await write('She has an orgasm.')).status()).toBe(200);
  await page.reload();
  await expect(await getOwnEntry(page, name)).toContainText(t('competition:ownStatus_explicit'));
  await expect(await getOwnEntry(page, name)).toContainText(
    t('competition:ownExplicitWords', { words: 'orgasm' }),
  );
  await expect(getPlace(page, name)).toHaveCount(0);
  expect((await write('They kiss under the stars.')).status()).toBe(200);
  await page.reload();
  await expect(await getOwnEntry(page, name)).toContainText(t('competition:ownStatus_entered'));

  const hidden = await page.request.patch(`/api/characters/${wren.id}`, { data: { visibility: 'private' } });
  expect(hidden.status()).toBe(200);
  await page.reload();
  await expect(await getOwnEntry(page, name)).toContainText(t('competition:ownStatus_not_public'));
  await expect(getPlace(page, name)).toHaveCount(0);
  expect(troubles).toEqual([]);
});

test('a visitor without scripts reads the competition’s rules and earlier seasons in German @all', async ({
  browser,
  baseURL,
  request,
}) => {
  // All visitors share one cached page, for at most a minute.
  const cached = await request.get(PAGE);
  expect(cached.headers()['cloudflare-cdn-cache-control']).toMatch(/^public, max-age=60\b/);
  expect(cached.headers()['cache-tag']).toMatch(/^competition\b/);
  const uncached = await request.get(`${PAGE}?utm_source=letter`);
  expect(uncached.headers()['cache-control']).toContain('no-store');
  const page = await browser.newPage({ javaScriptEnabled: false, baseURL: baseURL as string });
  await page.goto('/de/creator-competition');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(german('competition:title'));
  await expect(page.getByText(german('competition:prize_gift_card', { amount: '100 $' }))).toBeVisible();
  await expect(page.getByText(german('competition:ruleTiesText'))).toBeVisible();
  const score = german('competition:ruleScoreText', { popularity: '80 %', creativity: '20 %' });
  await expect(page.getByText(score)).toBeVisible();
  await page.getByRole('link', { name: german('competition:season', { number: 2 }), exact: true }).click();
  const days = german('competition:datesFromTo', { from: '25. August 2025', to: '25. November 2025' });
  await expect(page.getByText(days)).toBeVisible();
  await expect(page.getByText('30. November 2025')).toBeVisible();
  await expect(page.getByText(german('competition:winnersEmpty'))).toBeVisible();
  const missing = await page.goto('/de/creator-competition?season=99');
  expect(missing?.status()).toBe(404);
  await page.getByRole('link', { name: german('competition:missingLink') }).click();
  await expect(page).toHaveURL(/\/de\/creator-competition$/);
  await page.close();
});

test('a judge marks a character, and the judging page is a 404 for other users @all', async ({
  page,
  browser,
  baseURL,
  troubles,
}) => {
  const creatorPage = await browser.newPage({ baseURL: baseURL as string });
  await signInAsCreator(creatorPage, baseURL as string);
  const name = `Loam ${randomUUID().slice(0, 8)}`;
  const loam = await makeCharacter(creatorPage, { name });
  await creatorPage.goto('/admin-competition');
  await expect(
    creatorPage.getByRole('heading', {
      name: t('pages:error.heading', { status: '404', message: t('pages:error.status.404') }),
    }),
  ).toBeVisible();
  await expect(creatorPage.getByRole('heading', { name: t('competition:judgingTitle') })).toHaveCount(0);

  await page.request.post('/api/auth/test-login', { data: { person: 'admin' } });
  await page.goto('/admin-competition');
  await expect(page.getByRole('heading', { name: t('competition:judgingTitle') })).toBeVisible();
  const field = page.getByRole('textbox', { name: t('competition:judgingRatingNamed', { name }) });
  // The newest characters are at the end of the list.
  const more = page.getByRole('button', { name: t('competition:entriesShowMore') });
  await expect(async () => {
    await expect(field.or(more).first()).toBeVisible();
    if ((await field.count()) === 0) await more.click();
    await expect(field).toBeVisible({ timeout: 1000 });
  }).toPass();
  await field.fill('101');
  await field.press('Enter');
  await expect(page.getByText(t('competition:judgingRatingInvalid'))).toBeVisible();
  await field.fill('90');
  await field.press('Enter');
  await expect(page.getByText(t('competition:judgingSaved', { mark: 90, name }))).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.reload();
  const { items } = (await (await page.request.get('/api/admin/competition?limit=100')).json()) as {
    items: { character_id: string; mark: number | null }[];
  };
  expect(items.find(({ character_id }) => character_id === loam.id)?.mark).toBe(90);
  const seasons = page.getByRole('navigation', { name: t('competition:seasonsTitle') });
  await seasons.getByRole('link', { name: t('competition:season', { number: 2 }), exact: true }).click();
  await expect(page).toHaveURL(/\/admin-competition\?season=2$/);
  await expect(page.getByText(t('competition:judgingEmpty'))).toBeVisible();
  await expect(
    seasons.getByRole('link', { name: t('competition:season', { number: 2 }), exact: true }),
  ).toHaveAttribute('aria-current', 'page');
  // The page's own request answers 404 to everyone, which the browser logs.
  expect(troubles.splice(0)).toEqual([
    expect.stringContaining('/admin-competition'),
    expect.stringContaining('/admin-competition'),
    expect.stringContaining('/admin-competition'),
  ]);
  await runCount(page);
  await creatorPage.goto(PAGE);
  await expect(getPlace(creatorPage, name)).toContainText('90');
  await creatorPage.close();
});

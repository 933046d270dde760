import { RATES_BY_COST, RATES } from '../../src/api/middleware/rate-limits.ts';
import { readTexts } from '../support/texts.ts';
import { expect, test } from './journey.ts';
import { ownSite } from './own-site.ts';
import { violations } from './violations.ts';

const german = readTexts('de');

/** A site with rate limits per network, as every public site has. */
const site = ownSite(() => ({ RATE_LIMITS: 'on' }));

/** Searches until the network's limit is reached. It allows for two counts, since a new minute starts a new one. */
async function searchTooOften(): Promise<void> {
  const search = async () => (await fetch(`${site.url}/api/characters?limit=1`)).status;
  for (let count = 0; count <= 2 * RATES[RATES_BY_COST.search.network].limit; count += 10)
    if ((await Promise.all(Array.from({ length: 10 }, search))).includes(429)) return;
  throw new Error('Nothing was refused');
}

test('a search page over the network’s limit shows a translated error, and other pages still open @all', async ({
  page,
  troubles,
}) => {
  const openSearch = () => page.goto(`${site.url}/de/discover?q=leuchtturm`);
  expect((await openSearch())?.status()).toBe(200);
  await expect(async () => {
    await searchTooOften();
    expect((await openSearch())?.status()).toBe(429);
  }).toPass();
  await expect(page.getByText(german('errors:too_many_requests'))).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  expect(await violations(page)).toEqual([]);
  await expect(page.getByRole('link', { name: german('account:tryAgain') })).toHaveAttribute('href', '');
  // The browser logs the refused page, which is expected here.
  for (const trouble of troubles.splice(0)) expect(trouble).toContain('429');
  // The checks above may have outlasted the minute that was used up.
  await expect(async () => {
    await searchTooOften();
    const refused = await fetch(`${site.url}/en/tag/fantasy?cursor=made-up`);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('cache-control')).toBe('private, no-store');
  }).toPass();
  await page.getByRole('link', { name: german('pages:error.home') }).click();
  await expect(page).toHaveURL(/\/de$/);
  await page.goto(`${site.url}/de/discover`);
  await expect(page.getByRole('searchbox').first()).toBeVisible();
});

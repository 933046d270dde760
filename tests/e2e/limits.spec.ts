import { RATES_BY_COST, RATES } from '../../src/api/middleware/rate-limits.ts';
import germanAccount from '../../src/locales/de/account.json' with { type: 'json' };
import german from '../../src/locales/de/errors.json' with { type: 'json' };
import germanPages from '../../src/locales/de/pages.json' with { type: 'json' };
import { expect, test } from './journey.ts';
import { ownSite } from './own-site.ts';
import { violations } from './violations.ts';

/** A site that limits networks, as every one does that others reach. */
const site = ownSite(() => ({ RATE_LIMITS: 'on' }));

/** Searches until the network may no more; a minute that ends meanwhile begins a new count. */
async function searchTooOften(): Promise<void> {
  const search = async () => (await fetch(`${site.url}/api/characters?limit=1`)).status;
  for (let asked = 0; asked <= 2 * RATES[RATES_BY_COST.search.network].limit; asked += 10)
    if ((await Promise.all(Array.from({ length: 10 }, search))).includes(429)) return;
  throw new Error('Nothing was refused');
}

test('after too many searches from my network a page that searches says so in my language, and others open', async ({
  page,
  troubles,
}) => {
  const looked = () => page.goto(`${site.url}/de/discover?q=leuchtturm`);
  expect((await looked())?.status()).toBe(200);
  await expect(async () => {
    await searchTooOften();
    expect((await looked())?.status()).toBe(429);
  }).toPass();
  await expect(page.getByText(german.too_many_requests)).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  expect(await violations(page)).toEqual([]);
  await expect(page.getByRole('link', { name: germanAccount.tryAgain })).toHaveAttribute('href', '');
  // A browser reports that a page was refused; that is what it was to see here.
  for (const trouble of troubles.splice(0)) expect(trouble).toContain('429');
  const refused = await fetch(`${site.url}/en/tag/fantasy?cursor=made-up`);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.headers.get('cache-control')).toBe('private, no-store');
  await page.getByRole('link', { name: germanPages.error.home }).click();
  await expect(page).toHaveURL(/\/de$/);
  await page.goto(`${site.url}/de/discover`);
  await expect(page.getByRole('searchbox').first()).toBeVisible();
});

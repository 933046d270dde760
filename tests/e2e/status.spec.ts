import { CRONS } from '../../src/jobs/schedule.ts';
import type { StatusView } from '../../src/features/status/contract.ts';
import { awake, expect, test } from './journey.ts';
import { modelUrl, ownSite } from './own-site.ts';
import { violations } from './violations.ts';

/** A site of its own, which has not been checked yet, and whose database can be had from outside. */
const site = ownSite(() => ({ MODEL_ROLEPLAY_BASE_URL: modelUrl() }));

/** Changes the site's database from outside. */
function change(sql: string): void {
  const db = site.database('d1');
  db.exec(sql);
  db.close();
}

test('the status page says that nothing is known, then what the site found of itself, and when that is too old or cannot be read', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  const url = (path: string): string => `${site.url}${path}`;
  const parts = page.locator('.status-parts > li');

  await page.goto(url('/en/status'));
  await expect(page.locator('.status-now')).toHaveText('Not known right now');
  await expect(page.getByText('This site has not checked itself yet.')).toBeVisible();
  await expect(parts.first().getByRole('img', { name: /Last 24 hours: Nothing was measured/ })).toBeVisible();

  // Its time comes.
  const checked = await page.request.get(url('/cdn-cgi/local/scheduled'), {
    params: { cron: CRONS.monitoring },
  });
  expect(checked.status()).toBe(200);
  await page.reload();
  await expect(page.locator('.status-now')).toHaveText('Everything works');
  await expect(parts.getByRole('heading')).toHaveText([
    'Pages and storage',
    'Signing in',
    'Chats',
    'Replies: Roleplay',
  ]);
  for (const part of await parts.all()) await expect(part.locator('.status-state')).toContainText('works');
  await expect(
    page.getByRole('img', { name: 'Chats, Last 24 hours: Checks: 1, slow: 0, down: 0' }),
  ).toBeVisible();
  const told = (await (await page.request.get(url('/api/status'))).json()) as StatusView;
  expect(told).toMatchObject({ now: 'up', stale: false });

  // What was wrong stands in numbers as well, and is had by keyboard.
  const part = '{"part":"chats","is":"down","ms":null,"code":"server_error"}';
  change(`insert into checks (at, parts) values (${Date.now() - 400_000}, '[${part}]')`);
  await page.reload();
  const trouble = parts.nth(2).getByText('When something was slow or down');
  await trouble.focus();
  await page.keyboard.press('Enter');
  await expect(parts.nth(2).getByRole('table').getByRole('row').nth(1)).toContainText(/[12]01$/);
  await awake(page);
  expect(await violations(page)).toEqual([]);

  // Nobody says what is now by what was half an hour ago.
  change(`update checks set at = at - 1900000`);
  await page.reload();
  await expect(page.locator('.status-now')).toHaveText('Not known right now');
  await expect(page.getByText('How things are now is not known.')).toBeVisible();

  // Without scripts, in another language, in the dark as by day.
  const plain = await browser.newContext({ javaScriptEnabled: false, locale: 'de-DE' });
  const still = await plain.newPage();
  await still.goto(url('/status'));
  await expect(still).toHaveURL(/\/de\/status$/);
  await expect(still.locator('.status-now')).toHaveText('Gerade nicht bekannt');
  await still.locator('.status-parts summary').first().click();
  await expect(still.getByRole('table').first()).toBeVisible();
  await still.getByRole('link', { name: 'Status' }).click();
  await expect(still).toHaveURL(/\/de\/status$/);
  await plain.close();

  // The database itself is what does not answer.
  change('alter table checks rename to checks_away');
  const failed = await page.request.get(url('/en/status'));
  expect(failed.status()).toBe(503);
  expect(failed.headers()['cache-control']).toBe('private, no-store');
  expect(await failed.text()).toContain('The status cannot be read right now');
  change('alter table checks_away rename to checks');
  expect((await page.request.get(url('/en/status'))).status()).toBe(200);
});

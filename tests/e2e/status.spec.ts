import { CRONS } from '../../src/jobs/schedule.ts';
import type { StatusView } from '../../src/features/status/contract.ts';
import { escapeHtml } from '../../src/lib/html.ts';
import { readTexts, t } from '../support/texts.ts';
import { awake, expect, test } from './journey.ts';
import { modelUrl, ownSite } from './own-site.ts';
import { violations } from './violations.ts';

/** A separate site that has not run a check yet and whose database the test can change. */
const site = ownSite(() => ({ MODEL_ROLEPLAY_BASE_URL: modelUrl() }));

const german = readTexts('de');

/** Runs SQL on the site's database. */
function change(sql: string): void {
  const db = site.database('d1');
  db.exec(sql);
  db.close();
}

test('the status page shows unknown, current, outdated and unreadable check results @all', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000);
  const url = (path: string): string => `${site.url}${path}`;
  const parts = page.locator('.status-parts > li');

  await page.goto(url('/en/status'));
  await expect(page.locator('.status-now')).toHaveText(t('status:now.unknown'));
  await expect(page.getByText(t('status:neverChecked'))).toBeVisible();
  await expect(
    parts.first().getByRole('img', { name: `${t('status:hoursTitle')}: ${t('status:nothingMeasured')}` }),
  ).toBeVisible();

  // Run the monitoring cron job.
  const checked = await page.request.get(url('/cdn-cgi/local/scheduled'), {
    params: { cron: CRONS.monitoring },
  });
  expect(checked.status()).toBe(200);
  await page.reload();
  await expect(page.locator('.status-now')).toHaveText(t('status:now.up'));
  await expect(parts.getByRole('heading')).toHaveText([
    t('status:part.site'),
    t('status:part.sign_in'),
    t('status:part.chats'),
    t('status:part.replies', { model: 'Roleplay' }),
  ]);
  for (const part of await parts.all())
    await expect(part.locator('.status-state')).toContainText(t('status:state.up'));
  const measured = t('status:barSummary', { checks: 1, slow: 0, down: 0 });
  await expect(
    page.getByRole('img', { name: `${t('status:part.chats')}, ${t('status:hoursTitle')}: ${measured}` }),
  ).toBeVisible();
  const status = (await (await page.request.get(url('/api/status'))).json()) as StatusView;
  expect(status).toMatchObject({ now: 'up', stale: false });

  // The failed checks are also in a table, which can be opened by keyboard.
  const part = '{"part":"chats","is":"down","ms":null,"code":"server_error"}';
  change(`insert into checks (at, parts) values (${Date.now() - 400_000}, '[${part}]')`);
  await page.reload();
  const trouble = parts.nth(2).getByText(t('status:incidentsTitle'));
  await trouble.focus();
  await page.keyboard.press('Enter');
  await expect(parts.nth(2).getByRole('table').getByRole('row').nth(1)).toContainText(/[12]01$/);
  await awake(page);
  expect(await violations(page)).toEqual([]);

  // A result that is half an hour old is not shown as the current state.
  change(`update checks set at = at - 1900000`);
  await page.reload();
  await expect(page.locator('.status-now')).toHaveText(t('status:now.unknown'));
  // What follows the time and the minutes, which the test does not know.
  const [, , notKnown = ''] = t('status:stale', { when: '|', minutes: '|' }).split('|');
  await expect(page.getByText(notKnown)).toBeVisible();

  // The page works without scripts and in another language.
  const scriptlessContext = await browser.newContext({ javaScriptEnabled: false, locale: 'de-DE' });
  const germanPage = await scriptlessContext.newPage();
  await germanPage.goto(url('/status'));
  await expect(germanPage).toHaveURL(/\/de\/status$/);
  await expect(germanPage.locator('.status-now')).toHaveText(german('status:now.unknown'));
  await germanPage.locator('.status-parts summary').first().click();
  await expect(germanPage.getByRole('table').first()).toBeVisible();
  await germanPage.getByRole('link', { name: german('status:title') }).click();
  await expect(germanPage).toHaveURL(/\/de\/status$/);
  await scriptlessContext.close();

  // The database cannot be read.
  change('alter table checks rename to checks_away');
  const failed = await page.request.get(url('/en/status'));
  expect(failed.status()).toBe(503);
  expect(failed.headers()['cache-control']).toBe('private, no-store');
  expect(await failed.text()).toContain(escapeHtml(t('status:failedTitle')));
  change('alter table checks_away rename to checks');
  expect((await page.request.get(url('/en/status'))).status()).toBe(200);
});

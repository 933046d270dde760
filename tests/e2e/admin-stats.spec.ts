import type { Browser, Page } from '@playwright/test';
import { CRONS } from '../../src/jobs/schedule.ts';
import { t } from '../support/texts.ts';
import { SOMEBODY, awake, expect, test } from './journey.ts';
import { violations } from './violations.ts';

/** Logs a user in, in a new browser context: the `page` fixture would fail on the 404 of others. */
async function logInAs(
  browser: Browser,
  baseURL: string | undefined,
  person: 'admin' | 'newcomer',
): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
  await page.request.post('/api/auth/test-login', { data: { person } });
  return page;
}

/** Returns the element of the figure with this label. */
const getFigure = (page: Page, label: string) =>
  page.getByRole('main').locator('dl > div', { has: page.getByText(label, { exact: true }) });

test('the statistics page shows a 404 to a user who is not an administrator', async ({
  request,
  browser,
  baseURL,
}) => {
  const anonymous = await request.get('/admin-stats');
  expect(anonymous.status()).toBe(404);
  const page = await logInAs(browser, baseURL, 'newcomer');
  await page.goto('/admin-stats');
  await awake(page);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1 })).toContainText('404');
  await expect(main.getByRole('navigation')).toHaveCount(0);
  await expect(page).toHaveTitle(t('common:titleWithBrand', { title: t('pages:notFound.title') }));
  expect((await page.request.get('/api/admin/stats')).status()).toBe(404);
  expect(await (await page.request.get('/admin-stats')).text()).toBe(await anonymous.text());
  // The page's script and texts are sent to administrators alone.
  const operator = await (await logInAs(browser, baseURL, 'admin')).request.get('/admin-stats');
  expect(operator.status()).toBe(200);
  expect(await operator.text()).toContain('AdminStats');
  expect(await anonymous.text()).not.toContain('AdminStats');
});

test('an administrator reads the figures by day and by model, with the keyboard and on a phone @all', async ({
  browser,
  baseURL,
}) => {
  const page = await logInAs(browser, baseURL, 'admin');
  // Send a message and run the job that counts the figures.
  const [character] = ((await (await page.request.get(SOMEBODY)).json()) as { items: { id: string }[] })
    .items;
  const chat = await page.request.post('/api/conversations', { data: { character_id: character?.id } });
  const { conversation } = (await chat.json()) as { conversation: { id: string } };
  await page.request.post(`/api/conversations/${conversation.id}/messages`, {
    data: { content: 'Good evening.', client_message_id: `turn-${conversation.id}` },
  });
  // A chat that goes to the trash is counted at once, others some minutes later.
  await page.request.delete(`/api/conversations/${conversation.id}`);
  const hasFigures = async () => {
    const run = await page.request.get('/cdn-cgi/local/scheduled', { params: { cron: CRONS.billing } });
    expect(run.ok()).toBe(true);
    const { days } = (await (await page.request.get('/api/admin/stats?days=1')).json()) as {
      days: { messages: number; active: number | null }[];
    };
    return (days[0]?.messages ?? 0) > 0 && (days[0]?.active ?? 0) > 0;
  };
  await expect.poll(hasFigures).toBe(true);

  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/admin-stats');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1, name: t('adminStats:title') })).toBeVisible();
  await expect(page).toHaveTitle(t('common:titleWithBrand', { title: t('adminStats:title') }));
  await expect(main.getByText('404')).toBeHidden();
  await expect(getFigure(page, t('adminStats:activeToday'))).toContainText(/[1-9]/);
  const guests = [1, 2].map((count) => t('adminStats:guestsNote', { count }).replace(String(count), '\\S+'));
  await expect(getFigure(page, t('adminStats:accounts'))).toContainText(new RegExp(guests.join('|')));
  await expect(getFigure(page, t('adminStats:measure_messages'))).toContainText(/[1-9]/);
  await expect(main.getByText(t('adminStats:lastDaysTitle', { count: 30 }))).toBeVisible();
  const models = main.getByRole('group', { name: t('adminStats:modelsTitle') });
  await expect(models.getByRole('columnheader', { name: /^Roleplay/ })).toBeVisible();
  await expect(
    models.getByRole('row', { name: new RegExp(`^${t('adminStats:columnReplies')}`) }),
  ).toContainText(/[1-9]/);
  // Only the tables, which scroll on their own, are wider than the phone.
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  expect(await violations(page)).toEqual([]);

  // By keyboard: the number of days, the figure that the chart shows, and the table.
  await main.getByRole('radio', { name: t('adminStats:periodDays', { count: 30 }) }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(main.getByRole('radio', { name: t('adminStats:periodDays', { count: 7 }) })).toBeChecked();
  await expect(main.getByText(t('adminStats:lastDaysTitle', { count: 7 }))).toBeVisible();
  await main.getByLabel(t('adminStats:measureLabel')).selectOption({ label: t('adminStats:measure_active') });
  await expect(main.getByRole('img', { name: t('adminStats:measure_active') })).toBeVisible();
  const measure = t('adminStats:measure_active');
  const summary = t('adminStats:chartSummary', { measure, from: '.+', to: '.+', day: '.+', most: '[1-9]' });
  await expect(main.getByText(new RegExp(`^${summary}`))).toBeVisible();
  await main.getByText(t('adminStats:showAsTable')).focus();
  await page.keyboard.press('Enter');
  const days = main.getByRole('group', { name: t('adminStats:byDayTitle') });
  await expect(days.getByRole('row')).toHaveCount(8);
  await days.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => days.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);

  await page.evaluate(() => (document.documentElement.dataset['theme'] = 'light'));
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await violations(page)).toEqual([]);
  for (const table of [models, days])
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await main.getByRole('link', { name: t('admin:reports'), exact: true }).click();
  await expect(page).toHaveURL(/\/admin-reports$/);
});

test('the statistics page says when figures failed to load or were never counted, and reloads them online @all', async ({
  browser,
  baseURL,
}) => {
  const page = await logInAs(browser, baseURL, 'admin');
  await page.route('**/api/admin/stats?*', (route) =>
    route.fulfill({ status: 500, json: { error: 'Something broke.', code: 'server_error' } }),
  );
  await page.goto('/admin-stats');
  const main = page.getByRole('main');
  await expect(main.getByRole('alert')).toContainText(t('adminStats:loadFailed'));
  expect(await violations(page)).toEqual([]);
  await page.unroute('**/api/admin/stats?*');
  await page.route('**/api/admin/stats?*', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), generated_at: null } });
  });
  await main.getByRole('button', { name: t('adminStats:tryAgain') }).click();
  await expect(main.getByText(t('adminStats:countsEmpty'))).toBeVisible();
  await expect(main.getByRole('alert')).toHaveCount(0);
  await page.unroute('**/api/admin/stats?*');
  await main.getByRole('button', { name: t('adminStats:refresh') }).click();
  await page.context().setOffline(true);
  await expect(main.getByText(t('chat:offline'))).toBeVisible();
  await main.getByRole('radio', { name: t('adminStats:periodDays', { count: 90 }) }).check();
  await expect(main.getByRole('alert')).toContainText(t('adminStats:loadFailed'));
  // Online again, the figures load without a click.
  await page.context().setOffline(false);
  await expect(main.getByRole('alert')).toHaveCount(0);
  await expect(main.getByText(t('chat:offline'))).toHaveCount(0);
});

import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { makeCharacter, signInAsCreator } from './creator-setup.ts';
import { awake, expect, test, watchShifts } from './journey.ts';
import { violations } from './violations.ts';

const row = (page: Page, name: string) => page.getByRole('main').getByRole('region', { name });
const FOR_YOU = t('home:returning.forYou');
const POPULAR = t('returning:suggestionsPopular');

test('a like brings a character with the same tag and says why, until suggestions are switched off', async ({
  page,
  browser,
  baseURL,
}) => {
  const run = randomUUID().slice(0, 8);
  const [liked, similar] = [`Ottilie ${run}`, `Quennel ${run}`];
  const creatorContext = await browser.newContext({ baseURL: baseURL as string });
  const creatorPage = await creatorContext.newPage();
  await signInAsCreator(creatorPage, baseURL as string);
  const fields = { free_tags: [`tide ${run}`], language: 'en' };
  const { id } = await makeCharacter(creatorPage, { ...fields, name: liked });
  await makeCharacter(creatorPage, { ...fields, name: similar });
  await creatorContext.close();

  await signInAsCreator(page, baseURL as string);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/en/character-info/${id}`);
  const like = page.getByRole('button', { name: new RegExp(`^${t('choices:like')}\\b`) });
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'true');

  const readShifts = await watchShifts(page);
  await page.goto('/en/discover');
  const because = t('returning:because_liked', { name: liked });
  await expect(row(page, FOR_YOU).getByRole('link', { name: similar })).toContainText(because);
  await expect(row(page, FOR_YOU).getByRole('listitem')).toHaveCount(6);
  await awake(page);
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  const shifts = await readShifts();
  expect(
    shifts.reduce((total, line) => total + Number.parseFloat(line), 0),
    shifts.join('\n'),
  ).toBeLessThan(0.05);

  await row(page, FOR_YOU)
    .getByRole('link', { name: t('home:returning.whyThese') })
    .click();
  const control = page.getByRole('switch', { name: t('settings:suggestionsLabel') });
  await expect(control).toHaveAccessibleDescription(t('settings:suggestionsNote'));
  await expect(control).toBeChecked();
  await control.click();
  await expect(control).not.toBeChecked();
  expect(await violations(page)).toEqual([]);

  await page.goto('/en/discover');
  await expect(row(page, POPULAR).getByRole('listitem')).toHaveCount(6);
  await expect(row(page, POPULAR)).toContainText(t('returning:popularInLanguage'));
  await expect(row(page, POPULAR)).not.toContainText(because);
});

test('Discover has no suggestions for visitors and in filtered lists, and says when they could not be loaded @all', async ({
  page,
}) => {
  await page.goto('/en/discover');
  await awake(page);
  await expect(row(page, FOR_YOU)).toBeHidden();
  await page.request.post('/api/auth/anonymous');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-who', 'guest');

  let isBroken = true;
  await page.route('**/api/characters/for-you?**', (route) =>
    isBroken ? route.fulfill({ status: 500, json: {} }) : route.continue(),
  );
  await page.goto('/en/discover');
  const suggestions = row(page, FOR_YOU);
  await expect(suggestions.getByText(t('returning:suggestionsFailed'))).toBeVisible();
  expect(await violations(page)).toEqual([]);
  isBroken = false;
  await suggestions.getByRole('button', { name: t('returning:retry') }).click();
  await expect(suggestions.getByRole('listitem')).toHaveCount(6);
  await expect(suggestions.getByText(t('returning:suggestionsFailed'))).toHaveCount(0);

  for (const query of ['q=Ebbe', 'sort=new', 'language=en']) {
    await page.goto(`/en/discover?${query}`);
    await awake(page);
    await expect(row(page, FOR_YOU)).toHaveCount(0);
  }
});

test('a guest switches suggestions off, and the switch says when that fails @all', async ({ page }) => {
  await page.goto('/settings');
  const control = page.getByRole('switch', { name: t('settings:suggestionsLabel') });
  await awake(page);
  await expect(control).toBeHidden();
  await page.request.post('/api/auth/anonymous');
  await page.reload();
  await page.route('**/api/account', (route) => route.fulfill({ status: 500, json: {} }));
  await control.click();
  await expect(page.getByText(t('settings:suggestionsFailed'))).toBeVisible();
  await expect(control).toBeChecked();
  await page.unroute('**/api/account');
  await control.click();
  await expect(control).not.toBeChecked();
  await page.reload();
  await expect(control).not.toBeChecked();
});

import { randomUUID } from 'node:crypto';
import { t } from '../support/texts.ts';
import { makeCharacter, signInAsCreator } from './creator-setup.ts';
import { expect, goOffline, test } from './journey.ts';
import { toast } from './messages.page.ts';
import { violations } from './violations.ts';

test('a visitor likes a character after logging in, takes the like back, and finds it among the most liked @all', async ({
  page,
  browser,
  baseURL,
  troubles,
}) => {
  const creatorContext = await browser.newContext({ baseURL: baseURL as string });
  const [creatorPage, name] = [await creatorContext.newPage(), `Tern ${randomUUID().slice(0, 8)}`];
  await signInAsCreator(creatorPage, baseURL as string);
  const { id } = await makeCharacter(creatorPage, { name });
  const address = `/en/character-info/${id}`;
  const like = page.getByRole('button', { name: new RegExp(`^${t('choices:like')}\\b`) });

  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(address);
  await like.click();
  await expect(page.getByRole('dialog')).toBeVisible();
  // A login without the dialog simulates a login on another page.
  await signInAsCreator(page, baseURL as string);
  await page.reload();
  await expect(toast(page, t('choices:liked', { name }))).toBeVisible();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(like).toHaveAccessibleName(`${t('choices:like')} 1`);
  // The page may come from a cache; the number is that of now.
  await page.reload();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await expect(like).toHaveAccessibleName(`${t('choices:like')} 1`);
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);

  await goOffline(page);
  await like.click();
  await expect(toast(page, 'Network error.')).toBeVisible();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await page.context().setOffline(false);
  // The browser logs the failed request; that is expected here.
  troubles.splice(0);

  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'false');
  await expect(like).toHaveAccessibleName(t('choices:like'));
  await expect(toast(page, t('choices:unliked', { name }))).toBeVisible();
  await like.click();
  await expect(toast(page, t('choices:liked', { name }))).toBeVisible();

  // Creators do not see the button on their own characters.
  await creatorPage.goto(address);
  await expect(creatorPage.getByRole('button', { name: t('choices:favourite') })).toBeVisible();
  await expect(creatorPage.locator('[data-choice="like"]')).toBeHidden();
  await creatorContext.close();

  await page.goto('/en/discover');
  await page.getByRole('link', { name: t('discover:sort.liked') }).click();
  await expect(page.getByRole('link', { name: t('discover:sort.liked') })).toHaveAttribute(
    'aria-current',
    'true',
  );
  await expect(
    page.getByRole('list', { name: t('discover:listLabel') }).getByRole('link', { name }),
  ).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

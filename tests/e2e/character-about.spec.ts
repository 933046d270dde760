import { randomUUID } from 'node:crypto';
import { t } from '../support/texts.ts';
import { signInAsCreator, makeCharacter } from './creator-setup.ts';
import { awake, expect, test } from './journey.ts';
import { violations } from './violations.ts';

test('a creator writes about a character under «More», and visitors read it with its formatting @all', async ({
  page,
  baseURL,
}) => {
  await signInAsCreator(page, baseURL as string);
  const { id } = await makeCharacter(page, { name: `Dunlin ${randomUUID().slice(0, 8)}` });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/creator-center/edit/${id}`);
  await awake(page);
  await page.getByRole('heading', { name: t('create:advancedTitle') }).click();
  const field = page.getByRole('textbox', { name: t('create:aboutLabel') });
  await field.fill('x'.repeat(5001));
  await page.getByRole('button', { name: t('create:save') }).click();
  await expect(page.getByText(t('create:about_too_long', { limit: 5000 })).first()).toBeVisible();
  await field.fill(
    'Begin at **low tide**.\n\n- bring a lamp\n- call me {{char}}\n\n[My map](https://map.example) <img src=x> [no](javascript:alert(1))',
  );
  await page.getByRole('button', { name: t('create:save') }).click();
  await expect(page.getByText(t('create:about_too_long', { limit: 5000 }))).toHaveCount(0);
  await expect
    .poll(
      async () =>
        ((await (await page.request.get(`/api/characters/${id}`)).json()) as { about: string }).about,
    )
    .toContain('low tide');

  await page.goto(`/en/character-info/${id}`);
  await expect(page.getByRole('heading', { name: t('character:fromCreator') })).toBeVisible();
  const told = page.locator('.told');
  await expect(told.getByRole('strong')).toHaveText('low tide');
  await expect(told.getByRole('listitem')).toHaveText([/bring a lamp$/, /call me Dunlin/]);
  await expect(told.getByRole('link')).toHaveText(['My map']);
  await expect(told).toContainText('<img src=x>');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  expect(await violations(page)).toEqual([]);
});

import { RUNTIME_CONFIG_DEFAULTS } from '../../src/features/runtime-config/defaults.ts';
import { readTexts, t } from '../support/texts.ts';
import { awake, expect, test } from './journey.ts';

const german = readTexts('de');

test('a user with too few points reads the current price of a character, also on a page opened earlier', async ({
  page,
}) => {
  await page.request.post('/api/auth/test-login', { data: { person: 'newcomer' } });
  let required: number = RUNTIME_CONFIG_DEFAULTS.character_cost_points;
  await page.route('**/api/points/check-availability', (route) =>
    route.fulfill({ json: { success: false, error: 'In English', points_required: required } }),
  );
  await page.goto('/de/creator-center');
  await awake(page);
  const create = page.getByRole('link', { name: german('shell:create.character') }).first();
  await create.click();
  await expect(page.getByText(german('errors:points_needed', { count: 5 }))).toBeVisible();
  required = 9000;
  await create.click();
  await expect(page.getByText(german('errors:points_needed', { count: 9000 }))).toBeVisible();
  required = 1;
  await create.click();
  await expect(page.getByText(german('errors:points_needed', { count: 1 }))).toBeVisible();
});

test('creating a character shows an error when the server refuses without a reason @all', async ({
  page,
}) => {
  await page.request.post('/api/auth/test-login', { data: { person: 'newcomer' } });
  await page.route('**/api/points/check-availability', (route) =>
    route.fulfill({ json: { success: false, error: null, points_required: 5 } }),
  );
  await page.goto('/en/creator-center');
  await awake(page);
  await page
    .getByRole('link', { name: t('shell:create.character') })
    .first()
    .click();
  await expect(page.getByText('Failed to create character')).toBeVisible();
});

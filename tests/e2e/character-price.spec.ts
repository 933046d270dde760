import { RUNTIME_CONFIG_DEFAULTS } from '../../src/features/runtime-config/defaults.ts';
import german from '../../src/locales/de/errors.json' with { type: 'json' };
import { awake, expect, test } from './journey.ts';

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
  const create = page.getByRole('link', { name: /Figur erschaffen/ }).first();
  await create.click();
  await expect(page.getByText(german.points_needed_other.replace('{{count}}', '5'))).toBeVisible();
  required = 9000;
  await create.click();
  await expect(page.getByText(german.points_needed_other.replace('{{count}}', '9.000'))).toBeVisible();
  required = 1;
  await create.click();
  await expect(page.getByText(german.points_needed_one.replace('{{count}}', '1'))).toBeVisible();
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
    .getByRole('link', { name: /Create character/i })
    .first()
    .click();
  await expect(page.getByText('Failed to create character')).toBeVisible();
});

import { BUSINESS_DEFAULTS } from '../../src/config.ts';
import german from '../../src/locales/de/errors.json' with { type: 'json' };
import { awake, expect, test } from './journey.ts';

test('with too few points I am told what a character costs now, also on a page that was drawn before', async ({
  page,
}) => {
  await page.request.post('/api/auth/test-login', { data: { person: 'newcomer' } });
  let required: number = BUSINESS_DEFAULTS.character_cost_points;
  const sentence = (points: number) => `You need at least ${points} points to create a character...`;
  await page.route('**/api/points/check-availability', (route) =>
    route.fulfill({ json: { success: false, error: sentence(required), points_required: required } }),
  );
  await page.goto('/de/creator-center');
  await awake(page);
  const create = page.getByRole('link', { name: /Figur erschaffen/ }).first();
  await create.click();
  await expect(page.getByText(german.points_needed_other.replace('{{count}}', '5'))).toBeVisible();
  required = 9;
  await create.click();
  await expect(page.getByText(sentence(9))).toBeVisible();
});

import { t } from '../support/texts.ts';
import { makeCharacter, newForm, signInAsCreator } from './creator-setup.ts';
import { awake, expect, test } from './journey.ts';
import { violations } from './violations.ts';

const TAG = 'clockwork heart';

test('a creator writes tags, which lead from the character’s page to a list that can be narrowed', async ({
  page,
}) => {
  const { form } = await newForm(page);
  await expect(form).toBeVisible();
  const field = page.getByRole('textbox', { name: t('create:free_tagsLabel') });
  await field.fill('Clockwork  Heart');
  await field.press('Enter');
  await field.pressSequentially('#Brass,');
  await expect(field).toHaveValue('');
  const remove = (tag: string) => page.getByRole('button', { name: t('create:free_tags_remove', { tag }) });
  await expect(remove(TAG)).toBeVisible();
  await field.press('Backspace');
  await expect(remove('brass')).toHaveCount(0);
  await field.fill('x'.repeat(31));
  await field.press('Enter');
  await expect(field).toHaveAccessibleDescription(new RegExp(t('create:free_tags_too_long', { limit: 30 })));
  expect(await violations(page)).toEqual([]);

  const made = await makeCharacter(page, { name: 'Ticktavia', free_tags: [TAG, 'brass'], language: 'en' });
  await page.goto(`/en/character-info/${made.id}`);
  await page
    .getByRole('navigation', { name: t('character:tagsTitle') })
    .getByRole('link', { name: TAG })
    .click();
  await expect(page).toHaveURL(/\/en\/discover\?include=clockwork\+heart$/);
  const cards = page.getByRole('list', { name: t('discover:listLabel') }).getByRole('link');
  await expect(cards).toHaveText([/Ticktavia/]);
  await page.getByText(t('discover:filters.title'), { exact: true }).click();
  await page.getByRole('combobox', { name: t('discover:filters.exclude') }).fill('brass');
  await page.getByRole('button', { name: t('discover:filters.apply') }).click();
  await expect(page.getByText(t('discover:empty.filterText'))).toBeVisible();
  expect(await violations(page)).toEqual([]);
  const filter = t('discover:filters.without', { tag: 'brass' });
  await page.getByRole('link', { name: t('discover:filters.remove', { filter }) }).click();
  await expect(cards).toHaveText([/Ticktavia/]);
});

test('the search suggests by keyboard, and finds a misspelled name @all', async ({ page, baseURL }) => {
  await signInAsCreator(page, baseURL ?? '');
  const made = await makeCharacter(page, { name: 'Quillemina', language: 'en' });
  await page.goto('/en/discover');
  await awake(page);
  const field = page.locator('#catalogue-search');
  await field.focus();
  await expect(field).toHaveRole('combobox');
  await field.pressSequentially('quill');
  const option = page
    .getByRole('listbox', { name: t('discover:search.suggestions') })
    .getByRole('option', { name: 'Quillemina' });
  await expect(option).toBeVisible();
  await field.press('ArrowDown');
  await expect(option).toHaveAttribute('aria-selected', 'true');
  expect(await violations(page)).toEqual([]);
  await field.press('Escape');
  await expect(option).toBeHidden();
  await field.fill('qiullemna');
  await field.press('Enter');
  await expect(
    page.getByRole('heading', { name: t('discover:similarResults', { query: 'qiullemna' }) }),
  ).toBeVisible();
  await page.getByRole('link', { name: /Quillemina/ }).click();
  await expect(page).toHaveURL(new RegExp(made.id));
});

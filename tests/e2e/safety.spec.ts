import { t } from '../support/texts.ts';
import { expect, test } from './journey.ts';

test('the footer links to the safety page, which lists crisis lines and rules in the page’s language', async ({
  page,
}) => {
  await page.goto('/en');
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: t('shell:footer.safety') })
    .click();
  await expect(page).toHaveURL(/\/en\/safety$/);
  await expect(page.getByRole('heading', { level: 1, name: t('safety:title') })).toBeVisible();
  await expect(page.getByRole('heading', { level: 3, name: 'United States' })).toBeVisible();
  await expect(page.getByRole('link', { name: '988', exact: true }).first()).toHaveAttribute(
    'href',
    'tel:988',
  );
  await expect(
    page.getByRole('link', { name: t('chat:crisisSmsWord', { word: 'HOME', number: '741741' }) }),
  ).toHaveAttribute('href', 'sms:741741?&body=HOME');
  await expect(page.getByRole('link', { name: 'findahelpline.com' })).toHaveAttribute(
    'href',
    'https://findahelpline.com',
  );
  for (const name of [
    t('safety:counted.title'),
    t('safety:limits.title'),
    t('safety:minors.title'),
    t('safety:refused.title'),
  ]) {
    await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
  }
  await expect(page.getByText(t('safety:ai.text', { hours: 3 }))).toBeVisible();

  await page.goto('/de/safety');
  await expect(page.getByRole('heading', { level: 3, name: 'Deutschland' })).toBeVisible();
  await expect(page.getByRole('link', { name: '0800 111 0 111' })).toHaveAttribute('href', 'tel:08001110111');
});

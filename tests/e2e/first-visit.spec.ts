import { t } from '../support/texts.ts';
import { awake, expect, test } from './journey.ts';

test('a new visitor enters the home page’s conversation in one click and receives a reply', async ({
  page,
}) => {
  const startedAt = Date.now();
  await page.goto('/en');
  const scene = page.getByRole('region', { name: new RegExp(t('home:scene.label', { name: '.+' })) });
  const lines = await scene.getByRole('listitem').locator('p').allInnerTexts();
  expect(lines).toHaveLength(3);
  await scene.getByRole('link', { name: t('home:scene.continue') }).click();

  // The conversation begins word for word with the scene of the home page.
  await expect(page).toHaveURL(/conversation_id=/);
  const log = page.getByRole('list', { name: t('chat:messages') });
  for (const line of lines) await expect(log).toContainText(line.slice(0, 40));
  // The page's HTML has the messages before its script runs.
  await awake(page);
  const box = page.getByRole('textbox', { name: new RegExp(t('chat:composerLabel', { name: '.+' })) });
  await box.fill('I was looking for a light.');
  await box.press('Enter');
  await expect(log).toContainText('I was looking for a light.');
  await expect(page.getByText(t('chat:fictionNote')).first()).toBeVisible();
  await expect(log.getByRole('listitem').last()).not.toContainText('I was looking for a light.');
  await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
  test.info().annotations.push({
    type: 'walk',
    description: `1 click, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`,
  });

  // A reload does not start another conversation.
  const address = page.url();
  await page.reload();
  await awake(page);
  expect(page.url()).toBe(address);
  await expect(log).toContainText('I was looking for a light.');
});

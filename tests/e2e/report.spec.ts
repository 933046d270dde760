import { t } from '../support/texts.ts';
import { makeCharacter, signInAsCreator } from './creator-setup.ts';
import { awake, expect, test } from './journey.ts';
import { choose, rests } from './messages.page.ts';
import { violations } from './violations.ts';

test('a user reports a creator from the creator’s page and sees the report in the account @all', async ({
  page,
  browser,
  baseURL,
}) => {
  const creatorPage = await (await browser.newContext({ baseURL: baseURL as string })).newPage();
  const creator = await signInAsCreator(creatorPage, baseURL as string);
  await makeCharacter(creatorPage);
  await creatorPage.context().close();

  await signInAsCreator(page, baseURL as string);
  await page.goto(`/creator/${creator.id}`);
  await page.getByRole('link', { name: t('character:report'), exact: true }).click();
  await expect(page).toHaveURL(`/creator/${creator.id}/report`);
  await expect(
    page.getByRole('heading', { level: 1, name: t('report:title', { name: creator.username }) }),
  ).toBeVisible();
  await awake(page);
  await page.getByRole('button', { name: t('report:send') }).click();
  await expect(page.getByText(t('report:reasonMissing'))).toBeVisible();
  await page.getByRole('radio', { name: t('report:reason_impersonation') }).check();
  await page.getByRole('textbox', { name: t('report:detailsLabel') }).fill('This is my own name.');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: t('report:send') }).click();
  await expect(page.getByRole('heading', { name: t('report:sentTitle') })).toBeVisible();
  await expect(page.getByRole('link', { name: t('report:backToCreator') })).toHaveAttribute(
    'href',
    `/creator/${creator.id}`,
  );

  await page.goto('/account#decisions');
  const ownReports = page.getByRole('list', { name: t('cases:reportsTitle') });
  await expect(ownReports.getByRole('listitem')).toContainText(
    t('cases:whatAndName', { what: t('cases:report_creator'), name: creator.username }),
  );
  await expect(ownReports.getByRole('listitem')).toContainText(t('cases:status_open'));
  expect(await violations(page)).toEqual([]);
});

test('a user reports a character’s message from its menu and returns to the chat @all', async ({
  page,
  baseURL,
}) => {
  await signInAsCreator(page, baseURL as string);
  const character = await makeCharacter(page, { name: 'Wren' });
  await page.goto(`/character/${character.id}`);
  await awake(page);
  const messages = page.getByRole('list', { name: t('chat:messages') }).getByRole('listitem');
  await expect(messages).toHaveCount(1);
  const box = page.getByRole('textbox', { name: t('chat:composerLabel', { name: 'Wren' }) });
  await box.fill('Hello there.');
  await box.press('Enter');
  await expect(messages).toHaveCount(3);
  await rests(page);
  await choose(page, messages.nth(2), t('chat:report'));
  await expect(page).toHaveURL(/\/report\?conversation=\w+&message=\w+$/);
  await expect(
    page.getByRole('heading', { level: 1, name: t('report:titleMessage', { name: 'Wren' }) }),
  ).toBeVisible();
  await page.getByRole('radio', { name: t('report:reason_illegal') }).check();
  await page.getByRole('button', { name: t('report:send') }).click();
  // Wait for the confirmation first, because the form has a link with the same name.
  await expect(page.getByRole('heading', { name: t('report:sentTitle') })).toBeVisible();
  await page.getByRole('link', { name: t('report:backToChat') }).click();
  await expect(box).toBeVisible();
  const reports = await page.request.get('/api/me/reports');
  expect(await reports.json()).toMatchObject({
    items: [{ subject: 'message', character_id: character.id, reason: 'illegal' }],
  });
});

test('a message outside the user’s own conversations cannot be reported @all', async ({ page, baseURL }) => {
  await signInAsCreator(page, baseURL as string);
  const character = await makeCharacter(page);
  await page.goto(
    `/character/${character.id}/report?conversation=${'a1'.repeat(13)}&message=${'b2'.repeat(13)}`,
  );
  await expect(page.getByText(t('report:missingText'))).toBeVisible();
});

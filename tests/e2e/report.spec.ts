import { makeCharacter, signInAsCreator } from './creator-setup.ts';
import { awake, expect, test } from './journey.ts';
import { choose, rests } from './messages.page.ts';
import { violations } from './violations.ts';

test('a user reports a creator from the creator’s page and sees the report in the account', async ({
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
  await page.getByRole('link', { name: 'Report', exact: true }).click();
  await expect(page).toHaveURL(`/creator/${creator.id}/report`);
  await expect(page.getByRole('heading', { level: 1, name: `Report ${creator.username}` })).toBeVisible();
  await awake(page);
  await page.getByRole('button', { name: 'Send the report' }).click();
  await expect(page.getByText('Please choose what is wrong.')).toBeVisible();
  await page.getByRole('radio', { name: 'A real person, imitated' }).check();
  await page.getByRole('textbox', { name: 'Details' }).fill('This is my own name.');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Send the report' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you, your report has arrived' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to the creator' })).toHaveAttribute(
    'href',
    `/creator/${creator.id}`,
  );

  await page.goto('/account#decisions');
  const ownReports = page.getByRole('list', { name: 'What you reported' });
  await expect(ownReports.getByRole('listitem')).toContainText(`A creator: ${creator.username}`);
  await expect(ownReports.getByRole('listitem')).toContainText('Not decided yet');
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
  const messages = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
  await expect(messages).toHaveCount(1);
  const box = page.getByRole('textbox', { name: 'Message to Wren' });
  await box.fill('Hello there.');
  await box.press('Enter');
  await expect(messages).toHaveCount(3);
  await rests(page);
  await choose(page, messages.nth(2), /^Report/);
  await expect(page).toHaveURL(/\/report\?conversation=\w+&message=\w+$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Report a message of Wren' })).toBeVisible();
  await page.getByRole('radio', { name: 'Something against the law' }).check();
  await page.getByRole('button', { name: 'Send the report' }).click();
  // Wait for the confirmation first, because the form has a link with the same name.
  await expect(page.getByRole('heading', { name: 'Thank you, your report has arrived' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to the chat' }).click();
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
  await expect(page.getByText('It does not exist any more, or is not yours to see.')).toBeVisible();
});

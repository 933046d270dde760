import { makeCharacter, signInAsCreator } from './creator-hands.ts';
import { awake, expect, test } from './journey.ts';
import { choose, rests } from './message-hands.ts';
import { violations } from './violations.ts';

test('from a creator’s page I report the creator, and read in my account what I reported', async ({
  page,
  browser,
  baseURL,
}) => {
  const other = await (await browser.newContext({ baseURL: baseURL as string })).newPage();
  const maker = await signInAsCreator(other, baseURL as string);
  await makeCharacter(other);
  await other.context().close();

  await signInAsCreator(page, baseURL as string);
  await page.goto(`/creator/${maker.id}`);
  await page.getByRole('link', { name: 'Report', exact: true }).click();
  await expect(page).toHaveURL(`/creator/${maker.id}/report`);
  await expect(page.getByRole('heading', { level: 1, name: `Report ${maker.username}` })).toBeVisible();
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
    `/creator/${maker.id}`,
  );

  await page.goto('/account#decisions');
  const mine = page.getByRole('list', { name: 'What you reported' });
  await expect(mine.getByRole('listitem')).toContainText(`A creator: ${maker.username}`);
  await expect(mine.getByRole('listitem')).toContainText('Not decided yet');
  expect(await violations(page)).toEqual([]);
});

test('from a message’s menu I report what the character said, and go back to the chat', async ({
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
  // The form has such a link as well, until it is sent.
  await expect(page.getByRole('heading', { name: 'Thank you, your report has arrived' })).toBeVisible();
  await page.getByRole('link', { name: 'Back to the chat' }).click();
  await expect(box).toBeVisible();
  const told = await page.request.get('/api/me/reports');
  expect(await told.json()).toMatchObject({
    items: [{ subject: 'message', character_id: character.id, reason: 'illegal' }],
  });
});

test('a message that is not in a chat of mine cannot be reported', async ({ page, baseURL }) => {
  await signInAsCreator(page, baseURL as string);
  const character = await makeCharacter(page);
  await page.goto(
    `/character/${character.id}/report?conversation=${'a1'.repeat(13)}&message=${'b2'.repeat(13)}`,
  );
  await expect(page.getByText('It does not exist any more, or is not yours to see.')).toBeVisible();
});

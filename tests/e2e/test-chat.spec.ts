import { newForm } from './creator-setup.ts';
import { expect, test, toldToModel } from './journey.ts';
import { violations } from './violations.ts';

test('a creator tries an unpublished character in a test chat next to the form, and over it on a phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { form, field } = await newForm(page);
  await expect(form.getByText('You have 50 points.')).toBeVisible();

  // The test chat lists missing fields and links to them.
  await page.getByRole('button', { name: 'Try it' }).click();
  const testChat = page.getByRole('complementary', { name: /^Test chat/ });
  await expect(testChat.getByRole('textbox')).toBeFocused();
  await expect(
    testChat.getByText('Each reply costs 1 point, as in a chat. Nothing said here is kept.'),
  ).toBeVisible();
  await expect(testChat.getByRole('button', { name: 'Send' })).toBeDisabled();
  await testChat.getByRole('button', { name: 'Name is required' }).click();
  await expect(field('Name')).toBeFocused();
  await field('Name').fill('Wren');
  await field('Tagline').fill('Maps coasts that others only tell of');
  await field('Traits').fill('Curious, stubborn.');
  await field('First message').fill('*{{char}} unrolls a map.* "You are late, {{user}}."');
  await form.getByRole('button', { name: 'Add a reply' }).click();
  await field('Suggested reply 1').fill('Where are we going?');
  await expect(testChat.getByRole('heading', { name: 'Test chat: Wren' })).toBeVisible();
  const lines = testChat.getByRole('list', { name: 'Messages of the test chat' }).getByRole('listitem');
  await expect(lines).toHaveCount(1);
  await expect(lines.first()).toContainText('Wren unrolls a map. "You are late, Stranger."');
  expect(await violations(page)).toEqual([]);

  await testChat.getByRole('button', { name: 'Where are we going?' }).click();
  await expect(form.getByText('You have 49 points.')).toBeVisible();
  await expect(testChat.getByText('49 points left')).toBeVisible();
  await expect(lines).toHaveCount(3);
  const box = testChat.getByRole('textbox', { name: 'Message to Wren' });
  const key = `wren-${Date.now()}`;
  await box.fill(`Tell me [[scenario:tokens n=3 key=${key}]]`);
  await box.press('Enter');
  await expect(lines.last()).toContainText('w0 w1 w2');
  expect(await toldToModel(key)).toContain('Curious, stubborn.');
  await expect(testChat.getByText('48 points left')).toBeVisible();

  // A change in the form applies from the next message.
  await field('Traits').fill('Sleepy, and afraid of gulls.');
  await box.fill(`And now? [[scenario:tokens n=4 key=${key}]]`);
  await testChat.getByRole('button', { name: 'Send' }).click();
  await expect(lines.last()).toContainText('w2 w3');
  expect(await toldToModel(key)).toContain('Sleepy, and afraid of gulls.');
  await expect(testChat.getByText('47 points left')).toBeVisible();
  await expect(testChat.locator('[aria-live=polite]')).toContainText(/^Wren: [^]*w2 w3/);

  await box.fill('Hm [[scenario:status code=500]]');
  await box.press('Enter');
  await expect(testChat.getByRole('alert')).toHaveText('The model had an error. Nothing was charged.');
  await expect(testChat.getByRole('button', { name: 'Try again' })).toBeVisible();
  await testChat.getByRole('button', { name: 'Start over' }).click();
  await expect(lines).toHaveCount(1);
  await testChat.getByRole('button', { name: 'Undo' }).click();
  await expect(lines).toHaveCount(9);
  await testChat.getByRole('button', { name: 'Start over' }).click();

  // A stopped reply keeps its text and is charged.
  await box.fill('Go on [[scenario:tokens n=3000 ms=20]]');
  await box.press('Enter');
  await expect(lines.last()).toContainText('w3');
  await testChat.getByRole('button', { name: 'Stop the reply' }).click();
  await expect(testChat.getByText('You stopped this reply.')).toBeVisible();
  await expect
    .poll(async () => (await (await page.request.get('/api/points')).json()).current_points, {
      timeout: 20_000,
    })
    .toBe(46);

  await box.fill('Think [[scenario:thinking n=2]]');
  await box.press('Enter');
  await expect(lines.last()).toContainText('w0 w1 w2');
  await expect(lines.last().getByText('thought 0thought 1')).toBeHidden();
  await lines.last().getByText('What the model thought').click();
  await expect(lines.last().getByText('thought 0thought 1')).toBeVisible();

  await page.setViewportSize({ width: 360, height: 740 });
  const testChatDialog = page.getByRole('dialog', { name: 'Test chat: Wren' });
  await expect(testChatDialog).toBeVisible();
  await expect(testChatDialog.getByRole('list', { name: 'Messages of the test chat' })).toContainText('w3');
  expect(await violations(page)).toEqual([]);
  await testChatDialog.getByRole('button', { name: 'Close the test chat' }).click();
  await expect(testChatDialog).toBeHidden();
  const opener = page.getByRole('button', { name: 'Try it' });
  await opener.click();
  await expect(testChatDialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(testChatDialog).toBeHidden();
  await expect(opener).toBeFocused();
  await field('Name').fill('');
  await opener.click();
  await page
    .getByRole('dialog', { name: 'Test chat' })
    .getByRole('button', { name: 'Name is required' })
    .click();
  await expect(field('Name')).toBeFocused();

  expect(await (await page.request.get('/api/chats')).json()).toEqual({ chats: [] });
});

test('a test chat begins with the AI notice and shows crisis help on a phone @all', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { field } = await newForm(page);
  await field('Name').fill('Wren” IS HUMAN. “');
  await field('Tagline').fill('Maps coasts that others only tell of');
  await field('Traits').fill('Curious, stubborn.');
  await field('First message').fill('You are late.');
  await page.getByRole('button', { name: 'Try it' }).click();
  const testChatDialog = page.getByRole('dialog', { name: /^Test chat/ });
  await expect(testChatDialog.getByRole('note')).toHaveText(
    'The AI companion “Wren IS HUMAN.” is a computer program and not a human being. It is unable to feel human emotion.',
  );
  const box = testChatDialog.getByRole('textbox');
  await box.fill('I want to kill myself. [[scenario:tokens n=2 ms=1]]');
  await testChatDialog.getByRole('button', { name: 'Send' }).click();
  const help = testChatDialog.getByRole('region', { name: 'You do not have to carry this alone.' });
  await expect(help).toBeVisible();
  await expect(help.getByRole('link', { name: 'findahelpline.com' })).toBeVisible();
  await expect(testChatDialog.getByRole('status').filter({ hasText: 'Help is listed below' })).toBeAttached();
  await expect(testChatDialog.getByRole('list', { name: 'Messages of the test chat' })).toContainText('w1');
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

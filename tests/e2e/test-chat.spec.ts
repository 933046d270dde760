import { t } from '../support/texts.ts';
import { describePrice, newForm } from './creator-setup.ts';
import { expect, test, toldToModel } from './journey.ts';
import { violations } from './violations.ts';

test('a creator tries an unpublished character in a test chat next to the form, and over it on a phone @all', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const { form, field } = await newForm(page);
  await expect(form.getByText(describePrice(50))).toBeVisible();

  // The test chat lists missing fields and links to them.
  await page.getByRole('button', { name: t('create:testChatOpen') }).click();
  const testChat = page.getByRole('complementary', { name: t('create:testChatTitle') });
  await expect(testChat.getByRole('textbox')).toBeFocused();
  const cost = t('create:testChatCost', { cost: t('errors:points_count', { count: 1 }) });
  await expect(testChat.getByText(`${cost} ${t('create:testChatNote')}`)).toBeVisible();
  await expect(testChat.getByRole('button', { name: t('chat:send') })).toBeDisabled();
  await testChat.getByRole('button', { name: t('create:name_required') }).click();
  await expect(field(t('create:nameLabel'))).toBeFocused();
  await field(t('create:nameLabel')).fill('Wren');
  await field(t('create:onelinerLabel')).fill('Maps coasts that others only tell of');
  await field(t('create:character_traitsLabel')).fill('Curious, stubborn.');
  await field(t('create:first_messageLabel')).fill('*{{char}} unrolls a map.* "You are late, {{user}}."');
  await form.getByRole('button', { name: t('create:replyAdd') }).click();
  await field(t('create:replyLabel', { number: 1 })).fill('Where are we going?');
  await expect(
    testChat.getByRole('heading', { name: t('create:testChatTitleNamed', { name: 'Wren' }) }),
  ).toBeVisible();
  const lines = testChat.getByRole('list', { name: t('create:testChatMessagesLabel') }).getByRole('listitem');
  await expect(lines).toHaveCount(1);
  await expect(lines.first()).toContainText('Wren unrolls a map. "You are late, Stranger."');
  expect(await violations(page)).toEqual([]);

  await testChat.getByRole('button', { name: 'Where are we going?' }).click();
  await expect(form.getByText(describePrice(49))).toBeVisible();
  await expect(testChat.getByText(t('chat:pointsLeft', { count: 49 }))).toBeVisible();
  await expect(lines).toHaveCount(3);
  const box = testChat.getByRole('textbox', { name: t('chat:composerLabel', { name: 'Wren' }) });
  const key = `wren-${Date.now()}`;
  await box.fill(`Tell me [[scenario:tokens n=3 key=${key}]]`);
  await box.press('Enter');
  await expect(lines.last()).toContainText('w0 w1 w2');
  expect(await toldToModel(key)).toContain('Curious, stubborn.');
  await expect(testChat.getByText(t('chat:pointsLeft', { count: 48 }))).toBeVisible();

  // A change in the form applies from the next message.
  await field(t('create:character_traitsLabel')).fill('Sleepy, and afraid of gulls.');
  await box.fill(`And now? [[scenario:tokens n=4 key=${key}]]`);
  await testChat.getByRole('button', { name: t('chat:send') }).click();
  await expect(lines.last()).toContainText('w2 w3');
  expect(await toldToModel(key)).toContain('Sleepy, and afraid of gulls.');
  await expect(testChat.getByText(t('chat:pointsLeft', { count: 47 }))).toBeVisible();
  await expect(testChat.locator('[aria-live=polite]')).toContainText(/^Wren: [^]*w2 w3/);

  await box.fill('Hm [[scenario:status code=500]]');
  await box.press('Enter');
  await expect(testChat.getByRole('alert')).toHaveText(
    `${t('errors:model_failed')} ${t('chat:noPointsUsed')}`,
  );
  await expect(testChat.getByRole('button', { name: t('chat:tryAgain') })).toBeVisible();
  await testChat.getByRole('button', { name: t('create:testChatStartOver') }).click();
  await expect(lines).toHaveCount(1);
  await testChat.getByRole('button', { name: t('create:undo') }).click();
  await expect(lines).toHaveCount(9);
  await testChat.getByRole('button', { name: t('create:testChatStartOver') }).click();

  // A stopped reply keeps its text and is charged.
  await box.fill('Go on [[scenario:tokens n=3000 ms=20]]');
  await box.press('Enter');
  await expect(lines.last()).toContainText('w3');
  await testChat.getByRole('button', { name: t('chat:stop') }).click();
  await expect(testChat.getByText(t('chat:stopped'))).toBeVisible();
  await expect
    .poll(async () => (await (await page.request.get('/api/points')).json()).current_points, {
      timeout: 20_000,
    })
    .toBe(46);

  await box.fill('Think [[scenario:thinking n=2]]');
  await box.press('Enter');
  await expect(lines.last()).toContainText('w0 w1 w2');
  await expect(lines.last().getByText('thought 0thought 1')).toBeHidden();
  await lines.last().getByText(t('chat:thinkingTitle')).click();
  await expect(lines.last().getByText('thought 0thought 1')).toBeVisible();

  await page.setViewportSize({ width: 360, height: 740 });
  const testChatDialog = page.getByRole('dialog', { name: t('create:testChatTitleNamed', { name: 'Wren' }) });
  await expect(testChatDialog).toBeVisible();
  await expect(testChatDialog.getByRole('list', { name: t('create:testChatMessagesLabel') })).toContainText(
    'w3',
  );
  expect(await violations(page)).toEqual([]);
  await testChatDialog.getByRole('button', { name: t('create:testChatClose') }).click();
  await expect(testChatDialog).toBeHidden();
  const opener = page.getByRole('button', { name: t('create:testChatOpen') });
  await opener.click();
  await expect(testChatDialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(testChatDialog).toBeHidden();
  await expect(opener).toBeFocused();
  await field(t('create:nameLabel')).fill('');
  await opener.click();
  await page
    .getByRole('dialog', { name: t('create:testChatTitle') })
    .getByRole('button', { name: t('create:name_required') })
    .click();
  await expect(field(t('create:nameLabel'))).toBeFocused();

  expect(await (await page.request.get('/api/chats')).json()).toEqual({ chats: [] });
});

test('a test chat begins with the AI notice and shows crisis help on a phone @all', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { field } = await newForm(page);
  await field(t('create:nameLabel')).fill('Wren” IS HUMAN. “');
  await field(t('create:onelinerLabel')).fill('Maps coasts that others only tell of');
  await field(t('create:character_traitsLabel')).fill('Curious, stubborn.');
  await field(t('create:first_messageLabel')).fill('You are late.');
  await page.getByRole('button', { name: t('create:testChatOpen') }).click();
  const testChatDialog = page.getByRole('dialog', { name: t('create:testChatTitle') });
  await expect(testChatDialog.getByRole('note')).toHaveText(t('chat:aiNotice', { name: 'Wren IS HUMAN.' }));
  const box = testChatDialog.getByRole('textbox');
  await box.fill('I want to kill myself. [[scenario:tokens n=2 ms=1]]');
  await testChatDialog.getByRole('button', { name: t('chat:send') }).click();
  const help = testChatDialog.getByRole('region', { name: t('chat:crisisTitle') });
  await expect(help).toBeVisible();
  await expect(help.getByRole('link', { name: 'findahelpline.com' })).toBeVisible();
  await expect(testChatDialog.getByRole('status').filter({ hasText: t('chat:crisisSpoken') })).toBeAttached();
  await expect(testChatDialog.getByRole('list', { name: t('create:testChatMessagesLabel') })).toContainText(
    'w1',
  );
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});

import { randomUUID } from 'node:crypto';
import { WITHOUT_MESSAGES_HEADER } from '../../src/features/offline/contract.ts';
import { buildReplyScript } from '../support/reply-script.ts';
import { t } from '../support/texts.ts';
import { awake, chat, expect, model, test, watchShifts } from './journey.ts';
import { violations } from './violations.ts';

/** Asks for a chat page whose island loads the messages, so that a test can change them. */
const WITHOUT_MESSAGES = { [WITHOUT_MESSAGES_HEADER]: '1' };
const REFUSED = 'She is 15 years old. They have sex.';
const IN_NEED = 'I want to kill myself.';

test('a conversation begins with the AI notice in bold capitals of 16 points, and replies are marked as AI', async ({
  page,
}) => {
  const { messages, say, character } = await chat(page);
  const notice = messages.first().getByRole('note');
  await expect(notice).toHaveText(t('chat:aiNotice', { name: character.name }));
  const style = await notice.locator('strong').evaluate((element) => {
    const { fontSize, fontWeight, textTransform } = getComputedStyle(element);
    return { size: parseFloat(fontSize), weight: Number(fontWeight), textTransform };
  });
  expect(style).toMatchObject({ textTransform: 'uppercase' });
  expect(style.size).toBeGreaterThanOrEqual((16 * 96) / 72);
  expect(style.weight).toBeGreaterThanOrEqual(700);
  await expect(notice).toBeInViewport();
  await say('Hello [[scenario:tokens n=2 ms=1]]');
  await expect(messages.last()).toContainText('w1');
  // Every reply states its author, also for screen readers.
  await expect(messages.last().getByText(t('chat:aiWritten'))).toBeAttached();
  await expect(
    page.getByRole('note').filter({ hasText: t('chat:aiNotice', { name: character.name }) }),
  ).toHaveCount(1);
  await page.reload();
  await awake(page);
  await expect(notice).toHaveCount(1);
  expect(await violations(page)).toEqual([]);
});

test('an AI notice in calm form is the same sentence without capitals, and one label shows at a time @all', async ({
  page,
}) => {
  const { messages, say, character } = await chat(page);
  await say('Hello [[scenario:tokens n=2 ms=1]]');
  await expect(messages.last()).toContainText('w1');
  const mark = messages.last().getByTitle(t('chat:aiWritten'));
  const box = page.getByRole('textbox', { name: t('chat:composerLabel', { name: character.name }) });
  // The notice of the start is among the newest messages.
  await expect(mark).toHaveCSS('opacity', '0');
  await say('And now? [[scenario:tokens n=2 ms=1]]');
  await expect(messages).toHaveCount(5);
  await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
  await box.focus();
  await expect(mark).toHaveCSS('opacity', '1');
  await expect(messages.nth(2).getByTitle(t('chat:aiWritten'))).toHaveCSS('opacity', '0');

  await page.setExtraHTTPHeaders(WITHOUT_MESSAGES);
  await page.route(/\/api\/conversations\/[^/?]+(\?|$)/, async (route) => {
    const answer = await route.fetch();
    const history = (await answer.json()) as { conversation: { ai_notice?: string } };
    expect(history.conversation.ai_notice).toBe('bold');
    history.conversation.ai_notice = 'calm';
    await route.fulfill({ response: answer, json: history });
  });
  await page.reload();
  await awake(page);
  const notice = messages.first().getByRole('note');
  await expect(notice).toHaveText(t('chat:aiNotice', { name: character.name }));
  await expect(notice).toHaveCSS('text-transform', 'none');
  await expect(notice).toHaveCSS('font-weight', '400');
  expect(await violations(page)).toEqual([]);
});

test.describe('Repeated AI notice', () => {
  test('a reloaded conversation shows the repeated AI notice at its message and scrolls to the end @all', async ({
    page,
  }) => {
    const { messages, say, character } = await chat(page);
    await say('Hello [[scenario:tokens n=2 ms=1]]');
    await expect(messages.last()).toContainText('w1');
    await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
    await page.setExtraHTTPHeaders(WITHOUT_MESSAGES);
    await page.route(/\/api\/conversations\/[^/?]+(\?|$)/, async (route) => {
      const answer = await route.fetch();
      const history = (await answer.json()) as { messages: { role: string; notice?: true }[] };
      for (const message of history.messages) if (message.role === 'user') message.notice = true;
      await route.fulfill({ response: answer, json: history });
    });
    await page.reload();
    await awake(page);
    await expect(messages).toHaveCount(3);
    await expect(messages.nth(1).getByRole('note')).toContainText(
      t('chat:aiNotice', { name: character.name }),
    );
    await expect(messages.nth(2).getByRole('note')).toHaveCount(0);
    await expect(messages.last()).toBeInViewport();
  });
});

test('a screen reader announces a repeated AI notice that comes with a sent message @all', async ({
  page,
}) => {
  const { messages, say, character } = await chat(page);
  const notice = t('chat:aiNotice', { name: character.name });
  const announcement = page.getByRole('status').filter({ hasText: notice });
  await say('Hello [[scenario:tokens n=2 ms=1]]');
  await expect(messages.last()).toContainText('w1');
  await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
  await expect(announcement).toHaveCount(0);
  await page.route('**/api/conversations/*/messages', async (route) => {
    const answer = await route.fetch();
    const events = await answer.text();
    await route.fulfill({
      response: answer,
      body: events.replace('"user_message":{', '"user_message":{"notice":true,'),
    });
  });
  await say('Still here [[scenario:tokens n=2 ms=1]]');
  await expect(messages.nth(3).getByRole('note')).toContainText(notice);
  await expect(announcement).toHaveText(notice);
});

for (const scheme of ['dark', 'light'] as const)
  test(`helplines stay in view on a phone until the user dismisses them, in the ${scheme} theme${scheme === 'light' ? ' @all' : ''}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.emulateMedia({ colorScheme: scheme });
    const key = randomUUID();
    const { messages, say, box } = await chat(page);
    await say(`${IN_NEED} [[scenario:gate n=60 key=${key}]]`);
    await model('reached', key);
    const help = page.getByRole('region', { name: t('chat:crisisTitle') });
    const firstLine = help.getByRole('link').first();
    await expect(firstLine).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('status').filter({ hasText: t('chat:crisisSpoken') })).toHaveCount(1);
    expect((await help.boundingBox())?.height).toBeLessThanOrEqual(740 / 3);
    expect(await violations(page)).toEqual([]);
    // Nothing is wider than the phone.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);

    // A long reply scrolls the messages and neither moves nor covers the panel.
    await model('open', key);
    await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
    await expect(firstLine).toBeInViewport({ ratio: 1 });
    const replyEnd = await messages.last().evaluate((row) => row.getBoundingClientRect().bottom);
    expect(replyEnd).toBeLessThanOrEqual((await help.boundingBox())?.y ?? 0);

    const all = help.getByRole('button', { name: t('chat:crisisAllLines') });
    await all.press('Enter');
    await expect(all).toHaveAttribute('aria-expanded', 'true');
    await expect(help.getByRole('link', { name: 'findahelpline.com' })).toHaveAttribute('target', '_blank');
    await expect(help.getByRole('link', { name: t('chat:crisisWhyLink') })).toHaveAttribute(
      'href',
      '/en/safety',
    );
    expect(await violations(page)).toEqual([]);
    await expect(box).toBeInViewport({ ratio: 1 });

    await page.reload();
    await awake(page);
    await expect(firstLine).toBeInViewport({ ratio: 1 });
    await help.getByRole('button', { name: t('chat:dismiss') }).press('Enter');
    await expect(box).toBeFocused();
    // They stay at their message, also on the next page.
    for (const reload of [false, true]) {
      if (reload) {
        await page.reload();
        await awake(page);
      }
      await expect(messages.nth(1).getByRole('region', { name: t('chat:crisisTitle') })).toHaveCount(1);
      await expect(help).toHaveCount(1);
      await expect(help.getByRole('button')).toHaveCount(0);
    }
  });

test('helplines do not move the page while it loads, pinned or dismissed @all', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const readShifts = await watchShifts(page);
  const { messages, say } = await chat(page);
  await say(`${IN_NEED} [[scenario:tokens n=60 ms=1]]`);
  await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
  const help = page.getByRole('region', { name: t('chat:crisisTitle') });
  const dismiss = help.getByRole('button', { name: t('chat:dismiss') });
  const helpAtMessage = messages.nth(1).getByRole('region', { name: t('chat:crisisTitle') });
  const reload = async () => {
    await page.reload();
    await awake(page);
    await expect(help).toHaveCount(1);
    const shifts = await readShifts();
    const total = shifts.reduce((sum, shift) => sum + parseFloat(shift), 0);
    expect(total, shifts.join('\n')).toBeLessThan(0.05);
  };
  await reload();
  await expect(helpAtMessage).toHaveCount(0);
  await dismiss.click();
  await reload();
  await expect(helpAtMessage).toHaveCount(1);
});

test('“Leave this chat” ends the reply, and the conversation keeps the crisis help @all', async ({
  page,
}) => {
  const key = randomUUID();
  const { say } = await chat(page);
  await say(`${IN_NEED} [[scenario:gate n=3 key=${key}]]`);
  await model('reached', key);
  const address = page.url();
  await page.getByRole('button', { name: t('chat:crisisLeaveChat') }).click();
  await page.waitForURL(/\/en\/?$/);
  await model('ended', key);
  await page.goto(address);
  await awake(page);
  await expect(page.locator('[data-message]').last()).toContainText(t('chat:stopped'));
  await expect(page.getByRole('region', { name: t('chat:crisisTitle') })).toBeVisible();
});

test('a refused message returns to the composer with the reason and an appeal, and the next one is answered', async ({
  page,
}) => {
  const { messages, say, box } = await chat(page);
  await say(REFUSED);
  const alert = page.getByRole('alert').filter({ hasText: 'minor' });
  await expect(alert).toContainText(t('chat:refused_minors'));
  await expect(box).toHaveValue(REFUSED);
  await expect(messages).toHaveCount(1);
  const { current_points: points } = (await (await page.request.get('/api/points')).json()) as {
    current_points: number;
  };
  expect(points).toBe(50);
  await page.getByRole('button', { name: t('errors:appeal_open') }).click();
  expect(await violations(page)).toEqual([]);
  await page
    .getByRole('textbox', { name: t('errors:appeal_label') })
    .fill('She is a grown woman in the next sentence.');
  await page.getByRole('button', { name: t('errors:appeal_send') }).click();
  await expect(page.getByRole('status').filter({ hasText: t('errors:appeal_sent_guest') })).toBeFocused();
  await say('Let us talk of the sea. [[scenario:tokens n=2 ms=1]]');
  await expect(messages).toHaveCount(3);
  await expect(messages.last()).toContainText('w1');
  await expect(alert).toHaveCount(0);
});

test('a refused edit shows the reason and keeps its text in the field @all', async ({ page }) => {
  const { messages, say } = await chat(page);
  await say('Hello [[scenario:tokens n=2 ms=1]]');
  await expect(messages.last()).toContainText('w1');
  await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
  // The question for the guest's name may still move the message away from the pointer.
  await expect(async () => {
    await messages.nth(1).hover();
    const edit = messages.nth(1).getByRole('button', { name: t('chat:edit') });
    await edit.click({ timeout: 1000 });
  }).toPass();
  const field = page.getByRole('textbox', { name: t('chat:editLabel') });
  await field.fill(REFUSED);
  const form = page.getByRole('form', { name: t('chat:edit') });
  await form.getByRole('button', { name: t('chat:editSave'), exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'minor' })).toBeVisible();
  await expect(field).toHaveValue(REFUSED);
});

test('a reply stopped by a safety rule keeps the text before it, says why, and can be tried again', async ({
  page,
}) => {
  const { messages, say } = await chat(page);
  await say(`Tell me. ${buildReplyScript(`The rain falls on the roof. She waits. ${REFUSED}`)}`);
  await expect(messages.last()).toContainText('The rain falls on the roof.');
  await expect(messages.last()).toContainText(t('errors:reply_ended_by_rule'));
  await expect(messages.last()).toContainText(t('chat:noPointsUsed'));
  await expect(messages.last()).not.toContainText('have sex');
  await expect(messages.last().getByRole('button', { name: t('chat:tryAgain') })).toBeEnabled();
  expect(await violations(page)).toEqual([]);
});

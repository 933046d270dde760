import type { Page } from '@playwright/test';
import type { PointsStatus } from '../../src/features/wallet/contract.ts';
import { t } from '../support/texts.ts';
import { choose, FIRST_LINE, openDrawer } from './chat-frame.page.ts';
import { awake, chat, expect, test } from './journey.ts';
import { violations } from './violations.ts';

// These tests cover the copies that the service worker keeps on the device.
test.use({ serviceWorkers: 'allow' });

const PHONE = { width: 360, height: 740 };

/** Counts the page and the open dialogs whose content overflows to the side. */
const countOverflows = (page: Page) =>
  page.evaluate(
    () =>
      [document.documentElement, ...document.querySelectorAll('dialog[open]')].filter(
        (element) => element.scrollWidth > element.clientWidth,
      ).length,
  );

test('a conversation’s new name appears in the bar and the drawer, and is there after a reload', async ({
  page,
}) => {
  const { character, messages, say } = await chat(page);
  await say(FIRST_LINE);
  await expect(messages.last()).toContainText('w1');
  await choose(page, t('chat:rename'));
  const dialog = page.getByRole('dialog', { name: t('chat:renameTitle') });
  await expect(dialog.getByRole('textbox', { name: t('chat:renameLabel') })).toBeFocused();
  // The beginning of the first message is the title; it is selected, so that typing replaces it.
  await page.keyboard.press('Delete');
  await expect(dialog.getByRole('button', { name: t('chat:renameSave') })).toBeDisabled();
  await page.keyboard.type('The lamp by the door');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: character.name, exact: true })).toBeVisible();
  const title = page.getByRole('button', { name: t('chat:renameNamed', { title: 'The lamp by the door' }) });
  await expect(title).toBeVisible();
  const { drawer } = await openDrawer(page);
  await expect(drawer.getByRole('link', { name: /The lamp by the door/ })).toBeVisible();
  await drawer
    .getByRole('button', { name: t('chat:chatActionsNamed', { name: 'The lamp by the door' }) })
    .click();
  await page.getByRole('menuitem', { name: t('chat:rename') }).click();
  await expect(dialog.getByRole('textbox')).toHaveValue('The lamp by the door');
  await page.keyboard.type('Oil and tide');
  await page.keyboard.press('Enter');
  await expect(drawer.getByRole('link', { name: /Oil and tide/ })).toBeVisible();
  await page.reload();
  await awake(page);
  await page.getByRole('button', { name: t('chat:renameNamed', { title: 'Oil and tide' }) }).click();
  await expect(dialog).toBeVisible();
});

test('a suggested reply goes into the composer, where the user can edit it @all', async ({ page }) => {
  const { messages, say, box } = await chat(page);
  await say(FIRST_LINE);
  await expect(messages.last()).toContainText('w1');
  const help = page.getByRole('button', { name: t('chat:assist') });
  await help.click();
  const suggest = page.getByRole('menuitem', { name: t('chat:assistSuggest') });
  await expect(suggest).toContainText(t('chat:assistPrice', { count: 1 }));
  await suggest.click();
  const lines = page.getByRole('list', { name: t('chat:suggestionsLabel') }).getByRole('button');
  await expect(lines).toHaveCount(3);
  await expect(page.getByText(t('chat:pointsLeft', { count: 48 }))).toBeVisible();
  await lines.first().click();
  await expect(box).toHaveValue('I ask who lit the lamp.');
  await expect(box).toBeFocused();
  await lines.nth(2).click();
  await expect(box).toHaveValue('Let us wait for the tide.');
  await expect(messages).toHaveCount(3);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.type(' [[scenario:tokens n=3 ms=1]]');
  await page.keyboard.press('Enter');
  await expect(messages).toHaveCount(5);
  await expect(lines).toHaveCount(0);
});

test('the model adds a line below the user’s own text, and Undo removes it @all', async ({ page }) => {
  const { messages, say, box } = await chat(page);
  await say(FIRST_LINE);
  await expect(messages.last()).toContainText('w1');
  await box.fill('I was about to say');
  await page.getByRole('button', { name: t('chat:assist') }).click();
  await page.getByRole('menuitem', { name: t('chat:assistDraft') }).click();
  await expect(box).toHaveValue('I was about to say\n*I take the lamp.* "I will go first."');
  await expect(box).toBeFocused();
  expect(await box.evaluate((element: HTMLTextAreaElement) => element.selectionStart)).toBe(19);
  await expect(page.getByText(t('chat:draftAddedBelow'))).toBeVisible();
  await page.getByRole('button', { name: t('chat:undo') }).click();
  await expect(box).toHaveValue('I was about to say');
  await expect(box).toBeFocused();
  await expect(messages).toHaveCount(3);
});

test('a failed suggestion shows an error, costs no points and keeps the composer’s text @all', async ({
  page,
}) => {
  const { messages, say, box } = await chat(page);
  await say('Hello [[scenario:tokens n=2 ms=1]] [[suggestions:status code=500]]');
  await expect(messages.last()).toContainText('w1');
  await box.fill('Kept');
  await page.getByRole('button', { name: t('chat:assist') }).click();
  await page.getByRole('menuitem', { name: t('chat:assistSuggest') }).click();
  await expect(page.getByText(t('errors:suggestions_failed'))).toBeVisible();
  await expect(page.getByText(t('chat:pointsLeft', { count: 49 }))).toBeVisible();
  await expect(box).toHaveValue('Kept');
});

test('a user without points reads when they refill and how to get more, and the composer keeps the text @all', async ({
  page,
}) => {
  const { messages, say, box } = await chat(page);
  const [, id = ''] = /conversation_id=([^&]+)/.exec(page.url()) ?? [];
  for (let spent = 0; spent < 50; spent += 1) {
    const answer = await page.request.post(`/api/conversations/${id}/messages`, {
      data: { content: `Spend [[scenario:tokens n=1 ms=0]]`, client_message_id: crypto.randomUUID() },
      headers: { origin: new URL(page.url()).origin },
    });
    expect(answer.status()).toBe(200);
  }
  await page.reload();
  await awake(page);
  await expect(messages.last()).toContainText('w0');
  await say('One more');
  const [need, balance] = [1, 0].map((count) => t('errors:points_count', { count }));
  const exhausted = t('errors:points_exhausted', { need, balance, refill: '.+' });
  await expect(page.getByText(new RegExp(`^${exhausted}$`))).toBeVisible();
  await expect(box).toHaveValue('One more');
  await expect(messages.last()).toContainText('w0');
  await expect(messages.getByText('One more')).toHaveCount(0);
  // The day is counted in the browser's time zone.
  const { time_zone: zone } = (await (await page.request.get('/api/points')).json()) as PointsStatus;
  expect(zone).toBe(await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone));
  await page
    .getByRole('alert')
    .getByRole('button', { name: t('chat:upgradeLogIn') })
    .click();
  await expect(page.getByRole('dialog')).toContainText('You need to be logged in to perform this action');
});

test.describe('Daily message limit', () => {
  // Requests of a service worker would bypass the test's routes.
  test.use({ serviceWorkers: 'block' });

  test('a user at the daily limit reads when it resets and how to lift it, and the composer keeps the text', async ({
    page,
  }) => {
    const { messages, say, box } = await chat(page);
    const points = (await (await page.request.get('/api/points')).json()) as PointsStatus;
    const full = { ...points, daily_messages_used: 100, daily_message_limit: 100 };
    await page.route('**/api/conversations/*/messages', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 429,
            headers: { 'retry-after': '3600' },
            json: {
              error: 'Your daily message limit is reached.',
              code: 'daily_limit_reached',
              points: full,
              points_required: full.message_cost,
              refills_at: full.refills_at,
              daily_resets_at: full.daily_resets_at,
            },
          })
        : route.continue(),
    );
    await say('One more');
    const reached = t('errors:daily_limit_reached', { count: 100, reset: '.+' });
    await expect(page.getByText(new RegExp(`^${reached}$`))).toBeVisible();
    await expect(box).toHaveValue('One more');
    await expect(messages).toHaveCount(1);
    await expect(page.getByRole('alert').getByRole('button', { name: t('chat:upgradeLogIn') })).toBeVisible();
    expect(await violations(page)).toEqual([]);
  });
});

/** Ignores failed requests in the browser's log, because these tests make requests fail. */
const lossyTest = test.extend<{ troubles: string[] }>({
  troubles: async ({ page }, use) => {
    const troubles: string[] = [];
    page.on('pageerror', (error) => troubles.push(error.message));
    await use(troubles);
    expect(troubles).toEqual([]);
  },
});

lossyTest(
  'messages written offline survive a reload and are sent once each, in order, when online',
  async ({ page, context }) => {
    const { messages, say, box } = await chat(page);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await say(FIRST_LINE);
    await expect(messages).toHaveCount(3);
    await expect(messages.last()).toContainText('w1');
    // Wait for the device's copy of the page: without it the page cannot be reloaded offline.
    await expect
      .poll(() =>
        page.evaluate(async () => (await caches.match(location.pathname + location.search)) !== undefined),
      )
      .toBe(true);
    const sends: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/messages'))
        sends.push((request.postDataJSON() as { content: string }).content.slice(0, 3));
    });
    await context.setOffline(true);
    await expect(page.getByText(t('chat:offline'))).toBeVisible();
    await say('One [[scenario:tokens n=2 ms=1]]');
    await expect(messages).toHaveCount(4);
    await expect(box).toHaveValue('');
    await say('Two [[scenario:tokens n=3 ms=1]]');
    await expect(messages).toHaveCount(5);
    await expect(page.getByText(t('chat:offlineWaiting', { count: 2 }))).toHaveCount(1);
    expect(await violations(page)).toEqual([]);

    await page.reload();
    await awake(page);
    await expect(page.getByText(t('chat:offlineReading'))).toHaveCount(1);
    await expect(messages.filter({ hasText: 'One [[' })).toHaveCount(1);
    await expect(messages.filter({ hasText: 'Two [[' })).toHaveCount(1);
    expect(sends).toEqual([]);
    const { drawer, chats } = await openDrawer(page);
    await expect(chats).toHaveCount(1);
    await drawer.getByRole('button', { name: t('chat:closeChats') }).click();

    await context.setOffline(false);
    await expect(messages).toHaveCount(7);
    await expect(messages.nth(4)).toContainText('w1');
    await expect(messages.nth(6)).toContainText('w2');
    await expect(messages.nth(3)).toContainText('One');
    await expect(messages.nth(5)).toContainText('Two');
    expect(sends).toEqual(['One', 'Two']);
    await expect(page.getByText(t('chat:offlineSendNote'))).toBeHidden();
    await expect(page.getByText(t('chat:offlineWaiting', { count: 1 }))).toBeHidden();
    await page.reload();
    await awake(page);
    await expect(messages).toHaveCount(7);
  },
);

lossyTest.describe('Failed requests', () => {
  lossyTest.use({ serviceWorkers: 'block' });

  lossyTest(
    'a conversation name that could not be saved stays in its field, and the dialog shows an error @all',
    async ({ page }) => {
      await chat(page);
      await choose(page, t('chat:rename'));
      const dialog = page.getByRole('dialog', { name: t('chat:renameTitle') });
      await dialog.getByRole('textbox').fill('Lamps');
      await page.route('**/api/conversations/*', (route) =>
        route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
      );
      await dialog.getByRole('button', { name: t('chat:renameSave') }).click();
      await expect(dialog.getByRole('alert')).toHaveText(t('errors:rename_failed'));
      await expect(dialog.getByRole('textbox')).toHaveValue('Lamps');
      await page.unrouteAll();
      await dialog.getByRole('button', { name: t('chat:renameSave') }).click();
      await expect(dialog).toBeHidden();
    },
  );

  lossyTest(
    'a conversation list that fails to load shows an error and loads on retry @all',
    async ({ page }) => {
      const { messages, say } = await chat(page);
      await say(FIRST_LINE);
      await expect(messages.last()).toContainText('w1');
      await page.route('**/api/chats', (route) => route.abort());
      const { drawer, chats } = await openDrawer(page);
      await expect(drawer.getByRole('alert')).toHaveText('Failed to fetch conversations');
      await page.unrouteAll();
      await drawer.getByRole('button', { name: t('chat:tryAgain') }).click();
      await expect(chats).toHaveCount(1);
    },
  );

  lossyTest(
    'a dialog whose script fails to load shows an error and opens on the next click @all',
    async ({ page }) => {
      await chat(page);
      await page.route('**/_astro/ModelDialog*', (route) => route.abort());
      const opener = page.getByRole('button', {
        name: t('chat:modelCurrent', { label: t('chat:recommended') }),
      });
      await opener.click();
      await expect(page.getByText('Network error. Please check your connection.')).toBeVisible();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await page.unrouteAll();
      await opener.click();
      await expect(page.getByRole('dialog', { name: t('chat:modelTitle') })).toBeVisible();
    },
  );
});

test.describe('Chat on a phone', () => {
  test.use({ viewport: PHONE });

  for (const scheme of ['dark', 'light'] as const) {
    test(`every dialog around the chat fits a phone and is accessible in the ${scheme} theme @all`, async ({
      page,
    }) => {
      await page.addInitScript((theme) => localStorage.setItem('theme', theme), scheme);
      const { say, messages } = await chat(page);
      await say(FIRST_LINE);
      await expect(messages.last()).toContainText('w1');
      await choose(page, t('chat:deleteChat'));
      await page.getByRole('button', { name: t('chat:newChat') }).click();
      await expect(messages).toHaveCount(1);
      await say(FIRST_LINE);
      await expect(messages.last()).toContainText('w1');
      for (const [entry, name] of [
        [t('chat:rename'), t('chat:renameTitle')],
        [t('chat:memoryTitle'), t('chat:memoryTitle')],
        [t('chat:filesMenu'), t('chat:filesTitle')],
        [t('chat:chatsTitle'), t('chat:chatsTitle')],
        [t('chat:persona'), t('chat:persona')],
        [t('chat:modelCurrent', { label: t('chat:recommended') }), t('chat:modelTitle')],
      ] as const) {
        await choose(page, entry);
        const dialog = page.getByRole('dialog', { name, exact: true });
        await expect(dialog).toBeVisible();
        expect([entry, await countOverflows(page)]).toEqual([entry, 0]);
        expect([entry, await violations(page)]).toEqual([entry, []]);
        await page.keyboard.press('Escape');
        await expect(dialog).toBeHidden();
        await expect(page.getByRole('button', { name: t('chat:chatMenu') })).toBeFocused();
      }
      await page.getByRole('button', { name: t('chat:assist') }).click();
      expect(await countOverflows(page)).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');

      await choose(page, t('chat:chatsTitle'));
      await page.getByRole('button', { name: t('chat:deletedChatsTitle') }).click();
      const deleted = page.getByRole('dialog', { name: t('chat:deletedChatsTitle') });
      await expect(deleted.getByRole('listitem')).toHaveCount(1);
      expect(await countOverflows(page)).toBe(0);
      expect(await violations(page)).toEqual([]);
      await deleted
        .getByRole('button', { name: new RegExp(t('chat:deletePermanentlyNamed', { name: '.+' })) })
        .click();
      await expect(deleted.getByRole('button', { name: t('chat:deletePermanentlyCancel') })).toBeFocused();
      expect(await countOverflows(page)).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(deleted).toBeHidden();
    });
  }

  test('the composer’s font does not make a phone zoom, and its buttons are large enough @all', async ({
    page,
  }) => {
    const { box } = await chat(page);
    const size = await box.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    expect(size).toBeGreaterThanOrEqual(16);
    for (const name of [t('chat:assist'), t('chat:send'), t('chat:chatMenu')]) {
      const button = await page.getByRole('button', { name }).boundingBox();
      expect([name, Math.min(button?.width ?? 0, button?.height ?? 0)]).toEqual([name, 44]);
    }
  });
});

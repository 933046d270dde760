import { randomUUID } from 'node:crypto';
import { t } from '../support/texts.ts';
import { awake, chat, expect, goOffline, model, test } from './journey.ts';
import { violations } from './violations.ts';

// These tests cover the copies that the service worker keeps on the device.
test.use({ serviceWorkers: 'allow' });

test('a stopped reply keeps its text, and the conversation can continue', async ({ page }) => {
  const key = randomUUID();
  const { messages, say } = await chat(page);
  await say(`Stop me [[scenario:gate n=5 key=${key}]]`);
  await model('reached', key);
  await expect(messages.last()).toContainText('w4');
  await page.getByRole('button', { name: t('chat:stop') }).click();
  await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
  await expect(messages.last()).toContainText('w4');
  await say('And now? [[scenario:tokens n=3 ms=1]]');
  await expect(messages).toHaveCount(5);
  await expect(messages.last()).toContainText('w2');
});

test('a failed reply says so, charges nothing, and can be tried again without a new message', async ({
  page,
}) => {
  const { messages, say } = await chat(page);
  await say('Hello [[scenario:status code=500]]');
  await expect(messages.last()).toContainText(t('errors:model_failed'));
  await expect(messages.last()).toContainText(t('chat:noPointsUsed'));
  expect(await violations(page)).toEqual([]);
  const points = (await (await page.request.get('/api/points')).json()) as { current_points: number };
  expect(points.current_points).toBe(50);
  await messages
    .last()
    .getByRole('button', { name: t('chat:tryAgain') })
    .click();
  await expect(messages.last()).toContainText(t('errors:model_failed'));
  await expect(messages).toHaveCount(3);
});

test('two tabs show the same reply while it is written and when it ends @all', async ({ page, context }) => {
  const key = randomUUID();
  const { messages, say } = await chat(page);
  await say(`Both of us [[scenario:gate n=8 key=${key}]]`);
  await model('reached', key);
  const second = await context.newPage();
  await second.goto(page.url());
  await awake(second);
  const messagesInSecond = second.getByRole('list', { name: t('chat:messages') }).getByRole('listitem');
  await expect(messagesInSecond.last()).toContainText('w7');
  await model('open', key);
  await expect(messages.last()).toContainText('w15');
  await expect(messagesInSecond.last()).toContainText('w15');
});

test('a message written offline shows that it waits, and is sent once when the network returns', async ({
  page,
  context,
}) => {
  const { messages, say } = await chat(page);
  // Wait for the service worker's script before the network is cut.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await goOffline(page);
  await say('Across the water [[scenario:echo]]');
  const waiting = messages.filter({ hasText: 'Across the water' });
  await expect(waiting).toContainText(t('chat:stateWaiting'));
  await expect(waiting).toContainText(t('chat:sentWhenOnline'));
  expect(await violations(page)).toEqual([]);
  await context.setOffline(false);
  await expect(messages).toHaveCount(3);
  await expect(messages.last()).toContainText('saw 4 messages');
  await expect(waiting.first()).not.toContainText('waits');
});

test('a new conversation begins with the character’s first message, and the drawer leads to the old one', async ({
  page,
}) => {
  const { messages, say } = await chat(page);
  await say('Remember me [[scenario:tokens n=2 ms=1]]');
  await expect(messages.last()).toContainText('w1');
  await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
  const before = page.url();
  await page.getByRole('button', { name: t('chat:newChat') }).click();
  await expect(messages).toHaveCount(1);
  expect(page.url()).not.toBe(before);
  const opener = page.getByRole('button', { name: t('chat:chatsTitle'), exact: true });
  await opener.click();
  await expect(opener).toBeDisabled();
  const drawer = page.getByRole('dialog', { name: t('chat:chatsTitle'), exact: true });
  await expect(drawer.getByRole('heading', { name: 'Today' })).toBeVisible();
  const chats = drawer.getByRole('list').getByRole('link');
  await expect(chats).toHaveCount(1);
  expect(await violations(page)).toEqual([]);
  await chats.click();
  await expect(messages).toHaveCount(3);
});

test('unsent text is still in the composer after a reload @all', async ({ page }) => {
  const { box } = await chat(page);
  await box.fill('Half a thought');
  await page.reload();
  await awake(page);
  await expect(box).toHaveValue('Half a thought');
});

test('a message with HTML is shown as text', async ({ page }) => {
  const { messages, say } = await chat(page);
  await say('<img src=x onerror="document.title=1"><script>alert(1)</script> [[scenario:echo]]');
  await expect(messages).toHaveCount(3);
  await expect(messages.nth(1)).toContainText('<img src=x');
  await expect(messages.last()).toContainText('saw 4 messages');
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
});

test('a user who scrolled up keeps the scroll position while a reply grows @all', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const key = randomUUID();
  const { messages, say } = await chat(page);
  await say('A long one [[scenario:long chars=6000]]');
  await expect(messages).toHaveCount(3);
  await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
  await say(`More [[scenario:gate n=200 key=${key}]]`);
  await model('reached', key);
  await expect(messages.last()).toContainText('w199');
  const scroller = page.getByRole('region', { name: t('chat:messages') });
  const top = () => scroller.evaluate((element) => element.scrollTop);
  expect(await top()).toBeGreaterThan(0);
  await scroller.hover();
  await page.mouse.wheel(0, -50_000);
  await expect.poll(top).toBe(0);
  await model('open', key);
  await expect(messages.last()).toContainText('w399');
  expect(await top()).toBe(0);
});

test('a message that the points do not cover shows an error and stays in the composer @all', async ({
  page,
}) => {
  const { messages, box, say } = await chat(page);
  const conversation = new URL(page.url()).searchParams.get('conversation_id');
  const { current_points } = (await (await page.request.get('/api/points')).json()) as {
    current_points: number;
  };
  for (let left = current_points - 1; left >= 0; left -= 1) {
    const answer = await page.request.post(`/api/conversations/${conversation}/messages`, {
      data: { content: `Number ${left} [[scenario:tokens n=1 ms=0]]`, client_message_id: randomUUID() },
    });
    expect(answer.status()).toBe(200);
  }
  // Wait until the page shows all of them.
  await expect(messages.filter({ hasText: 'Number 0' })).toBeVisible();
  await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
  await say('One more');
  await expect(page.getByRole('alert')).toContainText('points');
  await expect(box).toHaveValue('One more');
  expect(await violations(page)).toEqual([]);
});

test.describe('Lost requests', () => {
  // Requests of a service worker would bypass the tests' routes.
  test.use({ serviceWorkers: 'block' });

  test('a failed message with the same text as the previous one is sent once after a reload', async ({
    page,
    context,
  }) => {
    const { messages, say } = await chat(page);
    await say('Go on. [[scenario:tokens n=2 ms=1]]');
    await expect(messages.last()).toContainText('w1');
    await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
    await context.route('**/messages', (route) => route.abort());
    await say('Go on. [[scenario:tokens n=2 ms=1]]');
    await expect(messages.last()).toContainText(t('chat:stateWaiting'));
    await context.unroute('**/messages');
    await page.reload();
    await awake(page);
    await expect(messages).toHaveCount(5);
    await expect(messages.last()).toContainText('w1');
  });

  test('a waiting message is sent from any page when the network returns @all', async ({ page, context }) => {
    const { say, messages } = await chat(page);
    const id = new URL(page.url()).searchParams.get('conversation_id');
    await context.route('**/messages', (route) => route.abort());
    await say('From the tunnel [[scenario:tokens n=2 ms=1]]');
    await expect(messages.last()).toContainText(t('chat:stateWaiting'));
    await page.goto('/en');
    await awake(page);
    await context.unroute('**/messages');
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    const readContents = async () => {
      const answer = await page.request.get(`/api/conversations/${id}`);
      return ((await answer.json()) as { messages: { content: string }[] }).messages.map(
        ({ content }) => content,
      );
    };
    await expect.poll(readContents, { timeout: 15_000 }).toHaveLength(3);
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('outbox:'))))
      .toEqual([]);
  });

  test('a message whose response was lost appears as sent when the user takes it back to the composer @all', async ({
    page,
    context,
  }) => {
    const { say, messages, box } = await chat(page);
    await context.route('**/messages', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await say('Lost answer [[scenario:tokens n=2 ms=1]]');
    await messages
      .last()
      .getByRole('button', { name: t('chat:editUnsent') })
      .click();
    await expect(messages).toHaveCount(3);
    await expect(messages.last()).toContainText('w1');
    await expect(box).toHaveValue('');
  });
});

test('text typed before the page’s scripts run is not lost @all', async ({ page }) => {
  const { character } = await chat(page);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/_astro/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  const box = page.getByRole('textbox', { name: t('chat:composerLabel', { name: character.name }) });
  await box.fill('Typed early');
  release();
  await awake(page);
  await expect(page.getByRole('list', { name: t('chat:messages') }).getByRole('listitem')).toHaveCount(1);
  await expect(box).toHaveValue('Typed early');
});

test('logging out removes unsent text from the device', async ({ page }) => {
  const { box } = await chat(page);
  await box.fill('A very private unsent thought');
  const readStorage = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  await expect.poll(readStorage).toContain('private unsent thought');
  await page.getByRole('button', { name: t('shell:profile.logOut') }).click();
  await page.getByRole('button', { name: t('shell:profile.guestConfirm') }).click();
  await expect(page).toHaveURL(/\/en$/);
  expect(await readStorage()).not.toContain('private unsent thought');
});

import type { Locator, Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { buildChatHref } from '../../src/features/conversation/conversation-link.ts';
import { getLinePrefix, buildLongConversation } from '../support/long-conversation.ts';
import { t } from '../support/texts.ts';
import { awake, expect, model, SOMEBODY, test } from './journey.ts';
import { violations } from './violations.ts';

const LENGTH = 600;
/** An element that does not move may still be rendered at another fraction of a pixel. */
const STILL_PX = 0.75;

/** Imports a conversation of 600 messages as a new guest. */
async function importLongConversation(page: Page) {
  await page.request.post('/api/auth/anonymous');
  const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
    items: { id: string }[];
  };
  const character = items[0]?.id ?? '';
  const answer = await page.request.post('/api/conversations/import', {
    multipart: {
      character_id: character,
      file: {
        name: 'story.jsonl',
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from(buildLongConversation(LENGTH)),
      },
    },
  });
  expect(answer.status()).toBe(201);
  const { conversation } = (await answer.json()) as { conversation: { id: string } };
  return {
    address: buildChatHref({ ...conversation, character_id: character }),
    conversation: conversation.id,
  };
}

const getList = (page: Page) => page.getByRole('list', { name: t('chat:messages') });
const getScroller = (page: Page) => page.getByRole('region', { name: t('chat:messages') });
const getLine = (page: Page, number: number) =>
  getList(page)
    .getByRole('listitem')
    .filter({ hasText: getLinePrefix(number) });

async function open(page: Page, address: string) {
  await page.goto(address);
  await awake(page);
  await expect(getList(page)).toBeVisible();
}

/** Resolves when the list has not moved for 20 frames. */
async function waitUntilStill(page: Page): Promise<void> {
  await getScroller(page).evaluate(
    (box) =>
      new Promise<void>((resolve) => {
        let frames = 0;
        let before = '';
        const checkFrame = () => {
          const now = `${box.scrollTop} ${box.scrollHeight}`;
          frames = now === before ? frames + 1 : 0;
          before = now;
          if (frames > 20) resolve();
          else requestAnimationFrame(checkFrame);
        };
        checkFrame();
      }),
  );
}

/** Returns the top of a message's text; the day heading above it may come and go. */
const getTextTop = async (message: Locator) =>
  (await message.getByText(/^Line \d+\./).boundingBox())?.y ?? Number.NaN;

/** Returns the number of the first message whose beginning is visible. */
async function getFirstVisible(page: Page): Promise<number> {
  return getScroller(page).evaluate((box) => {
    const edge = box.getBoundingClientRect().top;
    for (const item of box.querySelectorAll('[data-message]')) {
      if (item.getBoundingClientRect().top >= edge)
        return Number(/Line (\d+)\./.exec(item.textContent ?? '')?.[1]);
    }
    return Number.NaN;
  });
}

/** Records layout shifts that neither input nor a change of the window's size caused. */
async function watchUnexpectedShifts(page: Page): Promise<() => Promise<number[]>> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((entries) => {
      for (const shift of entries.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[])
        if (!shift.hadRecentInput) shifts.push(shift.value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
}

async function scrollUntil(page: Page, step: number, isReached: () => Promise<boolean>) {
  await getScroller(page).hover();
  await expect(async () => {
    await page.mouse.wheel(0, step);
    expect(await isReached()).toBe(true);
  }).toPass({ intervals: [30] });
}

/** Holds the next request for earlier messages until `release` is called. */
async function holdEarlier(page: Page): Promise<{ isRequested: () => boolean; release: () => void }> {
  let isRequested = false;
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(
    '**/api/conversations/*?*before=*',
    async (route) => {
      isRequested = true;
      await released;
      await route.continue();
    },
    { times: 1 },
  );
  return { isRequested: () => isRequested, release };
}

test('a long conversation opens at its end, and loading earlier messages does not move the visible ones', async ({
  page,
}) => {
  const { address } = await importLongConversation(page);
  await open(page, address);
  await expect(getLine(page, LENGTH)).toBeInViewport();
  await expect(page.getByRole('button', { name: t('chat:toLatest') })).toBeHidden();
  expect(await violations(page)).toEqual([]);

  for (let fetched = 0; fetched < 2; fetched += 1) {
    const earlier = await holdEarlier(page);
    await scrollUntil(page, -400, async () => earlier.isRequested());
    await waitUntilStill(page);
    const reading = await getFirstVisible(page);
    const [before, height] = [
      await getTextTop(getLine(page, reading)),
      await getScroller(page).evaluate((box) => box.scrollHeight),
    ];
    earlier.release();
    await expect
      .poll(() => getScroller(page).evaluate((box) => box.scrollHeight))
      .toBeGreaterThan(height + 1000);
    await waitUntilStill(page);
    expect(Math.abs((await getTextTop(getLine(page, reading))) - before)).toBeLessThan(STILL_PX);
  }
  const items = getList(page).getByRole('listitem');
  expect(await items.count()).toBeLessThan(80);
  const reading = getLine(page, await getFirstVisible(page));
  await expect(reading).toHaveAttribute('aria-setsize', String(LENGTH));
  await expect(reading).toHaveAttribute('aria-posinset', String(await getFirstVisible(page)));
  expect(await violations(page)).toEqual([]);

  await expect(async () => {
    await getScroller(page).press('Home');
    await expect(getLine(page, 1)).toBeInViewport({ timeout: 500 });
  }).toPass();
  await expect(page.getByRole('button', { name: t('chat:showEarlier') })).toHaveCount(0);
  await page.getByRole('button', { name: t('chat:toLatest') }).click();
  await expect(getLine(page, LENGTH)).toBeInViewport();
});

test('loading earlier messages does not move visible ones when the oldest one loses its day heading @all', async ({
  page,
}) => {
  const { address } = await importLongConversation(page);
  await open(page, address);
  const earlier = await holdEarlier(page);
  await scrollUntil(page, -400, async () => earlier.isRequested());
  await waitUntilStill(page);
  const oldest = getList(page).locator('[data-message]').first();
  await expect(oldest.locator('time').first()).not.toHaveText(/:/);
  const number = Number(/Line (\d+)\./.exec((await oldest.textContent()) ?? '')?.[1]);
  await getScroller(page).evaluate((box) => {
    const foot = box.querySelector('[data-message] .story')?.nextElementSibling;
    box.scrollTop += (foot?.getBoundingClientRect().top ?? Number.NaN) - box.getBoundingClientRect().top + 8;
  });
  await waitUntilStill(page);
  const next = getLine(page, number + 1);
  const [before, height] = [
    await getTextTop(next),
    await getScroller(page).evaluate((box) => box.scrollHeight),
  ];
  earlier.release();
  await expect
    .poll(() => getScroller(page).evaluate((box) => box.scrollHeight))
    .toBeGreaterThan(height + 1000);
  await waitUntilStill(page);
  expect(Math.abs((await getTextTop(next)) - before)).toBeLessThan(STILL_PX);
});

test('visible messages do not move when content above them grows @all', async ({ page }) => {
  const { address } = await importLongConversation(page);
  await open(page, address);
  await scrollUntil(page, -300, async () => (await getFirstVisible(page)) < LENGTH - 12);
  await waitUntilStill(page);
  const reading = await getFirstVisible(page);
  const before = await getTextTop(getLine(page, reading));
  // Grow the messages above, as a picture, a font or a note would.
  await getLine(page, reading - 3).evaluate((item) =>
    item.insertAdjacentHTML('beforeend', '<textarea></textarea>'),
  );
  await getLine(page, reading - 2).evaluate((item) => {
    item.style.paddingBottom = '133px';
  });
  await waitUntilStill(page);
  expect(Math.abs((await getTextTop(getLine(page, reading))) - before)).toBeLessThan(STILL_PX);
});

test('a link opens an early message, later ones load below, and one button leads to the newest @all', async ({
  page,
}) => {
  const { address, conversation } = await importLongConversation(page);
  let id = '';
  for (let cursor = ''; id === '';) {
    const answer = await page.request.get(
      `/api/conversations/${conversation}?limit=100${cursor && `&before=${cursor}`}`,
    );
    const { messages, next_cursor } = (await answer.json()) as {
      messages: { id: string; content: string }[];
      next_cursor: string;
    };
    id = messages.find(({ content }) => content.startsWith(getLinePrefix(240)))?.id ?? '';
    cursor = next_cursor;
  }
  await open(page, `${address}&message=${id}`);
  await expect(getLine(page, 240)).toBeFocused();
  const [scrollerBox, box] = [await getScroller(page).boundingBox(), await getLine(page, 240).boundingBox()];
  if (!scrollerBox || !box) throw new Error('Nothing to see');
  expect(Math.abs(box.y + box.height / 2 - (scrollerBox.y + scrollerBox.height / 2))).toBeLessThan(2);
  expect(await violations(page)).toEqual([]);

  const later = page.waitForResponse((answer) => answer.url().includes('after='));
  await scrollUntil(page, 400, async () => (await getLine(page, 290).count()) > 0);
  await later;
  await scrollUntil(page, 400, async () => (await getFirstVisible(page)) >= 290);
  await page.getByRole('button', { name: t('chat:toLatest') }).click();
  await expect(getLine(page, LENGTH)).toBeInViewport();
  await expect(page.getByRole('button', { name: t('chat:toLatest') })).toBeHidden();
});

test('the last message stays above the composer when a phone’s keyboard opens, and the page does not jump @all', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { address } = await importLongConversation(page);
  const shifts = await watchUnexpectedShifts(page);
  await open(page, address);
  await expect(getLine(page, LENGTH)).toBeInViewport();
  await waitUntilStill(page);
  const shiftsBefore = (await shifts()).length;
  const box = page.getByRole('textbox', { name: new RegExp(t('chat:composerLabel', { name: '.+' })) });
  await box.click();
  await page.setViewportSize({ width: 390, height: 500 });
  await waitUntilStill(page);
  const lastLine = await getLine(page, LENGTH).boundingBox();
  const edge = await getScroller(page).boundingBox();
  if (!lastLine || !edge) throw new Error('Nothing to see');
  expect(lastLine.y + lastLine.height).toBeLessThanOrEqual(edge.y + edge.height);
  expect(lastLine.y).toBeGreaterThanOrEqual(edge.y);
  await expect(box).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => [scrollX, scrollY])).toEqual([0, 0]);
  await box.pressSequentially('a\nb\nc\nd'.replaceAll('\n', ' and then something longer, '));
  expect(await page.evaluate(() => [scrollX, scrollY])).toEqual([0, 0]);
  await page.setViewportSize({ width: 390, height: 844 });
  await waitUntilStill(page);
  await expect(getLine(page, LENGTH)).toBeInViewport();
  expect((await shifts()).slice(shiftsBefore)).toEqual([]);
});

test('a growing reply keeps the list at its end, unless the user has scrolled up', async ({ page }) => {
  const { address } = await importLongConversation(page);
  await open(page, address);
  const key = randomUUID();
  const box = page.getByRole('textbox', { name: new RegExp(t('chat:composerLabel', { name: '.+' })) });
  await box.fill(`Tell me everything [[scenario:gate n=400 key=${key}]]`);
  await box.press('Enter');
  await model('reached', key);
  const reply = getList(page).getByRole('listitem').last();
  await expect(reply).toContainText('w399');
  await expect
    .poll(() => getScroller(page).evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight))
    .toBeLessThan(2);
  await scrollUntil(page, -300, async () => (await getFirstVisible(page)) < LENGTH - 3);
  await waitUntilStill(page);
  const reading = await getFirstVisible(page);
  const before = await getTextTop(getLine(page, reading));
  await model('open', key);
  await expect(reply).toContainText('w799');
  await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
  expect(Math.abs((await getTextTop(getLine(page, reading))) - before)).toBeLessThan(STILL_PX);
  await expect(page.getByRole('button', { name: t('chat:toLatest') })).toBeVisible();
});

test('typing rerenders no message, and a growing reply rerenders only itself @all', async ({ page }) => {
  const { address } = await importLongConversation(page);
  await open(page, address);
  const key = randomUUID();
  const box = page.getByRole('textbox', { name: new RegExp(t('chat:composerLabel', { name: '.+' })) });
  await box.fill(`Go on [[scenario:gate n=50 key=${key}]]`);
  await box.press('Enter');
  await model('reached', key);
  const reply = getList(page).getByRole('listitem').last();
  await expect(reply).toContainText('w49');
  await waitUntilStill(page);
  await getList(page).evaluate((ol) => {
    const touched = new Set<string>();
    Object.assign(window, { touched });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        // Only the text counts, because the actions of all messages change when a reply ends.
        const text = (target instanceof Element ? target : target.parentElement)?.closest('.story');
        if (text) touched.add(ol.lastElementChild?.contains(text) ? 'the reply' : 'another');
      }
    }).observe(ol, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  const touched = () => page.evaluate(() => [...(window as unknown as { touched: Set<string> }).touched]);
  await box.pressSequentially('And then what happened, I ask her.');
  expect(await touched()).toEqual([]);
  await model('open', key);
  await expect(reply).toContainText('w99');
  expect(await touched()).toEqual(['the reply']);
});

test('arrow keys move through messages beyond those rendered at first @all', async ({ page }) => {
  const { address } = await importLongConversation(page);
  await open(page, address);
  await expect(getLine(page, LENGTH)).toBeInViewport();
  const newest = getLine(page, LENGTH).getByRole('button', { name: t('chat:copy') });
  await newest.focus();
  for (let up = 1; up <= 45; up += 1) {
    await page.keyboard.press('ArrowUp');
    await expect(getLine(page, LENGTH - up).locator(':focus')).toBeInViewport();
  }
  // The focused message stays rendered while the user scrolls away, and the keys continue from it.
  await scrollUntil(page, 1000, async () => (await getFirstVisible(page)) > LENGTH - 3);
  await expect(getLine(page, LENGTH)).toBeInViewport();
  await page.keyboard.press('ArrowUp');
  await expect(getLine(page, LENGTH - 46).locator(':focus')).toBeInViewport();
});

test('a marker shows where the model’s verbatim context begins and opens the memory @all', async ({
  page,
}) => {
  const { address, conversation } = await importLongConversation(page);
  const sent = await page.request.post(`/api/conversations/${conversation}/messages`, {
    data: { content: 'Go on [[scenario:tokens n=3 ms=1]]', client_message_id: randomUUID() },
  });
  expect(sent.status()).toBe(200);
  const answer = await page.request.get(`/api/conversations/${conversation}`);
  const { context_start_id: first } = (
    (await answer.json()) as { conversation: { context_start_id: string } }
  ).conversation;
  await open(page, `${address}&message=${first}`);
  const mark = getList(page)
    .getByRole('listitem')
    .filter({ hasText: t('chat:contextMarkText') });
  await expect(mark).toBeInViewport();
  const [markBox, messageBox] = [
    await mark.boundingBox(),
    await getList(page).locator(':focus').boundingBox(),
  ];
  expect((markBox?.y ?? 0) + (markBox?.height ?? 0)).toBeCloseTo(messageBox?.y ?? Number.NaN, 0);
  expect(await violations(page)).toEqual([]);
  await mark.getByRole('button', { name: t('chat:contextMarkMemory') }).click();
  await expect(page.getByRole('dialog', { name: t('chat:memoryTitle') })).toBeVisible();
});

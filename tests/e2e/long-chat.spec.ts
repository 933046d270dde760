import type { Locator, Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { buildChatHref } from '../../src/features/conversation/conversation-link.ts';
import { getLinePrefix, buildLongConversation } from '../support/long-conversation.ts';
import { awake, expect, model, SOMEBODY, test } from './journey.ts';
import { violations } from './violations.ts';

const LENGTH = 600;
/** What must not move may be drawn on another part of a pixel. */
const STILL_PX = 0.75;

/** A guest with a conversation of 600 messages, brought in from a file. */
async function longChat(page: Page) {
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

const list = (page: Page) => page.getByRole('list', { name: 'Messages' });
const scroller = (page: Page) => page.getByRole('region', { name: 'Messages' });
const line = (page: Page, number: number) =>
  list(page)
    .getByRole('listitem')
    .filter({ hasText: getLinePrefix(number) });

async function open(page: Page, address: string) {
  await page.goto(address);
  await awake(page);
  await expect(list(page)).toBeVisible();
}

/** Resolves when the list has stood still for some pictures. */
async function still(page: Page): Promise<void> {
  await scroller(page).evaluate(
    (box) =>
      new Promise<void>((resolve) => {
        let frames = 0;
        let before = '';
        const look = () => {
          const now = `${box.scrollTop} ${box.scrollHeight}`;
          frames = now === before ? frames + 1 : 0;
          before = now;
          if (frames > 20) resolve();
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

/** Where the text of a message begins; a day's name above it may come and go. */
const top = async (message: Locator) =>
  (await message.getByText(/^Line \d+\./).boundingBox())?.y ?? Number.NaN;

/** The message whose beginning is seen first, and its number. */
async function firstSeen(page: Page): Promise<number> {
  return scroller(page).evaluate((box) => {
    const edge = box.getBoundingClientRect().top;
    for (const item of box.querySelectorAll('[data-message]')) {
      if (item.getBoundingClientRect().top >= edge)
        return Number(/Line (\d+)\./.exec(item.textContent ?? '')?.[1]);
    }
    return Number.NaN;
  });
}

/** Collects what moves without anybody's doing: neither by hand nor because the window has another size. */
async function watchUnaskedShifts(page: Page): Promise<() => Promise<number[]>> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((seen) => {
      for (const shift of seen.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[])
        if (!shift.hadRecentInput) shifts.push(shift.value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
}

async function scrollUntil(page: Page, step: number, there: () => Promise<boolean>) {
  await scroller(page).hover();
  await expect(async () => {
    await page.mouse.wheel(0, step);
    expect(await there()).toBe(true);
  }).toPass({ intervals: [30] });
}

/** Has the next page of earlier messages wait until it is released. */
async function holdEarlier(page: Page): Promise<{ asked: () => boolean; release: () => void }> {
  let asked = false;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(
    '**/api/conversations/*?*before=*',
    async (route) => {
      asked = true;
      await held;
      await route.continue();
    },
    { times: 1 },
  );
  return { asked: () => asked, release };
}

test('a long conversation opens at its end, and what I read stays where it is while earlier messages come in', async ({
  page,
}) => {
  const { address } = await longChat(page);
  await open(page, address);
  await expect(line(page, LENGTH)).toBeInViewport();
  await expect(page.getByRole('button', { name: 'To the newest' })).toBeHidden();
  expect(await violations(page)).toEqual([]);

  for (let fetched = 0; fetched < 2; fetched += 1) {
    const earlier = await holdEarlier(page);
    await scrollUntil(page, -400, async () => earlier.asked());
    await still(page);
    const reading = await firstSeen(page);
    const [before, height] = [
      await top(line(page, reading)),
      await scroller(page).evaluate((box) => box.scrollHeight),
    ];
    earlier.release();
    await expect
      .poll(() => scroller(page).evaluate((box) => box.scrollHeight))
      .toBeGreaterThan(height + 1000);
    await still(page);
    expect(Math.abs((await top(line(page, reading))) - before)).toBeLessThan(STILL_PX);
  }
  const items = list(page).getByRole('listitem');
  expect(await items.count()).toBeLessThan(80);
  const reading = line(page, await firstSeen(page));
  await expect(reading).toHaveAttribute('aria-setsize', String(LENGTH));
  await expect(reading).toHaveAttribute('aria-posinset', String(await firstSeen(page)));
  expect(await violations(page)).toEqual([]);

  await expect(async () => {
    await scroller(page).press('Home');
    await expect(line(page, 1)).toBeInViewport({ timeout: 500 });
  }).toPass();
  await expect(page.getByRole('button', { name: 'Show earlier messages' })).toHaveCount(0);
  await page.getByRole('button', { name: 'To the newest' }).click();
  await expect(line(page, LENGTH)).toBeInViewport();
});

test('what I read stays where it is also when the oldest message loses the name of its day and only its foot is in sight', async ({
  page,
}) => {
  const { address } = await longChat(page);
  await open(page, address);
  const earlier = await holdEarlier(page);
  await scrollUntil(page, -400, async () => earlier.asked());
  await still(page);
  const oldest = list(page).locator('[data-message]').first();
  await expect(oldest.locator('time').first()).not.toHaveText(/:/);
  const number = Number(/Line (\d+)\./.exec((await oldest.textContent()) ?? '')?.[1]);
  await scroller(page).evaluate((box) => {
    const foot = box.querySelector('[data-message] .story')?.nextElementSibling;
    box.scrollTop += (foot?.getBoundingClientRect().top ?? Number.NaN) - box.getBoundingClientRect().top + 8;
  });
  await still(page);
  const next = line(page, number + 1);
  const [before, height] = [await top(next), await scroller(page).evaluate((box) => box.scrollHeight)];
  earlier.release();
  await expect.poll(() => scroller(page).evaluate((box) => box.scrollHeight)).toBeGreaterThan(height + 1000);
  await still(page);
  expect(Math.abs((await top(next)) - before)).toBeLessThan(STILL_PX);
});

test('what I read does not move by a pixel while I read, whatever grows above it', async ({ page }) => {
  const { address } = await longChat(page);
  await open(page, address);
  await scrollUntil(page, -300, async () => (await firstSeen(page)) < LENGTH - 12);
  await still(page);
  const reading = await firstSeen(page);
  const before = await top(line(page, reading));
  // As a picture, a typeface or a note above would.
  await line(page, reading - 3).evaluate((item) =>
    item.insertAdjacentHTML('beforeend', '<textarea></textarea>'),
  );
  await line(page, reading - 2).evaluate((item) => {
    item.style.paddingBottom = '133px';
  });
  await still(page);
  expect(Math.abs((await top(line(page, reading))) - before)).toBeLessThan(STILL_PX);
});

test('a link leads to a message far up, later ones come in below, and the newest is one step away', async ({
  page,
}) => {
  const { address, conversation } = await longChat(page);
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
  await expect(line(page, 240)).toBeFocused();
  const [room, box] = [await scroller(page).boundingBox(), await line(page, 240).boundingBox()];
  if (!room || !box) throw new Error('Nothing to see');
  expect(Math.abs(box.y + box.height / 2 - (room.y + room.height / 2))).toBeLessThan(2);
  expect(await violations(page)).toEqual([]);

  const later = page.waitForResponse((answer) => answer.url().includes('after='));
  await scrollUntil(page, 400, async () => (await line(page, 290).count()) > 0);
  await later;
  await scrollUntil(page, 400, async () => (await firstSeen(page)) >= 290);
  await page.getByRole('button', { name: 'To the newest' }).click();
  await expect(line(page, LENGTH)).toBeInViewport();
  await expect(page.getByRole('button', { name: 'To the newest' })).toBeHidden();
});

test('the last line stays above the box when the keyboard of a phone opens, and the page does not jump', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { address } = await longChat(page);
  const shifts = await watchUnaskedShifts(page);
  await open(page, address);
  await expect(line(page, LENGTH)).toBeInViewport();
  await still(page);
  const shiftsBefore = (await shifts()).length;
  const box = page.getByRole('textbox', { name: /^Message to/ });
  await box.click();
  await page.setViewportSize({ width: 390, height: 500 });
  await still(page);
  const lastLine = await line(page, LENGTH).boundingBox();
  const edge = await scroller(page).boundingBox();
  if (!lastLine || !edge) throw new Error('Nothing to see');
  expect(lastLine.y + lastLine.height).toBeLessThanOrEqual(edge.y + edge.height);
  expect(lastLine.y).toBeGreaterThanOrEqual(edge.y);
  await expect(box).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => [scrollX, scrollY])).toEqual([0, 0]);
  await box.pressSequentially('a\nb\nc\nd'.replaceAll('\n', ' and then something longer, '));
  expect(await page.evaluate(() => [scrollX, scrollY])).toEqual([0, 0]);
  await page.setViewportSize({ width: 390, height: 844 });
  await still(page);
  await expect(line(page, LENGTH)).toBeInViewport();
  expect((await shifts()).slice(shiftsBefore)).toEqual([]);
});

test('a reply that grows follows me at the end, and leaves me alone once I scrolled up', async ({ page }) => {
  const { address } = await longChat(page);
  await open(page, address);
  const key = randomUUID();
  const box = page.getByRole('textbox', { name: /^Message to/ });
  await box.fill(`Tell me everything [[scenario:gate n=400 key=${key}]]`);
  await box.press('Enter');
  await model('reached', key);
  const reply = list(page).getByRole('listitem').last();
  await expect(reply).toContainText('w399');
  await expect
    .poll(() => scroller(page).evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight))
    .toBeLessThan(2);
  await scrollUntil(page, -300, async () => (await firstSeen(page)) < LENGTH - 3);
  await still(page);
  const reading = await firstSeen(page);
  const before = await top(line(page, reading));
  await model('open', key);
  await expect(reply).toContainText('w799');
  await expect(page.getByRole('button', { name: 'Stop the reply' })).toBeHidden();
  expect(Math.abs((await top(line(page, reading))) - before)).toBeLessThan(STILL_PX);
  await expect(page.getByRole('button', { name: 'To the newest' })).toBeVisible();
});

test('typing draws no message anew, and a reply that grows only itself', async ({ page }) => {
  const { address } = await longChat(page);
  await open(page, address);
  const key = randomUUID();
  const box = page.getByRole('textbox', { name: /^Message to/ });
  await box.fill(`Go on [[scenario:gate n=50 key=${key}]]`);
  await box.press('Enter');
  await model('reached', key);
  const reply = list(page).getByRole('listitem').last();
  await expect(reply).toContainText('w49');
  await still(page);
  await list(page).evaluate((ol) => {
    const touched = new Set<string>();
    Object.assign(window, { touched });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        // What can be done with messages changes for all of them when a reply ends.
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

test('keys lead from message to message past those that stand in the page', async ({ page }) => {
  const { address } = await longChat(page);
  await open(page, address);
  await expect(line(page, LENGTH)).toBeInViewport();
  const newest = line(page, LENGTH).getByRole('button', { name: 'Copy' });
  await newest.focus();
  for (let up = 1; up <= 45; up += 1) {
    await page.keyboard.press('ArrowUp');
    await expect(line(page, LENGTH - up).locator(':focus')).toBeInViewport();
  }
  // The one that has the focus stays, wherever one reads, and the keys go on from there.
  await scrollUntil(page, 1000, async () => (await firstSeen(page)) > LENGTH - 3);
  await expect(line(page, LENGTH)).toBeInViewport();
  await page.keyboard.press('ArrowUp');
  await expect(line(page, LENGTH - 46).locator(':focus')).toBeInViewport();
});

test('a mark stands where the model begins to read word for word, and leads to what it remembers', async ({
  page,
}) => {
  const { address, conversation } = await longChat(page);
  const said = await page.request.post(`/api/conversations/${conversation}/messages`, {
    data: { content: 'Go on [[scenario:tokens n=3 ms=1]]', client_message_id: randomUUID() },
  });
  expect(said.status()).toBe(200);
  const answer = await page.request.get(`/api/conversations/${conversation}`);
  const { context_start_id: first } = (
    (await answer.json()) as { conversation: { context_start_id: string } }
  ).conversation;
  await open(page, `${address}&message=${first}`);
  const mark = list(page)
    .getByRole('listitem')
    .filter({ hasText: 'From here on the model reads word for word' });
  await expect(mark).toBeInViewport();
  const [above, below] = [await mark.boundingBox(), await list(page).locator(':focus').boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeCloseTo(below?.y ?? Number.NaN, 0);
  expect(await violations(page)).toEqual([]);
  await mark.getByRole('button', { name: 'Open the memory' }).click();
  await expect(page.getByRole('dialog', { name: 'Memory' })).toBeVisible();
});

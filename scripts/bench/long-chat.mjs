// What the length of a conversation costs its reader: opening, typing, and scrolling up through 5,000 messages, in Chromium
// with a slowed processor. A conversation of ten messages is the floor.
import { chromium } from '@playwright/test';
import { join } from 'node:path';
import { getLinePrefix } from '../../tests/support/long-conversation.ts';
import { CHROMIUM_ARGS, findChromium } from '../lib/chromium.mjs';
import { startWorker } from '../lib/local-server.mjs';
import { endGroup, freePort } from '../lib/process.mjs';
import { formatNumber, formatRatio, formatTable, median, percentile } from './figures.mjs';
import { createUsers } from './users.mjs';

const CPU_SLOWDOWN = 4;
const VIEWPORT = { width: 390, height: 844 };
/** Fast typing: 150 words a minute. */
const KEY_MS = 80;
/** About 6,000 pixels a second. */
const WHEEL_PX = 300;
const WHEEL_MS = 50;
/** Long enough for a slowed page on a busy machine. */
const TIMEOUT_MS = 120_000;
const SIZE = { lengths: [10, 5000], openings: 7, keys: 200, scrollMessages: 1000 };
const QUICK_SIZE = { lengths: [10, 200], openings: 1, keys: 40, scrollMessages: 100 };

/** Runs in the page before its own scripts. Records when the newest message is painted, and the time from key to paint. */
function watch() {
  const seen = { painted: null, keys: [], frames: [], empty: 0, first: null, isScrolling: false };
  Object.assign(globalThis, { seen });
  // A task that a frame queues runs after that frame is painted.
  const afterPaint = (run) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => run(performance.now()));
      port1.start();
      port2.postMessage(null);
    });
  const newest = sessionStorage.getItem('newest');
  const look = () => {
    const messages = [...document.querySelectorAll('[data-message]')];
    const message = messages.find(({ textContent }) => textContent.includes(newest));
    const { top = 0, bottom = 0 } = message?.getBoundingClientRect() ?? {};
    if (bottom > 0 && top < innerHeight) afterPaint((now) => (seen.painted = now));
    else requestAnimationFrame(look);
  };
  if (newest !== null) look();
  addEventListener('keydown', ({ timeStamp }) => afterPaint((now) => seen.keys.push(now - timeStamp)), true);
}

/** Runs in the page. Records every frame until `isScrolling` is false, and those that show an empty place. */
function watchScroll() {
  const { seen } = globalThis;
  const list = document.querySelector('[role="region"][tabindex]');
  const { left, top, width, height } = list.getBoundingClientRect();
  const tick = (now) => {
    seen.frames.push(now);
    const places = [0.2, 0.5, 0.8].map((share) =>
      document.elementFromPoint(left + width / 2, top + height * share),
    );
    if (places.some((place) => place?.closest('[data-gap]'))) seen.empty += 1;
    const messages = [...list.querySelectorAll('[data-message]')];
    const first = messages.find((item) => item.getBoundingClientRect().bottom > top);
    seen.first = Number(/Line (\d+)\./.exec(first?.textContent ?? '')?.[1]);
    if (seen.isScrolling) requestAnimationFrame(tick);
  };
  seen.isScrolling = true;
  requestAnimationFrame(tick);
}

/** Opens the conversation. @returns ms from navigation until its messages have arrived and the newest is painted */
async function openChat(page, address) {
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(() => globalThis.seen?.painted !== null);
  await page.waitForFunction(() => !document.querySelector('astro-island[ssr]:not([client="ask"])'));
  return page.evaluate(() => {
    // The page's HTML has the newest messages.
    const [navigation] = performance.getEntriesByType('navigation');
    return { answered: navigation.responseEnd, painted: globalThis.seen.painted };
  });
}

const findBox = (page) => page.getByRole('textbox', { name: /^Message to/ });

/** @returns for each key the ms until it is painted */
async function typeKeys(page, keys) {
  await findBox(page).click();
  await page.evaluate(() => (globalThis.seen.keys = []));
  await page.keyboard.type('and then the rain came over the wall '.repeat(keys).slice(0, keys), {
    delay: KEY_MS,
  });
  await page.waitForFunction((keys) => globalThis.seen.keys.length >= keys, keys);
  await findBox(page).fill('');
  return page.evaluate(() => globalThis.seen.keys);
}

async function typeDuringReply(page, keys) {
  await findBox(page).fill(`Go on [[scenario:tokens n=${Math.ceil((keys * KEY_MS * 4) / 25)} ms=25]]`);
  await findBox(page).press('Enter');
  await page.getByText('w20').first().waitFor();
  const times = await typeKeys(page, keys);
  const stop = page.getByRole('button', { name: 'Stop the reply' });
  if (!(await stop.isVisible())) throw new Error('The reply ended before the typing did.');
  await stop.click();
  await stop.waitFor({ state: 'hidden' });
  return times;
}

/**
 * Turns the wheel until a message is reached.
 * @returns the 95th percentile of the ms between frames, and how many frames had an empty place
 */
async function scrollUp(page, until) {
  await page.mouse.move(VIEWPORT.width / 2, 300);
  await page.evaluate(watchScroll);
  for (let first = Infinity; !(first <= until); first = await page.evaluate(() => globalThis.seen.first))
    for (let turn = 0; turn < 10; turn += 1) {
      await page.mouse.wheel(0, -WHEEL_PX);
      await page.waitForTimeout(WHEEL_MS);
    }
  const { frames, empty } = await page.evaluate(() => Object.assign(globalThis.seen, { isScrolling: false }));
  const gaps = frames.slice(1).map((time, index) => time - frames[index]);
  return { p95: percentile(gaps, 0.95), empty };
}

async function measureSize(page, devtools) {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const bytes = metrics.find(({ name }) => name === 'JSHeapUsedSize').value;
  return { elements: await page.locator('*').count(), memoryMb: bytes / 1e6 };
}

async function measureLength(browser, { origin, characterId, length, openings, keys, scrollMessages }) {
  const [{ cookie, conversationId }] = await createUsers({ origin }, 1, length, characterId);
  const context = await browser.newContext({ baseURL: origin, viewport: VIEWPORT });
  const cookies = cookie.split('; ').map((one) => one.split(/=(.*)/s, 2));
  await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: origin })));
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.addInitScript(watch);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable');
  const address = `/character/${characterId}?conversation_id=${conversationId}`;
  await page.goto(address);
  await page.evaluate((newest) => sessionStorage.setItem('newest', newest), getLinePrefix(length));
  await openChat(page, address);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const opened = [];
  for (let opening = 0; opening < openings; opening += 1) opened.push(await openChat(page, address));
  const size = await measureSize(page, devtools);
  const typed = await typeKeys(page, keys);
  const scrolled = length > scrollMessages ? await scrollUp(page, length - scrollMessages) : null;
  const later = scrolled && (await measureSize(page, devtools));
  // The messages that scrolling loaded are still in the page.
  if (scrolled !== null) await page.getByRole('button', { name: 'To the newest' }).click();
  const streamed = await typeDuringReply(page, keys);
  await context.close();
  const [answered, painted] = ['answered', 'painted'].map((key) => opened.map((times) => times[key]));
  return { answered, painted, typed, streamed, scrolled, size, later };
}

/** @param {import('./run.mjs').Bench} bench */
export async function measureLongChat({ outDir, model, quick, say, createFolder, onClose }) {
  const { lengths, ...size } = quick ? QUICK_SIZE : SIZE;
  const folder = createFolder();
  const { child, url: origin } = await startWorker({
    ...{ outDir, stateDir: join(folder, 'state'), logFile: join(folder, 'log'), port: await freePort() },
    ...{ direct: true, variables: { MODEL_ROLEPLAY_BASE_URL: model.url } },
  });
  onClose(() => endGroup(child));
  const browser = await chromium.launch({ executablePath: await findChromium(say), args: CHROMIUM_ARGS });
  onClose(() => browser.close());
  const { items } = await (await fetch(`${origin}/api/characters?limit=1`)).json();
  const results = [];
  for (const length of lengths) {
    say(`  ${length} messages …`);
    results.push(await measureLength(browser, { origin, characterId: items[0].id, length, ...size }));
  }
  const row = (name, read) => {
    const [short, long] = results.map((result) => read(result) ?? Number.NaN);
    return [name, short, long, formatRatio(long, short)];
  };
  return [
    `Chromium ${browser.version()}, its processor slowed ${CPU_SLOWDOWN} times, ${VIEWPORT.width} × ${VIEWPORT.height}; ${size.openings} openings, ${size.keys} keys, and ${size.scrollMessages} messages scrolled up at some ${formatNumber((WHEEL_PX * 1000) / WHEEL_MS)} pixels a second.`,
    formatTable(` | ${lengths.map((length) => `${formatNumber(length)} messages`).join(' | ')} | ratio`, [
      row('navigation until the messages are there, median, ms', ({ answered }) => median(answered)),
      row('… until the newest is painted, median, ms', ({ painted }) => median(painted)),
      row('… worst, ms', ({ painted }) => Math.max(...painted)),
      row('key to paint, median, ms', ({ typed }) => median(typed)),
      row('key to paint, 95 %, ms', ({ typed }) => percentile(typed, 0.95)),
      row('key to paint while a reply comes in, median, ms', ({ streamed }) => median(streamed)),
      row('… 95 %, ms', ({ streamed }) => percentile(streamed, 0.95)),
      row('elements in the page when it opened', ({ size }) => size.elements),
      row('memory of its script when it opened, MB', ({ size }) => size.memoryMb),
      row('… after scrolling up, MB', ({ later }) => later?.memoryMb),
      row('time between frames while scrolling, 95 %, ms', ({ scrolled }) => scrolled?.p95),
      row('frames with an empty place', ({ scrolled }) => scrolled?.empty),
    ]),
  ].join('\n\n');
}

// What a reader waits for on a phone and on a desktop: from page to page, and until a chat's text can be read on slow
// networks, in Chromium behind what the edge does (compression, and files from its cache).
import { chromium } from '@playwright/test';
import { join } from 'node:path';
import { startEdge } from '../../tests/support/edge.mjs';
import { CHROMIUM_ARGS, findChromium } from '../lib/chromium.mjs';
import { startWorker } from '../lib/local-server.mjs';
import { endGroup, freePort } from '../lib/process.mjs';
import { formatTable, judgeAim, median } from './figures.mjs';
import { createUsers } from './users.mjs';

const CPU_SLOWDOWN = 4;
const TIMEOUT_MS = 60_000;
/** Messages of the conversation: more than the page's HTML has. */
const MESSAGES = 40;
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1440, height: 900 } };
/** Bytes a second, and ms of each request, as Chrome's developer tools and Lighthouse have them. */
const toNetwork = (kilobits, latency) => ({
  offline: false,
  latency,
  downloadThroughput: (kilobits * 1000) / 8,
  uploadThroughput: (Math.min(kilobits, 750) * 1000) / 8,
});
const SLOW_4G = toNetwork(1600, 150);
const SLOW_3G = toNetwork(400, 400);
/** The longest time until the text of a chat can be read, in ms. */
const READABLE = [
  { name: 'slow 4G', network: SLOW_4G, limit: 1200 },
  { name: 'slow 3G', network: SLOW_3G, limit: 3000 },
];
/** The longest time from a press until the next page is there, in ms, and that of a chat. */
const DEVICES = [
  { name: 'desktop', device: DESKTOP, network: null, slowdown: 1, limit: 500 },
  { name: 'phone', device: PHONE, network: SLOW_4G, slowdown: CPU_SLOWDOWN, limit: 1000 },
];
const MAX_CHAT_MS = 1500;

/** Runs in the page. Whether it is a page at this path, and a message's text is in view. */
const isTextShown = (path) =>
  location.pathname.includes(path) &&
  [...document.querySelectorAll('.story')].some((story) => {
    const { top, bottom } = story.getBoundingClientRect();
    return story.textContent.trim() !== '' && bottom > 0 && top < innerHeight;
  });
/** Runs in the page. Whether it is a page at this path, and a picture of its main part is drawn. */
const isPictureShown = (path) =>
  location.pathname.includes(path) &&
  [...document.querySelectorAll('main img')].some(
    ({ complete, naturalWidth }) => complete && naturalWidth > 0,
  );

/** Waits, across navigations, until a page at a path shows what it is opened for. @returns ms since 1970 */
async function waitForPage(page, path, isShown) {
  const deadline = performance.now() + TIMEOUT_MS;
  for (;;) {
    try {
      await page.waitForFunction(isShown, path, { timeout: TIMEOUT_MS });
      return await page.evaluate(
        () =>
          new Promise((resolve) => {
            requestAnimationFrame(() =>
              setTimeout(() => resolve(performance.timeOrigin + performance.now())),
            );
          }),
      );
    } catch (error) {
      // The old page is gone.
      if (performance.now() > deadline || !/navigation|destroyed/i.test(error.message)) throw error;
    }
  }
}

/** Presses a link. @returns the ms until the next page shows what it is opened for */
async function follow(page, link, path, isShown) {
  const begun = await page.evaluate((selector) => {
    document.querySelector(selector).click();
    return performance.timeOrigin + performance.now();
  }, link);
  const ms = (await waitForPage(page, path, isShown)) - begun;
  await page.waitForLoadState('networkidle');
  return ms;
}

async function openPage(browser, origin, { device, network, slowdown, cookie }) {
  const context = await browser.newContext({ baseURL: origin, serviceWorkers: 'block', ...device });
  const cookies = cookie.split('; ').map((one) => one.split(/=(.*)/s, 2));
  await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: origin })));
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const devtools = await context.newCDPSession(page);
  const slowDown = async () => {
    if (network !== null) {
      await devtools.send('Network.enable');
      await devtools.send('Network.emulateNetworkConditions', network);
    }
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  };
  return { page, slowDown, close: () => context.close() };
}

/** @param {import('./run.mjs').Bench} bench */
export async function measureNavigation({ outDir, model, quick, say, createFolder, onClose }) {
  const rounds = quick ? 1 : 5;
  const folder = createFolder();
  const { child, url } = await startWorker({
    ...{ outDir, stateDir: join(folder, 'state'), logFile: join(folder, 'log'), port: await freePort() },
    ...{ direct: true, variables: { MODEL_ROLEPLAY_BASE_URL: model.url } },
  });
  onClose(() => endGroup(child));
  const edge = await startEdge(url);
  onClose(() => edge.close());
  const origin = edge.url;
  const browser = await chromium.launch({ executablePath: await findChromium(say), args: CHROMIUM_ARGS });
  onClose(() => browser.close());
  const { items } = await (await fetch(`${origin}/api/characters?limit=1`)).json();
  const { id } = items[0];
  const [{ cookie, conversationId }] = await createUsers({ origin }, 1, MESSAGES, id);
  const repeat = async (run) => {
    const times = [];
    // The first one is not counted: the Worker has read nothing yet.
    for (let round = -1; round < rounds; round += 1) {
      const ms = await run();
      if (round >= 0) times.push(ms);
    }
    return times;
  };

  const readable = [];
  for (const { name, network } of READABLE) {
    say(`  a chat on ${name} …`);
    const times = await repeat(async () => {
      const options = { device: PHONE, network, slowdown: CPU_SLOWDOWN, cookie };
      const { page, slowDown, close } = await openPage(browser, origin, options);
      await slowDown();
      await page.goto(`/character/${id}?conversation_id=${conversationId}`, { waitUntil: 'commit' });
      const shown = await waitForPage(page, '/character/', isTextShown);
      const ms = shown - (await page.evaluate(() => performance.timeOrigin));
      await close();
      return ms;
    });
    readable.push(median(times));
  }

  const links = [
    ['home to discover', 'a[href="/en/discover"]', '/en/discover', isPictureShown],
    ['discover to a character', 'a[href*="/character-info/"]', '/character-info/', isPictureShown],
    ['a character to the chat', `a[href^="/character/"]`, '/character/', isTextShown],
  ];
  const navigations = [];
  for (const options of DEVICES) {
    say(`  from page to page on a ${options.name} …`);
    const rows = await repeat(async () => {
      const { page, slowDown, close } = await openPage(browser, origin, { ...options, cookie });
      await page.goto('/en', { waitUntil: 'networkidle' });
      await slowDown();
      const times = [];
      for (const [, link, path, isShown] of links) times.push(await follow(page, link, path, isShown));
      await close();
      return times;
    });
    navigations.push(links.map((_, index) => median(rows.map((times) => times[index]))));
  }

  return [
    `Chromium ${browser.version()}; medians of ${rounds}, in ms. A phone is 390 × 844 with its processor slowed ${CPU_SLOWDOWN} times; slow 4G is 1.6 Mbit/s and 150 ms, slow 3G 400 kbit/s and 400 ms. A page is there when its picture or its text is drawn; nothing is prerendered.`,
    formatTable(
      ' | desktop | phone, slow 4G',
      links.map(([name], index) => [name, ...navigations.map((times) => times[index])]),
    ),
    formatTable('until the text of a chat can be read | ms', [
      ...READABLE.map(({ name }, index) => [name, readable[index]]),
    ]),
    [
      ...READABLE.map(({ name, limit }, index) =>
        judgeAim(`Text on ${name} within ${limit} ms`, readable[index], limit, 'ms'),
      ),
      ...DEVICES.flatMap(({ name, limit }, device) =>
        links.map(([link, , path], index) => {
          const most = path === '/character/' ? MAX_CHAT_MS : limit;
          return judgeAim(
            `From ${link} on a ${name} within ${most} ms`,
            navigations[device][index],
            most,
            'ms',
          );
        }),
      ),
    ].join('\n'),
  ].join('\n\n');
}

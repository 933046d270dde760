// What a long conversation costs the one who reads it: `node scripts/bench/long-chat.mjs`. It brings in two
// conversations as files, of 5,000 messages and of 10, opens both in Chromium on a CPU slowed four times, types into
// them, also while a reply comes in, and scrolls up through the long one. The short one is the floor. A trace of the
// browser lies beside the build. With LORELOOM_URL it measures a server that runs already, on the scripted model.
import { chromium } from '@playwright/test';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelServer } from '../../tests/support/model-server.mjs';
import { getLinePrefix, buildLongConversation } from '../../tests/support/long-conversation.ts';
import { CHROMIUM_ARGS, findChromium } from '../lib/chromium.mjs';
import { startWorker } from '../lib/local-server.mjs';
import { build, install } from '../lib/prepare.mjs';
import { endAll, freePort } from '../lib/process.mjs';

const OUT_DIR = '.wrangler/bench/dist';
const TRACES = '.wrangler/bench/traces';
const LENGTHS = [10, 5000];
const CPU_SLOWDOWN = 4;
const OPENINGS = 7;
const KEYS = 200;
/** As fast as quick hands: 150 words a minute. */
const KEY_MS = 80;
const SCROLL_UP_MESSAGES = 1000;
/** One turn of a wheel, and how often one comes: some 6,000 pixels a second. */
const WHEEL_PX = 300;
const WHEEL_MS = 50;
/** On a machine with other work, slowed four times on top. */
const PATIENCE_MS = 120_000;
const FRAME_MS = 1000 / 60;

const say = (text) => console.log(text);
const at = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
const mid = (all, key) =>
  at(
    all.map((one) => one[key]),
    0.5,
  );
const round = (value) => (value < 10 ? value.toFixed(1) : value.toFixed(0));

/** Runs in the page before anything of it: notes when a message is first painted in sight, and each key's way to paint. */
function watch() {
  const noted = { painted: null, keys: [], longTasks: [], frames: [], blank: 0, wanted: '' };
  Object.assign(globalThis, { noted });
  // A task after the picture's own steps comes when it is on its way to the screen.
  const afterPaint = (run) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => run(performance.now()));
      port1.start();
      port2.postMessage(null);
    });
  const wanted = sessionStorage.getItem('wanted');
  const look = () => {
    for (const item of document.querySelectorAll('[data-message]')) {
      if (!item.textContent.includes(wanted)) continue;
      const { top, bottom } = item.getBoundingClientRect();
      if (bottom > 0 && top < innerHeight)
        return afterPaint((now) => {
          noted.painted = now;
        });
    }
    requestAnimationFrame(look);
  };
  if (wanted) look();
  addEventListener('keydown', ({ timeStamp }) => afterPaint((now) => noted.keys.push(now - timeStamp)), true);
  new PerformanceObserver((seen) => {
    for (const { startTime, duration } of seen.getEntries()) noted.longTasks.push({ startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
}

/** A guest's page on a slow CPU. */
async function slowPage(browser, origin) {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.request.post('/api/auth/anonymous', { headers: { origin } });
  await page.addInitScript(watch);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable');
  const slow = (rate) => devtools.send('Emulation.setCPUThrottlingRate', { rate });
  return { page, devtools, slow };
}

async function bringIn({ page }, characterId, length, origin) {
  const answer = await page.request.post('/api/conversations/import', {
    headers: { origin },
    multipart: {
      character_id: characterId,
      file: {
        name: 'story.jsonl',
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from(buildLongConversation(length)),
      },
    },
  });
  if (!answer.ok()) throw new Error(`${answer.status()}: ${await answer.text()}`);
  const { conversation } = await answer.json();
  return `/character/${characterId}?conversation_id=${conversation.id}`;
}

/**
 * Opens the conversation and waits for its newest message.
 * @returns milliseconds from navigation: when its messages were asked for, when they were there, when they were painted
 */
async function open({ page }, address, length) {
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(() => globalThis.noted?.painted !== null);
  await page.getByText(getLinePrefix(length)).waitFor();
  await page.waitForFunction(() => !document.querySelector('astro-island[ssr]:not([client="ask"])'));
  return page.evaluate(() => {
    const answer = performance
      .getEntriesByType('resource')
      .find(({ name }) => /\/api\/conversations\/[^/]+\?/.test(name));
    return { asked: answer.startTime, answered: answer.responseEnd, painted: globalThis.noted.painted };
  });
}

async function type({ page }) {
  const box = page.getByRole('textbox', { name: /^Message to/ });
  await box.click();
  await page.evaluate(() => {
    globalThis.noted.keys = [];
    globalThis.noted.longTasks = [];
  });
  const letters = 'and then the rain came over the wall '.repeat(KEYS).slice(0, KEYS);
  await page.keyboard.type(letters, { delay: KEY_MS });
  await page.waitForFunction((keys) => globalThis.noted.keys.length >= keys, KEYS);
  const { keys, longTasks } = await page.evaluate(() => globalThis.noted);
  await box.fill('');
  const longest = Math.max(0, ...longTasks.map(({ duration }) => duration));
  return { p50: at(keys, 0.5), p95: at(keys, 0.95), worst: Math.max(...keys), longest };
}

/** Types while a reply comes in, a few words in each picture. */
async function typeWhileStreaming(one) {
  const { page } = one;
  const box = page.getByRole('textbox', { name: /^Message to/ });
  await box.fill(`Go on [[scenario:tokens n=${Math.ceil((KEYS * KEY_MS * 4) / 25)} ms=25]]`);
  await box.press('Enter');
  await page.getByText('w20').first().waitFor();
  const typed = await type(one);
  const stop = page.getByRole('button', { name: 'Stop the reply' });
  if (!(await stop.isVisible())) throw new Error('The reply ended before the typing did');
  await stop.click();
  await stop.waitFor({ state: 'hidden' });
  return typed;
}

/** Turns the wheel until a message is reached. @returns pictures due and missed, and the share of them without text */
async function scrollUp({ page }, from, until) {
  await page.mouse.move(195, 300);
  await page.evaluate(() => {
    const { noted } = globalThis;
    const list = document.querySelector('[role="region"][tabindex]');
    const { left, top, width, height } = list.getBoundingClientRect();
    Object.assign(noted, { frames: [], blank: 0, longTasks: [], scrolling: true });
    const tick = (now) => {
      noted.frames.push(now);
      const places = [0.2, 0.5, 0.8].map((share) =>
        document.elementFromPoint(left + width / 2, top + height * share),
      );
      if (places.some((place) => place?.closest('[data-gap]'))) noted.blank += 1;
      const first = [...list.querySelectorAll('[data-message]')].find(
        (item) => item.getBoundingClientRect().bottom > top,
      );
      noted.first = Number(/Line (\d+)\./.exec(first?.textContent ?? '')?.[1]);
      if (noted.scrolling) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  for (let first = from; !(first <= until);) {
    for (let turn = 0; turn < 10; turn += 1) {
      await page.mouse.wheel(0, -WHEEL_PX);
      await page.waitForTimeout(WHEEL_MS);
    }
    first = await page.evaluate(() => globalThis.noted.first);
  }
  const { frames, blank, longTasks } = await page.evaluate(() => {
    globalThis.noted.scrolling = false;
    return globalThis.noted;
  });
  const gaps = frames.slice(1).map((moment, index) => moment - frames[index]);
  const due = Math.round((frames.at(-1) - frames[0]) / FRAME_MS);
  return {
    due,
    missed: Math.max(0, due - gaps.length),
    worst: Math.max(...gaps),
    p95: at(gaps, 0.95),
    blank,
    longest: Math.max(0, ...longTasks.map(({ duration }) => duration)),
  };
}

async function weight({ page, devtools }) {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize').value;
  const [nodes, items] = await page.evaluate(() => [
    document.querySelectorAll('*').length,
    document.querySelectorAll('[data-message]').length,
  ]);
  return { nodes, items, heapMb: heap / 1e6 };
}

async function measure(browser, origin, characterId, length) {
  const one = await slowPage(browser, origin);
  const { page, slow } = one;
  const address = await bringIn(one, characterId, length, origin);
  await page.goto(address);
  await page.evaluate((wanted) => sessionStorage.setItem('wanted', wanted), getLinePrefix(length));
  await open(one, address, length);
  await slow(CPU_SLOWDOWN);
  const openings = [];
  for (let turn = 0; turn < OPENINGS; turn += 1) openings.push(await open(one, address, length));
  const opened = await weight(one);
  await browser.startTracing(page, { path: join(TRACES, `typing-${length}.json`) });
  const typed = await type(one);
  await browser.stopTracing();
  const scrolled =
    length > SCROLL_UP_MESSAGES ? await scrollUp(one, length, length - SCROLL_UP_MESSAGES) : null;
  const after = await weight(one);
  // With all that was loaded on the way up still there.
  if (scrolled) await page.getByRole('button', { name: 'To the newest' }).click();
  const streamed = await typeWhileStreaming(one);
  await page.context().close();
  return { openings, typed, streamed, scrolled, opened, after };
}

function table(rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  say(line(['', ...LENGTHS.map((length) => `${length.toLocaleString('en')} messages`), 'ratio']));
  say('|---|---:|---:|---:|');
  for (const [name, unit, values] of rows) {
    const cells = values.map((value) => (value === null ? '–' : `${round(value)} ${unit}`.trim()));
    const [floor, long] = values;
    say(line([name, ...cells, floor === null || floor === 0 ? '–' : (long / floor).toFixed(2)]));
  }
}

const running = process.env.LORELOOM_URL;
let model = null;
let origin = running;
if (!running) {
  await install(say);
  await build(say, OUT_DIR);
  model = await startModelServer();
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-bench-'));
  const worker = await startWorker({
    outDir: OUT_DIR,
    stateDir: join(folder, 'state'),
    port: await freePort(),
    logFile: join(folder, 'worker.log'),
    variables: { MODEL_ROLEPLAY_BASE_URL: model.url },
  });
  origin = worker.url;
}
mkdirSync(TRACES, { recursive: true });
const browser = await chromium.launch({
  executablePath: await findChromium(say),
  args: CHROMIUM_ARGS,
});
try {
  const { items } = await (await fetch(`${origin}/api/characters?limit=1`)).json();
  const all = [];
  for (const length of LENGTHS) {
    say(`Measuring a conversation of ${length} …`);
    all.push(await measure(browser, origin, items[0].id, length));
  }
  const each = (pick) => all.map((one) => pick(one) ?? null);
  say(`\nChromium ${browser.version()}, CPU slowed ${CPU_SLOWDOWN} times, 390 × 844\n`);
  table([
    [
      'Navigation to the newest message painted, median',
      'ms',
      each(({ openings }) => mid(openings, 'painted')),
    ],
    ['… worst', 'ms', each(({ openings }) => Math.max(...openings.map(({ painted }) => painted)))],
    [
      '… of it until the page asks for messages, median',
      'ms',
      each(({ openings }) => mid(openings, 'asked')),
    ],
    ['… until they are there, median', 'ms', each(({ openings }) => mid(openings, 'answered'))],
    ['Key to paint, median', 'ms', each((one) => one.typed.p50)],
    ['… 95 %', 'ms', each((one) => one.typed.p95)],
    ['… worst', 'ms', each((one) => one.typed.worst)],
    ['… longest task', 'ms', each((one) => one.typed.longest)],
    ['Key to paint while a reply comes in, median', 'ms', each((one) => one.streamed.p50)],
    ['… 95 %', 'ms', each((one) => one.streamed.p95)],
    ['… worst', 'ms', each((one) => one.streamed.worst)],
    ['Messages in the page when it opened', '', each((one) => one.opened.items)],
    ['Elements in the page when it opened', '', each((one) => one.opened.nodes)],
    ['Memory of its script when it opened', 'MB', each((one) => one.opened.heapMb)],
    [`Scrolling up ${SCROLL_UP_MESSAGES} messages: pictures due`, '', each((one) => one.scrolled?.due)],
    ['… missed', '', each((one) => one.scrolled?.missed)],
    ['… 95 % of the pictures came within', 'ms', each((one) => one.scrolled?.p95)],
    ['… longest wait for one', 'ms', each((one) => one.scrolled?.worst)],
    ['… with a place that was empty', '', each((one) => one.scrolled?.blank)],
    ['Messages in the page after it', '', each((one) => one.after.items)],
    ['Elements in the page after it', '', each((one) => one.after.nodes)],
    ['Memory of its script after it', 'MB', each((one) => one.after.heapMb)],
  ]);
} finally {
  await browser.close();
  await endAll();
  await model?.close();
}

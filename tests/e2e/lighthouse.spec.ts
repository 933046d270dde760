import { chromium, type Cookie } from '@playwright/test';
import lighthouse from 'lighthouse';
import { freePort } from '../../scripts/lib/process.mjs';
import playwrightConfig from '../../playwright.config.ts';
import { startEdge } from '../support/edge.mjs';
import { chat, expect, SOMEBODY, test } from './journey.ts';

/** A phone on a slow network, simulated from an unthrottled load so that a busy machine does not affect the score. */
const SETTINGS = { formFactor: 'mobile', throttlingMethod: 'simulate' } as const;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

/** A busy machine can only lower a score, so the best of several runs counts. */
const MOST_RUNS = 4;

type Scores = Record<(typeof CATEGORIES)[number], number>;

/** Runs Lighthouse once. Returns null if the browser recorded no trace, which says nothing about the page. */
async function runLighthouse(
  url: string,
  port: number,
): Promise<{ scores: Scores; faults: string[] } | null> {
  const answer = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: [...CATEGORIES],
    ...SETTINGS,
  });
  if (answer?.lhr.runtimeError?.code === 'NO_NAVSTART') return null;
  if (!answer || answer.lhr.runtimeError) throw new Error(answer?.lhr.runtimeError?.message ?? 'No report');
  const { categories, audits } = answer.lhr;
  const scores = Object.fromEntries(
    CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]),
  ) as Scores;
  const faults = Object.values(audits)
    .filter(
      ({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative',
    )
    .map(({ id, displayValue }) => `${id} ${displayValue ?? ''}`.trim());
  return { scores, faults };
}

/** Starts a browser that Lighthouse controls over a port, with cookies for the site. */
async function startMeasuredBrowser(
  url: string,
  cookies: readonly Cookie[] = [],
): Promise<{ port: number; close: () => Promise<void> }> {
  const port = await freePort();
  const { executablePath, args = [] } = playwrightConfig.use?.launchOptions ?? {};
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [...args, `--remote-debugging-port=${port}`],
  });
  // Lighthouse opens its pages in the browser's default context, which Playwright does not reach.
  const control = await browser.newBrowserCDPSession();
  await control.send('Storage.setCookies', {
    cookies: cookies.map(({ name, value, path, httpOnly, secure, sameSite }) => ({
      ...{ name, value, path, httpOnly, secure, sameSite, url },
    })),
  });
  return { port, close: () => browser.close() };
}

const sumScores = (scores: Scores) => Object.values(scores).reduce((all, score) => all + score, 0);

test('home, discover, character and blog pages score 100 in all four Lighthouse categories on a slow phone', async ({
  baseURL,
  request,
}) => {
  test.setTimeout(240_000);
  const { items } = (await (await request.get(SOMEBODY)).json()) as {
    items: { id: string }[];
  };
  const pages = ['/en', '/en/discover', `/en/character-info/${items[0]?.id}`, '/en/blog/no-reply-is-lost'];
  const edge = await startEdge(baseURL as string);
  const browser = await startMeasuredBrowser(edge.url);
  try {
    for (const page of pages) {
      let best: Awaited<ReturnType<typeof runLighthouse>> | null = null;
      for (let run = 0; run < MOST_RUNS && (!best || sumScores(best.scores) < 400); run += 1) {
        const result = await runLighthouse(edge.url + page, browser.port);
        if (result && (!best || sumScores(result.scores) > sumScores(best.scores))) best = result;
      }
      test
        .info()
        .annotations.push({ type: 'lighthouse', description: JSON.stringify({ page, ...best?.scores }) });
      expect({ page, ...best }).toMatchObject({
        scores: { performance: 100, accessibility: 100, 'best-practices': 100, seo: 100 },
      });
    }
  } finally {
    await browser.close();
    await edge.close();
  }
});

/** Of the chat's performance, the median of these counts. */
const CHAT_RUNS = 5;

test('a chat scores 95 in performance and 100 in accessibility and best practices, and stays out of search', async ({
  baseURL,
  page,
}) => {
  test.setTimeout(240_000);
  const { say, messages } = await chat(page);
  await say('Good evening. [[scenario:tokens n=60 ms=0]]');
  await expect(messages.last()).toContainText('w59');
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/);
  const { pathname, search } = new URL(page.url());
  const edge = await startEdge(baseURL as string);
  const browser = await startMeasuredBrowser(edge.url, await page.context().cookies());
  try {
    const runs: Scores[] = [];
    for (let run = 0; run < CHAT_RUNS; run += 1) {
      const result = await runLighthouse(edge.url + pathname + search, browser.port);
      if (result) runs.push(result.scores);
    }
    const performance = runs.map((scores) => scores.performance).toSorted((one, other) => one - other);
    test
      .info()
      .annotations.push({ type: 'lighthouse', description: JSON.stringify({ page: 'chat', performance }) });
    expect(performance[Math.floor(performance.length / 2)]).toBeGreaterThanOrEqual(95);
    for (const { accessibility, 'best-practices': practices } of runs)
      expect({ accessibility, practices }).toEqual({ accessibility: 100, practices: 100 });
  } finally {
    await browser.close();
    await edge.close();
  }
});

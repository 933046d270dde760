import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, chromiumPath } from './scripts/lib/chromium.mjs';

const MEASURED = /lighthouse\.spec\.ts$/;
const IS_ALL = process.env.LORELOOM_TEST_ALL !== undefined;
/** Screenshots of every state and timed pages: only in `npm run test:all`. */
const SLOW = IS_ALL ? [] : [MEASURED, /gallery\.spec\.ts$/];
const executablePath = chromiumPath();

/** A wheel's turn is over when it has scrolled: no test has to guess when its last pixels come. */
const ARGS = [...CHROMIUM_ARGS, '--disable-smooth-scrolling'];

/** No page of a journey lives long enough to gain from what a compiler makes of its code, which takes a tenth of the processor. */
const INTERPRETED = '--js-flags=--max-lazy --no-maglev --no-turbofan';

const launched = (args: string[]) => ({ ...(executablePath ? { executablePath } : {}), args });

export default defineConfig({
  testDir: './tests/e2e',
  outputDir: './.wrangler/test/playwright',
  snapshotPathTemplate: '{snapshotDir}/{testFilePath}-snapshots/{arg}{-snapshotSuffix}{ext}',
  globalSetup: './tests/e2e/global-setup.ts',
  // `npm test` runs the journeys that people take; their rarer states, tagged @all, run in `npm run test:all`.
  ...(IS_ALL ? {} : { grepInvert: /@all$/ }),
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json']],
  projects: [
    {
      name: 'journeys',
      testIgnore: [MEASURED, ...SLOW],
      use: {
        launchOptions: launched([...ARGS, INTERPRETED]),
        // A service worker asks in a page's place, past what a test answers in the server's, and to set one up for each test
        // takes a quarter of the processor. The specs that are about chats and what a device keeps of them allow it.
        serviceWorkers: 'block',
      },
    },
    // What is timed has the machine to itself.
    { name: 'measured', testMatch: MEASURED, testIgnore: SLOW, dependencies: ['journeys'], workers: 1 },
  ],
  use: {
    launchOptions: launched(ARGS),
    locale: 'en-GB',
    // Traces take as much of two cores as the tests themselves: `playwright test --trace on <spec>` makes one.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});

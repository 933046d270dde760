import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, chromiumPath } from './scripts/lib/chromium.mjs';

const MEASURED = /lighthouse\.spec\.ts$/;
const executablePath = chromiumPath();

/** A wheel's turn is over when it has scrolled: no test has to guess when its last pixels come. */
const ARGS = [...CHROMIUM_ARGS, '--disable-smooth-scrolling'];

export default defineConfig({
  testDir: './tests/e2e',
  outputDir: './.wrangler/test/playwright',
  snapshotPathTemplate: '{snapshotDir}/{testFilePath}-snapshots/{arg}{-snapshotSuffix}{ext}',
  globalSetup: './tests/e2e/global-setup.ts',
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json']],
  projects: [
    { name: 'journeys', testIgnore: MEASURED },
    // What is timed has the machine to itself.
    { name: 'measured', testMatch: MEASURED, dependencies: ['journeys'], workers: 1 },
  ],
  use: {
    launchOptions: { ...(executablePath ? { executablePath } : {}), args: ARGS },
    locale: 'en-GB',
    // Traces take as much of two cores as the tests themselves: `playwright test --trace on <spec>` makes one.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
});

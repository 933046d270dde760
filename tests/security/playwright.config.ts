import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, chromiumPath } from '../../scripts/lib/chromium.mjs';

const executablePath = chromiumPath();

/** Journeys that belong to the security run; scripts/security/areas.mjs lists them. */
const journeys = (process.env.SECURITY_ALSO_BROWSER ?? '')
  .split(',')
  .filter(Boolean)
  .map((path) => path.replace(/^tests\//, ''));

// The global setup reads this variable.
process.env.LORELOOM_BEHIND_FRONT = '1';

/** Attacks on the built product over HTTP and in a real browser. */
export default defineConfig({
  testDir: '..',
  outputDir: '../../.wrangler/test/security',
  globalSetup: '../e2e/global-setup.ts',
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json']],
  projects: [
    { name: 'attacks', testMatch: 'security/built/*.spec.ts' },
    // As in playwright.config.ts: a service worker would bypass the answers that the journeys mock.
    ...(journeys.length > 0
      ? [{ name: 'journeys', testMatch: journeys, use: { serviceWorkers: 'block' as const } }]
      : []),
  ],
  use: {
    launchOptions: { ...(executablePath ? { executablePath } : {}), args: CHROMIUM_ARGS },
    locale: 'en-GB',
    trace: 'off',
  },
});

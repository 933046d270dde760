import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, chromiumPath } from '../../scripts/lib/chromium.mjs';

const executablePath = chromiumPath();

/** Journeys that belong to it; named by the run alone (scripts/security/areas.mjs). */
const also = (process.env.SECURITY_ALSO_BROWSER ?? '')
  .split(',')
  .filter(Boolean)
  .map((path) => path.replace(/^tests\//, ''));

// Read by the set-up that journeys have, too.
process.env.LORELOOM_BEHIND_FRONT = '1';

/** What is tried against the built product as people meet it: over the wire, and in a real browser. */
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
    // As where they belong (playwright.config.ts): a service worker would ask past what they answer in the server's place.
    ...(also.length > 0
      ? [{ name: 'journeys', testMatch: also, use: { serviceWorkers: 'block' as const } }]
      : []),
  ],
  use: {
    launchOptions: { ...(executablePath ? { executablePath } : {}), args: CHROMIUM_ARGS },
    locale: 'en-GB',
    trace: 'off',
  },
});

import { defineConfig } from '@playwright/test';
import { CHROMIUM_ARGS, chromiumPath } from '../../scripts/lib/chromium.mjs';

const executablePath = chromiumPath();

/** Journeys that belong to it; named by the run alone (scripts/security/areas.mjs). */
const also = (process.env.SECURITY_ALSO_BROWSER ?? '').split(',').filter(Boolean);

// Read by the set-up that journeys have, too.
process.env.LORELOOM_BEHIND_FRONT = '1';

/** What is tried against the built product as people meet it: over the wire, and in a real browser. */
export default defineConfig({
  testDir: '..',
  testMatch: ['security/built/*.spec.ts', ...also.map((path) => path.replace(/^tests\//, ''))],
  outputDir: '../../.wrangler/test/security',
  globalSetup: '../e2e/global-setup.ts',
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json']],
  use: {
    launchOptions: { ...(executablePath ? { executablePath } : {}), args: CHROMIUM_ARGS },
    locale: 'en-GB',
    trace: 'off',
  },
});

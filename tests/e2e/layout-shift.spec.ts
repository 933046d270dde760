import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { awake, expect, readCode, test, watchShifts } from './journey.ts';

/** Widths of a phone and of a desktop. */
const WINDOWS = [
  { width: 360, height: 740 },
  { width: 1440, height: 900 },
];
/** How much slower than this machine a phone is. */
const CPU_SLOWDOWN = 4;
const MAX_SHIFT = 0.05;

/** The pages of an account whose content comes after the page, and text that is there at their end. */
const PAGES = [
  { path: '/account', last: t('account:deleteLink') },
  { path: '/account/points', last: t('account:ledger_opening') },
  { path: '/en/create-character', last: t('create:publish_public') },
];

async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}

for (const { path, last } of PAGES) {
  test(`${path} keeps its content in place while it loads`, async ({ page, baseURL }) => {
    const email = `shift-${randomUUID()}@example.org`;
    await page.request.post('/api/auth/send-login-code', { data: { email } });
    const code = await readCode(baseURL as string, email);
    await page.request.post('/api/auth/login-with-code', { data: { email, code } });
    // The first page learns that an account is signed in; the next ones render for it at once.
    await page.goto('/settings');
    await expect(page.locator('html')).toHaveAttribute('data-who', 'account');
    const readShifts = await watchShifts(page);
    await slowDown(page);
    for (const window of WINDOWS) {
      await page.setViewportSize(window);
      await page.goto(path);
      await awake(page);
      await expect(page.getByText(last, { exact: true }).last()).toBeVisible();
      await page.waitForLoadState('networkidle');
      const shifts = await readShifts();
      const sum = shifts.reduce((total, line) => total + Number.parseFloat(line), 0);
      expect(sum, `${window.width} px: ${shifts.join('\n')}`).toBeLessThan(MAX_SHIFT);
    }
  });
}

import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { awake, expect, readCode, SOMEBODY, startListedChat, test, watchShifts } from './journey.ts';

/** Widths of a phone and of a desktop. */
const WINDOWS = [
  { width: 360, height: 740 },
  { width: 1440, height: 900 },
];
/** How much slower than this machine a phone is. */
const CPU_SLOWDOWN = 4;
/** The sum of all shifts of a page while it loads; Google calls a page good up to 0.1. */
const MAX_SHIFT = 0.05;

/** The pages of an account whose content comes after the page, and text that is there at their end. */
const ACCOUNT_PAGES = [
  { path: '/account', last: t('account:deleteLink') },
  { path: '/account/points', last: t('account:pointsHistory_opening') },
  { path: '/en/create-character', last: t('create:publish_public') },
];

const PUBLIC_PAGES = [
  '/en',
  '/en/discover',
  '/en/tag/fantasy',
  '/en/blog',
  '/en/blog/no-reply-is-lost',
  '/en/creator-competition',
  '/en/safety',
  '/en/status',
  '/about',
  '/membership',
  '/login',
];
const OWN_PAGES = [
  '/en',
  '/en/discover',
  '/en/create-character',
  '/en/creator-center',
  '/en/favourites',
  '/en/move-in',
  '/en/user-persona',
  '/account',
  '/chats/search',
  '/feedback',
  '/settings',
];

async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}

for (const { path, last } of ACCOUNT_PAGES) {
  test(`${path} keeps its content in place while it loads${path === '/account' ? '' : ' @all'}`, async ({
    page,
    baseURL,
  }) => {
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

for (const width of [360, 1440]) {
  test(`no page shifts by ${MAX_SHIFT} or more while it loads at ${width} px @all`, async ({
    page,
    request,
  }) => {
    test.setTimeout(120_000);
    await page.setViewportSize({ width, height: 800 });
    const readShifts = await watchShifts(page);
    const { items } = (await (await request.get(SOMEBODY)).json()) as {
      items: { id: string; creator: { id: string } }[];
    };
    const { id = '', creator } = items[0] ?? {};
    const shifted: Record<string, string[]> = {};
    const open = async (path: string, name = path) => {
      await page.goto(path, { waitUntil: 'networkidle' });
      await awake(page);
      const shifts = await readShifts();
      if (shifts.reduce((sum, shift) => sum + Number.parseFloat(shift), 0) >= MAX_SHIFT)
        shifted[name] = shifts;
    };
    for (const path of [
      ...PUBLIC_PAGES,
      `/en/character-info/${id}`,
      `/creator/${creator?.id}`,
      `/character/${id}`,
    ])
      await open(path);

    await page.request.post('/api/auth/test-login', { data: { person: 'reader' } });
    await open(`/character/${id}`, 'a new chat');
    await startListedChat(page, id);
    await open(`/character/${id}`, 'a chat with messages');
    for (const path of [...OWN_PAGES, `/en/character-info/${id}`]) await open(path, `${path} with a session`);
    expect(shifted).toEqual({});
  });
}

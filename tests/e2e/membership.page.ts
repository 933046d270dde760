import type { Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { awake, readCode } from './journey.ts';

// Page object of the membership page.

/** Logs a new account in without the dialog and completes its onboarding. */
export async function someone(page: Page, origin: string): Promise<void> {
  const email = `member-${crypto.randomUUID()}@example.test`;
  await page.request.post('/api/auth/send-login-code', { data: { email } });
  const code = await readCode(origin, email);
  await page.request.post('/api/auth/login-with-code', { data: { email, code } });
  await page.request.post('/api/onboarding', { data: {} });
}

/** Returns a section of the page by its title. */
export const part = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
export const yours = (page: Page) => part(page, t('membership:yourMembershipTitle'));
export const join = (page: Page) =>
  part(page, t('membership:subscribeTitle', { plan: t('account:plan_storyteller'), price: '$6.99' }));
/** Returns the frame with PayPal's button and its confirmation. */
export const payPal = (page: Page) => page.frameLocator('iframe[title="PayPal"]');
export const policyOf = async (page: Page, path: string) =>
  (await page.request.get(path)).headers()['content-security-policy'] ?? '';

export async function open(page: Page): Promise<void> {
  await page.goto('/membership');
  await awake(page);
}

/** Subscribes through PayPal's button and its confirmation. */
export async function agree(page: Page): Promise<void> {
  await payPal(page).getByRole('button', { name: 'PayPal' }).click();
  await payPal(page).getByRole('button', { name: 'Agree and subscribe' }).click();
}

/** An active membership as the server returns it. */
export const MEMBER = {
  plan: 'storyteller',
  status: 'active',
  current_period_end: '2099-01-15T10:00:00.000Z',
  price_cents: 699,
  is_given: false,
  auto_renew: true,
  pending_downgrade: false,
  is_failing: false,
  is_awaited: false,
  is_refunded: false,
  next_payment_at: '2099-01-15T10:00:00.000Z',
  begins_at: null,
  client: null,
};

/** Opens the page with the given fields of an active membership. */
export async function openAs(page: Page, membership: object): Promise<void> {
  await page.route('**/api/subscription', (route) => route.fulfill({ json: { ...MEMBER, ...membership } }));
  await open(page);
}

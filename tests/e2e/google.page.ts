import type { Locator, Page } from '@playwright/test';
import type { GoogleAccount } from '../support/google-server.ts';
import { expect } from './journey.ts';

/** Creates an account at the mock Google server. @returns its e-mail address */
export async function googler(fields: Partial<GoogleAccount> = {}): Promise<string> {
  const subject = `g-${crypto.randomUUID()}`;
  const account = { subject, email: `${subject}@example.test`, ...fields };
  const answer = await fetch(`${process.env.LORELOOM_GOOGLE}/control/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  expect(answer.status).toBe(200);
  return account.email;
}

/** Clicks a Google button and, in Google's window, the given choice: an account's address or «Cancel». */
export async function chooseInWindow(page: Page, button: Locator, choice: string): Promise<void> {
  const popupOpened = page.waitForEvent('popup');
  await button.click();
  const popup = await popupOpened;
  const closed = popup.waitForEvent('close');
  await popup.getByRole('link', { name: choice }).last().click();
  await closed;
}

export const whoIsHere = async (page: Page) =>
  (await (await page.request.get('/api/auth/status')).json()) as {
    is_authenticated: boolean;
    user: { email: string } | null;
  };

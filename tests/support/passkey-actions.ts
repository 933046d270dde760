import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { passkeys } from '../../src/db/schema/core.ts';
import type { Passkey } from '../../src/features/account/passkey/passkey-contract.ts';
import { RECENT_LOGIN_MS } from '../../src/features/account/limits.ts';
import { createId } from '../../src/lib/ids.ts';
import { createAccount, ORIGIN, type Visitor } from './factories.ts';
import { Browser } from './google.ts';
import { type Claims, SoftwarePasskey } from './software-passkey.ts';

export const HOST = new URL(ORIGIN).hostname;

/** Logs in by mail in a browser that keeps cookies. */
export async function openAccount(): Promise<Browser> {
  return (await createAccount(undefined, new Browser())) as Browser;
}

/** Starts adding or using a passkey, and returns what an honest device would claim. */
export async function startCeremony(browser: Browser, path: string): Promise<Claims> {
  const { challenge } = await browser.ask<{ challenge: string }>(path, { method: 'POST' });
  return { challenge, origin: ORIGIN, host: HOST };
}

/** Adds a passkey. @returns it with what the account lists of it */
export async function addPasskey(browser: Browser, name = 'Phone', claims: Partial<Claims> = {}) {
  const device = await SoftwarePasskey.create();
  const honest = await startCeremony(browser, '/api/account/passkeys/options');
  const credential = await device.register({ ...honest, ...claims });
  const listed = await browser.ask<Passkey>('/api/account/passkeys', {
    json: { name, credential },
    status: 201,
  });
  return { device, listed, credential };
}

/** Logs in with a passkey. @param owner id of its account */
export async function logInWithPasskey(
  device: SoftwarePasskey,
  owner: string,
  { claims = {}, browser = new Browser() }: { claims?: Partial<Claims>; browser?: Browser } = {},
): Promise<{ response: Response; browser: Browser }> {
  const honest = await startCeremony(browser, '/api/auth/passkey-options');
  const credential = await device.logIn({ ...honest, ...claims }, owner);
  return { response: await browser.call('/api/auth/login-with-passkey', { json: { credential } }), browser };
}

/** Stores a passkey that no device has. @returns its id */
export async function insertPasskey(
  userId: string,
  fields: Partial<typeof passkeys.$inferInsert> = {},
): Promise<string> {
  const id = createId(Date.now());
  const row = { id, userId, credentialId: id, publicKey: 'AA', host: HOST, signCount: 0, transports: [] };
  await openDatabase(env.DB)
    .insert(passkeys)
    .values({ ...row, name: 'Key', createdAt: Date.now(), ...fields });
  return id;
}

/** Moves the logins of a user so far into the past that they are no longer recent. */
export async function ageLogins({ id }: Visitor, ms = RECENT_LOGIN_MS): Promise<void> {
  await env.DB.prepare('update sessions set created_at = created_at - ? where user_id = ?')
    .bind(ms, id)
    .run();
}

/** Expects a refusal with a code. */
export async function expectRefusal(response: Response, status: number, code: string): Promise<void> {
  expect({ status: response.status, body: await response.json() }).toMatchObject({ status, body: { code } });
}

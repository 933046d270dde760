import { randomUUID } from 'node:crypto';
import { deflateSync, crc32 } from 'node:zlib';
import type { Page } from '@playwright/test';
import type { OwnCharacter } from '../../src/features/character/contract.ts';
import { t } from '../support/texts.ts';
import { awake, expect, readCode } from './journey.ts';

// Set-up for tests of creators: an account, a character, and the page of the character form.

/** Logs a new account in and completes its onboarding. @returns the user */
export async function signInAsCreator(page: Page, origin: string): Promise<{ id: string; username: string }> {
  const email = `maker-${randomUUID()}@example.org`;
  await page.request.post('/api/auth/send-login-code', { data: { email } });
  const code = await readCode(origin, email);
  await page.request.post('/api/auth/login-with-code', { data: { email, code } });
  await page.request.post('/api/onboarding', { data: {} });
  const { user } = (await (await page.request.get('/api/auth/status')).json()) as {
    user: { id: string; username: string };
  };
  return user;
}

/** Returns a PNG of one random colour, so that no other test uploads the same picture. */
export function portraitOf(width: number, height: number): Buffer {
  const [red, green, blue] = [...randomUUID().replaceAll('-', '').slice(0, 6)].map((digit) =>
    Number.parseInt(digit, 16),
  ) as [number, number, number];
  const row = Buffer.concat([
    Buffer.from([0]),
    Buffer.from(Array.from({ length: width }, () => [red * 10, green * 10, blue * 10]).flat()),
  ]);
  const chunk = (type: string, body: Buffer) => {
    const typeAndBody = Buffer.concat([Buffer.from(type, 'latin1'), body]);
    const lengthAndCrc = Buffer.alloc(8);
    lengthAndCrc.writeUInt32BE(body.length, 0);
    lengthAndCrc.writeUInt32BE(crc32(typeAndBody), 4);
    return Buffer.concat([lengthAndCrc.subarray(0, 4), typeAndBody, lengthAndCrc.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Creates a character as the logged-in user. */
export async function makeCharacter(page: Page, fields: Record<string, unknown> = {}): Promise<OwnCharacter> {
  const uploaded = await page.request.post('/api/uploads/avatar', {
    multipart: { file: { name: 'portrait.png', mimeType: 'image/png', buffer: portraitOf(30, 40) } },
  });
  expect(uploaded.status()).toBe(201);
  const { avatar_id } = (await uploaded.json()) as { avatar_id: string };
  const made = await page.request.post('/api/characters', {
    data: {
      avatar_id,
      name: 'Wren',
      oneliner: 'Maps coasts and gets lost inland',
      character_traits: 'Curious, stubborn, never learned to swim.',
      first_message: '*She unrolls a map.* "You are late, {{user}}."',
      model_type: 'roleplay',
      visibility: 'public',
      tags: ['fantasy'],
      ...fields,
    },
  });
  expect(made.status()).toBe(201);
  return (await made.json()) as OwnCharacter;
}

/** The form's line about the price of a new character, with the default prices. */
export const describePrice = (balance: number) =>
  t('create:createCost', {
    cost: t('errors:points_count', { count: 5 }),
    balance: t('errors:points_count', { count: balance }),
  });

/** Opens the form for a new character as a new test user. */
export async function newForm(page: Page) {
  await page.request.post('/api/auth/test-login', { data: { person: 'newcomer' } });
  await page.request.post('/api/onboarding', { data: {} });
  await page.goto('/en/create-character');
  await awake(page);
  const form = page.getByRole('form', { name: t('create:title') });
  return { form, field: (name: string) => form.getByRole('textbox', { name, exact: true }) };
}

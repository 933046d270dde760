import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAIL_LISTS } from '../../../../src/features/mail/contract.ts';
import {
  parseUnsubscribeToken,
  createUnsubscribeToken,
  buildUnsubscribeUrl,
} from '../../../../src/features/mail/unsubscribe.ts';
import { createId } from '../../../../src/lib/ids.ts';

const SECRET = 'a-secret-of-the-operator';
const CLAIMS = { userId: createId(1_800_000_000_000), list: 'marketing' } as const;

describe('Unsubscribe token', () => {
  test('an unsubscribe token names exactly its user and list', async () => {
    for (const list of MAIL_LISTS) {
      const token = await createUnsubscribeToken(SECRET, { ...CLAIMS, list });
      expect(await parseUnsubscribeToken(SECRET, token)).toEqual({ ...CLAIMS, list });
    }
  });

  test('an unsubscribe token cannot be forged for another user, list or secret', async () => {
    const token = await createUnsubscribeToken(SECRET, CLAIMS);
    const [, , signature = ''] = token.split('.');
    const other = createId(1_800_000_000_001);
    for (const forged of [
      `marketing.${other}.${signature}`,
      `notifications.${CLAIMS.userId}.${signature}`,
      await createUnsubscribeToken(`${SECRET}!`, CLAIMS),
      token.slice(0, -1),
      `${token}0`,
      `${token}.x`,
      token.toUpperCase(),
      `marketing.${CLAIMS.userId}.`,
      '',
      'marketing',
      '..',
      '__proto__.x.y',
    ]) {
      expect(await parseUnsubscribeToken(SECRET, forged)).toBeNull();
    }
  });

  test('any other text is not accepted as an unsubscribe token', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        expect(await parseUnsubscribeToken(SECRET, text)).toBeNull();
      }),
    );
  });

  test('an unsubscribe address is safe in a header', async () => {
    const url = buildUnsubscribeUrl('https://loreloom.example', await createUnsubscribeToken(SECRET, CLAIMS));
    expect(url).toMatch(/^https:\/\/loreloom\.example\/unsubscribe\?token=[\w.-]+$/);
    expect(url.length).toBeLessThan(200);
  });
});

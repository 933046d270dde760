import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAIL_LISTS } from '../../src/features/mail/contract.ts';
import {
  parseUnsubscribeToken,
  createUnsubscribeToken,
  buildUnsubscribeUrl,
} from '../../src/features/mail/unsubscribe.ts';
import { createId } from '../../src/lib/ids.ts';

const SECRET = 'a-secret-of-the-operator';
const ME = { userId: createId(1_800_000_000_000), list: 'marketing' } as const;

describe('The way out of a list of mails', () => {
  test('names me and the list, and is good for these alone', async () => {
    for (const list of MAIL_LISTS) {
      const token = await createUnsubscribeToken(SECRET, { ...ME, list });
      expect(await parseUnsubscribeToken(SECRET, token)).toEqual({ ...ME, list });
    }
  });

  test('cannot be made for somebody else, for another list, or with another secret', async () => {
    const token = await createUnsubscribeToken(SECRET, ME);
    const [, , signature = ''] = token.split('.');
    const other = createId(1_800_000_000_001);
    for (const forged of [
      `marketing.${other}.${signature}`,
      `notifications.${ME.userId}.${signature}`,
      await createUnsubscribeToken(`${SECRET}!`, ME),
      token.slice(0, -1),
      `${token}0`,
      `${token}.x`,
      token.toUpperCase(),
      `marketing.${ME.userId}.`,
      '',
      'marketing',
      '..',
      '__proto__.x.y',
    ]) {
      expect(await parseUnsubscribeToken(SECRET, forged)).toBeNull();
    }
  });

  test('does not take whatever else it is given', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        expect(await parseUnsubscribeToken(SECRET, text)).toBeNull();
      }),
    );
  });

  test('is an address that stays whole in a header', async () => {
    const url = buildUnsubscribeUrl('https://loreloom.example', await createUnsubscribeToken(SECRET, ME));
    expect(url).toMatch(/^https:\/\/loreloom\.example\/unsubscribe\?token=[\w.-]+$/);
    expect(url.length).toBeLessThan(200);
  });
});

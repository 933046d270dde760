import { describe, expect, test } from 'vitest';
import { decryptAgeCheckRequest, signAgeCheckResult } from '../../../src/features/account/age-check.ts';
import { hashDeletionToken } from '../../../src/features/account/deletion/deletion.ts';
import { signGuestCounter } from '../../../src/features/account/guest-counter.ts';
import { hashLoginCode } from '../../../src/features/account/login-code/login-code.ts';
import { parseUnsubscribeToken } from '../../../src/features/mail/unsubscribe.ts';

const SECRET = 'a-secret-of-the-operator';

// These values are fixed: tokens in mailboxes, browsers and tables must stay valid while the secret stays the same.
describe('Hash and token formats', () => {
  test('an unsubscribe link from an old mail still names its user and list', async () => {
    const token = 'marketing.somebody.9dd2fd4e7745ca53efef34688256f4b536a02af4303f02726d697f0d3a820d34';
    expect(await parseUnsubscribeToken(SECRET, token)).toEqual({ userId: 'somebody', list: 'marketing' });
  });

  test('an old age check request can be decrypted, and the signature of its result is unchanged', async () => {
    const token = 'UlNyWPRCNAYlpLVJaJWr8GTgS3cGragUMPXFiXmi5HAv_Di5vtKaD_2FUSFku3XJHxTM2BMN';
    expect(await decryptAgeCheckRequest(SECRET, token, 0)).toEqual({
      userId: 'somebody',
      expiresAt: 4_102_444_800_000,
    });
    expect(await signAgeCheckResult(SECRET, { request: 'a-request', outcome: 'adult' })).toBe(
      'f22184d2d91cb6ea365930660a8a545bd86a4c9fa335fba8353e9264e8acee80',
    );
  });

  test('login codes, deletion tokens and guest counters keep their hashes', async () => {
    expect(await hashLoginCode('me@example.test', '123456', SECRET)).toBe(
      '70cf7b2551a9f13f0e343a1c4c55909b07eb9990c40d85dc6aebc43d7241cbf4',
    );
    expect(await hashDeletionToken('a-token')).toBe(
      '1f6076e3a47ba1ded08025ffe06e57af217c14f9407f33fba50f99b1c7019387',
    );
    expect(await signGuestCounter(20_000, 3, SECRET)).toBe(
      '20000.3.d1706600ab156e08bd9b564f7dab15aecbb6d7eb19c0efa23f817129c0e1cb8f',
    );
  });
});

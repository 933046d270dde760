import { expect, test } from 'vitest';
import { PASSKEY } from '../../../../../src/features/account/limits.ts';
import {
  type ChallengeScope,
  createChallenge,
  verifyChallenge,
} from '../../../../../src/features/account/passkey/passkey-challenge.ts';

const SCOPE: ChallengeScope = { purpose: 'log_in', binding: 'browser', secret: 'a secret' };
const NOW = Date.UTC(2026, 10, 30);
const encode = (challenge: string): string => btoa(challenge).replaceAll('=', '');

test('a challenge is valid for its scope until it expires, and names itself and its expiry', async () => {
  const token = await createChallenge(SCOPE, NOW);
  const expiresAt = NOW + PASSKEY.challengeLifetimeMs;
  expect(await verifyChallenge(SCOPE, encode(token), expiresAt - 1)).toEqual({ token, expiresAt });
  expect(await verifyChallenge(SCOPE, encode(token), expiresAt)).toBeNull();
});

test('every challenge differs', async () => {
  expect(await createChallenge(SCOPE, NOW)).not.toBe(await createChallenge(SCOPE, NOW));
});

test.each([
  ['purpose', { purpose: 'register' as const }],
  ['binding', { binding: 'another browser' }],
  ['secret', { secret: 'another secret' }],
])('a challenge is not valid with another %s', async (_, other) => {
  const encoded = encode(await createChallenge(SCOPE, NOW));
  expect(await verifyChallenge({ ...SCOPE, ...other }, encoded, NOW)).toBeNull();
});

test('a challenge whose expiry was changed, and what is no challenge, is not valid', async () => {
  const token = await createChallenge(SCOPE, NOW);
  const longer = token.replace(/^\d+/, (expiry) => String(Number(expiry) + 1));
  for (const encoded of [encode(longer), encode('nonsense'), '', '%', '*'.repeat(50)])
    expect([encoded, await verifyChallenge(SCOPE, encoded, NOW)]).toEqual([encoded, null]);
});

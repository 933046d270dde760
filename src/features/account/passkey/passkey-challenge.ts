import { computeKeyedHash, toHex } from '../../../lib/hash.ts';
import { timingSafeEqual } from '../../../lib/timing-safe-equal.ts';
import { PASSKEY } from '../limits.ts';

/*
 * A challenge states its own expiry and is signed, so nothing is stored until it is used: `used-token-store.ts` then makes
 * it valid once.
 */

/** What a challenge is valid for. */
export interface ChallengeScope {
  purpose: 'register' | 'log_in';
  /** The session or the cookie of the browser that asked for it. */
  binding: string;
  /** AUTH_SECRET */
  secret: string;
}

/** A challenge that was made here, for `claimToken`. */
export interface ValidChallenge {
  token: string;
  /** In ms since 1970. */
  expiresAt: number;
}

const NONCE_BYTES = 16;

const signChallenge = ({ purpose, binding, secret }: ChallengeScope, text: string): Promise<string> =>
  computeKeyedHash(`challenge of a passkey\n${secret}`, `${purpose}\n${binding}\n${text}`);

/** @param now in ms since 1970 */
export async function createChallenge(scope: ChallengeScope, now: number): Promise<string> {
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));
  const text = `${now + PASSKEY.challengeLifetimeMs}.${nonce}`;
  return `${text}.${await signChallenge(scope, text)}`;
}

/**
 * Checks a challenge that a device has signed.
 * @param encoded as in the client data: base64url of the challenge
 * @returns null when it was not made for this scope or has expired
 */
export async function verifyChallenge(
  scope: ChallengeScope,
  encoded: string,
  now: number,
): Promise<ValidChallenge | null> {
  let token: string;
  try {
    token = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return null;
  }
  const [, text = '', expiry = '', signature = ''] =
    /^((\d{1,15})\.[0-9a-f]{32})\.([0-9a-f]{64})$/.exec(token) ?? [];
  const expiresAt = Number(expiry);
  if (text === '' || expiresAt <= now) return null;
  return timingSafeEqual(signature, await signChallenge(scope, text)) ? { token, expiresAt } : null;
}

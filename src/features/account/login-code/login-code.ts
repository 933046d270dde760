import { LOGIN_CODE } from '../limits.ts';
import { computeKeyedHash } from '../../../lib/hash.ts';

/** Generates a six-digit code from a uniform distribution. */
export function generateLoginCode(): string {
  const space = 10 ** LOGIN_CODE.digits;
  // Values above the last whole multiple would make small codes more likely.
  const limit = Math.floor(2 ** 32 / space) * space;
  const draw = new Uint32Array(1);
  do crypto.getRandomValues(draw);
  while ((draw[0] as number) >= limit);
  return String((draw[0] as number) % space).padStart(LOGIN_CODE.digits, '0');
}

/**
 * Returns the value that is stored instead of a code: HMAC-SHA-256 in hex, bound to the address. The secret makes a
 * stolen table useless: six digits alone are quickly guessed.
 */
export function hashLoginCode(email: string, code: string, secret: string): Promise<string> {
  return computeKeyedHash(secret, `${email}\n${code}`);
}

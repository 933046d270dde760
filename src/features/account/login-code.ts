import { LOGIN_CODE } from './limits.ts';
import { computeKeyedHash } from '../../lib/hash.ts';

/** A fresh code of six digits, every one equally likely. */
export function generateLoginCode(): string {
  const space = 10 ** LOGIN_CODE.digits;
  // Values above the last whole multiple would make small codes likelier.
  const limit = Math.floor(2 ** 32 / space) * space;
  const draw = new Uint32Array(1);
  do crypto.getRandomValues(draw);
  while ((draw[0] as number) >= limit);
  return String((draw[0] as number) % space).padStart(LOGIN_CODE.digits, '0');
}

/**
 * What is stored in a code's place: HMAC-SHA-256 in hex, bound to the address. The secret makes
 * a stolen table useless: six digits alone are quickly tried.
 */
export function hashLoginCode(email: string, code: string, secret: string): Promise<string> {
  return computeKeyedHash(secret, `${email}\n${code}`);
}

import { LOGIN_CODE } from '../../config.ts';

/** A fresh code of six digits, every one equally likely. */
export function newLoginCode(): string {
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
  return keyedHash(secret, `${email}\n${code}`);
}

/** HMAC-SHA-256 in hex: whoever lacks the secret can neither make it nor tell what it was made from. */
export async function keyedHash(secret: string, message: string): Promise<string> {
  const text = new TextEncoder();
  const use = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', text.encode(secret), use, false, ['sign']);
  return hex(await crypto.subtle.sign('HMAC', key, text.encode(message)));
}

/** Compares two texts of equal form in time that tells nothing of where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}

export function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

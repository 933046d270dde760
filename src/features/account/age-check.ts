import { z } from 'zod';
import { timingSafeEqual } from '../../lib/timing-safe-equal.ts';
import { computeKeyedHash, deriveKey } from '../../lib/hash.ts';

/*
 * Requests to the age checker, and its results. A request is encrypted: only we can read whose it is, and only we can
 * create one. A result is signed with the secret that the operator shares with the checker.
 */

/** The result that a checker posts to us: the request as we issued it, the outcome, and a signature over both. */
export const ageCheckResult = z.strictObject({
  request: z.string().min(1).max(500),
  outcome: z.enum(['adult', 'not_adult']).describe('adult: 18 or older'),
  signature: z
    .string()
    .regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits')
    .describe('HMAC-SHA256 of `<request>.<outcome>` with the key AGE_CHECK_SECRET'),
});
export type AgeCheckResult = z.infer<typeof ageCheckResult>;

export const ageCheckRequestBody = z.strictObject({
  next: z.string().max(500).optional().describe('Path on this site to return to'),
});

export const ageCheckRequestResponse = z.object({
  url: z.string().describe('URL of the age checker’s page, to open in the browser'),
  expires_at: z.string(),
});

/** The user whose age is checked, and when the request expires, in ms. */
export interface AgeCheckRequest {
  userId: string;
  expiresAt: number;
}

const sealedRequestSchema = z.tuple([z.string().min(1), z.number()]);

const IV_BYTES = 12;
const encoder = new TextEncoder();

async function deriveSealingKey(secret: string): Promise<CryptoKey> {
  const own = await deriveKey(secret, 'age-check');
  return crypto.subtle.importKey('raw', own, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/**
 * Returns the token that the browser carries to the checker: encrypted, and different each time.
 * @param secret AUTH_SECRET
 */
export async function encryptAgeCheckRequest(secret: string, request: AgeCheckRequest): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const plain = encoder.encode(JSON.stringify([request.userId, request.expiresAt]));
  const body = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await deriveSealingKey(secret), plain);
  const all = new Uint8Array(iv.length + body.byteLength);
  all.set(iv);
  all.set(new Uint8Array(body), iv.length);
  return btoa(String.fromCharCode(...all))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/**
 * Returns the request behind a token; null when the token is not ours, was changed or has expired.
 * @param secret AUTH_SECRET
 */
export async function decryptAgeCheckRequest(
  secret: string,
  token: string,
  now: number,
): Promise<AgeCheckRequest | null> {
  try {
    const all = Uint8Array.from(atob(token.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
      sign.charCodeAt(0),
    );
    const plain = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: all.slice(0, IV_BYTES) },
      await deriveSealingKey(secret),
      all.slice(IV_BYTES),
    );
    const [userId, expiresAt] = sealedRequestSchema.parse(JSON.parse(new TextDecoder().decode(plain)));
    return expiresAt <= now ? null : { userId, expiresAt };
  } catch {
    return null;
  }
}

/**
 * Computes a checker's signature of a result.
 * @param secret AGE_CHECK_SECRET
 */
export function signAgeCheckResult(
  secret: string,
  { request, outcome }: Pick<AgeCheckResult, 'request' | 'outcome'>,
): Promise<string> {
  return computeKeyedHash(secret, `${request}.${outcome}`);
}

/**
 * Whether a result is signed with the shared secret.
 * @param secret AGE_CHECK_SECRET
 */
export async function verifyAgeCheckResult(secret: string, result: AgeCheckResult): Promise<boolean> {
  return timingSafeEqual(result.signature, await signAgeCheckResult(secret, result));
}

import { computeKeyedHash, deriveKey } from '../../lib/hash.ts';

/** The identities that a user signs in with. */
export interface LoginIdentity {
  /** In the form that accounts store. */
  email: string | null;
  /** Google's ids for the user. */
  subjects: readonly string[];
}

/**
 * Returns the hashes under which the suspension of a deleted account is retained, and found at the next sign-in with
 * the same identity. HMAC-SHA-256 with a derived key, so the table reveals no address without the operator's secret.
 */
export async function computeSuspensionFingerprints(
  { email, subjects }: LoginIdentity,
  authSecret: string,
): Promise<string[]> {
  const key = await deriveKey(authSecret, 'kept suspensions');
  const identities = [
    ...(email === null ? [] : [`address ${email}`]),
    ...subjects.map((subject) => `google ${subject}`),
  ];
  return Promise.all(identities.map((way) => computeKeyedHash(key, way)));
}

import { computeKeyedHash, deriveKey } from '../../lib/hash.ts';

/** What somebody comes in by. */
export interface LoginIdentity {
  /** As accounts have it. */
  email: string | null;
  /** By which Google knows them. */
  subjects: readonly string[];
}

/**
 * The hashes under which the suspension of an account that goes is kept, and found when somebody comes in the same way:
 * HMAC-SHA-256 with a key of its own, so that without the operator's secret a table of them tells of no address.
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

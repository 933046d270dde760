import { computeHash } from '../../../lib/hash.ts';

/** Returns the database's id of a cookie's token: its hash. Null when the token is malformed. */
export async function computeSessionId(token: string): Promise<string | null> {
  return /^[0-9a-f]{64}$/.test(token) ? computeHash(token) : null;
}

import { computeHash, toHex } from '../../../lib/hash.ts';

const TOKEN_BYTES = 32;

/** Generates a token for the link that confirms a deletion. */
export const generateDeletionToken = (): string =>
  toHex(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)).buffer);

/**
 * Returns the value that is stored instead of a token: SHA-256 in hex. A token has as many random bits as the hash, so
 * a plain hash is enough.
 */
export const hashDeletionToken = (token: string): Promise<string> => computeHash(token);

/** Whether a typed address is the account's, ignoring case and surrounding blanks. */
export function isAccountEmail(input: string, email: string | null): boolean {
  return email !== null && input.trim().toLowerCase() === email;
}

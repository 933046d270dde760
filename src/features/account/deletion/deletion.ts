import { computeHash, toHex } from '../../../lib/hash.ts';

const TOKEN_BYTES = 32;

/** A fresh token for the link that confirms a deletion. */
export const generateDeletionToken = (): string =>
  toHex(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)).buffer);

/** What is stored in a token's place: SHA-256 in hex. A token is as long as its hash, so that a hash is enough. */
export const hashDeletionToken = (token: string): Promise<string> => computeHash(token);

/** Whether an address that was typed is an account's: without regard to case and to blanks around it. */
export function isAccountEmail(input: string, email: string | null): boolean {
  return email !== null && input.trim().toLowerCase() === email;
}

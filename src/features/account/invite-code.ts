import { INVITE } from './limits.ts';
import { TEXT_LIMITS } from '../../config/text-limits.ts';

const INVITE_CODE = new RegExp(`^[a-z0-9]{1,${TEXT_LIMITS.inviteCode}}$`);

/** Returns an invite code as it is sent and stored, trimmed and in lower case; null when the text cannot be a code. */
export function normalizeInviteCode(text: string): string | null {
  const code = text.trim().toLowerCase();
  return INVITE_CODE.test(code) ? code : null;
}

/** Digits and letters that are not mistaken for each other, spoken or on a screen. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';

/** Generates a code from a uniform distribution. */
export function generateInviteCode(): string {
  // Values above the last whole multiple would make the first letters more likely.
  const limit = Math.floor(256 / ALPHABET.length) * ALPHABET.length;
  let code = '';
  while (code.length < INVITE.codeChars) {
    for (const value of crypto.getRandomValues(new Uint8Array(INVITE.codeChars - code.length))) {
      if (value < limit) code += ALPHABET.charAt(value % ALPHABET.length);
    }
  }
  return code;
}

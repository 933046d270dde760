import { APPEAL_LIMITS } from '../safety/limits.ts';
import { computeHash, deriveKey } from '../../lib/hash.ts';
import type { RefusedPlace } from './appeal-contract.ts';
import { NO_EVIDENCE, type RefusalEvidence, normalizeExactText } from '../safety/evidence.ts';
import type { RefusalRule } from '../safety/moderation.ts';

/** A refused text and its user. */
export interface RefusedText {
  userId: string;
  place: RefusedPlace;
  rule: RefusalRule;
  text: string;
}

/** The context of a refusal. */
export interface RefusalContext {
  beside: RefusalEvidence;
  /** The parts of the text, if it consists of several. */
  parts?: readonly string[];
}

/** The evidence of an appealed text, as stored with its case. */
export interface StoredEvidence extends RefusalEvidence {
  /** Hashes of all texts that staff reads; a later refusal may combine them in any way. */
  read: string[];
}

/** Cuts a refused text to the length that staff reads. */
export const truncateRefusedText = (text: string): string =>
  text.slice(0, APPEAL_LIMITS.maxRefusedTextChars).toWellFormed();

const IV_BYTES = 12;

const deriveEncryptionKey = async (secret: string) =>
  crypto.subtle.importKey('raw', await deriveKey(secret, 'refused texts'), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);

/** Unpadded base64url. The 12-byte IV encodes to whole characters, so the two encodings can be joined. */
const encodeBase64Url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const decodeBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));

const encodeUtf8 = (text: string) => new TextEncoder().encode(text);

/** Binds a token to its user, place, rule, text and time: it does not decrypt for any other combination. */
const buildAdditionalData = ({ userId, place, rule, text }: RefusedText, at: string) =>
  encodeUtf8(JSON.stringify([userId, place, rule, at, normalizeExactText(text)]));

/**
 * Creates the token of a refusal. It proves later that this text was refused to this user, and with which evidence, while
 * the server stores nothing. Encrypted, because the evidence may contain text that the user may not read.
 * @param secret AUTH_SECRET
 */
export async function createAppealToken(
  secret: string,
  refused: RefusedText,
  now: number,
  { beside: evidence, parts = [] }: RefusalContext = { beside: NO_EVIDENCE },
): Promise<string> {
  const at = now.toString(36);
  const subject = { ...refused, text: truncateRefusedText(refused.text) };
  // If a lorebook has too many parts for one appeal, all of them are left out.
  const read = parts.length > APPEAL_LIMITS.maxEvidencePassages ? [] : await Promise.all(parts.map(hashText));
  const kept: StoredEvidence = { ...evidence, read };
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const algorithm = { name: 'AES-GCM', iv, additionalData: buildAdditionalData(subject, at) };
  const sealed = await crypto.subtle.encrypt(
    algorithm,
    await deriveEncryptionKey(secret),
    encodeUtf8(JSON.stringify(kept)),
  );
  return `${at}.${encodeBase64Url(iv)}${encodeBase64Url(new Uint8Array(sealed))}`;
}

/**
 * Verifies that this exact text was refused to this user and that the token has not expired.
 * @param secret AUTH_SECRET
 * @returns the evidence, or null
 */
export async function verifyAppealToken(
  secret: string,
  refused: RefusedText,
  { token, now }: { token: string; now: number },
): Promise<StoredEvidence | null> {
  const [at = '', sealed = ''] = token.split('.', 2);
  const age = now - Number.parseInt(at, 36);
  if (!(age >= 0 && age <= APPEAL_LIMITS.tokenLifetimeMs)) return null;
  try {
    const bytes = decodeBase64Url(sealed);
    const use = {
      name: 'AES-GCM',
      iv: bytes.slice(0, IV_BYTES),
      additionalData: buildAdditionalData(refused, at),
    };
    const decrypted = await crypto.subtle.decrypt(
      use,
      await deriveEncryptionKey(secret),
      bytes.slice(IV_BYTES),
    );
    return JSON.parse(new TextDecoder().decode(decrypted)) as StoredEvidence;
  } catch {
    return null;
  }
}

const hashText = async (text: string): Promise<string> => computeHash(normalizeExactText(text));

/**
 * Converts evidence for storage. Evidence that staff can read only partly stores no hashes, so a grant exempts nothing.
 */
export async function toStoredEvidence({
  read = [],
  ...evidence
}: RefusalEvidence & { read?: string[] }): Promise<StoredEvidence> {
  const hashes = await Promise.all(evidence.passages.map(({ text }) => hashText(text)));
  return { ...evidence, read: evidence.whole ? [...new Set([...read, ...hashes])] : [] };
}

/** Places whose text can also come from an imported file: an exemption for the import applies there too. */
const IMPORTABLE_PLACES: ReadonlySet<RefusedPlace> = new Set(['character', 'message']);

/**
 * Builds the query for an exemption of this text. A text that staff could read only partly has no exemption, nor has a
 * text together with passages that staff did not read.
 */
export async function buildRefusalCandidate(
  { userId, place, rule, text }: RefusedText,
  { beside: evidence, parts = [] }: RefusalContext = { beside: NO_EVIDENCE },
) {
  const isRead = text.length <= APPEAL_LIMITS.maxRefusedTextChars && evidence.whole;
  return {
    userId,
    places: IMPORTABLE_PLACES.has(place) ? [place, 'import'] : [place],
    rule,
    texts: isRead ? [...new Set([normalizeExactText(text), text])] : [],
    parts: await Promise.all(parts.map(hashText)),
    beside: await Promise.all(evidence.passages.map(({ text: passage }) => hashText(passage))),
  };
}

import { APPEAL_LIMITS } from '../safety/limits.ts';
import { computeHash, deriveKey } from '../../lib/hash.ts';
import type { RefusedPlace } from './appeal-contract.ts';
import { NO_EVIDENCE, type RefusalEvidence, normalizeExactText } from '../safety/evidence.ts';
import type { RefusalRule } from '../safety/moderation.ts';

/** A text that was refused to somebody. */
export interface RefusedText {
  userId: string;
  place: RefusedPlace;
  rule: RefusalRule;
  text: string;
}

/** What goes along with a refused text. */
export interface RefusalContext {
  beside: RefusalEvidence;
  /** The texts that it is made of, where they stand apart. */
  parts?: readonly string[];
}

/** What is known of a refused text that was appealed against, as its case keeps it. */
export interface StoredEvidence extends RefusalEvidence {
  /** Hashes of all that staff reads, text by text: any of them may stand where another one stood. */
  read: string[];
}

/** What is told of a refused text, and shown by whoever appeals: as much of it as staff reads. */
export const truncateRefusedText = (text: string): string =>
  text.slice(0, APPEAL_LIMITS.maxRefusedTextChars).toWellFormed();

const IV_BYTES = 12;

const deriveEncryptionKey = async (secret: string) =>
  crypto.subtle.importKey('raw', await deriveKey(secret, 'refused texts'), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);

/** As base64 that needs no escaping; the first twelve bytes leave no rest. */
const encodeBase64Url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const decodeBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));

const encodeUtf8 = (text: string) => new TextEncoder().encode(text);

/** Who, where, by which rule, which text and when: a token of anything else does not open. */
const buildAdditionalData = ({ userId, place, rule, text }: RefusedText, at: string) =>
  encodeUtf8(JSON.stringify([userId, place, rule, at, normalizeExactText(text)]));

/**
 * What a refusal gives along: by it the server knows later that it refused this text to this person, and beside what, and
 * keeps nothing of it meanwhile. It is sealed: what stands beside a text may not be its person's to read.
 * @param secret AUTH_SECRET
 */
export async function createAppealToken(
  secret: string,
  refused: RefusedText,
  now: number,
  { beside, parts = [] }: RefusalContext = { beside: NO_EVIDENCE },
): Promise<string> {
  const at = now.toString(36);
  const told = { ...refused, text: truncateRefusedText(refused.text) };
  // Of a large book that was refused page by page all pages go together, or not at all.
  const read = parts.length > APPEAL_LIMITS.maxEvidencePassages ? [] : await Promise.all(parts.map(hashText));
  const kept: StoredEvidence = { ...beside, read };
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const algorithm = { name: 'AES-GCM', iv, additionalData: buildAdditionalData(told, at) };
  const sealed = await crypto.subtle.encrypt(
    algorithm,
    await deriveEncryptionKey(secret),
    encodeUtf8(JSON.stringify(kept)),
  );
  return `${at}.${encodeBase64Url(iv)}${encodeBase64Url(new Uint8Array(sealed))}`;
}

/**
 * Whether this very text was refused to them, and not too long ago.
 * @param secret AUTH_SECRET
 * @returns what it was refused beside; null where it was not
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

/** What an appeal keeps of what a text was refused beside. What staff could read no more than a part of stands for nothing. */
export async function toStoredEvidence({
  read = [],
  ...beside
}: RefusalEvidence & { read?: string[] }): Promise<StoredEvidence> {
  const hashes = await Promise.all(beside.passages.map(({ text }) => hashText(text)));
  return { ...beside, read: beside.whole ? [...new Set([...read, ...hashes])] : [] };
}

/** What was brought as a file may have been let by as that: it is the same text where it stands then. */
const IMPORTABLE_PLACES: ReadonlySet<RefusedPlace> = new Set(['character', 'message']);

/**
 * By what a granted appeal against this text is found. What staff could read no more than a part of is let by nowhere, nor
 * is a text beside what staff did not read with it.
 */
export async function buildRefusalCandidate(
  { userId, place, rule, text }: RefusedText,
  { beside, parts = [] }: RefusalContext = { beside: NO_EVIDENCE },
) {
  const isRead = text.length <= APPEAL_LIMITS.maxRefusedTextChars && beside.whole;
  return {
    userId,
    places: IMPORTABLE_PLACES.has(place) ? [place, 'import'] : [place],
    rule,
    texts: isRead ? [...new Set([normalizeExactText(text), text])] : [],
    parts: await Promise.all(parts.map(hashText)),
    beside: await Promise.all(beside.passages.map(({ text: passage }) => hashText(passage))),
  };
}

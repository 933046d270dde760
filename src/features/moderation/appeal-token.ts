import { APPEALS } from '../safety/limits.ts';
import { computeHash, deriveKey } from '../../lib/hash.ts';
import type { RefusedPlace } from './appeal-contract.ts';
import { ALONE, type Beside, exactText } from '../safety/evidence.ts';
import type { RefusalRule } from '../safety/moderation.ts';

/** A text that was refused to somebody. */
export interface RefusedText {
  userId: string;
  place: RefusedPlace;
  rule: RefusalRule;
  text: string;
}

/** What goes along with a refused text. */
export interface RefusedBeside {
  beside: Beside;
  /** The texts that it is made of, where they stand apart. */
  parts?: readonly string[];
}

/** What is known of a refused text that was appealed against, as its case keeps it. */
export interface KeptBeside extends Beside {
  /** Hashes of all that staff reads, text by text: any of them may stand where another one stood. */
  read: string[];
}

/** What is told of a refused text, and shown by whoever appeals: as much of it as staff reads. */
export const toldText = (text: string): string => text.slice(0, APPEALS.refusedChars).toWellFormed();

const IV_BYTES = 12;

const keyOf = async (secret: string) =>
  crypto.subtle.importKey('raw', await deriveKey(secret, 'refused texts'), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);

/** As base64 that needs no escaping; the first twelve bytes leave no rest. */
const asText = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const asBytes = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Who, where, by which rule, which text and when: a token of anything else does not open. */
const madeFor = ({ userId, place, rule, text }: RefusedText, at: string) =>
  bytesOf(JSON.stringify([userId, place, rule, at, exactText(text)]));

/**
 * What a refusal gives along: by it the server knows later that it refused this text to this person, and beside what, and
 * keeps nothing of it meanwhile. It is sealed: what stands beside a text may not be its person's to read.
 * @param secret AUTH_SECRET
 */
export async function appealToken(
  secret: string,
  refused: RefusedText,
  now: number,
  { beside, parts = [] }: RefusedBeside = { beside: ALONE },
): Promise<string> {
  const at = now.toString(36);
  const told = { ...refused, text: toldText(refused.text) };
  // Of a large book that was refused page by page all pages go together, or not at all.
  const read = parts.length > APPEALS.besidePassages ? [] : await Promise.all(parts.map(hashedText));
  const kept: KeptBeside = { ...beside, read };
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const use = { name: 'AES-GCM', iv, additionalData: madeFor(told, at) };
  const sealed = await crypto.subtle.encrypt(use, await keyOf(secret), bytesOf(JSON.stringify(kept)));
  return `${at}.${asText(iv)}${asText(new Uint8Array(sealed))}`;
}

/**
 * Whether this very text was refused to them, and not too long ago.
 * @param secret AUTH_SECRET
 * @returns what it was refused beside; null where it was not
 */
export async function wasRefused(
  secret: string,
  refused: RefusedText,
  { token, now }: { token: string; now: number },
): Promise<KeptBeside | null> {
  const [at = '', sealed = ''] = token.split('.', 2);
  const age = now - Number.parseInt(at, 36);
  if (!(age >= 0 && age <= APPEALS.tokenMs)) return null;
  try {
    const bytes = asBytes(sealed);
    const use = {
      name: 'AES-GCM',
      iv: bytes.slice(0, IV_BYTES),
      additionalData: madeFor(refused, at),
    };
    const opened = await crypto.subtle.decrypt(use, await keyOf(secret), bytes.slice(IV_BYTES));
    return JSON.parse(new TextDecoder().decode(opened)) as KeptBeside;
  } catch {
    return null;
  }
}

const hashedText = async (text: string): Promise<string> => computeHash(exactText(text));

/** What an appeal keeps of what a text was refused beside. What staff could read no more than a part of stands for nothing. */
export async function keptBeside({
  read = [],
  ...beside
}: Beside & { read?: string[] }): Promise<KeptBeside> {
  const hashes = await Promise.all(beside.passages.map(({ text }) => hashedText(text)));
  return { ...beside, read: beside.whole ? [...new Set([...read, ...hashes])] : [] };
}

/** What was brought as a file may have been let by as that: it is the same text where it stands then. */
const BROUGHT: ReadonlySet<RefusedPlace> = new Set(['character', 'message']);

/**
 * By what a granted appeal against this text is found. What staff could read no more than a part of is let by nowhere, nor
 * is a text beside what staff did not read with it.
 */
export async function grantOf(
  { userId, place, rule, text }: RefusedText,
  { beside, parts = [] }: RefusedBeside = { beside: ALONE },
) {
  const isRead = text.length <= APPEALS.refusedChars && beside.whole;
  return {
    userId,
    places: BROUGHT.has(place) ? [place, 'import'] : [place],
    rule,
    texts: isRead ? [...new Set([exactText(text), text])] : [],
    parts: await Promise.all(parts.map(hashedText)),
    beside: await Promise.all(beside.passages.map(({ text: passage }) => hashedText(passage))),
  };
}

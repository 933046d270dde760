import { APPEALS } from '../../config.ts';
import { equalInConstantTime, keyedHash, ownKey } from '../hash.ts';
import type { RefusedPlace } from './appeal-contract.ts';
import type { RefusalRule } from './moderation.ts';

/** A text that was refused to somebody. */
export interface RefusedText {
  userId: string;
  place: RefusedPlace;
  rule: RefusalRule;
  text: string;
}

/** What is told of a refused text, and shown by whoever appeals: as much of it as staff reads. */
export const toldText = (text: string): string => text.slice(0, APPEALS.refusedChars).toWellFormed();

/** The same text, however a browser or a keyboard wrote it: nothing of what it says is another. */
export const exactText = (text: string): string =>
  text.toWellFormed().normalize('NFC').replaceAll(/\r\n?/g, '\n').trim();

async function sign(secret: string, { userId, place, rule, text }: RefusedText, at: string): Promise<string> {
  const key = await ownKey(secret, 'refused texts');
  return keyedHash(key, JSON.stringify([userId, place, rule, at, exactText(text)]));
}

/**
 * What a refusal gives along: by it the server knows later that it refused this text to this person, and keeps nothing of
 * it meanwhile.
 * @param secret AUTH_SECRET
 */
export async function appealToken(secret: string, refused: RefusedText, now: number): Promise<string> {
  const at = now.toString(36);
  return `${at}.${await sign(secret, { ...refused, text: toldText(refused.text) }, at)}`;
}

/** Whether this very text was refused to them, and not too long ago. @param secret AUTH_SECRET */
export async function wasRefused(
  secret: string,
  refused: RefusedText,
  { token, now }: { token: string; now: number },
): Promise<boolean> {
  const [at = '', mac = ''] = token.split('.', 2);
  const age = now - Number.parseInt(at, 36);
  if (!(age >= 0 && age <= APPEALS.tokenMs)) return false;
  return equalInConstantTime(mac, await sign(secret, refused, at));
}

/**
 * By what a granted appeal against this text is found. What staff could read no more than a part of is let by nowhere; a
 * character that was brought as a card is the same one when it is made.
 */
export const grantOf = ({ userId, place, rule, text }: RefusedText) => ({
  userId,
  places: place === 'character' ? ['character', 'import'] : [place],
  rule,
  texts: text.length > APPEALS.refusedChars ? [] : [...new Set([exactText(text), text])],
});

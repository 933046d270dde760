import { timingSafeEqual } from '../../lib/timing-safe-equal.ts';
import { computeKeyedHash, deriveKey } from '../../lib/hash.ts';
import { MAIL_LISTS, type MailList } from './contract.ts';

/** The user and the list of an unsubscribe link. */
export interface Unsubscription {
  userId: string;
  list: MailList;
}

async function computeSignature(secret: string, { userId, list }: Unsubscription): Promise<string> {
  return computeKeyedHash(await deriveKey(secret, 'unsubscribe'), `${list}\n${userId}`);
}

/**
 * Creates the token of an unsubscribe link. It is not stored and never expires, because a mail may be opened years later.
 */
export async function createUnsubscribeToken(secret: string, about: Unsubscription): Promise<string> {
  return `${about.list}.${about.userId}.${await computeSignature(secret, about)}`;
}

/** Verifies a token; null when it is invalid. */
export async function parseUnsubscribeToken(secret: string, token: string): Promise<Unsubscription | null> {
  const [name, userId = '', signature = '', ...more] = token.split('.');
  const list = MAIL_LISTS.find((one) => one === name);
  if (list === undefined || userId === '' || more.length > 0) return null;
  const about = { userId, list };
  return timingSafeEqual(signature, await computeSignature(secret, about)) ? about : null;
}

/** The unsubscribe URL: a page for people, and the one-click endpoint for mail programs. */
export function buildUnsubscribeUrl(site: string, token: string): string {
  return `${site}/unsubscribe?token=${encodeURIComponent(token)}`;
}

import { timingSafeEqual } from '../../lib/timing-safe-equal.ts';
import { computeKeyedHash, deriveKey } from '../../lib/hash.ts';
import { MAIL_LISTS, type MailList } from './contract.ts';

/** Whose mails of which list a link ends. */
export interface Unsubscription {
  userId: string;
  list: MailList;
}

async function computeSignature(secret: string, { userId, list }: Unsubscription): Promise<string> {
  return computeKeyedHash(await deriveKey(secret, 'unsubscribe'), `${list}\n${userId}`);
}

/** What a mail's way out carries. It is stored nowhere and stays good: a mail may be opened years later. */
export async function createUnsubscribeToken(secret: string, about: Unsubscription): Promise<string> {
  return `${about.list}.${about.userId}.${await computeSignature(secret, about)}`;
}

/** Who wants no more of what, or null for a text that is no token of ours. */
export async function parseUnsubscribeToken(secret: string, token: string): Promise<Unsubscription | null> {
  const [name, userId = '', signature = '', ...more] = token.split('.');
  const list = MAIL_LISTS.find((one) => one === name);
  if (list === undefined || userId === '' || more.length > 0) return null;
  const about = { userId, list };
  return timingSafeEqual(signature, await computeSignature(secret, about)) ? about : null;
}

/** The address that ends the mails of a list: a page for people, and one click for mail programs. */
export function buildUnsubscribeUrl(site: string, token: string): string {
  return `${site}/unsubscribe?token=${encodeURIComponent(token)}`;
}

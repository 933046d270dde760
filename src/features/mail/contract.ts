import { z } from 'zod';

/** Where the product is, for the links of a mail: `https://example.org`. */
const site = z
  .url({ protocol: /^https?$/ })
  .refine((url) => URL.canParse(url) && new URL(url).origin === url, 'An origin, without a path');
const plan = z.string().min(1).max(40);
const cents = z.number().int().nonnegative();
/** A moment, in ms. */
const timestampMs = z.number().int().nonnegative();

/** What each kind of mail tells. */
export const MAIL_DETAILS = {
  /** Sent while its reader waits, and never kept: a code in a table could be read there. */
  login_code: z.strictObject({ code: z.string() }),
  deletion_link: z.strictObject({ site, token: z.string().min(1) }),
  deletion_done: z.union([
    z.strictObject({ site }),
    /** With what PayPal confirms of a membership, which nobody can look up here any more. */
    z.strictObject({
      site,
      subscription: z.string().min(1).max(100),
      status: z.enum(['cancelled', 'expired']),
      paid_until: timestampMs,
    }),
  ]),
  membership_started: z.strictObject({ site, plan, price_cents: cents, until: timestampMs }),
  /** Of one that begins later: `until` is when. */
  membership_agreed: z.strictObject({ site, plan, price_cents: cents, until: timestampMs }),
  membership_renewed: z.strictObject({ site, plan, price_cents: cents, until: timestampMs }),
  membership_failed: z.strictObject({ site, plan, price_cents: cents, until: timestampMs }),
  /** Of one that nothing is paid for any more: `until` was when that ended. */
  membership_unpaid: z.strictObject({ site, plan, price_cents: cents, until: timestampMs }),
  membership_ended: z.strictObject({ site, plan }),
  first_commission: z.strictObject({ site, amount_cents: cents }),
  /**
   * `names` are of characters, one a line: that is where a name can have no part. They are told as they are when the mail
   * goes out, by their `ids`.
   */
  marketing: z.strictObject({ site, names: z.string().min(1), ids: z.string().min(1) }),
} as const;

export type MailKind = keyof typeof MAIL_DETAILS;
export type MailDetails<Kind extends MailKind> = z.infer<(typeof MAIL_DETAILS)[Kind]>;
/** What waits in the outbox. */
export type QueuedMailKind = Exclude<MailKind, 'login_code'>;

export function isMailKind(text: string): text is MailKind {
  return Object.hasOwn(MAIL_DETAILS, text);
}

/** What one can be without: each has a switch in the account and a way out in its mails. */
export const MAIL_LISTS = ['notifications', 'marketing'] as const;
export type MailList = (typeof MAIL_LISTS)[number];

/**
 * The list that a kind belongs to; the others go out in any case: they are asked for, or tell of a contract and of money
 * that is due.
 */
export const MAIL_LISTS_BY_KIND: Partial<Record<MailKind, MailList>> = {
  membership_renewed: 'notifications',
  first_commission: 'notifications',
  marketing: 'marketing',
};

/** As long as any link of ours; what is longer is none. */
const MAX_TOKEN_CHARS = 200;

export const unsubscribeQuery = z.object({ token: z.string().max(MAX_TOKEN_CHARS) });

export const unsubscribeResponse = z.object({ list: z.enum(MAIL_LISTS), subscribed: z.literal(false) });

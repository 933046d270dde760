import { z } from 'zod';

/** The site's origin, for links in mails: `https://example.org`. */
const site = z
  .url({ protocol: /^https?$/ })
  .refine((url) => URL.canParse(url) && new URL(url).origin === url, 'An origin, without a path');
const plan = z.string().min(1).max(40);
const cents = z.number().int().nonnegative();
/** A point in time in ms. */
const timestampMs = z.number().int().nonnegative();

/** The variables of each kind of mail. */
export const MAIL_VARIABLES = {
  /** Sent immediately and never queued, because a stored code could be read from the table. */
  login_code: z.strictObject({ code: z.string() }),
  /** Sent immediately as well; its address may belong to no account. */
  browser_link: z.strictObject({ site, mark: z.string().min(1) }),
  deletion_link: z.strictObject({ site, token: z.string().min(1) }),
  deletion_done: z.union([
    z.strictObject({ site }),
    /** Includes PayPal's confirmation of a membership, because the account can no longer show it. */
    z.strictObject({
      site,
      subscription: z.string().min(1).max(100),
      status: z.enum(['cancelled', 'expired']),
      paid_until: timestampMs,
    }),
  ]),
  membership_started: z.strictObject({ site, plan, price_cents: cents, until: timestampMs }),
  /** For a membership that starts later; `until` is its start. */
  membership_agreed: z.strictObject({ site, plan, price_cents: cents, until: timestampMs }),
  membership_renewed: z.strictObject({ site, plan, price_cents: cents, until: timestampMs }),
  membership_failed: z.strictObject({ site, plan, price_cents: cents, until: timestampMs }),
  /** For a membership whose payments stopped; `until` is when it ended. */
  membership_unpaid: z.strictObject({ site, plan, price_cents: cents, until: timestampMs }),
  membership_ended: z.strictObject({ site, plan }),
  first_commission: z.strictObject({ site, amount_cents: cents }),
  /**
   * `names` are character names, one per line, because a name cannot contain a line break. They are refreshed by `ids`
   * when the mail is sent.
   */
  marketing: z.strictObject({ site, names: z.string().min(1), ids: z.string().min(1) }),
} as const;

export type MailKind = keyof typeof MAIL_VARIABLES;
export type MailVariables<Kind extends MailKind> = z.infer<(typeof MAIL_VARIABLES)[Kind]>;
/** Mails sent through the outbox. */
export type QueuedMailKind = Exclude<MailKind, 'login_code' | 'browser_link'>;

export function isMailKind(text: string): text is MailKind {
  return Object.hasOwn(MAIL_VARIABLES, text);
}

/** Optional mails. Each list has a switch in the account and an unsubscribe link in its mails. */
export const MAIL_LISTS = ['notifications', 'marketing'] as const;
export type MailList = (typeof MAIL_LISTS)[number];

/**
 * The list of each optional kind. All others are always sent: users requested them, or they concern a contract or money.
 */
export const MAIL_LISTS_BY_KIND: Partial<Record<MailKind, MailList>> = {
  membership_renewed: 'notifications',
  first_commission: 'notifications',
  marketing: 'marketing',
};

/** Longer than any token the product creates. */
const MAX_TOKEN_CHARS = 200;

export const unsubscribeQuery = z.object({ token: z.string().max(MAX_TOKEN_CHARS) });

export const unsubscribeResponse = z.object({ list: z.enum(MAIL_LISTS), subscribed: z.literal(false) });

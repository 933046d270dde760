import { BRAND } from '../config/brand.ts';
import { DELETION_LINK, LOGIN_CODE } from '../features/account/limits.ts';
import { type Language } from '../config/languages.ts';
import type { MailVariables, MailKind } from '../features/mail/contract.ts';
import { renderMail, type MailText } from '../features/mail/mail-layout.ts';
import { formatDate, formatList, formatMoney } from '../locales/format.ts';
import type { Translate } from '../locales/i18n.ts';
import type { Mail } from '../vendors/mail.ts';

type MailContent = Pick<MailText, 'subject' | 'paragraphs'> &
  Partial<Pick<MailText, 'code' | 'rest' | 'footer'>> & { button?: { label: string; url: string } };

/** Renders each kind of mail in the reader's language. */
const MAIL_RENDERERS: {
  [Kind in MailKind]: (t: Translate, variables: MailVariables<Kind>, language: Language) => MailContent;
} = {
  login_code: (t, { code }) => ({
    subject: t('mail:login_code.subject', { code }),
    paragraphs: [t('mail:login_code.lead')],
    code,
    rest: [
      t('mail:login_code.validity', { minutes: LOGIN_CODE.lifetimeMs / 60_000 }),
      t('mail:login_code.not_you'),
    ],
  }),
  browser_link: (t, { site, mark }) => ({
    subject: t('mail:browser_link.subject'),
    paragraphs: [t('mail:browser_link.lead')],
    button: {
      label: t('mail:browser_link.button'),
      url: `${site}/login?browser=${encodeURIComponent(mark)}`,
    },
    rest: [t('mail:browser_link.not_you')],
  }),
  deletion_link: (t, { site, token }) => ({
    subject: t('mail:deletion_link.subject'),
    paragraphs: [t('mail:deletion_link.lead')],
    button: {
      label: t('mail:deletion_link.button'),
      url: `${site}/delete-account?token=${encodeURIComponent(token)}`,
    },
    rest: [
      t('mail:deletion_link.validity', { hours: DELETION_LINK.lifetimeMs / 3_600_000 }),
      t('mail:deletion_link.not_you'),
    ],
    footer: [t('mail:why_account')],
  }),
  deletion_done: (t, { site, ...ended }, language) => ({
    subject: t('mail:deletion_done.subject'),
    paragraphs: [
      t('mail:deletion_done.lead'),
      ...('subscription' in ended
        ? [
            t(`mail:deletion_done.${ended.status}`, {
              id: ended.subscription,
              date: formatDay(ended.paid_until, language),
            }),
          ]
        : []),
      t('mail:deletion_done.payment_records', { url: `${site}/privacy` }),
    ],
    footer: [t('mail:deletion_done.last')],
  }),
  membership_started: (t, { site, plan, price_cents, until }, language) => ({
    subject: t('mail:membership_started.subject', { plan }),
    paragraphs: [
      t('mail:membership_started.lead', { plan }),
      t('mail:membership_started.terms', {
        price: formatMoney(price_cents, language),
        date: formatDay(until, language),
      }),
    ],
    button: { label: t('mail:membership_button'), url: `${site}/membership` },
    footer: [t('mail:why_account')],
  }),
  membership_agreed: (t, { site, plan, price_cents, until }, language) => {
    const date = formatDay(until, language);
    return {
      subject: t('mail:membership_agreed.subject', { plan, date }),
      paragraphs: [
        t('mail:membership_agreed.lead', { plan, date }),
        t('mail:membership_agreed.terms', { price: formatMoney(price_cents, language) }),
      ],
      button: { label: t('mail:membership_button'), url: `${site}/membership` },
      footer: [t('mail:why_account')],
    };
  },
  membership_renewed: (t, { site, plan, price_cents, until }, language) => ({
    subject: t('mail:membership_renewed.subject', { plan }),
    paragraphs: [
      t('mail:membership_renewed.lead', {
        plan,
        price: formatMoney(price_cents, language),
        date: formatDay(until, language),
      }),
    ],
    button: { label: t('mail:membership_button'), url: `${site}/membership` },
    footer: [t('mail:why_notifications')],
  }),
  membership_failed: (t, { site, plan, price_cents, until }, language) => ({
    subject: t('mail:membership_failed.subject', { plan }),
    paragraphs: [
      t('mail:membership_failed.lead', { plan, price: formatMoney(price_cents, language) }),
      t('mail:membership_failed.until', { date: formatDay(until, language) }),
    ],
    button: { label: t('mail:membership_button'), url: `${site}/membership` },
    footer: [t('mail:why_account')],
  }),
  membership_unpaid: (t, { site, plan, price_cents }, language) => ({
    subject: t('mail:membership_failed.subject', { plan }),
    paragraphs: [
      t('mail:membership_failed.lead', { plan, price: formatMoney(price_cents, language) }),
      t('mail:membership_failed.paused'),
    ],
    button: { label: t('mail:membership_button'), url: `${site}/membership` },
    footer: [t('mail:why_account')],
  }),
  membership_ended: (t, { site, plan }) => ({
    subject: t('mail:membership_ended.subject', { plan }),
    paragraphs: [t('mail:membership_ended.lead', { plan }), t('mail:membership_ended.content_kept')],
    button: { label: t('mail:membership_button'), url: `${site}/membership` },
    footer: [t('mail:why_account')],
  }),
  first_commission: (t, { site, amount_cents }, language) => {
    const amount = formatMoney(amount_cents, language);
    return {
      subject: t('mail:first_commission.subject', { amount }),
      paragraphs: [t('mail:first_commission.lead', { amount }), t('mail:first_commission.list')],
      button: { label: t('mail:first_commission.button'), url: `${site}/account` },
      footer: [t('mail:why_notifications')],
    };
  },
  marketing: (t, { site, names }, language) => ({
    subject: t('mail:marketing.subject'),
    paragraphs: [t('mail:marketing.lead', { names: formatList(names.split('\n'), language) })],
    button: { label: t('mail:marketing.button'), url: `${site}/${language}/discover` },
    footer: [t('mail:why_marketing')],
  }),
};

/** Days are in UTC, because a mail does not know its reader's time zone. */
const formatDay = (moment: number, language: Language): string =>
  formatDate(moment, language, { zone: 'UTC' });

/**
 * Builds a mail in its reader's language, as text and HTML.
 * @param t the language's translator
 * @param wayOut the unsubscribe address of its mailing list; null for mandatory mails
 */
export function buildMail<Kind extends MailKind>(
  kind: Kind,
  variables: MailVariables<Kind>,
  { language, t, wayOut }: { language: Language; t: Translate; wayOut: string | null },
): Omit<Mail, 'to'> {
  const { button, ...written } = MAIL_RENDERERS[kind](t, variables, language);
  return {
    ...renderMail({
      ...written,
      language,
      brand: BRAND.name,
      greeting: t('mail:greeting'),
      ...(button === undefined ? {} : { button: { ...button, fallbackText: t('mail:button_fallback') } }),
      ...(wayOut === null ? {} : { unsubscribeLink: { label: t('mail:unsubscribe'), url: wayOut } }),
    }),
    headers: {
      'Content-Language': language,
      // Prevents automatic replies (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(wayOut === null
        ? {}
        : { 'List-Unsubscribe': `<${wayOut}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
  };
}

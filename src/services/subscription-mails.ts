import type { BatchItem } from 'drizzle-orm/batch';
import { DEFAULT_LANGUAGE } from '../config/languages.ts';
import type { Database } from '../db/open.ts';
import { PLAN_NAMES } from '../features/billing/plans.ts';
import type { computeSettlement, MembershipMail } from '../features/billing/settlement.ts';
import type {
  LoadedSubscriptionState,
  PayerAndInviter,
} from '../features/billing/subscription-state-store.ts';
import type { MailVariables } from '../features/mail/contract.ts';
import { insertMailStatement } from '../features/mail/mail-store.ts';
import { parseLanguage } from '../locales/detect.ts';

/** Builds the mails of a reconciliation to the payer and the inviter. */
export function buildMailStatements(
  { db, site }: { db: Database; site: string | null },
  {
    people: { payer, inviter },
    news,
    shares,
    plan,
    now,
  }: {
    people: PayerAndInviter;
    news: readonly MembershipMail[];
    shares: ReturnType<typeof computeSettlement>['shares'];
    plan: LoadedSubscriptionState['row']['plan'];
    now: number;
  },
): BatchItem<'sqlite'>[] {
  if (site === null) return [];
  const mails: BatchItem<'sqlite'>[] = [];
  const language = (known: string | null) => parseLanguage(known) ?? DEFAULT_LANGUAGE;
  if (payer.email !== null) {
    const to = { userId: payer.id, address: payer.email, language: language(payer.language), now };
    for (const { kind, dedupeKey, cents, at } of news) {
      const variables: MailVariables<'membership_started'> = {
        site,
        plan: PLAN_NAMES[plan],
        price_cents: cents,
        until: at,
      };
      mails.push(insertMailStatement(db, { ...to, kind, variables, dedupeKey }));
    }
  }
  const first = shares.find(({ change }) => change.do === 'begin')?.change;
  if (first?.do === 'begin' && inviter?.isFirst === true && inviter.email !== null) {
    const to = { userId: inviter.id, address: inviter.email, language: language(inviter.language), now };
    const variables = { site, amount_cents: first.amountCents };
    mails.push(insertMailStatement(db, { ...to, kind: 'first_commission', variables, dedupeKey: 'first' }));
  }
  return mails;
}

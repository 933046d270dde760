import type { BatchItem } from 'drizzle-orm/batch';
import { BILLING, DEFAULT_LANGUAGE } from '../config.ts';
import type { Database } from '../db/open.ts';
import type { Environment } from '../environment.ts';
import { type Offer, refusalOf } from '../features/billing/activation.ts';
import {
  beginSubscription,
  isAccount,
  keepAsked,
  paidTwice,
  type People,
  peopleOf,
  readBooks,
  type ReadBooks,
  wentBackOf,
  writeBooks,
} from '../features/billing/books-store.ts';
import { commissionToPut } from '../features/billing/commission-store.ts';
import { awaitsPayment, dropEvents } from '../features/billing/payment-event-store.ts';
import type {
  CompanyPayment,
  CompanySubscription,
  PaymentCompany,
} from '../features/billing/payment-company.ts';
import { PLAN_NAMES } from '../features/billing/plans.ts';
import { paymentsIn, settlementOf, type Told } from '../features/billing/settlement.ts';
import type { SubscriptionStatus } from '../features/billing/subscription-rules.ts';
import { readBusiness } from '../features/business/business-ports.ts';
import type { Business } from '../features/business/contract.ts';
import type { MailDetails } from '../features/mail/contract.ts';
import { mailToPut } from '../features/mail/mail-store.ts';
import { knownLanguage } from '../locales/detect.ts';
import { payPalCompany } from './payment-company.ts';

/** What the books are settled with. */
export interface Cashier {
  db: Database;
  company: PaymentCompany;
  business: Business;
  /** Null where none is for sale. */
  offer: Offer | null;
  /** For the links of mails; without it none goes out. */
  site: string | null;
}

/** Who settles the books of a deployment; null where it has no payment company. */
export async function openCashier(
  env: Pick<Env, 'KV'>,
  db: Database,
  { paypal, siteUrl }: Pick<Environment, 'paypal' | 'siteUrl'>,
): Promise<(Cashier & { paypal: NonNullable<Environment['paypal']> }) | null> {
  if (paypal === undefined) return null;
  const business = await readBusiness(env);
  const planId = business.storyteller_paypal_plan ?? paypal.planStoryteller;
  return {
    db,
    paypal,
    company: payPalCompany(paypal),
    business,
    offer: planId === undefined ? null : { planId, priceCents: business.storyteller_price_cents },
    site: siteUrl ?? null,
  };
}

/** The company did not answer, or others wrote all the time: it is to be tried again. */
export class NotSettled extends Error {
  override name = 'NotSettled';
}

/** `nobodys`: it concerns nobody here. */
export type Settled = 'settled' | 'nobodys';

/** Of several who write about one person at once, each but one begins anew. */
const MAX_ROUNDS = 6;

/** What is the matter with the books, for the log: never whose they are. */
export function tellOfBooks(event: string, reason: string): void {
  console.error(JSON.stringify({ event, reason }));
}

/**
 * Asks the company how things are with a subscription, and sets the books by its answer: the subscription, what was paid
 * for it, what inviters are owed, and the plan of whoever has it. Harmless to repeat, in any order, at any time.
 * @param begun what the company has just said of one that nothing is written down of yet
 * @throws NotSettled
 */
export async function settle(cashier: Cashier, id: string, begun?: CompanySubscription): Promise<Settled> {
  let known = begun;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { db, company } = cashier;
    const read = await readBooks(db, id);
    // Only where nobody wrote since is what was told before still the newest.
    if (read?.row.checkedAt !== 0) known = undefined;
    const now = Date.now();
    const [told, listed] = await Promise.all([
      known ?? ask(cashier, id),
      company.payments(id, { from: now - BILLING.lookBackMs, to: now }),
    ]);
    if (told === null) {
      await keepAsked(db, id, now);
      if (read !== null) tellOfBooks('subscription_unknown', 'the company does not know it');
      return read === null ? 'nobodys' : 'settled';
    }
    if (read === null) {
      if (!(await begin(cashier, told))) return 'nobodys';
      known = told;
    } else if (await write(cashier, read, { told, listed: listed.ok ? listed.payments : [], now })) {
      await endOthers(cashier, read.row.userId);
      return 'settled';
    }
  }
  throw new NotSettled('others wrote all the time');
}

/** @returns null for one that the company does not know. */
async function ask({ company }: Cashier, id: string): Promise<CompanySubscription | null> {
  const answer = await company.show(id);
  if (answer.ok) return answer.subscription;
  if (answer.code === 'unknown') return null;
  throw new NotSettled(answer.reason);
}

/**
 * Begins the books of a subscription that the company told of before its owner did: the browser that agreed to it may
 * have been closed. @returns false when it is nobody's membership
 */
async function begin({ db, offer }: Cashier, told: CompanySubscription): Promise<boolean> {
  const { id, customId, status } = told;
  const isOurs = offer !== null && customId !== null && (await isAccount(db, customId));
  const refusal = isOurs ? refusalOf(told, { userId: customId, offer, isToBeActive: false }) : null;
  if (isOurs && refusal === null && status !== 'pending') {
    await beginSubscription(db, { id, userId: customId, plan: 'storyteller', status, now: Date.now() });
    return true;
  }
  // Money came, and the company does not call it begun yet: that is asked again.
  if (status === 'pending' && isOurs && (await awaitsPayment(db, id))) throw new NotSettled('it is pending');
  if (refusal !== null && refusal !== 'subscription_not_active') tellOfBooks('subscription_refused', refusal);
  await dropEvents(db, id, Date.now());
  return false;
}

async function write(
  cashier: Cashier,
  read: ReadBooks,
  { told, listed, now }: { told: CompanySubscription; listed: readonly CompanyPayment[]; now: number },
): Promise<boolean> {
  const { db, business } = cashier;
  const { row } = read;
  const people = await peopleOf(db, row.userId);
  if (people === null) return false;
  // Where the company gives no list, events and what it says of the last payment are enough.
  const paid = [...paymentsIn(read.told), ...listed];
  const paymentIds = [...new Set([...read.payments, ...paid].map((payment) => payment.id))];
  const back = await wentBackOf(db, paymentIds);
  // One that began here is never less than that: PayPal calls nothing so that ran before.
  const status: SubscriptionStatus = told.status === 'pending' ? row.status : told.status;
  const { inviter } = people;
  const {
    shares,
    told: news,
    ...settlement
  } = settlementOf(
    read,
    { ...told, status },
    { paid, back, business, inviterSince: inviter === null ? null : (inviter.invitedAt ?? 0), now },
  );
  return writeBooks(db, read, {
    settlement: {
      ...settlement,
      lookedAt: { paymentIds, refunds: back.length },
      more: [
        ...shares.flatMap((share) =>
          commissionToPut(db, share, {
            row,
            inviterId: inviter?.id ?? null,
            commissions: read.commissions,
            now,
          }),
        ),
        ...mailsOf(cashier, { people, news, shares, until: settlement.books.periodEnd, plan: row.plan, now }),
      ],
    },
    now,
  });
}

/** The mails of a settling, to whoever pays and to who invited them. */
function mailsOf(
  { db, site, business }: Cashier,
  {
    people: { payer, inviter },
    news,
    shares,
    until,
    plan,
    now,
  }: {
    people: People;
    news: readonly Told[];
    shares: ReturnType<typeof settlementOf>['shares'];
    until: number;
    plan: ReadBooks['row']['plan'];
    now: number;
  },
): BatchItem<'sqlite'>[] {
  if (site === null) return [];
  const mails: BatchItem<'sqlite'>[] = [];
  const language = (known: string | null) => knownLanguage(known) ?? DEFAULT_LANGUAGE;
  if (payer.email !== null) {
    const to = { userId: payer.id, address: payer.email, language: language(payer.language), now };
    for (const one of news) {
      const details: MailDetails<'membership_started'> = {
        site,
        plan: PLAN_NAMES[plan],
        price_cents: 'cents' in one ? one.cents : business.storyteller_price_cents,
        until,
      };
      mails.push(mailToPut(db, { ...to, kind: one.kind, details, about: one.about }));
    }
  }
  const first = shares.find(({ change }) => change.do === 'begin')?.change;
  if (first?.do === 'begin' && inviter?.isFirst === true && inviter.email !== null) {
    const to = { userId: inviter.id, address: inviter.email, language: language(inviter.language), now };
    const details = { site, amount_cents: first.amountCents };
    mails.push(mailToPut(db, { ...to, kind: 'first_commission', details, about: 'first' }));
  }
  return mails;
}

/** What the company writes into its records, for both sides to read. */
const REASON = 'A newer membership has taken its place.';

/** Nobody pays twice: of two that run, the older ends. What is paid of it still counts. */
async function endOthers(cashier: Cashier, userId: string): Promise<void> {
  for (const id of await paidTwice(cashier.db, userId)) {
    const cancelled = await cashier.company.cancel(id, REASON);
    // Whatever it answered, only the fresh question says what became of it; a later settling tries again.
    if (!cancelled.ok) tellOfBooks('second_subscription_not_cancelled', cancelled.reason);
    const answer = await cashier.company.show(id);
    if (answer.ok && (answer.subscription.status === 'cancelled' || answer.subscription.status === 'expired'))
      await settle(cashier, id);
  }
}

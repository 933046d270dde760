/** The company that memberships are paid through, as far as the books know it. Moments are in ms, amounts in cents. */

export interface ProviderSubscription {
  id: string;
  /** `pending`: it is not agreed to yet, or has not begun. */
  status: 'pending' | 'active' | 'suspended' | 'cancelled' | 'expired';
  planId: string | null;
  /** Whose it is, as we told the company when it began. */
  customId: string | null;
  /** By which whoever pays is known again, and nothing else of them; null where the company does not say. */
  payerHash: string | null;
  /** When money is to be taken next; null once none is. */
  nextBillingAt: number | null;
  beganAt: number | null;
  lastPayment: { amountCents: number; currency: string; at: number } | null;
  /** How many times in a row money that was due did not come. */
  failedPayments: number;
  /** What it costs each month, where the company says so. */
  price: { cents: number; currency: string } | null;
  /** That price and what was paid last, each where it is told, whenever that was; null for what cannot be read. */
  amounts: readonly ({ cents: number; currency: string } | null)[];
}

/** A payment that the company has, or had. */
export interface ProviderPayment {
  id: string;
  amountCents: number;
  currency: string;
  at: number;
  /** All of it was given back. */
  isRefunded: boolean;
}

/** What the company tells of a payment without being asked. */
export type PaymentNotice =
  | { what: 'completed'; id: string; amountCents: number; currency: string; at: number }
  /** Without a sum, all of it went back. */
  | {
      what: 'refund';
      id: string;
      paymentId: string;
      amountCents: number | null;
      currency: string | null;
      at: number;
    }
  | { what: 'reversed'; paymentId: string; at: number };

export interface ProviderEvent {
  id: string;
  kind: string;
  subscriptionId: string | null;
  payment: PaymentNotice | null;
}

/** `unknown`: the company has no such thing; `unavailable`: nobody knows. `reason` is for the log and holds no names. */
export type ProviderError = { ok: false; code: 'unknown' | 'refused' | 'unavailable'; reason: string };

/** Whoever stands in for the company keeps to this, and nothing else of the product knows which company it is. */
export interface PaymentProvider {
  getSubscription(id: string): Promise<{ ok: true; subscription: ProviderSubscription } | ProviderError>;
  /** Ends it for good. What became of it only `show` can tell. */
  cancelSubscription(id: string, reason: string): Promise<{ ok: true } | ProviderError>;
  /** What was paid for it between two moments; what is still on its way, or never came, is not among it. */
  payments(
    id: string,
    range: { from: number; to: number },
  ): Promise<{ ok: true; payments: ProviderPayment[] } | ProviderError>;
  /** Whether a message is the company's own. */
  isGenuine(message: {
    headers: Headers;
    raw: string;
  }): Promise<{ ok: true; genuine: boolean } | ProviderError>;
  /** Reads what a message says, genuine or not; null when it says nothing. */
  parseEvent(raw: string): ProviderEvent | null;
}

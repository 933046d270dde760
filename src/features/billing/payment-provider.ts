/** A subscription as the payment provider reports it. Times are in ms, amounts in cents. */

export interface ProviderSubscription {
  id: string;
  /** `pending`: not agreed to yet, or not started. */
  status: 'pending' | 'active' | 'suspended' | 'cancelled' | 'expired';
  planId: string | null;
  /** Our user id, as passed to the provider when the subscription was created. */
  customId: string | null;
  /** Hash that recognises the payer, the only payer data we use; null where the provider does not report a payer. */
  payerHash: string | null;
  /** Time of the next charge; null when there is none. */
  nextBillingAt: number | null;
  beganAt: number | null;
  lastPayment: { amountCents: number; currency: string; at: number } | null;
  /** Number of consecutive failed charges. */
  failedPayments: number;
  /** The monthly price, where the provider reports it. */
  price: { cents: number; currency: string } | null;
  /** That price and the last payment of any age, each if reported; null for an amount that cannot be read. */
  amounts: readonly ({ cents: number; currency: string } | null)[];
}

/** A payment that the provider lists, refunded or not. */
export interface ProviderPayment {
  id: string;
  amountCents: number;
  currency: string;
  at: number;
  /** The whole payment was refunded. */
  isRefunded: boolean;
}

/** What a provider event says about a payment. */
export type PaymentNotice =
  | { what: 'completed'; id: string; amountCents: number; currency: string; at: number }
  /** Without an amount, the whole payment was refunded. */
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

/**
 * `unknown`: the provider has no such id; `unavailable`: it gave no answer. `reason` is for the log and names no one.
 */
export type ProviderError = { ok: false; code: 'unknown' | 'refused' | 'unavailable'; reason: string };

/** Implemented for each provider; nothing else in the product knows which one is used. */
export interface PaymentProvider {
  getSubscription(id: string): Promise<{ ok: true; subscription: ProviderSubscription } | ProviderError>;
  /** Ends it for good. Only `getSubscription` can confirm the result. */
  cancelSubscription(id: string, reason: string): Promise<{ ok: true } | ProviderError>;
  /** Returns the payments for it in a time range; pending and failed payments are not included. */
  payments(
    id: string,
    range: { from: number; to: number },
  ): Promise<{ ok: true; payments: ProviderPayment[] } | ProviderError>;
  /** Whether the provider signed a message. */
  isGenuine(message: {
    headers: Headers;
    raw: string;
  }): Promise<{ ok: true; genuine: boolean } | ProviderError>;
  /** Parses a message, genuine or not; null when it contains no event. */
  parseEvent(raw: string): ProviderEvent | null;
}

import { computeHash } from '../lib/hash.ts';
import type { ProviderPayment, PaymentProvider } from '../features/billing/payment-provider.ts';
import { parseSubscriptionStatus } from '../features/billing/subscription-rules.ts';
import {
  cancelSubscription,
  listTransactions,
  type PayPalTransaction,
  showSubscription,
} from '../vendors/paypal.ts';
import type { PayPalSettings } from '../vendors/paypal-call.ts';
import { parseEvent, verifyWebhook } from '../vendors/paypal-webhook.ts';

/** Keeps received money only: failed and pending transactions are not payments. */
function toPayments({ id, status, amountCents, currency, at }: PayPalTransaction): ProviderPayment[] {
  const isMoney = status === 'COMPLETED' || status === 'PARTIALLY_REFUNDED' || status === 'REFUNDED';
  return isMoney && amountCents > 0
    ? [{ id, amountCents, currency, at, isRefunded: status === 'REFUNDED' }]
    : [];
}

/** Implements the payment provider with PayPal. */
export function createPayPalProvider(
  settings: PayPalSettings & { webhookId?: string | undefined },
): PaymentProvider {
  const call = () => ({ now: Date.now() });
  return {
    async getSubscription(id) {
      const answer = await showSubscription(settings, id, call());
      if (!answer.ok) return answer;
      const { status, payerId, ...rest } = answer.subscription;
      const payerHash = payerId === null ? null : await computeHash(`${settings.clientId} ${payerId}`);
      return {
        ok: true,
        subscription: { ...rest, payerHash, status: parseSubscriptionStatus(status) ?? 'pending' },
      };
    },
    cancelSubscription: (id, reason) => cancelSubscription(settings, id, reason, call()),
    async payments(id, range) {
      const answer = await listTransactions(settings, id, range, call());
      return answer.ok ? { ok: true, payments: answer.transactions.flatMap(toPayments) } : answer;
    },
    isGenuine: (message) =>
      settings.webhookId === undefined
        ? Promise.resolve({ ok: false, code: 'refused', reason: 'PAYPAL_WEBHOOK_ID is not set' })
        : verifyWebhook(settings, settings.webhookId, message, call()),
    parseEvent,
  };
}

import { computeHash } from '../lib/hash.ts';
import type { CompanyPayment, PaymentCompany } from '../features/billing/payment-provider.ts';
import { statusOf } from '../features/billing/subscription-rules.ts';
import {
  cancelSubscription,
  listTransactions,
  type PayPalTransaction,
  showSubscription,
} from '../vendors/paypal.ts';
import type { PayPalSettings } from '../vendors/paypal-call.ts';
import { readEvent, verifyWebhook } from '../vendors/paypal-webhook.ts';

/** Money that came; what did not come, or is on its way, is no payment. */
function paymentOf({ id, status, amountCents, currency, at }: PayPalTransaction): CompanyPayment[] {
  const isMoney = status === 'COMPLETED' || status === 'PARTIALLY_REFUNDED' || status === 'REFUNDED';
  return isMoney && amountCents > 0
    ? [{ id, amountCents, currency, at, isRefunded: status === 'REFUNDED' }]
    : [];
}

/** PayPal as the company that memberships are paid through; another one is put in its place here. */
export function payPalCompany(settings: PayPalSettings & { webhookId?: string | undefined }): PaymentCompany {
  const call = () => ({ now: Date.now() });
  return {
    async show(id) {
      const answer = await showSubscription(settings, id, call());
      if (!answer.ok) return answer;
      const { status, payerId, ...told } = answer.subscription;
      const payerHash = payerId === null ? null : await computeHash(`${settings.clientId} ${payerId}`);
      return { ok: true, subscription: { ...told, payerHash, status: statusOf(status) ?? 'pending' } };
    },
    cancel: (id, reason) => cancelSubscription(settings, id, reason, call()),
    async payments(id, range) {
      const answer = await listTransactions(settings, id, range, call());
      return answer.ok ? { ok: true, payments: answer.transactions.flatMap(paymentOf) } : answer;
    },
    isGenuine: (message) =>
      settings.webhookId === undefined
        ? Promise.resolve({ ok: false, code: 'refused', reason: 'PAYPAL_WEBHOOK_ID is not set' })
        : verifyWebhook(settings, settings.webhookId, message, call()),
    readEvent,
  };
}

import { type Context, Hono } from 'hono';
import { BILLING } from '../../../features/billing/limits.ts';
import { listNetworks } from '../../../features/account/network-prefix.ts';
import { webhookResponse } from '../../../features/billing/contract.ts';
import type { PaymentProvider } from '../../../features/billing/payment-provider.ts';
import { savePaymentEvent } from '../../../features/billing/payment-event-store.ts';
import { getClientIp, type ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { handlePaymentEvents } from '../../../services/process-payment-events.ts';
import { Problem, computeSecondsUntil } from '../../middleware/problems.ts';
import { createBillingContext, logBillingEvent } from '../../../services/reconcile-subscription.ts';

/** Reads the body unchanged, because the signature covers its bytes. @throws Problem `too_large` */
async function readRawBody(request: Request): Promise<string> {
  const { body } = request;
  if (body === null) return '';
  let text = '';
  let bytes = 0;
  const decoder = new TextDecoder();
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > BILLING.maxEventBytes) throw new Problem('too_large');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

type WebhookVerificationResult = Awaited<ReturnType<PaymentProvider['isGenuine']>>;

/**
 * Verifies an event with a timeout.
 * @param ms after this time the result is `unavailable`
 */
export async function verifyWithTimeout(
  company: Pick<PaymentProvider, 'isGenuine'>,
  message: { headers: Headers; raw: string },
  ms: number,
): Promise<WebhookVerificationResult> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<WebhookVerificationResult>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, code: 'unavailable', reason: 'verify took too long' }), ms);
  });
  try {
    return await Promise.race([company.isGenuine(message), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Networks that sent forged events too often, with the end of their block. Kept per isolate. */
const blockedNetworks = new Map<string, number>();
const MAX_BLOCKED_NETWORKS = 1000;
const NETWORK_BLOCK_MS = 60_000;

/** The wider network where there is one: no honest caller has reason to send several. */
const getNetwork = (c: Context<ApiEnv>): string => {
  const [own, wider] = listNetworks(getClientIp(c));
  return wider ?? own;
};

/** Verifying a forged event costs a call to PayPal, so limit networks that send them. PayPal itself never does. */
async function countForgedWebhook(c: Context<ApiEnv>): Promise<void> {
  if (c.get('settings').rateLimits !== 'on') return;
  const network = getNetwork(c);
  const { success } = await c.env.AUTH_LIMIT.limit({ key: `forged|${network}` });
  if (success) return;
  if (blockedNetworks.size >= MAX_BLOCKED_NETWORKS) blockedNetworks.clear();
  blockedNetworks.set(network, Date.now() + NETWORK_BLOCK_MS);
}

/** @throws Problem `too_many_requests` */
function refuseBlockedNetwork(c: Context<ApiEnv>): void {
  if (c.get('settings').rateLimits !== 'on') return;
  const until = blockedNetworks.get(getNetwork(c));
  if (until !== undefined && Date.now() < until)
    throw new Problem('too_many_requests', {}, computeSecondsUntil(until, Date.now()));
}

/**
 * Receives PayPal's webhook events. Needs no session and no origin: PayPal verifies the event itself. The event is stored
 * and acknowledged at once; after the response, its effect is read from PayPal's API.
 */
export const payPalWebhook = new Hono<ApiEnv>().post(
  '/webhook',
  describeResponses('Receive PayPal’s events about payments and subscriptions', { 200: webhookResponse }),
  async (c) => {
    const billing = await createBillingContext(c.env, c.get('db'), c.get('settings'));
    if (billing === null || billing.paypal.webhookId === undefined) throw new Problem('payments_unavailable');
    const raw = await readRawBody(c.req.raw);
    const { company, db } = billing;
    const event = company.parseEvent(raw);
    if (event === null) throw new Problem('webhook_signature_invalid');
    refuseBlockedNetwork(c);
    const message = { headers: c.req.raw.headers, raw };
    const answer = await verifyWithTimeout(company, message, BILLING.webhookTimeoutMs);
    if (!answer.ok) {
      logBillingEvent('webhook_not_verified', answer.reason);
      if (answer.code === 'refused') await countForgedWebhook(c);
      // An error makes PayPal send the event again.
      throw new Problem('paypal_unavailable');
    }
    if (!answer.genuine) {
      await countForgedWebhook(c);
      throw new Problem('webhook_signature_invalid');
    }
    const subscriptionId = await savePaymentEvent(db, event, Date.now());
    if (subscriptionId !== null) c.executionCtx.waitUntil(handlePaymentEvents(billing, subscriptionId));
    return c.json({ received: true as const });
  },
);

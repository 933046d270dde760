import { Hono } from 'hono';
import { BILLING } from '../config.ts';
import { webhookReceived } from '../features/billing/contract.ts';
import { keepEvent } from '../features/billing/payment-event-store.ts';
import type { ApiEnv } from './context.ts';
import { answers } from './describe.ts';
import { handleEvents } from './payment-events.ts';
import { Problem } from './problems.ts';
import { openCashier, tellOfBooks } from './settling.ts';

/** The body as it came, byte for byte: the signature is of it. @throws Problem `too_large` */
async function rawOf(request: Request): Promise<string> {
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

/**
 * What PayPal tells by itself. It asks for no session and no origin: PayPal itself says whether it sent it. It is written
 * down and answered at once; what it means is found out behind the answer, by asking.
 */
export const payPalWebhook = new Hono<ApiEnv>().post(
  '/webhook',
  answers('What PayPal tells of payments and subscriptions', { 200: webhookReceived }),
  async (c) => {
    const cashier = await openCashier(c.env, c.get('db'), c.get('settings'));
    if (cashier === null || cashier.paypal.webhookId === undefined) throw new Problem('payments_unavailable');
    const raw = await rawOf(c.req.raw);
    const { company, db } = cashier;
    const event = company.readEvent(raw);
    if (event === null) throw new Problem('webhook_not_genuine');
    const answer = await company.isGenuine({ headers: c.req.raw.headers, raw });
    if (!answer.ok) {
      tellOfBooks('webhook_not_verified', answer.reason);
      // PayPal tells it again.
      throw new Problem('paypal_unavailable');
    }
    if (!answer.genuine) throw new Problem('webhook_not_genuine');
    const subscriptionId = await keepEvent(db, event, Date.now());
    if (subscriptionId !== null) c.executionCtx.waitUntil(handleEvents(cashier, subscriptionId));
    return c.json({ received: true as const });
  },
);

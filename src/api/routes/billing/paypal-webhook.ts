import { type Context, Hono } from 'hono';
import { BILLING } from '../../../features/billing/limits.ts';
import { networkOf } from '../../../features/account/network.ts';
import { webhookReceived } from '../../../features/billing/contract.ts';
import type { PaymentCompany } from '../../../features/billing/payment-provider.ts';
import { keepEvent } from '../../../features/billing/payment-event-store.ts';
import { addressOf } from '../../middleware/client-ip.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { handleEvents } from '../../../services/process-payment-events.ts';
import { Problem, secondsUntil } from '../../middleware/problems.ts';
import { openCashier, tellOfBooks } from '../../../services/reconcile-subscription.ts';

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

type Genuine = Awaited<ReturnType<PaymentCompany['isGenuine']>>;

/** Whether a message is the company's own, within a time: it waits for its answer no longer than some seconds. */
export async function genuineWithin(
  company: Pick<PaymentCompany, 'isGenuine'>,
  message: { headers: Headers; raw: string },
  ms: number,
): Promise<Genuine> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Genuine>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, code: 'unavailable', reason: 'verify took too long' }), ms);
  });
  try {
    return await Promise.race([company.isGenuine(message), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Networks whose posts were not PayPal's too often, and until when they are not asked about: as this isolate knows. */
const unheard = new Map<string, number>();
const MAX_UNHEARD = 1000;
const UNHEARD_MS = 60_000;

const networkHere = (c: Context<ApiEnv>): string => networkOf(addressOf(c));

/** Whoever posts what is not PayPal's has each of it asked about: they are bounded, and PayPal itself never is. */
async function countForged(c: Context<ApiEnv>): Promise<void> {
  if (c.get('settings').rateLimits !== 'on') return;
  const network = networkHere(c);
  const { success } = await c.env.AUTH_LIMIT.limit({ key: `forged|${network}` });
  if (success) return;
  if (unheard.size >= MAX_UNHEARD) unheard.clear();
  unheard.set(network, Date.now() + UNHEARD_MS);
}

/** @throws Problem `too_many_requests` */
function refuseForgers(c: Context<ApiEnv>): void {
  if (c.get('settings').rateLimits !== 'on') return;
  const until = unheard.get(networkHere(c));
  if (until !== undefined && Date.now() < until)
    throw new Problem('too_many_requests', {}, secondsUntil(until, Date.now()));
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
    refuseForgers(c);
    const message = { headers: c.req.raw.headers, raw };
    const answer = await genuineWithin(company, message, BILLING.verifiedWithinMs);
    if (!answer.ok) {
      tellOfBooks('webhook_not_verified', answer.reason);
      if (answer.code === 'refused') await countForged(c);
      // PayPal tells it again.
      throw new Problem('paypal_unavailable');
    }
    if (!answer.genuine) {
      await countForged(c);
      throw new Problem('webhook_not_genuine');
    }
    const subscriptionId = await keepEvent(db, event, Date.now());
    if (subscriptionId !== null) c.executionCtx.waitUntil(handleEvents(cashier, subscriptionId));
    return c.json({ received: true as const });
  },
);

import { Hono } from 'hono';
import type { ApiEnv } from '../middleware/context.ts';
import { mail } from '../routes/account/mail.ts';
import { payPalWebhook } from '../routes/billing/paypal-webhook.ts';

/** Routes for mail programs and PayPal. Each verifies its caller itself: they post from any origin, without a session. */
export const webhooksRoutes = new Hono<ApiEnv>().route('/mail', mail).route('/paypal', payPalWebhook);

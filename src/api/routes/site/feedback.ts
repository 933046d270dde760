import { type Context, Hono } from 'hono';
import { BRAND } from '../../../config/brand.ts';
import { feedbackBody, feedbackResponse } from '../../../features/feedback/contract.ts';
import { saveFeedback } from '../../../features/feedback/feedback-store.ts';
import { renderMail } from '../../../features/mail/mail-layout.ts';
import { sendMail } from '../../../vendors/mail.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { getRequestLanguage } from '../../middleware/language.ts';
import { claimNetworkQuota } from '../../middleware/network-quota.ts';
import { Problem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** `Retry-After` when the hourly limit of feedback is reached. */
const RETRY_AFTER_SECONDS = 3600;

/**
 * Mails the feedback to the operator's support address, if there is one. The stored feedback stays when the mail fails.
 */
function notifyOperator(
  c: Context<ApiEnv>,
  entry: { id: string; message: string; email: string | null; language: string; isMember: boolean },
): void {
  const { supportEmail, mailFrom } = c.get('settings');
  if (supportEmail === undefined) return;
  const facts = `${entry.language} · ${entry.id} · ${entry.email ?? 'no address for an answer'}`;
  const mail = renderMail({
    // Members are promised answers first, so the subject marks them in the operator's inbox.
    subject: entry.isMember ? `[Member] Feedback (${entry.language})` : `Feedback (${entry.language})`,
    language: 'en',
    brand: BRAND.name,
    greeting: entry.isMember ? 'A member wrote, and is to be answered first:' : 'Somebody wrote:',
    paragraphs: entry.message.split(/\n+/),
    footer: [facts],
  });
  c.executionCtx.waitUntil(
    sendMail(c.env.EMAIL, mailFrom, {
      to: supportEmail,
      ...mail,
      ...(entry.email === null ? {} : { replyTo: entry.email }),
    }),
  );
}

export const feedback = new Hono<ApiEnv>().post(
  '/',
  describeResponses('Send feedback to the operator; no session required', { 201: feedbackResponse }),
  validateRequest('json', feedbackBody),
  async (c) => {
    const { message, email = null } = c.req.valid('json');
    const caller = await c.get('caller')();
    const feedback = { message, email, language: getRequestLanguage(c) };
    const userId = caller?.user.id ?? null;
    const now = Date.now();
    // Guests cost nothing, so they count towards their network as callers without a session do.
    if (caller === null || caller.user.is_anonymous) await claimNetworkQuota(c, 'feedback', now);
    const id = await saveFeedback(c.get('db'), { ...feedback, userId, now });
    if (id === null) throw new Problem('too_much_feedback', {}, RETRY_AFTER_SECONDS);
    const isMember = caller !== null && caller.user.plan !== 'free';
    notifyOperator(c, { id, ...feedback, isMember });
    return c.json({ id }, 201);
  },
);

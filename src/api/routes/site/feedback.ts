import { type Context, Hono } from 'hono';
import { BRAND } from '../../../config/brand.ts';
import { feedbackBody, feedbackKept } from '../../../features/feedback/contract.ts';
import { keepFeedback } from '../../../features/feedback/feedback-store.ts';
import { framed } from '../../../features/mail/mail-frame.ts';
import { sendMail } from '../../../vendors/mail.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { languageOf } from '../../middleware/language.ts';
import { Problem } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';

/** Who told as much as one may is asked to wait so long, in seconds. */
const REST_SECONDS = 3600;

/** Tells the operator, where there is an address for it. What is kept stands also when the mail does not go out. */
function tellOperator(
  c: Context<ApiEnv>,
  told: { id: string; message: string; email: string | null; language: string; isMember: boolean },
): void {
  const { supportEmail, mailFrom } = c.get('settings');
  if (supportEmail === undefined) return;
  const facts = `${told.language} · ${told.id} · ${told.email ?? 'no address for an answer'}`;
  const mail = framed({
    // A membership promises to be answered first: whoever reads the mails sees it in their list.
    subject: told.isMember ? `[Member] Feedback (${told.language})` : `Feedback (${told.language})`,
    language: 'en',
    brand: BRAND.name,
    greeting: told.isMember ? 'A member wrote, and is to be answered first:' : 'Somebody wrote:',
    paragraphs: told.message.split(/\n+/),
    footer: [facts],
  });
  c.executionCtx.waitUntil(
    sendMail(c.env.EMAIL, mailFrom, {
      to: supportEmail,
      ...mail,
      ...(told.email === null ? {} : { replyTo: told.email }),
    }),
  );
}

export const feedback = new Hono<ApiEnv>().post(
  '/',
  answers('Tell the operator something; nobody need be logged in', { 201: feedbackKept }),
  valid('json', feedbackBody),
  async (c) => {
    const { message, email = null } = c.req.valid('json');
    const caller = await c.get('caller')();
    const told = { message, email, language: languageOf(c) };
    const userId = caller?.user.id ?? null;
    const id = await keepFeedback(c.get('db'), { ...told, userId, now: Date.now() });
    if (id === null) throw new Problem('too_many_requests', {}, REST_SECONDS);
    const isMember = caller !== null && caller.user.plan !== 'free';
    tellOperator(c, { id, ...told, isMember });
    return c.json({ id }, 201);
  },
);

import { Hono } from 'hono';
import { unsubscribeResponse, unsubscribeQuery } from '../../../features/mail/contract.ts';
import { unsubscribe } from '../../../features/mail/mail-store.ts';
import { parseUnsubscribeToken, buildUnsubscribeUrl } from '../../../features/mail/unsubscribe.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { Problem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** The form has one short field; the rest of the body is not needed. */
const MAX_FORM_BYTES = 4096;

/** Reads the start of a body and ignores the rest. */
async function readBodyStart(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return '';
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    text += decoder.decode(chunk.subarray(0, MAX_FORM_BYTES), { stream: true });
    if (text.length >= MAX_FORM_BYTES) break;
  }
  return text.slice(0, MAX_FORM_BYTES);
}

/**
 * Unsubscribes from a mailing list. Needs no session and no origin: the token identifies the user, and mail programs post
 * it from their own servers as a form (RFC 8058). They get a plain response, never a redirect; the button on our own page
 * redirects back to that page.
 */
export const mail = new Hono<ApiEnv>().post(
  '/unsubscribe',
  describeResponses('Unsubscribe from a mailing list with the token from its e-mails', {
    200: unsubscribeResponse,
  }),
  validateRequest('query', unsubscribeQuery),
  async (c) => {
    const { token } = c.req.valid('query');
    const subscriber = await parseUnsubscribeToken(c.get('settings').authSecret, token);
    const form = await readBodyStart(c.req.raw.body);
    const isPage = /(?:^|&)from=page(?:&|$)/.test(form);
    if (subscriber !== null) await unsubscribe(c.get('db'), { ...subscriber, now: Date.now() });
    // The page shows the result itself, also for an invalid link.
    if (isPage) return c.redirect(buildUnsubscribeUrl('', token), 303);
    if (subscriber === null) throw new Problem('not_found');
    return c.json({ list: subscriber.list, subscribed: false as const });
  },
);

import { Hono } from 'hono';
import { unsubscribeResponse, unsubscribeQuery } from '../../../features/mail/contract.ts';
import { unsubscribe } from '../../../features/mail/mail-store.ts';
import { parseUnsubscribeToken, buildUnsubscribeUrl } from '../../../features/mail/unsubscribe.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { Problem } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** A form's own field says who sends it; nobody needs more of the body. */
const MAX_FORM_BYTES = 4096;

/** The beginning of a body; what comes after is not read. */
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
 * The end of a list's mails. It asks for no session and no origin: the token says who it is, and mail programs post it
 * from servers of their own, as a form (RFC 8058). Their click is answered as every call is, and never by a redirect;
 * a reader who pressed the button of our page is sent back to it.
 */
export const mail = new Hono<ApiEnv>().post(
  '/unsubscribe',
  describeResponses('End the mails of a list, by the link that each of them carries', {
    200: unsubscribeResponse,
  }),
  validateRequest('query', unsubscribeQuery),
  async (c) => {
    const { token } = c.req.valid('query');
    const subscriber = await parseUnsubscribeToken(c.get('settings').authSecret, token);
    const form = await readBodyStart(c.req.raw.body);
    const isPage = /(?:^|&)from=page(?:&|$)/.test(form);
    if (subscriber !== null) await unsubscribe(c.get('db'), { ...subscriber, now: Date.now() });
    // The page says itself what became of it, also of a link that is none.
    if (isPage) return c.redirect(buildUnsubscribeUrl('', token), 303);
    if (subscriber === null) throw new Problem('not_found');
    return c.json({ list: subscriber.list, subscribed: false as const });
  },
);

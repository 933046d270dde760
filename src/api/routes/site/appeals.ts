import { type Context, Hono } from 'hono';
import { type AppealBody, appealBody, appealMade } from '../../../features/moderation/appeal-contract.ts';
import { keepAppeal, nextAppealAt } from '../../../features/moderation/appeal-store.ts';
import {
  type KeptBeside,
  keptBeside,
  type RefusedText,
  toldText,
  wasRefused,
} from '../../../features/moderation/appeal-token.ts';
import { ALONE, exactText } from '../../../features/safety/evidence.ts';
import { byRules } from '../../../features/safety/moderation.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { conversationOf } from '../../middleware/conversation-access.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { Problem, secondsUntil } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';

/**
 * Whether a text was refused to them: by what the refusal gave along, or because the rules would refuse it again now.
 * @returns what it was refused beside; null where it was not
 */
async function refusedBeside(
  c: Context<ApiEnv>,
  refused: RefusedText,
  token: string | undefined,
): Promise<KeptBeside | null> {
  const { authSecret } = c.get('settings');
  const told = token === undefined ? null : await wasRefused(authSecret, refused, { token, now: Date.now() });
  if (told !== null) return keptBeside(told);
  const { place } = refused;
  const where = place === 'message' || place === 'reply' ? place : 'publication';
  // Of a character it is not said whether it was one for adults: more is refused to those.
  const adult = place === 'character' || place === 'import';
  const verdict = byRules(refused.text, { place: where, adult });
  return !verdict.ok && verdict.rule === refused.rule ? keptBeside(ALONE) : null;
}

/**
 * What an appeal is about, as it is kept: a text that was refused, and not one that somebody says was.
 * @throws Problem `not_refused`
 */
async function aboutOf(
  c: Context<ApiEnv>,
  body: AppealBody,
): Promise<{ body: AppealBody; beside: KeptBeside | null }> {
  const { place, rule, refused_text: text, appeal_token: token, conversation_id, message_id } = body;
  if (place === undefined || rule === undefined || text === undefined) return { body, beside: null };
  const { user } = await requireCaller(c);
  if (place === 'reply' && conversation_id !== undefined && message_id !== undefined) {
    const reply = await conversationOf(c, conversation_id).refusedReply(user.id, message_id);
    if (reply === null || reply.text === '' || reply.rule === 'unavailable') throw new Problem('not_refused');
    return { body: { ...body, rule: reply.rule, refused_text: toldText(reply.text) }, beside: null };
  }
  const refused = { userId: user.id, place, rule, text };
  const beside = await refusedBeside(c, refused, token);
  if (beside === null) throw new Problem('not_refused');
  return { body: { ...body, refused_text: exactText(text) }, beside: worthKeeping(beside) };
}

/** Of a text that was refused by itself the text says all. */
const worthKeeping = (beside: KeptBeside): KeptBeside | null =>
  beside.passages.length > 0 || !beside.whole || beside.read.length > 1 ? beside : null;

/** What people say against a measure, or against a text of theirs being refused; guests too. */
export const appeals = new Hono<ApiEnv>().post(
  '/',
  answers('Appeal against a measure, or against a text being refused', { 201: appealMade }),
  valid('json', appealBody),
  async (c) => {
    const { user } = await requireCaller(c);
    const now = Date.now();
    // The limit comes first: whether a text was refused takes processor time to find out.
    const nextAt = await nextAppealAt(c.get('db'), user.id, now);
    if (nextAt !== null) throw new Problem('too_many_requests', {}, secondsUntil(nextAt, now));
    const about = await aboutOf(c, c.req.valid('json'));
    const kept = await keepAppeal(c.get('db'), { userId: user.id, ...about, now });
    if (kept.kept) return c.json({ id: kept.id }, 201);
    if (typeof kept.why === 'string') throw new Problem(kept.why);
    throw new Problem('too_many_requests', {}, secondsUntil(kept.why, now));
  },
);

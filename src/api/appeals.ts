import { type Context, Hono } from 'hono';
import { type AppealBody, appealBody, appealMade } from '../features/safety/appeal-contract.ts';
import { keepAppeal } from '../features/safety/appeal-store.ts';
import { exactText, type RefusedText, toldText, wasRefused } from '../features/safety/appeal-token.ts';
import { byRules } from '../features/safety/moderation.ts';
import type { ApiEnv } from './context.ts';
import { conversationOf } from './conversation-door.ts';
import { answers } from './describe.ts';
import { requireCaller } from './guards.ts';
import { Problem, secondsUntil } from './problems.ts';
import { valid } from './valid.ts';

/** Whether a text was refused to them: by what the refusal gave along, or because the rules would refuse it again now. */
async function isRefused(c: Context<ApiEnv>, refused: RefusedText, token: string | undefined) {
  const { authSecret } = c.get('settings');
  if (token !== undefined && (await wasRefused(authSecret, refused, { token, now: Date.now() }))) return true;
  const { place } = refused;
  const where = place === 'message' || place === 'reply' ? place : 'publication';
  // Of a character it is not said whether it was one for adults: more is refused to those.
  const adult = place === 'character' || place === 'import';
  const verdict = byRules(refused.text, { place: where, adult });
  return !verdict.ok && verdict.rule === refused.rule;
}

/**
 * What an appeal is about, as it is kept: a text that was refused, and not one that somebody says was.
 * @throws Problem `not_refused`
 */
async function aboutOf(c: Context<ApiEnv>, body: AppealBody): Promise<AppealBody> {
  const { place, rule, refused_text: text, appeal_token: token, conversation_id, message_id } = body;
  if (place === undefined || rule === undefined || text === undefined) return body;
  const { user } = await requireCaller(c);
  if (place === 'reply' && conversation_id !== undefined && message_id !== undefined) {
    const reply = await conversationOf(c, conversation_id).refusedReply(user.id, message_id);
    if (reply === null || reply.text === '' || reply.rule === 'unavailable') throw new Problem('not_refused');
    return { ...body, rule: reply.rule, refused_text: toldText(reply.text) };
  }
  const refused = { userId: user.id, place, rule, text };
  if (!(await isRefused(c, refused, token))) throw new Problem('not_refused');
  return { ...body, refused_text: exactText(text) };
}

/** What people say against a measure, or against a text of theirs being refused; guests too. */
export const appeals = new Hono<ApiEnv>().post(
  '/',
  answers('Appeal against a measure, or against a text being refused', { 201: appealMade }),
  valid('json', appealBody),
  async (c) => {
    const { user } = await requireCaller(c);
    const body = await aboutOf(c, c.req.valid('json'));
    const now = Date.now();
    const kept = await keepAppeal(c.get('db'), { userId: user.id, body, now });
    if (kept.kept) return c.json({ id: kept.id }, 201);
    if (typeof kept.why === 'string') throw new Problem(kept.why);
    throw new Problem('too_many_requests', {}, secondsUntil(kept.why, now));
  },
);

import { type Context, Hono } from 'hono';
import { type AppealBody, appealBody, appealCreated } from '../../../features/moderation/appeal-contract.ts';
import { insertAppeal, getNextAppealAt } from '../../../features/moderation/appeal-store.ts';
import {
  type StoredEvidence,
  toStoredEvidence,
  type RefusedText,
  truncateRefusedText,
  verifyAppealToken,
} from '../../../features/moderation/appeal-token.ts';
import { NO_EVIDENCE, normalizeExactText } from '../../../features/safety/evidence.ts';
import { applyRules } from '../../../features/safety/moderation.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { getConversationStub } from '../../middleware/conversation-access.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { Problem, computeSecondsUntil } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

/**
 * Verifies that a text was refused to the caller, by the token from the refusal or because the rules refuse it now.
 * @returns the evidence stored with the refusal; null when it was not refused
 */
async function findRefusalEvidence(
  c: Context<ApiEnv>,
  refused: RefusedText,
  token: string | undefined,
): Promise<StoredEvidence | null> {
  const { authSecret } = c.get('settings');
  const verified =
    token === undefined ? null : await verifyAppealToken(authSecret, refused, { token, now: Date.now() });
  if (verified !== null) return toStoredEvidence(verified);
  const { place } = refused;
  const moderationPlace = place === 'message' || place === 'reply' ? place : 'publication';
  // The character's rating is unknown. Assume an adult one, for which the rules about minors refuse more.
  const adult = place === 'character' || place === 'import';
  const verdict = applyRules(refused.text, { place: moderationPlace, adult });
  return !verdict.ok && verdict.rule === refused.rule ? toStoredEvidence(NO_EVIDENCE) : null;
}

/**
 * Resolves the subject of an appeal to the text that was really refused.
 * @throws Problem `not_refused`
 */
async function resolveAppealSubject(
  c: Context<ApiEnv>,
  body: AppealBody,
): Promise<{ body: AppealBody; beside: StoredEvidence | null }> {
  const { place, rule, refused_text: text, appeal_token: token, conversation_id, message_id } = body;
  if (place === undefined || rule === undefined || text === undefined) return { body, beside: null };
  const { user } = await requireCaller(c);
  if (place === 'reply' && conversation_id !== undefined && message_id !== undefined) {
    const reply = await getConversationStub(c, conversation_id).getRefusedReply(user.id, message_id);
    if (reply === null || reply.text === '' || reply.rule === 'unavailable') throw new Problem('not_refused');
    return {
      body: { ...body, rule: reply.rule, refused_text: truncateRefusedText(reply.text) },
      beside: null,
    };
  }
  const refused = { userId: user.id, place, rule, text };
  const evidence = await findRefusalEvidence(c, refused, token);
  if (evidence === null) throw new Problem('not_refused');
  return { body: { ...body, refused_text: normalizeExactText(text) }, beside: omitEmptyEvidence(evidence) };
}

/** Without context, the text itself is the whole evidence. */
const omitEmptyEvidence = (evidence: StoredEvidence): StoredEvidence | null =>
  evidence.passages.length > 0 || !evidence.whole || evidence.read.length > 1 ? evidence : null;

/** Creates appeals against a moderation action or against the refusal of a text. Open to guests. */
export const appeals = new Hono<ApiEnv>().post(
  '/',
  describeResponses('Appeal against a moderation action or the refusal of a text', { 201: appealCreated }),
  validateRequest('json', appealBody),
  async (c) => {
    const { user } = await requireCaller(c);
    const now = Date.now();
    // Check the limit first, because verifying a refusal costs CPU time.
    const nextAt = await getNextAppealAt(c.get('db'), user.id, now);
    if (nextAt !== null) throw new Problem('too_many_requests', {}, computeSecondsUntil(nextAt, now));
    const about = await resolveAppealSubject(c, c.req.valid('json'));
    const result = await insertAppeal(c.get('db'), { userId: user.id, ...about, now });
    if (result.kept) return c.json({ id: result.id }, 201);
    if (typeof result.reason === 'string') throw new Problem(result.reason);
    throw new Problem('too_many_requests', {}, computeSecondsUntil(result.reason, now));
  },
);

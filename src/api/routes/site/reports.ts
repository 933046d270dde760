import { type Context, Hono } from 'hono';
import {
  reportBody,
  reportResponse,
  type ReportReason,
} from '../../../features/moderation/report-contract.ts';
import { getCharacter } from '../../../features/character/character-store.ts';
import { findCreator } from '../../../features/character/creator-store.ts';
import {
  findOwnConversationCharacter,
  upsertReport,
  type ReportedContent,
} from '../../../features/moderation/report-store.ts';
import { toViewer } from '../characters/characters.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { getConversationStub } from '../../middleware/conversation-access.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireAccount } from '../../middleware/guards.ts';
import { Problem, computeSecondsUntil } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** Stores a report. @throws Problem `too_many_requests` */
async function createReport(
  c: Context<ApiEnv>,
  reported: ReportedContent,
  { reporterId, ...details }: { reporterId: string; reason: ReportReason; details: string },
) {
  const now = Date.now();
  const kept = await upsertReport(c.get('db'), { ...reported, ...details, reporterId, now });
  if (!kept.kept) throw new Problem('too_many_requests', {}, computeSecondsUntil(kept.retryAt, now));
  return c.json({ id: kept.id }, 201);
}

/** Reports of characters. A target that the caller may not see answers 404, here and below. */
export const reports = new Hono<ApiEnv>().post(
  '/:id/reports',
  describeResponses('Report a character; reporting it again updates and reopens the report', {
    201: reportResponse,
  }),
  validateRequest('json', reportBody),
  async (c) => {
    const caller = await requireAccount(c);
    const characterId = c.req.param('id');
    const character = await getCharacter(c.get('db'), characterId, toViewer(caller));
    if (character === null) throw new Problem('not_found');
    const reported = {
      subject: 'character',
      subjectId: characterId,
      characterId,
      ownerId: character.creator.id,
      excerpt: '',
    } as const;
    return createReport(c, reported, { ...c.req.valid('json'), reporterId: caller.user.id });
  },
);

/** Reports of creators. */
export const creatorReports = new Hono<ApiEnv>().post(
  '/:id/reports',
  describeResponses('Report a creator; reporting them again updates and reopens the report', {
    201: reportResponse,
  }),
  validateRequest('json', reportBody),
  async (c) => {
    const { user } = await requireAccount(c);
    const creatorId = c.req.param('id');
    if ((await findCreator(c.get('db'), creatorId)) === null) throw new Problem('not_found');
    const reported = {
      subject: 'creator',
      subjectId: creatorId,
      characterId: null,
      ownerId: creatorId,
      excerpt: '',
    } as const;
    return createReport(c, reported, { ...c.req.valid('json'), reporterId: user.id });
  },
);

/** Reports of character messages in the caller's own conversations. The text is read from the conversation. */
export const messageReports = new Hono<ApiEnv>().post(
  '/:id/messages/:mid/reports',
  describeResponses('Report a character’s message; reporting it again updates and reopens the report', {
    201: reportResponse,
  }),
  validateRequest('json', reportBody),
  async (c) => {
    const { user } = await requireAccount(c);
    const messageId = c.req.param('mid');
    const conversationId = c.req.param('id');
    const [reply, story] = await Promise.all([
      getConversationStub(c, conversationId).getReportedText(user.id, messageId),
      findOwnConversationCharacter(c.get('db'), { conversationId, ownerId: user.id }),
    ]);
    if (reply === null || story === null) throw new Problem('not_found');
    const reported = {
      subject: 'message',
      subjectId: messageId,
      characterId: story.id,
      ownerId: story.makerId,
      excerpt: reply.text,
      marks: reply.marks,
    } as const;
    return createReport(c, reported, { ...c.req.valid('json'), reporterId: user.id });
  },
);

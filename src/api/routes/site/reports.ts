import { type Context, Hono } from 'hono';
import { reportBody, reportMade, type ReportReason } from '../../../features/character/contract.ts';
import { getCharacter } from '../../../features/character/character-store.ts';
import { namedCreator } from '../../../features/character/creator-store.ts';
import { characterOfChat, keepReport, type Reported } from '../../../features/moderation/report-store.ts';
import { viewerOf } from '../characters/characters.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { conversationOf } from '../../middleware/conversation-access.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { requireAccount } from '../../middleware/guards.ts';
import { Problem, secondsUntil } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';

/** Keeps what the caller reports. @throws Problem `too_many_requests` */
async function report(
  c: Context<ApiEnv>,
  reported: Reported,
  { reporterId, ...told }: { reporterId: string; reason: ReportReason; details: string },
) {
  const now = Date.now();
  const kept = await keepReport(c.get('db'), { ...reported, ...told, reporterId, now });
  if (!kept.kept) throw new Problem('too_many_requests', {}, secondsUntil(kept.retryAt, now));
  return c.json({ id: kept.id }, 201);
}

/** Of characters. Of what one may not know there is nothing to report, here and below. */
export const reports = new Hono<ApiEnv>().post(
  '/:id/reports',
  answers('Report a character; the same again is told anew', { 201: reportMade }),
  valid('json', reportBody),
  async (c) => {
    const caller = await requireAccount(c);
    const characterId = c.req.param('id');
    const character = await getCharacter(c.get('db'), characterId, viewerOf(caller));
    if (character === null) throw new Problem('not_found');
    const reported = {
      subject: 'character',
      subjectId: characterId,
      characterId,
      ownerId: character.creator.id,
      excerpt: '',
    } as const;
    return report(c, reported, { ...c.req.valid('json'), reporterId: caller.user.id });
  },
);

/** Of those who make characters. */
export const creatorReports = new Hono<ApiEnv>().post(
  '/:id/reports',
  answers('Report a creator; the same again is told anew', { 201: reportMade }),
  valid('json', reportBody),
  async (c) => {
    const { user } = await requireAccount(c);
    const creatorId = c.req.param('id');
    if ((await namedCreator(c.get('db'), creatorId)) === null) throw new Problem('not_found');
    const reported = {
      subject: 'creator',
      subjectId: creatorId,
      characterId: null,
      ownerId: creatorId,
      excerpt: '',
    } as const;
    return report(c, reported, { ...c.req.valid('json'), reporterId: user.id });
  },
);

/** Of what characters say, in one's own chats: the message itself is taken from there. */
export const messageReports = new Hono<ApiEnv>().post(
  '/:id/messages/:mid/reports',
  answers('Report what a character said; the same again is told anew', { 201: reportMade }),
  valid('json', reportBody),
  async (c) => {
    const { user } = await requireAccount(c);
    const messageId = c.req.param('mid');
    const conversationId = c.req.param('id');
    const [reply, story] = await Promise.all([
      conversationOf(c, conversationId).reported(user.id, messageId),
      characterOfChat(c.get('db'), { conversationId, ownerId: user.id }),
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
    return report(c, reported, { ...c.req.valid('json'), reporterId: user.id });
  },
);

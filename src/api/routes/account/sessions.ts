import { Hono } from 'hono';
import { sessionList } from '../../../features/account/contract.ts';
import {
  endOtherSessions,
  endOwnSession,
  listSessions,
} from '../../../features/account/session/session-store.ts';
import { isId } from '../../../lib/ids.ts';
import { type ApiEnv, toServiceContext } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { clearSessionCookie, requireCaller } from '../../middleware/guards.ts';
import { closeSessionConnections } from '../../../services/close-session-connections.ts';
import { Problem } from '../../middleware/problems.ts';

/** Sessions whose connections are closed at once; those of the others close by themselves. */
const MAX_CLOSED_SESSIONS = 10;

export const sessions = new Hono<ApiEnv>()
  .get('/', describeResponses('List the user’s active sessions', { 200: sessionList }), async (c) => {
    const { user, sessionId } = await requireCaller(c);
    const listed = await listSessions(c.get('db'), {
      userId: user.id,
      currentId: sessionId,
      now: Date.now(),
    });
    return c.json({
      items: listed.map(({ publicId, current, createdAt, lastSeenAt, userAgent }) => ({
        id: publicId,
        current,
        created_at: new Date(createdAt).toISOString(),
        last_seen_at: new Date(lastSeenAt).toISOString(),
        user_agent: userAgent,
      })),
    });
  })
  .delete('/', describeResponses('End all other sessions of the user', { 204: null }), async (c) => {
    const { user, sessionId } = await requireCaller(c);
    const ended = await endOtherSessions(c.get('db'), { userId: user.id, currentSessionId: sessionId });
    const closures = ended
      .slice(0, MAX_CLOSED_SESSIONS)
      .map((sessionPublicId) =>
        closeSessionConnections(toServiceContext(c), { userId: user.id, sessionPublicId }),
      );
    c.executionCtx.waitUntil(Promise.all(closures));
    return c.body(null, 204);
  })
  .delete('/:id', describeResponses('End a session', { 204: null }), async (c) => {
    const { user, sessionId } = await requireCaller(c);
    const publicId = c.req.param('id');
    const ended = isId(publicId) ? await endOwnSession(c.get('db'), { userId: user.id, publicId }) : null;
    if (ended === null) throw new Problem('not_found');
    if (ended === sessionId) clearSessionCookie(c);
    c.executionCtx.waitUntil(
      closeSessionConnections(toServiceContext(c), { userId: user.id, sessionPublicId: publicId }),
    );
    return c.body(null, 204);
  });

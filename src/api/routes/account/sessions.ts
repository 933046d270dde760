import { Hono } from 'hono';
import { sessionList } from '../../../features/account/contract.ts';
import { endOtherSessions, endSessionOf, sessionsOf } from '../../../features/account/session-store.ts';
import { isId } from '../../../lib/ids.ts';
import { type ApiEnv, serviceContext } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { clearSessionCookie, requireCaller } from '../../middleware/guards.ts';
import { hangUp } from '../../../services/close-session-sockets.ts';
import { Problem } from '../../middleware/problems.ts';

/** Sessions whose open tabs are let go of at once; those of others are when they would be told something. */
const MAX_HUNG_UP = 10;

export const sessions = new Hono<ApiEnv>()
  .get('/', answers('Where one is signed in', { 200: sessionList }), async (c) => {
    const { user, sessionId } = await requireCaller(c);
    const listed = await sessionsOf(c.get('db'), { userId: user.id, currentId: sessionId, now: Date.now() });
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
  .delete('/', answers('Sign out everywhere else', { 204: null }), async (c) => {
    const { user, sessionId } = await requireCaller(c);
    const ended = await endOtherSessions(c.get('db'), { userId: user.id, keptId: sessionId });
    const hungUp = ended
      .slice(0, MAX_HUNG_UP)
      .map((sessionPublicId) => hangUp(serviceContext(c), { userId: user.id, sessionPublicId }));
    c.executionCtx.waitUntil(Promise.all(hungUp));
    return c.body(null, 204);
  })
  .delete('/:id', answers('End a session', { 204: null }), async (c) => {
    const { user, sessionId } = await requireCaller(c);
    const publicId = c.req.param('id');
    const ended = isId(publicId) ? await endSessionOf(c.get('db'), { userId: user.id, publicId }) : null;
    if (ended === null) throw new Problem('not_found');
    if (ended === sessionId) clearSessionCookie(c);
    c.executionCtx.waitUntil(hangUp(serviceContext(c), { userId: user.id, sessionPublicId: publicId }));
    return c.body(null, 204);
  });

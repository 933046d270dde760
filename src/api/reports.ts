import { Hono } from 'hono';
import { getCharacter } from '../features/character/character-store.ts';
import { reportBody, reportMade } from '../features/character/contract.ts';
import { keepReport } from '../features/character/report-store.ts';
import { viewerOf } from './characters.ts';
import type { ApiEnv } from './context.ts';
import { answers } from './describe.ts';
import { requireAccount } from './guards.ts';
import { Problem, secondsUntil } from './problems.ts';
import { valid } from './valid.ts';

export const reports = new Hono<ApiEnv>().post(
  '/:id/reports',
  answers('Report a character; the same again is told anew', { 201: reportMade }),
  valid('json', reportBody),
  async (c) => {
    const caller = await requireAccount(c);
    const db = c.get('db');
    const characterId = c.req.param('id');
    // Of what one may not know there is nothing to report.
    if ((await getCharacter(db, characterId, viewerOf(caller))) === null) throw new Problem('not_found');
    const now = Date.now();
    const { reason, details } = c.req.valid('json');
    const report = await keepReport(db, { characterId, reporterId: caller.user.id, reason, details, now });
    if (!report.kept) throw new Problem('too_many_requests', {}, secondsUntil(report.retryAt, now));
    return c.json({ id: report.id }, 201);
  },
);

import { Hono } from 'hono';
import {
  appealCase,
  appealDecision,
  appealQueue,
  appealQueueQuery,
  queuedAppeal,
} from '../../../features/moderation/appeal-contract.ts';
import {
  appealQueue as readQueue,
  besideOfAppeal,
  decideAppeal,
  findAppeal,
} from '../../../features/moderation/appeal-store.ts';
import { explain } from '../../../features/safety/explain.ts';
import { findMeasure } from '../../../features/moderation/moderation-action-store.ts';
import { reportedCharacter, shownCharacter } from '../../../features/moderation/report-store.ts';
import { noteViews, personOf, stepsOf, type Viewed } from '../../../features/moderation/staff-store.ts';
import { type ApiEnv, serviceContext } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';
import { requireAdmin, requireCaller } from '../../middleware/guards.ts';
import { takeBack } from '../../../services/moderation-actions.ts';
import { Problem, unwrap } from '../../middleware/problems.ts';
import { valid } from '../../middleware/validate.ts';

/** What people appealed against, for staff to decide. */
export const adminAppeals = new Hono<ApiEnv>()
  .get(
    '/',
    answers('What people appealed against', { 200: appealQueue }),
    requireAdmin,
    valid('query', appealQueueQuery),
    async (c) => c.json(await readQueue(c.get('db'), c.req.valid('query'))),
  )
  .get(
    '/:id',
    answers('One appeal, with what was written; whoever wrote it is told', { 200: appealCase }),
    requireAdmin,
    async (c) => {
      const { user } = await requireCaller(c);
      const db = c.get('db');
      const found = await findAppeal(db, c.req.param('id'));
      if (found === null) throw new Problem('not_found');
      const { queued, userId, message, refusedText } = found;
      const [person, measure, history, beside] = await Promise.all([
        personOf(db, userId),
        queued.measure_id === null ? null : findMeasure(db, queued.measure_id),
        stepsOf(db, queued.id),
        besideOfAppeal(db, queued.id),
      ]);
      if (person === null) throw new Problem('not_found');
      // What a character was taken away for, or what a text was refused beside.
      const characterId = measure?.subject_id ?? beside?.character ?? null;
      const about = characterId === null ? null : await reportedCharacter(db, characterId);
      const viewed: Viewed[] = [{ ownerId: userId, what: 'appeal', subjectId: queued.id }];
      if (about !== null && !about.isPublic)
        viewed.push({ ownerId: about.ownerId, what: 'character', subjectId: about.character.id });
      await noteViews(db, { adminId: user.id, viewed, now: Date.now() });
      return c.json({
        ...queued,
        message,
        refused_text: refusedText,
        beside: beside?.passages ?? [],
        explanation: refusedText === null ? null : explain(refusedText),
        beside_whole: beside?.whole ?? true,
        person,
        measure,
        character: measure === null ? null : shownCharacter(about),
        history,
      });
    },
  )
  .patch(
    '/:id',
    answers('Decide an appeal; one that is granted takes its measure back', { 200: queuedAppeal }),
    requireAdmin,
    valid('json', appealDecision),
    async (c) => {
      const { user } = await requireCaller(c);
      const db = c.get('db');
      const decision = c.req.valid('json');
      const found = await findAppeal(db, c.req.param('id'));
      if (found === null) throw new Problem('not_found');
      const { id, measure_id: measureId } = found.queued;
      // First what is harmless to repeat: an answer that says «granted» is never there without it.
      if (decision.status === 'granted' && measureId !== null)
        unwrap(await takeBack(serviceContext(c), { adminId: user.id, id: measureId, appealId: id }));
      const decided = await decideAppeal(db, { id, decision, adminId: user.id, now: Date.now() });
      if (decided === null) throw new Problem('not_found');
      return c.json(decided);
    },
  );

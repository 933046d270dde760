import { Hono } from 'hono';
import {
  appealCase,
  appealDecision,
  appealQueue,
  appealQueueQuery,
  queuedAppeal,
} from '../../../features/moderation/appeal-contract.ts';
import {
  listAppealQueue as readQueue,
  readAppealEvidence,
  decideAppeal,
  findAppeal,
} from '../../../features/moderation/appeal-store.ts';
import { explain } from '../../../features/safety/explain.ts';
import { findModerationAction } from '../../../features/moderation/moderation-action-store.ts';
import { readReportedCharacter, toCaseCharacter } from '../../../features/moderation/report-store.ts';
import {
  recordCaseViews,
  readCasePerson,
  listCaseSteps,
  type StaffAccess,
} from '../../../features/moderation/staff-store.ts';
import { type ApiEnv, toServiceContext } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { requireAdmin, requireCaller } from '../../middleware/guards.ts';
import { revokeModerationAction } from '../../../services/moderation-actions.ts';
import { Problem, unwrap } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';

/** The queue of appeals. */
export const adminAppeals = new Hono<ApiEnv>()
  .get(
    '/',
    describeResponses('List the appeals in the queue', { 200: appealQueue }),
    requireAdmin,
    validateRequest('query', appealQueueQuery),
    async (c) => c.json(await readQueue(c.get('db'), c.req.valid('query'))),
  )
  .get(
    '/:id',
    describeResponses('Get one appeal with its texts; the affected users can see that staff viewed it', {
      200: appealCase,
    }),
    requireAdmin,
    async (c) => {
      const { user } = await requireCaller(c);
      const db = c.get('db');
      const found = await findAppeal(db, c.req.param('id'));
      if (found === null) throw new Problem('not_found');
      const { queued, userId, message, refusedText } = found;
      const [person, measure, history, evidence] = await Promise.all([
        readCasePerson(db, userId),
        queued.measure_id === null ? null : findModerationAction(db, queued.measure_id),
        listCaseSteps(db, queued.id),
        readAppealEvidence(db, queued.id),
      ]);
      if (person === null) throw new Problem('not_found');
      // The character that the action was against, or that the refused text belonged to.
      const characterId = measure?.subject_id ?? evidence?.character ?? null;
      const about = characterId === null ? null : await readReportedCharacter(db, characterId);
      const viewed: StaffAccess[] = [{ ownerId: userId, resourceType: 'appeal', resourceId: queued.id }];
      if (about !== null && !about.isPublic)
        viewed.push({ ownerId: about.ownerId, resourceType: 'character', resourceId: about.character.id });
      await recordCaseViews(db, { adminId: user.id, viewed, now: Date.now() });
      return c.json({
        ...queued,
        message,
        refused_text: refusedText,
        beside: evidence?.passages ?? [],
        explanation: refusedText === null ? null : explain(refusedText),
        beside_whole: evidence?.whole ?? true,
        person,
        measure,
        character: measure === null ? null : toCaseCharacter(about),
        history,
      });
    },
  )
  .patch(
    '/:id',
    describeResponses('Decide an appeal; a granted appeal revokes its moderation action', {
      200: queuedAppeal,
    }),
    requireAdmin,
    validateRequest('json', appealDecision),
    async (c) => {
      const { user } = await requireCaller(c);
      const db = c.get('db');
      const decision = c.req.valid('json');
      const found = await findAppeal(db, c.req.param('id'));
      if (found === null) throw new Problem('not_found');
      const { id, measure_id: measureId } = found.queued;
      // Revoke first, which is safe to repeat: an appeal must never be marked as granted while the action is in force.
      if (decision.status === 'granted' && measureId !== null)
        unwrap(
          await revokeModerationAction(toServiceContext(c), {
            adminId: user.id,
            id: measureId,
            appealId: id,
          }),
        );
      const decided = await decideAppeal(db, { id, decision, adminId: user.id, now: Date.now() });
      if (decided === null) throw new Problem('not_found');
      return c.json(decided);
    },
  );

import { openDatabase } from '../db/open.ts';
import { removeOldDailyCounts } from '../features/account/daily-count-store.ts';
import { removeExpiredDeletionRequests } from '../features/account/deletion/deletion-store.ts';
import { removeExpiredLoginCodes } from '../features/account/login-code/login-code-store.ts';
import { removeExpiredSessions } from '../features/account/session/session.ts';
import { removeExpiredTokens } from '../features/account/used-token-store.ts';
import { removeUnclaimedCards } from '../features/cards/card-gateway.ts';
import {
  removeOldDays,
  updateTrending,
  updateListings,
} from '../features/character/discovery/discovery-refresh-store.ts';
import { buildPendingSearchWords } from '../features/character/discovery/search-words-store.ts';
import { updateSitemapParts } from '../features/character/discovery/sitemap-store.ts';
import { LISTINGS } from '../features/character/limits.ts';
import { removeExpiredSuspensions } from '../features/safety/retained-suspension-statements.ts';
import { removeLapsedReservations } from '../features/storage/storage-store.ts';
import { toDayNumber } from '../features/stats/metrics.ts';
import { updateMetrics } from '../features/stats/metrics-store.ts';
import { log } from '../lib/log.ts';
import { redactError } from '../lib/redact.ts';
import { updateFreeTags } from '../services/free-tags.ts';
import { writeSummaries } from '../services/character-summaries.ts';
import { refundAbandonedCreations } from '../services/create-character.ts';
import { deliverQueuedMail } from '../services/deliver-mail.ts';
import { eraseDueAccounts } from '../services/erase-accounts.ts';
import { handleDuePaymentEvents, reconcileSubscriptions } from '../services/process-payment-events.ts';
import { purgeOnConfigChange } from '../services/purge-on-config-change.ts';
import { purgePages } from '../services/purge-pages.ts';
import { purgeUnusedPictures } from '../services/purge-pictures.ts';
import { removeAbandonedUploads } from '../services/storage/upload-parts.ts';
import { auditLedgers } from './audit-ledgers.ts';
import { enqueueNewsletter } from './newsletter.ts';
import { purgeExpiredConversations, purgeExpiredPersonas } from './purge-trash.ts';
import { logQueueMetrics } from './queue-metrics.ts';
import { CRONS } from './schedule.ts';
import { type MonitorDeps, runSyntheticChecks } from './synthetic-monitor.ts';
import { updateCompetition } from './update-standings.ts';

/** What the tasks need of the Worker that runs them. */
interface ScheduleDeps extends MonitorDeps {
  invocation: ExecutionContext;
}

/** The tasks of a cron schedule, by their names in the log. Each task may safely run again. */
function getTasks(
  cron: string,
  env: Env,
  { invocation, ...deps }: ScheduleDeps,
): Record<string, () => Promise<unknown>> {
  const db = openDatabase(env.DB);
  const now = Date.now();
  switch (cron) {
    case CRONS.everyMinute:
      return {
        pages: () =>
          purgeOnConfigChange(env, db, now).finally(() => purgePages(env, db, { invocation, now })),
        payment_events: () => handleDuePaymentEvents(env, now),
      };
    case CRONS.billing:
      return { books: () => reconcileSubscriptions(env, now), figures: () => updateMetrics(env, db, now) };
    case CRONS.mail:
      return {
        mails: () =>
          enqueueNewsletter(env, db, now).finally(() => deliverQueuedMail(env, db, { now: Date.now() })),
      };
    case CRONS.ledgerAudit:
      return {
        ledgers: () => auditLedgers(env, db, now),
        creations: () => refundAbandonedCreations(env, db, now),
        competition: () => updateCompetition(env, db, now),
      };
    case CRONS.monitoring:
      return {
        backlogs: () => logQueueMetrics(env, db, now),
        check: () => runSyntheticChecks(env, deps),
      };
    default:
      return {
        sessions: () => removeExpiredSessions(db),
        login_codes: () => removeExpiredLoginCodes(db, now),
        tokens: () => removeExpiredTokens(db, now),
        daily_counts: () => removeOldDailyCounts(db, toDayNumber(now)),
        deletion_requests: () => removeExpiredDeletionRequests(db, now),
        suspensions: () => removeExpiredSuspensions(db, now),
        erasures: () => eraseDueAccounts(env, db, now),
        trash: () => purgeExpiredConversations(env, db, now),
        trashed_personas: () => purgeExpiredPersonas(db, now),
        listings: () => updateListings(db),
        free_tags: () => updateFreeTags(env, db),
        words: () => buildPendingSearchWords(db, LISTINGS.maxWordsPerRun),
        trending: () => updateTrending(db, env.KV, now),
        sitemap: () => updateSitemapParts(db, env.KV, now),
        summaries: () => writeSummaries(env, db, { now }),
        days: () => removeOldDays(db, now),
        pictures: () => purgeUnusedPictures(env, db, now),
        cards: () => removeUnclaimedCards(env, db, now),
        uploads: () => removeAbandonedUploads(env, now),
        reservations: () => removeLapsedReservations(db, now),
      };
  }
}

/**
 * Runs all due tasks in parallel and logs the outcome. Errors are logged redacted. The platform records every thrown
 * error, so the error contains only the names of the failed tasks.
 */
export async function runScheduledTasks(cron: string, env: Env, deps: ScheduleDeps): Promise<void> {
  const startedAt = Date.now();
  const tasks = Object.entries(getTasks(cron, env, deps));
  const failed: string[] = [];
  const runTask = async ([task, work]: (typeof tasks)[number]): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failed.push(task);
      log('cron_task_failed', { cron, task, ...redactError(error) });
    }
  };
  await Promise.all(tasks.map(runTask));
  log('cron_done', { cron, ms: Date.now() - startedAt, tasks: tasks.length, failed });
  if (failed.length > 0) throw new Error(`Of the tasks of ${cron} failed: ${failed.join(', ')}`);
}

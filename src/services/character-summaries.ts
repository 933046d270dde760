import { SUMMARY } from '../features/character/limits.ts';
import type { Database } from '../db/open.ts';
import { readEnvironment } from '../env/read-environment.ts';
import { readSummary, buildSummaryPrompt } from '../features/character/discovery/summary.ts';
import {
  listDueSummaries,
  saveSummary,
  claimSummary,
  type PendingSummary,
} from '../features/character/discovery/summary-store.ts';
import { describeName } from '../features/safety/decisions.ts';
import { createSiteModerator } from '../features/model/moderator-gateway.ts';
import { type ChosenModel, chooseModel } from '../features/model/choose-model.ts';
import { streamCompletion, canAnswer, recordUsage } from '../features/model/model-gateway.ts';
import { log, type LogEvent } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import type { ServiceContext } from './context.ts';
import { schedulePagePurge } from './purge-pages.ts';

function logSummaryEvent(event: LogEvent, id: string, detail: string): void {
  log(event, { character_id: id, detail });
}

/**
 * What a model wrote of a character; null when it did not come whole, holds no introduction, or may not be published;
 * `waits` where nobody can tell whether it may.
 */
async function generateSummary(
  env: Env,
  model: ChosenModel,
  waiting: PendingSummary,
): Promise<string | null | 'waits'> {
  const { maxTokens, temperature, timeLimitMs: totalMs } = SUMMARY;
  let text = '';
  let usageRecorded: Promise<void> = Promise.resolve();
  const parts = streamCompletion(
    env,
    model,
    { messages: buildSummaryPrompt(waiting), maxTokens, temperature },
    {
      // Nobody calls it off, and the limits end it: a signal with a time of its own holds its request up until that is over.
      signal: new AbortController().signal,
      timeouts: { totalMs },
      spent: (tokens) => {
        usageRecorded = recordUsage(env, tokens);
      },
    },
  );
  let failed: string | null = null;
  for await (const part of parts) {
    if (part.kind === 'text') text += part.text;
    if (part.kind === 'failure') failed = `${part.code}: ${part.detail}`;
  }
  await usageRecorded;
  if (failed !== null) {
    logSummaryEvent('summary_failed', waiting.id, failed);
    return null;
  }
  const summary = readSummary(text, waiting);
  if (summary === null) return null;
  // Everybody reads it: what its maker may not publish is not published for them, and goes to the same model before.
  const verdict = await createSiteModerator(env).check(summary, toModerationInput(waiting));
  if (verdict.ok) return summary;
  logSummaryEvent('summary_refused', waiting.id, verdict.rule);
  return verdict.rule === 'unavailable' ? 'waits' : null;
}

const toModerationInput = ({ name, oneliner, characterTraits, firstMessage }: PendingSummary) =>
  ({
    place: 'publication',
    adult: false,
    context: [describeName(name), oneliner, characterTraits, firstMessage].join('\n'),
  }) as const;

async function writeSummary(env: Env, db: Database, waiting: PendingSummary, now: number): Promise<void> {
  const { id, version, tries } = waiting;
  // Without a model that can answer it waits, and counts for no try.
  const model = chooseModel(readEnvironment(env).models, 'recommended', waiting.modelType);
  if (model === null || !(await canAnswer(env, model))) return;
  if (!(await claimSummary(db, { id, version, tries, now }))) return;
  const summary = await generateSummary(env, model, waiting);
  const isLast = tries + 1 > SUMMARY.retryDelaysMs.length;
  // It is not given up for what is no fault of its own.
  if (summary === 'waits') return;
  if (summary !== null || isLast) await saveSummary(db, { id, version, summary, now: Date.now() });
}

/**
 * Writes the summaries that are due, some at a time. Harmless to repeat and to run beside itself; one that does not come
 * is tried again later, and given up after the last time.
 * @param only a character that alone is meant
 */
export async function writeSummaries(
  env: Env,
  db: Database,
  { now, only }: { now: number; only?: string },
): Promise<void> {
  const due = await listDueSummaries(db, {
    now,
    limit: SUMMARY.maxPerRun,
    ...(only === undefined ? {} : { only }),
  });
  const write = (waiting: PendingSummary): Promise<void> =>
    writeSummary(env, db, waiting, now).catch((error: unknown) =>
      logSummaryEvent('summary_waits', waiting.id, describeError(error)),
    );
  for (let start = 0; start < due.length; start += SUMMARY.maxConcurrent) {
    await Promise.all(due.slice(start, start + SUMMARY.maxConcurrent).map(write));
  }
}

/** Writes the summary of a character that was just made or changed, without keeping its maker waiting. */
export function scheduleSummary(context: ServiceContext, characterId: string): void {
  const { env, db, execution } = context;
  const written = writeSummaries(env, db, { now: Date.now(), only: characterId });
  execution.waitUntil(written.then(() => schedulePagePurge(context)));
}

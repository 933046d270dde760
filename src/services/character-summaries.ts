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
 * Generates the summary of a character.
 * @returns null when it is incomplete, contains no introduction or may not be published; `waits` when moderation did not
 * answer
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
      // A signal that never aborts. `AbortSignal.timeout` would keep the request open until it fires, so use the model's
      // limits.
      signal: new AbortController().signal,
      timeouts: { totalMs },
      spent: (tokens) => {
        usageRecorded = recordUsage(env, tokens);
      },
    },
  );
  let failed: string | null = null;
  for await (const part of parts) {
    if (part.kind === 'retracted') text = '';
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
  // Summaries are public, so moderate them like texts of the creator, with the same moderation model.
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
  // Without an available model it waits, and the attempt does not count.
  const model = chooseModel(readEnvironment(env).models, 'recommended', waiting.modelType);
  if (model === null || !(await canAnswer(env, model))) return;
  if (!(await claimSummary(db, { id, version, tries, now }))) return;
  const summary = await generateSummary(env, model, waiting);
  const isLast = tries + 1 > SUMMARY.retryDelaysMs.length;
  // Do not give up because moderation is unavailable.
  if (summary === 'waits') return;
  if (summary !== null || isLast) await saveSummary(db, { id, version, summary, now: Date.now() });
}

/**
 * Writes the summaries that are due, a batch per run. Safe to repeat and to run concurrently. A failed one is retried
 * with growing delays and given up after the last.
 * @param only restricts the run to one character
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
      logSummaryEvent('summary_deferred', waiting.id, describeError(error)),
    );
  for (let start = 0; start < due.length; start += SUMMARY.maxConcurrent) {
    await Promise.all(due.slice(start, start + SUMMARY.maxConcurrent).map(write));
  }
}

/** Writes the summary of a new or changed character after the response. */
export function scheduleSummary(context: ServiceContext, characterId: string): void {
  const { env, db, execution } = context;
  const written = writeSummaries(env, db, { now: Date.now(), only: characterId });
  execution.waitUntil(written.then(() => schedulePagePurge(context)));
}

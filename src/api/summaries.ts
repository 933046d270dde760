import type { Context } from 'hono';
import { SUMMARY } from '../config.ts';
import type { Database } from '../db/open.ts';
import { type Environment, readEnvironment } from '../environment.ts';
import { readSummary, summaryPrompt } from '../features/character/summary.ts';
import {
  dueSummaries,
  keepSummary,
  takeSummary,
  type WaitingSummary,
} from '../features/character/summary-store.ts';
import { nameOf } from '../features/safety/minors.ts';
import { byRules } from '../features/safety/moderation.ts';
import { type ChosenModel, chooseModel } from '../features/model/choice.ts';
import { reasonOf } from '../told-error.ts';
import { MODEL_TIMEOUTS, streamChat } from '../vendors/model.ts';
import type { ApiEnv } from './context.ts';
import { sendPagePurgesSoon } from './page-purges.ts';

function tell(event: string, id: string, detail: string): void {
  console.warn(JSON.stringify({ event, character_id: id, detail }));
}

/** What a model wrote of a character; null when it did not come whole or holds no introduction. */
async function ask(model: ChosenModel, waiting: WaitingSummary): Promise<string | null> {
  const { maxTokens, temperature, timeLimitMs: totalMs } = SUMMARY;
  let text = '';
  const parts = streamChat(
    model.endpoint,
    { messages: summaryPrompt(waiting), maxTokens, temperature },
    {
      // Nobody calls it off, and the limits end it: a signal with a time of its own holds its request up until that is over.
      signal: new AbortController().signal,
      timeouts: { ...MODEL_TIMEOUTS, idleMs: model.idleMs, totalMs },
    },
  );
  for await (const part of parts) {
    if (part.kind === 'text') text += part.text;
    if (part.kind === 'failure') {
      tell('summary_failed', waiting.id, `${part.code}: ${part.detail}`);
      return null;
    }
  }
  const summary = readSummary(text, waiting);
  // Everybody reads it: what its maker may not publish is not published for them.
  const fits = summary === null || byRules(summary, publishedBeside(waiting)).ok;
  if (!fits) tell('summary_refused', waiting.id, 'minors');
  return fits ? summary : null;
}

const publishedBeside = ({ name, oneliner, characterTraits, firstMessage }: WaitingSummary) =>
  ({
    place: 'publication',
    adult: false,
    context: [nameOf(name), oneliner, characterTraits, firstMessage].join('\n'),
  }) as const;

async function writeOne(
  db: Database,
  settings: Environment,
  waiting: WaitingSummary,
  now: number,
): Promise<void> {
  const { id, version, tries } = waiting;
  // Without a model it waits, and counts for no try.
  const model = chooseModel(settings.models, 'recommended', waiting.modelType);
  if (model === null || !(await takeSummary(db, { id, version, tries, now }))) return;
  const summary = await ask(model, waiting);
  const isLast = tries + 1 > SUMMARY.pausesMs.length;
  if (summary !== null || isLast) await keepSummary(db, { id, version, summary, now: Date.now() });
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
  const settings = readEnvironment(env);
  const due = await dueSummaries(db, {
    now,
    limit: SUMMARY.perRun,
    ...(only === undefined ? {} : { only }),
  });
  const write = (waiting: WaitingSummary): Promise<void> =>
    writeOne(db, settings, waiting, now).catch((error: unknown) =>
      tell('summary_waits', waiting.id, reasonOf(error)),
    );
  for (let start = 0; start < due.length; start += SUMMARY.atOnce) {
    await Promise.all(due.slice(start, start + SUMMARY.atOnce).map(write));
  }
}

/** Writes the summary of a character that was just made or changed, without keeping its maker waiting. */
export function writeSummarySoon(c: Context<ApiEnv>, characterId: string): void {
  const written = writeSummaries(c.env, c.get('db'), { now: Date.now(), only: characterId });
  c.executionCtx.waitUntil(written.then(() => sendPagePurgesSoon(c)));
}

import { openDatabase } from '../../db/open.ts';
import { readEnvironment } from '../../env/read-environment.ts';
import { log } from '../../lib/log.ts';
import { describeError } from '../../lib/redact.ts';
import {
  MODEL_TIMEOUTS,
  type ModelFailureCode,
  type ModelPart,
  type ModelRequest,
  type ModelTimeouts,
  streamChat,
} from '../../vendors/model.ts';
import { MODERATION_LIMITS } from '../../vendors/moderation.ts';
import { readRuntimeConfig } from '../runtime-config/runtime-config-gateway.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { type ChosenModel, listOfferedModels, type ModelAvailability } from './choose-model.ts';
import {
  recordCallResult,
  type Circuit,
  CLOSED,
  type CallResult,
  isPaused,
  type CallPermit,
  acquirePermit,
} from './circuit-breaker.ts';
import { RunningSpend } from './running-spend.ts';
import {
  toCents,
  isLimitReached,
  type ModelTokens,
  calculateMaxSpend,
  NO_SPEND,
  toPrices,
  type Spend,
  type SpendLimits,
  calculateSpend,
  addSpends,
} from './spend.ts';
import { addAsideTokens, listDailyTokens } from './spend-store.ts';

/* The one door to models: whatever asks one comes through here, and is bounded here. */

/** What was spent today is read anew after this: so old may it be when somebody goes by it. */
const SPEND_CACHE_MS = 5000;
/** Whoever waits for a reply does not wait for the books. */
const SPEND_READ_TIMEOUT_MS = 1000;
/** What is known of models elsewhere, for the list of models alone. */
const PAUSED_CACHE_MS = 10_000;
/** The least that KV keeps something, and the least that it may be kept in one place. */
const KV_SECONDS = { min: 60, cache: 30 };
/** Of the budget: from then on the log warns. */
const WARNING_SHARE = 0.8;
/** By what name moderation stands in the books. */
const MODERATION_MODEL = 'moderation';
/** What a moderation model answers: a word, or a list of what was found. */
const MAX_VERDICT_TOKENS = 30;
/** A reply is looked at by sentences, and the books are no place for each of them. */
const MODERATION_FLUSH_MS = 2000;
const DAY_MS = 86_400_000;
/** A call's end may be heard so much after its time is over. */
const CALL_GRACE_MS = 30_000;

/** Where a model that is left alone is told of to other machines, until it may be asked again. */
export const PAUSED_KEY_PREFIX = 'model-paused:';
const buildPausedKey = (modelId: string): string => `${PAUSED_KEY_PREFIX}${modelId}`;

// Of this isolate: a call may not wait for anybody's permission, and no object stands in everybody's way.
const circuits = new Map<string, Circuit>();
const writingSpend = new RunningSpend(MODEL_TIMEOUTS.totalMs + CALL_GRACE_MS);
const moderationSpend = new RunningSpend(MODERATION_LIMITS.allMs + CALL_GRACE_MS);
let cachedSpend: { day: number; at: number; books: DailySpend } | null = null;
/** When somebody began to read the books last. */
let lastReadAt = Number.NEGATIVE_INFINITY;
let cachedPaused: { at: number; paused: ReadonlySet<string> } | null = null;
/** What a moderation model was asked since this isolate wrote down the last of it. */
let pendingModeration = { at: Number.NEGATIVE_INFINITY, promptTokens: 0, replyTokens: 0 };
const loggedDays = new Map<string, number>();

/** Forgets all that this isolate has found out. */
export function resetModelState(): void {
  circuits.clear();
  writingSpend.reset();
  moderationSpend.reset();
  loggedDays.clear();
  cachedSpend = null;
  lastReadAt = Number.NEGATIVE_INFINITY;
  cachedPaused = null;
  pendingModeration = { at: Number.NEGATIVE_INFINITY, promptTokens: 0, replyTokens: 0 };
}

/** Why no model, or not this one, is asked now. */
type BlockedReason = Extract<ModelFailureCode, 'paused' | 'calls_off'>;

// ── what may be spent ──

/** Once a day, and for each isolate: whoever is refused is one of many. */
function logOncePerDay(
  event: 'model_budget_reached' | 'model_budget_near' | 'model_calls_stopped' | 'moderation_budget_reached',
  now: number,
  fields = {},
) {
  const day = Math.floor(now / DAY_MS);
  if (loggedDays.get(event) === day) return;
  loggedDays.set(event, day);
  log(event, fields);
}

/** What models that write came to on a day, and what moderation did, of which no price is known. */
interface DailySpend {
  writing: Spend;
  moderation: Spend;
}

const EMPTY_DAILY_SPEND: DailySpend = { writing: NO_SPEND, moderation: NO_SPEND };

/** What all models of a day came to, at the prices of now. */
function sumDailySpend(rows: readonly ModelTokens[], env: Env): DailySpend {
  const prices = new Map(
    listOfferedModels(readEnvironment(env).models).map(({ id, settings }) => [
      id as string,
      toPrices(settings),
    ]),
  );
  const sumRows = (some: readonly ModelTokens[]) =>
    some
      .map(({ model, promptTokens, replyTokens }) =>
        calculateSpend(prices.get(model), promptTokens, replyTokens),
      )
      .reduce(addSpends, NO_SPEND);
  return {
    writing: sumRows(rows.filter(({ model }) => model !== MODERATION_MODEL)),
    moderation: sumRows(rows.filter(({ model }) => model === MODERATION_MODEL)),
  };
}

/** What the books say, or an error once it takes too long. */
async function withTimeout<Read>(read: Promise<Read>): Promise<Read> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), SPEND_READ_TIMEOUT_MS);
  });
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What was spent today, as it stood in the books some seconds ago; while they cannot be read, what is known of today. While
 * somebody reads them anew the others go by what was known a moment before. Nobody waits for anybody else's reading: it
 * would end with whoever asked for it, unanswered, and everybody would wait for ever.
 */
async function getDailySpend(env: Env, now: number): Promise<DailySpend> {
  const day = Math.floor(now / DAY_MS);
  const known = cachedSpend?.day === day ? cachedSpend : null;
  const kept =
    now - lastReadAt < SPEND_READ_TIMEOUT_MS ? SPEND_CACHE_MS + SPEND_READ_TIMEOUT_MS : SPEND_CACHE_MS;
  if (known !== null && now - known.at < kept) return known.books;
  lastReadAt = now;
  try {
    const books = sumDailySpend(await withTimeout(listDailyTokens(openDatabase(env.DB), now)), env);
    cachedSpend = { day, at: now, books };
    return books;
  } catch (error) {
    log('model_budget_unread', { message: describeError(error) });
    // Nobody waits for the same books again at once; what somebody else read meanwhile is newer.
    const newer = cachedSpend?.day === day ? cachedSpend : null;
    if (newer === null || newer.at < now)
      cachedSpend = { day, at: now, books: newer?.books ?? EMPTY_DAILY_SPEND };
    return cachedSpend?.books ?? EMPTY_DAILY_SPEND;
  }
}

/** The bounds of a day for the whole site; null while models may not be asked at all. */
async function getDailyLimits(env: Env): Promise<SpendLimits | null> {
  const business = await readRuntimeConfig(env);
  if (business.model_calls === 'off') return null;
  return { tokens: business.model_budget_tokens_per_day, cents: business.model_budget_cents_per_day };
}

/** What may be spent today, and what stands in the books; `none`: no model is asked at all, `any`: there is no bound. */
type ModelBudget = 'none' | 'any' | { limits: SpendLimits; books: Spend };

async function getRemainingBudget(env: Env, now: number): Promise<ModelBudget> {
  const limits = await getDailyLimits(env);
  if (limits === null) {
    logOncePerDay('model_calls_stopped', now);
    return 'none';
  }
  if (limits.tokens === null && limits.cents === null) return 'any';
  return { limits, books: (await getDailySpend(env, now)).writing };
}

/**
 * Whether what is in the books and what runs leave nothing of a day's room. Nothing is awaited: who then begins at once is
 * counted by the next who asks.
 */
function isBudgetSpent(room: ModelBudget, now: number): boolean {
  if (typeof room === 'string') return room === 'none';
  const { limits, books } = room;
  const spend = addSpends(books, writingSpend.sum(now));
  const logFields = { spent_cents: toCents(spend), budget_cents: limits.cents, tokens: spend.tokens };
  if (isLimitReached(limits, spend)) {
    // What runs just now may come to less: only what stands in the books is worth an alarm.
    if (isLimitReached(limits, books)) logOncePerDay('model_budget_reached', now, logFields);
    return true;
  }
  const warningLimits = {
    tokens: limits.tokens === null ? null : limits.tokens * WARNING_SHARE,
    cents: limits.cents === null ? null : limits.cents * WARNING_SHARE,
  };
  if (isLimitReached(warningLimits, books)) logOncePerDay('model_budget_near', now, logFields);
  return false;
}

/** Whether models may not be asked any more today, or not at all. */
const areCallsBlocked = async (env: Env, now: number): Promise<boolean> =>
  isBudgetSpent(await getRemainingBudget(env, now), now);

/** Looks up what is asked of the books beforehand, so that nobody waits for it later. */
export function prefetchBudget(env: Env): void {
  areCallsBlocked(env, Date.now()).catch(() => {});
}

// ── who is there ──

function recordResult(env: Env, modelId: string, what: CallResult, isProbe: boolean): void {
  const now = Date.now();
  const before = circuits.get(modelId) ?? CLOSED;
  const after = recordCallResult(before, what, { now, isProbe });
  if (after === before) return;
  circuits.set(modelId, after);
  if (after.kind === 'open' && after.until > now) {
    log('model_circuit_opened', { model: modelId, ms: after.pauseMs });
    const expirationTtl = Math.max(KV_SECONDS.min, Math.ceil(after.pauseMs / 1000));
    // For those who look at the list; whoever does not learn of it finds out by asking.
    env.KV.put(buildPausedKey(modelId), String(after.until), { expirationTtl }).catch(() => {});
  } else if (after.kind === 'closed' && before.kind !== 'closed') {
    log('model_circuit_closed', { model: modelId });
    env.KV.delete(buildPausedKey(modelId)).catch(() => {});
  }
}

/** What the end of a call that brought no text tells of its provider. */
function toCallResult(part: Extract<ModelPart, { kind: 'finish' | 'failure' }>): CallResult {
  if (part.kind === 'finish') return 'alive';
  switch (part.code) {
    case 'aborted':
    case 'paused':
    case 'calls_off':
      return 'nothing';
    // Of this text, not of the provider: it is there.
    case 'bad_request':
    case 'refused':
    case 'empty':
      return 'alive';
    case 'unreachable':
    case 'unauthorized':
    case 'misconfigured':
    case 'rate_limited':
    case 'provider_error':
    case 'timed_out':
    case 'cut_off':
      return 'down';
  }
}

/** The models that are left alone for a while, as far as this machine knows. */
async function getPausedModels(env: Env, now: number): Promise<ReadonlySet<string>> {
  if (cachedPaused !== null && now - cachedPaused.at < PAUSED_CACHE_MS) return cachedPaused.paused;
  const ids = listOfferedModels(readEnvironment(env).models).filter(({ available }) => available);
  const found = await Promise.all(
    ids.map(async ({ id }) => {
      const until = await env.KV.get(buildPausedKey(id), { cacheTtl: KV_SECONDS.cache }).catch(() => null);
      return Number(until ?? 0) > now ? [id as string] : [];
    }),
  );
  cachedPaused = { at: now, paused: new Set(found.flat()) };
  return cachedPaused.paused;
}

export async function getModelAvailability(env: Env, now = Date.now()): Promise<ModelAvailability> {
  const [callsOff, others] = await Promise.all([areCallsBlocked(env, now), getPausedModels(env, now)]);
  const here = [...circuits].flatMap(([id, circuit]) => (isPaused(circuit, now) ? [id] : []));
  // What was heard here is newer than what was written down elsewhere.
  const there = [...others].filter((id) => circuits.get(id)?.kind !== 'closed');
  return { callsOff, paused: new Set([...here, ...there]) };
}

/** Whether a model is likely to answer now, for what can wait. */
export async function canAnswer(env: Env, { id }: ChosenModel): Promise<boolean> {
  const { callsOff, paused } = await getModelAvailability(env);
  return !callsOff && !paused.has(id);
}

// ── asking ──

const BLOCKED_DETAILS: Record<BlockedReason, string> = {
  paused: 'it did not answer of late',
  calls_off: 'models are not asked now',
};

/** Whether a call may begin now, and as which; a call that may is to be counted at once, and to be heard of. */
function acquireCall(
  room: ModelBudget,
  modelId: string,
  now: number,
): Exclude<CallPermit, 'stay'> | BlockedReason {
  if (isBudgetSpent(room, now)) return 'calls_off';
  const { permit, circuit } = acquirePermit(circuits.get(modelId) ?? CLOSED, now);
  circuits.set(modelId, circuit);
  return permit === 'stay' ? 'paused' : permit;
}

/**
 * Asks a model, unless none is to be asked now or this one does not answer these days: then the one part says so, nobody was
 * asked and nothing was spent. Otherwise as `streamChat`.
 * @param options.spent told once, at the end of a call that was made, however it ended: tokens as estimated
 */
export async function* streamCompletion(
  env: Env,
  model: ChosenModel,
  request: ModelRequest,
  options: {
    signal: AbortSignal;
    timeouts?: Partial<ModelTimeouts>;
    /** Of the prompt, where they are known. */
    promptTokens?: number;
    spent?: (tokens: ModelTokens) => void;
    /** Called once when the request was handed over; not where nobody is asked. */
    sent?: () => void;
  },
): AsyncGenerator<ModelPart> {
  const { signal } = options;
  const room = await getRemainingBudget(env, Date.now());
  // From here until the call is counted nothing is awaited: of many that waited for the books together each sees the last.
  const outcome = acquireCall(room, model.id, Date.now());
  if (outcome === 'paused' || outcome === 'calls_off') {
    yield { kind: 'failure', code: outcome, detail: BLOCKED_DETAILS[outcome] };
    return;
  }
  const isProbe = outcome === 'probe';
  const most = calculateMaxSpend(model, request.maxTokens);
  const end = writingSpend.start(most, Date.now());
  let text = '';
  let isRecorded = false;
  const recordOnce = (what: CallResult) => {
    isRecorded = true;
    recordResult(env, model.id, what, isProbe);
  };
  try {
    const timeouts = { ...MODEL_TIMEOUTS, idleMs: model.idleMs, ...options.timeouts };
    for await (const part of streamChat(model.endpoint, request, {
      signal,
      timeouts,
      sent: options.sent,
    })) {
      if (part.kind === 'text') text += part.text;
      if (!isRecorded)
        recordOnce(part.kind === 'text' || part.kind === 'thinking' ? 'alive' : toCallResult(part));
      yield part;
    }
  } finally {
    // Left before anything was heard: somebody else may look again.
    if (!isRecorded) recordOnce('nothing');
    const replyTokens = text === '' ? 0 : estimateTokens(text);
    const promptTokens =
      options.promptTokens ?? request.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
    end(calculateSpend(model.prices, promptTokens, replyTokens), Date.now());
    options.spent?.({ model: model.id, promptTokens, replyTokens });
  }
}

/** Counts what a model was asked beside turns; what cannot be counted is told to the log, and fails nobody. */
export async function recordUsage(env: Env, tokens: ModelTokens): Promise<void> {
  try {
    await addAsideTokens(openDatabase(env.DB), tokens, Date.now());
  } catch (error) {
    log('turn_not_measured', { message: describeError(error) });
  }
}

// ── moderation ──

/** Writes down what a moderation model was asked: now and then, for a reply is looked at by sentences. */
function recordModerationUsage(env: Env, promptTokens: number, now: number): void {
  pendingModeration.promptTokens += promptTokens;
  pendingModeration.replyTokens += MAX_VERDICT_TOKENS;
  if (now - pendingModeration.at < MODERATION_FLUSH_MS) return;
  const { at: _, ...tokens } = pendingModeration;
  pendingModeration = { at: now, promptTokens: 0, replyTokens: 0 };
  void recordUsage(env, { model: MODERATION_MODEL, ...tokens });
}

/**
 * Asks a moderation model, unless moderation has used up a budget of its own, as many tokens of a day as the site's for
 * replies. It goes on while models write nothing: it is safety.
 */
export async function moderate<Answer>(
  env: Env,
  text: string,
  ask: () => Promise<Answer | 'failed'>,
): Promise<Answer | 'failed'> {
  const { model_budget_tokens_per_day: tokens } = await readRuntimeConfig(env);
  const now = Date.now();
  if (tokens !== null) {
    const limits = { tokens, cents: null };
    const { moderation: books } = await getDailySpend(env, now);
    if (isLimitReached(limits, addSpends(books, moderationSpend.sum(now)))) {
      if (isLimitReached(limits, books))
        logOncePerDay('moderation_budget_reached', now, { tokens: books.tokens });
      return 'failed';
    }
  }
  const promptTokens = estimateTokens(text);
  const most = calculateSpend(undefined, promptTokens, MAX_VERDICT_TOKENS);
  const end = moderationSpend.start(most, now);
  let answer: Answer | 'failed' = 'failed';
  try {
    answer = await ask();
    return answer;
  } finally {
    const isAsked = answer !== 'failed';
    end(isAsked ? most : NO_SPEND, Date.now());
    if (isAsked) recordModerationUsage(env, promptTokens, Date.now());
  }
}

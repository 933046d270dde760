import { openDatabase } from '../../db/open.ts';
import { readEnvironment } from '../../env/read-environment.ts';
import { log } from '../../lib/log.ts';
import { describeError } from '../../lib/redact.ts';
import {
  MODEL_TIMEOUTS,
  type ModelPart,
  type ModelRequest,
  type ModelTimeouts,
  streamChat,
} from '../../vendors/model.ts';
import { MODERATION_LIMITS } from '../../vendors/moderation.ts';
import { readRuntimeConfig } from '../runtime-config/runtime-config-gateway.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { resetContextRatios } from './context-ratio-gateway.ts';
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
import {
  RunningSpend,
  getDailySpend,
  logOncePerDay,
  MODERATION_MODEL,
  resetDailySpend,
  addAsideTokens,
} from './daily-spend-gateway.ts';
import {
  toCents,
  isLimitReached,
  type ModelTokens,
  calculateMaxSpend,
  NO_SPEND,
  type Spend,
  type SpendLimits,
  calculateSpend,
  addSpends,
} from './spend.ts';

// All model calls pass through this module, which enforces budgets and circuit breakers.

/** Cache of models paused in other isolates, used by the model list only. */
const PAUSED_CACHE_MS = 10_000;
/** The minimum expiry and the minimum cache TTL of KV. */
const KV_SECONDS = { min: 60, cache: 30 };
/** Share of the budget from which the log warns. */
const WARNING_SHARE = 0.8;
/** Upper bound for a moderation verdict: a word or a list of concerns. */
const MAX_VERDICT_TOKENS = 30;
/** Usage is written at most this often, because a reply is moderated sentence by sentence. */
const MODERATION_FLUSH_MS = 2000;
/** The longest wait that a provider may ask for; afterwards it is asked again. */
const MAX_RETRY_AFTER_MS = 60_000;
/** How long after its timeout a call's end may be reported. */
const CALL_GRACE_MS = 30_000;

/** KV keys that share paused models with other isolates until the pause ends. */
export const PAUSED_KEY_PREFIX = 'model-paused:';
const buildPausedKey = (modelId: string): string => `${PAUSED_KEY_PREFIX}${modelId}`;

// State of this isolate. Calls must not wait for a shared lock or a central object.
const circuits = new Map<string, Circuit>();
const writingSpend = new RunningSpend(MODEL_TIMEOUTS.totalMs + CALL_GRACE_MS);
const moderationSpend = new RunningSpend(MODERATION_LIMITS.allMs + CALL_GRACE_MS);
let cachedPaused: { at: number; paused: ReadonlySet<string> } | null = null;
/** Moderation tokens not yet written to the database. */
let pendingModeration = { at: Number.NEGATIVE_INFINITY, promptTokens: 0, replyTokens: 0 };

/** Until when a model's provider has asked not to be called, by our id, in ms. */
const busyUntil = new Map<string, number>();

/** Resets the state of this isolate. */
export function resetModelState(): void {
  circuits.clear();
  busyUntil.clear();
  writingSpend.reset();
  moderationSpend.reset();
  resetDailySpend();
  resetContextRatios();
  cachedPaused = null;
  pendingModeration = { at: Number.NEGATIVE_INFINITY, promptTokens: 0, replyTokens: 0 };
}

type ModelFailure = Extract<ModelPart, { kind: 'failure' }>;

// ── budget ──

/** The site's daily limits; null while model calls are switched off. */
async function getDailyLimits(env: Env): Promise<SpendLimits | null> {
  const business = await readRuntimeConfig(env);
  if (business.model_calls === 'off') return null;
  return { tokens: business.model_budget_tokens_per_day, cents: business.model_budget_cents_per_day };
}

/** The daily limits and today's spend. `none`: calls are off; `any`: there is no limit. */
type ModelBudget = 'none' | 'any' | { limits: SpendLimits; recorded: Spend };

async function getRemainingBudget(env: Env, now: number): Promise<ModelBudget> {
  const limits = await getDailyLimits(env);
  if (limits === null) {
    logOncePerDay('model_calls_stopped', now);
    return 'none';
  }
  if (limits.tokens === null && limits.cents === null) return 'any';
  return { limits, recorded: (await getDailySpend(env, now)).writing };
}

/**
 * Whether recorded and running spend use up the budget. Synchronous, so that calls starting concurrently see each other.
 */
function isBudgetSpent(room: ModelBudget, now: number): boolean {
  if (typeof room === 'string') return room === 'none';
  const { limits, recorded } = room;
  const spend = addSpends(recorded, writingSpend.sum(now));
  const logFields = { spent_cents: toCents(spend), budget_cents: limits.cents, tokens: spend.tokens };
  if (isLimitReached(limits, spend)) {
    // Running calls may cost less than their maximum, so alert only for recorded spend.
    if (isLimitReached(limits, recorded)) logOncePerDay('model_budget_reached', now, logFields);
    return true;
  }
  const warningLimits = {
    tokens: limits.tokens === null ? null : limits.tokens * WARNING_SHARE,
    cents: limits.cents === null ? null : limits.cents * WARNING_SHARE,
  };
  if (isLimitReached(warningLimits, recorded)) logOncePerDay('model_budget_near', now, logFields);
  return false;
}

/** Whether half of the day's budget is used: from then on, other isolates have to learn of each turn at once. */
export async function isBudgetHalfUsed(env: Env): Promise<boolean> {
  const now = Date.now();
  const room = await getRemainingBudget(env, now);
  if (typeof room === 'string') return false;
  const { tokens, cents } = room.limits;
  const half = { tokens: tokens === null ? null : tokens / 2, cents: cents === null ? null : cents / 2 };
  return isLimitReached(half, addSpends(room.recorded, writingSpend.sum(now)));
}

/** Whether model calls are blocked by the budget or switched off. */
const areCallsBlocked = async (env: Env, now: number): Promise<boolean> =>
  isBudgetSpent(await getRemainingBudget(env, now), now);

/** Loads limits and spend in advance and at once, so that a later call does not wait for one and then for the other. */
export function prefetchBudget(env: Env): void {
  readRuntimeConfig(env).catch(() => {});
  getDailySpend(env, Date.now(), true).catch(() => {});
}

// ── availability ──

function recordResult(env: Env, modelId: string, what: CallResult, isProbe: boolean): void {
  const now = Date.now();
  const before = circuits.get(modelId) ?? CLOSED;
  const after = recordCallResult(before, what, { now, isProbe });
  if (after === before) return;
  circuits.set(modelId, after);
  if (after.kind === 'open' && after.until > now) {
    log('model_circuit_opened', { model: modelId, ms: after.pauseMs });
    const expirationTtl = Math.max(KV_SECONDS.min, Math.ceil(after.pauseMs / 1000));
    // Informs the model lists of other isolates; calls there discover the outage themselves.
    env.KV.put(buildPausedKey(modelId), String(after.until), { expirationTtl }).catch(() => {});
  } else if (after.kind === 'closed' && before.kind !== 'closed') {
    log('model_circuit_closed', { model: modelId });
    env.KV.delete(buildPausedKey(modelId)).catch(() => {});
  }
}

/** What a call that ended without text shows about its provider. */
function toCallResult(part: ModelPart): CallResult {
  if (part.kind !== 'failure') return 'alive';
  switch (part.code) {
    case 'aborted':
    case 'paused':
    case 'busy':
    case 'calls_off':
      return 'nothing';
    // Specific to this text; the provider responded.
    case 'bad_request':
    case 'too_long':
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

/** Models paused in any isolate, according to KV. */
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
  // This isolate's own observation is newer than KV.
  const there = [...others].filter((id) => circuits.get(id)?.kind !== 'closed');
  return { callsOff, paused: new Set([...here, ...there]) };
}

/** Whether a model is likely to answer now; for background work. */
export async function canAnswer(env: Env, { id }: ChosenModel): Promise<boolean> {
  const { callsOff, paused } = await getModelAvailability(env);
  return !callsOff && !paused.has(id);
}

// ── calls ──

/** Decides whether a call may start, or why not. An allowed call must be counted at once and its result recorded. */
function acquireCall(
  room: ModelBudget,
  modelId: string,
  now: number,
): Exclude<CallPermit, 'stay'> | ModelFailure {
  if (isBudgetSpent(room, now))
    return { kind: 'failure', code: 'calls_off', detail: 'models are not asked now' };
  const busyMs = (busyUntil.get(modelId) ?? now) - now;
  if (busyMs > 0) return { kind: 'failure', code: 'busy', detail: 'asked to wait', retryAfterMs: busyMs };
  const { permit, circuit } = acquirePermit(circuits.get(modelId) ?? CLOSED, now);
  circuits.set(modelId, circuit);
  return permit === 'stay'
    ? { kind: 'failure', code: 'paused', detail: 'it did not answer of late' }
    : permit;
}

/**
 * Streams a completion like `streamChat`, unless the budget or the circuit breaker blocks it. A blocked call yields one
 * failure part; no request is made and nothing is spent.
 * @param options.spent called once when a request ends, however it ends, with estimated tokens; not for one that the
 * provider refused for its length, which costs nothing
 */
export async function* streamCompletion(
  env: Env,
  model: ChosenModel,
  request: ModelRequest,
  options: {
    signal: AbortSignal;
    timeouts?: Partial<ModelTimeouts>;
    /** Tokens of the prompt, if known. */
    promptTokens?: number;
    spent?: (tokens: ModelTokens) => void;
    /** Called once when the request has been sent; not for a blocked call. */
    sent?: () => void;
  },
): AsyncGenerator<ModelPart> {
  const { signal } = options;
  const room = await getRemainingBudget(env, Date.now());
  // No await until the call is counted, so that calls that waited for the spend together see each other.
  const outcome = acquireCall(room, model.id, Date.now());
  if (typeof outcome === 'object') {
    yield outcome;
    return;
  }
  const isProbe = outcome === 'probe';
  const most = calculateMaxSpend(model, request.maxTokens);
  const end = writingSpend.start(most, Date.now());
  // Thinking is paid for like text.
  let written = '';
  let isRecorded = false;
  let isTooLong = false;
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
      if (part.kind === 'text' || part.kind === 'thinking') written += part.text;
      isTooLong = part.kind === 'failure' && part.code === 'too_long' && written === '';
      if (!isRecorded) recordOnce(toCallResult(part));
      yield part.kind === 'failure' ? withWait(model.id, part) : part;
    }
  } finally {
    // Ended before any result, so another call may probe.
    if (!isRecorded) recordOnce('nothing');
    const count = (content: string) => estimateTokens(content, model.tokenizer);
    const replyTokens = written === '' ? 0 : count(written);
    const promptTokens =
      options.promptTokens ?? request.messages.reduce((sum, { content }) => sum + count(content), 0);
    end(isTooLong ? NO_SPEND : calculateSpend(model.prices, promptTokens, replyTokens), Date.now());
    if (!isTooLong) options.spent?.({ model: model.id, promptTokens, replyTokens });
  }
}

/** Limits how long a provider asks to wait, and remembers it for the calls to come. */
function withWait(modelId: string, failure: ModelFailure): ModelFailure {
  if (failure.retryAfterMs === undefined) return failure;
  const retryAfterMs = Math.min(failure.retryAfterMs, MAX_RETRY_AFTER_MS);
  busyUntil.set(modelId, Date.now() + retryAfterMs);
  return { ...failure, retryAfterMs };
}

/** Records usage outside turns. A failure is logged and otherwise ignored. */
export async function recordUsage(env: Env, tokens: ModelTokens): Promise<void> {
  try {
    await addAsideTokens(openDatabase(env.DB), tokens, Date.now());
  } catch (error) {
    log('turn_metrics_failed', { message: describeError(error) });
  }
}

// ── moderation ──

/** Collects moderation usage and writes it at intervals, because a reply is moderated sentence by sentence. */
function recordModerationUsage(env: Env, promptTokens: number, now: number): void {
  pendingModeration.promptTokens += promptTokens;
  pendingModeration.replyTokens += MAX_VERDICT_TOKENS;
  if (now - pendingModeration.at < MODERATION_FLUSH_MS) return;
  const { at: _, ...tokens } = pendingModeration;
  pendingModeration = { at: now, promptTokens: 0, replyTokens: 0 };
  void recordUsage(env, { model: MODERATION_MODEL, ...tokens });
}

/**
 * Asks a moderation model, within a daily token budget of its own, as large as the site's budget for replies. It
 * continues while other model calls are off, because it is a safety check.
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
    const { moderation: spend } = await getDailySpend(env, now);
    if (isLimitReached(limits, addSpends(spend, moderationSpend.sum(now)))) {
      if (isLimitReached(limits, spend))
        logOncePerDay('moderation_budget_reached', now, { tokens: spend.tokens });
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

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
import { readBusiness } from '../runtime-config/runtime-config-gateway.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { type ChosenModel, countedModels, type ModelsNow } from './choice.ts';
import { afterHearing, type Circuit, CLOSED, type Heard, isPaused, type Leave, leaveOf } from './circuit.ts';
import { RunningSpend } from './running-spend.ts';
import {
  centsOf,
  isSpent,
  type ModelTokens,
  mostOf,
  NOTHING_SPENT,
  pricesOf,
  type Spend,
  type SpendLimits,
  spendOf,
  sumOfSpends,
} from './spend.ts';
import { countAside, tokensOfDay } from './spend-store.ts';

/* The one door to models: whatever asks one comes through here, and is bounded here. */

/** What was spent today is read anew after this: so old may it be when somebody goes by it. */
const SPENT_KEPT_MS = 5000;
/** Whoever waits for a reply does not wait for the books. */
const PATIENCE_MS = 1000;
/** What is known of models elsewhere, for the list of models alone. */
const ELSEWHERE_KEPT_MS = 10_000;
/** The least that KV keeps something, and the least that it may be kept in one place. */
const KV_SECONDS = { least: 60, cache: 30 };
/** Of the budget: from then on the log warns. */
const NEAR = 0.8;
/** By what name moderation stands in the books. */
const MODERATION = 'moderation';
/** What a moderation model answers: a word, or a list of what was found. */
const VERDICT_TOKENS = 30;
/** A reply is looked at by sentences, and the books are no place for each of them. */
const MODERATION_WRITTEN_MS = 2000;
const DAY_MS = 86_400_000;
/** A call's end may be heard so much after its time is over. */
const LATE_MS = 30_000;

/** Where a model that is left alone is told of to other machines, until it may be asked again. */
export const PAUSED_PREFIX = 'model-paused:';
const pausedKey = (modelId: string): string => `${PAUSED_PREFIX}${modelId}`;

// Of this isolate: a call may not wait for anybody's permission, and no object stands in everybody's way.
const circuits = new Map<string, Circuit>();
const running = new RunningSpend(MODEL_TIMEOUTS.totalMs + LATE_MS);
const moderating = new RunningSpend(MODERATION_LIMITS.allMs + LATE_MS);
let spent: { day: number; at: number; books: Books } | null = null;
/** When somebody began to read the books last. */
let readingAt = Number.NEGATIVE_INFINITY;
let elsewhere: { at: number; paused: ReadonlySet<string> } | null = null;
/** What a moderation model was asked since this isolate wrote down the last of it. */
let unwritten = { at: Number.NEGATIVE_INFINITY, promptTokens: 0, replyTokens: 0 };
const saidToday = new Map<string, number>();

/** Forgets all that this isolate has found out. */
export function forgetModels(): void {
  circuits.clear();
  running.forget();
  moderating.forget();
  saidToday.clear();
  spent = null;
  readingAt = Number.NEGATIVE_INFINITY;
  elsewhere = null;
  unwritten = { at: Number.NEGATIVE_INFINITY, promptTokens: 0, replyTokens: 0 };
}

/** Why no model, or not this one, is asked now. */
type HeldBack = Extract<ModelFailureCode, 'paused' | 'calls_off'>;

// ── what may be spent ──

/** Once a day, and for each isolate: whoever is refused is one of many. */
function sayOnce(
  event: 'model_budget_reached' | 'model_budget_near' | 'model_calls_stopped' | 'moderation_budget_reached',
  now: number,
  fields = {},
) {
  const day = Math.floor(now / DAY_MS);
  if (saidToday.get(event) === day) return;
  saidToday.set(event, day);
  log(event, fields);
}

/** What models that write came to on a day, and what moderation did, of which no price is known. */
interface Books {
  writing: Spend;
  moderation: Spend;
}

const EMPTY_BOOKS: Books = { writing: NOTHING_SPENT, moderation: NOTHING_SPENT };

/** What all models of a day came to, at the prices of now. */
function summedUp(rows: readonly ModelTokens[], env: Env): Books {
  const prices = new Map(
    countedModels(readEnvironment(env).models).map(({ id, settings }) => [id as string, pricesOf(settings)]),
  );
  const sumOf = (some: readonly ModelTokens[]) =>
    some
      .map(({ model, promptTokens, replyTokens }) => spendOf(prices.get(model), promptTokens, replyTokens))
      .reduce(sumOfSpends, NOTHING_SPENT);
  return {
    writing: sumOf(rows.filter(({ model }) => model !== MODERATION)),
    moderation: sumOf(rows.filter(({ model }) => model === MODERATION)),
  };
}

/** What the books say, or an error once it takes too long. */
async function inTime<Read>(read: Promise<Read>): Promise<Read> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), PATIENCE_MS);
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
async function booksOfToday(env: Env, now: number): Promise<Books> {
  const day = Math.floor(now / DAY_MS);
  const known = spent?.day === day ? spent : null;
  const kept = now - readingAt < PATIENCE_MS ? SPENT_KEPT_MS + PATIENCE_MS : SPENT_KEPT_MS;
  if (known !== null && now - known.at < kept) return known.books;
  readingAt = now;
  try {
    const books = summedUp(await inTime(tokensOfDay(openDatabase(env.DB), now)), env);
    spent = { day, at: now, books };
    return books;
  } catch (error) {
    log('model_budget_unread', { message: describeError(error) });
    // Nobody waits for the same books again at once; what somebody else read meanwhile is newer.
    const newer = spent?.day === day ? spent : null;
    if (newer === null || newer.at < now) spent = { day, at: now, books: newer?.books ?? EMPTY_BOOKS };
    return spent?.books ?? EMPTY_BOOKS;
  }
}

/** The bounds of a day for the whole site; null while models may not be asked at all. */
async function limitsOfDay(env: Env): Promise<SpendLimits | null> {
  const business = await readBusiness(env);
  if (business.model_calls === 'off') return null;
  return { tokens: business.model_budget_tokens_per_day, cents: business.model_budget_cents_per_day };
}

/** What may be spent today, and what stands in the books; `none`: no model is asked at all, `any`: there is no bound. */
type Room = 'none' | 'any' | { limits: SpendLimits; books: Spend };

async function roomToday(env: Env, now: number): Promise<Room> {
  const limits = await limitsOfDay(env);
  if (limits === null) {
    sayOnce('model_calls_stopped', now);
    return 'none';
  }
  if (limits.tokens === null && limits.cents === null) return 'any';
  return { limits, books: (await booksOfToday(env, now)).writing };
}

/**
 * Whether what is in the books and what runs leave nothing of a day's room. Nothing is awaited: who then begins at once is
 * counted by the next who asks.
 */
function isUsedUp(room: Room, now: number): boolean {
  if (typeof room === 'string') return room === 'none';
  const { limits, books } = room;
  const spend = sumOfSpends(books, running.sum(now));
  const told = { spent_cents: centsOf(spend), budget_cents: limits.cents, tokens: spend.tokens };
  if (isSpent(limits, spend)) {
    // What runs just now may come to less: only what stands in the books is worth an alarm.
    if (isSpent(limits, books)) sayOnce('model_budget_reached', now, told);
    return true;
  }
  const near = {
    tokens: limits.tokens === null ? null : limits.tokens * NEAR,
    cents: limits.cents === null ? null : limits.cents * NEAR,
  };
  if (isSpent(near, books)) sayOnce('model_budget_near', now, told);
  return false;
}

/** Whether models may not be asked any more today, or not at all. */
const areCallsOff = async (env: Env, now: number): Promise<boolean> =>
  isUsedUp(await roomToday(env, now), now);

/** Looks up what is asked of the books beforehand, so that nobody waits for it later. */
export function prepareToAsk(env: Env): void {
  areCallsOff(env, Date.now()).catch(() => {});
}

// ── who is there ──

function heard(env: Env, modelId: string, what: Heard, isProbe: boolean): void {
  const now = Date.now();
  const before = circuits.get(modelId) ?? CLOSED;
  const after = afterHearing(before, what, { now, isProbe });
  if (after === before) return;
  circuits.set(modelId, after);
  if (after.kind === 'open' && after.until > now) {
    log('model_circuit_opened', { model: modelId, ms: after.pauseMs });
    const expirationTtl = Math.max(KV_SECONDS.least, Math.ceil(after.pauseMs / 1000));
    // For those who look at the list; whoever does not learn of it finds out by asking.
    env.KV.put(pausedKey(modelId), String(after.until), { expirationTtl }).catch(() => {});
  } else if (after.kind === 'closed' && before.kind !== 'closed') {
    log('model_circuit_closed', { model: modelId });
    env.KV.delete(pausedKey(modelId)).catch(() => {});
  }
}

/** What the end of a call that brought no text tells of its provider. */
function heardBy(part: Extract<ModelPart, { kind: 'finish' | 'failure' }>): Heard {
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
async function pausedElsewhere(env: Env, now: number): Promise<ReadonlySet<string>> {
  if (elsewhere !== null && now - elsewhere.at < ELSEWHERE_KEPT_MS) return elsewhere.paused;
  const ids = countedModels(readEnvironment(env).models).filter(({ available }) => available);
  const found = await Promise.all(
    ids.map(async ({ id }) => {
      const until = await env.KV.get(pausedKey(id), { cacheTtl: KV_SECONDS.cache }).catch(() => null);
      return Number(until ?? 0) > now ? [id as string] : [];
    }),
  );
  elsewhere = { at: now, paused: new Set(found.flat()) };
  return elsewhere.paused;
}

export async function modelsNow(env: Env, now = Date.now()): Promise<ModelsNow> {
  const [callsOff, others] = await Promise.all([areCallsOff(env, now), pausedElsewhere(env, now)]);
  const here = [...circuits].flatMap(([id, circuit]) => (isPaused(circuit, now) ? [id] : []));
  // What was heard here is newer than what was written down elsewhere.
  const there = [...others].filter((id) => circuits.get(id)?.kind !== 'closed');
  return { callsOff, paused: new Set([...here, ...there]) };
}

/** Whether a model is likely to answer now, for what can wait. */
export async function canAnswer(env: Env, { id }: ChosenModel): Promise<boolean> {
  const { callsOff, paused } = await modelsNow(env);
  return !callsOff && !paused.has(id);
}

// ── asking ──

const WHY: Record<HeldBack, string> = {
  paused: 'it did not answer of late',
  calls_off: 'models are not asked now',
};

/** Whether a call may begin now, and as which; a call that may is to be counted at once, and to be heard of. */
function leave(room: Room, modelId: string, now: number): Exclude<Leave, 'stay'> | HeldBack {
  if (isUsedUp(room, now)) return 'calls_off';
  const { leave: given, circuit } = leaveOf(circuits.get(modelId) ?? CLOSED, now);
  circuits.set(modelId, circuit);
  return given === 'stay' ? 'paused' : given;
}

/**
 * Asks a model, unless none is to be asked now or this one does not answer these days: then the one part says so, nobody was
 * asked and nothing was spent. Otherwise as `streamChat`.
 * @param options.spent told once, at the end of a call that was made, however it ended: tokens as estimated
 */
export async function* askModel(
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
  const room = await roomToday(env, Date.now());
  // From here until the call is counted nothing is awaited: of many that waited for the books together each sees the last.
  const left = leave(room, model.id, Date.now());
  if (left === 'paused' || left === 'calls_off') {
    yield { kind: 'failure', code: left, detail: WHY[left] };
    return;
  }
  const isProbe = left === 'probe';
  const most = mostOf(model, request.maxTokens);
  const end = running.begin(most, Date.now());
  let text = '';
  let isHeard = false;
  const tell = (what: Heard) => {
    isHeard = true;
    heard(env, model.id, what, isProbe);
  };
  try {
    const timeouts = { ...MODEL_TIMEOUTS, idleMs: model.idleMs, ...options.timeouts };
    for await (const part of streamChat(model.endpoint, request, {
      signal,
      timeouts,
      sent: options.sent,
    })) {
      if (part.kind === 'text') text += part.text;
      if (!isHeard) tell(part.kind === 'text' || part.kind === 'thinking' ? 'alive' : heardBy(part));
      yield part;
    }
  } finally {
    // Left before anything was heard: somebody else may look again.
    if (!isHeard) tell('nothing');
    const replyTokens = text === '' ? 0 : estimateTokens(text);
    const promptTokens =
      options.promptTokens ?? request.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
    end(spendOf(model.prices, promptTokens, replyTokens), Date.now());
    options.spent?.({ model: model.id, promptTokens, replyTokens });
  }
}

/** Counts what a model was asked beside turns; what cannot be counted is told to the log, and fails nobody. */
export async function countBeside(env: Env, tokens: ModelTokens): Promise<void> {
  try {
    await countAside(openDatabase(env.DB), tokens, Date.now());
  } catch (error) {
    log('turn_not_measured', { message: describeError(error) });
  }
}

// ── moderation ──

/** Writes down what a moderation model was asked: now and then, for a reply is looked at by sentences. */
function countModeration(env: Env, promptTokens: number, now: number): void {
  unwritten.promptTokens += promptTokens;
  unwritten.replyTokens += VERDICT_TOKENS;
  if (now - unwritten.at < MODERATION_WRITTEN_MS) return;
  const { at: _, ...tokens } = unwritten;
  unwritten = { at: now, promptTokens: 0, replyTokens: 0 };
  void countBeside(env, { model: MODERATION, ...tokens });
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
  const { model_budget_tokens_per_day: tokens } = await readBusiness(env);
  const now = Date.now();
  if (tokens !== null) {
    const limits = { tokens, cents: null };
    const { moderation: books } = await booksOfToday(env, now);
    if (isSpent(limits, sumOfSpends(books, moderating.sum(now)))) {
      if (isSpent(limits, books)) sayOnce('moderation_budget_reached', now, { tokens: books.tokens });
      return 'failed';
    }
  }
  const promptTokens = estimateTokens(text);
  const most = spendOf(undefined, promptTokens, VERDICT_TOKENS);
  const end = moderating.begin(most, now);
  let answer: Answer | 'failed' = 'failed';
  try {
    answer = await ask();
    return answer;
  } finally {
    const isAsked = answer !== 'failed';
    end(isAsked ? most : NOTHING_SPENT, Date.now());
    if (isAsked) countModeration(env, promptTokens, Date.now());
  }
}

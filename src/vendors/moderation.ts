import { z } from 'zod';
import { readBoundedText, tryParseJson } from './bounded-response.ts';
import { log } from '../lib/log.ts';

/** The concerns of moderation models, in the product's own terms. */
export type ModerationConcern =
  | 'minors'
  | 'sexual'
  /** Sexual crimes, such as assault and trafficking. */
  | 'sexual_crime'
  | 'violence_graphic'
  | 'hate'
  | 'hate_threatening'
  /** Instructions for something illegal. */
  | 'illegal'
  /** Instructions for hurting people or making weapons. */
  | 'weapons'
  | 'suicide'
  | 'self_harm'
  | 'self_harm_methods';

/** The concerns found in a text; empty for none. */
export interface ModeratorAnswer {
  concerns: readonly ModerationConcern[];
}

/** A moderation model. `baseUrl` ends before `/moderations` or `/chat/completions`. */
export interface ModerationSettings {
  kind: 'openai' | 'llama-guard';
  baseUrl: string;
  apiKey?: string | undefined;
  model?: string | undefined;
}

export const MODERATION_LIMITS = {
  /** Per request, short because a user is waiting: a moderation model answers in a fraction of a second or is down. */
  timeoutMs: 4_000,
  /** For all pieces of a text together; only a large lorebook has more than one. */
  allMs: 20_000,
  /** Well within the input limit of these models, in any script. */
  pieceChars: 12_000,
  /** Overlap of two pieces, so that a statement across their boundary is read whole. */
  overlapChars: 200,
  /** More than the longest text that the API accepts. */
  maxChars: 700_000,
  /** Pieces moderated in parallel. */
  atOnce: 4,
  answerBytes: 64 * 1024,
} as const;

/** OpenAI's categories. Categories that are not listed are no reason to refuse fiction. */
const OPENAI_CATEGORIES: Record<string, ModerationConcern> = {
  sexual: 'sexual',
  'sexual/minors': 'minors',
  hate: 'hate',
  'hate/threatening': 'hate_threatening',
  illicit: 'illegal',
  'illicit/violent': 'weapons',
  'self-harm': 'self_harm',
  'self-harm/intent': 'suicide',
  'self-harm/instructions': 'self_harm_methods',
  'violence/graphic': 'violence_graphic',
};

/** Llama Guard's hazards (MLCommons, S1 to S14). Crimes (S1, S2) occur in half of all fiction, so they are not listed. */
const LLAMA_GUARD_HAZARDS: Record<string, ModerationConcern> = {
  S3: 'sexual_crime',
  S4: 'minors',
  S9: 'weapons',
  S10: 'hate',
  S11: 'self_harm',
  S12: 'sexual',
};

const openAiAnswer = z.object({
  results: z
    .array(
      z.object({
        flagged: z.boolean().optional(),
        categories: z.record(z.string(), z.boolean().nullable()),
      }),
    )
    .min(1),
});
const chatAnswer = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

/**
 * Moderates one text. Never throws, and logs nothing of the text.
 * @param fetcher replaces the network in tests
 */
export async function moderateText(
  settings: ModerationSettings,
  text: string,
  signal?: AbortSignal,
  fetcher: typeof fetch = fetch,
): Promise<ModeratorAnswer | 'failed'> {
  if (text.length > MODERATION_LIMITS.maxChars) return reportFailure('text too long');
  const signals = [AbortSignal.timeout(MODERATION_LIMITS.allMs), ...(signal === undefined ? [] : [signal])];
  const ask = { settings, signal: AbortSignal.any(signals), fetcher };
  const pieces = splitPieces(text.toWellFormed());
  const concerns = new Set<ModerationConcern>();
  for (let at = 0; at < pieces.length; at += MODERATION_LIMITS.atOnce) {
    const group = pieces.slice(at, at + MODERATION_LIMITS.atOnce);
    const answers = await Promise.all(group.map((piece) => requestWithRetry(ask, piece)));
    for (const answer of answers) {
      if (answer === null) return 'failed';
      for (const concern of answer) concerns.add(concern);
    }
  }
  return { concerns: [...concerns] };
}

function splitPieces(text: string): string[] {
  const { pieceChars, overlapChars } = MODERATION_LIMITS;
  const pieces: string[] = [];
  for (let at = 0; at === 0 || at + overlapChars < text.length; at += pieceChars - overlapChars)
    pieces.push(text.slice(at, at + pieceChars).toWellFormed());
  return pieces;
}

interface ModerationCall {
  settings: ModerationSettings;
  signal: AbortSignal;
  fetcher: typeof fetch;
}
/** The concerns found, or the reason of a failure and whether a retry may help. */
type Attempt = { found: ModerationConcern[] } | { reason: string; again: boolean };

/** @returns null when moderation failed */
async function requestWithRetry(ask: ModerationCall, text: string): Promise<ModerationConcern[] | null> {
  let attempt = await requestOnce(ask, text);
  if ('reason' in attempt && attempt.again && !ask.signal.aborted) attempt = await requestOnce(ask, text);
  if ('found' in attempt) return attempt.found;
  reportFailure(attempt.reason);
  return null;
}

async function requestOnce({ settings, signal, fetcher }: ModerationCall, text: string): Promise<Attempt> {
  const { kind, baseUrl, apiKey, model } = settings;
  const own = AbortSignal.timeout(MODERATION_LIMITS.timeoutMs);
  try {
    const response = await fetcher(`${baseUrl}${kind === 'openai' ? '/moderations' : '/chat/completions'}`, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      // A redirect would send the user's text and the key to an address that is not configured.
      redirect: 'manual',
      signal: AbortSignal.any([own, signal]),
      body: JSON.stringify(
        kind === 'openai'
          ? { input: text, ...(model === undefined ? {} : { model }) }
          : buildGuardRequest(text, model),
      ),
    });
    if (!response.ok) {
      await response.body?.cancel();
      const again = response.status === 429 || response.status >= 500;
      return { reason: `status ${response.status}`, again };
    }
    const body = await readBoundedText(response, MODERATION_LIMITS.answerBytes);
    const found =
      body === null
        ? null
        : kind === 'openai'
          ? parseOpenAiAnswer(tryParseJson(body))
          : parseGuardAnswer(tryParseJson(body));
    return found === null ? { reason: 'an answer that is not understood', again: false } : { found };
  } catch {
    // No retry after a timeout: the user has waited long enough.
    const isOver = own.aborted || signal.aborted;
    return { reason: isOver ? 'no answer in time' : 'unreachable', again: !isOver };
  }
}

const buildGuardRequest = (text: string, model: string | undefined) => ({
  ...(model === undefined ? {} : { model }),
  messages: [{ role: 'user', content: text }],
  temperature: 0,
  max_tokens: 30,
  stream: false,
});

/** Parses a response of `POST /moderations`; null when it is invalid. */
function parseOpenAiAnswer(answer: unknown): ModerationConcern[] | null {
  const read = openAiAnswer.safeParse(answer);
  if (!read.success || read.data.results.some(isUnspecified)) return null;
  return read.data.results.flatMap(({ categories }) =>
    Object.entries(categories).flatMap(([name, is]) => {
      const concern = OPENAI_CATEGORIES[name];
      return is === true && concern !== undefined ? [concern] : [];
    }),
  );
}

/** Whether a response flags the text without a category, or contains no category at all. */
function isUnspecified({ flagged, categories }: z.infer<typeof openAiAnswer>['results'][number]): boolean {
  const named = Object.values(categories);
  return named.length === 0 || (flagged === true && !named.includes(true));
}

/** The number of hazards that Llama Guard knows, S1 to S14. */
const MAX_HAZARD = 14;

/**
 * Parses `safe`, or `unsafe` with hazards in any spelling (`S4,S11`, `s04`, `S 4`). Returns null for anything else, and
 * for `unsafe` without a known hazard: ignoring what the model found would be worse than a failure.
 */
function parseGuardAnswer(answer: unknown): ModerationConcern[] | null {
  const read = chatAnswer.safeParse(answer);
  const said = (read.data?.choices[0]?.message.content ?? '').normalize('NFKC').trim();
  const numbers = [...said.matchAll(/(?<![\p{L}\p{N}])s[\s_-]?0*(\d{1,2})(?!\p{N})/giu)].map(([, number]) =>
    Number(number),
  );
  if (/^safe\b/i.test(said)) return numbers.length === 0 && !/unsafe/i.test(said) ? [] : null;
  if (!/^unsafe\b/i.test(said) || numbers.length === 0) return null;
  if (numbers.some((number) => number < 1 || number > MAX_HAZARD)) return null;
  return numbers.flatMap((number) => LLAMA_GUARD_HAZARDS[`S${number}`] ?? []);
}

/** Logs the failure, without the text. */
function reportFailure(reason: string): 'failed' {
  log('moderation_failed', { reason });
  return 'failed';
}

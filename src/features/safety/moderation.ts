import type { ModerationConcern, ModeratorAnswer } from '../../vendors/moderation.ts';
import {
  type CrisisKind,
  hasMinorCharacter,
  findCrisis,
  isEncouraging,
  isSexualWithMinor,
} from './decisions.ts';

/** The use of a text: a publication, a user's message, a character's reply, or an imported chat with both sides. */
export type ModerationPlace = 'publication' | 'message' | 'reply' | 'chat_file';

/**
 * The reason for a refusal. `urging`: the text urges someone to suicide or self-harm. `prompt`: a model reveals its
 * instructions. `unavailable`: the check failed, and the text may not pass unchecked.
 */
export type RefusalRule =
  | 'minors'
  | 'sexual'
  | 'violence'
  | 'hate'
  | 'illegal'
  | 'urging'
  | 'prompt'
  | 'unavailable';

/** The result of a check. A crisis is reported separately: it leads to helplines, never to a refusal. */
export type Verdict =
  | { ok: true; crisis: CrisisKind | null }
  | { ok: false; rule: RefusalRule; crisis: CrisisKind | null };

export interface ModerationInput {
  place: ModerationPlace;
  /** Whether the conversation or character is for adults and the user is one. */
  adult: boolean;
  /** Related text, such as a character's definition. */
  context?: string;
  /** Whether other sources show that a minor is present; called only for sexual texts. */
  isMinorPresent?: () => boolean;
  /** For replies: whether the user's recent messages show that they may need help. */
  crisisOpen?: boolean;
  /** Rules from which staff exempted this exact text. */
  exemptRules?: ReadonlySet<RefusalRule>;
}

/** Applies the local rules, without a moderation model. */
export function applyRules(text: string, about: ModerationInput): Verdict {
  const { place, adult, context, isMinorPresent, exemptRules } = about;
  const crisis = place === 'message' ? findCrisis(text) : null;
  // An adult publication with a minor needs no act of its own: its users would add it.
  const minors = () =>
    isSexualWithMinor(text, context, isMinorPresent) ||
    (place === 'publication' && adult && hasMinorCharacter(text));
  if (exemptRules?.has('minors') !== true && minors()) return { ok: false, rule: 'minors', crisis };
  // A user's own message of this kind leads to helplines, not to a refusal.
  const isChecked = place === 'publication' || place === 'reply';
  return isChecked && exemptRules?.has('urging') !== true && isEncouraging(text, about.crisisOpen ?? false)
    ? { ok: false, rule: 'urging', crisis }
    : { ok: true, crisis };
}

/** Maps a moderation model's concern to a rule for this use; null if it is allowed there. */
function toRefusalRule(
  concern: ModerationConcern,
  { place, adult, crisisOpen = false }: ModerationInput,
): RefusalRule | null {
  switch (concern) {
    case 'minors':
      return 'minors';
    case 'sexual':
      return adult ? null : 'sexual';
    case 'sexual_crime':
      return 'sexual';
    case 'hate':
      // Villains may hate in a conversation; a published character may not be built on hate.
      return place === 'publication' ? 'hate' : null;
    case 'hate_threatening':
      return 'hate';
    case 'violence_graphic':
      return place === 'publication' && !adult ? 'violence' : null;
    case 'illegal':
      // Fiction may talk about crime; a publication must not be a manual.
      return place === 'publication' ? 'illegal' : null;
    case 'weapons':
      return 'illegal';
    case 'self_harm_methods':
      // A user who writes about methods is shown helplines; no other text may explain them.
      return place === 'message' ? null : 'urging';
    case 'suicide':
    case 'self_harm':
      // Conversations may be sad, but not while the user may need help.
      return place === 'reply' && crisisOpen ? 'urging' : null;
  }
}

const CRISIS_BY_CONCERN: Partial<Record<ModerationConcern, CrisisKind>> = {
  suicide: 'suicide',
  self_harm: 'self_harm',
  self_harm_methods: 'self_harm',
};

/** Of several reasons the gravest is reported. */
const RULES_BY_SEVERITY: readonly RefusalRule[] = [
  'minors',
  'urging',
  'illegal',
  'hate',
  'violence',
  'sexual',
  'unavailable',
];

/**
 * Combines the rules with a moderation model's answer; neither overrides a finding of the other.
 * @param answered null when no model is configured; `failed` when it did not answer
 */
export function resolveVerdict(
  rules: Verdict,
  answered: ModeratorAnswer | null | 'failed',
  about: ModerationInput,
): Verdict {
  if (!rules.ok || answered === null) return rules;
  if (answered === 'failed') {
    // Publications stay visible, and with adult texts a miss weighs most, so both are refused. Other chats rely on
    // the rules.
    const closed = about.adult || about.place === 'publication';
    return closed ? { ok: false, rule: 'unavailable', crisis: rules.crisis } : rules;
  }
  const asked =
    about.place === 'message' ? answered.concerns.map((concern) => CRISIS_BY_CONCERN[concern]) : [];
  const crisis = rules.crisis ?? asked.find((kind) => kind !== undefined) ?? null;
  const found = new Set(answered.concerns.map((concern) => toRefusalRule(concern, about)));
  const rule = RULES_BY_SEVERITY.find((one) => found.has(one) && about.exemptRules?.has(one) !== true);
  return rule === undefined ? { ok: true, crisis } : { ok: false, rule, crisis };
}

/**
 * Checks a text, and again without each rule that staff exempted it from; all other rules still apply.
 * @param isExempted whether a granted appeal exempts the text from the rule; called only for a refusal
 */
export async function checkWithExemptions(
  moderate: (exemptRules: ReadonlySet<RefusalRule>) => Promise<Verdict>,
  isExempted: (rule: RefusalRule) => Promise<boolean>,
): Promise<Verdict> {
  const exemptRules = new Set<RefusalRule>();
  for (;;) {
    const verdict = await moderate(exemptRules);
    if (verdict.ok || verdict.rule === 'unavailable' || exemptRules.has(verdict.rule)) return verdict;
    if (!(await isExempted(verdict.rule))) return verdict;
    exemptRules.add(verdict.rule);
  }
}

/** Checks texts before they are stored, sent or shown. */
export interface Moderator {
  /** Whether a moderation model is configured; if not, `checkRules` and `check` are equivalent. */
  readonly hasModel: boolean;
  /** Applies the rules only, synchronously and without network access. */
  checkRules(text: string, about: ModerationInput): Verdict;
  /** Applies the rules and the moderation model, if configured. Never throws. */
  check(text: string, about: ModerationInput, signal?: AbortSignal): Promise<Verdict>;
  /** Asks only the model, for text that has already passed the rules. */
  checkModelOnly(text: string, about: ModerationInput, signal?: AbortSignal): Promise<Verdict>;
}

/** A failure within this time, in ms, does not start the cool-down. */
const MAX_QUICK_FAILURE_MS = 1000;
/** Cool-down in ms after a moderation timeout, for texts that may pass on the rules alone. */
export const MODERATOR_COOLDOWN_MS = 30_000;

/**
 * Creates a moderator.
 * @param ask calls a moderation model; null for the rules alone
 * @param clock returns ms since 1970
 */
export function createModerator(
  ask: ((text: string, signal: AbortSignal | undefined) => Promise<ModeratorAnswer | 'failed'>) | null,
  clock: () => number = Date.now,
): Moderator {
  /** When the model last failed slowly. */
  let failedAt = -Infinity;
  const isCoolingDown = () => Math.abs(clock() - failedAt) < MODERATOR_COOLDOWN_MS;
  const checkWithModel = async (
    rules: Verdict,
    text: string,
    about: ModerationInput,
    signal?: AbortSignal,
  ): Promise<Verdict> => {
    if (ask === null || !rules.ok || text.trim() === '') return rules;
    const fallback = resolveVerdict(rules, 'failed', about);
    // A reply is checked sentence by sentence; waiting for a timeout each time would stall it.
    if (fallback.ok && isCoolingDown()) return fallback;
    const askedAt = clock();
    const answered = await ask(text, signal);
    // A request that the caller aborted is no failure.
    const hasFailed = answered === 'failed' && signal?.aborted !== true;
    if (hasFailed && clock() - askedAt >= MAX_QUICK_FAILURE_MS) failedAt = clock();
    return resolveVerdict(rules, answered, about);
  };
  return {
    hasModel: ask !== null,
    checkRules: applyRules,
    check: (text, about, signal) => checkWithModel(applyRules(text, about), text, about, signal),
    checkModelOnly: (text, about, signal) => checkWithModel({ ok: true, crisis: null }, text, about, signal),
  };
}

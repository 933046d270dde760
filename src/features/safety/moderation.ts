import type { ModerationConcern, ModeratorAnswer } from '../../vendors/moderation.ts';
import {
  type CrisisKind,
  hasMinorCharacter,
  findCrisis,
  isEncouraging,
  isSexualWithMinor,
} from './decisions.ts';

/**
 * Where a text stands: what is published, what a person writes in a chat, what a character answers, and a chat that is
 * brought, with what both of them said.
 */
export type ModerationPlace = 'publication' | 'message' | 'reply' | 'chat_file';

/**
 * Why a text is refused; `urging` where it urges somebody to die or to hurt themself, `prompt` where a model tells its
 * instructions, `unavailable` where it cannot be told, and may not go by unseen.
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

/** What came of looking at a text. A crisis is told beside it: who needs help is answered, and not refused for that. */
export type Verdict =
  | { ok: true; crisis: CrisisKind | null }
  | { ok: false; rule: RefusalRule; crisis: CrisisKind | null };

export interface ModerationInput {
  place: ModerationPlace;
  /** Whether the story or the character is for adults, and the person one of them. */
  adult: boolean;
  /** What is known beside the text, such as a character's definition. */
  context?: string;
  /** Whether anything else says that a minor is present; asked where the text is sexual. */
  isMinorPresent?: () => boolean;
  /** Whether the person's last messages show that they may need help; of a reply. */
  crisisOpen?: boolean;
  /** Rules that staff let this very text by. */
  letBy?: ReadonlySet<RefusalRule>;
}

/** What the rules find by themselves, without asking a moderation model. */
export function applyRules(text: string, about: ModerationInput): Verdict {
  const { place, adult, context, isMinorPresent, letBy } = about;
  const crisis = place === 'message' ? findCrisis(text) : null;
  // What is published for adults needs no act in it: whoever talks to it brings that.
  const minors = () =>
    isSexualWithMinor(text, context, isMinorPresent) ||
    (place === 'publication' && adult && hasMinorCharacter(text));
  if (letBy?.has('minors') !== true && minors()) return { ok: false, rule: 'minors', crisis };
  // Replies are checked as they are written; what a person writes to a character is met with a helpline.
  const isChecked = place === 'publication' || place === 'reply';
  return isChecked && letBy?.has('urging') !== true && isEncouraging(text, about.crisisOpen ?? false)
    ? { ok: false, rule: 'urging', crisis }
    : { ok: true, crisis };
}

/** What a concern of a moderation model means where the text stands; null where it may stand there. */
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
      // Villains of stories hate aloud; a character that is made of it is another thing.
      return place === 'publication' ? 'hate' : null;
    case 'hate_threatening':
      return 'hate';
    case 'violence_graphic':
      return place === 'publication' && !adult ? 'violence' : null;
    case 'illegal':
      // Thieves of stories talk shop; what is published for everybody is no handbook.
      return place === 'publication' ? 'illegal' : null;
    case 'weapons':
      return 'illegal';
    case 'self_harm_methods':
      // Whoever writes of it is shown where help is; nobody is told how.
      return place === 'message' ? null : 'urging';
    case 'suicide':
    case 'self_harm':
      // Stories may be sad; who may need help now is told nothing of the kind.
      return place === 'reply' && crisisOpen ? 'urging' : null;
  }
}

const CRISIS_BY_CONCERN: Partial<Record<ModerationConcern, CrisisKind>> = {
  suicide: 'suicide',
  self_harm: 'self_harm',
  self_harm_methods: 'self_harm',
};

/** Of several reasons the gravest is told. */
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
 * What comes of the rules and a moderation model's answer together: neither takes back what the other one found.
 * @param answered null where no model is configured; `failed` where it did not answer
 */
export function resolveVerdict(
  rules: Verdict,
  answered: ModeratorAnswer | null | 'failed',
  about: ModerationInput,
): Verdict {
  if (!rules.ok || answered === null) return rules;
  if (answered === 'failed') {
    // A published text stays, and a text for adults is where a miss weighs most; a plain chat goes on with the rules.
    const closed = about.adult || about.place === 'publication';
    return closed ? { ok: false, rule: 'unavailable', crisis: rules.crisis } : rules;
  }
  const asked =
    about.place === 'message' ? answered.concerns.map((concern) => CRISIS_BY_CONCERN[concern]) : [];
  const crisis = rules.crisis ?? asked.find((kind) => kind !== undefined) ?? null;
  const found = new Set(answered.concerns.map((concern) => toRefusalRule(concern, about)));
  const rule = RULES_BY_SEVERITY.find((one) => found.has(one) && about.letBy?.has(one) !== true);
  return rule === undefined ? { ok: true, crisis } : { ok: false, rule, crisis };
}

/**
 * Looks at a text, and again without each rule that staff let it by: what other rules say of it holds.
 * @param isExempted whether a granted appeal says so; asked only where a rule would refuse it
 */
export async function checkWithExemptions(
  moderate: (letBy: ReadonlySet<RefusalRule>) => Promise<Verdict>,
  isExempted: (rule: RefusalRule) => Promise<boolean>,
): Promise<Verdict> {
  const letBy = new Set<RefusalRule>();
  for (;;) {
    const verdict = await moderate(letBy);
    if (verdict.ok || verdict.rule === 'unavailable' || letBy.has(verdict.rule)) return verdict;
    if (!(await isExempted(verdict.rule))) return verdict;
    letBy.add(verdict.rule);
  }
}

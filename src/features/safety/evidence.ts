import { APPEAL_LIMITS } from './limits.ts';
import { countSigns, isSexualWithKnownMinor } from './decisions.ts';

/** The source of a passage that contributes to a refusal. */
export type PassageKind = 'character' | 'persona' | 'lorebook' | 'note' | 'message' | 'name';

/** A passage that contributed to the refusal of another text. */
export interface Passage {
  of: PassageKind;
  text: string;
}

/** A passage in the context of a text. */
export interface ContextPassage extends Passage {
  /** The part that counts; the whole text if absent. */
  said?: string;
}

/** The passages a text was refused with. With other passages it counts as a different text. */
export interface RefusalEvidence {
  passages: Passage[];
  /** Whether `passages` is complete. Staff can only exempt what they can read in full. */
  whole: boolean;
  /** Id of the character, if some passages belong to it rather than to the user. */
  character?: string;
}

export const NO_EVIDENCE: RefusalEvidence = { passages: [], whole: true };

/** Normalises encoding differences between browsers and keyboards; the content stays the same. */
export const normalizeExactText = (text: string): string =>
  text.toWellFormed().normalize('NFC').replaceAll(/\r\n?/g, '\n').trim();

const getCountedText = ({ said, text }: ContextPassage): string => said ?? text;

const contextCache = new WeakMap<readonly ContextPassage[], string>();

/** Joins the context into one text; cached per array, because many texts share one context. */
export function joinContext(around: readonly ContextPassage[]): string {
  const before = contextCache.get(around);
  if (before !== undefined) return before;
  const context = around.map(getCountedText).join('\n');
  contextCache.set(around, context);
  return context;
}

/**
 * Collects the passages that the minors rule combines with a text: for a sexual text, passages that show a minor, and for
 * a text with a minor, sexual passages.
 * @param around context that counts for both
 * @param listExtra further passages that show a minor
 */
export function collectEvidence(
  text: string,
  {
    around,
    listExtra = () => [],
  }: { around: readonly ContextPassage[]; listExtra?: () => Iterable<Passage> },
): RefusalEvidence {
  const own = countSigns(text);
  const isSexual = isSexualWithKnownMinor(text);
  const found: Passage[] = [];
  const sum = { minor: 0, sexual: 0 };
  for (const one of around) {
    const { minor, sexual } = countSigns(getCountedText(one));
    sum.minor += minor;
    sum.sexual += sexual;
    if ((isSexual && minor > 0) || (own.minor > 0 && sexual > 0)) found.push(one);
  }
  const together = countSigns(joinContext(around));
  // A sign that appears only in the joined context is attributed to all passages.
  const isTogether =
    (isSexual && together.minor > 0 && sum.minor === 0) ||
    (own.minor > 0 && together.sexual > 0 && sum.sexual === 0);
  const passages = [...(isTogether ? around : found), ...(isSexual ? listExtra() : [])];
  return limitEvidence(passages.filter((one) => normalizeExactText(one.text) !== normalizeExactText(text)));
}

/** Merges the evidence of texts refused together. @param written these texts, which staff see separately */
export function mergeEvidence(each: readonly RefusalEvidence[], written: readonly string[]): RefusalEvidence {
  const own = new Set(written.map(normalizeExactText));
  const { passages, whole } = limitEvidence(
    each.flatMap((one) => one.passages).filter(({ text }) => !own.has(normalizeExactText(text))),
  );
  return { passages, whole: whole && each.every((one) => one.whole) };
}

/** Removes duplicates and cuts the evidence to what staff can be shown. */
function limitEvidence(passages: readonly Passage[]): RefusalEvidence {
  const kept: Passage[] = [];
  const seen = new Set<string>();
  let room: number = APPEAL_LIMITS.maxEvidenceChars;
  let whole = true;
  for (const { of, text } of passages) {
    const exact = normalizeExactText(text);
    if (exact === '' || seen.has(exact)) continue;
    seen.add(exact);
    const shown = exact.slice(0, room).toWellFormed();
    whole &&= shown === exact && kept.length < APPEAL_LIMITS.maxEvidencePassages;
    if (shown === '' || kept.length >= APPEAL_LIMITS.maxEvidencePassages) break;
    kept.push({ of, text: shown });
    room -= shown.length;
  }
  return { passages: kept, whole };
}

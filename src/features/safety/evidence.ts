import { APPEAL_LIMITS } from './limits.ts';
import { countSigns } from './decisions.ts';

/** Where a text stands that another one is refused beside. */
export type PassageKind = 'character' | 'persona' | 'lorebook' | 'note' | 'message' | 'name';

/** A text that another one is refused beside. */
export interface Passage {
  of: PassageKind;
  text: string;
}

/** A text as it is known beside another one. */
export interface ContextPassage extends Passage {
  /** As much of it as counts there; all of it where it is left out. */
  said?: string;
}

/** What a text was refused beside: without it, it is another text. */
export interface RefusalEvidence {
  passages: Passage[];
  /** Whether they are all of it: what staff cannot read lets nothing by. */
  whole: boolean;
  /** Of which character, where they are not all its person's own. */
  character?: string;
}

export const NO_EVIDENCE: RefusalEvidence = { passages: [], whole: true };

/** The same text, however a browser or a keyboard wrote it: nothing of what it says is another. */
export const normalizeExactText = (text: string): string =>
  text.toWellFormed().normalize('NFC').replaceAll(/\r\n?/g, '\n').trim();

const getCountedText = ({ said, text }: ContextPassage): string => said ?? text;

const contextCache = new WeakMap<readonly ContextPassage[], string>();

/** What stands around a text, as one: the same around many is put together once. */
export function joinContext(around: readonly ContextPassage[]): string {
  const before = contextCache.get(around);
  if (before !== undefined) return before;
  const context = around.map(getCountedText).join('\n');
  contextCache.set(around, context);
  return context;
}

/**
 * What the rule against sexual texts with minors sets a text against: beside an act whatever says an age, and beside an age
 * whatever tells of an act.
 * @param around what counts both ways
 * @param told what else says an age
 */
export function collectEvidence(
  text: string,
  { around, told = () => [] }: { around: readonly ContextPassage[]; told?: () => Iterable<Passage> },
): RefusalEvidence {
  const own = countSigns(text);
  const isSexual = own.sexual > 0;
  const found: Passage[] = [];
  const sum = { minor: 0, sexual: 0 };
  for (const one of around) {
    const { minor, sexual } = countSigns(getCountedText(one));
    sum.minor += minor;
    sum.sexual += sexual;
    if ((isSexual && minor > 0) || (own.minor > 0 && sexual > 0)) found.push(one);
  }
  const together = countSigns(joinContext(around));
  // What only several of them say together stands in all of them.
  const isTogether =
    (isSexual && together.minor > 0 && sum.minor === 0) ||
    (own.minor > 0 && together.sexual > 0 && sum.sexual === 0);
  const passages = [...(isTogether ? around : found), ...(isSexual ? told() : [])];
  return limitEvidence(passages.filter((one) => normalizeExactText(one.text) !== normalizeExactText(text)));
}

/** Several texts that were refused together, as one. @param written they are shown by themselves */
export function mergeEvidence(each: readonly RefusalEvidence[], written: readonly string[]): RefusalEvidence {
  const own = new Set(written.map(normalizeExactText));
  const { passages, whole } = limitEvidence(
    each.flatMap((one) => one.passages).filter(({ text }) => !own.has(normalizeExactText(text))),
  );
  return { passages, whole: whole && each.every((one) => one.whole) };
}

/** Each once, and no more than staff is shown. */
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

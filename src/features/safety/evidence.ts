import { APPEALS } from './limits.ts';
import { countSigns } from './decisions.ts';

/** Where a text stands that another one is refused beside. */
export type PassageKind = 'character' | 'persona' | 'lorebook' | 'note' | 'message' | 'name';

/** A text that another one is refused beside. */
export interface Passage {
  of: PassageKind;
  text: string;
}

/** A text as it is known beside another one. */
export interface Standing extends Passage {
  /** As much of it as counts there; all of it where it is left out. */
  said?: string;
}

/** What a text was refused beside: without it, it is another text. */
export interface Beside {
  passages: Passage[];
  /** Whether they are all of it: what staff cannot read lets nothing by. */
  whole: boolean;
  /** Of which character, where they are not all its person's own. */
  character?: string;
}

export const ALONE: Beside = { passages: [], whole: true };

/** The same text, however a browser or a keyboard wrote it: nothing of what it says is another. */
export const exactText = (text: string): string =>
  text.toWellFormed().normalize('NFC').replaceAll(/\r\n?/g, '\n').trim();

const saidOf = ({ said, text }: Standing): string => said ?? text;

const joined = new WeakMap<readonly Standing[], string>();

/** What stands around a text, as one: the same around many is put together once. */
export function contextOf(around: readonly Standing[]): string {
  const before = joined.get(around);
  if (before !== undefined) return before;
  const context = around.map(saidOf).join('\n');
  joined.set(around, context);
  return context;
}

/**
 * What the rule against sexual texts with minors sets a text against: beside an act whatever says an age, and beside an age
 * whatever tells of an act.
 * @param around what counts both ways
 * @param told what else says an age
 */
export function besideOf(
  text: string,
  { around, told = () => [] }: { around: readonly Standing[]; told?: () => Iterable<Passage> },
): Beside {
  const own = countSigns(text);
  const isSexual = own.sexual > 0;
  const found: Passage[] = [];
  const sum = { minor: 0, sexual: 0 };
  for (const one of around) {
    const { minor, sexual } = countSigns(saidOf(one));
    sum.minor += minor;
    sum.sexual += sexual;
    if ((isSexual && minor > 0) || (own.minor > 0 && sexual > 0)) found.push(one);
  }
  const together = countSigns(contextOf(around));
  // What only several of them say together stands in all of them.
  const isTogether =
    (isSexual && together.minor > 0 && sum.minor === 0) ||
    (own.minor > 0 && together.sexual > 0 && sum.sexual === 0);
  const passages = [...(isTogether ? around : found), ...(isSexual ? told() : [])];
  return boundedBeside(passages.filter((one) => exactText(one.text) !== exactText(text)));
}

/** Several texts that were refused together, as one. @param written they are shown by themselves */
export function besideAll(each: readonly Beside[], written: readonly string[]): Beside {
  const own = new Set(written.map(exactText));
  const { passages, whole } = boundedBeside(
    each.flatMap((one) => one.passages).filter(({ text }) => !own.has(exactText(text))),
  );
  return { passages, whole: whole && each.every((one) => one.whole) };
}

/** Each once, and no more than staff is shown. */
function boundedBeside(passages: readonly Passage[]): Beside {
  const kept: Passage[] = [];
  const seen = new Set<string>();
  let room: number = APPEALS.besideChars;
  let whole = true;
  for (const { of, text } of passages) {
    const exact = exactText(text);
    if (exact === '' || seen.has(exact)) continue;
    seen.add(exact);
    const shown = exact.slice(0, room).toWellFormed();
    whole &&= shown === exact && kept.length < APPEALS.besidePassages;
    if (shown === '' || kept.length >= APPEALS.besidePassages) break;
    kept.push({ of, text: shown });
    room -= shown.length;
  }
  return { passages: kept, whole };
}

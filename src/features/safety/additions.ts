import additions from '../../../data/safety/additions.json' with { type: 'json' };

/**
 * Removes what people add to a sentence without changing what it says: greetings, names, "please", laughs. A short
 * sentence has so few words that one more hides from the classifier what the others say. Pure.
 */

/** In lower case, of all languages. */
const ADDITIONS: ReadonlySet<string> = new Set(Object.values(additions).flat());
const LAUGH =
  /^(?:l[lo]*l|lmf?ao|rofl|kek|jk|xd+|[ha]{3,}|[he]{4,}|[hi]{4,}|[ja]{4,}|[je]{4,}|[ji]{4,}|k{3,}|(?:rs)+|mdr|ptdr|(?:wk)+|[ха]{3,}|[хе]{3,}|лол|кек|[हा]{2,}|笑+|草|w+|哈{2,}|呵{2,}|嘻{2,}|[あは]{2,}|[😀-😆😂🤣😹💀]+)$/u;
/** One or two capitalised words, set off by a comma: whom the sentence addresses. */
const ADDRESS = /^\P{L}?(?:\p{Lu}[\p{L}.]* ?){1,2}, |, (?:\p{Lu}[\p{L}.]* ?){1,2}\P{L}?$/u;

/** UTF-16 units; one word more hides nothing in a longer sentence. */
const MAX_CHARS = 120;
/** The longest addition, in words or in characters of a script without spaces. */
const MAX_WORDS = 3;
const MAX_IDEOGRAPHS = 8;
/** The number of additions removed from one sentence. */
const MAX_ADDITIONS = 4;

const isIdeograph = (code: number): boolean => code >= 0x3041 && code <= 0x9fff;
/** Whether a character is a blank or punctuation; an apostrophe is part of its word. */
const isBreak = (code: number): boolean =>
  code < 0x30
    ? code !== 0x27
    : (code > 0x39 && code < 0x41) || (code > 0x2000 && code < 0x3041 && code !== 0x2019) || code > 0xff00;

/** The first and the last words of all additions, or characters of a script without spaces: most texts have none of them. */
const EDGES = [0, -1].map(
  (place) =>
    new Set([
      ...'笑草哈呵嘻あは',
      ...[...ADDITIONS].map((one) => (isIdeograph(one.charCodeAt(0)) ? one : one.split(' ')).at(place)),
    ]),
);

/** A sentence without some of its additions. */
interface BareSentence {
  text: string;
  /** Whether a laugh was removed, which may mean that the sentence is a joke. */
  laughs: boolean;
}

/** An addition at an edge of a text: where it ends at the start, or starts at the end. */
interface Addition {
  place: number;
  laughs: boolean;
}

/** Finds the longest addition at the start or the end of a text. */
function findAddition(text: string, isAtEnd: boolean): Addition | null {
  const step = isAtEnd ? -1 : 1;
  const edges = EDGES[isAtEnd ? 1 : 0];
  const codeAt = (place: number) => text.charCodeAt(isAtEnd ? place - 1 : place);
  const isInside = (place: number) => (isAtEnd ? place > 0 : place < text.length);
  let from = isAtEnd ? text.length : 0;
  while (isInside(from) && isBreak(codeAt(from))) from += step;
  let longest: Addition | null = null;
  let place = from;
  for (let words = 0, signs = 0; words < MAX_WORDS && signs < MAX_IDEOGRAPHS && isInside(place);) {
    const isSign = isIdeograph(codeAt(place));
    if (isSign) {
      // Most texts end here, before their pieces are compared.
      if (words + signs === 0 && edges?.has(String.fromCharCode(codeAt(place))) !== true) break;
      [place, signs] = [place + step, signs + 1];
    } else {
      while (isInside(place) && isBreak(codeAt(place))) place += step;
      while (isInside(place) && !isBreak(codeAt(place)) && !isIdeograph(codeAt(place))) place += step;
      words += 1;
    }
    if (!isInside(place)) break;
    const piece = (isAtEnd ? text.slice(place, from) : text.slice(from, place))
      .toLowerCase()
      .replace('’', "'");
    const laughs = LAUGH.test(piece);
    if (!laughs && words + signs === 1 && edges?.has(piece) !== true) break;
    if (laughs || ADDITIONS.has(piece)) longest = { place, laughs };
  }
  return longest;
}

/** Removes the additions of a sentence one after the other. @returns each shorter sentence */
export function stripAdditions(sentence: string): BareSentence[] {
  const bare: BareSentence[] = [];
  if (sentence.length > MAX_CHARS) return bare;
  let text = sentence.includes(',') ? sentence.replace(ADDRESS, '') : sentence;
  if (text !== sentence) bare.push({ text, laughs: false });
  let isJoke = false;
  for (let count = 0; count < MAX_ADDITIONS; count += 1) {
    const start = findAddition(text, false);
    const end = start === null ? findAddition(text, true) : null;
    if (start !== null) text = text.slice(start.place);
    else if (end === null) break;
    else text = text.slice(0, end.place);
    isJoke ||= start?.laughs === true || end?.laughs === true;
    bare.push({ text, laughs: isJoke });
  }
  return bare;
}

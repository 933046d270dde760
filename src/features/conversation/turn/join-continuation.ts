/** Joins a reply and its continuation, as one text. Pure. */

/** Scripts without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}。、！？「」『』（）]/u;
const SENTENCE_END = /[.!?…।]["”»’*)\]]*$|["”»*]$/u;
const SENTENCE_START = /^[\p{Lu}\p{Lt}\p{Lo}"“„«‘*([¡¿]/u;

/**
 * Returns the separator between a reply and its continuation: a space between two sentences, because models omit it there.
 * Nothing is inserted within a sentence, because a reply that reaches the model's limit may stop within a word.
 * @param addition the first piece of the continuation
 */
export function getJoiner(base: string, addition: string): '' | ' ' {
  const last = base.at(-1) ?? '';
  const first = addition.at(0) ?? '';
  if (last === '' || first === '' || UNSPACED.test(last) || UNSPACED.test(first)) return '';
  // An unpaired `"` or `*` is open: the same mark closes it, and text after it belongs inside.
  for (const mark of ['"', '*']) {
    const isOpen = base.split(mark).length % 2 === 0;
    if (isOpen && (first === mark || last === mark)) return '';
  }
  return SENTENCE_END.test(base) && SENTENCE_START.test(addition) ? ' ' : '';
}

/** How much of a reply's end its continuation may repeat, in UTF-16 units. */
const MAX_REPEATED_CHARS = 400;
/** Fewer characters, or a single word, may be repeated on purpose. */
const MIN_REPEATED_CHARS = 4;
/** How much of the text before an end shows whether that starts a sentence. */
const CONTEXT_CHARS = 20;

/** The ends of a reply that a continuation may begin with, longest first. */
function listEnds(base: string): string[] {
  const ends: string[] = [];
  const first = Math.max(0, base.length - MAX_REPEATED_CHARS);
  for (let at = first; at <= base.length - MIN_REPEATED_CHARS; at += 1) {
    const end = base.slice(at);
    if (canBeRepeated(base.slice(Math.max(0, at - CONTEXT_CHARS), at), end)) ends.push(end);
  }
  return ends;
}

/**
 * Whether a repetition of this end is no part of the story: it starts at a sentence, or has several words.
 * @param before the last characters before it; empty at the beginning
 */
function canBeRepeated(before: string, end: string): boolean {
  if (/^\s/.test(end)) return false;
  if (UNSPACED.test(end.charAt(0))) return true;
  if (/[\p{L}\p{N}\p{M}'’-]$/u.test(before)) return false;
  return /^$|[.!?…।]["”»’*)\]]*\s+$|\n$/u.test(before) || /\S\s+\S/.test(end);
}

/**
 * Finds the end of the reply that a continuation begins with: models are asked to repeat the last words, and some begin the
 * sentence again.
 * @param addition the continuation received so far, without leading spaces
 * @returns its length; null while more text may make it longer
 */
export function findRepetition(base: string, addition: string): number | null {
  const ends = listEnds(base);
  const longest = ends.find((end) => addition.startsWith(end))?.length ?? 0;
  return ends.some((end) => end.length > longest && end.startsWith(addition)) ? null : longest;
}

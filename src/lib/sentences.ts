const LETTER = /\p{L}/u;
/** A title or an initial before a name: what follows belongs to it. */
const ABBREVIATION = /(?:^|[\s("„“«])\p{Lu}\p{L}{0,2}\.\s*$/u;
/** In UTF-16 units: enough of an end to see such a title in it. */
const END_CHARACTERS = 12;
/** “Who is there?” he asks. */
const CONTINUATION = /^[\s»”"]*\p{Ll}/u;
/** « Qui est là ? » stands with a space before its end, which the standard's rules give to the next sentence. */
const SPACED_CLOSING_QUOTE = /^[»”]\s+/;
/** And what opens the next one, where no space comes before it, to the sentence before. */
const OPENINGS = '「『（《〈【';

/**
 * Splits what has been written so far into sentences, to say each once it is finished. As the text grows, the sentences
 * that were finished stay the same ones: the end of one counts only when the next has begun.
 * @param text plain, without marks (see plainText in story-text.ts)
 * @param lang code of the language that it is read in
 * @param complete nothing follows: what is left is the last sentence
 * @returns `finished` without the space around them, none empty; `rest` is the end of `text` that is not finished yet
 */
export function extractSentences(
  text: string,
  lang: string,
  complete = false,
): { finished: string[]; rest: string } {
  const finished: string[] = [];
  const finish = (from: number, to: number) => {
    const sentence = text.slice(from, to).trim();
    if (sentence !== '') finished.push(sentence);
  };
  let sentenceStart = 0;
  let hasLetter = false;
  for (const { index, segment } of splitSegments(text, lang)) {
    // What holds no letter, such as a quotation mark or three points, goes with what stands before it: also where it ends
    // may still change as long as no letter follows.
    const continues =
      !hasLetter ||
      !LETTER.test(segment) ||
      ABBREVIATION.test(text.slice(Math.max(sentenceStart, index - END_CHARACTERS), index)) ||
      (CONTINUATION.test(segment) && text[index - 1] !== '\n');
    hasLetter ||= LETTER.test(segment);
    if (continues) continue;
    let end = index + (SPACED_CLOSING_QUOTE.exec(segment)?.[0].length ?? 0);
    while (end > sentenceStart && OPENINGS.includes(text.charAt(end - 1))) end -= 1;
    finish(sentenceStart, end);
    sentenceStart = end;
  }
  if (!complete) return { finished, rest: text.slice(sentenceStart) };
  finish(sentenceStart, text.length);
  return { finished, rest: '' };
}

function splitSegments(text: string, lang: string): Iterable<{ index: number; segment: string }> {
  // Browsers of before 2024 may not have it; lines are sentences enough then.
  if (typeof Intl.Segmenter !== 'function')
    return Array.from(text.matchAll(/[^\n]*\n|[^\n]+$/g), (found) => ({
      index: found.index,
      segment: found[0],
    }));
  return new Intl.Segmenter(lang, { granularity: 'sentence' }).segment(text);
}

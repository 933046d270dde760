const LETTER = /\p{L}/u;
/** A title or an initial before a name, such as “Dr.” or “J.”: the sentence continues after it. */
const ABBREVIATION = /(?:^|[\s("„“«])\p{Lu}\p{L}{0,2}\.\s*$/u;
/** UTF-16 units before a boundary that are searched for an abbreviation. */
const END_CHARACTERS = 12;
/** A lower-case letter after a closing quotation mark continues the sentence: “Who is there?” he asks. */
const CONTINUATION = /^[\s»”"]*\p{Ll}/u;
/**
 * French puts a space before a closing quotation mark (« Qui est là ? »). The Unicode rules assign that mark to the next
 * sentence.
 */
const SPACED_CLOSING_QUOTE = /^[»”]\s+/;
/** Opening marks. Where no space comes before one, the Unicode rules assign it to the sentence before. */
const OPENINGS = '「『（《〈【';

/**
 * Splits a growing text into sentences, so that each can be announced once it is complete. Finished sentences never
 * change as the text grows: a sentence counts as finished only when the next one has begun.
 * @param text plain, without markup (`toPlainText`)
 * @param lang language code that the text is read in
 * @param complete true when no more text follows: the rest is then the last sentence
 * @returns `finished` trimmed and never empty; `rest` is the end of `text` that is not finished yet
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
    // A segment without a letter, such as a quotation mark or an ellipsis, belongs to the sentence before. Its boundary
    // may still change until a letter follows.
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
  // Browsers from before 2024 may lack Intl.Segmenter; split by lines there.
  if (typeof Intl.Segmenter !== 'function')
    return Array.from(text.matchAll(/[^\n]+\n?|\n/g), (found) => ({
      index: found.index,
      segment: found[0],
    }));
  return new Intl.Segmenter(lang, { granularity: 'sentence' }).segment(text);
}

/** Parts texts into sentences: what one says is classified by itself and beside the sentences before it. Pure, linear. */

/** In UTF-16 units: a sentence without an end is cut here. */
export const MAX_SENTENCE = 400;

const STRONG_END = /[。！？\n।]/;
const END = /[.!?…;]/;
/** Stays with the sentence that it closes. */
const CLOSING = /[.!?…"'”’»)*_]/;

/** Full stop, exclamation mark, semicolon, question mark. */
const isStop = (code: number): boolean => code === 46 || code === 33 || code === 59 || code === 63;

/** Where the first sentence of a text ends; -1 where it may go on. @param whole whether nothing follows the text */
function firstEnd(text: string, whole: boolean): number {
  const last = Math.min(text.length, MAX_SENTENCE);
  for (let at = 0; at < last; at += 1) {
    // Most signs are letters and blanks.
    const code = text.charCodeAt(at);
    if (code < 0x80 ? code !== 10 && !isStop(code) : code !== 0x2026 && code !== 0x964 && code < 0x3002)
      continue;
    const sign = text[at] as string;
    // What stands below a colon belongs to it: "Age:", and in the next line a number.
    if (STRONG_END.test(sign) && text[at - 1] !== ':' && text[at - 1] !== '：') {
      return at + 1;
    }
    if (!END.test(sign)) continue;
    let end = at + 1;
    while (end < last && CLOSING.test(text[end] as string)) end += 1;
    // "3.5" and "a.m" go on, and a text that is still being written may.
    if (end < text.length ? /\s/.test(text[end] as string) : whole) return end;
    at = end - 1;
  }
  if (text.length >= MAX_SENTENCE) return MAX_SENTENCE;
  return whole && text.length > 0 ? text.length : -1;
}

/** The sentences of a text in their order; joined they are the text. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let rest = text;
  while (rest !== '') {
    // Cutting long texts short keeps each look at them bounded.
    const end = firstEnd(rest.slice(0, MAX_SENTENCE + 1), rest.length <= MAX_SENTENCE);
    const length = end === -1 ? rest.length : end;
    sentences.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return sentences;
}

/** The first sentence of a text that is still being written, as far as it is over; null where it may go on. */
export function takeSentence(text: string): string | null {
  const end = firstEnd(text, false);
  return end === -1 ? null : text.slice(0, end);
}

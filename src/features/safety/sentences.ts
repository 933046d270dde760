/** Splits texts into sentences, which are classified alone and together with the preceding ones. Pure, linear time. */

/** UTF-16 units; longer sentences are cut here. */
export const MAX_SENTENCE = 400;

const STRONG_END = /[。！？\n।]/;
const END = /[.!?…;]/;
/** Characters that stay with the sentence they close. */
const CLOSING = /[.!?…"'”’»)*_]/;

/** Whether a character matches one of the expressions for an end. Most are letters and spaces, for which this is faster. */
const isEnd = (code: number): boolean =>
  code < 0x80
    ? code === 46 || code === 33 || code === 59 || code === 63 || code === 10
    : code === 0x2026 || code === 0x964 || code === 0x3002 || code === 0xff01 || code === 0xff1f;

/** The end of the first sentence; -1 if it may continue. @param whole whether the text is complete */
function firstEnd(text: string, whole: boolean): number {
  const last = Math.min(text.length, MAX_SENTENCE);
  for (let at = 0; at < last; at += 1) {
    if (!isEnd(text.charCodeAt(at))) continue;
    const sign = text[at] as string;
    // A line after a colon belongs to it: "Age:" and a number on the next line.
    if (STRONG_END.test(sign) && text[at - 1] !== ':' && text[at - 1] !== '：') {
      return at + 1;
    }
    if (!END.test(sign)) continue;
    let end = at + 1;
    while (end < last && CLOSING.test(text[end] as string)) end += 1;
    // "3.5" and "a.m" continue, and an unfinished text may.
    if (end < text.length ? /\s/.test(text[end] as string) : whole) return end;
    at = end - 1;
  }
  if (text.length >= MAX_SENTENCE) return MAX_SENTENCE;
  return whole && text.length > 0 ? text.length : -1;
}

/** Splits a text into sentences; joined they give the text. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let rest = text;
  while (rest !== '') {
    // Pass a bounded slice, so that each step takes constant time.
    const end = firstEnd(rest.slice(0, MAX_SENTENCE + 1), rest.length <= MAX_SENTENCE);
    const length = end === -1 ? rest.length : end;
    sentences.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return sentences;
}

/** The first sentence of an unfinished text; null if it may continue. */
export function takeSentence(text: string): string | null {
  const end = firstEnd(text, false);
  return end === -1 ? null : text.slice(0, end);
}

import { estimateTokenCount } from 'tokenx';

/** Covers the estimate's error of a few per cent, and the tokens that frame each message. */
const ESTIMATE_MARGIN = 1.1;
const MESSAGE_FRAME_TOKENS = 4;

/** Estimates the tokens of a text, with a margin so that it rarely falls below the true number. */
export function estimateTokens(text: string): number {
  return Math.ceil(countTokens(text) * ESTIMATE_MARGIN) + MESSAGE_FRAME_TOKENS;
}

export function sumTokens(parts: readonly { tokens: number }[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** The kinds of ASCII characters that tokenx separates. */
const Kind = { Word: 0, Blank: 1, Punctuation: 2 } as const;
const KINDS = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/\s/.test(sign)) return Kind.Blank;
  return /[!-/:-@[-`{-~]/.test(sign) && sign !== "'" ? Kind.Punctuation : Kind.Word;
});

/** Blanks beyond ASCII and the characters of scripts without spaces, which tokenx splits by rules of their own. */
const IRREGULAR = /[^\S\t-\r ]|[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uff00-\uffef]/;

const CHARS_PER_TOKEN = 7;
const MAX_WHOLE_WORD = 8;
const MAX_SHORT_WORD = 3;
const PUNCTUATION_PER_TOKEN = 6;
const DIGITS_PER_TOKEN = 3;

/**
 * Returns what tokenx returns, for texts in Latin letters in less than half the time: it counts segments while it reads,
 * where tokenx splits the text with expressions. A prompt counts every message that fits into the model's context.
 */
export function countTokens(text: string): number {
  if (IRREGULAR.test(text)) return estimateTokenCount(text);
  let tokens = 0;
  let before: number = Kind.Word;
  for (let from = 0, at = 0; from < text.length; from = at) {
    const kind = getKind(text.charCodeAt(from));
    let [most, lowerCase, digits] = [0, 0, 0];
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (getKind(code) !== kind) break;
      if (code > most) most = code;
      if (code >= 97 && code <= 122) lowerCase += 1;
      else if (code >= 48 && code <= 57) digits += 1;
    }
    const length = at - from;
    if (kind === Kind.Blank)
      tokens += length === 1 && most === SPACE ? 0 : countBlanks(text.slice(from, at), before);
    else if (most >= 0x80) tokens += estimateTokenCount(text.slice(from, at));
    else if (digits === length) tokens += Math.ceil(length / DIGITS_PER_TOKEN);
    else if (length <= MAX_SHORT_WORD || (lowerCase === length && length <= MAX_WHOLE_WORD)) tokens += 1;
    else tokens += Math.ceil(length / (kind === Kind.Punctuation ? PUNCTUATION_PER_TOKEN : CHARS_PER_TOKEN));
    before = kind;
  }
  return tokens;
}

const SPACE = 32;

/** Blank lines and indented ones count; another line break does so only if no punctuation precedes it. */
function countBlanks(blanks: string, before: number): 0 | 1 {
  if (/\n\s/.test(blanks)) return 1;
  return blanks.includes('\n') && before !== Kind.Punctuation ? 1 : 0;
}

const getKind = (code: number): number => (code < 0x80 ? (KINDS[code] as number) : Kind.Word);

import { readFileSync } from 'node:fs';

/** A message with its true counts, in the order of `TOKENIZERS`. */
export type CountedMessage = [text: string, ...counts: number[]];

/** 500 messages in a language, to which the weights of the estimates were not fitted (scripts/tokens/calibrate.ts). */
export const readCountedMessages = (language: string): CountedMessage[] =>
  readFileSync(new URL(`tokens/${language}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CountedMessage);

import type { Tokenizer } from '../../model/token-weights.ts';
import { getReplyWords, type ReplyLength } from '../../reply-style/reply-style.ts';

/** Tokens of the context that are reserved for the reply, unless it has to be longer than this allows. */
export const MAX_REPLY_TOKENS = 1000;

/**
 * Tokens per word in the language that needs most of them: Hindi for the vocabularies that spell its letters in bytes,
 * otherwise Polish or Hindi. A fifth more than the estimates, so that a cap never cuts a reply that keeps to its length
 * (tests/unit/features/conversation/prompt/reply-tokens.test.ts).
 */
const TOKENS_PER_WORD: Record<Tokenizer, number> = {
  cl100k: 6.2,
  o200k: 2.9,
  llama3: 3.3,
  'mistral-v1': 6.3,
  tekken: 3,
};
const MAX_TOKENS_PER_WORD = Math.max(...Object.values(TOKENS_PER_WORD));

/** The largest share of the context for a reply that is longer than usual, so that most of it stays for the history. */
const MAX_REPLY_SHARE = 1 / 3;

/**
 * Returns the maximum tokens of a reply: never fewer than usual, because models may think before they write, and at most
 * a third of the context where a long reply needs more.
 * @param model its window is the configured one: points and budgets are reserved before the prompt is built
 */
export function calculateReplyTokens(
  length: ReplyLength,
  { contextTokens, tokenizer = null }: { contextTokens: number; tokenizer?: Tokenizer | null },
): number {
  const { most = 0 } = getReplyWords(length) ?? {};
  const perWord = tokenizer === null ? MAX_TOKENS_PER_WORD : TOKENS_PER_WORD[tokenizer];
  const needed = Math.min(Math.ceil(most * perWord), Math.floor(contextTokens * MAX_REPLY_SHARE));
  return Math.max(MAX_REPLY_TOKENS, needed);
}

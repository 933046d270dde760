import { estimateTokenCount } from 'tokenx';

/** Estimates are a few per cent off, and each message costs some tokens for its frame. */
const ESTIMATE_MARGIN = 1.1;
const MESSAGE_FRAME_TOKENS = 4;

/** The estimated cost of a text in tokens, never below the truth by more than the margin allows. */
export function estimateTokens(text: string): number {
  return Math.ceil(estimateTokenCount(text) * ESTIMATE_MARGIN) + MESSAGE_FRAME_TOKENS;
}

/** What several parts cost together. */
export function sumTokens(parts: readonly { tokens: number }[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

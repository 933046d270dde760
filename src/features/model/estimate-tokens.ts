import { estimateTokenCount } from 'tokenx';

/** Covers the estimate's error of a few per cent, and the tokens that frame each message. */
const ESTIMATE_MARGIN = 1.1;
const MESSAGE_FRAME_TOKENS = 4;

/** Estimates the tokens of a text, with a margin so that it rarely falls below the true number. */
export function estimateTokens(text: string): number {
  return Math.ceil(estimateTokenCount(text) * ESTIMATE_MARGIN) + MESSAGE_FRAME_TOKENS;
}

export function sumTokens(parts: readonly { tokens: number }[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0);
}

import type { PointsStatus } from '../../wallet/contract.ts';
import { estimateTokens } from '../../model/estimate-tokens.ts';
import type { Tokenizer } from '../../model/token-weights.ts';
import type { TurnCause, TurnOutcome } from './turn.ts';

/** Upper bounds of the time to first text in the metrics, in milliseconds. */
export const FIRST_WITHIN_MS = [250, 500, 1000, 2000, 5000] as const;

/** Metrics of one turn; they contain neither users nor texts. */
export interface TurnFigures {
  /** When it ended, in ms. */
  at: number;
  /** Our own name for the model. */
  model: string;
  /** `failed` includes replies without text and turns whose object was evicted. */
  end: 'finished' | 'stopped' | 'failed' | 'refused';
  /** Estimated; 0 when there was no prompt. */
  promptTokens: number;
  /** Those of the prompt that the provider reports as kept from an earlier one. */
  cachedTokens: number;
  /** Estimated from the text and the thinking. */
  replyTokens: number;
  /** Points charged for it. */
  points: number;
  /** Time from storing the message to the first text; null when there was none. */
  firstMs: number | null;
}

function toTurnEnd(cause: TurnCause, outcome: TurnOutcome): TurnFigures['end'] {
  if (cause.kind === 'refused' || cause.kind === 'stopped') return cause.kind;
  return outcome.error === null ? 'finished' : 'failed';
}

/** What the model has written in a turn. */
export interface WrittenTurn {
  cause: TurnCause;
  text: string;
  thinking: string | null;
}

/** Estimates the tokens of text and thinking; providers charge for both. */
export function countWrittenTokens(
  { text, thinking }: Pick<WrittenTurn, 'text' | 'thinking'>,
  tokenizer: Tokenizer | null,
): number {
  const written = `${thinking ?? ''}${text}`;
  return written.trim() === '' ? 0 : estimateTokens(written, tokenizer);
}

/** @param points the wallet's answer to the settlement; null when it did not answer */
export function buildTurnFigures(
  ended: WrittenTurn & { outcome: TurnOutcome; points: PointsStatus | null },
  about: {
    at: number;
    model: string;
    tokenizer: Tokenizer | null;
    promptTokens: number;
    firstMs: number | null;
  },
): TurnFigures {
  const { cause, outcome, points } = ended;
  const { at, model, tokenizer, promptTokens, firstMs } = about;
  return {
    at,
    model,
    end: toTurnEnd(cause, outcome),
    promptTokens,
    cachedTokens: cause.kind === 'finished' ? Math.round(promptTokens * (cause.cachedShare ?? 0)) : 0,
    replyTokens: countWrittenTokens(ended, tokenizer),
    points: outcome.points === 'settle' ? (points?.message_cost ?? 0) : 0,
    firstMs,
  };
}

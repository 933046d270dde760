import type { PointsStatus } from '../../wallet/contract.ts';
import { estimateTokens } from '../../model/estimate-tokens.ts';
import type { TurnCause, TurnOutcome } from './turn.ts';

/** Within so many milliseconds a reply may begin, as the operator's figures tell them apart. */
export const FIRST_WITHIN_MS = [250, 500, 1000, 2000, 5000] as const;

/** How one turn went: counts alone, of nobody and of no words. */
export interface TurnFigures {
  /** When it ended, in ms. */
  at: number;
  /** Our name for the model. */
  model: string;
  /** `failed`: also where no text came, or where its writer was lost. */
  end: 'finished' | 'stopped' | 'failed' | 'refused';
  /** As estimated when the prompt was made; 0 where none was. */
  promptTokens: number;
  /** As estimated of what was written. */
  replyTokens: number;
  /** Points that were spent for it. */
  points: number;
  /** From when its message was stored to its first text; null where none came. */
  firstMs: number | null;
}

function toTurnEnd(cause: TurnCause, outcome: TurnOutcome): TurnFigures['end'] {
  if (cause.kind === 'refused' || cause.kind === 'stopped') return cause.kind;
  return outcome.error === null ? 'finished' : 'failed';
}

/** @param points what the wallet said when it was told of the end; null when it did not answer */
export function buildTurnFigures(
  { cause, outcome, points }: { cause: TurnCause; outcome: TurnOutcome; points: PointsStatus | null },
  about: { at: number; model: string; promptTokens: number; text: string; firstMs: number | null },
): TurnFigures {
  const { at, model, promptTokens, text, firstMs } = about;
  return {
    at,
    model,
    end: toTurnEnd(cause, outcome),
    promptTokens,
    replyTokens: text.trim() === '' ? 0 : estimateTokens(text),
    points: outcome.points === 'settle' ? (points?.message_cost ?? 0) : 0,
    firstMs,
  };
}

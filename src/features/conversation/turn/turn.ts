import type { ModelFailureCode, ModelPart } from '../../../vendors/model.ts';
import type { RefusalRule } from '../../safety/moderation.ts';
import type { MessageStatus } from '../contract.ts';

/**
 * The rules of how a turn ends: from the end of the model's stream they determine the reply's status, the settlement and
 * the error that the reader sees.
 */

/** What ended a reply. `stopped`: the user stopped it; `lost`: the object that wrote it was evicted. */
export type TurnCause =
  /** `isCut`: the model reached its limit. `cachedShare`: see `ModelPart`. */
  | { kind: 'finished'; isCut?: true; cachedShare?: number }
  | { kind: 'stopped' }
  | { kind: 'lost' }
  /** A safety rule ended it. */
  | { kind: 'refused'; rule: RefusalRule }
  | { kind: 'failed'; failure: Exclude<ModelFailureCode, 'aborted'>; retryAfterMs?: number };

export interface TurnOutcome {
  status: Exclude<MessageStatus, 'streaming'>;
  points: 'settle' | 'release';
  /** Null when the reply is complete, and when the user stopped it. */
  error: TurnError | null;
}

export interface TurnError {
  code: TurnErrorCode;
  sentence: string;
  /** How many seconds the provider asks to wait. */
  retryAfter?: number;
}

export type TurnErrorCode =
  | 'model_unreachable'
  | 'model_misconfigured'
  | 'model_busy'
  | 'model_failed'
  | 'model_timed_out'
  | 'reply_cut_off'
  | 'reply_refused'
  | 'reply_empty'
  | 'reply_interrupted'
  | 'model_paused'
  | 'model_calls_off'
  | 'context_too_long';

const BUSY = { code: 'model_busy', sentence: 'The model is busy. Please try again in a moment.' } as const;

const FAILURES: Record<Exclude<ModelFailureCode, 'aborted'>, { code: TurnErrorCode; sentence: string }> = {
  unreachable: { code: 'model_unreachable', sentence: 'The model could not be reached.' },
  unauthorized: {
    code: 'model_misconfigured',
    sentence: 'The model did not accept this site’s key. The operator needs to fix it.',
  },
  misconfigured: {
    code: 'model_misconfigured',
    sentence: 'The model is not set up correctly. The operator needs to fix it.',
  },
  bad_request: {
    code: 'model_misconfigured',
    sentence: 'The model did not accept the request. The operator needs to fix it.',
  },
  too_long: {
    code: 'context_too_long',
    sentence: 'This chat is too long for the model. Try again, and the model will read fewer messages.',
  },
  rate_limited: BUSY,
  busy: BUSY,
  provider_error: { code: 'model_failed', sentence: 'Something went wrong with the model.' },
  timed_out: { code: 'model_timed_out', sentence: 'The model took too long.' },
  cut_off: { code: 'reply_cut_off', sentence: 'The reply was cut off.' },
  refused: { code: 'reply_refused', sentence: 'The model declined to answer this.' },
  empty: { code: 'reply_empty', sentence: 'The model’s reply was empty.' },
  paused: {
    code: 'model_paused',
    sentence: 'This model is not responding at the moment.',
  },
  calls_off: {
    code: 'model_calls_off',
    sentence: 'Replies are turned off at the moment.',
  },
};

export const LOST_ERROR = {
  code: 'reply_interrupted',
  sentence: 'The reply was interrupted.',
} as const satisfies { code: TurnErrorCode; sentence: string };

/** For a reply that a safety rule ended, instead of the sentence for a model that declined. */
export const RULE_SENTENCE = 'This reply was stopped by one of this site’s safety rules.';

/**
 * Determines how a turn ends. Only a complete reply, or a reply that the user stopped after its first text, is charged.
 * Text is kept in every case.
 */
export function endTurn(cause: TurnCause, text: string): TurnOutcome {
  const hasText = text.trim() !== '';
  switch (cause.kind) {
    case 'finished':
      return hasText
        ? { status: 'complete', points: 'settle', error: null }
        : { status: 'failed', points: 'release', error: FAILURES.empty };
    case 'stopped':
      return { status: 'interrupted', points: hasText ? 'settle' : 'release', error: null };
    case 'lost':
      return { status: 'interrupted', points: 'release', error: LOST_ERROR };
    case 'refused':
      return {
        status: hasText ? 'interrupted' : 'failed',
        points: 'release',
        error: { code: 'reply_refused', sentence: RULE_SENTENCE },
      };
    case 'failed':
      return {
        status: hasText ? 'interrupted' : 'failed',
        points: 'release',
        error: { ...FAILURES[cause.failure], ...toWait(cause.retryAfterMs) },
      };
  }
}

const toWait = (ms: number | undefined) => (ms === undefined ? {} : { retryAfter: Math.ceil(ms / 1000) });

/** Converts a failure of the model to the cause of the turn's end. */
export function toFailedCause({
  code,
  retryAfterMs,
}: Extract<ModelPart, { kind: 'failure' }>): Extract<TurnCause, { kind: 'failed' }> {
  // Only the user aborts a reply, and that is no failure.
  const failure = code === 'aborted' ? 'cut_off' : code;
  return { kind: 'failed', failure, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Whether the model was called. */
export const hasCalledModel = (cause: TurnCause): boolean =>
  cause.kind !== 'failed' || !['paused', 'busy', 'calls_off'].includes(cause.failure);

/** Whether the turn has a cost: providers charge nothing for a request that they refuse for its length. */
export const hasCost = (cause: TurnCause): boolean =>
  hasCalledModel(cause) && !(cause.kind === 'failed' && cause.failure === 'too_long');

/** The safety rule that ended a reply; undefined for any other end. */
export function getRefusalRule(cause: TurnCause): RefusalRule | undefined {
  return cause.kind === 'refused' ? cause.rule : undefined;
}

/** Returns the sentence for a stored error code, for replays of ended replies. */
export function getErrorMessage(code: string, rule?: RefusalRule): string {
  if (rule !== undefined) return RULE_SENTENCE;
  const known = [...Object.values(FAILURES), LOST_ERROR].find((failure) => failure.code === code);
  return known?.sentence ?? LOST_ERROR.sentence;
}

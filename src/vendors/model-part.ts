export type ModelFailureCode =
  | 'unreachable'
  | 'unauthorized'
  /** The account is empty, or the model or address does not exist: every request would fail. */
  | 'misconfigured'
  | 'rate_limited'
  | 'provider_error'
  | 'bad_request'
  /** The request is longer than the model's context window; only before any text. */
  | 'too_long'
  | 'timed_out'
  | 'cut_off'
  /** The provider does not answer this text. */
  | 'refused'
  | 'empty'
  | 'aborted'
  /** No request was made: the circuit is open, the provider has asked to wait, or model calls are stopped. */
  | 'paused'
  | 'busy'
  | 'calls_off';

/** One piece of a response. */
export type ModelPart =
  | { kind: 'text'; text: string }
  /** The model reasons; the text is empty when the provider does not show what. */
  | { kind: 'thinking'; text: string }
  /** All text before was thinking, because a closing tag came without an opening one. The `thinking` that follows has it. */
  | { kind: 'retracted' }
  /** `cachedShare`: the share of the prompt that the provider had kept from an earlier one, from 0 to 1, if it says so. */
  | { kind: 'finish'; reason: 'stop' | 'length'; cachedShare?: number }
  /**
   * `detail` is for the log only: at most 300 characters, never the key or chat text. `retryAfterMs`: how long the provider
   * asks to wait. `excess`, of `too_long`: how many times the window the request would need; null when the provider does not
   * say.
   */
  | {
      kind: 'failure';
      code: ModelFailureCode;
      detail: string;
      retryAfterMs?: number;
      excess?: number | null;
    };

export type ModelEnd = Extract<ModelPart, { kind: 'finish' | 'failure' }>;

/** The cost of model calls and its limits. Pure. */

/** Estimated tokens, and the cost in millionths of a US dollar; 0 micros without prices. */
export interface Spend {
  tokens: number;
  micros: number;
}

/** Tokens read and written by a model, under our id. */
export interface ModelTokens {
  model: string;
  promptTokens: number;
  replyTokens: number;
}

export const NO_SPEND: Spend = { tokens: 0, micros: 0 };

/** US dollars per million tokens, which equals millionths of a dollar per token. */
export interface Prices {
  input: number;
  output: number;
}

/** Both prices are required; one alone is useless. */
export function toPrices({
  inputPrice: input,
  outputPrice: output,
}: {
  inputPrice?: number | undefined;
  outputPrice?: number | undefined;
}): Prices | undefined {
  return input === undefined || output === undefined ? undefined : { input, output };
}

/** @param prices undefined if none are set */
export function calculateSpend(prices: Prices | undefined, promptTokens: number, replyTokens: number): Spend {
  const { input, output } = prices ?? { input: 0, output: 0 };
  return {
    tokens: promptTokens + replyTokens,
    micros: Math.ceil(promptTokens * input + replyTokens * output),
  };
}

/** The maximum spend of a call: a prompt that fills the context, and the longest answer requested. */
export function calculateMaxSpend(
  {
    contextTokens,
    prices,
    endpoint,
  }: { contextTokens: number; prices?: Prices | undefined; endpoint?: { thinkingTokens?: number } },
  replyTokens: number,
): Spend {
  const written = replyTokens + (endpoint?.thinkingTokens ?? 0);
  return calculateSpend(prices, Math.max(0, contextTokens - replyTokens), written);
}

export const addSpends = (one: Spend, other: Spend): Spend => ({
  tokens: one.tokens + other.tokens,
  micros: one.micros + other.micros,
});

/** Spending limits; null for no limit. */
export interface SpendLimits {
  tokens: number | null;
  cents: number | null;
}

const MICROS_PER_CENT = 10_000;
export const toCents = ({ micros }: Spend): number => Math.round(micros / (MICROS_PER_CENT / 100)) / 100;

/** Whether either limit is reached. */
export const isLimitReached = ({ tokens, cents }: SpendLimits, spend: Spend): boolean =>
  (tokens !== null && spend.tokens >= tokens) || (cents !== null && spend.micros >= cents * MICROS_PER_CENT);

/** What asking models comes to, and where it ends. Pure. */

/** Tokens, as estimated, and millionths of a US dollar by the operator's prices; 0 of those where no price is set. */
export interface Spend {
  tokens: number;
  micros: number;
}

/** What a model read and wrote, by our name for it. */
export interface ModelTokens {
  model: string;
  promptTokens: number;
  replyTokens: number;
}

export const NO_SPEND: Spend = { tokens: 0, micros: 0 };

/** What a provider takes for a million tokens, in US dollars: so many millionths of one for each. */
export interface Prices {
  input: number;
  output: number;
}

/** The two belong together: with one alone nothing is known. */
export function toPrices({
  inputPrice: input,
  outputPrice: output,
}: {
  inputPrice?: number | undefined;
  outputPrice?: number | undefined;
}): Prices | undefined {
  return input === undefined || output === undefined ? undefined : { input, output };
}

/** @param prices left out where none are set */
export function calculateSpend(prices: Prices | undefined, promptTokens: number, replyTokens: number): Spend {
  const { input, output } = prices ?? { input: 0, output: 0 };
  return {
    tokens: promptTokens + replyTokens,
    micros: Math.ceil(promptTokens * input + replyTokens * output),
  };
}

/** The most that one call may come to: a prompt as long as the model reads, and the longest answer that is asked for. */
export function calculateMaxSpend(
  { contextTokens, prices }: { contextTokens: number; prices?: Prices | undefined },
  replyTokens: number,
): Spend {
  return calculateSpend(prices, Math.max(0, contextTokens - replyTokens), replyTokens);
}

export const addSpends = (one: Spend, other: Spend): Spend => ({
  tokens: one.tokens + other.tokens,
  micros: one.micros + other.micros,
});

/** What may be spent; null where nothing bounds it. */
export interface SpendLimits {
  tokens: number | null;
  cents: number | null;
}

const MICROS_PER_CENT = 10_000;
export const toCents = ({ micros }: Spend): number => Math.round(micros / (MICROS_PER_CENT / 100)) / 100;

/** Whether as much is spent as may be, by either measure. */
export const isLimitReached = ({ tokens, cents }: SpendLimits, spend: Spend): boolean =>
  (tokens !== null && spend.tokens >= tokens) || (cents !== null && spend.micros >= cents * MICROS_PER_CENT);

import { z } from 'zod';

/** The codes and types of a request that is longer than the model's context window. */
const NAMES =
  /^(?:context_length_exceeded|exceed_context_size_error|context_window_exceeded|model_max_prompt_tokens_exceeded|prompt_too_long)$/;

/**
 * The sentences of servers without such a name: vLLM, SGLang, TGI, LM Studio, older llama.cpp, Mistral, xAI, Moonshot,
 * OpenRouter, Workers AI and Gemini.
 */
const SENTENCES: readonly RegExp[] = [
  /maximum (?:context|prompt|model|input) length/i,
  /context (?:length|size|window)(?: limit)?\b.{0,80}\b(?:exceed|only|overflow|limit)/is,
  /\b(?:exceed|longer than|greater than|beyond|overflow)\w*\b.{0,80}\bcontext (?:length|size|window|limit)/is,
  /\b(?:prompt|input) (?:is )?too (?:long|large)/i,
  /\b(?:exceed\w*|over)\b.{0,40}\b(?:token limit|(?:maximum )?number of tokens)/is,
  /\btoken limit\b.{0,40}\bexceed/is,
  /too many (?:input )?tokens/i,
  /inputs?`? tokens \+ `?max_new_tokens`? must be/i,
];

const errorShape = z.object({
  code: z.unknown().optional(),
  type: z.unknown().optional(),
  message: z.unknown().optional(),
  n_prompt_tokens: z.number().optional().catch(undefined),
  n_ctx: z.number().optional().catch(undefined),
});

/** A refusal for the request's length. */
export interface LengthRefusal {
  /** How many times the window the request would need; null when the provider gives no numbers. */
  excess: number | null;
}

/**
 * Recognises a provider's refusal of a request that is longer than the model's context window.
 * @param value the parsed body or frame
 */
export function readLengthRefusal(value: unknown): LengthRefusal | null {
  const nested = value !== null && typeof value === 'object' && 'error' in value ? value.error : value;
  const error = errorShape.safeParse(typeof nested === 'string' ? { message: nested } : nested).data;
  if (error === undefined) return null;
  const sentence = typeof error.message === 'string' ? error.message.slice(0, MAX_SENTENCE_CHARS) : '';
  const isNamed = [error.code, error.type].some((name) => typeof name === 'string' && NAMES.test(name));
  if (!isNamed && !SENTENCES.some((pattern) => pattern.test(sentence))) return null;
  const window = error.n_ctx ?? Number(WINDOW.exec(sentence)?.slice(1).find(Boolean) ?? 0);
  const asked = error.n_prompt_tokens ?? Math.max(0, ...(sentence.match(/\d+/g) ?? []).map(Number));
  const excess = window > 0 ? asked / window : 0;
  return { excess: excess > 1 && excess < MAX_EXCESS ? excess : null };
}

const MAX_SENTENCE_CHARS = 1000;
/** A larger number in the sentence is something else than the request's length. */
const MAX_EXCESS = 64;
/** The number of the window in the sentences of the providers. */
const WINDOW =
  /(?:maximum (?:context|prompt|model|input) length|context (?:length|size|window)(?: limit)?)(?: is| of)?(?: only)? ?\(?(\d{3,8})|(\d{3,8}) maximum/i;

import { z } from 'zod';
import type { ModelEnd, ModelFailureCode } from './model-part.ts';

/** Reads what went wrong from a provider's error, without keeping its sentences: they may quote keys and chat texts. */

const MAX_DETAIL_CHARACTERS = 300;

/** Codes for a text that the provider does not answer: OpenAI, Azure, DashScope, Gemini and Bedrock. */
const REFUSAL_NAMES =
  /^(?:content[\s_-]?(?:filter(?:ed)?|policy_violation)|responsibleaipolicyviolation|data_?inspection_?failed|prohibited_?content|safety|moderation(?:_blocked)?|invalid_prompt)$/i;

/** Codes for an account that cannot pay: waiting does not help. */
const QUOTA_NAMES = /^(?:insufficient_(?:quota|balance|credits)|billing_(?:hard_limit_reached|not_active))$/i;

const nameShape = z.union([z.string(), z.number()]).nullish().catch(null);
const errorShape = z.object({
  code: nameShape,
  status: nameShape,
  type: z.string().nullish().catch(null),
  innererror: z.object({ code: nameShape }).nullish().catch(null),
  // OpenRouter lists there why its moderation flagged the text.
  metadata: z
    .object({ reasons: z.array(z.unknown()).min(1) })
    .nullish()
    .catch(null),
});

/** What an error's body or frame says. */
export interface ProviderError {
  /** Its codes, statuses and types, for the log. */
  names: unknown[];
  /** What they say about the request; null when nothing is known about them. */
  code: Extract<ModelFailureCode, 'rate_limited' | 'refused' | 'misconfigured'> | null;
}

/** Reads the body or the frame of an error. */
export function readProviderError(value: unknown): ProviderError {
  const nested = value !== null && typeof value === 'object' && 'error' in value ? value.error : null;
  const found = errorShape.safeParse(nested).data ?? errorShape.safeParse(value).data;
  const names = [found?.code, found?.status, found?.type];
  return { names, code: classify([...names, found?.innererror?.code], nested, found?.metadata != null) };
}

function classify(names: readonly unknown[], sentence: unknown, isFlagged: boolean): ProviderError['code'] {
  const isAny = (pattern: RegExp) => names.some((name) => typeof name === 'string' && pattern.test(name));
  if (isFlagged || isAny(REFUSAL_NAMES)) return 'refused';
  if (isAny(QUOTA_NAMES)) return 'misconfigured';
  // An error that is a plain sentence is only tested for a rate limit.
  return [...names, sentence].some(isRateLimit) ? 'rate_limited' : null;
}

function isRateLimit(name: unknown): boolean {
  if (name === 429 || name === '429') return true;
  return typeof name === 'string' && /rate[\s_-]?limit|too many requests/i.test(name);
}

/**
 * Creates a failure whose detail is safe to log. Names from the provider (codes, types) are kept only if they look like
 * identifiers and do not contain `secret`, because providers' error messages quote keys and prompts.
 */
export function createFailure(
  code: ModelFailureCode,
  what: string,
  named: { names: readonly unknown[]; secret: string | null } = { names: [], secret: null },
): Extract<ModelEnd, { kind: 'failure' }> {
  const kept = named.names
    .filter((name) => typeof name === 'string' || typeof name === 'number')
    .map(String)
    .filter((name) => /^[\w.-]{1,64}$/.test(name))
    .filter((name) => named.secret === null || !name.includes(named.secret));
  return { kind: 'failure', code, detail: [what, ...kept].join(' ').slice(0, MAX_DETAIL_CHARACTERS) };
}

/** Returns how a reply with this `finish_reason` ended; reasons that are not known are a good end. */
export function toModelEnd(reason: unknown): ModelEnd {
  const name = typeof reason === 'string' ? reason.toLowerCase() : '';
  switch (name) {
    case 'length':
    case 'max_tokens':
    case 'model_length':
      return { kind: 'finish', reason: 'length' };
    case 'content_filter':
    case 'content-filter':
    case 'sensitive':
    case 'safety':
    case 'prohibited_content':
    case 'blocklist':
    case 'recitation':
    case 'spii':
      return createFailure('refused', `finish_reason ${name}`);
    // OpenRouter, Mistral and DeepSeek report a reply that broke off on their side in this way.
    case 'error':
    case 'insufficient_system_resource':
      return createFailure('provider_error', `finish_reason ${name}`);
    // vLLM and SGLang, when they end a request themselves.
    case 'abort':
      return createFailure('cut_off', `finish_reason ${name}`);
    default:
      return { kind: 'finish', reason: 'stop' };
  }
}

import { BRAND } from '../../config/brand.ts';
import type { Environment, ProviderSettings } from '../../env/read-environment.ts';
import type { ModelEndpoint } from '../../vendors/model.ts';
import type { ModelType } from './contract.ts';
import type { ModelChoice, ModelList } from './contract.ts';
import { detectTokenizer } from './estimate-tokens.ts';
import { type Prices, toPrices } from './spend.ts';
import type { Tokenizer } from './token-weights.ts';

type ProviderName = keyof Environment['models'];

/** The offered models with their providers (docs/product.md). */
const OFFERED: readonly { id: Exclude<ModelChoice, 'recommended'>; provider: ProviderName; label: string }[] =
  [
    { id: BRAND.modelValue, provider: 'roleplay', label: 'Roleplay' },
    { id: 'chatgpt', provider: 'chatgpt', label: 'ChatGPT' },
    { id: 'deepseek', provider: 'deepseek', label: 'Deepseek V3 (685B)' },
    { id: 'mistral', provider: 'mistral', label: 'Mistral 3 (24B)' },
  ];

const NOT_CONFIGURED_REASON = 'This model is not set up here.';
const PAUSED_REASON = 'This model is not responding at the moment.';
const CALLS_OFF_REASON = 'Replies are turned off at the moment.';

/** The current state of models that are configured. */
export interface ModelAvailability {
  /** True while model calls are switched off. */
  callsOff: boolean;
  /** Models that do not answer at the moment, by our ids. */
  paused: ReadonlySet<string>;
}
const ALL_AVAILABLE: ModelAvailability = { callsOff: false, paused: new Set() };

/** A configured model: its endpoint, its id in message versions, and its context size. */
export interface ChosenModel {
  id: Exclude<ModelChoice, 'recommended'>;
  endpoint: ModelEndpoint;
  contextTokens: number;
  /** The tokenizer that the model counts with; null when it is unknown. */
  tokenizer: Tokenizer | null;
  /** Maximum silence while streaming, in ms. */
  idleMs: number;
  /** The provider's service tier for the request; null for the default. */
  serviceTier: string | null;
  /** Token prices, if the operator set them. */
  prices?: Prices;
}

/** OpenAI's reasoning models, by their names there and at gateways: `o3-mini`, `gpt-5`, `openai/o4-mini`. */
const REASONING_NAMES = /^(?:.*\/)?(?:o[1-9]|gpt-5(?!.*-chat))(?:[.-]|$)/i;

/** How many tokens a reasoning model may think; with fewer, it may end before it has written a word. */
const THINKING_TOKENS = 8000;

function toThinkingOption({ model = '', reasoning }: ProviderSettings): { thinkingTokens?: number } {
  const isReasoning = reasoning === undefined ? REASONING_NAMES.test(model) : reasoning === 'on';
  return isReasoning ? { thinkingTokens: THINKING_TOKENS } : {};
}

function toPriceOption(settings: ProviderSettings): { prices?: Prices } {
  const prices = toPrices(settings);
  return prices === undefined ? {} : { prices };
}

const isConfigured = (settings: ProviderSettings): settings is ProviderSettings & { baseUrl: string } =>
  settings.baseUrl !== undefined;

const toContextOption = (model: Pick<ChosenModel, 'contextTokens' | 'tokenizer'> | null) =>
  model === null ? {} : { context_tokens: model.contextTokens, tokenizer: model.tokenizer };

/**
 * Lists all models a user can choose: whether each can answer now, and if not, the reason and whether it is temporary.
 */
export function listModels(models: Environment['models'], now: ModelAvailability = ALL_AVAILABLE): ModelList {
  const state = (isThere: boolean, isPaused: boolean) => {
    if (!isThere) return { available: false, unavailable_reason: NOT_CONFIGURED_REASON };
    if (!now.callsOff && !isPaused) return { available: true };
    return {
      available: false,
      unavailable_reason: now.callsOff ? CALLS_OFF_REASON : PAUSED_REASON,
      passing: true,
    };
  };
  const configured = OFFERED.filter(({ provider }) => isConfigured(models[provider]));
  return {
    items: [
      {
        id: 'recommended',
        label: 'Recommended',
        // "Recommended" depends on the character, so one model that answers is enough.
        ...state(
          configured.length > 0,
          configured.every(({ id }) => now.paused.has(id)),
        ),
        ...toContextOption(chooseModel(models, 'recommended', 'roleplay')),
      },
      ...OFFERED.map((offered) => {
        const settings = models[offered.provider];
        return {
          id: offered.id,
          label: settings.label ?? offered.label,
          ...state(isConfigured(settings), now.paused.has(offered.id)),
          ...toContextOption(chooseModel(models, offered.id, 'roleplay')),
        };
      }),
    ],
  };
}

/** All models on offer, with the fields that statistics need. */
export function listOfferedModels(models: Environment['models']) {
  return OFFERED.map(({ id, provider, label }) => {
    const settings = models[provider];
    return { id, label: settings.label ?? label, available: isConfigured(settings), settings };
  });
}

/**
 * Chooses the model that answers; null when it is not configured. "Recommended" follows the character's creator, falling
 * back to the product's own model and then any other, because a recommendation must not prevent a chat. A model chosen by
 * name is never replaced.
 * @param isMember members may use the provider's faster service tier
 */
export function chooseModel(
  models: Environment['models'],
  choice: ModelChoice,
  characterModel: ModelType,
  isMember = false,
): ChosenModel | null {
  const recommended = characterModel === 'chatgpt' ? 'chatgpt' : BRAND.modelValue;
  const wanted =
    choice === 'recommended'
      ? [recommended, ...OFFERED.map((offered) => offered.id).filter((id) => id !== recommended)]
      : [choice];
  for (const id of wanted) {
    const offered = OFFERED.find((candidate) => candidate.id === id);
    if (offered === undefined) continue;
    const settings = models[offered.provider];
    if (!isConfigured(settings)) continue;
    return {
      id: offered.id,
      endpoint: {
        baseUrl: settings.baseUrl.replace(/(?<!\/)\/+$/, ''),
        apiKey: settings.apiKey ?? null,
        model: settings.model ?? offered.id,
        ...toThinkingOption(settings),
      },
      contextTokens: settings.contextTokens,
      tokenizer: settings.tokenizer ?? detectTokenizer(settings.model ?? offered.id),
      idleMs: settings.idleSeconds * 1000,
      serviceTier: (isMember ? settings.memberTier : undefined) ?? null,
      ...toPriceOption(settings),
    };
  }
  return null;
}

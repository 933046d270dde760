import { BRAND } from '../../config/brand.ts';
import type { Environment, ProviderSettings } from '../../env/read-environment.ts';
import type { ModelEndpoint } from '../../vendors/model.ts';
import type { ModelType } from './contract.ts';
import type { ModelChoice, ModelList } from './contract.ts';
import { type Prices, toPrices } from './spend.ts';

type ProviderName = keyof Environment['models'];

/** The models of SPEC section 9 and the provider that serves each; the wording is the spec's. */
const OFFERED: readonly { id: Exclude<ModelChoice, 'recommended'>; provider: ProviderName; label: string }[] =
  [
    { id: BRAND.modelValue, provider: 'roleplay', label: 'Roleplay' },
    { id: 'chatgpt', provider: 'chatgpt', label: 'ChatGPT' },
    { id: 'deepseek', provider: 'deepseek', label: 'Deepseek V3 (685B)' },
    { id: 'mistral', provider: 'mistral', label: 'Mistral 3 (24B)' },
  ];

const NOT_CONFIGURED_REASON = 'This model is not set up here.';
const PAUSED_REASON = 'This model does not answer at the moment.';
const CALLS_OFF_REASON = 'No replies are written at the moment.';

/** What there is to say of models now, beside whether they are set up. */
export interface ModelAvailability {
  /** No model is asked. */
  callsOff: boolean;
  /** Those that do not answer these days, by our names. */
  paused: ReadonlySet<string>;
}
const ALL_AVAILABLE: ModelAvailability = { callsOff: false, paused: new Set() };

/** A model that can answer: where it is asked, what it is called in a message's version, how much it reads. */
export interface ChosenModel {
  id: Exclude<ModelChoice, 'recommended'>;
  endpoint: ModelEndpoint;
  contextTokens: number;
  /** How long it may be silent, in ms. */
  idleMs: number;
  /** In which queue of the provider whoever waits for an answer stands; null for its usual one. */
  serviceTier: string | null;
  /** What its tokens cost, where the operator says it. */
  prices?: Prices;
}

function toPriceOption(settings: ProviderSettings): { prices?: Prices } {
  const prices = toPrices(settings);
  return prices === undefined ? {} : { prices };
}

const isConfigured = (settings: ProviderSettings): settings is ProviderSettings & { baseUrl: string } =>
  settings.baseUrl !== undefined;

/** Every model a person may choose, with whether it can answer now and, if not, why and whether that passes by itself. */
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
        // It is not said whose recommendation: one model that answers is enough.
        ...state(
          configured.length > 0,
          configured.every(({ id }) => now.paused.has(id)),
        ),
      },
      ...OFFERED.map((offered) => {
        const settings = models[offered.provider];
        return {
          id: offered.id,
          label: settings.label ?? offered.label,
          ...state(isConfigured(settings), now.paused.has(offered.id)),
        };
      }),
    ],
  };
}

/** Every model that somebody may have asked, with what the operator's figures are told by. */
export function listOfferedModels(models: Environment['models']) {
  return OFFERED.map(({ id, provider, label }) => {
    const settings = models[provider];
    return { id, label: settings.label ?? label, available: isConfigured(settings), settings };
  });
}

/**
 * The model that answers, or null when it is not set up. «Recommended» follows the character's
 * creator, and where that model is not set up the product's own, then any other: a recommendation
 * must not keep people from talking. A model that was chosen by name is never replaced.
 * @param isMember whether somebody with a membership waits for it: they are promised faster answers
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
        baseUrl: settings.baseUrl.replace(/\/+$/, ''),
        apiKey: settings.apiKey ?? null,
        model: settings.model ?? offered.id,
      },
      contextTokens: settings.contextTokens,
      idleMs: settings.idleSeconds * 1000,
      serviceTier: (isMember ? settings.memberTier : undefined) ?? null,
      ...toPriceOption(settings),
    };
  }
  return null;
}

import { BRAND } from '../../config.ts';
import type { Environment, ProviderSettings } from '../../environment.ts';
import type { ModelEndpoint } from '../../vendors/model.ts';
import type { ModelType } from '../character/contract.ts';
import type { ModelChoice, ModelList } from './contract.ts';

type ProviderName = keyof Environment['models'];

/** The models of SPEC section 9 and the provider that serves each; the wording is the spec's. */
const OFFERED: readonly { id: Exclude<ModelChoice, 'recommended'>; provider: ProviderName; label: string }[] =
  [
    { id: BRAND.modelValue, provider: 'roleplay', label: 'Roleplay' },
    { id: 'chatgpt', provider: 'chatgpt', label: 'ChatGPT' },
    { id: 'deepseek', provider: 'deepseek', label: 'Deepseek V3 (685B)' },
    { id: 'mistral', provider: 'mistral', label: 'Mistral 3 (24B)' },
  ];

const NOT_CONFIGURED = 'This model is not set up here.';

/** A model that can answer: where it is asked, what it is called in a message's version, how much it reads. */
export interface ChosenModel {
  id: Exclude<ModelChoice, 'recommended'>;
  endpoint: ModelEndpoint;
  contextTokens: number;
  /** How long it may be silent, in ms. */
  idleMs: number;
  /** In which queue of the provider whoever waits for an answer stands; null for its usual one. */
  serviceTier: string | null;
}

const isSetUp = (settings: ProviderSettings): settings is ProviderSettings & { baseUrl: string } =>
  settings.baseUrl !== undefined;

/** Every model a person may choose, those that are not set up included and said to be so. */
export function listModels(models: Environment['models']): ModelList {
  const anySetUp = OFFERED.some((offered) => isSetUp(models[offered.provider]));
  return {
    items: [
      {
        id: 'recommended',
        label: 'Recommended',
        available: anySetUp,
        ...(anySetUp ? {} : { unavailable_reason: NOT_CONFIGURED }),
      },
      ...OFFERED.map((offered) => {
        const settings = models[offered.provider];
        return {
          id: offered.id,
          label: settings.label ?? offered.label,
          available: isSetUp(settings),
          ...(isSetUp(settings) ? {} : { unavailable_reason: NOT_CONFIGURED }),
        };
      }),
    ],
  };
}

/** Every model that somebody may have asked, with what the operator's figures are told by. */
export function countedModels(models: Environment['models']) {
  return OFFERED.map(({ id, provider, label }) => {
    const settings = models[provider];
    return { id, label: settings.label ?? label, available: isSetUp(settings), settings };
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
    if (!isSetUp(settings)) continue;
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
    };
  }
  return null;
}

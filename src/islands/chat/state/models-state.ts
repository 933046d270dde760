import { atom } from 'nanostores';
import { BRAND } from '../../../config/brand.ts';
import type { ModelType } from '../../../features/model/contract.ts';
import type { ModelChoice, ModelList } from '../../../features/model/contract.ts';
import { chatApi } from '../../shared/chat-api.ts';
import { deviceStorage } from '../../shared/device-storage.ts';

const STORED_AS = 'selected_model';
const DEFAULT_MODEL: ModelChoice = 'recommended';
/** Every choice there is, for reading what a device holds. */
const CHOICES: Record<ModelChoice, true> = {
  recommended: true,
  [BRAND.modelValue]: true,
  chatgpt: true,
  deepseek: true,
  mistral: true,
};

export type ModelItem = ModelList['items'][number];

/** The models that may be chosen; empty until the server has named them. */
export const $models = atom<readonly ModelItem[]>([]);
/** Whether the server was last asked for them in vain. */
export const $modelsFailed = atom(false);
/** The model of this device's choice. */
export const $selectedModel = atom<ModelChoice>(DEFAULT_MODEL);

/** Fetches the models and takes up the device's choice: at once, and for good where that model can still answer. */
export async function loadModels(): Promise<void> {
  followDevice();
  askedAt = Date.now();
  $modelsFailed.set(false);
  const answer = await chatApi.models();
  $modelsFailed.set(!answer.ok);
  if (!answer.ok) return;
  $models.set(answer.data.items);
  // It may have been chosen in another way meanwhile.
  $selectedModel.set(usable($selectedModel.get()));
}

/** So often, in ms, it is asked at most which models can answer by now: of itself, and once one has just not. */
const ASK_AGAIN_MS = { rest: 10_000, trouble: 1000 };
let askedAt = -Infinity;

/** Asks again which models can answer, unless that was told a moment ago. */
export function lookAtModels(why: keyof typeof ASK_AGAIN_MS = 'rest'): void {
  if (Date.now() - askedAt >= ASK_AGAIN_MS[why]) void loadModels();
}

/** Codes of replies that another model may well write. */
const OF_THE_MODEL = new Set([
  'model_unreachable',
  'model_misconfigured',
  'model_busy',
  'model_failed',
  'model_timed_out',
  'model_paused',
  'reply_cut_off',
  'reply_empty',
]);

export const isOfTheModel = (code: string | undefined): boolean =>
  code !== undefined && OF_THE_MODEL.has(code);

/** The models that may write what one of them did not: each that can answer now, but for that one. */
export function otherModels(items: readonly ModelItem[], failed: string | null): ModelItem[] {
  return items.filter(({ id, available }) => available && id !== DEFAULT_MODEL && id !== failed);
}

/** Whether a model is there for whoever chose it, if not always at this moment. */
const isThere = ({ available, passing }: ModelItem): boolean => available || passing === true;

/** A model that is there; the recommendation in the place of one that is known not to be. Nobody's choice changes for an hour's trouble. */
function usable(wanted: ModelChoice): ModelChoice {
  const items = $models.get();
  return items.length === 0 || items.some((item) => isThere(item) && item.id === wanted)
    ? wanted
    : DEFAULT_MODEL;
}

function storedChoice(): ModelChoice {
  try {
    const stored = deviceStorage()?.getItem(STORED_AS);
    return stored != null && Object.hasOwn(CHOICES, stored) ? (stored as ModelChoice) : DEFAULT_MODEL;
  } catch {
    return DEFAULT_MODEL;
  }
}

let follows = false;

/** Takes up the device's choice, follows it where another tab changes it, and asks again for models that could not be had while there was no network. */
function followDevice(): void {
  if (follows) return;
  follows = true;
  $selectedModel.set(storedChoice());
  globalThis.addEventListener?.('storage', ({ key }) => {
    if (key === STORED_AS) $selectedModel.set(usable(storedChoice()));
  });
  globalThis.addEventListener?.('online', () => {
    if ($models.get().length === 0) void loadModels();
  });
}

/** Chooses a model on this device. */
export function selectModel(id: ModelChoice): void {
  $selectedModel.set(id);
  try {
    deviceStorage()?.setItem(STORED_AS, id);
  } catch {
    // The choice then holds for this visit.
  }
}

/** The label of a model that was chosen by name, or that name while no label is known; null for the recommendation. */
export function chosenLabel(items: readonly ModelItem[], selected: ModelChoice): string | null {
  if (selected === DEFAULT_MODEL) return null;
  return items.find(({ id }) => id === selected)?.label ?? selected;
}

/** Whether a model says by its label that it only plays one. */
export function isDemo(label: string): boolean {
  return /\b(demo|offline)\b/i.test(label);
}

/**
 * The label of the model that is going to answer when it only plays one, for a note that nobody can overlook.
 * @param known what tells which model «recommended» is: the character's, or else the one that answered last
 */
export function demoLabel(
  items: readonly ModelItem[],
  selected: ModelChoice,
  known: { modelType: ModelType | null; lastModel: string | null },
): string | null {
  const usable = items.filter((item) => isThere(item) && item.id !== DEFAULT_MODEL);
  const own = known.modelType === 'chatgpt' ? 'chatgpt' : BRAND.modelValue;
  const wanted =
    selected === DEFAULT_MODEL ? (known.modelType === null ? (known.lastModel ?? own) : own) : selected;
  const label = (usable.find(({ id }) => id === wanted) ?? usable[0])?.label ?? '';
  return isDemo(label) ? label : null;
}

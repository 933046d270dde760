import { atom } from 'nanostores';
import { BRAND } from '../../../config/brand.ts';
import type { ModelType } from '../../../features/model/contract.ts';
import type { ModelChoice, ModelList } from '../../../features/model/contract.ts';
import { chatApi } from '../../shared/chat-api.ts';
import { getDeviceStorage } from '../../shared/device-storage.ts';

const STORAGE_KEY = 'selected_model';
const DEFAULT_MODEL: ModelChoice = 'recommended';
/** Every choice there is, for reading what a device holds. */
const MODEL_CHOICES: Record<ModelChoice, true> = {
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
  watchDeviceChoice();
  fetchedAt = Date.now();
  $modelsFailed.set(false);
  const answer = await chatApi.models();
  $modelsFailed.set(!answer.ok);
  if (!answer.ok) return;
  $models.set(answer.data.items);
  // It may have been chosen in another way meanwhile.
  $selectedModel.set(toUsableModel($selectedModel.get()));
}

/** So often, in ms, it is asked at most which models can answer by now: of itself, and once one has just not. */
const MIN_REFRESH_MS = { rest: 10_000, trouble: 1000 };
let fetchedAt = -Infinity;

/** Asks again which models can answer, unless that was told a moment ago. */
export function refreshModels(why: keyof typeof MIN_REFRESH_MS = 'rest'): void {
  if (Date.now() - fetchedAt >= MIN_REFRESH_MS[why]) void loadModels();
}

/** Codes of replies that another model may well write. */
const MODEL_ERROR_CODES = new Set([
  'model_unreachable',
  'model_misconfigured',
  'model_busy',
  'model_failed',
  'model_timed_out',
  'model_paused',
  'reply_cut_off',
  'reply_empty',
]);

export const isModelError = (code: string | undefined): boolean =>
  code !== undefined && MODEL_ERROR_CODES.has(code);

/** The models that may write what one of them did not: each that can answer now, but for that one. */
export function listOtherModels(items: readonly ModelItem[], failed: string | null): ModelItem[] {
  return items.filter(({ id, available }) => available && id !== DEFAULT_MODEL && id !== failed);
}

/** Whether a model is there for whoever chose it, if not always at this moment. */
const isUsable = ({ available, passing }: ModelItem): boolean => available || passing === true;

/** A model that is there; the recommendation in the place of one that is known not to be. Nobody's choice changes for an hour's trouble. */
function toUsableModel(wanted: ModelChoice): ModelChoice {
  const items = $models.get();
  return items.length === 0 || items.some((item) => isUsable(item) && item.id === wanted)
    ? wanted
    : DEFAULT_MODEL;
}

function readStoredModel(): ModelChoice {
  try {
    const stored = getDeviceStorage()?.getItem(STORAGE_KEY);
    return stored != null && Object.hasOwn(MODEL_CHOICES, stored) ? (stored as ModelChoice) : DEFAULT_MODEL;
  } catch {
    return DEFAULT_MODEL;
  }
}

let isWatching = false;

/** Takes up the device's choice, follows it where another tab changes it, and asks again for models that could not be had while there was no network. */
function watchDeviceChoice(): void {
  if (isWatching) return;
  isWatching = true;
  $selectedModel.set(readStoredModel());
  globalThis.addEventListener?.('storage', ({ key }) => {
    if (key === STORAGE_KEY) $selectedModel.set(toUsableModel(readStoredModel()));
  });
  globalThis.addEventListener?.('online', () => {
    if ($models.get().length === 0) void loadModels();
  });
}

/** Chooses a model on this device. */
export function selectModel(id: ModelChoice): void {
  $selectedModel.set(id);
  try {
    getDeviceStorage()?.setItem(STORAGE_KEY, id);
  } catch {
    // The choice then holds for this visit.
  }
}

/** The label of a model that was chosen by name, or that name while no label is known; null for the recommendation. */
export function getSelectedLabel(items: readonly ModelItem[], selected: ModelChoice): string | null {
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
export function getDemoLabel(
  items: readonly ModelItem[],
  selected: ModelChoice,
  known: { modelType: ModelType | null; lastModel: string | null },
): string | null {
  const usable = items.filter((item) => isUsable(item) && item.id !== DEFAULT_MODEL);
  const own = known.modelType === 'chatgpt' ? 'chatgpt' : BRAND.modelValue;
  const wanted =
    selected === DEFAULT_MODEL ? (known.modelType === null ? (known.lastModel ?? own) : own) : selected;
  const label = (usable.find(({ id }) => id === wanted) ?? usable[0])?.label ?? '';
  return isDemo(label) ? label : null;
}

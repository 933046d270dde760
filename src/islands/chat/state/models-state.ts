import { atom } from 'nanostores';
import { BRAND } from '../../../config/brand.ts';
import type { ModelType } from '../../../features/model/contract.ts';
import type { ModelChoice, ModelList } from '../../../features/model/contract.ts';
import { chatApi } from '../../shared/chat-api.ts';
import { getDeviceStorage } from '../../shared/device-storage.ts';

const STORAGE_KEY = 'selected_model';
const DEFAULT_MODEL: ModelChoice = 'recommended';
/** All choices, to validate the stored value. */
const MODEL_CHOICES: Record<ModelChoice, true> = {
  recommended: true,
  [BRAND.modelValue]: true,
  chatgpt: true,
  deepseek: true,
  mistral: true,
};

export type ModelItem = ModelList['items'][number];

/** The available models; empty until loaded. */
export const $models = atom<readonly ModelItem[]>([]);
/** Whether the last request for the models failed. */
export const $modelsFailed = atom(false);
/** The model selected on this device. */
export const $selectedModel = atom<ModelChoice>(DEFAULT_MODEL);

/** Applies the stored selection, then loads the models. The selection stays if its model can be used. */
export async function loadModels(): Promise<void> {
  watchDeviceChoice();
  fetchedAt = Date.now();
  $modelsFailed.set(false);
  const answer = await chatApi.models();
  $modelsFailed.set(!answer.ok);
  if (!answer.ok) return;
  $models.set(answer.data.items);
  // The user may have selected another model in the meantime.
  $selectedModel.set(toUsableModel($selectedModel.get()));
}

/** Minimum milliseconds between two requests for availability: in general, and after a model has failed. */
const MIN_REFRESH_MS = { rest: 10_000, trouble: 1000 };
let fetchedAt = -Infinity;

/** Loads the availability of the models again, at most once per interval. */
export function refreshModels(why: keyof typeof MIN_REFRESH_MS = 'rest'): void {
  if (Date.now() - fetchedAt >= MIN_REFRESH_MS[why]) void loadModels();
  // What is known may be from before the failure, so the next request is not held back.
  else if (why === 'trouble') fetchedAt = -Infinity;
}

/** Error codes of replies that another model may be able to write. */
const MODEL_ERROR_CODES = new Set([
  'model_unreachable',
  'model_misconfigured',
  'context_too_long',
  'model_busy',
  'model_failed',
  'model_timed_out',
  'model_paused',
  'reply_cut_off',
  'reply_empty',
]);

export const isModelError = (code: string | undefined): boolean =>
  code !== undefined && MODEL_ERROR_CODES.has(code);

/** The models to offer after one has failed: all available ones except that one. */
export function listOtherModels(items: readonly ModelItem[], failed: string | null): ModelItem[] {
  return items.filter(({ id, available }) => available && id !== DEFAULT_MODEL && id !== failed);
}

/**
 * The text about a message for whose reply no model was called; null when one was.
 * @param hasOthers whether another model is offered
 */
export function getSavedNote(
  code: string | undefined,
  hasOthers: boolean,
): 'savedTryModel' | 'savedTryLater' | null {
  if (code === 'model_paused') return hasOthers ? 'savedTryModel' : 'savedTryLater';
  return code === 'model_calls_off' ? 'savedTryLater' : null;
}

/** Whether a model can be selected, even if it is unavailable at the moment. */
const isUsable = ({ available, passing }: ModelItem): boolean => available || passing === true;

/** Returns the model if it can be selected, else the recommendation. Temporary outages do not change the selection. */
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

/**
 * Applies the stored selection, follows changes from other tabs, and loads the models when the network returns if that
 * had failed.
 */
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

/** Selects a model and stores the choice on this device. */
export function selectModel(id: ModelChoice): void {
  $selectedModel.set(id);
  try {
    getDeviceStorage()?.setItem(STORAGE_KEY, id);
  } catch {
    // Storage is full or blocked: the selection lasts for this visit.
  }
}

/** The selected model's label, or its id while no label is known; null for the recommendation. */
export function getSelectedLabel(items: readonly ModelItem[], selected: ModelChoice): string | null {
  if (selected === DEFAULT_MODEL) return null;
  return items.find(({ id }) => id === selected)?.label ?? selected;
}

/** Whether a model's label marks it as a demo. */
export function isDemo(label: string): boolean {
  return /\b(demo|offline)\b/i.test(label);
}

/**
 * The label of the model that will reply if it is a demo, for a permanent notice; else null.
 * @param known decides which model "recommended" is: the character's model type, else the model that replied last
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

import { atom } from 'nanostores';
import { BRAND } from '../../config.ts';
import type { ModelType } from '../../features/character/contract.ts';
import type { ModelChoice, ModelList } from '../../features/model/contract.ts';
import { chatApi } from '../shared/chat-api.ts';
import { deviceStorage } from '../shared/device-storage.ts';

const STORED_AS = 'selected_model';
const DEFAULT_MODEL: ModelChoice = 'recommended';

export type ModelItem = ModelList['items'][number];

/** The models that may be chosen; empty until the server has named them. */
export const $models = atom<readonly ModelItem[]>([]);
/** The model of this device's choice. */
export const $selectedModel = atom<ModelChoice>(DEFAULT_MODEL);

/** Fetches the models and takes up the device's choice, where that model can still answer. */
export async function loadModels(): Promise<void> {
  const answer = await chatApi.models();
  if (!answer.ok) return;
  $models.set(answer.data.items);
  const stored = answer.data.items.find(
    ({ id, available }) => available && id === deviceStorage()?.getItem(STORED_AS),
  );
  $selectedModel.set(stored?.id ?? DEFAULT_MODEL);
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

/**
 * The label of the model that is going to answer when it only plays one, for a note that nobody can overlook.
 * @param known what tells which model «recommended» is: the character's, or else the one that answered last
 */
export function demoLabel(
  items: readonly ModelItem[],
  selected: ModelChoice,
  known: { modelType: ModelType | null; lastModel: string | null },
): string | null {
  const usable = items.filter(({ id, available }) => available && id !== DEFAULT_MODEL);
  const own = known.modelType === 'chatgpt' ? 'chatgpt' : BRAND.modelValue;
  const wanted =
    selected === DEFAULT_MODEL ? (known.modelType === null ? (known.lastModel ?? own) : own) : selected;
  const label = (usable.find(({ id }) => id === wanted) ?? usable[0])?.label ?? '';
  return /\b(demo|offline)\b/i.test(label) ? label : null;
}

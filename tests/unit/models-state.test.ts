import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ModelList } from '../../src/features/model/contract.ts';
import type { Result } from '../../src/islands/shared/api.ts';

const item = (id: ModelList['items'][number]['id'], label: string, available = true) => ({
  id,
  label,
  available,
});
const LIST: Result<ModelList> = {
  ok: true,
  data: { items: [item('recommended', 'Recommended'), item('mistral', 'Mistral')] },
};
const FAILED: Result<ModelList> = { ok: false, status: 0, code: 'network', error: '' };

/** A page on a device that holds a choice, and a server that answers as the test says. */
async function page(stored: string | null, ...answers: Promise<Result<ModelList>>[]) {
  const device = new Map(stored === null ? [] : [['selected_model', stored]]);
  const heard = new EventTarget();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => device.get(key) ?? null,
    setItem: (key: string, value: string) => void device.set(key, value),
  });
  vi.stubGlobal('addEventListener', heard.addEventListener.bind(heard));
  vi.doMock('../../src/islands/shared/chat-api.ts', () => ({
    chatApi: { models: () => answers.shift() ?? Promise.resolve(FAILED) },
  }));
  const state = await import('../../src/islands/chat/state/models-state.ts');
  return {
    ...state,
    device,
    label: () => state.getSelectedLabel(state.$models.get(), state.$selectedModel.get()),
    hear: (type: string, more = {}) => heard.dispatchEvent(Object.assign(new Event(type), more)),
  };
}

beforeEach(() => vi.resetModules());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.doUnmock('../../src/islands/shared/chat-api.ts');
});

test('the model that I chose answers also while the list of models cannot be had', async () => {
  const slow = Promise.withResolvers<Result<ModelList>>();
  const { loadModels, $selectedModel, $modelsFailed, label } = await page('mistral', slow.promise);
  const loading = loadModels();
  expect($selectedModel.get()).toBe('mistral');
  expect(label()).toBe('mistral');
  slow.resolve(FAILED);
  await loading;
  expect($modelsFailed.get()).toBe(true);
  expect($selectedModel.get()).toBe('mistral');
});

test('the list is asked for again when the network is back', async () => {
  const { loadModels, $models, $selectedModel, label, hear } = await page(
    'mistral',
    Promise.resolve(FAILED),
    Promise.resolve(LIST),
  );
  await loadModels();
  hear('online');
  await vi.waitFor(() => expect($models.get()).toHaveLength(2));
  expect($selectedModel.get()).toBe('mistral');
  expect(label()).toBe('Mistral');
});

test('a model that I choose while the list is on its way is not taken back by it', async () => {
  const slow = Promise.withResolvers<Result<ModelList>>();
  const { loadModels, selectModel, $selectedModel } = await page(null, slow.promise);
  const loading = loadModels();
  selectModel('mistral');
  slow.resolve(LIST);
  await loading;
  expect($selectedModel.get()).toBe('mistral');
});

test('another tab in which I choose a model is followed', async () => {
  const { loadModels, $selectedModel, device, hear } = await page(null, Promise.resolve(LIST));
  await loadModels();
  expect($selectedModel.get()).toBe('recommended');
  device.set('selected_model', 'mistral');
  hear('storage', { key: 'selected_model' });
  expect($selectedModel.get()).toBe('mistral');
});

test('a model that cannot answer any more, or that nobody knows, gives way to the recommendation', async () => {
  const gone = await page(
    'mistral',
    Promise.resolve({ ok: true, data: { items: [item('mistral', 'Mistral', false)] } }),
  );
  await gone.loadModels();
  expect(gone.$selectedModel.get()).toBe('recommended');
  vi.resetModules();
  const unknown = await page('toString');
  await unknown.loadModels();
  expect(unknown.$selectedModel.get()).toBe('recommended');
});

test('a model that does not answer just now is still the one that I chose', async () => {
  const away = { ...item('mistral', 'Mistral', false), passing: true };
  const {
    loadModels,
    $selectedModel,
    getDemoLabel: demoLabel,
    $models,
  } = await page(
    'mistral',
    Promise.resolve({ ok: true, data: { items: [item('loreloom', 'Roleplay (demo)'), away] } }),
  );
  await loadModels();
  expect($selectedModel.get()).toBe('mistral');
  // Nor is another one said to be about to answer.
  expect(demoLabel($models.get(), 'mistral', { modelType: null, lastModel: null })).toBeNull();
});

test('in place of a model that failed, those are offered that can answer now', async () => {
  const { listOtherModels: otherModels, isModelError: isOfTheModel } = await page(null);
  const items = [
    item('recommended', 'Recommended'),
    item('loreloom', 'Roleplay'),
    item('chatgpt', 'ChatGPT'),
    { ...item('deepseek', 'Deepseek', false), passing: true },
    item('mistral', 'Mistral', false),
  ];
  expect(otherModels(items, 'loreloom').map(({ id }) => id)).toEqual(['chatgpt']);
  expect(otherModels(items, null).map(({ id }) => id)).toEqual(['loreloom', 'chatgpt']);
  expect(['model_paused', 'model_unreachable', 'reply_cut_off'].every(isOfTheModel)).toBe(true);
  // What I wrote is not for another model to answer, and where none is asked no other is.
  expect(['reply_refused', 'model_calls_off', 'reply_interrupted', undefined].some(isOfTheModel)).toBe(false);
});

test('which models can answer is asked again when one does not, and not for every reply that shows it', async () => {
  const {
    loadModels,
    refreshModels: lookAtModels,
    $models,
  } = await page(null, Promise.resolve(LIST), Promise.resolve({ ok: true, data: { items: [] } }));
  await loadModels();
  lookAtModels();
  lookAtModels();
  expect($models.get()).toHaveLength(2);
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + 10_001);
  lookAtModels();
  await vi.waitFor(() => expect($models.get()).toHaveLength(0));
  vi.restoreAllMocks();
});

test('which models answer is asked again soon after one has not, and seldom otherwise', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const here = await page(
      null,
      Promise.resolve(LIST),
      Promise.resolve({ ok: true, data: { items: [item('mistral', 'Mistral', false)] } }),
    );
    await here.loadModels();
    vi.advanceTimersByTime(2000);
    here.refreshModels();
    expect(here.$models.get()).toHaveLength(2);
    here.refreshModels('trouble');
    await vi.waitFor(() => expect(here.$models.get()).toHaveLength(1));
    // Many replies that failed, on one page, ask once.
    here.refreshModels('trouble');
    expect(here.$modelsFailed.get()).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

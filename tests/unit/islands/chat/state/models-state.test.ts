import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ModelList } from '../../../../../src/features/model/contract.ts';
import type { Result } from '../../../../../src/islands/shared/api.ts';

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

/** A page on a device with a stored choice, and a server with the test's answers. */
async function page(stored: string | null, ...answers: Promise<Result<ModelList>>[]) {
  const device = new Map(stored === null ? [] : [['selected_model', stored]]);
  const events = new EventTarget();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => device.get(key) ?? null,
    setItem: (key: string, value: string) => void device.set(key, value),
  });
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.doMock('../../../../../src/islands/shared/chat-api.ts', () => ({
    chatApi: { models: () => answers.shift() ?? Promise.resolve(FAILED) },
  }));
  const state = await import('../../../../../src/islands/chat/state/models-state.ts');
  return {
    ...state,
    device,
    label: () => state.getSelectedLabel(state.$models.get(), state.$selectedModel.get()),
    dispatch: (type: string, more = {}) => events.dispatchEvent(Object.assign(new Event(type), more)),
  };
}

beforeEach(() => vi.resetModules());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.doUnmock('../../../../../src/islands/shared/chat-api.ts');
});

test('the chosen model stays selected while the list of models cannot be loaded', async () => {
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

test('the list of models is loaded again when the network is back', async () => {
  const { loadModels, $models, $selectedModel, label, dispatch } = await page(
    'mistral',
    Promise.resolve(FAILED),
    Promise.resolve(LIST),
  );
  await loadModels();
  dispatch('online');
  await vi.waitFor(() => expect($models.get()).toHaveLength(2));
  expect($selectedModel.get()).toBe('mistral');
  expect(label()).toBe('Mistral');
});

test('a model chosen while the list loads is not replaced by the list', async () => {
  const slow = Promise.withResolvers<Result<ModelList>>();
  const { loadModels, selectModel, $selectedModel } = await page(null, slow.promise);
  const loading = loadModels();
  selectModel('mistral');
  slow.resolve(LIST);
  await loading;
  expect($selectedModel.get()).toBe('mistral');
});

test('a model chosen in another tab is selected here as well', async () => {
  const { loadModels, $selectedModel, device, dispatch } = await page(null, Promise.resolve(LIST));
  await loadModels();
  expect($selectedModel.get()).toBe('recommended');
  device.set('selected_model', 'mistral');
  dispatch('storage', { key: 'selected_model' });
  expect($selectedModel.get()).toBe('mistral');
});

test('an unavailable or unknown model is replaced by the recommended one', async () => {
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

test('a model with a temporary outage stays selected', async () => {
  const unavailable = { ...item('mistral', 'Mistral', false), passing: true };
  const {
    loadModels,
    $selectedModel,
    getDemoLabel: demoLabel,
    $models,
  } = await page(
    'mistral',
    Promise.resolve({ ok: true, data: { items: [item('loreloom', 'Roleplay (demo)'), unavailable] } }),
  );
  await loadModels();
  expect($selectedModel.get()).toBe('mistral');
  // No other model is announced as the one that will answer, either.
  expect(demoLabel($models.get(), 'mistral', { modelType: null, lastModel: null })).toBeNull();
});

test('only models that can answer now are offered in place of a failed one', async () => {
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
  // Another model would refuse the same text, and where no model is called another one would not be either.
  expect(['reply_refused', 'model_calls_off', 'reply_interrupted', undefined].some(isOfTheModel)).toBe(false);
});

test('the models are reloaded on request at most once in ten seconds', async () => {
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

test('the models are reloaded soon after a failure and rarely otherwise', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const fixture = await page(
      null,
      Promise.resolve(LIST),
      Promise.resolve({ ok: true, data: { items: [item('mistral', 'Mistral', false)] } }),
    );
    await fixture.loadModels();
    vi.advanceTimersByTime(2000);
    fixture.refreshModels();
    expect(fixture.$models.get()).toHaveLength(2);
    fixture.refreshModels('trouble');
    await vi.waitFor(() => expect(fixture.$models.get()).toHaveLength(1));
    // Several failed replies on one page cause one request.
    fixture.refreshModels('trouble');
    expect(fixture.$modelsFailed.get()).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

test('a failure right after the models were loaded has the model dialog load them again', async () => {
  const fixture = await page(
    null,
    Promise.resolve(LIST),
    Promise.resolve({ ok: true, data: { items: [item('mistral', 'Mistral', false)] } }),
  );
  await fixture.loadModels();
  fixture.refreshModels('trouble');
  expect(fixture.$models.get()).toHaveLength(2);
  fixture.refreshModels();
  await vi.waitFor(() => expect(fixture.$models.get()).toHaveLength(1));
});

test('the note on a saved message names another model only where one is offered', async () => {
  const { getSavedNote } = await page(null);
  expect(getSavedNote('model_paused', true)).toBe('savedTryModel');
  expect(getSavedNote('model_paused', false)).toBe('savedTryLater');
  expect(getSavedNote('model_calls_off', true)).toBe('savedTryLater');
  expect(getSavedNote('model_failed', true)).toBeNull();
  expect(getSavedNote(undefined, true)).toBeNull();
});

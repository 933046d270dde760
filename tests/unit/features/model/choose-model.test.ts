import { describe, expect, test } from 'vitest';
import type { Environment } from '../../../../src/env/read-environment.ts';
import { chooseModel, listModels } from '../../../../src/features/model/choose-model.ts';
import { MODEL_CHOICES } from '../../../../src/features/model/contract.ts';

type Name = keyof Environment['models'];

const PLAIN = { contextTokens: 16_000, idleSeconds: 30 };

/** The settings of an installation with these models. */
function createModels(...names: Name[]): Environment['models'] {
  const settings = (name: Name) =>
    names.includes(name)
      ? {
          ...PLAIN,
          baseUrl: `https://${name}.test/v1/`,
          apiKey: `key-${name}`,
          model: `${name}-large`,
          contextTokens: 32_000,
        }
      : PLAIN;
  return {
    roleplay: settings('roleplay'),
    chatgpt: settings('chatgpt'),
    deepseek: settings('deepseek'),
    mistral: settings('mistral'),
  };
}

const ALL = createModels('roleplay', 'chatgpt', 'deepseek', 'mistral');

describe('Recommended model', () => {
  test('the recommended model follows the choice of the creator', () => {
    expect(chooseModel(ALL, 'recommended', 'roleplay')?.id).toBe('loreloom');
    expect(chooseModel(ALL, 'recommended', 'chatgpt')?.id).toBe('chatgpt');
  });

  test('the recommended model falls back to the product’s own model and then to any configured one', () => {
    expect(chooseModel(createModels('roleplay', 'mistral'), 'recommended', 'chatgpt')?.id).toBe('loreloom');
    expect(chooseModel(createModels('chatgpt', 'mistral'), 'recommended', 'roleplay')?.id).toBe('chatgpt');
    expect(chooseModel(createModels('mistral'), 'recommended', 'roleplay')?.id).toBe('mistral');
    expect(chooseModel(createModels('deepseek'), 'recommended', 'chatgpt')?.id).toBe('deepseek');
  });

  test('no model is recommended when none is configured', () => {
    expect(chooseModel(createModels(), 'recommended', 'roleplay')).toBeNull();
  });
});

describe('Model chosen by name', () => {
  test('a model chosen by name is never replaced by another', () => {
    expect(chooseModel(createModels('roleplay', 'chatgpt', 'deepseek'), 'mistral', 'roleplay')).toBeNull();
    expect(chooseModel(createModels('chatgpt'), 'loreloom', 'roleplay')).toBeNull();
    for (const id of ['loreloom', 'chatgpt', 'deepseek', 'mistral'] as const) {
      expect(chooseModel(ALL, id, 'roleplay')?.id).toBe(id);
      expect(chooseModel(ALL, id, 'chatgpt')?.id).toBe(id);
    }
  });

  test('a model is called with the endpoint and settings of the operator', () => {
    expect(chooseModel(ALL, 'deepseek', 'roleplay')).toEqual({
      id: 'deepseek',
      endpoint: { baseUrl: 'https://deepseek.test/v1', apiKey: 'key-deepseek', model: 'deepseek-large' },
      contextTokens: 32_000,
      tokenizer: null,
      idleMs: 30_000,
      serviceTier: null,
    });
  });

  test.each([
    ['o3-mini', undefined, true],
    ['o4-mini-2025-04-16', undefined, true],
    ['openai/gpt-5', undefined, true],
    ['gpt-5-mini', undefined, true],
    ['gpt-5.1', undefined, true],
    ['gpt-5-chat-latest', undefined, false],
    ['gpt-4o', undefined, false],
    ['openai/gpt-oss-20b', undefined, false],
    ['olmo', undefined, false],
    ['my-deployment', 'on', true],
    ['gpt-5', 'off', false],
  ] as const)(
    'the model %s with REASONING=%s takes the parameters of reasoning models: %s',
    (model, reasoning, is) => {
      const models = { ...ALL, chatgpt: { ...ALL.chatgpt, model, reasoning } };
      expect(chooseModel(models, 'chatgpt', 'roleplay')?.endpoint.thinkingTokens ?? 0).toBe(is ? 8000 : 0);
    },
  );

  test('the tokenizer follows from the model’s name, unless the operator sets it', () => {
    const named = { ...ALL, roleplay: { ...ALL.roleplay, model: 'llama3.1' } };
    expect(chooseModel(named, 'loreloom', 'roleplay')?.tokenizer).toBe('llama3');
    const set = { ...named, roleplay: { ...named.roleplay, tokenizer: 'tekken' as const } };
    expect(chooseModel(set, 'loreloom', 'roleplay')?.tokenizer).toBe('tekken');
  });

  test('only members use the service tier for members', () => {
    const tiered = { ...ALL, roleplay: { ...ALL.roleplay, memberTier: 'priority' } };
    expect(chooseModel(tiered, 'loreloom', 'roleplay', true)?.serviceTier).toBe('priority');
    expect(chooseModel(tiered, 'loreloom', 'roleplay', false)?.serviceTier).toBeNull();
    expect(chooseModel(tiered, 'loreloom', 'roleplay')?.serviceTier).toBeNull();
    expect(chooseModel(tiered, 'chatgpt', 'roleplay', true)?.serviceTier).toBeNull();
  });

  test('a model needs neither a key nor a model name and may have a longer timeout', () => {
    const local = {
      ...createModels(),
      roleplay: { ...PLAIN, baseUrl: 'http://127.0.0.1:9000/v1', idleSeconds: 120 },
    };
    expect(chooseModel(local, 'loreloom', 'roleplay')?.endpoint).toEqual({
      baseUrl: 'http://127.0.0.1:9000/v1',
      apiKey: null,
      model: 'loreloom',
    });
    expect(chooseModel(local, 'loreloom', 'roleplay')?.idleMs).toBe(120_000);
  });
});

describe('Model list', () => {
  test('the list contains every choice in a fixed order with its availability', () => {
    const { items } = listModels(createModels('chatgpt'));
    expect(items.map(({ id }) => id)).toEqual([...MODEL_CHOICES]);
    expect(items.filter(({ available }) => available).map(({ id }) => id)).toEqual([
      'recommended',
      'chatgpt',
    ]);
    for (const item of items) expect(item.unavailable_reason === undefined).toBe(item.available);
  });

  test('nothing is recommended when no model is configured', () => {
    for (const item of listModels(createModels()).items) {
      expect(item).toMatchObject({ available: false, unavailable_reason: 'This model is not set up here.' });
    }
  });

  test('the list shows the operator’s labels and matches the models that can be chosen', () => {
    const models = {
      ...createModels('mistral'),
      mistral: { ...createModels('mistral').mistral, label: 'Our Mistral' },
    };
    expect(listModels(models).items.find(({ id }) => id === 'mistral')?.label).toBe('Our Mistral');
    for (const set of [ALL, createModels(), createModels('chatgpt'), createModels('deepseek', 'roleplay')]) {
      for (const { id, available } of listModels(set).items) {
        expect(chooseModel(set, id, 'roleplay') !== null).toBe(available);
      }
    }
  });
});

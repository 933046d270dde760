import { describe, expect, test } from 'vitest';
import type { Environment } from '../../src/env/read-environment.ts';
import { chooseModel, listModels } from '../../src/features/model/choose-model.ts';
import { MODEL_CHOICES } from '../../src/features/model/contract.ts';

type Name = keyof Environment['models'];

const PLAIN = { contextTokens: 16_000, idleSeconds: 30 };

/** An installation where these models are set up. */
function setUp(...names: Name[]): Environment['models'] {
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

const ALL = setUp('roleplay', 'chatgpt', 'deepseek', 'mistral');

describe('The recommended model', () => {
  test('follows the choice of the character’s creator', () => {
    expect(chooseModel(ALL, 'recommended', 'roleplay')?.id).toBe('loreloom');
    expect(chooseModel(ALL, 'recommended', 'chatgpt')?.id).toBe('chatgpt');
  });

  test('falls back to the product’s own where that one is not set up, and then to any that is', () => {
    expect(chooseModel(setUp('roleplay', 'mistral'), 'recommended', 'chatgpt')?.id).toBe('loreloom');
    expect(chooseModel(setUp('chatgpt', 'mistral'), 'recommended', 'roleplay')?.id).toBe('chatgpt');
    expect(chooseModel(setUp('mistral'), 'recommended', 'roleplay')?.id).toBe('mistral');
    expect(chooseModel(setUp('deepseek'), 'recommended', 'chatgpt')?.id).toBe('deepseek');
  });

  test('does not exist where no model is set up', () => {
    expect(chooseModel(setUp(), 'recommended', 'roleplay')).toBeNull();
  });
});

describe('A model that I choose by name', () => {
  test('is never replaced by another', () => {
    expect(chooseModel(setUp('roleplay', 'chatgpt', 'deepseek'), 'mistral', 'roleplay')).toBeNull();
    expect(chooseModel(setUp('chatgpt'), 'loreloom', 'roleplay')).toBeNull();
    for (const id of ['loreloom', 'chatgpt', 'deepseek', 'mistral'] as const) {
      expect(chooseModel(ALL, id, 'roleplay')?.id).toBe(id);
      expect(chooseModel(ALL, id, 'chatgpt')?.id).toBe(id);
    }
  });

  test('is asked where and as what the operator says', () => {
    expect(chooseModel(ALL, 'deepseek', 'roleplay')).toEqual({
      id: 'deepseek',
      endpoint: { baseUrl: 'https://deepseek.test/v1', apiKey: 'key-deepseek', model: 'deepseek-large' },
      contextTokens: 32_000,
      idleMs: 30_000,
      serviceTier: null,
    });
  });

  test('is asked in the queue for members where there is one, and only for them', () => {
    const tiered = { ...ALL, roleplay: { ...ALL.roleplay, memberTier: 'priority' } };
    expect(chooseModel(tiered, 'loreloom', 'roleplay', true)?.serviceTier).toBe('priority');
    expect(chooseModel(tiered, 'loreloom', 'roleplay', false)?.serviceTier).toBeNull();
    expect(chooseModel(tiered, 'loreloom', 'roleplay')?.serviceTier).toBeNull();
    expect(chooseModel(tiered, 'chatgpt', 'roleplay', true)?.serviceTier).toBeNull();
  });

  test('needs neither a key nor a name of its own, and may be given more patience', () => {
    const local = {
      ...setUp(),
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

describe('The list of models', () => {
  test('holds every choice, in one order, and says of each whether it can be had', () => {
    const { items } = listModels(setUp('chatgpt'));
    expect(items.map(({ id }) => id)).toEqual([...MODEL_CHOICES]);
    expect(items.filter(({ available }) => available).map(({ id }) => id)).toEqual([
      'recommended',
      'chatgpt',
    ]);
    for (const item of items) expect(item.unavailable_reason === undefined).toBe(item.available);
  });

  test('recommends nothing where nothing is set up', () => {
    for (const item of listModels(setUp()).items) {
      expect(item).toMatchObject({ available: false, unavailable_reason: 'This model is not set up here.' });
    }
  });

  test('shows the operator’s own labels, and agrees with what can be chosen', () => {
    const models = { ...setUp('mistral'), mistral: { ...setUp('mistral').mistral, label: 'Our Mistral' } };
    expect(listModels(models).items.find(({ id }) => id === 'mistral')?.label).toBe('Our Mistral');
    for (const set of [ALL, setUp(), setUp('chatgpt'), setUp('deepseek', 'roleplay')]) {
      for (const { id, available } of listModels(set).items) {
        expect(chooseModel(set, id, 'roleplay') !== null).toBe(available);
      }
    }
  });
});

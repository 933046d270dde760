import { describe, expect, test } from 'vitest';
import { RUNTIME_CONFIG_DEFAULTS } from '../../../../src/features/runtime-config/defaults.ts';
import { getPersonaLimit } from '../../../../src/features/persona/persona-limit.ts';
import {
  toDraft,
  isPersonaChanged,
  measurePersonaField,
  matchCharacters,
  toFields,
  validatePersonaField,
} from '../../../../src/islands/personas/persona-form.ts';

const WREN = { name: 'Wren', description: 'Maps coasts.', is_default: false, character: null, avatar: null };
const LUMI = { id: 'c1', name: 'Lumi' };
const FACE = { id: 'p.webp', url: '/media/p.webp' };

describe('Persona form', () => {
  test('a new persona starts empty and an existing one with its values', () => {
    expect(toDraft(null)).toEqual({
      name: '',
      description: '',
      is_default: false,
      character: null,
      avatar: null,
    });
    const { name, description } = WREN;
    const linked = {
      character_id: 'c1',
      character_name: 'Lumi',
      avatar_id: 'p.webp',
      avatar_url: '/media/p.webp',
    };
    expect(toDraft({ name, description, is_default: true, ...linked })).toEqual({
      ...WREN,
      is_default: true,
      character: LUMI,
      avatar: FACE,
    });
  });

  test('the form asks before closing only if the trimmed values differ', () => {
    expect(isPersonaChanged(WREN, WREN)).toBe(false);
    expect(isPersonaChanged({ ...WREN, name: ' Wren ', description: 'Maps coasts.\n' }, WREN)).toBe(false);
    expect(isPersonaChanged({ ...WREN, name: 'Robin' }, WREN)).toBe(true);
    expect(isPersonaChanged({ ...WREN, description: '' }, WREN)).toBe(true);
    expect(isPersonaChanged({ ...WREN, is_default: true }, WREN)).toBe(true);
    expect(isPersonaChanged({ ...WREN, character: LUMI }, WREN)).toBe(true);
    expect(isPersonaChanged({ ...WREN, avatar: FACE }, WREN)).toBe(true);
    expect(isPersonaChanged({ ...WREN, character: { ...LUMI } }, { ...WREN, character: LUMI })).toBe(false);
  });

  test('a blank description is reported as missing, and a blank name is not', () => {
    expect(validatePersonaField({ ...WREN, name: '  ' }, 'name')).toBeNull();
    expect(validatePersonaField({ ...WREN, description: '\n ' }, 'description')).toBe('required');
    expect(validatePersonaField(WREN, 'name')).toBeNull();
    expect(validatePersonaField(WREN, 'description')).toBeNull();
  });

  test('a name may have 50 characters and a description 1,000', () => {
    const full = { ...WREN, name: ` ${'n'.repeat(50)} `, description: 'd'.repeat(1000) };
    expect(measurePersonaField(full, 'name')).toEqual({ used: 50, limit: 50 });
    expect(validatePersonaField(full, 'name')).toBeNull();
    expect(validatePersonaField(full, 'description')).toBeNull();
    expect(validatePersonaField({ ...full, name: 'n'.repeat(51) }, 'name')).toBe('too_long');
    expect(validatePersonaField({ ...full, description: 'd'.repeat(1001) }, 'description')).toBe('too_long');
  });

  test('a field is measured and sent without surrounding blanks', () => {
    expect(measurePersonaField({ ...WREN, name: ' 🦊 ' }, 'name').used).toBe(2);
    expect(toFields({ ...WREN, name: ' Wren ', description: '\nMaps\ncoasts. ' }, WREN)).toEqual({
      name: 'Wren',
      description: 'Maps\ncoasts.',
      is_default: false,
    });
  });

  test('a character and a picture are sent only if they were changed', () => {
    const lumis = { ...WREN, character: LUMI, avatar: FACE };
    const { name, description, is_default } = WREN;
    expect(toFields(lumis, lumis)).toEqual({ name, description, is_default });
    expect(toFields(lumis, WREN)).toMatchObject({ character_id: 'c1', avatar_id: 'p.webp' });
    expect(toFields(WREN, lumis)).toMatchObject({ character_id: null, avatar_id: null });
  });

  test('characters are found by a part of their name, and at most 30 are listed', () => {
    const items = ['Lumi', 'Zoé', 'Алёна', ...Array.from({ length: 40 }, (_, at) => `Twin ${at}`)].map(
      (name) => ({ id: name, name, avatar_url: '/media/x.webp' }),
    );
    const find = (query: string) => matchCharacters(items, query).shown.map(({ name }) => name);
    expect(find(' UM ')).toEqual(['Lumi']);
    expect(find('zoe')).toEqual(['Zoé']);
    expect(find('алё')).toEqual(['Алёна']);
    expect(find('nobody')).toEqual([]);
    expect(find('twin 3')).toHaveLength(11);
    expect(matchCharacters(items, 'lumi').isCut).toBe(false);
    const all = matchCharacters(items, '');
    expect(all.shown).toHaveLength(30);
    expect(all.isCut).toBe(true);
  });
});

test('every paid plan allows as many personas as Storyteller, and the free plan five', () => {
  expect(getPersonaLimit('free', RUNTIME_CONFIG_DEFAULTS)).toBe(5);
  for (const plan of ['storyteller', 'adventurer', 'legend'] as const) {
    expect(getPersonaLimit(plan, RUNTIME_CONFIG_DEFAULTS)).toBe(500);
    expect(getPersonaLimit(plan, { personas_free: 7, personas_storyteller: 70 })).toBe(70);
  }
  expect(getPersonaLimit('free', { personas_free: 7, personas_storyteller: 70 })).toBe(7);
});

import { describe, expect, test } from 'vitest';
import { RUNTIME_CONFIG_DEFAULTS } from '../../../../src/features/runtime-config/defaults.ts';
import { getPersonaLimit } from '../../../../src/features/persona/persona-limit.ts';
import {
  toDraft,
  isPersonaChanged,
  measurePersonaField,
  trimDraft,
  validatePersonaField,
} from '../../../../src/islands/personas/persona-form.ts';

const WREN = { name: 'Wren', description: 'Maps coasts.', is_default: false };

describe('Persona form', () => {
  test('a new persona starts empty and an existing one with its values', () => {
    expect(toDraft(null)).toEqual({ name: '', description: '', is_default: false });
    expect(toDraft({ ...WREN, is_default: true })).toEqual({ ...WREN, is_default: true });
  });

  test('the form asks before closing only if the trimmed values differ', () => {
    expect(isPersonaChanged(WREN, WREN)).toBe(false);
    expect(isPersonaChanged({ ...WREN, name: ' Wren ', description: 'Maps coasts.\n' }, WREN)).toBe(false);
    expect(isPersonaChanged({ ...WREN, name: 'Robin' }, WREN)).toBe(true);
    expect(isPersonaChanged({ ...WREN, description: '' }, WREN)).toBe(true);
    expect(isPersonaChanged({ ...WREN, is_default: true }, WREN)).toBe(true);
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
    expect(trimDraft({ ...WREN, name: ' Wren ', description: '\nMaps\ncoasts. ' })).toEqual({
      ...WREN,
      description: 'Maps\ncoasts.',
    });
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

import { describe, expect, test } from 'vitest';
import { BUSINESS_DEFAULTS } from '../../src/features/runtime-config/defaults.ts';
import { personaLimit } from '../../src/features/persona/persona-rules.ts';
import {
  draftOf,
  isChanged,
  lengthOf,
  trimmed,
  troubleWith,
} from '../../src/islands/personas/persona-form.ts';

const WREN = { name: 'Wren', description: 'Maps coasts.', is_default: false };

describe('The form of a persona', () => {
  test('begins empty for a new one, and with what is kept for an old one', () => {
    expect(draftOf(null)).toEqual({ name: '', description: '', is_default: false });
    expect(draftOf({ ...WREN, is_default: true })).toEqual({ ...WREN, is_default: true });
  });

  test('asks before it closes only when something would be lost', () => {
    expect(isChanged(WREN, WREN)).toBe(false);
    expect(isChanged({ ...WREN, name: ' Wren ', description: 'Maps coasts.\n' }, WREN)).toBe(false);
    expect(isChanged({ ...WREN, name: 'Robin' }, WREN)).toBe(true);
    expect(isChanged({ ...WREN, description: '' }, WREN)).toBe(true);
    expect(isChanged({ ...WREN, is_default: true }, WREN)).toBe(true);
  });

  test('says what is missing, blanks not counted', () => {
    expect(troubleWith({ ...WREN, name: '  ' }, 'name')).toBe('required');
    expect(troubleWith({ ...WREN, description: '\n ' }, 'description')).toBe('required');
    expect(troubleWith(WREN, 'name')).toBeNull();
    expect(troubleWith(WREN, 'description')).toBeNull();
  });

  test('takes 50 and 1,000 characters, and says when there is one more', () => {
    const full = { ...WREN, name: ` ${'n'.repeat(50)} `, description: 'd'.repeat(1000) };
    expect(lengthOf(full, 'name')).toEqual({ used: 50, limit: 50 });
    expect(troubleWith(full, 'name')).toBeNull();
    expect(troubleWith(full, 'description')).toBeNull();
    expect(troubleWith({ ...full, name: 'n'.repeat(51) }, 'name')).toBe('too_long');
    expect(troubleWith({ ...full, description: 'd'.repeat(1001) }, 'description')).toBe('too_long');
  });

  test('counts and sends a text without the blanks around it, as the server does', () => {
    expect(lengthOf({ ...WREN, name: ' 🦊 ' }, 'name').used).toBe(2);
    expect(trimmed({ ...WREN, name: ' Wren ', description: '\nMaps\ncoasts. ' })).toEqual({
      ...WREN,
      description: 'Maps\ncoasts.',
    });
  });
});

test('Every paid plan holds as many personas as Storyteller, and the free one five', () => {
  expect(personaLimit('free', BUSINESS_DEFAULTS)).toBe(5);
  for (const plan of ['storyteller', 'adventurer', 'legend'] as const) {
    expect(personaLimit(plan, BUSINESS_DEFAULTS)).toBe(500);
    expect(personaLimit(plan, { personas_free: 7, personas_storyteller: 70 })).toBe(70);
  }
  expect(personaLimit('free', { personas_free: 7, personas_storyteller: 70 })).toBe(7);
});

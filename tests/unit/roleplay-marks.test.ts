import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stretchesOf, withoutMarks } from '../../src/islands/chat/roleplay-marks.ts';

describe('roleplay text', () => {
  test('shows actions apart, and everything else as it was written', () => {
    expect(stretchesOf('*She nods.* "Yes," **now**.\n2 * 3 * 4')).toMatchObject([
      { kind: 'action', text: 'She nods.' },
      { kind: 'text', text: ' "Yes," ' },
      { kind: 'stress', text: 'now' },
      { kind: 'text', text: '.\n2 * 3 * 4' },
    ]);
    expect(withoutMarks('*She nods.* Yes')).toBe('She nods. Yes');
  });

  test('an action that is still being written is one already; a lone asterisk at the end of a message is not', () => {
    expect(stretchesOf('Well. *She turns', true).at(-1)).toMatchObject({ kind: 'action', text: 'She turns' });
    expect(stretchesOf('Well. *She turns').at(-1)).toMatchObject({ kind: 'text', text: 'Well. *She turns' });
  });

  test('markup is text', () => {
    expect(stretchesOf('<img src=x onerror=alert(1)>')).toMatchObject([
      { kind: 'text', text: '<img src=x onerror=alert(1)>' },
    ]);
  });

  test('nothing of a message is ever lost but the marks around what they mark', () => {
    const text = fc.string({ unit: fc.constantFrom('*', ' ', 'a', 'ß', '\n', '<'), maxLength: 30 });
    fc.assert(
      fc.property(text, fc.boolean(), (written, growing) => {
        const kept = stretchesOf(written, growing)
          .map(({ text: part }) => part)
          .join('');
        expect(kept.replaceAll('*', '')).toBe(written.replaceAll('*', ''));
      }),
    );
  });
});

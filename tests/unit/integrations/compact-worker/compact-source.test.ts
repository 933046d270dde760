import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compactSource } from '../../../../src/integrations/compact-worker/compact-source.ts';

const run = (code: string): unknown => new Function(code)(); // oxlint-disable-line no-new-func -- runs what was written
const isLatin = (code: string) => !/[^\0-\u00ff]/.test(code); // oxlint-disable-line no-control-regex -- Latin-1 has them
const FILLER = '"This makes the script mostly Latin, as scripts are."; ';

describe('Scripts in Latin-1', () => {
  test('texts, templates and regular expressions mean the same as before', () => {
    const code = `${FILLER.repeat(4)}
      const dash = '–', smile = "😀", quote = \`‘\${dash}’\`, known = '\\u2026 and …', back = 'a\\\\…';
      const escaped = /^[\\…\\–]+$/.test('…–'), astral = /^[😀-😂]$/u.test('😁'), plain = /…|é/.exec('é');
      return [dash, smile, quote, known, back, escaped, astral, plain?.[0]];`;
    const compact = compactSource(code);
    expect(isLatin(code)).toBe(false);
    expect(isLatin(compact)).toBe(true);
    expect(run(compact)).toEqual(run(code));
    expect(run(compact)).toEqual(['–', '😀', '‘–’', '… and …', 'a\\…', true, true, 'é']);
  });

  test('a script of any texts returns the same texts', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 5 }), (texts) => {
        const code = `${FILLER.repeat(12)} return ${JSON.stringify(texts)};`;
        expect(run(compactSource(code))).toEqual(texts);
      }),
    );
  });

  test('a script that would take more memory with escapes stays as it is', () => {
    for (const code of ['const plain = 1;', "const é = 'é';", `const text = '${'море '.repeat(30)}';`])
      expect(compactSource(code)).toBe(code);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TEXT_LIMITS } from '../../../../src/config/text-limits.ts';
import { parseDraft, parseSuggestions } from '../../../../src/features/model/parse-completion.ts';

const THREE = ['Tell me about the lamp.', '*I sit down by the stove.*', 'Who else has a key?'];

describe('Suggestion parsing', () => {
  test.each([
    ['plain', THREE.join('\n')],
    ['with empty lines', `\n${THREE.join('\n\n')}\n`],
    ['numbered', THREE.map((line, index) => `${index + 1}. ${line}`).join('\n')],
    ['numbered with brackets', THREE.map((line, index) => `(${index + 1}) ${line}`).join('\n')],
    ['with bullets', THREE.map((line) => `- ${line}`).join('\n')],
    ['with stars for bullets', THREE.map((line) => `* ${line}`).join('\n')],
    ['in quotation marks', THREE.map((line) => `"${line}"`).join('\n')],
    ['in German quotation marks, numbered', THREE.map((line, index) => `${index + 1}) „${line}“`).join('\n')],
    ['after an introduction', `Here are three options:\n${THREE.map((line) => `• ${line}`).join('\n')}`],
    ['in bold', THREE.map((line) => `**${line}**`).join('\n')],
    ['as JSON', JSON.stringify(THREE)],
    ['as JSON in a fence', `\`\`\`json\n${JSON.stringify(THREE, null, 1)}\n\`\`\``],
    ['in one line', `1. ${THREE[0]} 2. ${THREE[1]} 3. ${THREE[2]}`],
    [
      'and a remark after them',
      `${THREE.map((line, index) => `${index + 1}. ${line}`).join('\n')}\nI hope these help!`,
    ],
  ])('three suggestions are read from a list in any common format: %s', (_, text) => {
    expect(parseSuggestions(text)).toEqual(THREE);
  });

  test('a suggestion keeps quoted speech inside it, also in languages without spaces', () => {
    const lines = ['"Stay," I say, "please."', '「灯りを見せて」と言う。', '„Komm“, sage ich.'];
    expect(parseSuggestions(lines.join('\n'))).toEqual(lines);
    expect(parseSuggestions('1．灯りを見せて。\n2．ここに座る。\n3．鍵は誰が？')).toEqual([
      '灯りを見せて。',
      'ここに座る。',
      '鍵は誰が？',
    ]);
  });

  test('two lines or the same line three times give no suggestions', () => {
    for (const text of [
      '',
      'One.\nTwo.',
      'Same.\nsame.\nSAME.',
      'I cannot help with that.',
      'a'.repeat(5000),
    ])
      expect(parseSuggestions(text)).toBeNull();
  });

  test('any text gives three different suggestions or none', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const found = parseSuggestions(text);
        if (found === null) return;
        expect(found).toHaveLength(3);
        expect(new Set(found).size).toBe(3);
        for (const line of found) expect(line.trim()).not.toBe('');
      }),
    );
  });
});

describe('Draft parsing', () => {
  test("a draft loses the speaker's name before it", () => {
    expect(parseDraft('Anouk: I came for the key.', 'Anouk')).toBe('I came for the key.');
    expect(parseDraft('**Anouk:** I came for the key.')).toBe('I came for the key.');
    expect(parseDraft('Anouk: "I came for the key."')).toBe('"I came for the key."');
  });

  test('a draft keeps a colon that belongs to the text', () => {
    expect(parseDraft('Listen: I came for the key.', 'Anouk')).toBe('Listen: I came for the key.');
  });

  test('a draft is at most as long as a message and ends with a whole character', () => {
    const long = parseDraft('😀'.repeat(TEXT_LIMITS.message));
    expect(long.length).toBeLessThanOrEqual(TEXT_LIMITS.message);
    expect(long.isWellFormed()).toBe(true);
  });
});

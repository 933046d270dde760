import { createInstance } from 'i18next';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/config/languages.ts';
import { createTranslator } from '../../../src/islands/shared/translator.ts';
import { textFormatter } from '../../../src/locales/format.ts';
import { loadTexts } from '../../../src/locales/i18n.ts';

const NAMESPACES = [
  'chat',
  'errors',
  'signin',
  'onboarding',
  'personas',
  'search',
  'account',
  'settings',
  'feedback',
  'membership',
  'adminStats',
] as const;
const PLURAL = /_(?:zero|one|two|few|many|other)$/;
const COUNTS = [0, 1, 1.5, 2, 3, 5, 11, 12, 21, 22, 101, 12_000, 1_000_000];
const PLACE = /\{\{\s*(\w+)/g;

type Read = (key: string, values?: Record<string, string | number>) => string;

/** The translation library, which pages use with the same dictionaries. */
function createLibraryTranslator(lang: string, messages: Record<string, string>): Read {
  const instance = createInstance().use(textFormatter);
  void instance.init({
    lng: lang,
    fallbackLng: false,
    resources: { [lang]: { words: messages } },
    ns: ['words'],
    initAsync: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false, alwaysFormat: true },
  });
  return instance.getFixedT(lang, 'words' as never) as unknown as Read;
}

describe.each(LANGUAGES)('Island texts in %s', (lang) => {
  test.each(NAMESPACES)('islands and pages show the same text in the namespace %s', async (namespace) => {
    const { words } = await loadTexts(lang);
    const messages = words([namespace])[namespace] as Record<string, string>;
    const [translate, translateByLibrary] = [
      createTranslator(lang, messages),
      createLibraryTranslator(lang, messages),
    ];
    for (const [key, text] of Object.entries(messages)) {
      const places = [...text.matchAll(PLACE)].map(([, name = '']) => name);
      const values = Object.fromEntries(
        places.map((name, index) => [name, index % 2 ? 12_345.678 : `<${name}>`]),
      );
      expect(translate(key, values)).toBe(translateByLibrary(key, values));
      if (!PLURAL.test(key)) continue;
      const base = key.replace(PLURAL, '');
      for (const count of COUNTS) {
        const counted = { ...values, count };
        // Where a language lacks a form, the library shows the key; the common form is better.
        const form = new Intl.PluralRules(lang).select(count);
        const expected = translateByLibrary(`${base}_${form}` in messages ? base : `${base}_other`, counted);
        expect(translate(base, counted)).toBe(expected);
      }
    }
  });
});

describe('Island text', () => {
  const words = createTranslator('de', {
    left_one: '{{count}} Punkt',
    left_other: '{{ count }} Punkte, Code {{code}}',
    said: '{{name}}: {{text}}',
    none_zero: 'nichts',
    none_other: '{{count}}',
  });

  test('plural forms and numbers follow the language, and codes stay unchanged', () => {
    expect(words('left', { count: 1 })).toBe('1 Punkt');
    expect(words('left', { count: 12_000, code: '120000' })).toBe('12.000 Punkte, Code 120000');
    expect(words('none', { count: 0 })).toBe('nichts');
  });

  test('values that look like placeholders or markup are inserted as they are', () => {
    expect(words('said', { name: '$&', text: '{{name}} <b> $1' })).toBe('$&: {{name}} <b> $1');
  });

  test('inserted values cannot change the direction of the text or stack marks without limit', () => {
    const heap = words('said', { name: `Z${'\u0301'.repeat(200)}`, text: '\u202Eevil\u2066' });
    expect(heap).toBe(`Z${'\u0301'.repeat(5)}: evil`);
    expect(words('said', { name: 'שלום', text: 'Ada' })).toBe('\u2068שלום\u2069: Ada');
  });

  test('a missing value is replaced by nothing', () => {
    expect(words('said', { name: 'Ada' })).toBe('Ada: ');
  });

  test('an unknown key is shown as it is', () => {
    for (const key of ['model_lost', 'constructor', '__proto__', 'toString']) expect(words(key)).toBe(key);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extractSentences } from '../../../src/lib/sentences.ts';

test.each([
  [
    'en',
    'She nods. "Are you there?" he asks. The rain goes',
    ['She nods.', '"Are you there?" he asks.'],
    'The rain goes',
  ],
  [
    'de',
    'Sie nickt. „Bist du da?“ Er wartet… lange. Der Regen',
    ['Sie nickt.', '„Bist du da?“', 'Er wartet… lange.'],
    'Der Regen',
  ],
  ['fr', 'Elle sourit. « Tu es là ? » La pluie', ['Elle sourit.', '« Tu es là ? »'], 'La pluie'],
  ['es', 'Ella sonríe. ¿Estás ahí? La lluvia', ['Ella sonríe.', '¿Estás ahí?'], 'La lluvia'],
  ['it', 'Lei sorride. Ci sei? La pioggia', ['Lei sorride.', 'Ci sei?'], 'La pioggia'],
  ['pt', 'Ela sorri. Estás aí? A chuva', ['Ela sorri.', 'Estás aí?'], 'A chuva'],
  ['pl', 'Uśmiecha się. Jesteś tam? Deszcz', ['Uśmiecha się.', 'Jesteś tam?'], 'Deszcz'],
  ['ru', 'Она кивает. Ты здесь? Дождь', ['Она кивает.', 'Ты здесь?'], 'Дождь'],
  ['id', 'Dia tersenyum. Kau di sana? Hujan', ['Dia tersenyum.', 'Kau di sana?'], 'Hujan'],
  ['hi', 'वह मुस्कुराती है। क्या तुम वहाँ हो? बारिश', ['वह मुस्कुराती है।', 'क्या तुम वहाँ हो?'], 'बारिश'],
  ['ja', '彼女は笑う。「そこにいるの？」雨が', ['彼女は笑う。', '「そこにいるの？」'], '雨が'],
  ['zh', '她笑了。你在吗？雨还', ['她笑了。', '你在吗？'], '雨还'],
])('finished sentences are separated from the unfinished one in %s', (lang, text, finished, rest) => {
  expect(extractSentences(text, lang)).toEqual({ finished, rest });
  expect(extractSentences(text, lang, true)).toEqual({ finished: [...finished, rest], rest: '' });
});

test('a title, a number and an ellipsis do not end a sentence', () => {
  expect(extractSentences('Dr. Vale has 3.5 lamps. They burn', 'en').finished).toEqual([
    'Dr. Vale has 3.5 lamps.',
  ]);
  expect(extractSentences('Wait... ', 'en')).toEqual({ finished: [], rest: 'Wait... ' });
});

test('a line break ends a sentence without punctuation', () => {
  expect(extractSentences('The lamp is out\nShe waits', 'en').finished).toEqual(['The lamp is out']);
});

test('an empty text has no sentences, while an ellipsis alone is one', () => {
  expect(extractSentences('', 'en', true)).toEqual({ finished: [], rest: '' });
  expect(extractSentences(' \n ', 'en', true)).toEqual({ finished: [], rest: '' });
  expect(extractSentences('…', 'en', true)).toEqual({ finished: ['…'], rest: '' });
});

test('finished sentences stay the same as the text grows, without repetition or omission', () => {
  const unit = fc.constantFrom(
    'a',
    'B',
    'Dr',
    '.',
    '!',
    '?',
    '…',
    '"',
    '“',
    ' ',
    '\n',
    '3',
    '。',
    '夜',
    '」',
    'न',
    '।',
    ',',
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 40 }), fc.constantFrom('en', 'ja', 'hi', 'de'), (units, lang) => {
      let text = '';
      let before: string[] = [];
      for (const next of units) {
        text += next;
        const { finished } = extractSentences(text, lang);
        expect(finished.slice(0, before.length)).toEqual(before);
        before = finished;
      }
      const all = extractSentences(text, lang, true).finished.join('');
      expect(all.replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
    }),
    { numRuns: 300 },
  );
});

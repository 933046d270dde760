import fc from 'fast-check';
import { estimateTokenCount } from 'tokenx';
import { expect, test } from 'vitest';
import { countTokens } from '../../../../src/features/model/estimate-tokens.ts';
import { SPLIT_UTF8_TEXT } from '../../../support/model-server.mjs';

test.each([
  '',
  'She sets the lantern down. "You came back," she says...\n\n*She laughs.*',
  'one\ntwo;\nthree\n  four\r\nfive\u00a0six\u2028seven',
  "1234567 12.5 antidisestablishmentarianism Don't ___________ “quoted” — naïve Größe żółć",
  'Я ставлю фонарь на подоконник. Θέλω νερό. मैं यहाँ हूँ।',
  '彼女はランタンを置く。「帰ってきたのね」 안녕하세요! 你好，世界',
  SPLIT_UTF8_TEXT,
])('the tokens of “%s” are those that tokenx counts', (text) => {
  expect(countTokens(text)).toBe(estimateTokenCount(text));
});

test('the tokens of any text are those that tokenx counts', () => {
  const sign = fc.constantFrom(...'aaabcZ19.,-\'"“—…éßжάłअ漢か。、！한😀  \n\t\r\u00a0\u3000\ufeff\u0301');
  const run = fc.tuple(sign, fc.integer({ min: 1, max: 12 })).map(([each, count]) => each.repeat(count));
  const text = fc.array(fc.oneof({ weight: 4, arbitrary: sign }, run)).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (each) => countTokens(each) === estimateTokenCount(each)),
    { numRuns: 2000 },
  );
});

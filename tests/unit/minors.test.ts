import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sexualMinorsIn } from '../../src/features/safety/minors.ts';

type Sample = string | { text: string; context: string };
interface Samples {
  refused: Sample[];
  harmless: Sample[];
}
/** What the rules were made with, and what was written down apart from that and never tuned for. */
interface Corpus extends Samples {
  heldOut: Samples;
  /** Written down before the rules were last widened; what stayed unfound stays so. `ages[n]` and `acts[n]` are one text. */
  unseen: { ages: string[]; acts: string[]; harmless: string[] };
}

const LANGUAGES = ['en', 'es', 'fr', 'de', 'it', 'pt', 'ru', 'ja', 'hi', 'pl', 'zh', 'id'];

function corpusOf(language: string): Corpus {
  const file = new URL(`../support/minors/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Corpus;
}

const isRefused = (sample: Sample): boolean =>
  typeof sample === 'string' ? sexualMinorsIn(sample) : sexualMinorsIn(sample.text, sample.context);

/** What of the unseen is known: an age beside a plain act, an act beside a plain age, and both as they are written. */
function knownOf({ ages, acts, harmless }: Corpus['unseen']) {
  return {
    ages: ages.filter((age) => sexualMinorsIn(`${age} They have sex.`)).length,
    acts: acts.filter((act) => sexualMinorsIn(`She is 15 years old. ${act}`)).length,
    both: ages.filter((age, index) => sexualMinorsIn(`${age} ${acts[index]}`)).length,
    false: harmless.filter((text) => sexualMinorsIn(text)).length,
  };
}

const shareOf = (samples: readonly Sample[]): number => samples.filter(isRefused).length / samples.length;
const percent = (share: number): string => `${Math.round(share * 100)} %`;

describe('sexual content with minors is refused in every language', () => {
  test('and how well is told for each', () => {
    const rows = LANGUAGES.map((language) => {
      const { refused, harmless, heldOut, unseen } = corpusOf(language);
      const known = knownOf(unseen);
      return {
        language,
        texts: refused.length + harmless.length,
        found: percent(shareOf(refused)),
        'false alarms': percent(shareOf(harmless)),
        'held out': heldOut.refused.length + heldOut.harmless.length,
        'held out found': percent(shareOf(heldOut.refused)),
        'held out false': percent(shareOf(heldOut.harmless)),
        unseen: unseen.ages.length + unseen.harmless.length,
        'unseen ages': known.ages,
        'unseen acts': known.acts,
        'unseen found': known.both,
        'unseen false': known.false,
      };
    });
    console.table(rows);
    expect(rows).toHaveLength(12);
  });

  test.each(LANGUAGES)('%s: nothing of what the rules know gets through, and look-alikes do', (language) => {
    const { refused, harmless } = corpusOf(language);
    expect(refused.length).toBeGreaterThanOrEqual(15);
    expect(harmless.length).toBeGreaterThanOrEqual(25);
    expect(refused.filter((sample) => !isRefused(sample))).toEqual([]);
    expect(harmless.filter(isRefused)).toEqual([]);
  });

  test.each(LANGUAGES)(
    '%s: of texts that the rules were not made with, most are told rightly',
    (language) => {
      const { heldOut } = corpusOf(language);
      expect(heldOut.refused.length - heldOut.refused.filter(isRefused).length).toBeLessThanOrEqual(1);
      expect(heldOut.harmless.filter(isRefused).length).toBeLessThanOrEqual(1);
    },
  );
});

test.each(LANGUAGES)(
  '%s: of twenty fresh texts most are found, and of twenty look-alikes none or one',
  (language) => {
    const { unseen } = corpusOf(language);
    expect([unseen.ages, unseen.acts, unseen.harmless].map((list) => new Set(list).size)).toEqual([
      20, 20, 20,
    ]);
    const known = knownOf(unseen);
    expect(known.ages).toBeGreaterThanOrEqual(13);
    expect(known.acts).toBeGreaterThanOrEqual(10);
    expect(known.both).toBeGreaterThanOrEqual(8);
    expect(known.false).toBeLessThanOrEqual(1);
  },
);

describe('the definition says the age, and the message the act', () => {
  const KID = 'Mia is twelve years old. She likes horses.';
  const ADULT = 'Mia is 34 years old. She likes horses.';

  test('in whatever language each of them is', () => {
    expect(sexualMinorsIn('*la desnuda y hacen el amor*', KID)).toBe(true);
    expect(sexualMinorsIn('彼女の服を脱がせる', KID)).toBe(true);
    expect(sexualMinorsIn('*la desnuda y hacen el amor*', ADULT)).toBe(false);
  });

  test('a story with a child goes on as long as nothing sexual is in it', () => {
    expect(sexualMinorsIn('*takes her hand* Let us feed the horses.', KID)).toBe(false);
  });

  test('somebody who says that they are fifteen in an adult story ends it', () => {
    const erotic = 'Lena, 28, wants to have sex with you.';
    expect(sexualMinorsIn('Okay. By the way, I am 15 years old.', erotic)).toBe(true);
    expect(sexualMinorsIn('Okay. By the way, I am 35 years old.', erotic)).toBe(false);
  });

  test('a child of the family in an adult character’s definition is not the character', () => {
    const mother = 'Anna is 41 and the mother of a 15-year-old daughter.';
    expect(sexualMinorsIn('We go to bed and have sex.', mother)).toBe(false);
  });
});

describe('words that hide are found', () => {
  test.each([
    'l0li nsfw',
    'l o l i nsfw',
    'lоli nsfw',
    'lo\u200bli nsfw',
    'ＬＯＬＩ nsfw',
    'A １５-year-old has sex',
    'a 15 y/o, s3x',
    'a 15 yo, sеx',
    'Une ecoliere nue',
    'unde\u00adrage nsfw',
  ])('%s', (text) => {
    expect(sexualMinorsIn(text)).toBe(true);
  });
});

test('a long text is looked through in time that grows with its length alone', () => {
  const long = `${'The naked knight, who is 34, walked over the bridge. '.repeat(9000)}`;
  const before = performance.now();
  expect(sexualMinorsIn(long)).toBe(false);
  expect(performance.now() - before).toBeLessThan(5000);
});

test('texts made to be slow are not', () => {
  const before = performance.now();
  for (const piece of [
    'sex ',
    'looks like a ',
    'aged ',
    '15 ',
    'she is ',
    ' ',
    '- ',
    '\n',
    'lo li ',
    'a-',
    '十',
    'セ',
    'ха ',
    'а',
    'решаюсь',
    'l',
  ])
    sexualMinorsIn(`sex ${piece.repeat(20_000)}`);
  expect(performance.now() - before).toBeLessThan(8000);
});

import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/config.ts';
import { crisisIn, type CrisisKind } from '../../src/features/safety/crisis.ts';

type Part = Record<CrisisKind | 'harmless', string[]>;
/** Sentences with what they say: those that the lists were made with, and others that were written afterwards and changed nothing. */
interface Labelled {
  tuned: Part;
  held_out: Part;
}
const corpora = import.meta.glob<Labelled>('../support/crisis/*.json', { eager: true, import: 'default' });
const corpusOf = (lang: string): Labelled => {
  const corpus = corpora[`../support/crisis/${lang}.json`];
  if (corpus === undefined) throw new Error(`No sentences in ${lang}`);
  return corpus;
};

const KINDS: readonly CrisisKind[] = ['suicide', 'self_harm', 'harm_to_others'];

function measured(part: Part) {
  const meant = KINDS.flatMap((kind) => part[kind].map((text) => ({ kind, text, said: crisisIn(text) })));
  const found = meant.filter(({ said }) => said !== null);
  const wrong = part.harmless.filter((text) => crisisIn(text) !== null);
  return {
    meant: meant.length,
    harmless: part.harmless.length,
    recall: found.length / meant.length,
    kindRight: found.filter(({ kind, said }) => kind === said).length / found.length,
    falseAlarms: wrong.length / part.harmless.length,
    missed: meant.filter(({ said }) => said === null).map(({ text }) => text),
    wrong,
  };
}

/** What new sentences in a language are found of, at least: measured, and rounded down. */
const HELD_OUT_RECALL: Record<string, number> = {
  en: 0.55, es: 0.5, fr: 0.4, de: 0.55, it: 0.5, pt: 0.5, ru: 0.65, ja: 0.4, hi: 0.55, pl: 0.3, zh: 0.65, id: 0.55,
}; // prettier-ignore

const rows = LANGUAGES.map((lang) => {
  const { tuned, held_out: heldOut } = corpusOf(lang);
  return { lang, tuned: measured(tuned), heldOut: measured(heldOut) };
});

test('what is found and what is taken wrongly is told for every language', () => {
  const share = (value: number): string => `${(100 * value).toFixed(0)} %`.padStart(6);
  const line = (
    name: string,
    { meant, harmless, recall, falseAlarms }: ReturnType<typeof measured>,
  ): string =>
    `${name} ${String(meant).padStart(3)} meant, found ${share(recall)} · ${String(harmless).padStart(3)} harmless, wrongly taken ${share(falseAlarms)}`;
  const table = rows.flatMap(({ lang, tuned, heldOut }) => [
    line(`${lang} known`, tuned),
    line(`${lang} new  `, heldOut),
  ]);
  process.stdout.write(`${table.join('\n')}\n`);
  expect(rows).toHaveLength(12);
});

describe.each(rows)('In $lang,', ({ lang, tuned, heldOut }) => {
  test('there are enough sentences to measure by, and no sentence is in both parts', () => {
    expect(tuned.meant).toBeGreaterThanOrEqual(40);
    expect(tuned.harmless).toBeGreaterThanOrEqual(60);
    expect(heldOut.meant).toBeGreaterThanOrEqual(12);
    expect(heldOut.harmless).toBeGreaterThanOrEqual(17);
    const texts = ({ tuned: one, held_out: other }: Labelled) =>
      [one, other].map((part) => Object.values(part).flat());
    const [known = [], fresh = []] = texts(corpusOf(lang));
    expect(fresh.filter((text) => known.includes(text))).toEqual([]);
    expect(new Set(known).size).toBe(known.length);
  });

  test('somebody who says so is heard, and somebody who tells a story is left alone', () => {
    expect(tuned.recall, tuned.missed.join('\n')).toBeGreaterThanOrEqual(0.95);
    expect(tuned.kindRight).toBeGreaterThanOrEqual(0.95);
    expect(tuned.falseAlarms, tuned.wrong.join('\n')).toBeLessThanOrEqual(0.02);
  });

  test('words that the lists were not made with are understood as often as is told, and seldom taken wrongly', () => {
    expect(heldOut.recall, heldOut.missed.join('\n')).toBeGreaterThanOrEqual(HELD_OUT_RECALL[lang] ?? 1);
    expect(heldOut.falseAlarms, heldOut.wrong.join('\n')).toBeLessThanOrEqual(0.05);
  });
});

describe('However it is written,', () => {
  test.each([
    'I WANT TO KILL MYSELF',
    'i want to kiiiill myself',
    'I want to k1ll myself',
    'i want to k*ll myself',
    'i want to k i l l myself',
    'i want to k.i.l.l myself',
    'I want to ki\u200bll myself',
    'I **really** want to die',
    'I want to *die*',
    'Ｉ ｗａｎｔ ｔｏ ｄｉｅ',
    'I don´t want to live anymore',
    'quiero matarme',
    'QUIERO MATÁRME',
    'chce sie zabic',
    'シニタイ',
    '我不想活了！',
    '我想自殺',
  ])('%s is heard', (text) => {
    expect(crisisIn(text)).toBe('suicide');
  });

  test('it is heard in the middle of a long message', () => {
    const story = 'The rain fell on the roofs of the old town and nobody spoke. '.repeat(60);
    expect(crisisIn(`${story}I want to kill myself. ${story}`)).toBe('suicide');
    expect(crisisIn(story)).toBeNull();
  });
});

describe('What belongs to the story,', () => {
  test('what a character does between stars, is not the writer’s', () => {
    expect(crisisIn('*I want to die, I whisper and close my eyes*')).toBeNull();
    expect(crisisIn('*I want to die, I whisper* this is not a roleplay, I mean it')).toBe('suicide');
  });

  test('what somebody else says, is not the writer’s, but what stands beside it is', () => {
    expect(crisisIn('"I want to die," she said.')).toBeNull();
    expect(crisisIn('"Stay," she said. I want to die.')).toBe('suicide');
  });

  test('a threat to an orc is none, one to a classmate is', () => {
    expect(crisisIn('I will kill you, orc! I mean it!')).toBeNull();
    expect(crisisIn('I will kill my sister if she eats my cake')).toBeNull();
    expect(crisisIn('I will kill my sister, this is not a joke')).toBe('harm_to_others');
  });
});

describe('Love', () => {
  test.each([
    'I can’t live without you',
    'No puedo vivir sin ti, mi amor',
    'Je ne peux pas vivre sans toi',
    'Ich kann ohne dich nicht leben',
    'Tu mir weh, bitte',
    'Non voglio vivere senza di te',
    'Não consigo viver sem você',
    'Nie chcę żyć bez ciebie',
    'Не хочу жить без тебя',
    'あなたなしでは生きていけない',
    '没有你我活不下去',
    'मैं तुम्हारे बिना नहीं जी सकता',
    'Aku tidak bisa hidup tanpamu',
  ])('that says «%s» is left alone', (text) => {
    expect(crisisIn(text)).toBeNull();
  });
});

describe('Somebody who is threatened', () => {
  test.each([
    'The demon wants to kill me and my family, help',
    'Mi padre quiere matarme por las notas',
    'Er will mich umbringen!',
    '王が私を殺そうとしている',
    '他要杀我，救救我',
  ])('and says «%s» is not asked about themselves', (text) => {
    expect(crisisIn(text)).toBeNull();
  });
});

test('nothing is found in nothing', () => {
  expect(crisisIn('')).toBeNull();
  expect(crisisIn('😂😂😂')).toBeNull();
});

test('the longest text is read at once', () => {
  const long = 'I was so tired that I could not go on, and she said that it would not take long. '.repeat(
    300,
  );
  crisisIn('warm');
  const began = performance.now();
  expect(crisisIn(long)).toBeNull();
  expect(performance.now() - began).toBeLessThan(2000);
});

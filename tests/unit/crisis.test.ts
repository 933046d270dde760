import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../src/config.ts';
import { crisisIn, type CrisisKind } from '../../src/features/safety/crisis.ts';

type Sentences = Record<CrisisKind | 'harmless', string[]>;
/** Sentences with what they say, as the lists and shapes were made with them. */
const known = import.meta.glob<Sentences>('../support/crisis/*.json', { eager: true, import: 'default' });

interface Unseen {
  meant: { kind: CrisisKind; text: string }[];
  harmless: string[];
}
/** The same by another hand, which had not seen the lists, and which no list has seen. */
const unseen = import.meta.glob<Unseen>('../support/crisis-unseen/*.json', {
  eager: true,
  import: 'default',
});

const KINDS: readonly CrisisKind[] = ['suicide', 'self_harm', 'harm_to_others'];

const knownOf = (lang: string): Sentences => {
  const sentences = known[`../support/crisis/${lang}.json`];
  if (sentences === undefined) throw new Error(`No sentences in ${lang}`);
  return sentences;
};

function unseenOf(lang: string): Sentences {
  const sentences = unseen[`../support/crisis-unseen/${lang}.json`];
  if (sentences === undefined) throw new Error(`No unseen sentences in ${lang}`);
  const of = (kind: CrisisKind) => sentences.meant.filter((one) => one.kind === kind).map(({ text }) => text);
  return {
    suicide: of('suicide'),
    self_harm: of('self_harm'),
    harm_to_others: of('harm_to_others'),
    harmless: sentences.harmless,
  };
}

function measured(part: Sentences) {
  const meant = KINDS.flatMap((kind) => part[kind].map((text) => ({ kind, text, said: crisisIn(text) })));
  const found = meant.filter(({ said }) => said !== null);
  const wrong = part.harmless.filter((text) => crisisIn(text) !== null);
  return {
    meant: meant.length,
    harmless: part.harmless.length,
    foundOf: (kind: CrisisKind) => found.filter((one) => one.kind === kind).length,
    recall: found.length / meant.length,
    kindRight: found.filter(({ kind, said }) => kind === said).length / found.length,
    falseAlarms: wrong.length / part.harmless.length,
    missed: meant.filter(({ said }) => said === null).map(({ text }) => text),
    wrong,
  };
}

/** Of the unseen sentences of each kind so many are found: what was measured at first sight, so that it never becomes less. */
const UNSEEN_FOUND: Record<string, Record<CrisisKind, number>> = {
  en: { suicide: 4, self_harm: 7, harm_to_others: 3 },
  es: { suicide: 10, self_harm: 5, harm_to_others: 1 },
  fr: { suicide: 7, self_harm: 6, harm_to_others: 1 },
  de: { suicide: 8, self_harm: 5, harm_to_others: 1 },
  it: { suicide: 8, self_harm: 6, harm_to_others: 1 },
  pt: { suicide: 8, self_harm: 7, harm_to_others: 2 },
  ru: { suicide: 8, self_harm: 5, harm_to_others: 2 },
  ja: { suicide: 10, self_harm: 7, harm_to_others: 0 },
  hi: { suicide: 10, self_harm: 5, harm_to_others: 1 },
  pl: { suicide: 8, self_harm: 7, harm_to_others: 2 },
  zh: { suicide: 10, self_harm: 6, harm_to_others: 2 },
  id: { suicide: 12, self_harm: 7, harm_to_others: 1 },
};
/** Of thirty unseen sentences that are harmless, so many may be taken wrongly. */
const UNSEEN_WRONG = 3;

const rows = LANGUAGES.map((lang) => ({
  lang,
  tuned: measured(knownOf(lang)),
  fresh: measured(unseenOf(lang)),
}));

test('what is found and what is taken wrongly is told for every language', () => {
  const share = (value: number): string => `${(100 * value).toFixed(0)} %`.padStart(6);
  const line = (
    name: string,
    { meant, harmless, recall, falseAlarms, foundOf }: ReturnType<typeof measured>,
  ): string =>
    `${name} ${String(meant).padStart(3)} meant, found ${share(recall)} (${KINDS.map((kind) => `${kind} ${String(foundOf(kind))}`).join(', ')}) · ${String(harmless).padStart(3)} harmless, wrongly taken ${share(falseAlarms)}`;
  const table = rows.flatMap(({ lang, tuned, fresh }) => [
    line(`${lang} known`, tuned),
    line(`${lang} new  `, fresh),
  ]);
  process.stdout.write(`${table.join('\n')}\n`);
  expect(rows).toHaveLength(12);
});

describe.each(rows)('In $lang,', ({ lang, tuned, fresh }) => {
  test('there are enough sentences to measure by, and no sentence is in both parts', () => {
    expect(tuned.meant).toBeGreaterThanOrEqual(70);
    expect(tuned.harmless).toBeGreaterThanOrEqual(90);
    expect(fresh.meant).toBeGreaterThanOrEqual(20);
    expect(fresh.harmless).toBeGreaterThanOrEqual(30);
    const [old, new_] = [knownOf(lang), unseenOf(lang)].map((part) => Object.values(part).flat());
    expect(new_?.filter((text) => old?.includes(text))).toEqual([]);
    expect(new Set(old).size).toBe(old?.length);
  });

  test('somebody who says so is heard, and somebody who tells a story is left alone', () => {
    expect(tuned.recall, tuned.missed.join('\n')).toBeGreaterThanOrEqual(0.95);
    expect(tuned.kindRight).toBeGreaterThanOrEqual(0.95);
    expect(tuned.falseAlarms, tuned.wrong.join('\n')).toBeLessThanOrEqual(0.02);
  });

  test('words that the lists were not made with are understood as often as is told, and seldom taken wrongly', () => {
    for (const kind of KINDS) {
      expect(fresh.foundOf(kind), `${kind}\n${fresh.missed.join('\n')}`).toBeGreaterThanOrEqual(
        UNSEEN_FOUND[lang]?.[kind] ?? Number.POSITIVE_INFINITY,
      );
    }
    expect(fresh.wrong.length, fresh.wrong.join('\n')).toBeLessThanOrEqual(UNSEEN_WRONG);
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

  test('somebody who steps away from a rope in the story, is left alone', () => {
    expect(
      crisisIn('Mara takes that without blinking, and moves one step further from the rope.'),
    ).toBeNull();
    expect(crisisIn('I have the rope, one step and it would all be over')).toBe('suicide');
  });

  test('a threat to an orc is none, one to a classmate is', () => {
    expect(crisisIn('I will kill you, orc! I mean it!')).toBeNull();
    expect(crisisIn('I will kill my sister if she eats my cake')).toBeNull();
    expect(crisisIn('I will kill my sister, this is not a joke')).toBe('harm_to_others');
  });
});

describe('A plain threat against somebody of one’s own life', () => {
  test.each([
    'I will kill my wife tonight',
    'I am going to kill my classmates tomorrow',
    'i want to stab my teacher',
    'Voy a matar a mi mujer esta noche',
    'Je vais tuer ma femme ce soir',
    'Ich bringe heute Abend meine Frau um',
    'Stasera ucciderò mia moglie',
    'Vou matar minha mulher hoje à noite',
    'Сегодня ночью убью жену',
    '今夜、妻を殺す',
    'मैं आज रात अपनी पत्नी को मार दूँगा',
    'Dziś w nocy zabiję żonę',
    '今晚我要杀了我老婆',
    'Aku akan membunuh istriku malam ini',
  ])('«%s» is heard', (text) => {
    expect(crisisIn(text)).toBe('harm_to_others');
  });

  test.each([
    'I will kill you tonight, orc!',
    'Tonight I kill the dragon with my knife',
    'I will kill my brother in Minecraft tonight',
    'Tonight I will kill my brother lol',
    'Mañana mataré al dragón',
    'Je vais tuer le dragon ce soir',
    '今晚我要杀了魔王',
  ])('«%s» is none', (text) => {
    expect(crisisIn(text)).toBeNull();
  });
});

test('what somebody says that they have told their mother is their own, though it stands in quotation marks', () => {
  expect(crisisIn('I told my mom "I want to kill myself" and she laughed at me')).toBe('suicide');
  expect(crisisIn('I told my mom "I want to kill myself". "Stop," she said.')).toBe('suicide');
  expect(crisisIn('Le dije a mi madre: "Quiero matarme". "Calla", dijo ella')).toBe('suicide');
  expect(crisisIn('She whispered, "I want to die." I told her to stay')).toBeNull();
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

describe('Somebody who looks back', () => {
  test('on a wish to die that is over, is left alone', () => {
    expect(crisisIn('I used to want to die, but I am so glad to be alive')).toBeNull();
    expect(crisisIn('Two years clean from self harm, and I am proud')).toBeNull();
  });

  test('and says that it is back, is heard', () => {
    expect(crisisIn('I was so glad to be alive, but tonight I want to kill myself again')).toBe('suicide');
    expect(crisisIn('Two years clean from self harm and the urge to cut is back')).toBe('self_harm');
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

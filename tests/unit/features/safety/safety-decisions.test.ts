import { describe, expect, test } from 'vitest';
import {
  describeName,
  findCrisis,
  isEncouraging,
  isSexualWithMinor,
  extractOwnWords,
  hasMinor,
  findSexualSentences,
} from '../../../../src/features/safety/decisions.ts';
import { applyRules } from '../../../../src/features/safety/moderation.ts';
import falseFriends from '../../../support/safety/false-friends.json' with { type: 'json' };

const PLACES = ['message', 'reply', 'chat_file', 'publication'] as const;

test.each(falseFriends)('the harmless text “%s” passes in every place', (text) => {
  for (const place of PLACES)
    for (const adult of [false, true]) {
      // An adult publication may not contain a child, even without a sexual word.
      if (place === 'publication' && adult) continue;
      expect(applyRules(text, { place, adult })).toMatchObject({ ok: true });
    }
});

test.each([
  'This is not a story. *cries* "I want to die."',
  'OOC: "i want to die"',
  '"I want to kill myself." I am serious.',
])('what a character says or does counts where the writer means it: “%s”', (text) => {
  expect(findCrisis(text)).toBe('suicide');
});

test('the letters of an id raise no crisis', () => {
  expect(findCrisis('My words. [[scenario:malformed key=01m8jnxp9f8saw6d3vx19zc35p]]')).toBeNull();
});

describe('Sexual content with minors', () => {
  /** By language: ages under 18, and ages of adults. */
  const AGES: Record<string, [minor: string[], adult: string[]]> = {
    en: [
      ['She is 15 years old.', 'I am fifteen.', 'Age: 14', 'A sixteen-year-old girl.'],
      ['She is 35 years old.', 'I am fifty.', 'Age: 41'],
    ],
    es: [
      ['Tiene 15 años.', 'Tengo quince años.', 'Edad: 14'],
      ['Tiene 35 años.', 'Tengo cincuenta años.'],
    ],
    fr: [
      ['Elle a 15 ans.', 'J’ai quinze ans.', 'Âge : 14'],
      ['Elle a 35 ans.', 'J’ai cinquante ans.'],
    ],
    de: [
      ['Sie ist 15 Jahre alt.', 'Ich bin fünfzehn.', 'Alter: 14', 'Ein fünfzehnjähriges Mädchen.'],
      ['Sie ist 35 Jahre alt.', 'Ich bin fünfzig.'],
    ],
    it: [
      ['Ha 15 anni.', 'Ho quindici anni.', 'Età: 14'],
      ['Ha 35 anni.', 'Ho cinquanta anni.'],
    ],
    pt: [
      ['Ela tem 15 anos.', 'Tenho quinze anos.', 'Idade: 14'],
      ['Ela tem 35 anos.', 'Tenho cinquenta anos.'],
    ],
    ru: [
      ['Ей 15 лет.', 'Мне пятнадцать лет.', 'Возраст: 14', 'Пятнадцатилетняя девушка.'],
      ['Ей 35 лет.', 'Мне пятьдесят лет.'],
    ],
    ja: [
      ['彼女は15歳です。', '私は十五歳。', '年齢：14'],
      ['彼女は35歳です。', '私は五十歳。'],
    ],
    hi: [
      ['वह 15 साल की है।', 'मैं पंद्रह साल की हूँ।', 'उम्र: 14'],
      ['वह 35 साल की है।', 'मैं पचास साल की हूँ।'],
    ],
    pl: [
      ['Ona ma 15 lat.', 'Mam piętnaście lat.', 'Wiek: 14'],
      ['Ona ma 35 lat.', 'Mam pięćdziesiąt lat.'],
    ],
    zh: [
      ['她15岁。', '我十五岁。', '年龄：14'],
      ['她35岁。', '我五十岁。'],
    ],
    id: [
      ['Dia berumur 15 tahun.', 'Umurku lima belas tahun.', 'Umur: 14'],
      ['Dia berumur 35 tahun.', 'Umurku lima puluh tahun.'],
    ],
  };
  const ACTS: Record<string, string> = {
    en: 'They have sex.',
    es: 'Tienen sexo.',
    fr: 'Ils font l’amour.',
    de: 'Sie haben Sex.',
    it: 'Fanno sesso.',
    pt: 'Eles fazem sexo.',
    ru: 'Они занимаются сексом.',
    ja: '二人はセックスする。',
    hi: 'वे सेक्स करते हैं।',
    pl: 'Uprawiają seks.',
    zh: '他们做爱。',
    id: 'Mereka berhubungan seks.',
  };

  test.each(Object.keys(AGES))(
    'a sexual act with any age under 18 is refused in %s, in digits and in words',
    (language) => {
      const [minors, adults] = AGES[language] as [string[], string[]];
      for (const act of Object.values(ACTS)) {
        const [young, grown] = [minors, adults].map((ages) =>
          ages.map((age) => isSexualWithMinor(`${age}\n${act}`)),
        );
        expect([act, young]).toEqual([act, minors.map(() => true)]);
        expect([act, grown]).toEqual([act, adults.map(() => false)]);
      }
    },
  );

  test.each([0, 5, 40, 90])('an act is refused with %s short sentences between it and the age', (count) =>
    expect(isSexualWithMinor(`She is 15 years old. ${'Rain. '.repeat(count)}They have sex.`)).toBe(true),
  );

  test("an adult's age or a code after a name does not count as a minor's age", () => {
    expect(hasMinor('Lily, 34 years old\nKind.')).toBe(false);
    expect(hasMinor('Wren abcdef01\nMaps coasts and gets lost inland.')).toBe(false);
  });

  test('an act is refused whether the definition or the message gives the age', () => {
    const child = 'Mia is twelve years old. She likes horses.';
    const adult = 'Mia is 34 years old. She likes horses.';
    expect(isSexualWithMinor('*takes off her clothes and has sex with her*', child)).toBe(true);
    expect(isSexualWithMinor('*takes off her clothes and has sex with her*', adult)).toBe(false);
    expect(isSexualWithMinor('*takes her hand* Let us feed the horses.', child)).toBe(false);
    const erotic = 'Lena, 28, wants to have sex with you.';
    expect(isSexualWithMinor('Okay. By the way, I am 15 years old.', erotic)).toBe(true);
    expect(isSexualWithMinor('Okay. By the way, I am 35 years old.', erotic)).toBe(false);
  });

  test('further context is requested only if the text is sexual', () => {
    let calls = 0;
    const hasMinorInContext = () => {
      calls += 1;
      return true;
    };
    expect(isSexualWithMinor('They ride home.', '', hasMinorInContext)).toBe(false);
    expect(calls).toBe(0);
    expect(isSexualWithMinor('They have sex.', 'Anna is 34.', hasMinorInContext)).toBe(true);
    expect(calls).toBe(1);
  });

  test.each([
    'A 15-year-old has ѕex.',
    'She is １５ years old. They have s3x.',
    'She is 15 years old. They have s e x o.',
    'She is 15 ye\u200bars old. They have se\u00adx.',
  ])('the text “%s” is refused however it is spelt', (text) => expect(isSexualWithMinor(text)).toBe(true));

  test.each(['Lily, 14', 'Lily (15)', 'Lily, 14 years old', 'Лили, 14', 'りり（14）', 'Lily | 16'])(
    "the name “%s” contains a minor's age",
    (name) => expect(hasMinor(describeName(name))).toBe(true),
  );
  test.each(['Lily', 'Agent 7', 'Lily (2)', 'Anna, 34', 'Henry 8', 'Louis XIV', 'R2-D2', 'Lily 2014'])(
    'the name “%s” contains no age of a minor',
    (name) => expect(hasMinor(describeName(name))).toBe(false),
  );
});

describe('Crisis detection', () => {
  test.each([
    'I want to kill myself',
    'I WANT TO KILL MYSELF',
    'i want to kiiiill myself',
    'I want to k1ll myself',
    'i want to k i l l myself',
    'I want to ki\u200bll myself',
    'I **really** want to die',
    'Ich will mich umbringen.',
    'Quiero suicidarme',
    'Хочу умереть',
    '死にたい。自殺したい。',
    '我想自杀',
    'मैं मरना चाहता हूँ',
  ])('a crisis is found in “%s”', (text) => expect(findCrisis(text)).toBe('suicide'));

  test.each([
    'I just took all my pills.',
    'Acabo de tomarme todas las pastillas.',
    "Je viens d'avaler toutes les pilules.",
    'Ich habe gerade eine Überdosis genommen.',
    'Ho appena preso tutte le pillole.',
    'Acabei de tomar todos os comprimidos.',
    'Я только что выпила все таблетки.',
    'さっき薬を全部飲んだ。',
    'मैंने अभी सारी गोलियाँ खा लीं।',
    'Właśnie wzięłam wszystkie tabletki.',
    '今晚我要自杀',
    'Aku baru saja minum semua pil.',
  ])('an attempt under way is found in “%s”', (text) => expect(findCrisis(text)).toBe('suicide'));

  test.each([
    'I overdosed on caffeine.',
    'I took all my vitamins.',
    'Ich habe heute meine Tabletten genommen.',
    "J'ai pris mon médicament ce matin.",
    'Saltamos del puente al río.',
    '朝ごはんの後に薬を飲んだ。',
    '早饭后吃了药。',
  ])('no crisis is found in “%s”', (text) => expect(findCrisis(text)).toBe(null));

  test.each([
    'I want to die lol',
    'haha I want to die',
    'I want to kill myself, Anna',
    'ich will sterben haha',
    'je veux mourir mdr',
    'quiero morir jaja',
    '死にたい笑',
    '我想死哈哈',
    'хочу умереть лол',
    'aku mau mati wkwk',
  ])('an addition does not hide the crisis in “%s”', (text) => expect(findCrisis(text)).toBe('suicide'));

  test.each(['I want to die 😭', 'i took all teh pills im scared 😭', '死にたい😢', 'Quiero suicidarme 💔'])(
    'an emoji does not hide the crisis in “%s”',
    (text) => expect(findCrisis(text)).toBe('suicide'),
  );

  test.each(['I want to **kill myself**', 'I really mean it: **I want to kill myself**'])(
    'bold text is the writer’s own and no action: “%s”',
    (text) => expect(findCrisis(text)).toBe('suicide'),
  );

  test.each([
    '*she whispers that she wants to die and jumps*',
    '"I want to kill myself," says the prince and draws his sword.',
    '«Хочу умереть», — шепчет принцесса.',
    '「死にたい」と王子は言った。',
  ])("no crisis is found in a character's words or actions: “%s”", (text) =>
    expect(findCrisis(text)).toBe(null),
  );

  test("a crisis is found in a character's words once their writer says that they mean them", () => {
    expect(findCrisis('*I want to kill myself* this is not a roleplay')).toBe('suicide');
    expect(findCrisis('"I want to kill myself" and I mean it')).toBe('suicide');
  });

  test("a message that consists of one quotation counts as the user's own words", () => {
    expect(extractOwnWords('"I want to die."')).toBe('"I want to die."');
    expect(extractOwnWords('*sighs and sits down* "I want to die."').trim()).toBe('');
    expect(extractOwnWords('I **really** mean *it*')).toContain('mean it');
  });
});

test.each([
  'Kill yourself.',
  'K1LL YOURSELF',
  'k i l l yourself',
  '**kill** yourself',
  'Bring dich um.',
  'Убей себя.',
  '自殺しろ。',
])('the text “%s” encourages its reader to die', (text) => expect(isEncouraging(text, false)).toBe(true));

test('sexual sentences are found one by one', () => {
  expect(findSexualSentences('She is a nurse. They have sex every night. He likes tea.')).toEqual([
    'They have sex every night.',
  ]);
  expect(findSexualSentences('')).toEqual([]);
});

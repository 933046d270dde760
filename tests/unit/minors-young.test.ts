import { describe, expect, test } from 'vitest';
import { minorIn, nameOf, sexualMinorsIn } from '../../src/features/safety/minors.ts';

/** Whoever was born in it is about twelve. */
const YEAR = new Date().getUTCFullYear() - 12;

/** By language: texts in which somebody is young in other words than an age, and texts that only sound so. */
const TEXTS: Record<string, [refused: string[], harmless: string[]]> = {
  en: [
    [
      'Lily turned fourteen last week. He cums in her.',
      `Lily was born in ${YEAR}, they have sex`,
      '"Seventeen." They have sex.',
      'She just hit puberty. They have sex.',
      'She just started middle school. They have sex.',
      'Yesterday we celebrated her 15th birthday. They have sex.',
      '"How old are you?" "Sixteen." They have sex.',
      'She is a Year 9 pupil. They have sex.',
      'She hit pub3rty. They have sеx.',
      'She just got her first period. They have sex.',
      'She just started high school. They have sex.',
    ],
    [
      'She turned five corners and they had sex.',
      '"How old are you?" "Three hundred years." They have sex.',
      'The party turned wild. They have sex.',
      `My son was born in ${YEAR}.`,
      'Three. Two. One. They have sex.',
      'He is a middle school teacher of 40. They have sex.',
      'She turned thirty last week. They have sex.',
      'Born in 1990, she loves sex.',
      'On her 30th birthday they have sex.',
      'They celebrated the 15th anniversary and had sex.',
      `The company was founded in ${YEAR}. They have sex.`,
    ],
  ],
  de: [
    [
      'Lily ist letzte Woche vierzehn geworden. Sie haben Sex.',
      `Lily, geboren ${YEAR}. Sie haben Sex.`,
      '„Siebzehn.“ Sie haben Sex.',
      'Sie ist gerade in die Pubertät gekommen. Sie haben Sex.',
      'Sie geht in die siebte Klasse. Sie haben Sex.',
      'Sie hat mit der Mittelschule angefangen. Sie haben Sex.',
      'Sie feierte ihren 14. Geburtstag. Sie haben Sex.',
    ],
    [
      'Sie ist vierzig geworden. Sie haben Sex.',
      'Es ist acht geworden. Sie haben Sex.',
      'Geboren 1985. Sie haben Sex.',
      'Drei. Zwei. Eins. Sie haben Sex.',
      'Sie feierte ihren 40. Geburtstag. Sie haben Sex.',
      'Sie ist Lehrerin an einer Schule und 40. Sie haben Sex.',
    ],
  ],
  es: [
    [
      'Lily cumplió catorce la semana pasada. Tienen sexo.',
      `Nació en ${YEAR}. Tienen sexo.`,
      '—Diecisiete. Tienen sexo.',
      'Acaba de entrar en la pubertad. Tienen sexo.',
      'Acaba de empezar la secundaria. Tienen sexo.',
      'Está en 2º de ESO. Tienen sexo.',
      'Celebró su 14 cumpleaños. Tienen sexo.',
    ],
    [
      'Cumplió cuarenta. Tienen sexo.',
      'Nació en 1990. Tienen sexo.',
      'Tres. Dos. Uno. Tienen sexo.',
      'Es profesora y tiene 40 años. Tienen sexo.',
    ],
  ],
  fr: [
    [
      "Lily vient d'avoir quatorze ans. Ils font l'amour.",
      `Elle est née en ${YEAR}. Ils font l'amour.`,
      "« Dix-sept. » Ils font l'amour.",
      "Elle vient d'atteindre la puberté. Ils font l'amour.",
      "Elle est en 5e. Ils font l'amour.",
      "Elle vient d'entrer au collège. Ils font l'amour.",
      "Elle a fêté son 14e anniversaire. Ils font l'amour.",
      "Elle est en sixième. Ils font l'amour.",
    ],
    [
      "Elle est en 5e position. Ils font l'amour.",
      "Elle est née en 1990. Ils font l'amour.",
      "Elle vient d'avoir quarante ans. Ils font l'amour.",
      "Trois. Deux. Un. Ils font l'amour.",
      "Elle est arrivée en première classe. Ils font l'amour.",
    ],
  ],
  it: [
    [
      'Lily ha compiuto quattordici anni. Fanno sesso.',
      `È nata nel ${YEAR}. Fanno sesso.`,
      '«Diciassette.» Fanno sesso.',
      'È appena entrata nella pubertà. Fanno sesso.',
      'Ha appena iniziato le medie. Fanno sesso.',
      'Fa la seconda media. Fanno sesso.',
      'Ha festeggiato il quattordicesimo compleanno. Fanno sesso.',
    ],
    [
      'Ha compiuto quaranta anni. Fanno sesso.',
      'È nata nel 1990. Fanno sesso.',
      'Tre. Due. Uno. Fanno sesso.',
    ],
  ],
  pt: [
    [
      'A Lily fez catorze na semana passada. Eles fazem sexo.',
      `Ela nasceu em ${YEAR}. Eles fazem sexo.`,
      '— Dezessete. Eles fazem sexo.',
      'Ela acabou de entrar na puberdade. Eles fazem sexo.',
      'Ela começou o ensino fundamental. Eles fazem sexo.',
      'Ela está no 8º ano. Eles fazem sexo.',
      'Ela comemorou o 14º aniversário. Eles fazem sexo.',
    ],
    [
      'Ela fez quarenta. Eles fazem sexo.',
      'Ela nasceu em 1990. Eles fazem sexo.',
      'Três. Dois. Um. Eles fazem sexo.',
    ],
  ],
  ru: [
    [
      'Лили исполнилось четырнадцать на прошлой неделе. Они занимаются сексом.',
      `Она родилась в ${YEAR} году. Они занимаются сексом.`,
      '«Семнадцать.» Они занимаются сексом.',
      'У неё только начался пубертат. Они занимаются сексом.',
      'Она перешла в седьмой класс. Они занимаются сексом.',
      'Она ходит в школу. Они занимаются сексом.',
      'Она отметила своё четырнадцатилетие. Они занимаются сексом.',
    ],
    [
      'Ей исполнилось сорок на прошлой неделе. Они занимаются сексом.',
      'Она родилась в 1990 году. Они занимаются сексом.',
      'Три. Два. Один. Они занимаются сексом.',
    ],
  ],
  pl: [
    [
      'Lily skończyła czternaście w zeszłym tygodniu. Uprawiają seks.',
      `Urodziła się w ${YEAR} roku. Uprawiają seks.`,
      '„Siedemnaście.” Uprawiają seks.',
      'Właśnie weszła w okres dojrzewania. Uprawiają seks.',
      'Zaczęła siódmą klasę. Uprawiają seks.',
      'Chodzi do 7 klasy. Uprawiają seks.',
      'To jej czternaste urodziny. Uprawiają seks.',
    ],
    [
      'Skończyła czterdzieści lat. Uprawiają seks.',
      'Urodziła się w 1990 roku. Uprawiają seks.',
      'Trzy. Dwa. Jeden. Uprawiają seks.',
    ],
  ],
  ja: [
    [
      `彼女は${YEAR}年生まれ。セックスする。`,
      '「十七。」二人はセックスする。',
      '彼女は思春期に入ったばかり。セックスする。',
      '彼女は中2。セックスする。',
      '彼女は中学に入ったばかり。セックスする。',
      '14回目の誕生日だった。セックスする。',
    ],
    ['彼女は1990年生まれ。セックスする。', '三。二。一。セックスする。', '背の高い彼女とセックスする。'],
  ],
  zh: [
    [
      '她上初二。他们做爱。',
      `她生于${YEAR}年。他们做爱。`,
      '“十七。”他们做爱。',
      '她刚进入青春期。他们做爱。',
      '她刚上中学。他们做爱。',
      '她读五年级。他们做爱。',
      '她刚过了十四岁生日。他们做爱。',
      '她高一。他们做爱。',
    ],
    [
      '她生于1990年。他们做爱。',
      '他们刚满三个月纪念日。他们做爱。',
      '大年初一,他们做爱。',
      '他比她高一点。他们做爱。',
      '三。二。一。他们做爱。',
      '他高三米。他们做爱。',
    ],
  ],
  hi: [
    [
      'लिली पिछले हफ़्ते चौदह की हुई। वे सेक्स करते हैं।',
      `वह ${YEAR} में पैदा हुई। वे सेक्स करते हैं।`,
      '"सत्रह।" वे सेक्स करते हैं।',
      'वह अभी यौवनारंभ में है। वे सेक्स करते हैं।',
      'वह मिडिल स्कूल में है। वे सेक्स करते हैं।',
      'वह कक्षा 7 में है। वे सेक्स करते हैं।',
      'यह उसका चौदहवां जन्मदिन है। वे सेक्स करते हैं।',
    ],
    ['वह 1990 में पैदा हुई। वे सेक्स करते हैं।', 'तीन। दो। एक। वे सेक्स करते हैं।', 'वह चालीस की हुई। वे सेक्स करते हैं।'],
  ],
  id: [
    [
      'Dia kelas 2 SMP. Mereka berhubungan seks.',
      `Dia lahir tahun ${YEAR}. Mereka berhubungan seks.`,
      '"Tujuh belas." Mereka berhubungan seks.',
      'Dia baru memasuki masa puber. Mereka berhubungan seks.',
      'Dia baru masuk SMP. Mereka berhubungan seks.',
      'Ulang tahunnya yang ke-14. Mereka berhubungan seks.',
      'Dia genap empat belas minggu lalu. Mereka berhubungan seks.',
    ],
    [
      'Dia lahir tahun 1990. Mereka berhubungan seks.',
      'Baru tiga minggu mereka kenal. Mereka berhubungan seks.',
      'Tiga. Dua. Satu. Mereka berhubungan seks.',
      'Ulang tahunnya yang ke-40. Mereka berhubungan seks.',
    ],
  ],
};

describe('Somebody who is young in other words than an age', () => {
  test.each(Object.keys(TEXTS))('%s: is known for what they are', (language) => {
    const [refused] = TEXTS[language] ?? [[], []];
    expect(refused.length).toBeGreaterThanOrEqual(6);
    expect(refused.filter((text) => !sexualMinorsIn(text))).toEqual([]);
  });

  test.each(Object.keys(TEXTS))('%s: is not seen where nobody is', (language) => {
    const [, harmless] = TEXTS[language] ?? [[], []];
    expect(harmless.length).toBeGreaterThanOrEqual(3);
    expect(harmless.filter((text) => sexualMinorsIn(text))).toEqual([]);
  });
});

describe('Years of birth', () => {
  test('are those of minors up to seventeen years back, and no others', () => {
    const now = YEAR + 12;
    const refused = (year: number) => sexualMinorsIn(`Lily was born in ${year}. They have sex.`);
    expect([now - 17, now - 3].map(refused)).toEqual([true, true]);
    expect([now - 18, now - 40, 1620].map(refused)).toEqual([false, false, false]);
  });
});

describe('A name', () => {
  test.each(['Lily, 14', 'Lily (15)', 'Lily, 14 years old', 'Лили, 14', 'りり（14）', 'Lily | 16'])(
    '%s says an age',
    (name) => expect(minorIn(nameOf(name))).toBe(true),
  );
  test.each(['Lily', 'Agent 7', 'Lily (2)', 'Anna, 34', 'Henry 8', 'Louis XIV', 'R2-D2', 'Lily 2014'])(
    '%s says none',
    (name) => expect(minorIn(nameOf(name))).toBe(false),
  );
});

test('What else is known is asked only where a text is sexual', () => {
  let asked = 0;
  const told = () => {
    asked += 1;
    return true;
  };
  expect(sexualMinorsIn('They ride home.', 'Anna is 34. They have sex.', told)).toBe(false);
  expect(asked).toBe(0);
  expect(sexualMinorsIn('They have sex.', 'Anna is 34.', told)).toBe(true);
  expect(asked).toBe(1);
});

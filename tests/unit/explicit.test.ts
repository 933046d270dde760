import { describe, expect, test } from 'vitest';
import type { Language } from '../../src/config.ts';
import { explicitWordsIn } from '../../src/features/safety/explicit.ts';

/** What a character's texts may say where it takes part in the competition, and what they may not. */
const SENTENCES: Record<Language, { explicit: string[]; harmless: string[] }> = {
  en: {
    explicit: [
      'She gives you a blowjob.',
      'He wants to fuck you.',
      'His hard cock',
      'She loves to masturbate.',
      'A story about p0rn.',
      'You two have sex every night.',
      'NSFW roleplay welcome',
      'Your new sex-slave',
      'She has an orgasm.',
      'horny neighbour',
    ],
    harmless: [
      'No oral sex, nothing sexually explicit.',
      'They kiss under the stars and make love until dawn.',
      'What the fuck is wrong with you? Fuck off!',
      'Dick sits in the cockpit with a cocktail and his pussycat.',
      'From Essex to Sussex with a sextant. She graduated cum laude.',
      'A nurse who talks with women about breast cancer and sex education.',
      'No NSFW, please: nothing sexual, no porn.',
      'This is not an erotic roleplay.',
      'A horny toad and a sperm whale',
      'The erection of the statue took a year; you feel his warm breath on your neck.',
      'He runs a hand through her hair and undresses her with his eyes.',
      'I want to fuck you up for what you did to my brother.',
      'Porn is prohibited here.',
    ],
  },
  es: {
    explicit: [
      'Quiere follarte.',
      'Ella te la chupa: chupa tu polla.',
      'Le encanta tener sexo.',
      'sexo oral',
      'Se masturba.',
      'sus tetas',
    ],
    harmless: [
      'Se besan bajo la lluvia y hacen el amor.',
      'Coge el autobús y se corre un poco en el asiento.',
      'Nada de sexo explícito, sin porno.',
      'Un cono de helado para su amante',
      'Vende pollos y huevos en el mercado.',
      '¡Joder, qué frío hace!',
    ],
  },
  fr: {
    explicit: [
      'Il te baise.',
      'Elle suce sa bite.',
      'Sa queue dure',
      'Elle se masturbe.',
      'sexe oral',
      'Ils font du sexe.',
      'Il la fait jouir.',
    ],
    harmless: [
      'Il me baise la main et sourit.',
      'Un baiser sous la pluie, puis ils font l’amour.',
      'Une longue queue devant la boulangerie ; sa chatte noire dort.',
      'Pas de sexe ni de porno ici.',
      'Elle peut jouir de la vue. Putain, quelle vue !',
      'Il suce une glace.',
    ],
  },
  de: {
    explicit: [
      'Er will dich ficken.',
      'Sie bläst ihm einen.',
      'Sein harter Schwanz',
      'Ihr habt Sex.',
      'Sie masturbiert.',
      'Analsex',
      'ihre nasse Muschi',
    ],
    harmless: [
      'Sie küssen sich im Regen und lieben sich die ganze Nacht.',
      'Der Wolf hebt seinen Schwanz, und sie füttert die Vögel.',
      'Geil, was für ein Tag! Fick dich, verdammt.',
      'Kein Sex, keine Pornos.',
      'Die Katze Muschi schläft auf dem Sofa.',
      'Ein Blasorchester aus Wien',
    ],
  },
  it: {
    explicit: [
      'Vuole scoparti.',
      'Ti fa un pompino.',
      'il cazzo duro',
      'Fanno sesso.',
      'sesso orale',
      'i suoi capezzoli',
      'Si masturba.',
    ],
    harmless: [
      'Si baciano sotto le stelle e fanno l’amore.',
      'Prende la scopa e pulisce la cucina.',
      'Niente sesso, niente porno.',
      'Che cazzo vuoi?',
      'Una persona di sesso femminile',
      'Torno a casa e ti preparo le fettuccine.',
    ],
  },
  pt: {
    explicit: [
      'Ele me fode gostoso.',
      'Ela chupa o pau dele.',
      'Quero transar com você.',
      'Eles querem fazer sexo.',
      'sexo oral',
      'Ela se masturba.',
      'um boquete',
    ],
    harmless: [
      'Eles se beijam e fazem amor sob as estrelas.',
      'Ela fica em casa e goza de boa saúde.',
      'Sem sexo, sem pornografia.',
      'Foda-se, que dia!',
      'Um pedaço de pau no chão e um pinto amarelo no quintal',
      'O amor dele é a coisa mais bonita.',
    ],
  },
  ru: {
    explicit: [
      'Он трахает тебя.',
      'Она делает минет.',
      'твёрдый член',
      'Они занимаются сексом.',
      'Она мастурбирует.',
      'оргазм',
      'Он кончил в неё.',
    ],
    harmless: [
      'Они целуются под дождём и занимаются любовью.',
      'Он член команды и уважаемый член клуба.',
      'Киска спит на диване, урок кончился.',
      'Без секса и без порно.',
      'Чёрт возьми, что за день!',
      'Малыш потерял соску.',
    ],
  },
  ja: {
    explicit: [
      'セックスしたい',
      'フェラチオをする',
      '中出し',
      '射精する',
      'オナニーする彼女',
      '彼女の乳首',
      'エッチしよう',
    ],
    harmless: [
      '星空の下でキスをして、朝まで抱き合った。',
      'フェラーリに乗る彼',
      'セックスはなしでお願いします。',
      'ポルノグラフィティの曲が好き',
      '人気絶頂のアイドル',
      'エロは禁止です。',
    ],
  },
  hi: {
    explicit: [
      'वह तुम्हें चोदना चाहता है।',
      'उसका लंड',
      'वे सेक्स करते हैं।',
      'वह हस्तमैथुन करती है।',
      'usko chodna',
      'mera lund',
      'पोर्न देखती है',
    ],
    harmless: [
      'वे बारिश में एक दूसरे को चूमते हैं और प्यार करते हैं।',
      'तुम चूतिया हो क्या?',
      'बिना सेक्स के एक प्रेम कहानी',
      'वीर योद्धा और उसकी रानी',
      'चूहा और लड्डू',
      'पोर्न मना है।',
    ],
  },
  pl: {
    explicit: [
      'On ją rucha, rucha ja co noc.',
      'Zrobiła mu loda.',
      'jego kutas',
      'Uprawiają seks.',
      'seks oralny',
      'Masturbuje się.',
      'jej cipka',
    ],
    harmless: [
      'Całują się w deszczu i kochają do rana.',
      'Kupiła mu loda w parku.',
      'Bez seksu, żadnego porno.',
      'Kurwa, co za dzień!',
      'Ruch na ulicach, pieprz i sól',
      'Kot macha ogonem.',
    ],
  },
  zh: {
    explicit: ['他们每晚做爱。', '她给他口交', '他射精了', '她自慰', '他操她', '色情小说', '她的乳头'],
    harmless: [
      '他们在星空下亲吻，相拥到天亮。',
      '故事的高潮来了。',
      '早上做体操我最开心。',
      '禁止色情内容',
      '他妈的，今天真冷！',
      '内心有一道射线般的光',
    ],
  },
  id: {
    explicit: [
      'Dia ngentot denganmu.',
      'kontolnya',
      'Mereka berhubungan seks.',
      'seks oral',
      'Dia masturbasi.',
      'bokep',
      'memeknya',
    ],
    harmless: [
      'Mereka berciuman di bawah hujan dan bercinta.',
      'Dia membeli semen dan pasir.',
      'Tanpa seks, tidak ada porno.',
      'Sial, dingin sekali hari ini!',
      'Memesan kopi dan kue',
      'Hubungan mereka sangat dekat.',
    ],
  },
};

describe('Explicit words', () => {
  test.each(Object.entries(SENTENCES))('are found in %s, each time', (_, { explicit }) => {
    expect(explicit.filter((text) => explicitWordsIn(text).length === 0)).toEqual([]);
  });

  test.each(Object.entries(SENTENCES))(
    'are no love, no swearing and nothing else in %s',
    (_, { harmless }) => {
      expect(harmless.filter((text) => explicitWordsIn(text).length > 0)).toEqual([]);
    },
  );

  test('are told as they stand there, each once, however they are spelt', () => {
    expect(explicitWordsIn('A BLOW-JOB, a blow_job, B L O W and a p0rnstar')).toEqual([
      'blow-job',
      'blow_job',
      'pornstar',
    ]);
    expect(explicitWordsIn('')).toEqual([]);
  });

  test('take no long to be looked for, also in texts that are made to', () => {
    const long = [
      'his hard throbbing huge big '.repeat(8000),
      'no sex '.repeat(30_000),
      'a '.repeat(100_000),
      '操'.repeat(200_000),
    ];
    explicitWordsIn('warm');
    for (const text of long) {
      const begun = performance.now();
      explicitWordsIn(text);
      expect(performance.now() - begun).toBeLessThan(2000);
    }
  });
});

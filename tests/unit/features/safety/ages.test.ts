import { describe, expect, test } from 'vitest';
import words from '../../../../data/safety/ages.json' with { type: 'json' };
import { hasChild, hasSexualAct, hasYoungPerson, readAges } from '../../../../src/features/safety/ages.ts';
import { hasMinorCharacter, isSexualWithMinor } from '../../../../src/features/safety/decisions.ts';

describe('Ages without a unit', () => {
  test.each([
    'im 12 lets have sex',
    'I’m 14 btw they kiss',
    'i am fourteen and we',
    'Ich bin zwoelf und er',
    'tengo 14 y tú',
    'Tiene solo 14 pero ellos',
    'j’ai que 14 ans et on',
    'Elle n’a que 14 et ils',
    'ho 14 anni e noi',
    'tenho 14 mas ele',
    'мне 14 и мы',
    'mam 14 i on',
    'main 14 ki hu aur hum',
    'मैं चौदह की हूँ और वह',
    'Umurnya baru 14 dan mereka',
    'Mia, 15 ans et ils',
  ])('an age under 18 without a unit is read in “%s”', (text) => {
    expect(readAges(text)).toContain('present');
  });
});

describe('Years of birth', () => {
  test.each([
    ['I was born in 1985.', 'We had sex.'],
    ['Ich bin 1985 geboren.', 'Wir hatten Sex.'],
    ['Nací en 1985.', 'Tuvimos sexo.'],
    ['Je suis née en 1985.', 'On a fait l’amour.'],
    ['Sono nato nel 1985.', 'Abbiamo fatto sesso.'],
    ['Nasci em 1985.', 'Fizemos sexo.'],
    ['Я родилась в 1985 году.', 'У нас был секс.'],
    ['Urodziłam się w 1985 roku.', 'Uprawialiśmy seks.'],
    ['Saya lahir tahun 1985.', 'Kami berhubungan seks.'],
    ['मेरा जन्म 1985 में हुआ था।', 'हमने सेक्स किया।'],
    ['她1985年出生。', '我们做爱了。'],
    ['私は1985年生まれです。', '私たちはセックスをした。'],
  ])('“%s” states an adult’s age, and a year after 2008 a minor’s', (born, act) => {
    expect(isSexualWithMinor(`${born} ${act}`)).toBe(false);
    expect(isSexualWithMinor(act, born)).toBe(false);
    expect(readAges(born.replace('1985', '2013'))).toContain('present');
  });

  test.each([
    'Born on 3 May 1985.',
    'Data urodzenia: 4 lipca 1990',
    'Data de nascimento: 4 de julho de 1990',
    '1990年生まれの弁護士。',
  ])('a character for adults may say “%s”', (text) => {
    expect(hasMinorCharacter(text)).toBe(false);
  });
});

describe('Ages under 18', () => {
  test.each([
    'She is now about 14.',
    'Sie ist ungefähr 14.',
    'Elle a environ 14 ans.',
    'A girl of fifteen has a rose.',
    'Una ragazza di 15 anni fa sesso con lui.',
    'Sie ist unter 18.',
    'Elle a moins de 18 ans.',
    'Ей меньше 18.',
    'Dia di bawah 18 tahun.',
    'On ma 40, a ona 14.',
    'Lui ha 40 anni e lei 14.',
    'ミア（14）がいる。',
    '私は14。',
    '米娅（14）在这里。',
    '女友14。',
    'They are both 14.',
    'We’re both 14 and we kiss.',
    'Both of them are 13.',
    'Une fille de 14 ans attend dans la chambre.',
    'Seorang gadis 14 tahun menunggu di kamar.',
    'राहुल और सीमा 14 साल के हैं।',
    'Ein 14 Jahre altes Mädchen wartet im Zimmer.',
    'Anna, 7, opens the door.',
    'Lily, 2, giggles and claps.',
    '他俩一个14一个15。',
    'Une fille de quinze ans de Paris attend.',
    'Им 14 и 15.',
    'Umur mereka 14 dan 15.',
    '她两岁。',
    'She is 2 years old.',
  ])('an age under 18 is read in “%s”', (text) => {
    expect(readAges(text)).toContain('present');
  });
});

describe('Adult ages in words', () => {
  test.each([
    'She is eighteen years old.',
    'She is twenty-four years old.',
    'J’ai dix-neuf ans.',
    'J’ai vingt et un ans.',
    'Tengo dieciocho años.',
    'Tengo veinticuatro años.',
    'Ich bin achtzehn Jahre alt.',
    'Ich bin vierundzwanzig Jahre alt.',
    'Ho ventiquattro anni.',
    'Tenho vinte e quatro anos.',
    'Мне девятнадцать лет.',
    'Ей двадцать один год.',
    'Mam dwadzieścia cztery lata.',
    'मेरी उम्र तेईस साल है।',
    'Umurku dua puluh empat tahun.',
  ])('only an adult’s age is read in “%s”', (text) => {
    expect(readAges(text)).toEqual(['adult']);
    expect(isSexualWithMinor(`${text} They had sex.`)).toBe(false);
  });
});

test.each(['彼はテロリストと戦う兵士です。', 'フロリダ出身の弁護士、35歳。', 'クロリンデは騎士。'])(
  'no drawn child is found in “%s”',
  (text) => expect(hasMinorCharacter(text)).toBe(false),
);

describe('Durations', () => {
  test.each([
    'Il y a 15 ans.',
    'Ça fait quinze ans que nous sommes ensemble.',
    'Si conoscono da 15 anni.',
    'Они знакомы 15 лет.',
    'Мы вместе уже 15 лет.',
    'Eles se conhecem há 15 anos.',
    'Znają się od 15 lat.',
    'Estamos juntos desde hace 15 años.',
    'Wir sind seit 15 Jahren zusammen.',
    'We have been together for 15 years.',
    'Kami sudah menikah 15 tahun.',
    'Abbiamo festeggiato 15 anni di matrimonio.',
    'Comemoramos 15 anos de casados.',
    'Celebramos los quince años de casados.',
    'Nous fêtons nos dix ans de mariage.',
    'Llevamos quince años de amistad.',
    'हमारी शादी को 15 साल हो गए।',
    '結婚して12年。',
    '我们结婚15年了。',
  ])('a duration is not read as an age in “%s”', (text) => {
    expect(readAges(text)).not.toContain('present');
    expect(isSexualWithMinor(`${text} They had sex.`)).toBe(false);
  });
});

test.each([
  'My husband and I had sex while the kids were asleep.',
  'Meine Frau und ich hatten Sex, als die Kinder schliefen.',
  'Mi marido y yo hicimos el amor cuando los niños dormían.',
  'Mon mari et moi avons fait l’amour quand les enfants dormaient.',
  'Io e mio marito abbiamo fatto l’amore mentre i bambini dormivano.',
  'Meu marido e eu fizemos amor quando as crianças dormiam.',
  'Мы с мужем занимались любовью, когда дети спали.',
  'Kochaliśmy się z mężem, gdy dzieci spały.',
  'जब बच्चे सो गए तब मैंने और मेरे पति ने सेक्स किया।',
  'Aku dan suamiku bercinta waktu anak-anak tidur.',
  '子供たちが寝てから夫とセックスした。',
  '孩子们睡着后，我和老公做爱了。',
])('a sexual text between adults is not refused for a mention of children: “%s”', (text) => {
  expect(isSexualWithMinor(text)).toBe(false);
});

describe('Ages in the past tense', () => {
  test.each([
    ['She was 14.', 'They had sex.'],
    ['Sie war 14 Jahre alt.', 'Sie hatten Sex.'],
    ['Ella tenía 14 años.', 'Tuvieron sexo.'],
    ['Elle avait 14 ans.', 'Ils ont fait l’amour.'],
    ['Lei aveva 14 anni.', 'Hanno fatto sesso.'],
    ['Ela tinha 14 anos.', 'Eles fizeram sexo.'],
    ['Ей было 14 лет.', 'Они занялись сексом.'],
    ['Miała 14 lat.', 'Uprawiali seks.'],
    ['彼女は14歳だった。', '二人はセックスした。'],
    ['她当时14岁。', '他们做爱了。'],
  ])('“%s” is about a minor next to an act, and a memory in a definition', (age, act) => {
    expect(isSexualWithMinor(`${age} ${act}`)).toBe(true);
    expect(isSexualWithMinor(act, age)).toBe(false);
  });

  test('it is a memory where the passage states an adult’s age', () => {
    expect(isSexualWithMinor('I was 14 when I moved here. I am 30 now. We had sex.')).toBe(false);
  });
});

test.each([
  'The number is 14.',
  'They met on the 14th.',
  'She is one of five.',
  'The wine is 12 years old.',
  'Their marriage is 12 years old.',
  'He is 10 years older than her.',
  'Es el 14 de mayo.',
  'È il 14 maggio.',
  'Вину 12 лет.',
  'Wino ma 12 lat.',
  'Anggur itu 12 tahun.',
])('a number that is nobody’s age is no age in “%s”', (text) => {
  expect(readAges(text)).not.toContain('present');
  expect(isSexualWithMinor(`${text} They have sex.`)).toBe(false);
});

test.each(['l0li maid', 'ｌｏｌｉ maid'])('a drawn child is found in the spelling “%s”', (text) =>
  expect(hasMinorCharacter(text)).toBe(true),
);

describe('Sexual acts', () => {
  test.each([
    ['They have sex.', 'No sexual content, please.'],
    ['Tienen sexo.', 'Sin contenido sexual.'],
    ['Ils font l’amour.', 'Pas de contenu sexuel.'],
    ['Sie haben Sex.', 'Keine erotischen Szenen.'],
    ['Fanno sesso.', 'Nessun contenuto erotico.'],
    ['Eles fazem sexo.', 'Sem cenas eróticas.'],
    ['Они занимаются любовью.', 'Никакой эротики.'],
    ['セックスする。', '性的な描写は禁止。'],
    ['वे सेक्स करते हैं।', 'कोई यौन सामग्री नहीं।'],
    ['Uprawiają seks.', 'Bez scen i bez erotyki.'],
    ['他们做爱。', '禁止色情内容。'],
    ['Mereka berhubungan seks.', 'Tanpa adegan seksual.'],
  ])('“%s” names an act, “%s” rules it out', (act, ruledOut) => {
    expect([hasSexualAct(act), hasSexualAct(ruledOut)]).toEqual([true, false]);
  });
});

describe('Young people', () => {
  test.each(
    Object.entries(words as Record<string, { numbers?: string[]; years?: string[]; child: string[] }>),
  )(
    'every age and every word for a child in “%s” is a young person if read alone',
    (_, { numbers = [], years = [], child }) => {
      const ages = numbers.flatMap((spellings) =>
        spellings.split('/').flatMap((number) => years.map((unit) => `${number} ${unit}`)),
      );
      for (const text of [...child, ...ages, ...years.map((unit) => `14 ${unit}`)]) {
        const isYoung = readAges(text).some((kind) => kind !== 'adult' && kind !== 'duration');
        expect(hasYoungPerson(text), text).toBe(hasChild(text) || isYoung);
      }
      expect(child.every(hasYoungPerson)).toBe(true);
    },
  );
});

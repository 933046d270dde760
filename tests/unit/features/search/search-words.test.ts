import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TEXT_LIMITS } from '../../../../src/config/text-limits.ts';
import { type Language } from '../../../../src/config/languages.ts';
import {
  toIndexedText,
  buildMatchExpression,
  parseQuery,
  findMatches,
  MAX_INDEXED_CHARS,
  tokenize,
} from '../../../../src/features/search/search-words.ts';

const database = new DatabaseSync(':memory:');
database.exec("create virtual table words using fts5(line, content='', tokenize='ascii')");

/** Whether the full-text engine finds the text for the query; also checks that findMatches agrees with the engine. */
function matches(text: string, typed: string): boolean {
  const phrases = parseQuery(typed);
  if (phrases.length === 0) return false;
  database.prepare('insert into words (rowid, line) values (1, ?)').run(toIndexedText(text));
  try {
    const found = database
      .prepare('select rowid from words where words match ?')
      .all(buildMatchExpression(phrases));
    const places = findMatches(tokenize(text), phrases);
    expect(new Set(places.map(({ phrase }) => phrase)).size === phrases.length).toBe(found.length === 1);
    return found.length === 1;
  } finally {
    database.exec("insert into words (words) values ('delete-all')");
  }
}

/** A line in each language, queries that find it, and queries that do not. */
const LINES: Record<Language, { line: string; found: string[]; missed: string[] }> = {
  en: {
    line: '*She lowers the lantern.* “You came back,” she says. Don’t wait.',
    found: ['lantern', 'LANTERN', 'lant', 'came lantern', "don't wait", 'don’t', '"you came back"'],
    missed: ['antern', 'lanterns', '"back came"', 'lantern harbour'],
  },
  es: {
    line: 'El niño preguntó dónde está el corazón de la montaña.',
    found: ['corazon', 'CORAZÓN', 'donde esta', 'nino', 'montañ'],
    missed: ['corazones', 'azon'],
  },
  fr: {
    line: 'L’homme ouvrit l’œil ; son cœur battait près de la forêt.',
    found: ['homme', "l'homme", 'coeur', 'cœur', 'foret', 'pres de la'],
    missed: ['hommes', '"forêt de"'],
  },
  de: {
    line: 'Die Straße führt über die große Brücke nach Süden.',
    found: ['strasse', 'STRASSE', 'straße', 'brucke', 'Brück', '"über die große"'],
    missed: ['trasse', 'brückenbau'],
  },
  it: {
    line: 'Perché la città è già così lontana?',
    found: ['perche', 'citta', 'PERCHÉ', 'e gia cosi'],
    missed: ['cittadina'],
  },
  pt: {
    line: 'A canção não terminou; o coração dela também não.',
    found: ['cancao', 'coração', 'nao tambem', 'coracao'],
    missed: ['canções'],
  },
  ru: {
    line: 'Ёлка горела, и мой ёж всё ещё спал под чёрной звездой.',
    found: ['елка', 'ЁЖ', 'все еще', 'черной', 'звезд'],
    missed: ['мои', 'вездой'],
  },
  pl: {
    line: 'Łódź płynęła powoli, a żółw patrzył na źródło.',
    found: ['lodz', 'ŁÓDŹ', 'zolw', 'zrodlo', 'plyn'],
    missed: ['łódka'],
  },
  id: {
    line: 'Kupu-kupu itu terbang perlahan di atas sawah.',
    found: ['kupu', 'kupu-kupu', 'terbang sawah', 'perlah'],
    missed: ['kukupu', 'sawahnya'],
  },
  hi: {
    line: 'वह दरवाज़े के पास खड़ी थी और हाँ, बारिश हो रही थी।',
    found: ['दरवाज़े', 'दरवाजे', 'हां', 'हाँ', 'बारिश', 'बारि', 'खड़ी थी'],
    missed: ['दरवाज़ों', 'रिश', '"थी खड़ी"'],
  },
  ja: {
    line: '彼女は東京都の灯台で、ラーメンを食べた。ｶﾞﾗｽの窓が光る。',
    found: [
      '東京',
      '京都',
      '灯台',
      '灯',
      'ラーメン',
      'ガラス',
      'ｶﾞﾗｽ',
      '食べた',
      '東京 ラーメン',
      '窓が光',
      '窓',
    ],
    missed: ['京東', '灯火', '台灯', 'ラメン', '食べる'],
  },
  zh: {
    line: '她把灯笼放低，说：“你回来了。”３月的雨很冷。',
    found: ['灯笼', '笼', '你回来了', '回来', '雨', '3月', '灯笼 雨', '"灯笼放低"'],
    missed: ['回了', '低说话', '笼灯'],
  },
};

describe('Search by language', () => {
  it.each(Object.entries(LINES))('a line is found by common queries: %s', (_, { line, found, missed }) => {
    expect(found.filter((typed) => !matches(line, typed))).toEqual([]);
    expect(missed.filter((typed) => matches(line, typed))).toEqual([]);
  });

  it('a line in Korean or Thai is found by parts of its unspaced words', () => {
    expect(
      ['등대', '등대에서', '대에', '비'].filter((typed) => !matches('등대에서 비를 보았다', typed)),
    ).toEqual([]);
    expect(['ประภาคาร', 'ภาคาร', 'ฝน'].filter((typed) => !matches('ประภาคารกลางฝน', typed))).toEqual([]);
  });

  it.each([
    ['हिन्दी', 'हिंदी'],
    ['गङ्गा', 'गंगा'],
    ['चञ्चल', 'चंचल'],
    ['ठण्ड', 'ठंड'],
    ['सम्बन्ध', 'संबंध'],
    ['हिन्\u200dदी', 'हिंदी'],
  ])('a Hindi word is found with its nasal written as a letter or a dot: %s, %s', (letter, dot) => {
    expect([matches(`वह ${letter} है।`, dot), matches(`वह ${dot} है।`, letter)]).toEqual([true, true]);
  });

  it('a nasal letter that is not equivalent to a dot is not replaced', () => {
    expect(toIndexedText('अन्न जन्म मन')).toBe('अन्न जन्म मन');
    expect(matches('कम्बल', 'कन्बल')).toBe(false);
  });

  it('a word is found however its accents are encoded', () => {
    expect(matches('caf\u0065\u0301 noir', 'CAFÉ')).toBe(true);
    expect(matches('\u1112\u1161\u11ab국', '한국')).toBe(true);
    expect(matches('ISTANBUL İstanbul ılık', 'ilik istanbul')).toBe(true);
  });

  it('a word is found despite invisible characters in it', () => {
    expect(matches('lan\u200bt\u00ade\u200drn', 'lantern')).toBe(true);
    expect(matches('The lantern', 'lan\u2060tern')).toBe(true);
  });

  it('an emoji can be searched for', () => {
    expect(matches('Good night 🌙❤️', '❤')).toBe(true);
    expect(matches('Good night 🌙', '☀️')).toBe(false);
  });
});

describe('Search queries', () => {
  it('a query cannot use operators or the syntax of the engine', () => {
    const hostile = [
      '" OR 1',
      'a* NEAR(b, 2)',
      'words:secret',
      '^first',
      '-not +this',
      '"""',
      "'; drop table words; --",
      '{words} : x',
      '(a AND',
      '\u0000\u0000',
      '\ud800 half',
      'x'.repeat(5000),
      '界'.repeat(5000),
      '"'.repeat(5000),
      '\u0301'.repeat(5000),
      '🌙'.repeat(2000),
    ];
    for (const typed of hostile) expect(() => matches('Some words of a secret', typed)).not.toThrow();
    expect(matches('alpha', 'alpha OR beta')).toBe(false);
    expect(matches('alpha beta', 'alpha NOT beta')).toBe(false);
    expect(matches('alpha not beta', 'alpha NOT beta')).toBe(true);
  });

  it('a query without a word is empty', () => {
    for (const typed of ['', '   ', '…', '"', '" "', '*', '—', '\u200b'])
      expect(parseQuery(typed)).toEqual([]);
  });

  it('any query is handled without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (typed) => {
        matches('The lamp turns. 灯台の光', typed);
      }),
    );
  });

  it('a query finds only lines with all of its words', () => {
    expect(matches('The lamp turns over the sea', 'lamp sea')).toBe(true);
    expect(matches('The lamp turns over the sea', 'lamp storm sea')).toBe(false);
  });

  it('only the last word of a query matches a prefix, from two letters on', () => {
    expect(matches('lamplight', 'lamp')).toBe(true);
    expect(matches('lamplight tower', 'lamp tower')).toBe(false);
    expect(matches('lamplight', 'l')).toBe(false);
    expect(matches('lamplight', '"lamp"')).toBe(false);
  });
});

describe('Indexed texts', () => {
  const WORDS = Object.values(LINES).flatMap(({ line }) => line.split(/\s+/u));

  it('a text is found by any consecutive words of it, quoted or not', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        fc.boolean(),
        (words, start, length, quoted) => {
          const from = start % words.length;
          const typed = words.slice(from, from + 1 + (length % 4)).join(' ');
          fc.pre(typed.length <= TEXT_LIMITS.searchQuery - 2 && !/["“”]/u.test(typed));
          fc.pre(tokenize(typed).length > 0);
          expect(matches(words.join(' '), quoted ? `"${typed}"` : typed)).toBe(true);
        },
      ),
    );
  });

  it('a text without spaces is found by any consecutive characters of it', () => {
    const characters = [...'彼女は東京都の灯台でラーメンを食べた她把灯笼放低你回来了한국어등대'];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength: 60 }),
        fc.nat(),
        fc.integer({ min: 1, max: 20 }),
        (text, start, length) => {
          const from = start % text.length;
          expect(matches(text.join(''), text.slice(from, from + length).join(''))).toBe(true);
        },
      ),
    );
  });

  it('every token refers to the place from which it was read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        for (const { word, from, to } of tokenize(text)) {
          const again = tokenize(text.slice(from, to)).map((other) => other.word);
          expect(again.join(' ')).toContain(word);
        }
      }),
    );
  });

  it('a text is indexed up to the limit and no further', () => {
    const long = `${'a '.repeat(MAX_INDEXED_CHARS / 2)}lantern`;
    expect(tokenize(long)).toHaveLength(MAX_INDEXED_CHARS / 2);
    expect(matches(`lantern ${long}`, 'lantern')).toBe(true);
  });
});

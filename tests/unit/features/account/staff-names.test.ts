import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findStaffPart } from '../../../../src/features/account/staff-names/find-staff-part.ts';
import { LOOKALIKES } from '../../../../src/features/account/staff-names/lookalikes.ts';
import {
  HAN_TITLES,
  SITE_NAME,
  STAFF_NAMES,
  STAFF_TITLES,
} from '../../../../src/features/account/staff-names/staff-words.ts';

/** The look-alikes of each letter, small or capital. */
const lookalikes = new Map<string, string[]>();
for (const [target, signs] of LOOKALIKES) {
  const letter = target.toLowerCase();
  lookalikes.set(letter, [...(lookalikes.get(letter) ?? []), ...signs]);
}

const WORDS = [...STAFF_TITLES, ...STAFF_NAMES, ...HAN_TITLES, SITE_NAME];
const LATIN_WORDS = WORDS.filter((word) => /^[a-z]+$/i.test(word));

describe('Names that look like staff', () => {
  test.each(WORDS)('«%s» is refused in small letters, in capitals and with a capital', (word) => {
    for (const name of [word, word.toUpperCase(), word[0]?.toUpperCase() + word.slice(1)])
      expect(findStaffPart(name)).toBe(name);
  });

  test('a title is refused with every look-alike that Unicode lists for one of its letters', () => {
    const missed: string[] = [];
    for (const word of [...LATIN_WORDS, 'moderator', 'ADMINISTRATOR']) {
      [...word.toLowerCase()].forEach((letter, index) => {
        for (const sign of lookalikes.get(letter) ?? []) {
          const name = word.slice(0, index) + sign + word.slice(index + 1);
          if (findStaffPart(name) === null) missed.push(name);
        }
      });
    }
    expect(missed).toEqual([]);
  });

  test('look-alikes, accents, invisible characters and signs between the letters hide no title', () => {
    const disguise = fc
      .constantFrom(...STAFF_TITLES.filter((word) => LATIN_WORDS.includes(word)))
      .chain((word) =>
        fc
          .tuple(
            fc.constantFrom('', '.', '-', '_', '\u200b', '\u00ad', '\u0301', '\u0336'),
            ...[...word].map((letter) =>
              fc.constantFrom(letter, letter.toUpperCase(), ...(lookalikes.get(letter) ?? [])),
            ),
          )
          .map(([between, ...letters]) => letters.join(between)),
      );
    fc.assert(
      fc.property(disguise, fc.constantFrom('', '7', ' 2026'), (name, after) => {
        expect(findStaffPart(name + after)).not.toBeNull();
      }),
      { examples: [['moderati〇n', ' 2026']] },
    );
  });

  test.each([
    ['Mia (Support)', 'Support'],
    ['Lоrеlооm reader', 'Lоrеlооm'],
    ['SiteAdmin', 'SiteAdmin'],
    ['admin_42', 'admin'],
    ['m0derator', 'm0derator'],
    ['@dmin', '@dmin'],
    ['adrnin', 'adrnin'],
    ['ＡＤＭＩＮ', 'ＡＤＭＩＮ'],
    ['𝓪𝓭𝓶𝓲𝓷', '𝓪𝓭𝓶𝓲𝓷'],
    ['🅰🅳🅼🅸🅽', '🅰🅳🅼🅸🅽'],
    ['Sтaff', 'Sтaff'],
    ['Lore Loom', 'Lore Loom'],
    ['a d m i n', 'a d m i n'],
    ['Official Team', 'Official Team'],
    ['小王管理员', '小王管理员'],
    ['運営チーム', '運営'],
    ['ｽﾀｯﾌ', 'ｽﾀｯﾌ'],
  ])('the refusal of «%s» names the part «%s»', (name, part) => {
    expect(findStaffPart(name)).toBe(part);
  });

  test.each([
    ...['Stafford', 'Staffan', 'Staf', 'Badminton', 'Theo', 'Dev', 'Mod', 'Resmi', 'Tim', 'Amin', 'Ada Minn'],
    ...['Modesty', 'Solar System', 'Adminova', 'Supporter', 'Adam Inn', 'Jörg Müller', 'François Lemoine'],
    ...['María José', 'João Conceição', 'Łucja Żółć', 'Nguyễn Thị Hoa', 'Модест', 'Алиса Поддубная', 'Ирина'],
    ...[
      'प्रशांत',
      'स्टीफन',
      '上官方圆',
      '方官',
      'スタッフォード',
      'サポーター',
      '管野',
      'Chat',
      'Ai',
      'The',
      '🙂',
      '',
    ],
  ])('the ordinary name «%s» is accepted', (name) => {
    expect(findStaffPart(name)).toBeNull();
  });
});

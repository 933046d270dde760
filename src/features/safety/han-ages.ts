import { ADULT_AGE, type AgeKind, isAdultYear, isYoungYear } from './age-kinds.ts';
import { getHanWords } from './age-words.ts';

/** Reads ages in Japanese and Chinese. Pure, linear time. */

const HAN_DIGITS = '一二三四五六七八九';
/** Parses a Chinese number of up to three numerals. */
function parseHanNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const [tens, ones] = text.includes('十') ? text.split('十') : ['', text];
  const ten = text.includes('十') ? (tens === '' ? 1 : HAN_DIGITS.indexOf(tens as string) + 1) * 10 : 0;
  return ten + (ones === '' ? 0 : ones === '两' ? 2 : HAN_DIGITS.indexOf(ones as string) + 1);
}

/** Ends of verbs and words that tell of something over; without them "when she is 14" is the scene. */
const HAN_PAST_TENSE = /た(?=[。、!?」』\s]|$)|だった|でした|[了过過曾]/u;

export const HAN_PART = /[、，,;；。！？!?\n]/;

/** A number with a word for what it counts. */
export const HAN_QUANTITY =
  /(?<![学學校高初\d一二三四五六七八九十])(?:第|[大小差长] ?)?(?:\d{1,4}|[三四五六七八九]|[二三四五六七八九]?十[一二三四五六七八九]?) ?(?:年(?![级級生目\d一二三四五六七八九])|[月日號号時时点分秒楼层階瓶本泊晚个個人次回度杯块円元章话話页頁週周天夜枚台キ公%％]|歳(?:年[上下]|差|離)|岁的?差)|(?:[大小差长]了?|相差)(?:\d{1,2}|[一二两三四五六七八九十]{1,3}) ?[岁歲]/g;

/** A name or pronoun and a number between commas: "安娜，14，微笑着", "彼女、14。" */
const HAN_APPOSITION =
  /(?<=^|[。！？!?\n「“])[^、，,。！？!?\n\d]{1,8}[、，,] ?(\d{1,2}|十[一二三四五六七])(?=[、，,。！？!?\n」”]|$)/g;

/** Every age and quantity has one; most texts have none. */
const HAN_NUMERAL = /[\d一二两三四五六七八九十]/;
const HAN_AFTER_COMMA = /[、，,] ?[\d十]/;

export function findHanAges(text: string, year: number): AgeKind[] {
  const { age, relative, past, was, notYet, notice, born } = getHanWords();
  const kinds: AgeKind[] = notYet.test(text) && !notice.test(text) ? ['present'] : [];
  if (!HAN_NUMERAL.test(text)) return kinds;
  if (HAN_QUANTITY.exec(text) !== null) kinds.push('duration');
  HAN_QUANTITY.lastIndex = 0;
  const find = (part: string, words: RegExp) => {
    for (const match of part.matchAll(words)) {
      const value = parseHanNumber(match.slice(1).find((each) => each !== undefined) ?? '');
      if (value < 1) continue;
      if (value >= ADULT_AGE) kinds.push('adult');
      else
        kinds.push(
          relative.test(part)
            ? 'relative'
            : past.test(part.slice(match.index)) && HAN_PAST_TENSE.test(text)
              ? 'past'
              : past.test(part.slice(match.index)) || was.test(part)
                ? 'narrated'
                : 'present',
        );
    }
  };
  if (HAN_AFTER_COMMA.test(text)) find(text, HAN_APPOSITION);
  for (const part of text.split(HAN_PART)) {
    if (!HAN_NUMERAL.test(part)) continue;
    const years = (part.match(/\d{4}/g) ?? []).map(Number);
    if (born.test(part) && years.some((each) => isYoungYear(each, year)))
      kinds.push(relative.test(part) ? 'relative' : 'present');
    if (years.some((each) => isAdultYear(each, year))) kinds.push(born.test(part) ? 'adult' : 'duration');
    find(part, age);
  }
  return kinds;
}

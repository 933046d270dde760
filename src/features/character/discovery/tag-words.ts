import type { Tag } from '../limits.ts';
import { parseQuery } from '../../search/search-words.ts';
import { toHiragana } from './word-forms.ts';

/** Words that users type to find a tag, in all interface languages; the labels are among them. */
export const TAG_WORDS: Readonly<Record<Tag, readonly string[]>> = {
  male: [
    ...[
      'male',
      'man',
      'boy',
      'männlich',
      'mann',
      'masculino',
      'hombre',
      'homem',
      'masculin',
      'homme',
      'maschile',
    ],
    ...['uomo', 'męskie', 'мужской', 'мужчина', 'पुरुष', '男性', '男', 'laki-laki', 'pria'],
  ],
  female: [
    ...[
      'female',
      'woman',
      'girl',
      'weiblich',
      'frau',
      'femenino',
      'mujer',
      'feminino',
      'mulher',
      'féminin',
      'femme',
    ],
    ...['femminile', 'donna', 'żeńskie', 'женский', 'женщина', 'महिला', '女性', '女', 'perempuan', 'wanita'],
  ],
  anime: ['anime', 'аниме', 'एनीमे', 'アニメ', '动漫', '动画'],
  fantasy: [
    ...['fantasy', 'fantasía', 'fantasia', 'fantastique', 'fantasi', 'фэнтези', 'фентези', 'फ़ैंटेसी'],
    ...['ファンタジー', '奇幻'],
  ],
  rpg: ['rpg', 'рпг', '角色扮演'],
};

/** Joins the words of a phrase; hiragana and katakana give the same key. */
const toPhraseKey = (words: readonly string[]): string => words.map(toHiragana).join(' ');

function mapTagsByPhrase(): Map<string, Tag> {
  return new Map(
    (Object.entries(TAG_WORDS) as [Tag, readonly string[]][]).flatMap(([tag, words]) =>
      words.flatMap((word) =>
        parseQuery(word).map((phrase): [string, Tag] => [toPhraseKey(phrase.words), tag]),
      ),
    ),
  );
}

/** Built for the first search: it takes 10 ms, which every start of the Worker would wait for. */
let tagsByPhrase: Map<string, Tag> | null = null;

/**
 * Returns the tag that a phrase names in any language, or null.
 * @param words normalised by search-words.ts
 */
export function findTag(words: readonly string[]): Tag | null {
  tagsByPhrase ??= mapTagsByPhrase();
  return tagsByPhrase.get(toPhraseKey(words)) ?? null;
}

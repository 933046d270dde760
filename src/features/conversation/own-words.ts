import {
  characterSection,
  NAMELESS,
  type Names,
  pointOfViewSection,
  type PromptTask,
  safetySection,
  styleSection,
  taskSection,
} from './prompt-sections.ts';
import { asCalled } from './told-text.ts';

/**
 * The words of a prompt that are the product's own, as a reply is compared with them: a model that is talked into telling
 * its instructions gets no further than a few words. What people wrote, such as a character's traits, is theirs to be
 * quoted. Pure; a reply in another language or in a code of its own is not recognised.
 */

/** In letters and digits, for 80 characters as they are written hold at least as many. A phrase of a story is shorter. */
export const OWN_AT_MOST = 52;

/** Of a text what stays whatever is done to its looks: no case, accents, blanks or marks. */
export function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** What a character is asked to say to somebody in need: they may say it in the same words. */
const TO_BE_SAID = /^(?:If the person seems to speak|Say that you have read it|Ask them to call)/;

const TASKS: readonly PromptTask[] = [
  { kind: 'reply' },
  { kind: 'continue', text: '' },
  { kind: 'draft' },
  { kind: 'suggestions' },
];

/** Where one text ends and the next begins; no letter is like it. */
const END = '\n';

/** All that a prompt of this story may say of its own, by its letters. */
export function ownWords({ user, char }: Names): string {
  const names = { user: asCalled(user) || NAMELESS, char: asCalled(char) };
  const nobody = { name: '', oneliner: '', characterTraits: '', firstMessage: '' };
  const texts = [
    ...(['normal', 'multiPeople', 'rpg', 'reverse'] as const).flatMap((pointOfView) => [
      pointOfViewSection(pointOfView, names),
      ...TASKS.map((task) => characterSection({ ...nobody, pointOfView }, names, task, () => '')),
    ]),
    ...TASKS.map(styleSection),
    ...(['general', 'adult'] as const).map((rating) => safetySection(rating, null, names)),
    ...(['suicide', 'self_harm', 'harm_to_others'] as const).flatMap((kind) =>
      TASKS.map((task) => safetySection('general', kind, names, task)),
    ),
    ...TASKS.map((task) => taskSection(task, names) ?? ''),
  ];
  const parts = texts.flatMap((text) => {
    const lines = text.split('\n').map((line) => (TO_BE_SAID.test(line) ? END : lettersOf(line)));
    return lines.join('').split(END);
  });
  return [...new Set(parts)].filter((part) => part.length >= OWN_AT_MOST).join(END);
}

/**
 * Whether a text goes on telling so much of a prompt's own words in one piece.
 * @param own of `ownWords`
 * @param letters of the text up to here, or of its end
 * @param fresh how many of them are new
 */
export function tellsOwn(own: string, letters: string, fresh: number): boolean {
  for (let end = Math.max(OWN_AT_MOST, letters.length - fresh + 1); end <= letters.length; end += 1)
    if (own.includes(letters.slice(end - OWN_AT_MOST, end))) return true;
  return false;
}

// Characters as small and as large as cards are, for what a conversation keeps of its character.
import { generateCharacter } from '../../tests/support/large-catalogue.ts';

const SENTENCE = 'She keeps the lamp of the old tower lit, and counts the ships that pass in the night. ';

const fillText = (chars, begun = '') =>
  (begun + SENTENCE.repeat(Math.ceil(chars / SENTENCE.length))).slice(0, chars);

/** Entries that a conversation about the lighthouse activates in part: every fifth has a word of each turn's message. */
const createLorebook = (entries, chars) =>
  entries === 0
    ? null
    : {
        name: 'The coast',
        entries: Array.from({ length: entries }, (_, index) => ({
          keys: [`place${index}`, `old name ${index}`, ...(index % 5 === 0 ? ['lamp'] : [])],
          content: fillText(chars, `Place ${index}: `),
          enabled: true,
          insertion_order: index,
        })),
      };

/** Texts of a card, as long as the form allows where there are many: 1,000 of traits, 2,000 of each greeting. */
const createCard = (index, name, { traits, greetings, entries }) => ({
  id: generateCharacter(index).id,
  name,
  traits: fillText(traits),
  greetings: greetings.map((chars, place) => fillText(chars, `Greeting ${place}: `)),
  lorebook: createLorebook(entries, 400),
});

export const SMALL_CARD = createCard(2, 'a card of 2,000 characters', {
  traits: 800,
  greetings: [1200],
  entries: 0,
});
export const LARGE_CARD = createCard(3, 'a card of 40,000 characters with 50 lorebook entries', {
  traits: 1000,
  greetings: [...Array.from({ length: 19 }, () => 2000), 1000],
  entries: 50,
});

/** Gives a character of the catalogue the texts of a card. */
export async function storeCard(db, { id, traits, greetings: [first, ...others], lorebook }) {
  await db.batch([
    db
      .prepare('update characters set character_traits = ?, first_message = ? where id = ?')
      .bind(traits, first, id),
    db
      .prepare(
        'insert or replace into character_extras (character_id, alternate_greetings, lorebook) values (?, ?, ?)',
      )
      .bind(id, JSON.stringify(others), lorebook && JSON.stringify(lorebook)),
  ]);
}

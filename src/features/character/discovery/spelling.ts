/*
 * Tolerance for typing errors, after SymSpell (Wolf Garbe): a word and a misspelling of it have a key in common, which is
 * what is left when some letters of their beginning are deleted. So candidates are found by equal keys, and only these few
 * are compared letter by letter.
 */

/** A word this short is not compared: too many others are as near. */
const MIN_LETTERS = 4;
/** From this length on, two edits are tolerated, otherwise one. */
const MIN_LETTERS_FOR_TWO = 8;
/** Keys are made of this many letters, which bounds their number; the rest of a word decides in the comparison. */
const KEY_LETTERS = 7;

/** Returns how many edits a typed word may be away from the one that is meant. */
export function getMaxEdits(word: string): number {
  const { length } = [...word];
  if (length < MIN_LETTERS) return 0;
  return length < MIN_LETTERS_FOR_TWO ? 1 : 2;
}

/** Returns the keys of a word: at most 29, none for a word that is not compared. */
export function listSpellingKeys(word: string): string[] {
  const edits = getMaxEdits(word);
  if (edits === 0) return [];
  const keys = new Set([[...word].slice(0, KEY_LETTERS).join('')]);
  for (let edit = 0; edit < edits; edit += 1) {
    for (const key of [...keys]) {
      const letters = [...key];
      for (const place of letters.keys()) keys.add(letters.toSpliced(place, 1).join(''));
    }
  }
  return [...keys];
}

/** Counts the edits between two words: a letter added, left out or replaced, or two neighbours swapped. */
export function countEdits(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (const [row, letter] of a.entries()) {
    const next = [row + 1];
    for (const [column, against] of b.entries()) {
      const replaced = (last[column] as number) + (letter === against ? 0 : 1);
      const edited = Math.min(replaced, (last[column + 1] as number) + 1, (next[column] as number) + 1);
      const isSwap = row > 0 && column > 0 && letter === b[column - 1] && a[row - 1] === against;
      next.push(isSwap ? Math.min(edited, (before[column - 1] as number) + 1) : edited);
    }
    before = last;
    last = next;
  }
  return last[b.length] as number;
}

/** Returns the words that a typed one may mean, nearest first. */
export function findNearestWords(typed: string, words: readonly string[], limit: number): string[] {
  const edits = getMaxEdits(typed);
  return words
    .map((word) => ({ word, distance: countEdits(typed, word) }))
    .filter(({ distance }) => distance <= edits)
    .toSorted((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1))
    .slice(0, limit)
    .map(({ word }) => word);
}

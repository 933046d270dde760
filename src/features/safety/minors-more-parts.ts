/** Pieces of the shapes in the lists beside it. */

/** What may follow the person that something is done to: the sentence's end, or how it is done; and no thing of theirs. */
export const FURTHER = (words: string): string => `(?=\\s*(?:[.,;:!?…)\\]*"”»—]|$|(?:${words})(?![a-zа-я])))`;

/**
 * A sentence that begins with a name and an age: "Timmy, sixteen.", "Lily, 14, lives here."
 * @param others words that such a sentence begins with and that are no names
 */
export const namedAge = (others: string): string => {
  const word = '[^\\s.,;:!?"“”„«»*()\\d\\n]+';
  const begins = `(?<=(?:^|[.!?…\\n"“„«*(|])\\s?)(?!(?:N|${others})[\\s,])${word}(?:\\s${word})?,\\s?`;
  return `${begins}(?:T(?=\\s*[,;)])(?!,\\s?(?:N|\\d))|(?!\\d)T(?=\\s*(?:[.!?\\n]|$)))`;
};

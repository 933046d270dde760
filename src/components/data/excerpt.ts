/** In characters: enough to hear the voice, short enough that the rest is a reason to begin. */
const MAX_EXCERPT_LENGTH = 480;

/** The beginning of a text, ended at a word when it is longer than a page wants to show. */
function truncateAtWord(text: string): string {
  if (text.length <= MAX_EXCERPT_LENGTH) return text;
  const cut = text.slice(0, MAX_EXCERPT_LENGTH);
  const lastSpace = cut.search(/\s\S*$/u);
  return `${(lastSpace > MAX_EXCERPT_LENGTH / 2 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`;
}

/** The paragraphs with which a text begins; none for an empty one. */
export function getOpeningParagraphs(text: string): string[] {
  return truncateAtWord(text.trim())
    .split(/\s*\n\s*/)
    .filter((paragraph) => paragraph !== '');
}

/** In UTF-16 units: enough to show the character's voice and make the reader curious. */
const MAX_EXCERPT_LENGTH = 480;

/** Shortens a long text at a word boundary. */
function truncateAtWord(text: string): string {
  if (text.length <= MAX_EXCERPT_LENGTH) return text;
  const cut = text.slice(0, MAX_EXCERPT_LENGTH);
  const lastSpace = cut.search(/\s\S*$/u);
  return `${(lastSpace > MAX_EXCERPT_LENGTH / 2 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`;
}

/** The first paragraphs of a text; none for an empty one. */
export function getOpeningParagraphs(text: string): string[] {
  return truncateAtWord(text.trim())
    .split(/(?<!\s)\s*\n\s*/)
    .filter((paragraph) => paragraph !== '');
}

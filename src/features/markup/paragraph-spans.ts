import { PARAGRAPH_BREAK, parseSpans, type Span } from './markup-spans.ts';

export interface Paragraph {
  spans: Span[];
  /** Emphasis may extend into the next paragraph: this one may still change as the text grows. */
  isOpen: boolean;
}

/**
 * Parses paragraphs that follow each other. A span over several of them is split, so that each has its own part.
 * @param paragraphs without blank lines
 * @param growing see {@link parseSpans}
 * @returns one for each; positions count from the start of the paragraph
 */
export function parseParagraphs(paragraphs: readonly string[], growing: boolean): Paragraph[] {
  const breaks: boolean[] = [];
  const spans = parseSpans(paragraphs.join(PARAGRAPH_BREAK), growing, (isOpen) => breaks.push(isOpen));
  let start = 0;
  const starts = paragraphs.map(({ length }) => {
    const own = start;
    start += length + PARAGRAPH_BREAK.length;
    return own;
  });
  const parts = splitSpans(spans, starts, { index: 0 });
  return starts.map((_, index) => ({ spans: parts[index] ?? [], isOpen: breaks[index] ?? false }));
}

/**
 * Splits spans at paragraph breaks.
 * @param current the paragraph that the spans begin in; moved on at each break
 */
function splitSpans(spans: readonly Span[], starts: readonly number[], current: { index: number }): Span[][] {
  const parts: Span[][] = [[]];
  const add = (span: Span, isEmpty: boolean) => {
    if (!isEmpty) parts.at(-1)?.push(span);
  };
  const startNext = () => {
    current.index += 1;
    parts.push([]);
  };
  for (const span of spans) {
    // The part that a span has in a later paragraph is the first there, at position 0.
    const at = Math.max(0, span.at - (starts[current.index] ?? 0));
    if ('spans' in span) {
      const [first = [], ...others] = splitSpans(span.spans, starts, current);
      add({ ...span, spans: first, at }, first.length === 0);
      for (const inner of others) {
        parts.push([]);
        add({ ...span, spans: inner, at: 0 }, inner.length === 0);
      }
    } else if (span.kind === 'text') {
      const [first = '', ...others] = span.text.split(PARAGRAPH_BREAK);
      add({ ...span, text: first, at }, first === '');
      for (const text of others) {
        startNext();
        add({ ...span, text, at: 0 }, text === '');
      }
    } else add({ ...span, at }, false);
  }
  return parts;
}

import { sanitizeText } from '../../lib/sanitize-text.ts';
import { parseSpans, getSpanText, type Span } from './markup-spans.ts';
import { parseParagraphs } from './paragraph-spans.ts';
import { type Alignment, isRowLike, readCells, readColumns } from './table-lines.ts';

/**
 * A message as a small tree that views render as elements; no HTML string is ever built.
 *
 * The grammar is our own. Measured with hostile texts, the lexer of `marked` 18
 * overflows the stack on 4,000 `>` or list marks and takes up to 0.5 s for 32,000 characters of others. It also joins and
 * reorders text that roleplay keeps as typed (indented lines, `5*4*3`, a line of dashes under a line of text), and cannot
 * report an unfinished action. This parser reads each line a bounded number of times and is a quarter of the size.
 */
export type Block =
  | { kind: 'paragraph' | 'heading'; spans: Span[] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; ordered: boolean; items: ListItem[] }
  | { kind: 'table'; columns: Alignment[]; head: TableRow; rows: TableRow[] }
  | { kind: 'code'; text: string }
  | { kind: 'rule' }
  /** A text too long or too complex to parse; shown as it is, with its line breaks. */
  | { kind: 'plain'; text: string };

/** The spans of each cell, as many as there are columns. */
export type TableRow = Span[][];

export interface ListItem {
  /** The number as typed; null for a bullet. */
  number: number | null;
  /** A dash may be a bullet or introduce direct speech, so it stays a dash. */
  dash: boolean;
  blocks: Block[];
}

export interface MessageDocument {
  blocks: Block[];
  /** The beginning of the text that can no longer change as the text grows, and the number of its blocks. */
  settled: { text: string; blocks: number };
}

/** UTF-16 units: four times the longest message a user can send, and longer than model replies. */
const MAX_CHARACTERS = 32_000;
/** Blocks and spans per message: ten times a long reply, and still fast to render on a phone. */
const MAX_PARTS = 2_000;
/** Nesting of quotes and lists; deeper marks stay text. */
const MAX_DEPTH = 4;
/** Rows of a table; those beyond stay text. */
const MAX_ROWS = 100;

/**
 * Parses a message.
 * @param text the full text, or the part received so far
 * @param growing the text is still streaming: an open action counts without its end
 * @param earlier the result for a shorter beginning of the same text; only the rest is parsed
 */
export function parseMarkup(text: string, growing = false, earlier?: MessageDocument): MessageDocument {
  const drawn = sanitizeText(text);
  if (drawn.length > MAX_CHARACTERS) return createPlainDocument(drawn);
  const settled = earlier && drawn.startsWith(earlier.settled.text) ? earlier.settled : null;
  const from = settled?.text.length ?? 0;
  const blocks = settled && earlier ? earlier.blocks.slice(0, settled.blocks) : [];
  let parts = blocks.reduce((sum, block) => sum + countParts(block), 0);

  const lines = drawn.slice(from).split('\n');
  const lastLine = lines.length - 1;
  // Hold back a mark at the end until its text arrives, so that it does not flash on screen.
  if (growing && MARK_ONLY_LINE.test(lines.at(-1) ?? '')) lines.pop();
  const fresh = [...parseBlocks(lines, 0, growing)];
  parts += fresh.reduce((sum, { block }) => sum + countParts(block), 0);
  if (parts > MAX_PARTS) return createPlainDocument(drawn);
  // The last block may continue. A block of a single line may still turn out to belong to the one before it.
  let settling = fresh.length - 1;
  if (fresh.at(-1)?.begins === lastLine && !PLAIN_LINE.test(lines[lastLine] ?? '')) settling -= 1;
  while (settling > 0 && fresh[settling - 1]?.isOpen === true) settling -= 1;
  settling = Math.max(0, settling);
  const settledLines = lines.slice(0, fresh[settling]?.begins ?? 0);
  const length = settledLines.reduce((sum, line) => sum + line.length + 1, from);
  return {
    blocks: [...blocks, ...fresh.map(({ block }) => block)],
    settled: { text: drawn.slice(0, length), blocks: blocks.length + settling },
  };
}

/**
 * A message without markup, for reading aloud, one-line copies and search. List numbers stay.
 * @param growing see {@link parseMarkup}
 */
export function toPlainText(text: string, growing = false): string {
  return getBlocksText(parseMarkup(text, growing).blocks);
}

function getBlocksText(blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      if (block.kind === 'quote') return getBlocksText(block.blocks);
      if (block.kind === 'rule') return '';
      if (block.kind === 'table') return [block.head, ...block.rows].map(getRowText).join('\n');
      if (block.kind !== 'list') return 'spans' in block ? getSpanText(block.spans) : block.text;
      return block.items
        .map((item) => `${item.number === null ? '' : `${item.number}. `}${getBlocksText(item.blocks)}`)
        .join('\n');
    })
    .filter((text) => text !== '')
    .join('\n\n');
}

/** The text of a row, with commas between its cells, because bars would be read aloud. */
export function getRowText(row: TableRow): string {
  return row
    .map(getSpanText)
    .filter((text) => text !== '')
    .join(', ');
}

function createPlainDocument(drawn: string): MessageDocument {
  // Collapse long runs of empty lines to two.
  const text = drawn.replace(/\n(?:[ \t]*\n){3,}/g, '\n\n\n');
  return { blocks: [{ kind: 'plain', text }], settled: { text: '', blocks: 0 } };
}

const MARK_ONLY_LINE = /^(?:[-+*_>|:\s]+|\s*(?:\d{1,9}[.)]?|#+|`+|~+)\s*)$/;
/** Starts with a word, possibly inside marks, so it belongs to a paragraph however it continues. */
const PLAIN_LINE = /^[^\s\d`~#>+-]*\p{L}/u;
const BLANK = /^\s*$/;
const QUOTE = /^ {0,3}> ?/;
const HEADING = /^ {0,3}#{1,6}[ \t]+(\S.*)$/;
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const FENCE_END = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
const ITEM = /^( {0,3})([-+*]|(\d{1,9})[.)])([ \t]{1,4})(\S.*)$/;

interface ItemLine {
  sort: string;
  number: number | null;
  indent: number;
  width: number;
  text: string;
}

function parseItemLine(line: string): ItemLine | null {
  const [all, space, mark = '', digits, gap, text] = ITEM.exec(line) ?? [];
  if (all === undefined || space === undefined || gap === undefined || text === undefined) return null;
  // `* waves *` is an action with spaces, not a list item.
  if (mark === '*' && text.indexOf('*') === text.length - 1) return null;
  const [indent, width] = [space.length, space.length + mark.length + gap.length];
  return {
    sort: mark.slice(-1),
    number: digits === undefined ? null : Number(digits),
    indent,
    width,
    text,
  };
}

/** Whether a line cannot belong to a paragraph. */
function isBlockStart(line: string, depth: number): boolean {
  if (HEADING.test(line) || RULE.test(line) || isFence(line)) return true;
  return depth < MAX_DEPTH && (QUOTE.test(line) || parseItemLine(line) !== null);
}

/** The info string after a backtick fence contains no backticks: ```this``` is inline code. */
function isFence(line: string): boolean {
  const [, fence = '', info = ''] = FENCE.exec(line) ?? [];
  return fence !== '' && !(fence.startsWith('`') && info.includes('`'));
}

interface PlacedBlock {
  block: Block;
  /** The index of its first line. */
  begins: number;
  /** It may still change while the text after it grows. */
  isOpen?: boolean;
}

/** Parses lines into blocks. */
function* parseBlocks(lines: readonly string[], depth: number, growing: boolean): Generator<PlacedBlock> {
  // A single trailing line break does not end a paragraph that is still streaming.
  const grows = (end: number) =>
    growing && (end === lines.length || (end === lines.length - 1 && lines[end] === ''));
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const begins = at;
    if (BLANK.test(line)) {
      at += 1;
      continue;
    }
    if (isFence(line)) {
      const code = readFence(lines, at);
      at = code.end;
      yield { block: { kind: 'code', text: code.text }, begins };
      continue;
    }
    if (RULE.test(line)) {
      at += 1;
      yield { block: { kind: 'rule' }, begins };
      continue;
    }
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) {
      at += 1;
      const spans = parseSpans(heading.replace(/[ \t]#+[ \t]*$/, '').trimEnd(), grows(at));
      yield { block: { kind: 'heading', spans }, begins };
      continue;
    }
    if (depth < MAX_DEPTH && QUOTE.test(line)) {
      while (at < lines.length && QUOTE.test(lines[at] ?? '')) at += 1;
      const inner = lines.slice(begins, at).map((quoted) => quoted.replace(QUOTE, ''));
      yield { block: { kind: 'quote', blocks: parseInnerBlocks(inner, depth, grows(at)) }, begins };
      continue;
    }
    if (depth < MAX_DEPTH && parseItemLine(line)) {
      const list = readList(lines, at);
      at = list.end;
      const items = list.items.map(({ number, sort, lines: inner }, index): ListItem => {
        const blocks = parseInnerBlocks(inner, depth, grows(at) && index === list.items.length - 1);
        return { number, dash: sort === '-', blocks };
      });
      yield { block: { kind: 'list', ordered: items[0]?.number !== null, items }, begins };
      continue;
    }
    const columns = readColumns(lines, at);
    if (columns) {
      at = findTableEnd(lines, at, depth);
      const table = parseTable([line, ...lines.slice(begins + 2, at)], columns, grows(at));
      yield { block: table, begins };
      continue;
    }
    const run = readParagraphs(lines, at, depth);
    at = run.end;
    const parsed = parseParagraphs(
      run.paragraphs.map(({ text }) => text),
      growing && at === lines.length,
    );
    for (const [index, { spans, isOpen }] of parsed.entries()) {
      const first = run.paragraphs[index]?.begins ?? begins;
      if (spans.length > 0) yield { block: { kind: 'paragraph', spans }, begins: first, isOpen };
    }
  }
}

/** Reads paragraphs up to the next block of another kind. */
function readParagraphs(
  lines: readonly string[],
  from: number,
  depth: number,
): { paragraphs: { text: string; begins: number }[]; end: number } {
  const isInside = (at: number) =>
    at < lines.length && !isBlockStart(lines[at] ?? '', depth) && readColumns(lines, at) === null;
  const paragraphs: { text: string; begins: number }[] = [];
  let next = from;
  do {
    const begins = next;
    let end = begins + 1;
    while (!BLANK.test(lines[end] ?? '') && isInside(end)) end += 1;
    paragraphs.push({ text: lines.slice(begins, end).join('\n').trimEnd(), begins });
    next = findNextNonBlank(lines, end);
    // A single trailing line break does not end a paragraph that is still streaming.
    if (next === lines.length && next > end + 1) paragraphs.push({ text: '', begins: next });
    if (next === end) break;
  } while (isInside(next));
  return { paragraphs, end: next };
}

function findTableEnd(lines: readonly string[], from: number, depth: number): number {
  const isRow = (line: string) =>
    !BLANK.test(line) && !isBlockStart(line, depth) && isRowLike(line, lines[from] ?? '');
  let end = from + 2;
  while (end < Math.min(lines.length, from + 2 + MAX_ROWS) && isRow(lines[end] ?? '')) end += 1;
  return end;
}

function parseTable(written: readonly string[], columns: Alignment[], growing: boolean): Block {
  const [head = [], ...rows] = written.map((line, index) => {
    const cells = readCells(line, columns.length);
    const isLast = growing && index === written.length - 1;
    return columns.map((_, column) => parseSpans(cells[column] ?? '', isLast && column === cells.length - 1));
  });
  return { kind: 'table', columns, head, rows };
}

function parseInnerBlocks(lines: readonly string[], depth: number, growing: boolean): Block[] {
  return [...parseBlocks(lines, depth + 1, growing)].map(({ block }) => block);
}

/** An unclosed fence extends to the end of the text, as it does while streaming. */
function readFence(lines: readonly string[], from: number): { text: string; end: number } {
  const [, fence = ''] = FENCE.exec(lines[from] ?? '') ?? [];
  let end = from + 1;
  while (end < lines.length && !(FENCE_END.exec(lines[end] ?? '')?.[1] ?? '').startsWith(fence)) end += 1;
  return { text: lines.slice(from + 1, end).join('\n'), end: Math.min(lines.length, end + 1) };
}

interface RawItem extends Pick<ItemLine, 'number' | 'sort'> {
  lines: string[];
}

/** A list continues with items of the same kind, with lines indented below them, and across blank lines before either. */
function readList(lines: readonly string[], from: number): { items: RawItem[]; end: number } {
  const items: RawItem[] = [];
  const sort = parseItemLine(lines[from] ?? '')?.sort;
  let end = from;
  for (let item = parseItemLine(lines[end] ?? ''); item && item.sort === sort;) {
    const inner = [item.text];
    end += 1;
    for (;;) {
      const next = findNextNonBlank(lines, end);
      if (getIndent(lines[next] ?? '') < item.indent + 2) {
        const following = parseItemLine(lines[next] ?? '');
        if (following?.sort === sort) end = next;
        break;
      }
      for (; end <= next; end += 1) inner.push(outdent(lines[end] ?? '', item.width));
    }
    items.push({ number: item.number, sort: item.sort, lines: inner });
    item = parseItemLine(lines[end] ?? '');
  }
  return { items, end };
}

/** The next non-blank line, or the end. */
function findNextNonBlank(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && BLANK.test(lines[at] ?? '')) at += 1;
  return at;
}

/** Indentation in spaces; a tab counts as four. */
function getIndent(line: string): number {
  return (/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
}

function outdent(line: string, width: number): string {
  if (BLANK.test(line)) return '';
  const space = /^[ \t]*/.exec(line)?.[0] ?? '';
  return space.replaceAll('\t', '    ').slice(width) + line.slice(space.length);
}

/** Estimates the number of elements of a block. */
function countParts(block: Block): number {
  if (block.kind === 'table') {
    return [block.head, ...block.rows].flat().reduce((sum, cell) => sum + 1 + countSpanParts(cell), 1);
  }
  if (block.kind === 'quote') return sumParts(block.blocks);
  if (block.kind === 'list') return block.items.reduce((sum, item) => sum + sumParts(item.blocks), 1);
  return 'spans' in block ? 1 + countSpanParts(block.spans) : 1;
}

function sumParts(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + countParts(block), 1);
}

function countSpanParts(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + ('spans' in span ? 1 + countSpanParts(span.spans) : 1), 0);
}

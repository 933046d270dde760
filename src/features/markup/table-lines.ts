/**
 * Reads the lines of tables as on GitHub (GFM, "Tables"), with two differences: a bar is required in the delimiter row, and
 * after a table with leading bars a line without one is not a row. So no line changes its meaning while it streams in, and
 * no sentence below a table becomes a part of it.
 */

/** How a column is aligned, in the table's direction; null for the default. */
export type Alignment = 'start' | 'center' | 'end' | null;

/** Tables with more columns stay text. */
const MAX_COLUMNS = 20;
const DELIMITER = /^:?-+:?$/;
const BAR = /(?<!\\)\|/;

/** The alignment of each column, if a table begins at this line: it and the next are a header and a delimiter row. */
export function readColumns(lines: readonly string[], at: number): Alignment[] | null {
  const [head = '', delimiters = ''] = lines.slice(at, at + 2);
  if (!head.includes('|') || !delimiters.includes('|')) return null;
  const marks = splitCells(delimiters);
  const isTable =
    marks.length > 0 &&
    marks.length <= MAX_COLUMNS &&
    marks.every((mark) => DELIMITER.test(mark)) &&
    splitCells(head).length === marks.length;
  return isTable ? marks.map(readAlignment) : null;
}

function readAlignment(mark: string): Alignment {
  if (mark.endsWith(':')) return mark.startsWith(':') ? 'center' : 'end';
  return mark.startsWith(':') ? 'start' : null;
}

/** Whether a line below a table is written like its header, with or without a leading bar. */
export function isRowLike(line: string, head: string): boolean {
  return !hasLeadingBar(head) || hasLeadingBar(line);
}

function hasLeadingBar(line: string): boolean {
  return line.trimStart().startsWith('|');
}

/** The cells of a row, possibly fewer than columns. Bars beyond the last column belong to the last cell. */
export function readCells(line: string, columns: number): string[] {
  const cells = splitCells(line);
  const last = cells.splice(columns - 1);
  if (last.length > 0) cells.push(last.join(' | '));
  return cells.map((cell) => cell.replaceAll(String.raw`\|`, '|'));
}

/** Splits a row at its bars, except those after a backslash. */
function splitCells(line: string): string[] {
  const cells = line.trim().split(BAR);
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells.map((cell) => cell.trim());
}

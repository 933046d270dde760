/** Longer texts are no character of text-generation-webui, also where every letter is written as an escape. */
const MAX_CHARS = 256 * 1024;
const MAX_KEYS = 100;

/** A key at the start of a line, and what follows it. */
const ENTRY = /^([A-Za-z_][\w-]*):(?:[ \t](.*))?$/;
/** Style, chomping and indentation of a block. */
const BLOCK = /^([|>])(?:([+-])?([1-9])?|([1-9])([+-]))[ \t]*(?:#.*)?$/;
/** Values that are no text: lists, mappings, tags, anchors and references. */
const NO_TEXT = /^[[{!&*%@`]/;
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.|$))/gs;
const ESCAPED: Record<string, string> = {
  ...{
    '0': '\0',
    a: '\u0007',
    b: '\b',
    t: '\t',
    '\t': '\t',
    n: '\n',
    v: '\v',
    f: '\f',
    r: '\r',
    e: '\u001b',
  },
  ...{ ' ': ' ', '"': '"', '/': '/', '\\': '\\', N: '\u0085', _: '\u00a0', L: '\u2028', P: '\u2029' },
};

/**
 * Reads the texts of a YAML mapping, as programs write a character: keys at the start of a line, and plain, quoted and
 * block values. Nested values are skipped. Each line is read once, and nothing in YAML can refer to anything else here,
 * so the work is proportional to the length of the text.
 * @returns null when it is anything else
 */
export function parseFlatYaml(text: string): Record<string, string> | null {
  if (text.length > MAX_CHARS) return null;
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  const entries: [string, string][] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] as string;
    if (line.startsWith('...') || (line.startsWith('---') && entries.length > 0)) break;
    if (isBlank(line) || line.startsWith('#') || line.trimEnd() === '---') {
      at += 1;
      continue;
    }
    const [, key, rest = ''] = ENTRY.exec(line) ?? [];
    const value = key === undefined ? null : readValue(lines, at, rest.trim());
    if (key === undefined || value === null || entries.length === MAX_KEYS) return null;
    if (value.text !== null) entries.push([key, value.text]);
    at = value.next;
  }
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

const isBlank = (line: string): boolean => line.trim() === '';
const isIndented = (line: string): boolean => line.startsWith(' ') || line.startsWith('\t');

interface Value {
  /** Null for a value that is no text. */
  text: string | null;
  /** The line after it. */
  next: number;
}

/** @param head the value's part on the line of its key, without surrounding white space */
function readValue(lines: readonly string[], at: number, head: string): Value | null {
  if (head.startsWith("'") || head.startsWith('"')) return readQuoted(lines, at, head);
  const next = findNextEntry(lines, at + 1);
  const [, style, chomp, indent, firstIndent, lastChomp] = BLOCK.exec(head) ?? [];
  if (style !== undefined) {
    const block = readBlock(lines.slice(at + 1, next), Number(indent ?? firstIndent ?? 0));
    return {
      text: chompBlock(style === '|' ? block.join('\n') : foldBlock(block), chomp ?? lastChomp),
      next,
    };
  }
  if (head === '' || head.startsWith('#') || NO_TEXT.test(head)) return { text: null, next };
  const plain = [head, ...lines.slice(at + 1, next)].map((line) => stripComment(line).trim());
  return { text: foldLines(plain).trimEnd(), next };
}

/** Returns the first line that belongs to no value above it. A list may start where its key does. */
function findNextEntry(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length) {
    const line = lines[at] as string;
    if (!isBlank(line) && !isIndented(line) && !line.startsWith('- ')) break;
    at += 1;
  }
  return at;
}

function stripComment(line: string): string {
  const at = line.indexOf(' #');
  return at === -1 ? line : line.slice(0, at);
}

/** Joins lines: one break becomes a blank, and each empty line a break. */
function foldLines(lines: readonly string[]): string {
  const [first = '', ...rest] = lines;
  const pieces = [first];
  let empty = 0;
  for (const line of rest) {
    if (line === '') empty += 1;
    else {
      pieces.push(empty === 0 ? ' ' : '\n'.repeat(empty), line);
      empty = 0;
    }
  }
  if (empty > 0) pieces.push('\n'.repeat(empty));
  return pieces.join('');
}

/** Removes the indentation of a block's lines, which the first one has if the header states none. */
function readBlock(lines: readonly string[], stated: number): string[] {
  const first = lines.find((line) => !isBlank(line));
  const found = first === undefined ? Number.POSITIVE_INFINITY : first.length - first.trimStart().length;
  const indent = stated === 0 ? found : stated;
  return lines.map((line) => (isBlank(line.slice(0, indent)) ? line.slice(indent) : line.trimStart()));
}

/** Folds a block; a line that is indented further keeps its breaks. */
function foldBlock(lines: readonly string[]): string {
  const pieces: string[] = [];
  let [empty, wasIndented] = [0, true];
  for (const line of lines) {
    if (line === '') {
      empty += 1;
      continue;
    }
    const keepsBreak = wasIndented || isIndented(line);
    if (keepsBreak) pieces.push('\n'.repeat(empty + (pieces.length === 0 ? 0 : 1)));
    else pieces.push(empty === 0 ? ' ' : '\n'.repeat(empty));
    pieces.push(line);
    [empty, wasIndented] = [0, isIndented(line)];
  }
  return pieces.join('') + '\n'.repeat(empty);
}

function chompBlock(text: string, chomp: string | undefined): string {
  if (chomp === '+') return `${text}\n`;
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end) + (chomp === '-' || end === 0 ? '' : '\n');
}

/** Reads a value in quotes, which may go on over several lines. */
function readQuoted(lines: readonly string[], at: number, head: string): Value | null {
  const isDouble = head.startsWith('"');
  const parts: string[] = [];
  for (let next = at; next < lines.length; next += 1) {
    const line = next === at ? head.slice(1) : (lines[next] as string).trimStart();
    const end = isDouble ? findDoubleQuote(line) : findSingleQuote(line);
    parts.push(end === -1 ? line : line.slice(0, end));
    if (end === -1) continue;
    const after = line.slice(end + 1).trim();
    if (after !== '' && !after.startsWith('#')) return null;
    const text = isDouble ? unescapeText(parts) : foldLines(trimInner(parts)).replaceAll("''", "'");
    return text === null ? null : { text, next: next + 1 };
  }
  return null;
}

/** Removes white space before each break. */
const trimInner = (lines: readonly string[]): string[] =>
  lines.map((line, index) => (index === lines.length - 1 ? line : line.trimEnd()));

function findSingleQuote(line: string): number {
  let at = line.indexOf("'");
  while (at !== -1 && line[at + 1] === "'") at = line.indexOf("'", at + 2);
  return at;
}

function findDoubleQuote(line: string): number {
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line[at] === '"') return at;
  }
  return -1;
}

/** Joins the lines of a value in double quotes and replaces its escapes; null for one that YAML does not have. */
function unescapeText(lines: readonly string[]): string | null {
  // A break that is escaped joins its lines without a blank.
  const groups: string[][] = [[]];
  lines.forEach((line, index) => {
    const isJoined = index < lines.length - 1 && endsInEscape(line);
    groups.at(-1)?.push(isJoined ? line.slice(0, -1) : line);
    if (isJoined) groups.push([]);
  });
  const joined = groups.map((group) => foldLines(trimInner(group))).join('');
  let isValid = true;
  const text = joined.replaceAll(ESCAPE, (_, two?: string, four?: string, eight?: string, one?: string) => {
    const code = two ?? four ?? eight;
    const char =
      code === undefined
        ? ESCAPED[one as string]
        : Number.parseInt(code, 16) <= 0x10ffff
          ? String.fromCodePoint(Number.parseInt(code, 16))
          : undefined;
    isValid &&= char !== undefined;
    return char ?? '';
  });
  return isValid ? text : null;
}

function endsInEscape(line: string): boolean {
  let count = 0;
  while (line[line.length - 1 - count] === '\\') count += 1;
  return count % 2 === 1;
}

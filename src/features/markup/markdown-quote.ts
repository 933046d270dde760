/** The start of a tag, a comment or an autolink. */
const TAG = /<(?=[A-Za-z/!?])/g;
/** The start of a picture. Programs that show the file would fetch it from any address, and so reveal the reader. */
const PICTURE = /!(?=\[)/g;
/** The start of the marker for AI-generated text. User text must never contain it, not even as code. */
const MARK = /<(?=!--\s*ai_generated)/g;
const FENCE = /^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})[ \t]*([\w+#.-]*)/;
const FENCE_END = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;
/** Nesting of quotes that a message shows (see parse-markup.ts). */
const MAX_DEPTH = 4;

/**
 * Formats a message as a Markdown quote that its content cannot break out of: an open comment, fence or tag ends with the
 * quote, headings stay inside it, and no parser finds our AI marker in it. Pictures become text, and HTML is escaped, because our renderer shows it
 * as text. Code does not support entities or backslash escapes, so it stays unescaped wherever every Markdown parser
 * reads it as code.
 */
export function formatMarkdownQuote(text: string): string {
  return renderLines(text.split(/\r\n|[\r\n]/), 0)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** Renders fences and quotes line by line, and the lines between them as paragraphs. */
function renderLines(lines: readonly string[], depth: number): string[] {
  const out: string[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    out.push(...renderParagraph(paragraph));
    paragraph = [];
  };
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const [opens, indent = '', fence = '', language = ''] = FENCE.exec(line) ?? [];
    if (opens !== undefined) {
      endParagraph();
      // Some parsers require a blank line before a fence.
      if (out.length > 0 && out.at(-1) !== '') out.push('');
      // Without indentation, so that only its own end closes the fence.
      out.push(fence + language);
      at += 1;
      while (at < lines.length && !(FENCE_END.exec(lines[at] ?? '')?.[1] ?? '').startsWith(fence)) {
        out.push(outdent(lines[at] ?? '', indent.length).replaceAll(MARK, '&lt;'));
        at += 1;
      }
      at += 1;
      out.push(fence);
    } else if (line.startsWith('>') && depth < MAX_DEPTH) {
      endParagraph();
      const from = at;
      while (lines[at]?.startsWith('>') === true) at += 1;
      const inner = lines.slice(from, at).map((one) => one.replace(/^> ?/, ''));
      out.push(...renderLines(inner, depth + 1).map((one) => `> ${one}`.trimEnd()));
    } else {
      if (line.trim() === '') endParagraph();
      paragraph.push(line);
      at += 1;
    }
  }
  endParagraph();
  return out;
}

function outdent(line: string, width: number): string {
  const space = /^[ \t]*/.exec(line)?.[0] ?? '';
  return line.slice(Math.min(space.length, width));
}

/** The delimiter row of a table. Table cells split code at bars. */
const TABLE = /^(?=.*[-=])[\s|:+=-]+$/;
/** A link whose URL contains nothing that could hide the start of code. */
const PLAIN_LINK = /\]\([^\s()<>"'`\\]*\)/g;
/** A bare URL extends to the next space, across any mark. */
const ADDRESS = /:\/\/|mailto:|xmpp:|@|www\./i;

/**
 * Renders lines without fences. Inline code stays unescaped unless some parser could read it as part of something else.
 */
function renderParagraph(lines: readonly string[]): string[] {
  let isDoubtful = lines.some((line) => TABLE.test(line));
  return lines.map((line) => {
    let out = '';
    let inAddress = false;
    const addText = (text: string) => {
      out += escapeMarkdown(text);
      if (text.replaceAll(PLAIN_LINK, '').includes('](')) isDoubtful = true;
      const words = text.split(/\s/);
      inAddress = (inAddress && words.length === 1) || ADDRESS.test(words.at(-1) ?? '');
    };
    let at = 0;
    for (let run = findNextRun(line, 0); run !== null; run = findNextRun(line, at)) {
      const text = line.slice(at, run.at);
      addText(text);
      const backslashes = countTrailingBackslashes(text);
      const end = backslashes > 0 ? null : findClosingRun(line, run);
      if (end === null) {
        // Escape unmatched backticks, or a later run could be read as their end.
        const first = backslashes % 2 === 1 ? '`' : '';
        out += first + String.raw`\``.repeat(run.length - first.length);
        at = run.at + run.length;
        continue;
      }
      if (inAddress) isDoubtful = true;
      const code = line.slice(run.at, end);
      out += isDoubtful
        ? code.replaceAll(TAG, '&lt;').replaceAll(PICTURE, '&#33;')
        : code.replaceAll(MARK, '&lt;');
      // Some parsers read braces after code as attributes.
      if (line[end] === '{') out += '\\';
      at = end;
    }
    addText(line.slice(at));
    return out;
  });
}

function escapeMarkdown(text: string): string {
  return text
    .replaceAll(TAG, '&lt;')
    .replaceAll(PICTURE, '&#33;')
    .replaceAll(']:', String.raw`]\:`);
}

interface Run {
  at: number;
  length: number;
}

function findNextRun(line: string, from: number): Run | null {
  const at = line.indexOf('`', from);
  if (at === -1) return null;
  let end = at + 1;
  while (line[end] === '`') end += 1;
  return { at, length: end - at };
}

/** The end of the code that starts with this run: after the next run of the same length. */
function findClosingRun(line: string, { at, length }: Run): number | null {
  for (let run = findNextRun(line, at + length); run !== null; run = findNextRun(line, run.at + run.length)) {
    if (run.length === length) return run.at + length;
  }
  return null;
}

function countTrailingBackslashes(text: string): number {
  let from = text.length;
  while (text[from - 1] === '\\') from -= 1;
  return text.length - from;
}

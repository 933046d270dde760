/** What would begin a tag, a comment or an address in brackets. */
const TAG = /<(?=[A-Za-z/!?])/g;
/** The beginning of the mark that says whether a model wrote a text; in no text, code or not, is it ours. */
const MARK = /<(?=!--\s*ai_generated)/g;
const FENCE = /^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})[ \t]*([\w+#.-]*)/;
const FENCE_END = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;
/** Quotes within each other, as far as a message shows them (see story-text.ts). */
const MAX_DEPTH = 4;

/**
 * A text of the chat as a quotation, which nothing in it can end: an open comment, fence or tag ends with it, a heading in
 * it is none of the chat's, and no program finds our mark in it. HTML is told as what it is to our reader: text. Code
 * knows neither entities nor backslashes, so it is told as it is, wherever no reader of Markdown can take it for anything
 * else.
 */
export function formatMarkdownQuote(text: string): string {
  return renderLines(text.split(/\r\n|[\r\n]/), 0)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** The lines between the fences and quotes of a text are told paragraph by paragraph. */
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
      // Not every reader lets a fence begin right below a line.
      if (out.length > 0 && out.at(-1) !== '') out.push('');
      // At the edge, whatever it stood within: there, nothing but its own end closes it.
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

/** The line below the head of a table, whose bars cut also code in two. */
const TABLE = /^(?=.*[-=])[\s|:+=-]+$/;
/** A link with nothing in its address that could hide the beginning of code. */
const PLAIN_LINK = /\]\([^\s()<>"'`\\]*\)/g;
/** A bare address goes on until the next space, through any mark. */
const ADDRESS = /:\/\/|mailto:|xmpp:|@|www\./i;

/** Lines without fences. Code within a line is told as it is, unless it could be part of something else to a reader. */
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
        // Marks that open nothing are told as letters, or a later one would be taken for their end.
        const first = backslashes % 2 === 1 ? '`' : '';
        out += first + String.raw`\``.repeat(run.length - first.length);
        at = run.at + run.length;
        continue;
      }
      if (inAddress) isDoubtful = true;
      const code = line.slice(run.at, end);
      out += code.replaceAll(isDoubtful ? TAG : MARK, '&lt;');
      // Braces behind code tell some readers what to make of it.
      if (line[end] === '{') out += '\\';
      at = end;
    }
    addText(line.slice(at));
    return out;
  });
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(TAG, '&lt;').replaceAll(']:', String.raw`]\:`);
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

/** Where code ends that begins with this run of marks: behind the next run of the same length. */
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

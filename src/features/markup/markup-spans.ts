import { findHiddenHost } from './link-host.ts';

/**
 * A span of a paragraph: text, action, stress, struck text, speech, code, link, or a picture, which is not loaded. `at` is
 * the start of the span including its mark; it identifies siblings while a text is streaming.
 */
export type Span =
  | { kind: 'text' | 'code'; text: string; at: number }
  /** `text` is the alternative text, possibly empty. */
  | { kind: 'picture'; text: string; at: number }
  | { kind: 'action' | 'stress' | 'strike' | 'speech'; spans: Span[]; at: number }
  /** `host` is set when the link text hides or misstates the target. */
  | { kind: 'link'; href: string; host?: string; spans: Span[]; at: number };

/** Nesting limit: more than any writer needs, and safe to render recursively. */
const MAX_DEPTH = 8;
/** UTF-16 units; longer URLs stay text. */
const MAX_URL_CHARS = 2048;
const PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/** Between two paragraphs. */
export const PARAGRAPH_BREAK = '\n\n';

/** Anything that may start or end a span. A run of one mark is a single match. */
const SPECIAL =
  /\*+|_+|~+|`+|\n\n|!?\[|\]|\\(?:[*`[\]>#~|-]|_(?=[\p{L}\p{N}]))|["“”„«»「」『』]|https?:\/\//giu;
/** Excludes brackets, so that each is scanned once, however many `](` there are. */
const DESTINATION =
  /\([ \t]*<?([^\s()<>[\]]+(?:\([^\s()<>[\]]*\)[^\s()<>[\]]*)*)>?(?:[ \t]+(?:"[^"[\]\n]*"|'[^'[\]\n]*'))?[ \t]*\)/y;
const BARE_URL =
  /https?:\/\/[^\s<>"“”„«»「」『』()[\]*`{}|\\^，。、；：！？（）]+(?:\([^\s<>"()[\]*`{}|\\^]*\)[^\s<>"“”„«»「」『』()[\]*`{}|\\^，。、；：！？（）]*)*/iy;
const ENDS_SENTENCE = ".,;:!?'_~-";

const WORD = /[\p{L}\p{M}\p{N}_]/u;
/** Scripts without spaces between words or before particles; marks may touch their letters. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const SPACE = /\s/u;

type Mark = '*' | '**' | '_' | '__' | '~~' | '[' | '![' | '"' | '“' | '„' | '«' | '»' | '「' | '『';
const SPAN_KINDS: Partial<Record<Mark, 'action' | 'stress' | 'strike' | 'speech'>> = {
  '*': 'action',
  _: 'action',
  '**': 'stress',
  __: 'stress',
  '~~': 'strike',
  '"': 'speech',
  '“': 'speech',
  '„': 'speech',
  '«': 'speech',
  '»': 'speech',
  '「': 'speech',
  '『': 'speech',
};
/** The opening marks that each closing quotation mark can match: „so“, “so”, «so», »so«. */
const SPEECH_CLOSERS: Record<string, readonly Mark[]> = {
  '"': ['"', '„'],
  '”': ['“', '„'],
  '“': ['„'],
  '»': ['«'],
  '«': ['»'],
  '」': ['「'],
  '』': ['『'],
};
const SPEECH_OPENERS = new Set<string>(['"', '“', '„', '«', '»', '「', '『']);
/** Marks whose span may extend over several paragraphs. */
const EMPHASIS = new Set<Mark>(['*', '**', '_', '__', '~~']);

interface Opener {
  mark: Mark;
  /** Index of its mark in `nodes`. */
  node: number;
  /** Nesting depth of the spans after it. */
  deepest: number;
}

/** The normalized URL of a link that may be opened; null for all others. */
export function toSafeUrl(written: string): string | null {
  if (written.length > MAX_URL_CHARS || !URL.canParse(written)) return null;
  const { protocol, username, password, href } = new URL(written);
  // Reject credentials: `https://bank.example@elsewhere.example` leads to elsewhere.example.
  return PROTOCOLS.has(protocol) && username === '' && password === '' ? href : null;
}

/**
 * Parses the spans of a paragraph, or of several with {@link PARAGRAPH_BREAK} between them, in one pass. Openers are
 * stacked, and a closer removes everything above its opener, so each match is handled a bounded number of times. A mark
 * opens before a non-space and closes after one, never inside a word: `2 * 3`, `5*4*3` and `snake_case` stay as typed.
 * Emphasis may extend over paragraphs, until the same mark opens again; other spans end with their paragraph.
 * @param text without control characters; may contain line breaks
 * @param growing the text is still streaming: an open span counts without its end, and a mark at the very end is held
 *   back until the next characters arrive
 * @param onBreak called at each paragraph break with whether emphasis may extend over it
 */
export function parseSpans(
  text: string,
  growing = false,
  onBreak: (isOpen: boolean) => void = () => {},
): Span[] {
  const nodes: Span[] = [];
  const open: Opener[] = [];
  /** The number of openers, at the start of `open`, that come from earlier paragraphs: at most one of each mark. */
  let carried = 0;
  const waiting = new Map<Mark, number>();

  const holds = (depth: number) => {
    const around = open.at(-1);
    if (around) around.deepest = Math.max(around.deepest, depth);
  };
  const write = (piece: string, at: number) => {
    if (piece !== '') nodes.push({ kind: 'text', text: piece, at });
  };
  /** Leaves an opener as text. The caller keeps the number of openers above it small, so that this is quick. */
  const drop = (index: number) => {
    const [opener] = open.splice(index, 1);
    if (!opener) return;
    waiting.set(opener.mark, (waiting.get(opener.mark) ?? 1) - 1);
    const around = open[index - 1];
    if (around) around.deepest = Math.max(around.deepest, opener.deepest);
  };
  const begin = (mark: Mark, at: number) => {
    // The end of the earlier one was forgotten.
    const forgotten = open.slice(0, carried).findIndex((opener) => opener.mark === mark);
    if (forgotten >= 0) {
      drop(forgotten);
      carried -= 1;
    }
    open.push({ mark, node: nodes.length, deepest: 0 });
    waiting.set(mark, (waiting.get(mark) ?? 0) + 1);
    write(mark, at);
  };
  /** The newest opener of these marks. The caller removes it, which pays for the search. */
  const nearest = (marks: readonly Mark[]) => {
    if (!marks.some((mark) => waiting.get(mark))) return -1;
    return open.findLastIndex(({ mark }) => marks.includes(mark));
  };
  /** Removes an opener and the unclosed ones above it from the stack. */
  const take = (index: number): Opener | undefined => {
    const [opener, ...never] = index < 0 ? [] : open.splice(index);
    if (!opener) return undefined;
    carried = Math.min(carried, open.length);
    for (const { mark } of [opener, ...never]) waiting.set(mark, (waiting.get(mark) ?? 1) - 1);
    opener.deepest = never.reduce((deepest, one) => Math.max(deepest, one.deepest), opener.deepest);
    return opener;
  };
  /** Wraps everything since an opener into one span; false when that would exceed the nesting limit. */
  const wrap = ({ node, deepest }: Opener, make: (mark: Span, inner: Span[], at: number) => Span) => {
    const depth = deepest + 1;
    const [mark, ...inner] = depth > MAX_DEPTH ? [] : nodes.splice(node);
    holds(mark ? depth : deepest);
    if (mark) nodes.push(make(mark, inner, mark.at));
    return mark !== undefined;
  };
  const wrapMarked = (opener: Opener, end: string, endAt: number) => {
    const kind = SPAN_KINDS[opener.mark];
    if (kind === undefined) return false;
    // Quotation marks stay part of the speech; other marks are removed.
    const spoken = kind === 'speech';
    if (spoken) write(end, endAt);
    return wrap(opener, (mark, inner, at) => ({
      kind,
      spans: joinTexts(spoken ? [mark, ...inner] : inner),
      at,
    }));
  };

  /** Keeps only the newest opener of each mark that may close in the next paragraph. */
  const endParagraph = () => {
    const seen = new Set<Mark>();
    for (let index = open.length - 1; index >= 0; index -= 1) {
      const mark = open[index]?.mark as Mark;
      if (!EMPHASIS.has(mark) || seen.has(mark)) drop(index);
      seen.add(mark);
    }
    carried = open.length;
    onBreak(carried > 0);
  };

  const lastBreak = text.lastIndexOf(PARAGRAPH_BREAK);
  const special = new RegExp(SPECIAL);
  const ticks = findNextOfSameLength(text);
  let from = 0;
  for (let found = special.exec(text); found !== null; found = special.exec(text)) {
    const at = found.index;
    const [piece] = found;
    let end = at + piece.length;
    const before = getCharacterBefore(text, at);
    const after = getCharacterAt(text, end);
    const canOpen = after !== '' && !SPACE.test(after) && !isWord(before);
    const canClose = before !== '' && !SPACE.test(before) && !isWord(after);
    write(text.slice(from, at), from);
    const first = piece.charAt(0);
    if (piece === PARAGRAPH_BREAK) {
      write(piece, at);
      endParagraph();
    } else if (first === '*' || first === '~' || (first === '_' && before !== '\\')) {
      const last = growing && end === text.length;
      let left = piece.length;
      let done = at;
      const isMark = first === '~' ? left === 2 || (last && left === 1) : left <= 3;
      if (!isMark) {
        write(piece, at);
        left = 0;
      }
      while (canClose && left > 0) {
        const marks = (left > 1 || last ? [first, first + first] : [first]) as Mark[];
        const index = nearest(marks);
        // Wait for the second half of the closing mark.
        if (left < (open[index]?.mark.length ?? 0)) break;
        const opener = take(index);
        if (!opener) break;
        if (!wrapMarked(opener, '', done)) write(opener.mark, done);
        left -= opener.mark.length;
        done += opener.mark.length;
      }
      // At the very end of a streaming text a mark may be half of a longer one, or the start of a span.
      const waits = last && (first !== '_' || !isWord(before));
      if (left > 0 && !waits) {
        if (canOpen) {
          if (left > 1) begin((first + first) as Mark, done);
          if (left !== 2) begin(first as Mark, done + (left > 1 ? 2 : 0));
        } else write(first.repeat(left), done);
      }
    } else if (first === '`') {
      const close = ticks.get(at);
      if (close !== undefined || (growing && piece.length < 3 && at > lastBreak)) {
        const stop = close ?? text.length;
        const code = text.slice(end, stop);
        end = close === undefined ? stop : stop + piece.length;
        if (code !== '') nodes.push({ kind: 'code', text: code.trim() || code, at });
      } else write(piece, at);
    } else if (piece === '[' || piece === '![') {
      begin(piece, at);
    } else if (piece === ']') {
      DESTINATION.lastIndex = end;
      const destination = text.charAt(end) === '(' ? DESTINATION.exec(text) : null;
      // Consume the opener even when the URL is unsafe, so that it is not examined again.
      const opener = destination ? take(nearest(['[', '!['])) : undefined;
      const picture = opener?.mark === '![';
      const href = picture ? '' : toSafeUrl(destination?.[1] ?? '');
      const made =
        opener !== undefined &&
        href !== null &&
        wrap(opener, (_, label, at) => {
          if (picture) return { kind: 'picture', text: getSpanText(label), at };
          const spans = label.length === 0 ? [{ kind: 'text' as const, text: href, at }] : removeLinks(label);
          return createLink(href, spans, at);
        });
      if (made) end += destination?.[0].length ?? 0;
      else {
        if (opener && href === null) holds(opener.deepest);
        write(piece, at);
      }
    } else if (first === '\\' && piece.length > 1) {
      write(piece.slice(1), at);
    } else if (piece.length > 3) {
      BARE_URL.lastIndex = at;
      let address = isWord(before) || before === ':' ? '' : (BARE_URL.exec(text)?.[0] ?? '');
      let length = address.length;
      while (length > 0 && ENDS_SENTENCE.includes(address.charAt(length - 1))) length -= 1;
      address = address.slice(0, length);
      const href = toSafeUrl(address);
      // Skip an invalid URL as a whole; rescanning from its middle would take quadratic time.
      if (address !== '') end = at + address.length;
      const shown: Span = { kind: 'text', text: text.slice(at, end), at };
      nodes.push(href === null ? shown : createLink(href, [shown], at));
      holds(1);
    } else {
      const closes = canClose || piece !== '"' ? nearest(SPEECH_CLOSERS[piece] ?? []) : -1;
      const opener = take(closes);
      const mayOpen = piece === '"' ? canOpen : piece !== '»' || canOpen;
      if (opener) wrapMarked(opener, piece, at);
      else if (SPEECH_OPENERS.has(piece) && mayOpen) begin(piece as Mark, at);
      else write(piece, at);
    }
    from = end;
    special.lastIndex = end;
  }
  write(text.slice(from), from);

  if (growing) {
    // Close only the newest opener of each kind; older unclosed ones are plain text.
    const begun = new Set<string>();
    for (let opener = take(open.length - 1); opener; opener = take(open.length - 1)) {
      const kind = SPAN_KINDS[opener.mark];
      if (kind === undefined || begun.has(kind)) {
        holds(opener.deepest);
        continue;
      }
      begun.add(kind);
      wrapMarked(opener, '', text.length);
    }
  }
  return joinTexts(nodes);
}

/** The visible text of some spans. */
export function getSpanText(spans: readonly Span[]): string {
  return spans
    .map((span) => {
      if (!('spans' in span)) return span.text;
      const inner = getSpanText(span.spans);
      return span.kind === 'link' && span.host !== undefined ? `${inner} (${span.host})` : inner;
    })
    .join('');
}

function createLink(href: string, spans: Span[], at: number): Span {
  const host = findHiddenHost(href, getSpanText(spans));
  return { kind: 'link', href, ...(host === null ? {} : { host }), spans, at };
}

/** A piece of a paragraph: plain text, an action, or stressed or struck words. */
export interface StyledText {
  kind: 'text' | 'action' | 'stress' | 'strike';
  text: string;
}

/**
 * Splits a paragraph into plain, action, stressed and struck text without nesting, for one- or two-line previews.
 * @param growing the text is cut off: an action without its end counts
 */
export function parseStyledText(text: string, growing = false): StyledText[] {
  return toStyledText(parseSpans(text, growing));
}

/** Flattens the spans of a paragraph, like {@link parseStyledText}. */
export function toStyledText(paragraph: readonly Span[]): StyledText[] {
  const stretches: StyledText[] = [];
  const walk = (spans: readonly Span[], kind: StyledText['kind']) => {
    for (const span of spans) {
      if ('spans' in span) {
        walk(span.spans, span.kind === 'speech' || span.kind === 'link' ? kind : span.kind);
        continue;
      }
      const last = stretches.at(-1);
      if (last?.kind === kind) last.text += span.text;
      else stretches.push({ kind, text: span.text });
    }
  };
  walk(paragraph, 'text');
  return stretches;
}

/** Merges adjacent texts to keep the rendered tree small. */
function joinTexts(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (span.kind === 'text' && last?.kind === 'text') last.text += span.text;
    else result.push(span.kind === 'text' ? { ...span } : span);
  }
  return result;
}

/** Removes links inside a link's text. */
function removeLinks(spans: readonly Span[]): Span[] {
  return joinTexts(
    spans.flatMap((span): Span[] => {
      if (span.kind === 'link') return removeLinks(span.spans);
      return 'spans' in span ? [{ ...span, spans: removeLinks(span.spans) }] : [span];
    }),
  );
}

/** Maps each run of backticks to the next run of the same length in its paragraph, in one pass from the end. */
function findNextOfSameLength(text: string): Map<number, number> {
  const next = new Map<number, number>();
  if (!text.includes('`')) return next;
  const seen = new Map<number, number>();
  for (const { index, 0: run } of [...text.matchAll(/`+|\n\n/g)].reverse()) {
    if (run === PARAGRAPH_BREAK) {
      seen.clear();
      continue;
    }
    const following = seen.get(run.length);
    if (following !== undefined) next.set(index, following);
    seen.set(run.length, index);
  }
  return next;
}

function isWord(character: string): boolean {
  return WORD.test(character) && !UNSPACED.test(character);
}

function getCharacterAt(text: string, at: number): string {
  const point = text.codePointAt(at);
  return point === undefined ? '' : String.fromCodePoint(point);
}

function getCharacterBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return getCharacterAt(text, low >= 0xdc00 && low <= 0xdfff && at > 1 ? at - 2 : at - 1);
}

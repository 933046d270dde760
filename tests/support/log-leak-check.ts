import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../../scripts/lib/process.mjs';

/**
 * Whether a Worker's log contains personal data: what users wrote, their names, addresses and secrets. It knows what the
 * run stored and what such data looks like.
 */

/** Texts of users as they were stored. */
export interface StoredText {
  /** Texts of twelve or more characters, and names worth searching for. */
  texts: Iterable<string>;
  /** Login codes, which are looked for as whole words. */
  codes?: Iterable<string>;
  /** Keys and secrets that the site was started with. */
  secrets?: Iterable<string>;
}

/** Shorter texts may occur by chance. */
const MIN_CHARS = 12;
const MIN_NAME_CHARS = 6;
/** Only some parts of a long text are searched for, because a log truncates texts. */
const FRAGMENT_LENGTH = 24;

/** Ids, picture keys, rule names and times, which are not personal. */
const IMPERSONAL_VALUE =
  /^(?:(?:gift:)?(?:[0-9a-z]{26}|[0-9a-f-]{32,64})|[0-9a-f]{32}[.]\w+|[A-Z0-9]+(?:-[A-Z0-9]+)*|\/[\w./-]*|\d{4}-\d\d-\d\dT[\d:.]+Z|[\d.]+)$/;
/** Columns of names, which may be short. */
const NAME_COLUMNS = new Set(['username', 'nickname', 'name', 'email', 'address', 'title', 'character_name']);

/**
 * Ids in a log line that are no leak: an object's own id, in our lines or where the runtime logs a dropped alarm (workerd's
 * `actor-sqlite.c++`).
 */
const OWN_IDS = /(?<="wallet":")[0-9a-f]{64}(?=")|(?<=^NOSENTRY .*; actorId = )[0-9a-f]{64}$/g;
/** The development server's own request lines, which production does not have. */
const DEV_SERVER_LINE = /^\[wrangler:inf?o?\]|^\[mf:inf?o?\]/;
/** The development server's line for each mail in its mailbox. */
const DEV_SERVER_MAIL_LINE =
  /^\[wrangler:info\] send_email binding called with [^\n]*\n(?:(?:From|To|Cc|Bcc|Reply-To|Subject|Headers|Attachments?|Text|HTML): [^\n]*(?:\n|$)|\n)+/gm;

/** A text of plain letters is a name or a product word, and only counts as a whole word. */
const PLAIN_WORD = /^[A-Za-z]+(?:[_:-][A-Za-z]+)*$/;

let productWords: Set<string> | undefined;
/** The words of the product and its seed data, which may occur in a log. */
function collectProductWords(): Set<string> {
  productWords ??= new Set(
    globSync(
      [
        'src/**/*.{ts,tsx,js,astro,json}',
        'migrations/**/*.sql',
        'scripts/seed/characters/*.json',
        'wrangler.toml',
      ],
      {
        cwd: ROOT,
      },
    ).flatMap((file) => readFileSync(join(ROOT, file), 'utf8').match(/[A-Za-z_]+/g) ?? []),
  );
  return productWords;
}

/** Whether a text of plain letters is a product word; former kinds and states count too. */
const isProductWord = (key: string, text: string): boolean =>
  collectProductWords().has(text) ||
  text.split(/[:-]/).every((word) => collectProductWords().has(word)) ||
  (!NAME_COLUMNS.has(key) && /^[a-z]+(?:_[a-z]+)+$/.test(text));

/** A matcher for a text; plain letters match whole words only. */
function createMatcher(piece: string): (told: string) => boolean {
  if (!PLAIN_WORD.test(piece)) return (told) => told.includes(piece);
  const whole = new RegExp(String.raw`(?<!\w)${piece}(?!\w)`);
  return (told) => told.includes(piece) && whole.test(told);
}

const LOOKS_LIKE: Record<string, RegExp> = {
  'an e-mail address': /[\w.+-]+@[\w-]+\.[\w.-]+/,
  'a network address':
    /(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])|(?<![\w:])(?:[\da-f]{1,4}:){4,7}[\da-f]{1,4}(?![\w:])/i,
  'a token or its hash': /(?<![\w-])[\da-f]{64}(?![\w-])/,
  'a bearer key': /bearer\s+[\w.-]{8,}/i,
  'a cookie': /(?:__Host-)?session=\w{8,}/,
};

/** The distinct lines of a log, without values that differ from call to call. */
function normalizeLines(log: string): string[] {
  const lines = new Set<string>();
  const told = stripVTControlCharacters(log).replaceAll(DEV_SERVER_MAIL_LINE, '');
  for (const raw of told.split('\n')) {
    const plain = raw.trim();
    // The development server prefixes warnings and errors.
    const line = plain.slice(Math.max(0, plain.indexOf('{"event"')));
    if (line === '' || DEV_SERVER_LINE.test(line)) continue;
    lines.add(
      line
        .replaceAll(OWN_IDS, '')
        .replaceAll(/"request_id":"[\w-]+"/g, '"request_id":""')
        .replaceAll(/"ms":\d+/g, '"ms":0'),
    );
  }
  return [...lines];
}

/** The parts of a text to search for; a text of several lines has several. */
function listFragments(text: string): string[] {
  const lines = text.includes('\n')
    ? text.split('\n').filter((line) => line.trim().length >= MIN_CHARS)
    : [text];
  return lines.flatMap((line) => {
    if (line.length <= FRAGMENT_LENGTH) return [line];
    const middle = Math.floor((line.length - FRAGMENT_LENGTH) / 2);
    return [
      line.slice(0, FRAGMENT_LENGTH),
      line.slice(middle, middle + FRAGMENT_LENGTH),
      line.slice(-FRAGMENT_LENGTH),
    ];
  });
}

/** The texts of a line before JSON encoding, so that quotes and line breaks hide nothing. */
function unescapeJson(line: string): string {
  try {
    const texts: string[] = [];
    JSON.parse(line, (_, value: unknown) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
    return `${line}\n${texts.join('\n')}`;
  } catch {
    return line;
  }
}

/** The leaks in a log, one sentence each; empty if there are none. */
export function findLeaks(log: string, { texts, codes = [], secrets = [] }: StoredText): string[] {
  const lines = normalizeLines(log).map(unescapeJson);
  const all = lines.join('\n');
  const found = new Set<string>();
  const where = (needle: string, finds = (told: string) => told.includes(needle)): string =>
    (lines.find(finds) ?? '').slice(0, 160);
  for (const [what, look] of Object.entries(LOOKS_LIKE))
    for (const line of lines) if (look.test(line)) found.add(`${what}: ${line.slice(0, 160)}`);
  const pieces = new Set([...texts].flatMap(listFragments));
  for (const piece of pieces) {
    const finds = createMatcher(piece);
    if (finds(all)) found.add(`«${piece}»: ${where(piece, finds)}`);
  }
  for (const secret of secrets) if (all.includes(secret)) found.add(`a secret: ${where(secret)}`);
  for (const code of new Set(codes))
    if (new RegExp(String.raw`(?<![\d.:])${code}(?![\d.:])`).test(all))
      found.add(`a login code: ${where(code)}`);
  return [...found];
}

/** The texts in a value that may be JSON, each with its key. */
function* iterateJsonTexts(value: string, column: string): Generator<[key: string, text: string]> {
  if (/^[[{]/.test(value)) {
    try {
      const texts: [string, string][] = [];
      JSON.parse(value, (key, one: unknown) => {
        if (typeof one === 'string') texts.push([key, one]);
        return one;
      });
      yield* texts;
      return;
    } catch {
      // A text that only begins like JSON.
    }
  }
  yield [column, value];
}

/** All texts of users in one database. */
function* iterateDatabaseTexts(file: string): Generator<string> {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = db
      .prepare("select name from sqlite_master where type = 'table' and sql not like '%virtual%'")
      .all() as { name: string }[];
    for (const { name } of tables) {
      const columns = db.prepare(`select name from pragma_table_info('${name}')`).all() as { name: string }[];
      for (const { name: column } of columns) {
        const rows = db
          .prepare(`select distinct "${column}" as value from "${name}" where typeof("${column}") = 'text'`)
          .all() as { value: string }[];
        for (const { value } of rows)
          for (const [key, text] of iterateJsonTexts(value, column))
            if (
              text.length >= (NAME_COLUMNS.has(key) ? MIN_NAME_CHARS : MIN_CHARS) &&
              !IMPERSONAL_VALUE.test(text) &&
              !(PLAIN_WORD.test(text) && isProductWord(key, text))
            )
              yield text;
      }
    }
  } finally {
    db.close();
  }
}

/** The databases in a local state directory; caches of public data are not included. */
export function readStoredTexts(stateDir: string): Set<string> {
  const texts = new Set<string>();
  for (const kind of ['d1', 'do', 'kv']) {
    const folder = join(stateDir, 'v3', kind);
    if (!existsSync(folder)) continue;
    for (const file of globSync(join(folder, '**/*.sqlite'))) {
      if (file.includes('metadata')) continue;
      for (const text of iterateDatabaseTexts(file)) texts.add(text);
    }
  }
  return texts;
}

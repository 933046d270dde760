import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../../scripts/lib/process.mjs';

/**
 * Whether a Worker's log holds something that is somebody's: what people wrote and are called, where they write from, and
 * what opens a door. It knows both what was stored in the run that wrote the log, and what such things look like.
 */

/** What somebody wrote or is called, as it was stored. */
export interface StoredText {
  /** Texts of twelve characters and more, and names of any length worth looking for. */
  texts: Iterable<string>;
  /** Login codes, which are looked for as whole words. */
  codes?: Iterable<string>;
  /** Keys and secrets that the site was started with. */
  secrets?: Iterable<string>;
}

/** What is shorter may stand anywhere by chance. */
const MIN_CHARS = 12;
const MIN_NAME_CHARS = 6;
/** Of a long text some places are looked for: a log cuts what it tells. */
const FRAGMENT_LENGTH = 24;

/** Ids of ours and of others, keys of pictures, names of our own rules and times: nobody's words. */
const IMPERSONAL_VALUE =
  /^(?:[0-9a-z]{26}|[0-9a-f-]{32,64}|[0-9a-f]{32}[.]\w+|[A-Z0-9]+(?:-[A-Z0-9]+)*|\/[\w./-]*|\d{4}-\d\d-\d\dT[\d:.]+Z|[\d.]+)$/;
/** Columns of names, which may be short. */
const NAME_COLUMNS = new Set(['username', 'nickname', 'name', 'email', 'address', 'title', 'character_name']);

/**
 * What stands in a line by itself and is no leak, however much it looks like one: an object's own id, in ours or where the
 * runtime itself notes that it drops a call of an alarm which has been moved (workerd's `actor-sqlite.c++`).
 */
const OWN_IDS = /(?<="wallet":")[0-9a-f]{64}(?=")|(?<=^NOSENTRY .*; actorId = )[0-9a-f]{64}$/g;
/** The development server's own notes of what was asked; nothing of them is there in production. */
const DEV_SERVER_LINE = /^\[wrangler:inf?o?\]|^\[mf:inf?o?\]/;
/** And of each mail, which it puts into its own mailbox. */
const DEV_SERVER_MAIL_LINE =
  /^\[wrangler:info\] send_email binding called with [^\n]*\n(?:(?:From|To|Cc|Bcc|Reply-To|Subject|Headers|Attachments?|Text|HTML): [^\n]*(?:\n|$)|\n)+/gm;

/** A text of plain letters is a name or one of our own words; where it is looked for, it has to stand alone. */
const PLAIN_WORD = /^[A-Za-z]+(?:[_:-][A-Za-z]+)*$/;

let productWords: Set<string> | undefined;
/** The words of the product and of what it is seeded with: in a log they are its own. */
function collectProductWords(): Set<string> {
  productWords ??= new Set(
    globSync(
      ['src/**/*.{ts,tsx,js,astro,json}', 'migrations/**/*.sql', 'scripts/seed/*.json', 'wrangler.toml'],
      {
        cwd: ROOT,
      },
    ).flatMap((file) => readFileSync(join(ROOT, file), 'utf8').match(/[A-Za-z_]+/g) ?? []),
  );
  return productWords;
}

/** Whether a text of plain letters is no one's; what once was a kind or a state of ours stays one, though no code names it. */
const isProductWord = (key: string, text: string): boolean =>
  collectProductWords().has(text) ||
  text.split(/[:-]/).every((word) => collectProductWords().has(word)) ||
  (!NAME_COLUMNS.has(key) && /^[a-z]+(?:_[a-z]+)+$/.test(text));

/** What a text is found by: one of plain letters as whole words, as it could be a part of any other. */
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

/** The different lines of a log, without what differs from call to call. */
function normalizeLines(log: string): string[] {
  const lines = new Set<string>();
  const told = stripVTControlCharacters(log).replaceAll(DEV_SERVER_MAIL_LINE, '');
  for (const raw of told.split('\n')) {
    const plain = raw.trim();
    // The development server puts a word before what is loud.
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

/** Places of a text that are looked for: a text of several lines may stand in several. */
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

/** A line's texts as they were before they became JSON, so that no quote or line break hides anything. */
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

/** What of somebody's a log holds, a sentence each; empty where it holds nothing. */
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

/** The texts in a value that may be JSON, each with what it is called there. */
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
      // A text that begins like JSON.
    }
  }
  yield [column, value];
}

/** Everything that people wrote or are called in one database. */
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

/** The databases of a site on this machine, by where the platform's stand-in keeps them: what is public for all is not in it. */
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

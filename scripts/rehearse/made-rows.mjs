// Data for a database of any age: rows in every table, the same each time. A table's columns are SQL over `i`, the number
// of the row from 1 on; of these, a database takes those that it has.
import { BOOKS } from './made-books.mjs';
import { CHARACTERS } from './made-characters.mjs';
import { PEOPLE } from './made-people.mjs';

/** @typedef {{ name: string, rows: (size: Size) => number, columns: (size: Size) => Record<string, string> }} MadeTable */
/** @typedef {{ conversations: number, characters: number, people: number }} Size */

/**
 * How much of everything there is beside so many conversations: ten of a character, five of a person.
 * @param {number} conversations
 * @returns {Size}
 */
export function sizeOf(conversations) {
  return {
    conversations,
    characters: Math.max(6, Math.ceil(conversations / 10)),
    people: Math.max(12, Math.ceil(conversations / 5)),
  };
}

const TABLES = [...PEOPLE, ...CHARACTERS, ...BOOKS];

/** What the product makes of others: their triggers fill them, and only this is added. */
const MADE_BY_OTHERS = [
  {
    name: 'character_words',
    sql: `update character_words set version = 1, words = 'mira of the lamps keeper lighthouse mile m' || id
      where id > ? and id <= ?`,
    rows: ({ characters }) => characters,
  },
];

/** Rows of one statement: more would be held in memory at once. */
const CHUNK = 20_000;

/**
 * What fills a database of D1, statement by statement.
 * @param {Map<string, string[]>} columns the tables that are there, with their columns
 * @param {Size} size
 * @returns {Generator<{ table: string, sql: string, values: number[] }>}
 */
export function* fillings(columns, size) {
  yield* fillingsOf(TABLES, columns, size);
  for (const { name, sql, rows } of MADE_BY_OTHERS)
    if (columns.has(name))
      for (let from = 0; from < rows(size); from += CHUNK)
        yield { table: name, sql, values: [from, from + CHUNK] };
}

/**
 * What fills these tables, as far as they are there.
 * @template S
 * @param {{ name: string, rows: (size: S) => number, columns: (size: S) => Record<string, string> }[]} tables
 * @param {Map<string, string[]>} columns
 * @param {S} size
 * @returns {Generator<{ table: string, sql: string, values: number[] }>}
 */
export function* fillingsOf(tables, columns, size) {
  for (const { name, rows, columns: made } of tables) {
    const there = columns.get(name);
    if (there === undefined) continue;
    const values = Object.entries(made(size)).filter(([column]) => there.includes(column));
    const sql = `insert into ${name} (${values.map(([column]) => column).join(', ')})
      with recursive n (i) as (select ? union all select i + 1 from n where i < ?)
      select ${values.map(([, value]) => value).join(', ')} from n`;
    const count = rows(size);
    for (let from = 1; from <= count; from += CHUNK)
      yield { table: name, sql, values: [from, Math.min(count, from + CHUNK - 1)] };
  }
}

/** Tables that hold what somebody wrote: no index of words, and nothing that SQLite or D1 keeps for itself. */
export const TABLES_SQL = `select name from pragma_table_list
  where schema = 'main' and type = 'table' and name not like 'sqlite_%' and name not like '\\_cf\\_%' escape '\\'
    and name <> 'd1_migrations' order by name`;

/**
 * @param {(sql: string, ...values: string[]) => Record<string, unknown>[]} all
 * @returns {Map<string, string[]>} the tables that are there, with their columns
 */
export function columnsOf(all) {
  return new Map(
    all(TABLES_SQL).map(({ name }) => [
      String(name),
      all('select name from pragma_table_info(?)', String(name)).map((column) => String(column.name)),
    ]),
  );
}

// A database as large as a product's that has done well: written past the runtime, straight into its file, since a million
// rows by way of it would take longer than everything that is measured.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CATALOGUE_NOW, fillCatalogue, insertRecentChats } from '../../tests/support/large-catalogue.ts';
import { toCharacterDay } from '../../src/features/character/discovery/discovery-refresh-store.ts';

/** A person has so many conversations, as a rule. */
const EACH = 20;
const AT_ONCE = 100_000;

/** The file that holds the product's tables, in a folder of storage. */
function databaseIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && file.name.endsWith('.sqlite'))
    .map((file) => join(file.parentPath, file.name));
  for (const file of files) {
    const db = new DatabaseSync(file);
    if (db.prepare("select 1 from sqlite_master where name = 'character_words'").get() !== undefined)
      return db;
    db.close();
  }
  throw new Error('The folder holds no database of the product.');
}

/** As much of D1 as fills a catalogue. */
function asD1(db) {
  const bound = (sql, values) => ({
    run: async () => {
      const statement = db.prepare(sql);
      statement.setAllowUnknownNamedParameters(true);
      // D1 takes numbered parameters in their order, and so does this.
      statement.run(...values);
    },
  });
  return {
    prepare: (sql) => ({ bind: (...values) => bound(sql, values), ...bound(sql, []) }),
    batch: async (statements) => {
      db.exec('begin');
      for (const statement of statements) await statement.run();
      db.exec('commit');
    },
  };
}

/** What stands in `sqlite_master` of a table's indexes: rows come faster when these are made after them. */
const indexesOf = (db, table) =>
  db
    .prepare("select name, sql from sqlite_master where type = 'index' and tbl_name = ? and sql is not null")
    .all(table);

function fillConversations(db, count, characters) {
  const people = Math.ceil(count / EACH);
  db.prepare(
    `with recursive n(i) as (select 0 union all select i + 1 from n where i < cast(?1 as integer) - 1)
     insert into users (id, username, is_anonymous, seen_at, created_at, updated_at)
     select 'p' || i, 'person' || i, 0, cast(?2 as integer), cast(?2 as integer), cast(?2 as integer) from n`,
  ).run(people, CATALOGUE_NOW);
  const ids = db.prepare('select id from characters order by rowid').all();
  db.exec('create temp table places (place integer primary key, id text)');
  const place = db.prepare('insert into places values (?, ?)');
  db.exec('begin');
  ids.forEach(({ id }, index) => place.run(index, id));
  db.exec('commit');
  const indexes = indexesOf(db, 'conversations');
  for (const { name } of indexes) db.exec(`drop index "${name}"`);
  const insert = db.prepare(
    `with recursive n(i) as (select cast(?1 as integer) union all select i + 1 from n where i < cast(?2 as integer) - 1)
     insert into conversations (id, owner_id, character_id, character_name, avatar_url, title, created_at,
       last_message_at, message_count, turns)
     select 'c' || i, 'p' || (i % cast(?3 as integer)), places.id, 'Somebody', '/media/none.webp', null, cast(?4 as integer) - i * 1000,
       cast(?4 as integer) - (i * 7919 % 31536000) * 1000, 10 + i % 90, 5 + i % 45
     from n join places on place = (i * 31) % cast(?5 as integer)`,
  );
  for (let from = 0; from < count; from += AT_ONCE)
    insert.run(from, Math.min(count, from + AT_ONCE), people, CATALOGUE_NOW, characters);
  for (const { sql } of indexes) db.exec(sql);
}

/**
 * Fills the storage of a product that does not run now and has its tables.
 * @param {{ characters: number, conversations: number, say: (text: string) => void }} options
 */
export async function fillLarge(folder, { characters, conversations, say }) {
  const db = databaseIn(folder);
  try {
    db.exec('pragma synchronous = off; pragma cache_size = -400000; pragma foreign_keys = off');
    say(`  ${characters.toLocaleString('en')} characters …`);
    await fillCatalogue(asD1(db), 0, characters);
    db.exec('begin');
    await insertRecentChats(asD1(db), characters, toCharacterDay(CATALOGUE_NOW));
    db.exec('commit');
    say(`  ${conversations.toLocaleString('en')} conversations …`);
    fillConversations(db, conversations, characters);
    db.exec('pragma wal_checkpoint(truncate)');
    const pages = db.prepare('pragma page_count').get().page_count;
    const size = db.prepare('pragma page_size').get().page_size;
    return { bytes: pages * size };
  } finally {
    db.close();
  }
}

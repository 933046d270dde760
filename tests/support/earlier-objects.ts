import {
  CONVERSATION,
  type MadeObjectTable,
  type ObjectSize,
  SEARCH,
  WALLET,
} from '../../scripts/rehearse/made-objects.mjs';
import { columnsOf, fillingsOf } from '../../scripts/rehearse/made-rows.mjs';
import { type ObjectStep, sqlOf } from '../../src/db/object-migrations.ts';
import { CONVERSATION_MIGRATIONS } from '../../src/features/conversation/conversation-migrations.ts';
import { SEARCH_MIGRATIONS } from '../../src/features/search/search-store.ts';
import { WALLET_MIGRATIONS } from '../../src/features/wallet/ledger-store.ts';

type Rows = Record<string, SqlStorageValue>[];

/** The kinds of objects: their steps, and what can stand in their tables. */
export const KINDS: Record<
  'conversation' | 'wallet' | 'search',
  { steps: readonly ObjectStep[]; tables: MadeObjectTable[] }
> = {
  conversation: { steps: CONVERSATION_MIGRATIONS, tables: CONVERSATION },
  wallet: { steps: WALLET_MIGRATIONS, tables: WALLET },
  search: { steps: SEARCH_MIGRATIONS, tables: SEARCH },
};

export const rowsOf = (sql: SqlStorage, query: string, ...values: string[]): Rows =>
  sql.exec(query, ...values).toArray();

/** Everything that stands in an object, table by table. */
export function dump(sql: SqlStorage): Map<string, Rows> {
  return new Map(
    [...columnsOf((query, ...values) => rowsOf(sql, query, ...values))].map(([table, names]) => [
      table,
      rowsOf(sql, `select ${names.join(', ')} from ${table} order by ${names.length > 1 ? '1, 2' : '1'}`),
    ]),
  );
}

/** What an object's tables are, without what moves have noted. */
export const schemaOf = (sql: SqlStorage): Rows =>
  rowsOf(
    sql,
    `select type, name, tbl_name, sql from sqlite_master
     where tbl_name not like '\\_cf\\_%' escape '\\' and name not in ('object_moves', 'object_migrations', '__miniflare_do_name') order by type, name`,
  );

/** An object as the code of so many steps left it, which wrote down nothing of how far back it can be read. */
export function makeEarlier(
  sql: SqlStorage,
  kind: keyof typeof KINDS,
  count: number,
  size: ObjectSize,
): Map<string, Rows> {
  const { steps, tables } = KINDS[kind];
  sql.exec('create table object_migrations (step integer primary key, applied_at integer not null)');
  steps.slice(0, count).forEach((step, index) => {
    const statements = sqlOf(step);
    if (statements !== '') sql.exec(statements);
    sql.exec('insert into object_migrations values (?, ?)', index + 1, size.messages);
  });
  const columns = columnsOf((query, ...values) => rowsOf(sql, query, ...values));
  if (kind === 'search') columns.set('words', ['rowid', 'line']);
  for (const filling of fillingsOf(tables, columns, size)) sql.exec(filling.sql, ...filling.values);
  return dump(sql);
}

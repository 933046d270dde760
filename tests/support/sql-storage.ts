import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** Node's SQLite behind the parts of the Durable Object storage interface that the stores use. */
export function createSqlStorage(database: DatabaseSync): SqlStorage {
  const prepared = new Map<string, StatementSync>();
  const exec = (query: string, ...bindings: SQLInputValue[]) => {
    const statement = prepared.get(query) ?? database.prepare(query);
    prepared.set(query, statement);
    const rows = statement.all(...bindings).map((row) => ({ ...row }));
    return {
      toArray: () => rows,
      one: () => {
        if (rows.length !== 1) throw new Error(`expected one row, got ${rows.length}`);
        return rows[0];
      },
      [Symbol.iterator]: () => rows[Symbol.iterator](),
    };
  };
  return { exec } as unknown as SqlStorage;
}

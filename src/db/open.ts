import { drizzle } from 'drizzle-orm/d1';

export type Database = ReturnType<typeof openDatabase>;

/**
 * Opens D1, once per request. Drizzle gets no schema: it would parse all tables on every call, only for relational
 * queries, which the code does not use.
 */
export function openDatabase(binding: D1Database) {
  return drizzle(binding);
}

/** Prepares a query once for each binding: building a large one takes longer than sending it. */
export function prepareOnce<Query>(prepare: (db: Database) => Query): (db: Database) => Query {
  const prepared = new WeakMap<D1Database, Query>();
  return (db) => {
    const query = prepared.get(db.$client) ?? prepare(db);
    prepared.set(db.$client, query);
    return query;
  };
}

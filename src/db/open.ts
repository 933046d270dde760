import { drizzle } from 'drizzle-orm/d1';

export type Database = ReturnType<typeof openDatabase>;

/**
 * Opens D1, once per request. Drizzle gets no schema: it would parse all tables on every call, only for relational
 * queries, which the code does not use.
 */
export function openDatabase(binding: D1Database) {
  return drizzle(binding);
}

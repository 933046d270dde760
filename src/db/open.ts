import { drizzle } from 'drizzle-orm/d1';

export type Database = ReturnType<typeof openDatabase>;

/**
 * Opens D1; one per request. Drizzle is told nothing of the tables: it would read all of them anew each time, for queries
 * by relations, of which there are none.
 */
export function openDatabase(binding: D1Database) {
  return drizzle(binding);
}

import { drizzle } from 'drizzle-orm/d1';
import * as schema from './schema.ts';

export type Database = ReturnType<typeof openDatabase>;

/** Opens D1 with the product's tables; cheap, one per request. */
export function openDatabase(binding: D1Database) {
  return drizzle(binding, { schema });
}

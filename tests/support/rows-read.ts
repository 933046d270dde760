import { env } from 'cloudflare:workers';
import { type Database, openDatabase } from '../../src/db/open.ts';

/** How many rows D1 reads for what is asked of it: each statement is run once more, to hear it. */
export async function rowsRead(ask: (db: Database) => Promise<unknown>): Promise<number> {
  const asked: D1PreparedStatement[] = [];
  const binding = {
    prepare: (sql: string) => ({
      bind: (...values: unknown[]) => {
        const statement = env.DB.prepare(sql).bind(...values);
        asked.push(statement);
        return statement;
      },
    }),
  };
  await ask(openDatabase(binding as unknown as D1Database));
  const answers = await Promise.all(asked.map((statement) => statement.all()));
  return answers.reduce((sum, { meta }) => sum + meta.rows_read, 0);
}

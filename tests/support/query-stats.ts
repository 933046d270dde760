import { env } from 'cloudflare:workers';
import { type Database, openDatabase } from '../../src/db/open.ts';

/** The number of rows that D1 reads for some queries; each statement is run once more to measure it. */
export async function countRowsRead(ask: (db: Database) => Promise<unknown>): Promise<number> {
  const recordedQueries: D1PreparedStatement[] = [];
  const binding = {
    prepare: (sql: string) => ({
      bind: (...values: unknown[]) => {
        const statement = env.DB.prepare(sql).bind(...values);
        recordedQueries.push(statement);
        return statement;
      },
    }),
    batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
  };
  await ask(openDatabase(binding as unknown as D1Database));
  const answers = await Promise.all(recordedQueries.map((statement) => statement.all()));
  return answers.reduce((sum, { meta }) => sum + meta.rows_read, 0);
}

/** D1's query plan of each statement. */
export async function explainQueries(ask: (db: Database) => Promise<unknown>): Promise<string[]> {
  const plans: Promise<string>[] = [];
  const binding = {
    prepare: (sql: string) => ({
      bind: (...values: unknown[]) => {
        const plan = env.DB.prepare(`explain query plan ${sql}`).bind(...values);
        plans.push(
          plan.all<{ detail: string }>().then(({ results }) => results.map((one) => one.detail).join('\n')),
        );
        return env.DB.prepare(sql).bind(...values);
      },
    }),
    batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
  };
  await ask(openDatabase(binding as unknown as D1Database));
  return Promise.all(plans);
}

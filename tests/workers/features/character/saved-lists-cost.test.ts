import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import { listFavouriteCharacters } from '../../../../src/features/character/favourite-store.ts';
import {
  listFollowedCharacters,
  listFollowedCreators,
} from '../../../../src/features/character/follow-store.ts';
import { getHiddenList } from '../../../../src/features/character/hidden-store.ts';
import { listNews } from '../../../../src/features/character/news-store.ts';
import { createId } from '../../../../src/lib/ids.ts';
import { createAccount } from '../../../support/factories.ts';

/** Inserts an account with a creator page, without signing in. */
async function createCreator(): Promise<string> {
  const id = createId(Date.now());
  await env.DB.prepare(
    `insert into users (id, username, is_anonymous, created_at, updated_at) values (?, ?, 0, 1, 1)`,
  )
    .bind(id, `maker-${id.slice(-6)}`)
    .run();
  return id;
}

describe('Query costs', () => {
  /** Runs `work` and returns its query plans and the number of rows it read. */
  async function measureCost(
    work: (db: ReturnType<typeof openDatabase>) => Promise<unknown>,
  ): Promise<{ plans: string[]; rows: number }> {
    const queries: { sql: string; values: unknown[] }[] = [];
    const recordingDb = {
      prepare: (sql: string) => ({
        bind: (...values: unknown[]) => {
          queries.push({ sql, values });
          return env.DB.prepare(sql).bind(...values);
        },
      }),
    };
    await work(openDatabase(recordingDb as unknown as D1Database));
    const plans: string[] = [];
    let rows = 0;
    for (const { sql, values } of queries) {
      const plan = await env.DB.prepare(`explain query plan ${sql}`)
        .bind(...values)
        .all<{ detail: string }>();
      plans.push(...plan.results.map(({ detail }) => detail));
      rows += (
        await env.DB.prepare(sql)
          .bind(...values)
          .all()
      ).meta.rows_read;
    }
    return { plans, rows };
  }

  test('the lists use an index at every step, and a page reads few rows however many characters exist', async () => {
    const userId = (await createAccount()).id;
    const creatorIds = await Promise.all(Array.from({ length: 30 }, () => createCreator()));
    const addCharacters = (from: number, to: number) =>
      env.DB.batch(
        creatorIds.map((id) =>
          env.DB.prepare(
            `insert into characters (id, creator_id, name, oneliner, character_traits, model_type, visibility,
               point_of_view, suggested_replies, avatar_key, created_at, updated_at)
             select ?1 || cast(value as integer), ?1, 'x', 'x', 'x', 'roleplay', 'public', 'normal', '[]', 'x', value, 1
             from (with recursive n(value) as (select ?2 union all select value + 1 from n where value < ?3)
               select value from n)`,
          ).bind(id, from, to),
        ),
      );
    await addCharacters(1, 60);
    await env.DB.batch(
      creatorIds.map((id) => env.DB.prepare('insert into follows values (?, ?, 1)').bind(userId, id)),
    );
    const viewer = { userId, spicy: false };
    const cursor = '50.abc';
    const reads = [
      (db: ReturnType<typeof openDatabase>) =>
        listFavouriteCharacters(db, { userId, viewer, cursor, limit: 24 }),
      (db: ReturnType<typeof openDatabase>) => listFollowedCreators(db, { userId, cursor, limit: 24 }),
      (db: ReturnType<typeof openDatabase>) =>
        listFollowedCharacters(db, { userId, viewer, cursor, limit: 24 }),
      (db: ReturnType<typeof openDatabase>) => getHiddenList(db, userId),
      (db: ReturnType<typeof openDatabase>) => listNews(db, { userId, viewer, now: Date.now() }),
    ];
    for (const read of reads) {
      const { plans } = await measureCost(read);
      for (const plan of plans)
        expect(plan).not.toMatch(
          /^SCAN (characters|users|favourites|follows|hidden_items|head|character_versions)\b/,
        );
    }
    const readPage = (db: ReturnType<typeof openDatabase>) =>
      listFollowedCharacters(db, { userId, viewer, limit: 5 });
    const few = await measureCost(readPage);
    await addCharacters(61, 300);
    const many = await measureCost(readPage);
    expect(many.rows).toBe(few.rows);
    expect(many.rows).toBeLessThan(600);
    // Delete the nine thousand characters, which would slow other tests.
    await env.DB.batch(
      creatorIds.map((id) => env.DB.prepare('delete from characters where creator_id = ?').bind(id)),
    );
  });
});

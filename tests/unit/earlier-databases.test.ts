import { describe, expect, test } from 'vitest';
import {
  all,
  apply,
  databaseAt,
  fill,
  MIGRATIONS,
  type Rows,
  shapeOf,
  tablesOf,
} from '../support/database-shapes.ts';

const at = (number: string): number => MIGRATIONS.findIndex(({ name }) => name.startsWith(number));

/** What the product makes of other rows by its triggers. */
const MADE_BY_TRIGGERS = ['character_listings', 'character_words', 'competition_entries'];
/** Which words a character has, and when an entry was looked at: chores say it, which had no time yet. */
const SAID_BY_CHORES = new Set(['words', 'version', 'since', 'looked']);

describe.each(MIGRATIONS.map(({ name }, index) => ({ name, count: index + 1 })))(
  'A database as $name left it, with something in every table,',
  ({ count }) => {
    test('keeps all of it, in tables that are those of a new database', () => {
      const db = databaseAt(count);
      const columns = tablesOf(db);
      fill(db, columns);
      const rows = (): Map<string, Rows> =>
        new Map(
          [...columns].map(([table, names]) => [
            table,
            all(db, `select ${names.join(', ')} from ${table} order by 1, 2`),
          ]),
        );
      const before = rows();
      for (const [table, names] of columns)
        for (const name of names)
          expect(
            before.get(table)?.some((row) => row[name] !== null),
            `a row with ${table}.${name}`,
          ).toBe(true);
      apply(db, MIGRATIONS.slice(count));
      for (const [table, kept] of rows()) expect(kept, table).toEqual(before.get(table));
      expect(shapeOf(db)).toEqual(shapeOf(databaseAt(MIGRATIONS.length)));
      const schema = 'select type, name, tbl_name, sql from sqlite_master order by type, name';
      expect(all(db, schema)).toEqual(all(databaseAt(MIGRATIONS.length), schema));
      expect(all(db, 'pragma foreign_key_check')).toEqual([]);
      expect(all(db, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    });

    test('has for each character what a new database would have', () => {
      const db = databaseAt(count);
      fill(db, tablesOf(db));
      const characters = all(
        db,
        'select id, visibility, nsfw_allowed, chat_count, created_at from characters',
      );
      apply(db, MIGRATIONS.slice(count));
      // The same characters, written into a new database.
      const fresh = databaseAt(MIGRATIONS.length);
      fill(fresh, tablesOf(fresh));
      // What a character could not be yet at that time, it is by default: so it is in the new one as well.
      for (const name of tablesOf(fresh).get('characters') ?? []) {
        const of = (from: typeof db) => from.prepare(`select id, ${name} as value from characters`).all();
        const write = fresh.prepare(`update characters set ${name} = ? where id = ?`);
        for (const { id, value } of of(db)) write.run(value ?? null, id ?? null);
      }
      expect(characters).not.toEqual([]);
      for (const table of MADE_BY_TRIGGERS) {
        const names = tablesOf(fresh)
          .get(table)
          ?.filter((name) => !SAID_BY_CHORES.has(name));
        const made = `select ${names?.join(', ')} from ${table} order by character_id, 2`;
        expect(all(db, made), table).toEqual(all(fresh, made));
      }
    });
  },
);

test('reports and refunds of before are kept, and one that named no sum says so', () => {
  const db = databaseAt(at('0010'));
  db.exec(`insert into users (id, username, is_anonymous, created_at, updated_at)
    values ('maker', 'maker', 0, 1, 1), ('reader', 'reader', 0, 1, 1);
    insert into characters (id, creator_id, name, oneliner, character_traits, model_type, visibility, point_of_view,
      suggested_replies, avatar_key, created_at, updated_at)
    values ('wren', 'maker', 'Wren', 'o', 't', 'roleplay', 'public', 'normal', '[]', 'key', 1, 1);
    insert into reports (id, character_id, reporter_id, reason, details, status, created_at, resolved_at)
    values ('told', 'wren', 'reader', 'spam', 'Again and again.', 'upheld', 5, 6);
    insert into refunds (id, payment_id, amount_cents, created_at)
    values ('part', 'paid', 105, 1), ('whole', 'paid', 1000000000000, 1), ('reversal:paid', 'paid', 0, 1);`);
  apply(db, MIGRATIONS.slice(at('0010')));
  expect(db.prepare('select * from reports').all()).toEqual([
    expect.objectContaining({
      id: 'told',
      subject: 'character',
      subject_id: 'wren',
      character_id: 'wren',
      owner_id: 'maker',
      reporter_id: 'reader',
      details: 'Again and again.',
      status: 'upheld',
      created_at: 5,
      resolved_at: 6,
    }),
  ]);
  expect(db.prepare('select id, amount_cents from refunds order by id').all()).toEqual([
    { id: 'part', amount_cents: 105 },
    { id: 'reversal:paid', amount_cents: null },
    { id: 'whole', amount_cents: null },
  ]);
  expect(db.prepare('pragma foreign_key_check').all()).toEqual([]);
  expect(() => db.exec("insert into refunds values ('less', 'paid', -1, 1)")).toThrow(/refunds_amount/);
});

test('accounts, suspensions and revenue of before are kept, and each account has begun when it came', () => {
  const db = databaseAt(at('0011'));
  const day = 86_400_000;
  db.exec(`insert into users (id, username, is_anonymous, is_house, suspended_at, created_at, updated_at)
    values ('ann', 'ann', 0, 0, 9, 5, 6), ('guest', 'guest', 1, 0, null, 7, 8);
    insert into subscriptions (id, user_id, plan, status, period_end, checked_at, created_at, updated_at)
    values ('sub', 'ann', 'storyteller', 'active', 1, 1, 1, 1);
    insert into payments (id, subscription_id, user_id, amount_cents, currency, status, refunded_cents, paid_at, created_at)
    values ('old', 'sub', 'ann', 1299, 'USD', 'completed', 300, ${10 * day + 5}, 1), ('new', 'sub', 'ann', 1299, 'USD', 'completed', 0, ${95 * day}, 1);
    insert into measures (id, kind, subject_id, subject_name, owner_id, reason, admin_id, created_at)
    values ('shut', 'account_suspended', 'ann', 'ann', 'ann', 'Spam.', 'staff', 9);
    insert into reports (id, subject_id, reporter_id, reason, details, created_at) values ('told', 'wren', 'ann', 'spam', '', 5);
    insert into stat_days (day, name, value) values (10, 'revenue_cents', 2298), (11, 'revenue_cents', 0), (12, 'turns', 9),
      (95, 'revenue_cents', 2598), (100, 'revenue_cents', 0);`);
  const tables = ['users', 'subscriptions', 'payments', 'measures', 'reports', 'stat_days'];
  const all = () => tables.map((table) => db.prepare(`select * from ${table} order by 1, 2`).all());
  const before = all();
  apply(db, MIGRATIONS.slice(at('0011')));
  expect(all()).toMatchObject(before);
  expect(db.prepare('select id, account_since from users order by id').all()).toEqual([
    { id: 'ann', account_since: 5 },
    { id: 'guest', account_since: null },
  ]);
  // 2298 was found then, 999 is here still. Days that are counted again anyway need nothing.
  expect(db.prepare('select * from gone_payments').all()).toEqual([
    { id: 'day:10', day: 10, amount_cents: 1299, refunded_cents: 0, kept_until: null, updated_at: 0 },
  ]);
  expect(db.prepare('select goes_on_from from measures').all()).toEqual([{ goes_on_from: null }]);
  expect(db.prepare('pragma foreign_key_check').all()).toEqual([]);
});

test('characters of before are in the competition as they are, and what they become from then on is noted', () => {
  const db = databaseAt(at('0012'));
  const made = (
    id: string,
    nsfw: number,
  ) => `insert into characters (id, creator_id, name, oneliner, character_traits,
      model_type, visibility, point_of_view, nsfw_allowed, suggested_replies, avatar_key, created_at, updated_at)
    values ('${id}', 'maker', 'Wren', 'o', 't', 'roleplay', 'public', 'normal', ${nsfw}, '[]', 'key', 1, 1);`;
  db.exec(`insert into users (id, username, is_anonymous, created_at, updated_at) values ('maker', 'maker', 0, 1, 1);
    ${made('adult', 1)} ${made('old', 0)}`);
  apply(db, MIGRATIONS.slice(at('0012')));
  db.exec(made('young', 0));
  const entries = () => db.prepare('select * from competition_entries order by character_id').all();
  const fresh = { since: 0, explicit: 0, looked: 0 };
  expect(entries()).toEqual([
    { character_id: 'adult', ...fresh },
    { character_id: 'old', ...fresh },
    { character_id: 'young', ...fresh },
  ]);
  const before = Date.now() - 1;
  db.exec(`update characters set nsfw_allowed = 0, visibility = 'public' where id = 'adult';
    update characters set visibility = 'public', moderation = 'hidden' where id = 'old';
    update characters set name = 'Robin', updated_at = 2 where id = 'young';
    update competition_entries set looked = 7 where character_id = 'old'; update characters set oneliner = 'n' where id = 'old';
    insert into character_extras (character_id, alternate_greetings) values ('young', '[]');`);
  const [adult, old, young] = entries();
  expect(Number(adult?.['since'])).toBeGreaterThanOrEqual(before);
  expect(Number(adult?.['since'])).toBeLessThanOrEqual(Date.now() + 1);
  expect(old).toMatchObject({ since: 0, looked: -1 });
  expect(young).toMatchObject({ since: 0, looked: -2 });
  db.exec("delete from characters where id = 'young'");
  expect(entries()).toHaveLength(2);
});

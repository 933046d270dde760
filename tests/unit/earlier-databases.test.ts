import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';

const MIGRATIONS = new URL('../../migrations/', import.meta.url);
const FILES = readdirSync(MIGRATIONS)
  .filter((file) => file.endsWith('.sql'))
  .toSorted();

function apply(db: DatabaseSync, file: string): void {
  const statements = readFileSync(new URL(file, MIGRATIONS), 'utf8').split('--> statement-breakpoint');
  for (const statement of statements) if (statement.trim() !== '') db.exec(statement);
}

test('reports and refunds of before are kept, and one that named no sum says so', () => {
  const db = new DatabaseSync(':memory:');
  db.exec('pragma foreign_keys = on');
  const next = FILES.findIndex((file) => file.startsWith('0010'));
  for (const file of FILES.slice(0, next)) apply(db, file);
  db.exec(`insert into users (id, username, is_anonymous, created_at, updated_at)
    values ('maker', 'maker', 0, 1, 1), ('reader', 'reader', 0, 1, 1);
    insert into characters (id, creator_id, name, oneliner, character_traits, model_type, visibility, point_of_view,
      suggested_replies, avatar_key, created_at, updated_at)
    values ('wren', 'maker', 'Wren', 'o', 't', 'roleplay', 'public', 'normal', '[]', 'key', 1, 1);
    insert into reports (id, character_id, reporter_id, reason, details, status, created_at, resolved_at)
    values ('told', 'wren', 'reader', 'spam', 'Again and again.', 'upheld', 5, 6);
    insert into refunds (id, payment_id, amount_cents, created_at)
    values ('part', 'paid', 105, 1), ('whole', 'paid', 1000000000000, 1), ('reversal:paid', 'paid', 0, 1);`);
  for (const file of FILES.slice(next)) apply(db, file);
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

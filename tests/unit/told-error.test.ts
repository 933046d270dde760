import { DrizzleQueryError } from 'drizzle-orm/errors';
import { expect, test } from 'vitest';
import { reasonOf, toldError, withoutWords } from '../../src/told-error.ts';

const failed = new DrizzleQueryError(
  'insert into "users" ("email") values (?)',
  ['somebody@example.test'],
  new Error('D1_ERROR: database is locked: SQLITE_BUSY'),
);

test('Of a query that failed a log holds why and which, and no word that was in it', () => {
  expect(reasonOf(failed)).toBe(
    'D1_ERROR: database is locked: SQLITE_BUSY: insert into "users" ("email") values (?)',
  );
  const { message, stack } = toldError(failed);
  expect(`${message}${stack}`).not.toContain('somebody');
  expect(stack).toContain('told-error.test.ts');
});

test('Any other failure is told as it is, whatever was thrown', () => {
  expect(reasonOf(new Error('Too late'))).toBe('Too late');
  expect(toldError(new Error('Too\nlate')).stack).not.toContain('late\n');
  expect(toldError('Too late')).toEqual({ message: 'Too late', stack: '' });
  expect(reasonOf(undefined)).toBe('undefined');
});

test('An error that others write down as it is holds no word either, and where it was noticed still', () => {
  const told = withoutWords(failed);
  expect(`${told.message}${told.stack}${String(told.cause)}`).not.toContain('somebody');
  expect(told.stack).toMatch(/^Error: D1_ERROR: database is locked[^]*told-error\.test\.ts/);
  expect(withoutWords('gone').message).toBe('gone');
});

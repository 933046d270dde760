import { DrizzleQueryError } from 'drizzle-orm/errors';
import { expect, test } from 'vitest';
import { describeError, redactError, copyRedacted } from '../../../src/lib/redact.ts';

const failed = new DrizzleQueryError(
  'insert into "users" ("email") values (?)',
  ['somebody@example.test'],
  new Error('D1_ERROR: database is locked: SQLITE_BUSY'),
);

test('Of a query that failed a log holds why and which, and no word that was in it', () => {
  expect(describeError(failed)).toBe(
    'D1_ERROR: database is locked: SQLITE_BUSY: insert into "users" ("email") values (?)',
  );
  const { message, stack } = redactError(failed);
  expect(`${message}${stack}`).not.toContain('somebody');
  expect(stack).toContain('redact.test.ts');
});

test('Any other failure is told as it is, whatever was thrown', () => {
  expect(describeError(new Error('Too late'))).toBe('Too late');
  expect(redactError(new Error('Too\nlate')).stack).not.toContain('late\n');
  expect(redactError('Too late')).toEqual({ message: 'Too late', stack: '' });
  expect(describeError(undefined)).toBe('undefined');
});

test('An error that others write down as it is holds no word either, and where it was noticed still', () => {
  const told = copyRedacted(failed);
  expect(`${told.message}${told.stack}${String(told.cause)}`).not.toContain('somebody');
  expect(told.stack).toMatch(/^Error: D1_ERROR: database is locked[^]*redact\.test\.ts/);
  expect(copyRedacted('gone').message).toBe('gone');
});

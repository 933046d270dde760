import { DrizzleQueryError } from 'drizzle-orm/errors';
import { expect, test } from 'vitest';
import { describeError, redactError, copyRedacted } from '../../../src/lib/redact.ts';

const failed = new DrizzleQueryError(
  'insert into "users" ("email") values (?)',
  ['somebody@example.test'],
  new Error('D1_ERROR: database is locked: SQLITE_BUSY'),
);

test('a failed query is described by its reason and statement, without its parameters', () => {
  expect(describeError(failed)).toBe(
    'D1_ERROR: database is locked: SQLITE_BUSY: insert into "users" ("email") values (?)',
  );
  const { message, stack } = redactError(failed);
  expect(`${message}${stack}`).not.toContain('somebody');
  expect(stack).toContain('redact.test.ts');
});

test('any other thrown value is described by its own message', () => {
  expect(describeError(new Error('Too late'))).toBe('Too late');
  expect(redactError(new Error('Too\nlate')).stack).not.toContain('late\n');
  expect(redactError('Too late')).toEqual({ message: 'Too late', stack: '' });
  expect(describeError(undefined)).toBe('undefined');
});

test('a redacted copy of an error omits the parameters and keeps the place of the error', () => {
  const redacted = copyRedacted(failed);
  expect(`${redacted.message}${redacted.stack}${String(redacted.cause)}`).not.toContain('somebody');
  expect(redacted.stack).toMatch(/^Error: D1_ERROR: database is locked[^]*redact\.test\.ts/);
  expect(copyRedacted('gone').message).toBe('gone');
});

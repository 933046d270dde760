import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { assertNoLeaks } from '../../e2e/log-leaks.ts';
import { findLeaks, readStoredTexts } from '../../support/log-leak-check.ts';

const USER_TEXT = 'I hid the "silver" key\nunder the third step, and told nobody.';
const line = (fields: Record<string, unknown>): string =>
  JSON.stringify({ event: 'turn_failed', level: 'error', request_id: 'a-b-c', ...fields });
const GOOD = [
  'env.DB (loreloom)   D1 Database   local',
  line({ message: 'D1_ERROR: database is locked: update "conversations" set "title" = ? where "id" = ?' }),
  line({ route: '/api/conversations/:id/messages', status: 200, ms: 123_456 }),
  JSON.stringify({ event: 'ledger_mismatch', wallet: '0'.repeat(64), balance: 3 }),
  `NOSENTRY SQLite alarm handler canceled with requestScheduledAlarm.; scheduledTime = 1.982s; actorId = ${'0f'.repeat(32)}`,
  '[wrangler:info] GET /chats?q=under+the+third+step 200 OK (5ms)',
  '[wrangler:info] send_email binding called with MessageBuilder:',
  'From: Us <us@example.test>\nTo: you@example.test\nSubject: 123456 is your code\n\nText: /tmp/a@b.test.txt',
].join('\n');

test('a log that describes events without personal data has no leaks', () => {
  expect(findLeaks(GOOD, { texts: [USER_TEXT], codes: ['123456'], secrets: ['a-key-of-ours'] })).toEqual([]);
});

test.each([
  ['a message', { message: `params: 1,${USER_TEXT},2` }, '«I hid'],
  ['the end of a message that was cut at its beginning', { detail: USER_TEXT.slice(-30) }, '«'],
  ['a mail address', { reason: 'no mailbox for somebody@example.test' }, 'an e-mail address'],
  ['a network of the old kind', { message: 'refused: 203.0.113.9' }, 'a network address'],
  ['a network of the new kind', { message: 'from 2001:db8:1:2:0:0:0:1' }, 'a network address'],
  ['a login code', { message: 'wrong code 123456' }, 'a login code'],
  ['a session', { message: `session ${'ab12'.repeat(16)}` }, 'a token or its hash'],
  ['a cookie', { message: 'cookie: __Host-session=abcdefgh12' }, 'a cookie'],
  ['a key of a provider', { detail: 'Bearer sk-live-12345678' }, 'a bearer key'],
  ['a key of ours', { detail: 'x a-key-of-ours x' }, 'a secret'],
])('a log that contains %s has a leak', (_, fields, expected) => {
  const log = `${GOOD}\n\u001B[31m✘ [ERROR] ${line(fields)}\u001B[0m`;
  const leaks = findLeaks(log, { texts: [USER_TEXT], codes: ['123456'], secrets: ['a-key-of-ours'] });
  expect(leaks.join('\n')).toContain(expected);
});

test('a name of plain letters is found as a separate word and not as part of another', () => {
  expect(
    findLeaks(line({ message: 'no answer for Wilhelmine' }), { texts: ['Wilhelmine'] }).join(),
  ).toContain('«Wilhelmine»');
  expect(findLeaks(line({ message: 'no answer for Wilhelmines' }), { texts: ['Wilhelmine'] })).toEqual([]);
});

test('a line that is not JSON is checked as well, because the runtime logs thrown errors', () => {
  const log = `uncaught exception: Failed query: insert\nparams: ${USER_TEXT.split('\n')[0]}`;
  expect(findLeaks(log, { texts: [USER_TEXT] })).not.toEqual([]);
});

test('an object id is allowed only where the runtime names it as an actor id', () => {
  const id = '0f'.repeat(32);
  expect(findLeaks(`NOSENTRY alarm handler canceled.; actorId = ${id}`, { texts: [] })).toEqual([]);
  for (const other of [`NOSENTRY failed; token = ${id}; actorId = 1`, `refused; actorId = ${id}`])
    expect(findLeaks(other, { texts: [] }).join()).toContain('a token or its hash');
});

test('user texts are collected from stored data and its JSON, without ids and product words', () => {
  const state = mkdtempSync(join(tmpdir(), 'loreloom-log-'));
  const folder = join(state, 'v3/do/ConversationObject');
  mkdirSync(folder, { recursive: true });
  const db = new DatabaseSync(join(folder, 'one.sqlite'));
  db.exec(
    'create table messages (id text, content text, kind text, persona text, nickname text, at integer)',
  );
  const insert = db.prepare('insert into messages values (?, ?, ?, ?, ?, ?)');
  const persona = JSON.stringify({
    name: 'Wilhelmine',
    role: 'Watchmaker',
    description: 'A clockmaker with cold hands.',
  });
  insert.run('01m82kpxj3yzwcah5hdbds552n', USER_TEXT, 'account_of_before', persona, 'Ada L.', 5);
  // Names and long texts of plain letters belong to users unless they are words of the product or its seed data.
  insert.run('character_name', 'rattlesnakebite', 'ordering', '{"name":"Conversation"}', 'wil-helmine', 6);
  insert.run('x', 'characters', 'Hedgehogs', '{}', 'English', 7);
  db.close();
  expect([...readStoredTexts(state)].toSorted()).toEqual(
    [
      'A clockmaker with cold hands.',
      'Ada L.',
      USER_TEXT,
      'Wilhelmine',
      'rattlesnakebite',
      'wil-helmine',
    ].toSorted(),
  );
});

test.each([
  ['a key that it was started with', 'refused: key-of-a-model'],
  ['the secret that it was given', 'refused: the-local-secret'],
  ['a login code', 'refused: 123456'],
])('a site whose log contains %s fails at its end', (_, message) => {
  const stateDir = mkdtempSync(join(tmpdir(), 'loreloom-log-'));
  const logFile = join(stateDir, 'worker.log');
  writeFileSync(join(stateDir, 'auth-secret'), 'the-local-secret');
  const variables = { MODEL_ROLEPLAY_API_KEY: 'key-of-a-model', MODEL_ROLEPLAY_MODEL: 'refused' };
  const site = { stateDir, logFile, variables, codes: ['123456'] };
  writeFileSync(logFile, line({ message: 'refused' }));
  expect(() => assertNoLeaks(site)).not.toThrow();
  writeFileSync(logFile, line({ message }));
  expect(() => assertNoLeaks(site)).toThrow(message);
});

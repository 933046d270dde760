import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatFailure } from '../../../../src/islands/shared/errors.ts';
import type { TranslateFn } from '../../../../src/islands/shared/i18n.tsx';
import { createTranslator } from '../../../../src/islands/shared/translator.ts';
import create from '../../../../src/locales/en/create.json' with { type: 'json' };
import errors from '../../../../src/locales/en/errors.json' with { type: 'json' };
import { SAMPLE_POINTS } from '../../../support/chat-fixture.ts';

const words = createTranslator('en', errors) as TranslateFn<'errors'>;
const SERVER_TEXT = 'What the server says, in English only.';
const formatCode = (code: string) =>
  formatFailure({ code, error: SERVER_TEXT, points: SAMPLE_POINTS }, words, 'en');

function readSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

function findCodes(texts: readonly string[], ...patterns: RegExp[]): string[] {
  return texts.flatMap((text) =>
    patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, code = '']) => code)),
  );
}

/** Codes in notices of the chat, including those that stand for a failed action. */
const CHAT_CODES = findCodes(
  readSources('src/islands/chat'),
  /\bcode: '([a-z_]+)'/g,
  /\bshowFailureNotice\(core, \w+, '([a-z_]+)'\)/g,
  /\bsetNotice\('([a-z_]+)'\)/g,
  /'([a-z_]+_(?:failed|missing|lost|not_found))'/g,
);
/** Codes that are built from parts. */
const BUILT_CODES = [
  ...['regenerate', 'continue', 'suggestions', 'draft'].map((kind) => `${kind}_failed`),
  ...['suggestions', 'draft'].map((kind) => `${kind}_lost`),
];
/** Codes answered only by routes of characters: their form has its own texts, and a chat never calls these. */
const FORM_CODES = new Set([
  ...Object.keys(create).map((key) => key.replace(/^importProblem_/, '')),
  'idempotency_key_reused',
  'lorebook_too_large',
]);
const API_CODES = findCodes(
  [readFileSync('src/api/middleware/problems.ts', 'utf8')],
  /^ {2}([a-z_]+): \[\d{3}, /gm,
).filter((code) => !/^(?:card|lorebook|idempotency)_/.test(code) || !FORM_CODES.has(code));
const REPLY_CODES = findCodes(
  [readFileSync('src/features/conversation/turn/turn.ts', 'utf8')],
  /\bcode: '([a-z_]+)'/g,
);

describe('Translated errors', () => {
  const codes = [...new Set([...CHAT_CODES, ...BUILT_CODES, ...API_CODES, ...REPLY_CODES])].toSorted();

  test('error codes are collected from all sources', () => {
    expect(codes).toEqual(
      expect.arrayContaining([
        'send_failed',
        'chat_not_loaded',
        'edit_failed',
        'stop_failed',
        'persona_limit',
        'points_exhausted',
        'daily_limit_reached',
        'model_timed_out',
      ]),
    );
  });

  test.each(codes)('the error %s has a text of its own', (code) => {
    const sentence = formatCode(code);
    expect(sentence).not.toBe(SERVER_TEXT);
    expect(sentence).not.toContain('{{');
    if (code !== 'server_error') expect(sentence).not.toBe(words('server_error'));
  });
});

describe('Error texts of the specification', () => {
  test.each([
    ['network', 'Network error. Please check your connection.'],
    ['server_error', 'Server error. Please try again later.'],
    ['unauthenticated', 'You must be logged in to perform this action'],
    ['not_found', 'The requested resource was not found.'],
    ['invalid_input', 'Please check your input and try again.'],
    ['send_failed', 'Failed to send message. Please try again.'],
    ['chat_not_loaded', 'Please wait for the chat to load before sending a message'],
    ['conversation_not_started', 'Start the conversation before selecting a persona.'],
    ['points_check_failed', 'Failed to check points availability'],
  ])('the error %s has the text of the specification', (code, sentence) => {
    expect(formatCode(code)).toBe(sentence);
  });

  test('the error about points for a character contains their number', () => {
    expect(words('points_needed', { count: 5 })).toBe('You need at least 5 points to create a character...');
  });

  test.each([
    ['chat_history_failed', /^Failed to load chat history/],
    ['edit_failed', /^Failed to edit message/],
    ['regenerate_failed', /^Failed to regenerate message/],
    ['select_version_failed', /^Failed to select version/],
    ['conversations_failed', /^Failed to fetch conversations/],
    ['switch_failed', /^Failed to switch conversations/],
    ['chat_not_specified', /conversation or character ID/],
    ['character_id_missing', /character ID is missing/],
    ['persona_load_failed', /^Failed to load/],
    ['persona_update_failed', /^Failed to update/],
    ['persona_create_failed', /^Failed to create/],
    ['persona_fetch_failed', /^Failed to fetch/],
    ['persona_set_failed', /^Failed to set/],
    ['persona_clear_failed', /^Failed to clear/],
    ['activate_failed', /^Failed to activate subscription\. Please contact support\.$/],
    ['downgrade_failed', /^Failed to downgrade subscription\. Please contact support\.$/],
  ])('the error %s begins as in the specification', (code, beginning) => {
    expect(formatCode(code)).toMatch(beginning);
  });

  test('the error of a full plan names its limit and the upgrade', () => {
    const sentence = words('persona_limit_reached', { count: 5 });
    expect(sentence).toContain('5');
    expect(sentence).toContain('Upgrade');
  });
});

test.each([
  [60, words('model_busy_wait', { count: 60 })],
  [1, words('model_busy_wait', { count: 1 })],
  [0, words('model_busy')],
])('the error of a busy model that asks to wait %d seconds says so', (retryAfter, sentence) => {
  expect(formatFailure({ code: 'model_busy', error: SERVER_TEXT, retryAfter }, words, 'en')).toBe(sentence);
});

test('the error of several unused codes names the time, the link, passkeys and Google', () => {
  const waitUntil = new Date(2027, 0, 2, 10, 36).getTime();
  const text = formatFailure({ code: 'too_many_unused_codes', error: SERVER_TEXT, waitUntil }, words, 'en');
  for (const part of ['10:36', 'link', 'passkey', 'Google']) expect(text).toContain(part);
  // Without the time, the server's text is complete.
  expect(formatFailure({ code: 'too_many_unused_codes', error: SERVER_TEXT }, words, 'en')).toBe(SERVER_TEXT);
});

test('the errors about points and daily limits name the amounts and the time of the next refill', () => {
  const [need, balance] = [words('points_count', { count: 1 }), words('points_count', { count: 0 })];
  const exhausted = words('points_exhausted', { need, balance, refill: '.+' });
  expect(formatCode('points_exhausted')).toMatch(new RegExp(exhausted));
  expect(words('daily_limit_reached', { count: 1, reset: '' })).toMatch(/\b1 message\b/);
  const reached = words('daily_limit_reached', { count: 100, reset: '.+' });
  expect(formatCode('daily_limit_reached')).toMatch(new RegExp(reached));
});

test('a full storage says how full it is and what takes the room', () => {
  const storage = {
    used_bytes: 21_200_000,
    limit_bytes: 20_000_000,
    kinds: [
      { kind: 'chats' as const, bytes: 18_000_000 },
      { kind: 'trash' as const, bytes: 3_200_000 },
      { kind: 'pictures' as const, bytes: 0 },
    ],
  };
  const text = formatFailure({ code: 'storage_full', error: SERVER_TEXT, storage }, words, 'en');
  expect(text).toContain('21.2 MB of 20 MB');
  expect(text).toContain('Chats (18 MB), Trash (3.2 MB).');
  expect(formatFailure({ code: 'storage_full', error: SERVER_TEXT }, words, 'en')).toBe(SERVER_TEXT);
});

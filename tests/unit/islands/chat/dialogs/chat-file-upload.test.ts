import { describe, expect, test } from 'vitest';
import {
  getImportFailureKey,
  isTooLarge,
  MAX_FILE_MB,
  parseImportResponse,
} from '../../../../../src/islands/chat/dialogs/chat-file-upload.ts';
import { SAMPLE_CONVERSATION } from '../../../../support/chat-fixture.ts';

describe('Answer to an import', () => {
  test('a successful import returns the new conversation', () => {
    expect(parseImportResponse(201, JSON.stringify({ conversation: SAMPLE_CONVERSATION }))).toEqual({
      ok: true,
      conversation: SAMPLE_CONVERSATION,
    });
  });

  test('an unreadable line is returned with its number and reason', () => {
    const answer = {
      error: 'No.',
      code: 'import_line_invalid',
      line: 12,
      reason: 'x',
      reason_code: 'not_json',
    };
    expect(parseImportResponse(422, JSON.stringify(answer))).toEqual({
      ok: false,
      line: 12,
      reason: 'not_json',
    });
  });

  test('a refused import returns its code and sentence', () => {
    const answer = { error: 'That is too large.', code: 'too_large' };
    expect(parseImportResponse(413, JSON.stringify(answer))).toEqual({ ok: false, ...answer });
  });

  test('an import refused by a rule returns the refused text and the token for an appeal', () => {
    const answer = {
      error: 'No.',
      code: 'text_refused',
      rule: 'minors',
      refused_text: 'What a line says.',
      appeal_token: 'shown.later',
    };
    expect(parseImportResponse(422, JSON.stringify(answer))).toEqual({
      ok: false,
      code: 'text_refused',
      error: 'No.',
      refused: { rule: 'minors', text: 'What a line says.', token: 'shown.later' },
    });
  });

  test('an unreadable answer counts as a server error', () => {
    for (const text of ['', '<html>', 'null', '[]', '{"conversation":null}', '7'])
      expect(parseImportResponse(201, text)).toEqual({ ok: false, code: 'server_error', error: '' });
  });
});

test('an import without an answer may have happened, and any other failed', () => {
  expect(['network', 'not_found', 'too_many_imports'].map(getImportFailureKey)).toEqual([
    'importUnconfirmed',
    'importCharacterUnavailable',
    'importFailed',
  ]);
});

test('a file is too large from the first byte above the limit', () => {
  const limit = MAX_FILE_MB * 1024 * 1024;
  expect([isTooLarge({ size: limit }), isTooLarge({ size: limit + 1 })]).toEqual([false, true]);
});

import { describe, expect, test } from 'vitest';
import {
  isTooLarge,
  MAX_FILE_MB,
  parseImportResponse,
} from '../../src/islands/chat/dialogs/chat-file-upload.ts';
import { SAMPLE_CONVERSATION } from '../support/chat-fixture.ts';

describe('When I bring a chat in, the answer', () => {
  test('is the new conversation', () => {
    expect(parseImportResponse(201, JSON.stringify({ conversation: SAMPLE_CONVERSATION }))).toEqual({
      ok: true,
      conversation: SAMPLE_CONVERSATION,
    });
  });

  test('is the first line that cannot be read, and why', () => {
    const said = {
      error: 'No.',
      code: 'import_line_invalid',
      line: 12,
      reason: 'x',
      reason_code: 'not_json',
    };
    expect(parseImportResponse(422, JSON.stringify(said))).toEqual({
      ok: false,
      line: 12,
      reason: 'not_json',
    });
  });

  test('is a refusal with its code and sentence', () => {
    const said = { error: 'That is too large.', code: 'too_large' };
    expect(parseImportResponse(413, JSON.stringify(said))).toEqual({ ok: false, ...said });
  });

  test('is a refusal by a rule with what was refused, against which I can appeal', () => {
    const said = {
      error: 'No.',
      code: 'text_refused',
      rule: 'minors',
      refused_text: 'What a line says.',
      appeal_token: 'shown.later',
    };
    expect(parseImportResponse(422, JSON.stringify(said))).toEqual({
      ok: false,
      code: 'text_refused',
      error: 'No.',
      refused: { rule: 'minors', text: 'What a line says.', token: 'shown.later' },
    });
  });

  test('that nobody can understand is a fault of the server', () => {
    for (const text of ['', '<html>', 'null', '[]', '{"conversation":null}', '7'])
      expect(parseImportResponse(201, text)).toEqual({ ok: false, code: 'server_error', error: '' });
  });
});

test('A file is too large from its first byte over the limit that I am told', () => {
  const limit = MAX_FILE_MB * 1024 * 1024;
  expect([isTooLarge({ size: limit }), isTooLarge({ size: limit + 1 })]).toEqual([false, true]);
});

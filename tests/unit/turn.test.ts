import { describe, expect, test } from 'vitest';
import {
  endTurn,
  LOST_ERROR,
  getErrorMessage,
  type TurnCause,
} from '../../src/features/conversation/turn/turn.ts';

type Failure = Extract<TurnCause, { kind: 'failed' }>['failure'];
const FAILURES: [Failure, string][] = [
  ['unreachable', 'model_unreachable'],
  ['unauthorized', 'model_misconfigured'],
  ['misconfigured', 'model_misconfigured'],
  ['bad_request', 'model_misconfigured'],
  ['rate_limited', 'model_busy'],
  ['provider_error', 'model_failed'],
  ['timed_out', 'model_timed_out'],
  ['cut_off', 'reply_cut_off'],
  ['refused', 'reply_refused'],
  ['empty', 'reply_empty'],
];

describe('A reply', () => {
  test('that came whole is complete and costs its points', () => {
    expect(endTurn({ kind: 'finished' }, 'Hello.')).toEqual({
      status: 'complete',
      points: 'settle',
      error: null,
    });
  });

  test('that came without a word, or with blanks alone, has failed and is free', () => {
    for (const text of ['', ' ', '\n\t ']) {
      expect(endTurn({ kind: 'finished' }, text)).toMatchObject({
        status: 'failed',
        points: 'release',
        error: { code: 'reply_empty' },
      });
    }
  });

  test('that I stopped keeps what was written; it costs something only when something was', () => {
    expect(endTurn({ kind: 'stopped' }, 'Once upon')).toEqual({
      status: 'interrupted',
      points: 'settle',
      error: null,
    });
    expect(endTurn({ kind: 'stopped' }, '  ')).toEqual({
      status: 'interrupted',
      points: 'release',
      error: null,
    });
  });

  test('whose writer went away is interrupted and free', () => {
    for (const text of ['', 'Once upon']) {
      expect(endTurn({ kind: 'lost' }, text)).toEqual({
        status: 'interrupted',
        points: 'release',
        error: LOST_ERROR,
      });
    }
  });

  test.each(FAILURES)(
    'whose model failed (%s) is free, is kept as far as it came, and says why: %s',
    (failure, code) => {
      const without = endTurn({ kind: 'failed', failure }, '');
      expect(without).toEqual({
        status: 'failed',
        points: 'release',
        error: { code, sentence: expect.stringMatching(/^[A-Z].*\.$/) },
      });
      expect(endTurn({ kind: 'failed', failure }, 'Once upon')).toEqual({
        ...without,
        status: 'interrupted',
      });
    },
  );

  test('of long ago still has its sentence, and one of a code that is no longer known has one too', () => {
    for (const [failure, code] of FAILURES) {
      // Kept is the code alone, and three failures share it: the first one's sentence stands for all.
      if (failure === 'bad_request' || failure === 'misconfigured') continue;
      expect(getErrorMessage(code)).toBe(endTurn({ kind: 'failed', failure }, '').error?.sentence);
    }
    expect(getErrorMessage('reply_interrupted')).toBe(LOST_ERROR.sentence);
    expect(getErrorMessage('retired_code')).toBe(LOST_ERROR.sentence);
  });
});

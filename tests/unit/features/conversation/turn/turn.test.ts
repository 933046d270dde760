import { describe, expect, test } from 'vitest';
import {
  endTurn,
  hasCalledModel,
  hasCost,
  LOST_ERROR,
  getErrorMessage,
  type TurnCause,
} from '../../../../../src/features/conversation/turn/turn.ts';

type Failure = Extract<TurnCause, { kind: 'failed' }>['failure'];
const FAILURES: [Failure, string][] = [
  ['unreachable', 'model_unreachable'],
  ['unauthorized', 'model_misconfigured'],
  ['misconfigured', 'model_misconfigured'],
  ['bad_request', 'model_misconfigured'],
  ['rate_limited', 'model_busy'],
  ['busy', 'model_busy'],
  ['provider_error', 'model_failed'],
  ['timed_out', 'model_timed_out'],
  ['cut_off', 'reply_cut_off'],
  ['refused', 'reply_refused'],
  ['empty', 'reply_empty'],
];

describe('Turn end', () => {
  test('a finished reply is complete and settles its points', () => {
    expect(endTurn({ kind: 'finished' }, 'Hello.')).toEqual({
      status: 'complete',
      points: 'settle',
      error: null,
    });
  });

  test('a finished reply without text has failed and releases its points', () => {
    for (const text of ['', ' ', '\n\t ']) {
      expect(endTurn({ kind: 'finished' }, text)).toMatchObject({
        status: 'failed',
        points: 'release',
        error: { code: 'reply_empty' },
      });
    }
  });

  test('a stopped reply keeps its text and settles its points only if it has any', () => {
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

  test('a reply whose writer was lost is interrupted and releases its points', () => {
    for (const text of ['', 'Once upon']) {
      expect(endTurn({ kind: 'lost' }, text)).toEqual({
        status: 'interrupted',
        points: 'release',
        error: LOST_ERROR,
      });
    }
  });

  test.each(FAILURES)(
    'a reply whose model failed (%s) releases its points, keeps its text and has the error %s',
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

  test('a turn has a cost unless no request was made, or it was refused for its length', () => {
    const listFree = (isPaid: (cause: TurnCause) => boolean) =>
      (['paused', 'busy', 'calls_off', 'too_long', 'rate_limited', 'cut_off'] as const).filter(
        (failure) => !isPaid({ kind: 'failed', failure }),
      );
    expect(listFree(hasCalledModel)).toEqual(['paused', 'busy', 'calls_off']);
    expect(listFree(hasCost)).toEqual(['paused', 'busy', 'calls_off', 'too_long']);
    expect(hasCost({ kind: 'finished' })).toBe(true);
  });

  test('every stored error code, even a retired one, has a sentence', () => {
    for (const [failure, code] of FAILURES) {
      // Only the code is stored, and three failures share it, so the sentence of the first applies to all.
      if (failure === 'bad_request' || failure === 'misconfigured') continue;
      expect(getErrorMessage(code)).toBe(endTurn({ kind: 'failed', failure }, '').error?.sentence);
    }
    expect(getErrorMessage('reply_interrupted')).toBe(LOST_ERROR.sentence);
    expect(getErrorMessage('retired_code')).toBe(LOST_ERROR.sentence);
  });
});

import { describe, expect, test } from 'vitest';
import {
  findRepetition,
  getJoiner,
} from '../../../../../src/features/conversation/turn/join-continuation.ts';

describe('Continued replies', () => {
  test.each([
    ['The door opened.', 'Nobody stood there.', ' '],
    ['The door opened', ', slowly.', ''],
    ['The door opened. ', 'Nobody.', ''],
    ['The door opened.', '\n\nNobody.', ''],
    ['The door', ' opened.', ''],
    ['Super', 'market', ''],
    ['I think you', "'re right.", ''],
    ['well-', 'known', ''],
    ['It costs 3.', '50 dollars.', ''],
    ['example.', 'com', ''],
    ['*She turns.*', '"Who is there?"', ' '],
    ['"Who is there', '"', ''],
    ['"', 'Who is there?"', ''],
    ['*She turns', '* "Who?"', ''],
    ['«', 'Qui est là ?»', ''],
    ['वह चली गई।', 'फिर बारिश हुई।', ' '],
    ['扉が開いた。', '誰もいない。', ''],
    ['扉が', '開いた。', ''],
    ['', 'Hello.', ''],
    ['Hello.', '', ''],
  ])('a space is inserted between two sentences only: %j and %j', (base, addition, joint) => {
    expect(getJoiner(base, addition)).toBe(joint);
  });

  test.each([
    ['She opened the', 'She opened the door.', 'She opened the'],
    ['It rained. She opened the', 'She opened the door.', 'She opened the'],
    ['It rained. She opened the', 'opened the door.', 'opened the'],
    ['He went to the super', 'to the supermarket.', 'to the super'],
    ['The end of the line', 'line after line', ''],
    ['no', 'no, never', ''],
    ['She said "yes', '"yes, but no"', ''],
    ['The cat sat', 'at last', ''],
    ['彼女は静かに扉を', '静かに扉を開けた。', '静かに扉を'],
  ])('what a continuation of %j repeats is found: %j', (base, addition, repeated) => {
    expect(findRepetition(base, addition)).toBe(repeated.length);
  });

  test('a continuation that may still become a repetition is not decided', () => {
    expect(findRepetition('It rained. She opened the', 'She op')).toBeNull();
    expect(findRepetition('It rained. She opened the', 'She ob')).toBe(0);
  });
});

import { expect, test } from 'vitest';
import { ImportedChatModerator } from '../../../../../src/features/conversation/moderation/moderation-context.ts';

const ACT = 'They have sex.';
const LONG = 'The rain falls on the roof, and nobody speaks for a long time. '.repeat(40);

/** Returns the index of the first text of a chat that is refused. */
function findRefusedIndex(texts: string[], context = 'Anna is 34.'): number {
  const chat = new ImportedChatModerator();
  const around = [{ of: 'character', text: context }] as const;
  return texts.findIndex((text) => chat.checkText(text, around) !== null);
}

test('an imported chat is refused at a sexual act, however long ago a minor’s age was given', () => {
  expect(findRefusedIndex(['Mia is 14 years old.', LONG, LONG, ACT])).toBe(3);
  expect(findRefusedIndex([`Mia is 14 years old. ${LONG}${ACT}`])).toBe(0);
  expect(findRefusedIndex([`${ACT} ${LONG}`, 'Hello.', ACT, LONG, `${LONG} Mia is 14 years old.`, ACT])).toBe(
    5,
  );
  expect(findRefusedIndex(['Hello.', ACT], 'Mia is 14 years old.')).toBe(1);
});

test('an imported chat is refused at a minor’s age right after an act, but not long after it', () => {
  expect(findRefusedIndex(['Hello.', ACT, 'By the way, I am 14 years old.'])).toBe(2);
  expect(findRefusedIndex(['Hello.', ACT, LONG, 'The messenger is 14 years old.'])).toBe(-1);
});

test('an imported chat about adults is not refused', () => {
  expect(
    findRefusedIndex([
      'Mia is 34 years old.',
      ACT,
      LONG,
      ACT,
      'My 14-year-old son waits at home.',
      LONG,
      ACT,
    ]),
  ).toBe(-1);
});

test('a speaker’s name that states an age counts as an age', () => {
  const chat = new ImportedChatModerator();
  chat.addName('Mia (14)');
  const around = [{ of: 'character', text: 'Anna is 34.' }] as const;
  expect(chat.checkText(ACT, around)).toEqual({
    rule: 'minors',
    beside: { passages: [{ of: 'message', text: 'Mia (14), age: 14.' }], whole: true },
  });
});

test('an age in a message allowed by staff still counts for the messages after it', () => {
  const chat = new ImportedChatModerator();
  const around = [{ of: 'character', text: 'Anna is 34.' }] as const;
  const first = `Mia is 14 years old. ${ACT}`;
  expect(chat.checkText(first, around)).toEqual({ rule: 'minors', beside: { passages: [], whole: true } });
  expect(chat.checkText('Then they have sex all night.', around)).toEqual({
    rule: 'minors',
    beside: { passages: [{ of: 'message', text: first }], whole: true },
  });
});

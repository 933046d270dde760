import { expect, test } from 'vitest';
import { ImportedChatModerator } from '../../src/features/conversation/moderation/moderation-context.ts';

const ACT = 'They have sex.';
const LONG = 'The rain falls on the roof, and nobody speaks for a long time. '.repeat(40);

/** What is found in a chat of these texts, by the first text that is refused. */
function refusedAt(texts: string[], context = 'Anna is 34.'): number {
  const chat = new ImportedChatModerator();
  const around = [{ of: 'character', text: context }] as const;
  return texts.findIndex((text) => chat.checkText(text, around) !== null);
}

test('A chat that is brought is refused at the act, however long ago the age was said', () => {
  expect(refusedAt(['Mia is 14 years old.', LONG, LONG, ACT])).toBe(3);
  expect(refusedAt([`Mia is 14 years old. ${LONG}${ACT}`])).toBe(0);
  expect(refusedAt([`${ACT} ${LONG}`, 'Hello.', ACT, LONG, `${LONG} Mia is 14 years old.`, ACT])).toBe(5);
  expect(refusedAt(['Hello.', ACT], 'Mia is 14 years old.')).toBe(1);
});

test('A chat that is brought is refused at an age right after an act, and not long after it', () => {
  expect(refusedAt(['Hello.', ACT, 'By the way, I am 14 years old.'])).toBe(2);
  expect(refusedAt(['Hello.', ACT, LONG, 'The messenger is 14 years old.'])).toBe(-1);
});

test('A chat of grown-ups that is brought is not refused', () => {
  expect(
    refusedAt(['Mia is 34 years old.', ACT, LONG, ACT, 'My 14-year-old son waits at home.', LONG, ACT]),
  ).toBe(-1);
});

test('Whoever speaks in it under a name that says an age is known by it', () => {
  const chat = new ImportedChatModerator();
  chat.addName('Mia (14)');
  const around = [{ of: 'character', text: 'Anna is 34.' }] as const;
  expect(chat.checkText(ACT, around)).toEqual({
    rule: 'minors',
    beside: { passages: [{ of: 'message', text: 'Mia (14), age: 14.' }], whole: true },
  });
});

test('What staff let by in it has been said all the same: its age holds for what comes after', () => {
  const chat = new ImportedChatModerator();
  const around = [{ of: 'character', text: 'Anna is 34.' }] as const;
  const first = `Mia is 14 years old. ${ACT}`;
  expect(chat.checkText(first, around)).toEqual({ rule: 'minors', beside: { passages: [], whole: true } });
  expect(chat.checkText('Then they have sex all night.', around)).toEqual({
    rule: 'minors',
    beside: { passages: [{ of: 'message', text: first }], whole: true },
  });
});

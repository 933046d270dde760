import { describe, expect, test } from 'vitest';
import type { MessageRecord } from '../../src/features/conversation/files/chat-record.ts';
import { getReportedText } from '../../src/features/conversation/messages/reported-text.ts';

/** A reply with these versions, of which the last is shown; a star is before those that a person edited. */
function reply(
  texts: string[],
  { imported, selected = texts.length - 1 }: { imported?: number; selected?: number } = {},
) {
  const record: MessageRecord = {
    id: 'm1',
    role: 'character',
    name: null,
    createdAt: 0,
    pinned: false,
    source: imported === undefined ? null : { imported },
    selected,
    versions: texts.map((text, index) => ({
      id: `v${index}`,
      content: text.replace(/^\*/, ''),
      model: 'loreloom',
      status: 'complete',
      errorCode: null,
      edited: text.startsWith('*'),
      createdAt: 0,
    })),
  };
  return getReportedText(record);
}

describe('What a report says that a character said', () => {
  test('is what is shown, where it was written here', () => {
    expect(reply(['Hello.'])).toEqual({ text: 'Hello.', marks: [] });
    expect(reply(['Hello.', 'Hi.'], { selected: 0 })).toEqual({ text: 'Hello.', marks: [] });
    expect(reply(['Hello.', 'Hello. And more.'])).toEqual({ text: 'Hello. And more.', marks: [] });
  });

  test('is what was written before I edited it, and says so', () => {
    expect(reply(['Hello.', '*Forged.'])).toEqual({ text: 'Hello.', marks: ['edited'] });
    expect(reply(['', '*Forged.'])).toEqual({ text: 'Forged.', marks: ['edited'] });
  });

  test('holds no words of mine that I had the character go on from', () => {
    expect(reply(['Hello.', '*Forged. ', 'Forged. And on.'])).toEqual({ text: 'Hello.', marks: ['edited'] });
    expect(reply(['Hello.', '*Forged.', 'Forged. On.', 'Forged. On. On.'])).toEqual({
      text: 'Hello.',
      marks: ['edited'],
    });
    // Written anew, it is the character's again.
    expect(reply(['Hello.', '*Forged.', 'Good day.'])).toEqual({ text: 'Good day.', marks: [] });
  });

  test('says that it came with a file, unless it was written here since', () => {
    expect(reply(['Brought.'], { imported: 1 })).toEqual({ text: 'Brought.', marks: ['imported'] });
    expect(reply(['Brought.', '*Forged.'], { imported: 1 })).toEqual({
      text: 'Forged.',
      marks: ['edited', 'imported'],
    });
    expect(reply(['Brought.', 'Brought. And on.'], { imported: 1 })).toEqual({
      text: 'Brought. And on.',
      marks: ['imported'],
    });
    expect(reply(['Brought.', 'Hello.'], { imported: 1 })).toEqual({ text: 'Hello.', marks: [] });
    expect(reply(['Brought.', 'Hello.', '*Forged.'], { imported: 1 })).toEqual({
      text: 'Hello.',
      marks: ['edited'],
    });
  });
});

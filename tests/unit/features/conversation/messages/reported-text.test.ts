import { describe, expect, test } from 'vitest';
import type { MessageRecord } from '../../../../../src/features/conversation/files/chat-record.ts';
import { getReportedText } from '../../../../../src/features/conversation/messages/reported-text.ts';

/** A reply with these versions, of which the last is selected; a star marks those that a user edited. */
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

describe('Reported text', () => {
  test('a report contains the selected version of an unedited reply', () => {
    expect(reply(['Hello.'])).toEqual({ text: 'Hello.', marks: [] });
    expect(reply(['Hello.', 'Hi.'], { selected: 0 })).toEqual({ text: 'Hello.', marks: [] });
    expect(reply(['Hello.', 'Hello. And more.'])).toEqual({ text: 'Hello. And more.', marks: [] });
  });

  test("a report contains the text before the user's edit, marked as edited", () => {
    expect(reply(['Hello.', '*Forged.'])).toEqual({ text: 'Hello.', marks: ['edited'] });
    expect(reply(['', '*Forged.'])).toEqual({ text: 'Forged.', marks: ['edited'] });
  });

  test('a report omits an edited text that the character continued', () => {
    expect(reply(['Hello.', '*Forged. ', 'Forged. And on.'])).toEqual({ text: 'Hello.', marks: ['edited'] });
    expect(reply(['Hello.', '*Forged.', 'Forged. On.', 'Forged. On. On.'])).toEqual({
      text: 'Hello.',
      marks: ['edited'],
    });
    // A regenerated reply is the character's own text again.
    expect(reply(['Hello.', '*Forged.', 'Good day.'])).toEqual({ text: 'Good day.', marks: [] });
  });

  test('a report marks an imported reply unless it was regenerated here', () => {
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

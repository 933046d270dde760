import type { CarriedFields } from '../files/chat-file.ts';
import type { MessageRecord } from '../files/chat-record.ts';

/** Who may have changed a reply's text: the user edited it, or it was imported from a file of unknown origin. */
export type ReportMark = 'edited' | 'imported';

export interface ReportedText {
  text: string;
  marks: ReportMark[];
}

/** Whether the selected text of a message was imported from a file. */
export function isImported(record: Pick<MessageRecord, 'selected' | 'source'> | null): boolean {
  if (record === null) return false;
  const { imported = 0 } = (record.source ?? {}) as CarriedFields;
  return record.selected < imported;
}

/**
 * Returns the text of a reply for a report. The reporter may have edited or imported the selected text, but another user
 * (the character's creator) is held responsible for it. So this is the last text that our models wrote, if there is one;
 * otherwise the selected text with its marks.
 */
export function getReportedText({ versions, selected, source }: MessageRecord): ReportedText {
  const { imported = 0 } = (source ?? {}) as CarriedFields;
  const editedTexts: string[] = [];
  const importedTexts: string[] = [];
  let written: string | null = null;
  let last: ReportedText = { text: '', marks: [] };
  for (const [index, { content, edited: isEdited }] of versions.slice(0, selected + 1).entries()) {
    // A continuation of an edited or imported text contains that text, so it gets the same mark.
    const startsWithAny = (texts: readonly string[]) => texts.some((text) => content.startsWith(text));
    const marks: ReportMark[] = [];
    if (isEdited || startsWithAny(editedTexts)) marks.push('edited');
    if (index < imported || startsWithAny(importedTexts)) marks.push('imported');
    const text = content.trimEnd();
    if (text !== '') {
      if (marks.includes('edited')) editedTexts.push(text);
      if (marks.includes('imported')) importedTexts.push(text);
      if (marks.length === 0) written = content;
    }
    last = { text: content, marks };
  }
  if (last.marks.length === 0) return last;
  if (written !== null) return { text: written, marks: ['edited'] };
  const marks: ReportMark[] = last.marks.includes('edited') ? ['edited'] : [];
  return { text: last.text, marks: imported > 0 ? [...marks, 'imported'] : marks };
}

import type { CarriedFields } from '../files/chat-file.ts';
import type { MessageRecord } from '../files/chat-record.ts';

/** What is known of a reply beside its words: a person wrote over it, or it came with a file, whoever wrote that. */
export type ReportMark = 'edited' | 'imported';

export interface ReportedText {
  text: string;
  marks: ReportMark[];
}

/** Whether the text that a message shows came with a file. */
export function isImported(record: Pick<MessageRecord, 'selected' | 'source'> | null): boolean {
  if (record === null) return false;
  const { imported = 0 } = (record.source ?? {}) as CarriedFields;
  return record.selected < imported;
}

/**
 * What a report of a reply says that it said. Whoever reports a reply may have edited or brought it, and somebody else
 * answers for it: so it is the last text that was written here before, as far as there is one, and else the one that is
 * shown, marked.
 */
export function getReportedText({ versions, selected, source }: MessageRecord): ReportedText {
  const { imported = 0 } = (source ?? {}) as CarriedFields;
  const editedTexts: string[] = [];
  const importedTexts: string[] = [];
  let written: string | null = null;
  let last: ReportedText = { text: '', marks: [] };
  for (const [index, { content, edited: isEdited }] of versions.slice(0, selected + 1).entries()) {
    // What goes on from foreign words holds them.
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

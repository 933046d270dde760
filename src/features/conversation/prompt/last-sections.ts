import { escapeSection } from '../../model/prompt-escape.ts';
import type { TokenCounter } from '../../model/estimate-tokens.ts';
import { replaceMacros } from '../macro-names.ts';
import type { PromptInput } from './build-prompt.ts';
import {
  buildAuthorNoteSection,
  buildCrisisSection,
  buildRegenerateNoteSection,
  buildReplyLengthSection,
  buildTaskSection,
  createSection,
  isCharacterTask,
  type MacroNames,
  type PromptSection,
} from './prompt-sections.ts';

/** The sections at the end of a prompt. Pure. */

/** The author's note, if there is one. */
export function buildAuthorNote(input: PromptInput, names: MacroNames, count: TokenCounter): PromptSection[] {
  const note = fillNote(input.authorNote, names, input.startedAt);
  return note === '' ? [] : [createSection('author_note', buildAuthorNoteSection(note, names), count)];
}

const fillNote = (note = '', names: MacroNames, at: number | undefined): string =>
  escapeSection(replaceMacros(note, { ...names, at })).trim();

/** The sections after the history: what changes often, so that the beginning of the prompt stays the same. */
export function buildLastSections(
  input: PromptInput,
  names: MacroNames,
  count: TokenCounter,
): PromptSection[] {
  const { crisis = null, replyLength = 'medium', startedAt, task } = input;
  const note = fillNote(input.regenerateNote, names, startedAt);
  // In a crisis its instructions say how long the reply should be.
  const length = isCharacterTask(task) && crisis === null ? buildReplyLengthSection(replyLength) : null;
  return [
    ...(length === null ? [] : [createSection('reply_length', length, count)]),
    // After the length, which it may change for once.
    ...(note === ''
      ? []
      : [createSection('regenerate_note', buildRegenerateNoteSection(note, names), count)]),
    // After the notes, which must not change what the model does in a crisis.
    ...(crisis === null ? [] : [createSection('safety', buildCrisisSection(crisis, names, task), count)]),
    ...(task.kind === 'reply' ? [] : [createSection('task', buildTaskSection(task, names), count)]),
  ];
}

import { type ReplyStyle, replyStyle } from '../../reply-style/contract.ts';
import { DEFAULT_REPLY_SETTINGS, type ReplySettings } from '../prompt/reply-settings-contract.ts';
import { MAX_NOTE_DEPTH } from '../../reply-style/reply-style.ts';
import { type JsonObject, toObject } from './chat-file.ts';

/** Reads the reply settings of a chat file. */

/** SillyTavern's `note_position` of a note among the messages; the others are before them. */
export const NOTE_IN_CHAT = 1;

/** How many messages follow SillyTavern's author's note; 0 where we have no such place. */
export function parseNoteDepth({
  note_position: position = NOTE_IN_CHAT,
  note_depth: depth,
}: JsonObject): number {
  const isOurs =
    position === NOTE_IN_CHAT &&
    Number.isInteger(depth) &&
    Number(depth) >= 0 &&
    Number(depth) <= MAX_NOTE_DEPTH;
  return isOurs ? Number(depth) : 0;
}

/**
 * Reads SillyTavern's author's note. A note that is switched off there (an interval of 0) or too long for ours is not
 * used; like other metadata it is kept for export.
 */
function parseAuthorNote(metadata: JsonObject): Partial<ReplySettings> {
  const { note_prompt: note, note_interval: interval } = metadata;
  if (typeof note !== 'string' || note.trim() === '' || interval === 0) return {};
  const read = replyStyle.shape.author_note.safeParse(note.toWellFormed());
  if (!read.success) return {};
  const depth = parseNoteDepth(metadata);
  return { author_note: read.data, ...(depth === 0 ? {} : { author_note_depth: depth }) };
}

/**
 * Reads the settings from a file's metadata; those that are invalid are left out.
 * @param own our own fields, which have what SillyTavern has no field for
 */
export function parseReplySettings(metadata: JsonObject, own: unknown): Partial<ReplySettings> {
  const { author_note: _, ...fields } = toObject(own);
  const valid = Object.entries(replyStyle.shape).filter(
    ([name, schema]) => schema.safeParse(fields[name]).success,
  );
  return { ...Object.fromEntries(valid.map(([name]) => [name, fields[name]])), ...parseAuthorNote(metadata) };
}

/**
 * Returns the settings of an imported chat. A file of another program that sets none starts like a new conversation, with
 * the style that the character's creator recommends.
 */
export function chooseImportedSettings(
  written: Partial<ReplySettings>,
  { isOurs, recommended }: { isOurs: boolean; recommended: ReplyStyle | undefined },
): ReplySettings {
  const hasSettings = isOurs || Object.keys(written).length > 0;
  return { ...DEFAULT_REPLY_SETTINGS, ...(hasSettings ? written : recommended) };
}

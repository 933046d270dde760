import { BRAND } from '../../../config/brand.ts';
import type { ReplyRating } from '../contract.ts';
import type { ReplySettings } from '../prompt/reply-settings-contract.ts';

/**
 * SillyTavern's chat format, which other programs read and write too: one JSON object per line, first a header, then the
 * messages with their versions ("swipes").
 *
 * Data without a field in the format is written under our own key: in `chat_metadata` for the chat, on the line for the
 * message, and in `extra` for a version, because SillyTavern moves `extra` along when another version is selected. Other
 * programs' fields are kept in `MessageRecord.source` and written back.
 */

/** The key of our own fields. */
export const OWN_KEY = BRAND.modelValue;

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/**
 * Our own fields of a chat, in `chat_metadata`. They repeat the names, because SillyTavern replaces those in the header
 * by `unused`.
 */
export interface OwnHeaderFields {
  title?: string;
  user_name?: string;
  persona?: string;
  character_name?: string;
  /** Except what SillyTavern has fields for. */
  reply_settings?: Partial<ReplySettings>;
}

/** Our own fields of a message, on its line. */
export interface OwnLineFields {
  pinned?: true;
  /** The line's name is the speaker's current name and follows later changes. */
  unnamed?: true;
}

/** Our own fields of a version, in its `extra`. */
export interface OwnVersionFields {
  status?: 'interrupted' | 'failed';
  error_code?: string;
  edited?: true;
  regenerate_note?: string;
  rating?: ReplyRating;
}

/** The content of `MessageRecord.source`: fields that are neither the format's nor ours, by their place in the file. */
export interface CarriedFields {
  /** Fields of the line itself. */
  line?: JsonObject;
  /** Fields of each version, by index, from `swipe_info` and its `extra`. */
  versions?: ({ info?: JsonObject; extra?: JsonObject } | null)[];
  /** Metadata of the chat; stored with its first message and written to the header, not to a line. */
  chat?: JsonObject;
  /** How many versions, from the first on, came from a file, so that their author is unknown. Not written to files. */
  imported?: number;
}

/** Why a line cannot be read, with the sentence for the user. */
export const LINE_PROBLEMS = {
  empty_file: 'The file contains no chat.',
  not_a_chat:
    'This is not a chat in a supported format: SillyTavern, TavernAI, agnai, RisuAI, KoboldAI Lite, text-generation-webui or CAI Tools.',
  several_chats: 'The file contains several chats. Export one chat at a time.',
  document_too_long: 'A file in this format cannot be this long.',
  not_utf8: 'This line is not UTF-8 text.',
  not_json: 'This line is not JSON.',
  not_object: 'This line is not a JSON object.',
  line_too_long: 'This line is too long.',
  no_text: 'This line has no text: `mes` is missing or not a string.',
  no_side: 'This line does not say who wrote it: `is_user` is neither true nor false.',
  bad_name: 'The name in this line is not a string, or is too long.',
  bad_time: 'The time in this line is neither a string nor a number.',
  bad_versions: 'The versions in this line (`swipes`) are not a list of strings.',
  too_many_versions: 'This line, or the file up to it, has too many versions.',
  text_too_long: 'A text in this line is too long.',
  too_much_carried: 'This line has too much extra data.',
  too_many_lines: 'The file has too many lines.',
  too_many_messages: 'The chat has too many messages. The limit is reached before this line.',
} as const;
export type LineProblem = keyof typeof LINE_PROBLEMS;

import { BRAND } from '../../../config/brand.ts';

/**
 * The chat format of SillyTavern, which other programs read and write too: one JSON object a line, first a header,
 * then the messages with their versions («swipes»).
 *
 * What it has no field for stands under our own name: in `chat_metadata` what belongs to the chat, on the line what
 * belongs to the message, and in `extra` what belongs to one version, because SillyTavern moves `extra` along when
 * another version is chosen. What others put into a line is carried in `MessageRecord.source` and written back.
 */

/** The key under which our own fields stand. */
export const OWN_KEY = BRAND.modelValue;

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Our own fields of a chat, in `chat_metadata`: SillyTavern writes `unused` over the names of a header. */
export interface OwnHeaderFields {
  title?: string;
  user_name?: string;
  persona?: string;
  character_name?: string;
}

/** Our own fields of a message, on its line. */
export interface OwnLineFields {
  pinned?: true;
  /** The line's name is the present one of its person or character, and goes along with it. */
  unnamed?: true;
}

/** Our own fields of a version, in its `extra`. */
export interface OwnVersionFields {
  status?: 'interrupted' | 'failed';
  error_code?: string;
  edited?: true;
}

/** What `MessageRecord.source` holds: the fields that are neither the format's nor ours, where they stood. */
export interface CarriedFields {
  /** Of the line itself. */
  line?: JsonObject;
  /** Of each version, by its index: beside its text and in its `extra`. */
  versions?: ({ info?: JsonObject; extra?: JsonObject } | null)[];
  /** Of the whole chat; stands with its first message, and in no line of a file. */
  chat?: JsonObject;
  /** How many of its versions came with a file, from the first on: who wrote them nobody knows. In no line of a file. */
  imported?: number;
}

/** Why a line cannot be read; each has its sentence in `LINE_PROBLEMS`. */
export const LINE_PROBLEMS = {
  empty_file: 'The file holds no chat.',
  not_a_chat: 'This is neither the header of a chat nor a message.',
  not_utf8: 'This line is not text in UTF-8.',
  not_json: 'This line is not JSON.',
  not_object: 'This line is not a JSON object.',
  line_too_long: 'This line is too long.',
  no_text: 'This line has no text: `mes` is missing or is not a text.',
  no_side: 'This line does not say whose it is: `is_user` is neither true nor false.',
  bad_name: 'The name in this line is not a text, or is too long.',
  bad_time: 'The time in this line is neither a text nor a number.',
  bad_versions: 'The versions in this line (`swipes`) are not a list of texts.',
  too_many_versions: 'There are too many versions in this line, or up to it.',
  text_too_long: 'A text in this line is too long.',
  too_much_carried: 'This line holds too much beside its text.',
  too_many_lines: 'The file has too many lines.',
  too_many_messages: 'The chat has too many messages: they end before this line.',
} as const;
export type LineProblem = keyof typeof LINE_PROBLEMS;

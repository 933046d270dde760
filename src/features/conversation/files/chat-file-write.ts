import {
  type CarriedFields,
  type JsonObject,
  toObject,
  OWN_KEY,
  type OwnHeaderFields,
  type OwnLineFields,
  type OwnVersionFields,
} from './chat-file.ts';
import { replaceMacros, resolveMacros } from '../macro-names.ts';
import { NOTE_IN_CHAT, parseNoteDepth } from './chat-file-settings.ts';
import { type ChatHeader, type MessageRecord, UNKNOWN_MODEL, type VersionRecord } from './chat-record.ts';

/** ISO 8601 with milliseconds, which SillyTavern reads since 2023 and writes since 2025. */
const formatTime = (at: number): string => new Date(at).toISOString();

/** Formats the first line of a chat file, without the newline. */
export function formatHeaderLine(header: ChatHeader): string {
  const own: OwnHeaderFields = {
    ...(header.title === null ? {} : { title: header.title }),
    ...(header.userName === null ? {} : { user_name: header.userName }),
    ...(header.characterName === null ? {} : { character_name: header.characterName }),
    ...(header.persona === null ? {} : { persona: header.persona }),
    ...buildOwnSettings(header),
  };
  return JSON.stringify({
    user_name: header.userName ?? 'unused',
    character_name: header.characterName ?? 'unused',
    ...(header.createdAt === null ? {} : { create_date: formatTime(header.createdAt) }),
    chat_metadata: { ...header.metadata, ...formatAuthorNote(header), [OWN_KEY]: own },
  });
}

/** SillyTavern's fields for the place of an author's note at the end of the prompt. */
const NOTE_AT_END = { note_interval: 1, note_position: 1, note_depth: 0, note_role: 0 };

/** Formats the author's note; its place in an imported chat is kept unless it was changed here. */
function formatAuthorNote({ replySettings, metadata }: ChatHeader): JsonObject {
  const { author_note: note, author_note_depth: depth = 0 } = replySettings;
  if (note === undefined) return {};
  const placed = metadata !== null && 'note_interval' in metadata ? metadata : NOTE_AT_END;
  const moved = parseNoteDepth(placed) === depth ? {} : { note_position: NOTE_IN_CHAT, note_depth: depth };
  return { ...placed, ...moved, note_prompt: note };
}

/** The settings that SillyTavern has no field for. */
function buildOwnSettings({ replySettings }: ChatHeader): OwnHeaderFields {
  const { author_note: note, author_note_depth: depth, ...rest } = replySettings;
  const own = { ...rest, ...(note === undefined && depth !== undefined ? { author_note_depth: depth } : {}) };
  return Object.keys(own).length === 0 ? {} : { reply_settings: own };
}

/** Formats the line of one message, without the newline. */
export function formatMessageLine(message: MessageRecord, header: ChatHeader): string {
  const carried = (message.source ?? {}) as CarriedFields;
  const own: OwnLineFields = {
    ...(message.pinned ? { pinned: true } : {}),
    ...(message.name === null ? { unnamed: true } : {}),
  };
  const selected = message.versions[message.selected] as VersionRecord;
  const present = message.role === 'user' ? header.userName : header.characterName;
  const fill = ({ content }: VersionRecord) => fillContent(content, message, header);
  return JSON.stringify({
    ...toObject(carried.line),
    name: message.name ?? present ?? '',
    is_user: message.role === 'user',
    is_system: toObject(carried.line)['is_system'] ?? false,
    send_date: formatTime(message.createdAt),
    mes: fill(selected),
    extra: buildExtra(selected, message.selected, carried),
    ...(needsVersions(message, carried)
      ? {
          swipe_id: message.selected,
          swipes: message.versions.map(fill),
          swipe_info: message.versions.map((version, index) => ({
            ...toObject(carried.versions?.[index]?.info),
            send_date: formatTime(version.createdAt),
            extra: buildExtra(version, index, carried),
          })),
        }
      : {}),
    ...(Object.keys(own).length === 0 ? {} : { [OWN_KEY]: own }),
  });
}

/** A text as the chat shows it. */
function fillContent(content: string, { createdAt: at }: MessageRecord, header: ChatHeader): string {
  const { userName: user, characterName: char } = header;
  // A program that reads the file replaces a name that is missing in it.
  return user === null || char === null
    ? resolveMacros(content, at)
    : replaceMacros(content, { user, char, at });
}

/** SillyTavern writes a message without further versions as a line without `swipes`. */
function needsVersions({ versions, createdAt }: MessageRecord, carried: CarriedFields): boolean {
  return (
    versions.length > 1 || versions[0]?.createdAt !== createdAt || carried.versions?.[0]?.info !== undefined
  );
}

function buildExtra(version: VersionRecord, index: number, carried: CarriedFields): JsonObject {
  const own: OwnVersionFields = {
    ...(version.status === 'complete' ? {} : { status: version.status }),
    ...(version.errorCode === null ? {} : { error_code: version.errorCode }),
    ...(version.edited ? { edited: true } : {}),
    ...(version.regenerateNote === undefined ? {} : { regenerate_note: version.regenerateNote }),
    ...(version.rating === undefined ? {} : { rating: version.rating }),
  };
  return {
    ...toObject(carried.versions?.[index]?.extra),
    ...(version.model === null || version.model === UNKNOWN_MODEL ? {} : { model: version.model }),
    ...(version.thinking === undefined ? {} : { reasoning: version.thinking }),
    // Written for every text, so that other programs need not guess.
    ai_generated: version.model !== null,
    ...(Object.keys(own).length === 0 ? {} : { [OWN_KEY]: own }),
  };
}

/**
 * Renders a chat file in pieces: the header line, then the lines of each page. Every line ends with a newline.
 * @param pages messages in order, one page at a time; an error in it ends the file unfinished
 */
export async function* renderChatFile(
  header: ChatHeader,
  pages: AsyncIterable<readonly MessageRecord[]>,
): AsyncGenerator<string> {
  yield `${formatHeaderLine(header)}\n`;
  for await (const page of pages) {
    if (page.length > 0) yield page.map((message) => `${formatMessageLine(message, header)}\n`).join('');
  }
}

import { CHAT_FILE, MAX_THINKING_CHARS } from '../limits.ts';
import { TEXT_LIMITS } from '../../../config/text-limits.ts';
import { toName } from '../../../lib/sanitize-text.ts';
import {
  type CarriedFields,
  type JsonObject,
  type LineProblem,
  toObject,
  OWN_KEY,
  type OwnHeaderFields,
} from './chat-file.ts';
import { isChatLine, LineError, readValues } from './chat-file-values.ts';
import { parseReplySettings } from './chat-file-settings.ts';
import { parseChatTime } from './chat-file-times.ts';
import { type ChatHeader, type MessageRecord, UNKNOWN_MODEL, type VersionRecord } from './chat-record.ts';

/**
 * The parts of a chat file in order: one header, then messages. A `bad` part is the first unreadable line and ends the
 * file.
 */
export type ChatFilePart =
  /** `isOurs`: the file was exported here, so that settings it does not have are the default ones. */
  | { kind: 'header'; header: ChatHeader; isOurs: boolean }
  | { kind: 'message'; record: MessageRecord }
  | { kind: 'bad'; line: number; reason: LineProblem };

export interface ChatReadContext {
  /** Used for messages without a time, in milliseconds since 1970. */
  now: number;
  /** Creates ids for a message and its versions, by its place from 1; ids in the file belong to another chat. */
  newId: (position: number) => string;
}

/**
 * Reads a chat file in SillyTavern's format or in one of `convertChat`. It is lenient where SillyTavern's versions
 * differed: the header may be incomplete or missing, times have many forms (see `parseChatTime`; an unreadable time is
 * replaced by that of the previous line), versions may be missing or the selected index invalid, and blank lines and a
 * byte-order mark are skipped. Lines that SillyTavern hides from its model (`is_system`) become normal messages, because its readers see
 * them; the flag is kept for export. Lone surrogates, which no storage keeps, become replacement characters, and names
 * are cleaned (see `toName`). Anything else makes a line bad.
 * @param chunks the file's bytes; of SillyTavern's format only the current line is held in memory
 */
export async function* readChatFile(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  reading: ChatReadContext,
): AsyncGenerator<ChatFilePart> {
  const story: ReadState = { ...reading, position: 0, previousAt: null, hasPersonSpoken: false };
  let hasHeader = false;
  let messages = 0;
  let versions = 0;
  let line = 1;
  try {
    for await (const found of readValues(chunks)) {
      line = found.line;
      const { value } = found;
      if (!hasHeader) {
        hasHeader = true;
        const header = parseHeader(value);
        story.previousAt = header.createdAt;
        yield { kind: 'header', header, isOurs: isOurHeader(value) };
        if (!('mes' in value)) continue;
      }
      messages += 1;
      if (messages > CHAT_FILE.maxMessages) throw new LineError('too_many_messages');
      story.position = messages;
      const record = parseMessageLine(value, story);
      versions += record.versions.length;
      if (versions > CHAT_FILE.maxVersionsInAll) throw new LineError('too_many_versions');
      yield { kind: 'message', record };
    }
    if (!hasHeader) throw new LineError('empty_file');
  } catch (error) {
    if (!(error instanceof LineError)) throw error;
    yield { kind: 'bad', line: error.line ?? line, reason: error.reason };
  }
}

/** State carried from one line to the next. */
interface ReadState extends ChatReadContext {
  /** The place of the message. */
  position: number;
  previousAt: number | null;
  hasPersonSpoken: boolean;
}

// ── header ──

function parseHeader(value: JsonObject): ChatHeader {
  if ('mes' in value)
    return {
      userName: null,
      persona: null,
      characterName: null,
      createdAt: null,
      title: null,
      replySettings: {},
      metadata: null,
    };
  if (!isChatLine(value)) throw new LineError('not_a_chat');
  const metadata = toObject(value['chat_metadata']);
  const own: OwnHeaderFields = toObject(metadata[OWN_KEY]);
  const replySettings = parseReplySettings(metadata, own.reply_settings);
  const hasNote = replySettings.author_note !== undefined;
  const others = omitFields(metadata, [OWN_KEY, ...(hasNote ? ['note_prompt'] : [])]);
  const title = typeof own.title === 'string' ? toName(own.title) : '';
  return {
    userName: parseHeaderName(value['user_name']) ?? parseName(own.user_name),
    persona: parseName(own.persona),
    characterName: parseHeaderName(value['character_name']) ?? parseName(own.character_name),
    createdAt: parseTime(value['create_date']),
    replySettings,
    title: title === '' ? null : title.slice(0, TEXT_LIMITS.title).toWellFormed(),
    metadata: limitCarried(others),
  };
}

/** Whether a header was written here. Chats of other formats are converted to one with a title at most. */
function isOurHeader(value: JsonObject): boolean {
  const own: OwnHeaderFields = toObject(toObject(value['chat_metadata'])[OWN_KEY]);
  return own.character_name !== undefined;
}

/** SillyTavern writes `unused` for both names since it stores them elsewhere. */
function parseHeaderName(value: unknown): string | null {
  const name = parseName(value);
  return name === 'unused' ? null : name;
}

// ── messages ──

const LINE_FIELDS = [
  'name',
  'is_user',
  'send_date',
  'mes',
  'extra',
  'swipes',
  'swipe_id',
  'swipe_info',
  OWN_KEY,
];

function parseMessageLine(line: JsonObject, story: ReadState): MessageRecord {
  const { texts, selected } = parseVersionTexts(line);
  const isUser = line['is_user'];
  if (typeof isUser !== 'boolean') throw new LineError('no_side');
  const role = isUser ? 'user' : 'character';
  const name = parseName(line['name']);
  const createdAt = parseTime(line['send_date']) ?? story.previousAt ?? story.now;
  const own = toObject(line[OWN_KEY]);
  const infos = Array.isArray(line['swipe_info']) ? line['swipe_info'] : [];
  if (infos.length > CHAT_FILE.maxVersions) throw new LineError('too_many_versions');

  const carried: NonNullable<CarriedFields['versions']> = [];
  const versions = texts.map((content, index): VersionRecord => {
    const info = toObject(infos[index]);
    // The line's own `extra` belongs to the selected version and is newer than the copy in `swipe_info`.
    const extra: JsonObject = {
      ...toObject(info['extra']),
      ...(index === selected ? toObject(line['extra']) : {}),
    };
    const ownOfVersion = toObject(extra[OWN_KEY]);
    const signs = index === selected ? [extra, info, line] : [extra, info];
    const thinking = role === 'character' ? parseThinking(extra) : null;
    const taken = thinking === null ? OWN_EXTRA_FIELDS : [...OWN_EXTRA_FIELDS, 'reasoning'];
    const rest = { info: omitFields(info, ['send_date', 'extra']), extra: omitFields(extra, taken) };
    carried.push(omitEmpty(rest));
    const { status, error_code: errorCode, rating } = ownOfVersion;
    const regenerateNote = role === 'character' ? parseRegenerateNote(ownOfVersion) : null;
    return {
      id: story.newId(story.position),
      content,
      model: detectModel(extra, signs, role, story),
      status: status === 'interrupted' || status === 'failed' ? status : 'complete',
      errorCode: typeof errorCode === 'string' && /^\w{1,64}$/.test(errorCode) ? errorCode : null,
      edited: ownOfVersion['edited'] === true,
      ...(thinking === null ? {} : { thinking }),
      ...(regenerateNote === null ? {} : { regenerateNote }),
      ...(role === 'character' && (rating === 'up' || rating === 'down') ? { rating } : {}),
      createdAt: parseTime(info['send_date']) ?? createdAt,
    };
  });
  while (carried.at(-1) === null) carried.pop();

  story.previousAt = createdAt;
  if (isUser) story.hasPersonSpoken = true;
  const rest = omitFields(line, LINE_FIELDS);
  // Every line of the format contains this value, so it need not be kept.
  if (rest['is_system'] === false) delete rest['is_system'];
  const source: CarriedFields = {
    ...(isEmpty(rest) ? {} : { line: rest }),
    ...(carried.length === 0 ? {} : { versions: carried }),
  };
  return {
    id: story.newId(story.position),
    role,
    name: own['unnamed'] === true ? null : name,
    createdAt,
    pinned: own['pinned'] === true,
    source: limitCarried(source as JsonObject),
    selected,
    versions,
  };
}

/** The fields of `extra` that we store ourselves; all others are kept as carried fields. */
const OWN_EXTRA_FIELDS = ['model', 'ai_generated', OWN_KEY];

/** Reads what a model thought; longer thinking than ours stays with the other fields. */
function parseThinking({ reasoning }: JsonObject): string | null {
  const isOurs =
    typeof reasoning === 'string' && reasoning.trim() !== '' && reasoning.length <= MAX_THINKING_CHARS;
  return isOurs ? reasoning : null;
}

function parseRegenerateNote({ regenerate_note: note }: JsonObject): string | null {
  const isOurs = typeof note === 'string' && note.trim() !== '' && note.length <= TEXT_LIMITS.regenerateNote;
  return isOurs ? note.toWellFormed() : null;
}

/**
 * Returns the texts of a message and the selected one. `mes` is always the selected text, also when it contradicts
 * `swipe_id`.
 */
function parseVersionTexts(line: JsonObject): { texts: string[]; selected: number } {
  const swipes = line['swipes'];
  if (swipes !== undefined && swipes !== null && !Array.isArray(swipes)) throw new LineError('bad_versions');
  const texts = (swipes ?? []).map((one: unknown) => {
    const text = one === null ? '' : parseText(one);
    if (text === null) throw new LineError('bad_versions');
    return limitText(text);
  });
  const at = line['swipe_id'];
  const inRange = typeof at === 'number' && Number.isInteger(at) && at >= 0 && at < texts.length;
  const shown = parseText(line['mes']) ?? null;
  if (shown === null) throw new LineError('no_text');
  const mes = limitText(shown);
  let selected = inRange && texts[at] === mes ? at : texts.lastIndexOf(mes);
  // `mes` was edited without updating the versions; keep it as a further version, so that no text is lost.
  if (selected === -1) selected = texts.push(mes) - 1;
  if (texts.length > CHAT_FILE.maxVersions) throw new LineError('too_many_versions');
  return { texts, selected };
}

/** A text, either directly or in an object, as Chub writes it. */
function parseText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  const inside = toObject(value)['message'];
  return typeof inside === 'string' ? inside : null;
}

function limitText(text: string): string {
  if (text.length > CHAT_FILE.maxContentChars) throw new LineError('text_too_long');
  return text.toWellFormed();
}

/**
 * Returns the model that wrote a version, or null. Files mark this in several ways, and early ones not at all. Without a
 * mark, a character's line after the first line of the user counts as model-written; the lines before it are the card's
 * greeting.
 */
function detectModel(
  extra: JsonObject,
  signs: readonly JsonObject[],
  role: MessageRecord['role'],
  story: ReadState,
): string | null {
  const { model, ai_generated: generated } = extra;
  const named = typeof model === 'string' ? toName(model) : '';
  if (named !== '') return named.slice(0, CHAT_FILE.maxNameChars).toWellFormed();
  if (typeof generated === 'boolean') return generated ? UNKNOWN_MODEL : null;
  if (role === 'user') return null;
  const signed = signs.some((place) => GENERATION_SIGNS.some((sign) => Boolean(place[sign])));
  return signed || story.hasPersonSpoken ? UNKNOWN_MODEL : null;
}

const GENERATION_SIGNS = ['api', 'gen_started', 'gen_finished', 'gen_id'];

// ── fields ──

function parseName(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || value.length > CHAT_FILE.maxNameChars) throw new LineError('bad_name');
  const name = toName(value);
  return name === '' ? null : name;
}

function parseTime(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' && typeof value !== 'number') throw new LineError('bad_time');
  return parseChatTime(value);
}

/**
 * Copies an object without some fields. `fromEntries` defines own properties, so that a key like `__proto__` is harmless.
 */
function omitFields(value: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !fields.includes(key)));
}

const isEmpty = (value: JsonObject): boolean => Object.keys(value).length === 0;

function omitEmpty(
  parts: Record<'info' | 'extra', JsonObject>,
): { info?: JsonObject; extra?: JsonObject } | null {
  const entries = Object.entries(parts).filter(([, value]) => !isEmpty(value));
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** Returns the carried fields, or null when there are none. @throws LineError when they exceed the limits */
function limitCarried(value: JsonObject): JsonObject | null {
  if (isEmpty(value)) return null;
  if (isDeeperThan(value, CHAT_FILE.maxCarriedDepth)) throw new LineError('too_much_carried');
  if (JSON.stringify(value).length > CHAT_FILE.maxCarriedChars) throw new LineError('too_much_carried');
  return value;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inside) => isDeeperThan(inside, levels - 1));
}

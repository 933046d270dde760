import { isObject, type JsonObject, OWN_KEY, toObject } from './chat-file.ts';

/**
 * Chats of other programs that are one JSON document: each is converted into lines of SillyTavern's format, which
 * `readChatFile` reads and checks. Pure.
 */

/** The lines of a chat; `several` when the document has more than one chat. */
type ConvertedChat = JsonObject[] | 'several';

/** Converts a document; null when it is in none of the known formats. */
export function convertChat(value: unknown): ConvertedChat | null {
  if (Array.isArray(value)) return value.length > 0 && value.every(isObject) ? value : null;
  if (!isObject(value)) return null;
  return (
    convertRisu(value) ??
    convertAgnai(value) ??
    convertTextGen(value) ??
    convertKoboldLite(value) ??
    convertCharacterAi(value)
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';
const listObjects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** A header with the fields that are known. */
function createHeader(known: { title?: unknown; character?: unknown; user?: unknown; note?: unknown }) {
  const { title, character, user, note } = known;
  return {
    user_name: isText(user) ? user : 'unused',
    character_name: isText(character) ? character : 'unused',
    chat_metadata: {
      ...(isText(note) && note !== '' ? { note_prompt: note } : {}),
      ...(isText(title) ? { [OWN_KEY]: { title } } : {}),
    },
  };
}

/** @param line `name` and `send_date` may be missing */
function createLine(line: {
  isUser: boolean;
  text: string;
  name?: unknown;
  time?: unknown;
  model?: unknown;
  versions?: string[];
}): JsonObject {
  const { isUser, text, name, time, model, versions } = line;
  return {
    is_user: isUser,
    mes: text,
    ...(isText(name) ? { name } : {}),
    ...(isText(time) || typeof time === 'number' ? { send_date: time } : {}),
    ...(isText(model) ? { extra: { model } } : {}),
    ...(versions === undefined ? {} : { swipes: versions, swipe_id: versions.lastIndexOf(text) }),
  };
}

/** Converts the only chat of a list. */
function convertOnly(chats: readonly JsonObject[], convert: (chat: JsonObject) => JsonObject[]) {
  const [only, ...others] = chats;
  if (only === undefined) return null;
  return others.length > 0 ? 'several' : convert(only);
}

/** RisuAI: `{ type: "risuChat", data: { name, note, message: [{ role: "user" | "char", data, time }] } }`. */
function convertRisu({ type, data }: JsonObject): ConvertedChat | null {
  if (type !== 'risuChat' && type !== 'risuAllChats') return null;
  const chats = type === 'risuChat' ? [toObject(data)] : listObjects(data);
  return convertOnly(chats, (chat) => [
    createHeader({ title: chat['name'], note: chat['note'] }),
    ...listObjects(chat['message']).flatMap(({ role, data: text, time, generationInfo }) =>
      isText(text)
        ? [createLine({ isUser: role === 'user', text, time, model: toObject(generationInfo)['model'] })]
        : [],
    ),
  ]);
}

/** agnai: `{ name, messages: [{ msg, name, userId | characterId, createdAt, retries }] }`. */
function convertAgnai({ name: title, messages }: JsonObject): ConvertedChat | null {
  const lines = listObjects(messages).flatMap(({ msg, name, userId, createdAt, retries }) => {
    if (!isText(msg)) return [];
    const earlier = Array.isArray(retries) ? retries.filter(isText) : [];
    const versions = earlier.length === 0 ? {} : { versions: [...earlier.toReversed(), msg] };
    return [createLine({ isUser: isText(userId), text: msg, name, time: createdAt, ...versions })];
  });
  // agnai writes this for each exported chat.
  return lines.length === 0 ? null : [createHeader({ title: title === 'Exported' ? null : title }), ...lines];
}

/** What text-generation-webui writes instead of a message before the greeting. */
const NO_MESSAGE = '<|BEGIN-VISIBLE-CHAT|>';

/**
 * text-generation-webui: `{ internal: [[message, reply], …], metadata: { user_0, assistant_0, … } }`; `data` in old
 * files. `visible` has the same texts as HTML.
 */
function convertTextGen({ internal, data, metadata }: JsonObject): ConvertedChat | null {
  const pairs = internal ?? data;
  if (!Array.isArray(pairs) || pairs.length === 0 || !pairs.every(Array.isArray)) return null;
  const about = toObject(metadata);
  const lines = pairs.flatMap((pair: unknown[], index) =>
    (['user', 'assistant'] as const).flatMap((side, place) => {
      const text = pair[place];
      if (!isText(text) || text === '' || text === NO_MESSAGE) return [];
      const { timestamp, versions, name, model_name: model } = toObject(about[`${side}_${index}`]);
      const texts = listObjects(versions)
        .map(({ content }) => content)
        .filter(isText);
      const all = texts.length > 1 && texts.includes(text) ? { versions: texts } : {};
      return [createLine({ isUser: side === 'user', text, name, time: timestamp, model, ...all })];
    }),
  );
  return [createHeader({}), ...lines];
}

/** The modes of KoboldAI Lite. */
const KOBOLD_MODES = { adventure: 2, chat: 3, instruct: 4 } as const;
/** Separates the names of several characters. */
const KOBOLD_NAMES = '||$||';

/** KoboldAI Lite: a story as `prompt` and `actions`, whose speakers stand in its text. */
function convertKoboldLite(value: JsonObject): ConvertedChat | null {
  const { gamestarted, prompt, actions, savedsettings } = value;
  if (gamestarted === undefined || !isText(prompt) || !Array.isArray(actions)) return null;
  const settings = toObject(savedsettings);
  const pieces = [prompt, ...actions.filter(isText)];
  const user = getTextOr(settings['chatname'], 'You');
  const others = getTextOr(settings['chatopponent'], '').split(KOBOLD_NAMES).filter(Boolean);
  const header = createHeader({ user, character: others[0], note: value['authorsnote'] });
  switch (settings['opmode']) {
    case KOBOLD_MODES.chat: {
      const names = [user, ...others];
      const marks = names.map((name) => ({ mark: `\n${name}:`, isUser: name === user, name }));
      return [header, ...splitAtMarks(`\n${pieces.join('')}`, marks)];
    }
    case KOBOLD_MODES.instruct: {
      const marks = [
        ...['{{[INPUT]}}', settings['instruct_starttag']].map((mark) => ({ mark, isUser: true })),
        ...['{{[OUTPUT]}}', settings['instruct_endtag']].map((mark) => ({ mark, isUser: false })),
      ].filter((one): one is StoryMark => isText(one.mark) && one.mark.trim() !== '');
      return [header, ...splitAtMarks(pieces.join(''), marks)];
    }
    default:
      return [
        header,
        ...pieces.flatMap((piece) => {
          const text = piece.trim();
          const isUser = settings['opmode'] === KOBOLD_MODES.adventure && text.startsWith('> ');
          return text === '' ? [] : [createLine({ isUser, text: isUser ? text.slice(2) : text })];
        }),
      ];
  }
}

const getTextOr = (value: unknown, other: string): string =>
  isText(value) && value.trim() !== '' ? value : other;

/** A text at which a message begins. */
interface StoryMark {
  mark: string;
  isUser: boolean;
  name?: string;
}

/** More or longer marks are not looked for: the time grows with their number, and a pattern has a maximum size. */
const MAX_MARKS = 50;
const MAX_MARK_CHARS = 500;

/** Splits a story into messages; the text before the first mark is the character's. */
function splitAtMarks(story: string, all: readonly StoryMark[]): JsonObject[] {
  const marks = all.filter(({ mark }) => mark.length <= MAX_MARK_CHARS).slice(0, MAX_MARKS);
  const pattern = marks
    .map(({ mark }) => mark)
    .toSorted((a, b) => b.length - a.length)
    .map((mark) => RegExp.escape(mark))
    .join('|');
  const parts = pattern === '' ? [story] : story.split(new RegExp(`(${pattern})`));
  const lines: JsonObject[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const text = (parts[at] as string).trim();
    const found = marks.find(({ mark }) => mark === parts[at - 1]);
    if (text !== '') lines.push(createLine({ isUser: found?.isUser ?? false, text, name: found?.name }));
  }
  return lines;
}

/** CAI Tools: `{ info: { character }, histories: { histories: [{ msgs: [{ src: { is_human }, text }] }] } }`. */
function convertCharacterAi({ info, histories }: JsonObject): ConvertedChat | null {
  const { name: character } = toObject(toObject(info)['character']);
  return convertOnly(listObjects(toObject(histories)['histories']), ({ msgs }) => [
    createHeader({ character }),
    ...listObjects(msgs).flatMap(({ src, text, created }) => {
      const { is_human: isHuman, name } = toObject(src);
      return isText(text) ? [createLine({ isUser: isHuman === true, text, name, time: created })] : [];
    }),
  ]);
}

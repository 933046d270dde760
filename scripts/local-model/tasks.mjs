import { findTopic } from './english.mjs';
import { readFacts } from './facts.mjs';
import { chooseLanguage, straighten } from './languages.mjs';
import { formatBlocks } from './layout.mjs';
import { pick } from './random.mjs';
import { reply } from './reply.mjs';

/** The end of a sentence needs no space after it in Japanese and Chinese. */
const FIRST_SENTENCE = /^[\s\S]*?(?:[.!?…।](?=\s|$)|[。！？])|^[\s\S]+$/u;
/** The product asks for one to five short sentences. */
const MAX_NOTES = 5;
const MAX_QUOTED_CHARACTERS = 140;
/** Replaces "my" in a fact, since a note speaks about the user in the third person. */
const THIRD_PERSON = {
  en: [/\bmy\b/gi, 'their'],
  ja: [/(?:私|わたし|あたし|僕|ぼく|俺)の/g, '自分の'],
  zh: [/我的?(?!们)/g, '自己的'],
};

const firstSentence = (text) => FIRST_SENTENCE.exec(text.trim())?.[0] ?? '';

function shorten(text) {
  const first = firstSentence(straighten(text).replaceAll(/[*"「」]/g, '')).replaceAll(/\s+/g, ' ');
  return first.length > MAX_QUOTED_CHARACTERS
    ? `${first.slice(0, MAX_QUOTED_CHARACTERS).replace(/\s+\S{0,30}$/, '')}…`
    : first;
}

/** Reads the conversation's language from the messages of a task. */
function readLanguage(messages) {
  const texts = (role) =>
    messages.filter((one) => one.role === role).map(({ content }) => straighten(content));
  return chooseLanguage(texts('user'), texts('assistant').join('\n')).language;
}

/** Writes three lines for the user: a question, an action and a turn of the story. */
function writeSuggestions({ story: messages, isCrisis, random }) {
  const language = readLanguage(messages);
  if (isCrisis) return language.care.suggest;
  const { suggestAsk, suggestAct, suggestTurn, suggestTopic } = language.lines;
  const last = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
  const topic = language.code === 'en' ? findTopic(straighten(last).replaceAll('*', ' ')) : '';
  const ask = pick(random, topic === '' ? suggestAsk : suggestTopic).replace(
    '{topic}',
    topic.replace(/^your /, 'the '),
  );
  return [ask, pick(random, suggestAct), pick(random, suggestTurn)];
}

function writeDraft({ story: messages, isCrisis, random }) {
  const [ask, act, turn] = writeSuggestions({ story: messages, isCrisis, random });
  if (!act.startsWith('*')) return ask;
  const narration = { kind: 'act', text: act.slice(1, -1) };
  return formatBlocks([narration, { kind: 'say', text: pick(random, [ask, turn]) }], readLanguage(messages));
}

/** Reads the lines of a record, `Name: text`, separated by empty lines. */
function readRecord(record, people) {
  const lines = /** @type {{speaker: string, text: string}[]} */ ([]);
  for (const block of record.replace(/^#.*\n/, '').split('\n\n')) {
    const speaker = people.find((name) => block.startsWith(`${name}: `));
    const last = lines.at(-1);
    if (speaker !== undefined) lines.push({ speaker, text: block.slice(speaker.length + 2) });
    else if (last) last.text += `\n${block}`;
  }
  return lines;
}

/** Writes the facts of the user that a part of the story states; without facts, quotations. */
function writeNotes(system, record) {
  const [, char = '', user = ''] = /story between (.+?) and (.+?)\.$/m.exec(system) ?? [];
  const [, known = ''] = system.split('# Noted already');
  const lines = readRecord(record, [char, user].filter(Boolean));
  const userTexts = lines.filter(({ speaker }) => speaker === user).map(({ text }) => text);
  const { language } = chooseLanguage(userTexts, lines.map(({ text }) => text).join('\n'));
  const quote = (who, text) => language.said.replace('{who}', who).replace('{echo}', shorten(text));
  const writeNote = ({ kind, text, sentence }) => {
    const [mine, own] = THIRD_PERSON[language.code] ?? ['', ''];
    const fact = text.replaceAll(mine, own);
    if (language.self.test(fact)) return quote(user, sentence);
    return language.facts[kind].note.replace('{who}', user).replace('{fact}', fact);
  };
  const isNew = (note) => !known.includes(note);
  const notes = readFacts(userTexts, language)
    .filter(({ kind, text }) => !(kind === 'name' && text === user))
    .filter(
      ({ kind, text }, _, all) =>
        kind !== 'kin' || !all.some((one) => one.kind !== 'kin' && one.text.includes(text)),
    )
    .map(writeNote)
    .filter(isNew);
  const quotations = [
    [user, userTexts.toSorted((a, b) => b.length - a.length)[0] ?? ''],
    [char, lines.findLast(({ speaker }) => speaker === char)?.text ?? ''],
  ]
    .filter(([, text]) => shorten(text) !== '')
    .map(([who, text]) => quote(who, text))
    .filter(isNew);
  const written = notes.length > 0 ? [...new Set(notes)].slice(0, MAX_NOTES) : quotations;
  return written.join(language.gap) || '-';
}

/** Keeps the first sentence of each note, up to the limit. */
function mergeNotes(record) {
  const notes = [...record.matchAll(/^- (.+)$/gm)].map(([, note]) => firstSentence(note)).filter(Boolean);
  const merged = [...new Set(notes)].slice(0, MAX_NOTES).join(' ');
  return merged.replaceAll(/(?<=[。！？]) /g, '') || '-';
}

/** Introduces a character with sentences of its card, which are in the right language. */
function writeIntroduction(record) {
  const [, name = '', tagline = '', traits = ''] =
    /^Name: (.+)\nTagline: (.*)\nTraits:\n([\s\S]*?)(?:\nFirst message:|$)/m.exec(record) ?? [];
  const close = (text) => {
    if (/[.!?…。！？।]$/.test(text)) return text;
    return text + (/[\p{Script=Han}ぁ-ヿ]$/u.test(text) ? '。' : '.');
  };
  const first = shorten(traits);
  return [`${name}: ${close(tagline.trim())}`, first === '' ? '' : close(first)].filter(Boolean).join(' ');
}

/** The instructions while a message shows a crisis. */
const CRISIS = /\s*\[Out of the story, for now:[^\]]*\]/;
const INSTRUCTION = /\s*\[Out of the story: ([\s\S]*)$/;
/** The tasks of the product, by the beginning of their instruction. */
const TASKS = {
  // An ellipsis says nothing in any language, so the conversation's language stays.
  'go on with your last message': ({ story, random }) =>
    reply([...story, { role: 'user', content: '…' }], random),
  'write the next message of': (about) => writeDraft(about),
  'write three different things': (about) => writeSuggestions(about).join('\n'),
  'write the notes': ({ system, record }) => writeNotes(system, record),
  'write the shorter notes': ({ record }) => mergeNotes(record),
  'write the introduction of': ({ record }) => writeIntroduction(record),
};

/**
 * Answers a message, or a task of the product such as suggestions, notes or an introduction.
 * @param {{role: string, content: string}[]} messages
 * @param {() => number} random
 * @param {string[]} [versions] earlier replies to the same message, oldest first, whose sentences are not repeated
 * @returns {string}
 */
export function answer(messages, random, versions = []) {
  const newest = messages.at(-1);
  const isCrisis = newest?.role === 'user' && CRISIS.test(newest.content);
  if (isCrisis) {
    const content = newest.content.replace(CRISIS, '').trim();
    messages = [...messages.slice(0, -1), ...(content === '' ? [] : [{ ...newest, content }])];
  }
  const last = messages.at(-1);
  const [, instruction = ''] = last?.role === 'user' ? (INSTRUCTION.exec(last.content) ?? []) : [];
  const task = Object.keys(TASKS).find((words) => instruction.startsWith(words));
  if (task === undefined) return reply(messages, random, versions);
  const record = last.content.replace(INSTRUCTION, '').trim();
  const before = messages.slice(0, -1);
  const story = record === '' ? before : [...before, { role: 'user', content: record }];
  const system = messages.find(({ role }) => role === 'system')?.content ?? '';
  return TASKS[task]({ story, system, record, isCrisis, random });
}

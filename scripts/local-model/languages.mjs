import { readdirSync, readFileSync } from 'node:fs';

/**
 * The texts and patterns of one language, from `data/<code>.json`. In patterns, `~` means the rest of a word, REST the
 * rest of a clause, CAP a name, and NAME a name that counts only with a capital letter. In Chinese and Japanese a pattern
 * matches inside a row of characters, so it lists the neighbours that it excludes; `~` and CAP do not apply there. In
 * Japanese, REST is the beginning of a clause, after its topic, because the verb comes last, and ME is a word for "I".
 * @typedef {{begin: string, more: string, choice: string, first: [RegExp, string, string], second: [RegExp, string, string], after: string}} Thread
 * @typedef {object} Language with the texts of the file and these fields
 * @property {string} code
 * @property {boolean} spaced whether spaces separate words
 * @property {Set<string>} marks frequent words, by which the language is recognised
 * @property {RegExp} stop conjunctions, at which a fact ends
 * @property {RegExp} self first-person words, which a note must not contain
 * @property {[RegExp, string][]} turn replacements such as my → your
 * @property {Record<string, RegExp>} find patterns by intent
 * @property {Thread[]} threads small plots
 * @property {string} said a note that quotes
 * @property {Record<string, {find: RegExp, lines: string[]}>} things objects of a scene: two lines of narration, one of speech
 */

const DATA = new URL('data/', import.meta.url);
export const CODES = readdirSync(DATA).map((name) => name.replace('.json', ''));
const SHORT_WORDS = 4;
const RECENT_MESSAGES = 6;
const UNSPACED = new Set(['ja', 'zh']);
const FULL_STOPS = { hi: '।', ja: '。', zh: '。' };
const SLOTS = {
  '~': String.raw`[\p{L}\p{M}]*`,
  REST: String.raw`([^.,;:!?\n"*…。、，；！？।「」]{2,60})`,
  CAP: String.raw`(\p{L}[\p{L}\p{M}'-]{1,19}(?: \p{L}[\p{L}\p{M}'-]+)?)`,
  NAME: String.raw`(\p{L}[\p{L}\p{M}'-]{1,19})`,
};
/** One character can name a thing in Chinese and Japanese, and names have no capital letter. */
const UNSPACED_SLOTS = {
  ...SLOTS,
  REST: String.raw`([^.,;:!?\n"*…。、，；：！？「」『』]{1,60})`,
  NAME: String.raw`([\p{Script=Han}ぁ-んァ-ヴー・·A-Za-z]{1,12}?)`,
};

function getSlots({ spaced, code, self }) {
  if (code !== 'ja') return spaced ? SLOTS : UNSPACED_SLOTS;
  const me = `(?:${self})`;
  const clause = String.raw`(?<=^|[.,!?…。、，！？\s「」"]|${me}(?:は|も|が|って))((?:(?!は)[^.,;:!?\n"*…。、，；：！？\s「」『』]){1,30})`;
  return { ...UNSPACED_SLOTS, ME: me, REST: clause };
}

const mapValues = (record, change) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

/** @returns {Language} */
function loadLanguage(code) {
  const data = JSON.parse(readFileSync(new URL(`${code}.json`, DATA), 'utf8'));
  const spaced = !UNSPACED.has(code);
  const slots = getSlots({ spaced, code, self: data.self });
  /** Compiles a pattern, which matches whole words where spaces separate them. */
  const compile = (source, flags = 'iu') => {
    const filled = `(?:${source.replaceAll(/~|REST|CAP|NAME|ME/g, (slot) => slots[slot] ?? slot)})`;
    return new RegExp(spaced ? String.raw`(?<![\p{L}\p{M}\d])${filled}(?![\p{L}\p{M}\d])` : filled, flags);
  };
  const compileOutcome = ([find, act, say]) => [compile(find), act, say];
  return {
    ...data,
    code,
    spaced,
    gap: spaced ? ' ' : '',
    fullStop: FULL_STOPS[code] ?? '.',
    marks: new Set(data.marks.split(' ')),
    stop: compile(data.stop),
    self: compile(data.self),
    turn: data.turn.map(([from, to]) => [compile(from, 'giu'), to]),
    find: mapValues(data.find, (find) => compile(find)),
    things: mapValues(data.things, ([find, ...lines]) => ({ find: compile(find), lines })),
    manners: mapValues(data.manners, ([find, acts, openers]) => ({ find: compile(find), acts, openers })),
    threads: data.threads.map((thread) => ({
      ...thread,
      first: compileOutcome(thread.first),
      second: compileOutcome(thread.second),
    })),
    facts: mapValues(data.facts, (fact) => ({ ...fact, find: compile(fact.find), ask: compile(fact.ask) })),
    recallAsk: compile(data.recallAsk),
  };
}

/** @type {Record<string, Language>} */
export const LANGUAGES = Object.fromEntries(CODES.map((code) => [code, loadLanguage(code)]));

const SCRIPTS = /** @type {[string, RegExp, number][]} */ ([
  ['ja', /[\u3040-\u30ff]/g, 0.15],
  ['zh', /\p{Script=Han}/gu, 0.4],
  ['ru', /\p{Script=Cyrillic}/gu, 0.4],
  ['hi', /\p{Script=Devanagari}/gu, 0.3],
]);

/** Replaces quotation marks and apostrophes by their plain form, so that texts can be compared. */
export const straighten = (text) => text.replaceAll(/[‘’ʼ]/g, "'").replaceAll(/[“”„«»]/g, '"');

/** Removes *actions*. */
export const stripActions = (text) => text.replaceAll(/\*+[^*]*\*+/g, ' ').trim();

/** Splits a straightened text; a closing quotation mark belongs to the sentence that it ends. */
export const splitSentences = (text) =>
  (straighten(text).match(/[^.!?\n。！？।]+[.!?。！？।]*(?:["'」』)]|\s"(?=\s|$))*/gu) ?? [])
    .map((sentence) => sentence.trim())
    .filter(Boolean);

/** Questions without a question mark, by their last syllables. */
const QUESTION_ENDS = {
  ja: /(?:(?<!そう|そっ|なるほど|まさ)か(?:な|しら|ね|い)?|(?:何|誰|どこ|なぜ|なんで|どうして|いつ|どう|どんな)[^。]{0,16}(?:の|なの|んだ)|(?:何|誰|どこ|なぜ|なんで|いつ)|(?:誰|何|何者)だ)[。…\s]*$/u,
  zh: /(?:[吗嗎么麼]|[么麼你您]呢|什么呢?|谁呢?|怎么样|如何|哪里|哪儿|几点|好不好|是不是|行不行)[。…\s]*$/u,
};

/** Whether a sentence is a question: by its mark, in Japanese and Chinese also by its last syllables. */
export const isQuestion = (sentence, { code }) =>
  /[?？]["'」』)\s]*$/.test(sentence) || (QUESTION_ENDS[code]?.test(sentence) ?? false);

/**
 * Detects the language of a text.
 * @param {string} text
 * @param {string | null} before the language of the messages before it, which a short text with a word of it keeps
 * @returns {string | null} a code; "other" for a script of none of the languages; null when the text is ambiguous
 */
export function detectLanguage(text, before = null) {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return null;
  const measure = (pattern) => (text.match(pattern)?.length ?? 0) / letters;
  const code = SCRIPTS.find(([, pattern, share]) => measure(pattern) > share)?.[0];
  // A few characters such as 大丈夫 are Chinese and Japanese.
  const isShared = code === 'zh' && before === 'ja' && ![...text].some((one) => LANGUAGES.zh.marks.has(one));
  if (code) return isShared ? 'ja' : code;
  if (measure(/\p{Script=Latin}/gu) < 0.5) return 'other';
  const words = [...straighten(text.toLowerCase()).matchAll(/[\p{L}\p{M}']+/gu)].map(([word]) => word);
  const scores = CODES.map((code) => {
    const { marks, find } = LANGUAGES[code];
    const isPolite = ['greet', 'thanks', 'bye'].some((key) => find[key].test(text));
    return { code, score: words.filter((word) => marks.has(word)).length + (isPolite ? 2 : 0) };
  }).sort((a, b) => b.score - a.score);
  const [best, second] = scores;
  const isShort = words.length <= SHORT_WORDS;
  if (isShort && scores.some(({ code, score }) => code === before && score > 0)) return before;
  // One short word such as "me" belongs to several languages; it must not end a conversation in another one.
  return best.score >= (isShort && before === null ? 1 : 2) && best.score > second.score ? best.code : null;
}

/**
 * Chooses the language to answer in: that of the newest message with a clear language, else that of the card.
 * @returns {{language: Language, unknown: boolean}} `unknown` when the newest message is in none of the languages
 */
export function chooseLanguage(userMessages, card) {
  const readCode = (text, before) => detectLanguage(text.replaceAll(/"[^"]{0,40}"/g, ' ') || text, before);
  const unknown = detectLanguage(userMessages.at(-1) ?? '') === 'other';
  const cardCode = readCode(card);
  // People of all languages chat with English cards, so there one word is enough.
  const start = cardCode === 'en' ? null : cardCode;
  const code = userMessages.slice(-RECENT_MESSAGES).reduce((before, text) => {
    const next = readCode(text, before);
    return LANGUAGES[next] ? next : before;
  }, start);
  return { language: LANGUAGES[code] ?? LANGUAGES.en, unknown };
}

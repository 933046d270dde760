import { findTopic } from './english.mjs';
import { readFacts } from './facts.mjs';
import { isQuestion as endsAsQuestion, straighten, stripActions } from './languages.mjs';

/**
 * The meaning of a message.
 * @typedef {object} Message
 * @property {string} intent with the `kind` of a fact that is stated or asked for, and the `fact`
 * @property {string[]} actions the texts between asterisks
 * @property {string[]} things keys of the objects that it names
 * @property {string} echo a clause worth quoting, may be empty
 * @property {string} topic a thing that it mentions (English only), may be empty
 */

const SHORT_WORDS = 4;
const ECHO_WORDS = [3, 9];
const ECHO_CHARACTERS = [4, 18];
/** Longer messages say more than goodbye. */
const FAREWELL_WORDS = 8;

const REQUESTS = ['story', 'joke', 'secret', 'how'];
const FEELINGS = ['loss', 'love', 'insult', 'sad', 'afraid', 'angry', 'tired', 'happy', 'leave'];
const QUESTIONS = ['who', 'where', 'why', 'when'];
const REMARKS = ['laugh', 'agree', 'refuse', 'idle'];

const countWords = (text, { spaced }) =>
  spaced ? (text.match(/[\p{L}\p{M}\d']+/gu) ?? []).length : Math.ceil([...text].length / 2);

/** Returns the longest clause that is short enough to be quoted. */
function findEcho(text, language) {
  const [min, max] = language.spaced ? ECHO_WORDS : ECHO_CHARACTERS;
  const measure = (clause) => (language.spaced ? countWords(clause, language) : [...clause].length);
  const clauses = text
    .split(/[.,;:!?…\n"()。、，；：！？।「」]+/u)
    .map((clause) => clause.trim())
    .filter((clause) => measure(clause) >= min && measure(clause) <= max);
  return clauses.sort((a, b) => b.length - a.length)[0] ?? '';
}

/**
 * Reads one message of the user.
 * @param {string} text
 * @param {import('./languages.mjs').Language} language
 * @returns {Message}
 */
export function understand(text, language) {
  const { find, spaced } = language;
  const plain = straighten(text).trim();
  const actions = [...plain.matchAll(/\*+([^*]+)\*+/g)].map(([, action]) => action.trim());
  const speech = stripActions(plain);
  const words = countWords(speech, language);
  const startsWith = (key) => (find[key].exec(speech)?.index ?? Infinity) <= 1;
  const isQuestion =
    /[?？]/.test(speech) ||
    endsAsQuestion(speech, language) ||
    (language.code !== 'ja' && ['what', ...QUESTIONS].some(startsWith));
  const [stated] = isQuestion && words < FAREWELL_WORDS ? [] : readFacts([speech], language);
  const asked = Object.entries(language.facts).find(([, { ask }]) => ask.test(speech))?.[0];
  const findFirst = (keys) => keys.find((key) => find[key].test(speech));

  const decide = () => {
    if (find.selfHarm.test(plain)) return 'care';
    if (find.sexual.test(plain)) return 'sexual';
    if (find.program.test(speech)) return 'program';
    if (language.recallAsk.test(speech) && (isQuestion || asked)) return 'recall';
    const request = findFirst(REQUESTS);
    if (request) return request;
    if (words <= FAREWELL_WORDS && find.bye.test(speech)) return 'bye';
    if (stated && stated.kind !== 'kin') return 'fact';
    if (isQuestion) {
      const isWhat = startsWith('what') || (!spaced && find.what.test(speech));
      return QUESTIONS.find(startsWith) ?? findFirst(QUESTIONS) ?? (isWhat ? 'what' : 'ask');
    }
    const feeling = findFirst(FEELINGS);
    if (feeling) return feeling;
    if (stated) return 'fact';
    const isGreeting = !spaced && words <= FAREWELL_WORDS && startsWith('greet');
    if (words <= SHORT_WORDS || isGreeting || startsWith('thanks')) {
      const polite = findFirst(['thanks', 'sorry']) ?? ['greet', ...REMARKS].find(startsWith);
      if (polite) return polite;
    }
    if (words === 0) return actions.length > 0 ? 'act' : 'idle';
    return /^\d{1,2}[.)]?$/.test(speech) ? 'idle' : 'tell';
  };
  const intent = decide();
  return {
    intent,
    ...(intent === 'fact' && stated ? { kind: stated.kind, fact: stated.text } : {}),
    ...(intent === 'recall' && asked ? { kind: asked } : {}),
    isQuestion,
    actions,
    things: Object.keys(language.things).filter((key) => language.things[key].find.test(plain)),
    echo: findEcho(speech, language),
    topic: language.code === 'en' ? findTopic(speech) : '',
  };
}

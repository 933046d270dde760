import { isQuestion, splitSentences, straighten, stripActions } from './languages.mjs';

/** @typedef {{kind: string, text: string, sentence: string}} Fact */

const MAX_FACT_WORDS = 16;
const MAX_FACT_CHARACTERS = 24;

/** Replaces the user's words by the character's: "my brother" becomes "your brother". */
export const swapPronouns = (text, { turn }) =>
  turn.reduce((swapped, [from, to]) => swapped.replaceAll(from, to), text);

/** A name keeps a second word only when that begins with a capital letter. */
function cleanName(found, isLenient) {
  if (!isLenient && !/^\p{Lu}/u.test(found)) return '';
  const words = found.split(' ');
  const name = words[1] && !/^\p{Lu}/u.test(words[1]) ? words[0] : found;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Returns the matched words up to a conjunction, or an empty text when they are too many. */
function cleanFact(kind, match, language) {
  const found = match.slice(1).find(Boolean)?.trim() ?? '';
  if (kind === 'name') return cleanName(found, match[1] !== undefined);
  // A Japanese fact precedes its verb, so the words before the conjunction are not part of it.
  const cut = (found.split(language.stop).at(language.code === 'ja' ? -1 : 0) ?? '').trim();
  const isLong = language.spaced
    ? cut.split(/\s+/).length > MAX_FACT_WORDS
    : cut.length > MAX_FACT_CHARACTERS;
  return isLong ? '' : cut;
}

/**
 * Reads the facts that a list of messages states.
 * @param {string[]} messages oldest first
 * @param {import('./languages.mjs').Language} language
 * @returns {Fact[]} oldest first
 */
export function readFacts(messages, language) {
  const facts = [];
  for (const sentence of messages.flatMap((message) => splitSentences(stripActions(straighten(message))))) {
    if (isQuestion(sentence, language)) continue;
    for (const [kind, { find }] of Object.entries(language.facts)) {
      const match = find.exec(sentence);
      const text = match ? cleanFact(kind, match, language) : '';
      if (text !== '' && !facts.some((fact) => fact.text === text && fact.kind === kind))
        facts.push({ kind, text, sentence });
    }
  }
  return facts;
}

/** Reads facts back from memory notes, which the templates of the language wrote. */
function readNotes(notes, person, language) {
  const templates = Object.entries(language.facts).map(([kind, { note }]) => ({
    kind,
    ends: straighten(note).replace('{who}', person).split('{fact}'),
  }));
  return notes.flatMap(splitSentences).flatMap((sentence) =>
    templates
      .filter(({ ends: [before, after] }) => sentence.startsWith(before) && sentence.endsWith(after))
      .map(({ kind, ends: [before, after] }) => ({
        kind,
        text: sentence.slice(before.length, sentence.length - after.length),
        sentence,
      })),
  );
}

/** Collects all facts in the prompt: memory notes and pinned messages first, the conversation last. */
export function recallFacts(scene, language) {
  const pinned = scene.pinned.filter(({ speaker }) => speaker === scene.person || speaker === 'Stranger');
  return [
    ...(scene.person === '' ? [] : [{ kind: 'name', text: scene.person, sentence: '' }]),
    ...readNotes(scene.notes, scene.person || 'Stranger', language),
    ...readFacts([scene.personDescription, ...pinned.map(({ text }) => text)], language),
    ...readFacts(scene.userMessages.slice(0, -1), language),
  ];
}

const listWords = (text, language) =>
  language.spaced
    ? (text.toLowerCase().match(/[\p{L}\p{M}]{4,}/gu) ?? [])
    : [...text.replaceAll(/[^\p{Script=Han}\p{Script=Katakana}]/gu, '')].filter(
        (character) => !language.marks.has(character),
      );

/** Finds the earlier sentence that shares most words with a question; without one, returns an empty text. */
export function findRelatedSentence(question, scene, language) {
  const asked = new Set(listWords(question, language));
  const texts = [...scene.notes, ...scene.pinned.map(({ text }) => text), ...scene.userMessages.slice(0, -1)];
  const [best] = texts
    .flatMap((text) => splitSentences(stripActions(text)))
    .filter((sentence) => !isQuestion(sentence, language))
    .map((sentence) => ({
      sentence,
      shared: listWords(sentence, language).filter((word) => asked.has(word)).length,
    }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared);
  return (best?.sentence ?? '').replaceAll(/["「」『』]/gu, '').replace(/[.!。！।]+$/u, '');
}

import { makeRandom } from '../../scripts/local-model/random.mjs';
import { readPrompt } from '../../scripts/local-model/read-prompt.mjs';
import { reply } from '../../scripts/local-model/reply.mjs';
import { PLAIN_THREADS, STEPS } from '../../scripts/local-model/threads.mjs';
import { worldOf } from '../../scripts/local-model/worlds.mjs';

/**
 * Talks with characters in fixed lines, to hear how they sound and where two of them sound alike.
 * @typedef {{role: string, content: string}} Message
 * @typedef {{name: string, tagline: string, traits: string, first: string, mode?: string}} Role
 * @typedef {{name: string, world: import('../../scripts/local-model/worlds.mjs').World, evening: string[][]}} Evening the sentences of each reply
 */

const MIN_SENTENCE_WORDS = 5;

/**
 * The messages with which a conversation begins, as the product sends them.
 * @param {Role} role
 * @param {string} [person]
 * @returns {Message[]}
 */
export function buildRolePrompt(role, person = 'you') {
  const system = `You are ${role.name}, a character in an interactive story with ${person}. Stay in character.

# Character
Name: ${role.name}
Tagline: ${role.tagline}
Traits:
${role.traits}

# Point of view
Mode: ${role.mode ?? 'normal'}. You play as it says.

# The person you talk with
Name: ${person}

# Style
Write well.

# Safety
Be kind.`;
  return [
    { role: 'system', content: system },
    { role: 'assistant', content: role.first },
  ];
}

/**
 * The reply to the first thing said.
 * @param {Role} role
 * @param {string} said
 * @param {number} [seed]
 * @returns {string}
 */
export function generateReply(role, said, seed = 1) {
  return reply([...buildRolePrompt(role), { role: 'user', content: said }], makeRandom(seed));
}

/**
 * The replies to lines said one after another.
 * @param {Role} role
 * @param {string[]} said
 * @param {number} seed the same seed gives the same replies
 * @returns {string[]}
 */
export function generateReplies(role, said, seed) {
  const messages = buildRolePrompt(role);
  return said.map((content, i) => {
    messages.push({ role: 'user', content });
    const text = reply(messages, makeRandom(seed * 1000 + i));
    messages.push({ role: 'assistant', content: text });
    return text;
  });
}

/**
 * What a reader would call a sentence, letters only, when it is long enough to be noticed.
 * @param {string} text
 * @returns {string[]}
 */
export function splitIntoSentences(text) {
  return text
    .split(/[.!?…:;\n*"()]+/)
    .map((sentence) =>
      sentence
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}' ]+/gu, ' ')
        .trim()
        .replaceAll(/\s+/g, ' '),
    )
    .filter((sentence) => sentence.split(' ').length >= MIN_SENTENCE_WORDS);
}

/**
 * Every character told the same lines, with the same numbers.
 * @param {{name: string, oneliner: string, character_traits: string, first_message: string, point_of_view: string}[]} characters
 * @param {string[]} said
 * @param {number} seed
 * @returns {Evening[]}
 */
export function simulateConversations(characters, said, seed) {
  return characters.map((one) => {
    const role = {
      name: one.name,
      tagline: one.oneliner,
      traits: one.character_traits,
      first: one.first_message,
      mode: one.point_of_view,
    };
    const world = worldOf(readPrompt(buildRolePrompt(role)));
    return { name: one.name, world, evening: generateReplies(role, said, seed).map(splitIntoSentences) };
  });
}

/**
 * @param {Evening[]} cast
 * @returns {[Evening, Evening][]} each two of them once
 */
export function listPairs(cast) {
  return cast.flatMap((one, i) =>
    cast.slice(i + 1).map((other) => /** @type {[Evening, Evening]} */ ([one, other])),
  );
}

/**
 * @param {string[][]} one the sentences of each reply
 * @param {string[][]} other
 * @returns {string[][]} for each turn, the sentences that both say in it
 */
export function countSharedSentences(one, other) {
  return one.map((said, turn) => said.filter((sentence) => other[turn]?.includes(sentence)));
}

/**
 * @param {import('../../scripts/local-model/worlds.mjs').World} world
 * @returns {string[]} all sentences of the stories that may be told in a setting
 */
export function listPlotSentences(world) {
  return [world.thread, ...PLAIN_THREADS]
    .filter(Boolean)
    .flatMap((thread) => STEPS.flatMap((step) => [thread[step], thread[`${step}Say`]].flat()))
    .flatMap(splitIntoSentences);
}

import { hash, makeRandom } from '../../scripts/local-model/random.mjs';
import { reply } from '../../scripts/local-model/reply.mjs';

/**
 * Talks with characters in fixed lines, to compare their replies.
 * @typedef {{role: string, content: string}} Message
 * @typedef {{name: string, tagline: string, traits: string, first: string, mode?: string}} Role
 */

const MIN_SENTENCE_WORDS = 5;
/** For languages without spaces. */
const MIN_SENTENCE_CHARACTERS = 8;

/**
 * Builds the messages with which a conversation begins, as the product sends them.
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

/** Seeds a reply by its prompt, as the server does. */
const seedFromMessages = (messages, seed) =>
  makeRandom(hash(messages.map(({ content }) => content).join('\n')) ^ seed);

/**
 * Returns the reply to a first message.
 * @param {Role} role
 * @param {string} said
 * @param {number} [seed]
 * @returns {string}
 */
export function generateReply(role, said, seed = 1) {
  return generateReplies(role, [said], seed)[0] ?? '';
}

/**
 * Returns the replies to a list of messages.
 * @param {Role} role
 * @param {string[]} said
 * @param {number} seed the same seed gives the same replies
 * @returns {string[]}
 */
export function generateReplies(role, said, seed) {
  const messages = buildRolePrompt(role);
  return said.map((content) => {
    messages.push({ role: 'user', content });
    const text = reply(messages, seedFromMessages(messages, seed));
    messages.push({ role: 'assistant', content: text });
    return text;
  });
}

/**
 * Splits a text into sentences, letters only, and keeps those that are long enough for a reader to notice them twice.
 * @param {string} text
 * @returns {string[]}
 */
export function splitIntoSentences(text) {
  return text
    .split(/[.!?…:;\n*"()。！？।「」『』“”„«»]+/u)
    .map((sentence) =>
      sentence
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{M}\p{N}' ]+/gu, ' ')
        .trim()
        .replaceAll(/\s+/g, ' '),
    )
    .filter((sentence) =>
      /[\p{Script=Han}ぁ-ヿ]/u.test(sentence)
        ? sentence.length >= MIN_SENTENCE_CHARACTERS
        : sentence.split(' ').length >= MIN_SENTENCE_WORDS,
    );
}

/**
 * Finds the sentences of a conversation that were already said in it.
 * @param {string[]} replies oldest first, at most twenty
 * @returns {string[]}
 */
export function findRepeatedSentences(replies) {
  const seen = new Set();
  return replies.flatMap((text) => {
    const sentences = splitIntoSentences(text);
    const repeated = sentences.filter((sentence) => seen.has(sentence));
    for (const sentence of sentences) seen.add(sentence);
    return repeated;
  });
}

/**
 * Holds the same conversation with every character.
 * @param {{name: string, oneliner: string, character_traits: string, first_message: string, point_of_view: string}[]} characters
 * @param {string[]} said
 * @param {number} seed
 * @returns {string[][][]} for each character, the sentences of each reply
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
    return generateReplies(role, said, seed).map(splitIntoSentences);
  });
}

/**
 * Counts, for each pair of conversations, the turns in which both have a sentence in common.
 * @param {string[][][]} conversations
 * @returns {number[]}
 */
export function countSharedTurns(conversations) {
  return conversations.flatMap((one, i) =>
    conversations
      .slice(i + 1)
      .map(
        (other) =>
          one.filter((sentences, turn) => sentences.some((sentence) => other[turn]?.includes(sentence)))
            .length,
      ),
  );
}

import { straighten } from './languages.mjs';

/**
 * The content of the product's system prompt, and the conversation after it. Lists begin with the oldest entry; texts
 * may be empty.
 * @typedef {object} Scene
 * @property {string} name of the character, as its tagline, traits, firstMessage and world
 * @property {'normal' | 'multiPeople' | 'rpg' | 'reverse'} mode
 * @property {string} person the user's name
 * @property {string} personDescription
 * @property {string[]} notes memory notes
 * @property {{speaker: string, text: string}[]} pinned pinned messages
 * @property {boolean} crisis whether the product noticed a crisis
 * @property {string[]} userMessages the reply answers the last one
 * @property {string[]} replies
 */

const MODES = /** @type {const} */ (['normal', 'multiPeople', 'rpg', 'reverse']);
/** Names that the product and its users give to a user without a name. */
const NAMELESS = /^(?:you|user|guest|me|anonymous|the user|stranger)?$/i;

/** Returns the text below each `# Heading`, by the heading in lower case. */
function splitSections(prompt) {
  const [head, ...rest] = prompt.split(/^#\s+/m);
  const sections = rest.map((section) => {
    const [heading, ...lines] = section.split(/\r?\n/);
    return [heading.trim().toLowerCase(), lines.join('\n')];
  });
  return new Map([['', head], ...sections]);
}

const readField = (section, label) =>
  new RegExp(`^${label}:[ \\t]*(.*)$`, 'mi').exec(section)?.[1].trim() ?? '';

/**
 * Reads the messages of a request.
 * @param {{role: string, content: string}[]} messages
 * @returns {Scene}
 */
export function readPrompt(messages) {
  const contents = (role) =>
    messages.filter((one) => one.role === role).map((one) => straighten(one.content));
  const system = contents('system').join('\n');
  const sections = splitSections(system);
  const section = (name) => sections.get(name) ?? '';
  const character = section('character');
  const view = section('point of view');
  const person = section('the person you talk with') || section('the person you write for');
  const personName = readField(person, 'Name');
  const replies = contents('assistant');
  const opening = section('how the story began').trim();
  const firstTurn = messages.find((one) => one.role === 'user' || one.role === 'assistant');
  return {
    name:
      readField(character, 'Called') ||
      readField(character, 'Name') ||
      /You are ([^,\n]{1,60}), a character/.exec(system)?.[1] ||
      'The Storyteller',
    tagline: readField(character, 'Tagline'),
    traits: (/^Traits:[ \t]*\n?([\s\S]*)$/im.exec(character)?.[1] ?? '').trim(),
    mode: MODES.find((known) => new RegExp(`mode:\\s*${known}\\b`, 'i').test(view)) ?? 'normal',
    person: NAMELESS.test(personName) ? '' : personName,
    personDescription: readField(person, 'Description'),
    firstMessage: opening || (firstTurn?.role === 'assistant' ? (replies[0] ?? '') : ''),
    world: section('about this world').trim(),
    notes: [...section('what happened so far').matchAll(/^- (.+)$/gm)].map(([, note]) => note),
    pinned: [...section('said earlier, word for word').matchAll(/^([^:\n]{1,60}): (.+)$/gm)].map(
      ([, speaker, text]) => ({ speaker, text }),
    ),
    crisis: sections.has('now'),
    userMessages: contents('user'),
    replies,
  };
}

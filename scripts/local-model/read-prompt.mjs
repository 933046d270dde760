import { straight } from './english.mjs';

/**
 * What the product's system prompt says, and the conversation after it.
 * @typedef {object} Scene
 * @property {string} name the character's name
 * @property {string} tagline one line, may be empty
 * @property {string} traits free text, may be empty
 * @property {'normal' | 'multiPeople' | 'rpg' | 'reverse'} mode
 * @property {string} person the name of who chats, empty when not known
 * @property {string} personDescription may be empty
 * @property {string} firstMessage how the story opened, may be empty
 * @property {string[]} said what the person wrote, oldest first; the last one is to be answered
 * @property {string[]} replies what was answered so far, oldest first
 * @property {{role: string, content: string}[]} turns both, in order
 */

const MODES = ['normal', 'multiPeople', 'rpg', 'reverse'];

function sectionsOf(prompt) {
  const sections = new Map([['', '']]);
  let current = '';
  for (const line of prompt.split(/\r?\n/)) {
    const heading = /^#\s+(.+?)\s*$/.exec(line);
    if (heading) {
      current = heading[1].toLowerCase();
      if (!sections.has(current)) sections.set(current, '');
    } else {
      sections.set(current, `${sections.get(current)}${line}\n`);
    }
  }
  return sections;
}

function field(section, label) {
  return new RegExp(`^${label}:[ \\t]*(.*)$`, 'mi').exec(section)?.[1].trim() ?? '';
}

/**
 * Reads the messages of a request.
 * @param {{role: string, content: string}[]} messages
 * @returns {Scene}
 */
export function readPrompt(messages) {
  const system = messages
    .filter((message) => message.role === 'system')
    .map((message) => message.content)
    .join('\n');
  const sections = sectionsOf(straight(system));
  const character = sections.get('character') ?? '';
  const view = sections.get('point of view') ?? '';
  const person = sections.get('the person you talk with') ?? '';
  const mode = MODES.find((known) => new RegExp(`mode:\\s*${known}\\b`, 'i').test(view)) ?? 'normal';
  const personName = field(person, 'Name');
  const turns = messages
    .filter((message) => message.role === 'user' || message.role === 'assistant')
    .map(({ role, content }) => ({ role, content: straight(content) }));
  const replies = turns.filter((turn) => turn.role === 'assistant').map((turn) => turn.content);
  const opening = (sections.get('how the story began') ?? '').trim();
  return {
    name:
      field(character, 'Name') ||
      /You are ([^,\n]{1,60}), a character/.exec(system)?.[1] ||
      'The Storyteller',
    tagline: field(character, 'Tagline'),
    traits: (/^Traits:[ \t]*\n?([\s\S]*)$/im.exec(character)?.[1] ?? '').trim(),
    mode,
    // A guest has no name of their own; these stand in its place and must not be spoken.
    person: /^(you|user|guest|me|anonymous|the user)?$/i.test(personName) ? '' : personName,
    personDescription: field(person, 'Description'),
    firstMessage: opening || (turns[0]?.role === 'assistant' ? turns[0].content : ''),
    said: turns.filter((turn) => turn.role === 'user').map((turn) => turn.content),
    replies,
    turns,
  };
}

import { capital, straight } from './english.mjs';
import { factsOf, givenName } from './memory.mjs';
import { topicsOf } from './phrases.mjs';
import { pick, shuffled } from './random.mjs';
import { reply } from './reply.mjs';

/** What the product asks for beside replies, by the words in which it asks. */
const TASKS = [
  ['continue', /\[Out of the story: go on with your last message\b/],
  ['draft', /\[Out of the story: write the next message of\b/],
  ['suggestions', /\[Out of the story: write three different things\b/],
  ['notes', /\[Out of the story: write the notes\b/],
  ['merge', /\[Out of the story: write the shorter notes\b/],
  ['introduction', /\[Out of the story: write the introduction of\b/],
];
const INSTRUCTION = /\s*\[Out of the story:[\s\S]*$/;
const FIRST_SENTENCE = /^.*?[.!?…](?=\s|$)|^.+$/s;
/** Five short sentences are what is asked for. */
const MOST_NOTES = 5;
const MOST_QUOTED = 140;

/** Notes of what the person told, by its kind. `who` is the person's name. */
const NOTED = {
  home: (who, fact) => `${who} comes from ${fact}.`,
  trade: (who, fact) => `${who} is ${fact}.`,
  likes: (who, fact) => `${who} is fond of ${fact}.`,
  dislikes: (who, fact) => `${who} dislikes ${fact}.`,
  fear: (who, fact) => `${who} is afraid of ${fact}.`,
  kin: (who, fact) => `${who} spoke of ${fact}.`,
  carried: (who, fact) => `${who} carries ${fact}.`,
  thing: (who, fact) => `${who} spoke of ${fact}.`,
  seeks: (who, fact) => `${who} is looking for ${fact}.`,
  claim: (who, fact) => `${who} said that ${fact}.`,
};

/** Said by the person, when nothing in the last reply gives them a word. */
const ASKING = [
  'What happened here?',
  'Tell me how it began.',
  'What are you not telling me?',
  'Who else knows of this?',
];
const DOING = [
  '*I come closer and wait.*',
  '*I look around without a word.*',
  '*I sit down and listen.*',
  '*I hold out my hand.*',
];
const TURNING = [
  'Let us go and see for ourselves.',
  'I have a better idea. Come with me.',
  'Wait. Did you hear that?',
  'I think I should tell you something.',
];
const ABOUT = [
  (thing) => `Tell me more about ${thing}.`,
  (thing) => `What is it about ${thing}?`,
  (thing) => `Show me ${thing}, please.`,
];

/** What the character would call the person's is the person's own again. */
const asTold = (text) =>
  text
    .replace(/\byou're\b/gi, 'they are')
    .replace(/\byou've\b/gi, 'they have')
    .replace(/\byour\b/gi, 'their')
    .replace(/\byou\b/gi, 'they');

/** Facts are kept without the article that the person gave them. */
const withArticle = (text, said) =>
  said.toLowerCase().includes(` the ${text.toLowerCase()}`) ? `the ${text}` : text;

const firstSentence = (text) => FIRST_SENTENCE.exec(text.trim())?.[0] ?? '';

const shortened = (text) => {
  const first = firstSentence(straight(text).replace(/[*"]/g, '')).replace(/\s+/g, ' ');
  return first.length > MOST_QUOTED ? `${first.slice(0, MOST_QUOTED).replace(/\s+\S*$/, '')}…` : first;
};

/** What the last reply speaks of, in words that the person can take up; empty when there is nothing. */
function thingIn(text) {
  const topic = topicsOf(straight(text).replace(/\*/g, ' ')).find(
    ({ kind, mine, head }) => !mine && kind !== 'name' && kind !== 'other' && head.length > 2,
  );
  return topic === undefined ? '' : topic.text.replace(/^(?:an?|your|my|their|his|her) /i, 'the ');
}

function suggestionsFor(messages, random) {
  const last = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
  const thing = thingIn(last);
  const ask = thing === '' ? pick(random, ASKING) : pick(random, ABOUT)(thing);
  return [ask, pick(random, DOING), pick(random, TURNING)];
}

function draftFor(messages, random) {
  const [ask, act, turn] = suggestionsFor(messages, random);
  const name = givenName(messages.filter(({ role }) => role === 'user').map(({ content }) => content));
  return `${act} "${name !== '' && random() < 0.2 ? `My name is ${name}. ` : ''}${shuffled(random, [ask, turn])[0]}"`;
}

/** The lines of a record, `Name: text`, several of them separated by empty lines. */
function linesIn(record, people) {
  const lines = [];
  for (const block of record.replace(/^#.*\n/, '').split('\n\n')) {
    const speaker = people.find((name) => block.startsWith(`${name}: `));
    if (speaker !== undefined) lines.push({ speaker, text: block.slice(speaker.length + 2) });
    else if (lines.length > 0) lines.at(-1).text += `\n${block}`;
  }
  return lines;
}

/** What a part of the story leaves behind: what the person told of themself, else what was said in it. */
function notesOf(system, record) {
  const [, char = '', user = ''] = /story between (.+?) and (.+?)\.$/m.exec(system) ?? [];
  const [, known = ''] = system.split('# Noted already');
  const lines = linesIn(record, [char, user].filter(Boolean));
  const said = lines.filter(({ speaker }) => speaker === user).map(({ text }) => text);
  const name = givenName(said);
  const notes = [
    ...(name === '' || name === user ? [] : [`${user} goes by the name of ${name}.`]),
    ...factsOf(said).map(({ kind, text, at }) => NOTED[kind](user, asTold(withArticle(text, said[at])))),
  ].filter((note) => !known.includes(note));
  if (notes.length > 0) return notes.slice(0, MOST_NOTES).join(' ');
  const quoted = [
    [user, said.toSorted((a, b) => b.length - a.length)[0]],
    [char, lines.findLast(({ speaker }) => speaker === char)?.text],
  ].filter(([, text]) => text !== undefined && shortened(text) !== '');
  return quoted.length === 0
    ? '-'
    : quoted.map(([who, text]) => `${who} said: “${shortened(text)}”`).join(' ');
}

/** The first sentence of each note, as many as may stay. */
function mergedNotes(record) {
  const notes = record
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => firstSentence(line.slice(2)));
  return [...new Set(notes)].filter(Boolean).slice(0, MOST_NOTES).map(capital).join(' ') || '-';
}

/** Who a character is, in the words of its maker: their own language is the right one. */
function introductionOf(record) {
  const [, name = '', tagline = '', traits = ''] =
    /^Name: (.+)\nTagline: (.*)\nTraits:\n([\s\S]*?)(?:\nFirst message:|$)/m.exec(record) ?? [];
  const close = (text) => (/[.!?…。！？]$/.test(text) ? text : `${text}.`);
  const told = shortened(traits);
  return [`${name}: ${close(tagline.trim())}`, told === '' ? '' : close(told)].filter(Boolean).join(' ');
}

/**
 * The answer of the offline demo voice, to a message or to what else the product asks for.
 * @param {{role: string, content: string}[]} messages
 * @param {() => number} random 0 ≤ n < 1
 * @returns {string}
 */
export function answer(messages, random) {
  const last = messages.at(-1);
  const task = TASKS.find(([, words]) => last?.role === 'user' && words.test(last.content))?.[0];
  if (task === undefined) return reply(messages, random);
  const asked = last.content.replace(INSTRUCTION, '');
  const before = messages.slice(0, -1);
  const story = asked.trim() === '' ? before : [...before, { role: 'user', content: asked }];
  const system = messages.find(({ role }) => role === 'system')?.content ?? '';
  switch (task) {
    case 'continue':
      return reply([...before, { role: 'user', content: 'Go on.' }], random);
    case 'draft':
      return draftFor(story, random);
    case 'suggestions':
      return suggestionsFor(story, random).join('\n');
    case 'notes':
      return notesOf(system, asked);
    case 'introduction':
      return introductionOf(asked);
    default:
      return mergedNotes(asked);
  }
}

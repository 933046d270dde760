import { ANSWERS } from './answers.mjs';
import { ASIDES, BANTER, GENTLE_ASIDES, GENTLE_BANTER, SPARE_NAMES } from './company.mjs';
import { soundingLike } from './compose.mjs';
import { capital, expand, wordCount } from './english.mjs';
import { hash, shuffled } from './random.mjs';
import { answerTo } from './answer.mjs';
import { GENTLE_GESTURES } from './remarks.mjs';
import { VOICES, voiceOf } from './voices.mjs';

const PRONOUNS = {
  she: { she: 'she', her: 'her', him: 'her', self: 'herself' },
  he: { she: 'he', her: 'his', him: 'him', self: 'himself' },
};
const MOST_WORDS = 105;

/**
 * Two to four people who speak, each with a voice of their own; the same ones for the same texts.
 * @param {import('./read-character.mjs').Character} character
 * @param {string} traits as written
 * @returns {{name: string, pronouns: object, voice: import('./voices.mjs').Voice}[]}
 */
function castOf(character, traits) {
  const named = character.people.map((person) => ({ name: person.name, pronouns: person.pronouns }));
  const pair = character.name
    .split(/\s+(?:&|and)\s+/)
    .map((part) => part.replace(/^the\s+/i, '').split(' ')[0])
    .filter((part) => /^\p{Lu}/u.test(part));
  const people =
    named.length >= 2
      ? named
      : [
          ...named,
          ...(pair.length >= 2 ? pair : [])
            .filter((name) => !named.some((one) => one.name === name))
            .map((name) => ({ name, pronouns: { she: name, her: 'their', him: 'them', self: 'themself' } })),
        ];
  let at = hash(character.name);
  while (people.length < 2) {
    const spare = SPARE_NAMES[at % SPARE_NAMES.length];
    at += 1;
    if (!people.some((one) => one.name === spare.name))
      people.push({ name: spare.name, pronouns: PRONOUNS[spare.she] });
  }
  const keys = [...VOICES.keys()].filter((key) => key !== 'machine');
  const taken = new Set();
  const cast = [];
  for (const { name, pronouns } of people.slice(0, 3)) {
    const about = aboutOf(name, people, traits);
    let { key } = voiceOf({ name, tagline: '', traits: about });
    while (taken.has(key) || key === 'machine') key = keys[(keys.indexOf(key) + 1) % keys.length];
    taken.add(key);
    cast.push({ name, pronouns: clearPronouns(about) ?? pronouns, voice: VOICES.get(key) });
  }
  return cast;
}

/** What the texts say of one of several people: from the name to the next name. */
function aboutOf(name, people, traits) {
  const at = traits.toLowerCase().indexOf(name.toLowerCase());
  if (at < 0) return '';
  const from = at + name.length;
  const ends = people
    .map((other) => (other.name === name ? -1 : traits.toLowerCase().indexOf(other.name.toLowerCase(), from)))
    .filter((end) => end > 0);
  return traits.slice(from, Math.min(...ends, from + 260));
}

/** Pronouns, when the text about somebody leaves no doubt. */
function clearPronouns(about) {
  const she = /\b(?:she|her|woman|girl|landlady|mother|sister|queen|witch|lady|skipper's wife)\b/i.test(
    about,
  );
  const he = /\b(?:he|his|him|man|boy|landlord|father|brother|king|lord)\b/i.test(about);
  if (she === he) return null;
  return she ? PRONOUNS.she : PRONOUNS.he;
}

/**
 * A reply in which several people speak, each line led by a name.
 * @param {object} context see reply.mjs
 * @returns {string}
 */
export function tellMany(context) {
  const { message, lines, random, beat, character, turn } = context;
  const cast = castOf(character, context.scene.traits);
  // Whoever is called by name answers; otherwise they take turns.
  const called = cast.findIndex((person) => new RegExp(`\\b${person.name}\\b`, 'i').test(message.spoken));
  const first = called >= 0 ? called : (turn + hash(character.name)) % cast.length;
  const lead = cast[first];
  const second = shuffled(
    random,
    cast.filter((person) => person !== lead),
  )[0];
  const third = cast.find((person) => person !== lead && person !== second);
  const paragraphs = [];
  const words = () => wordCount(paragraphs.join(' '));
  const line = (person, action, speech) =>
    paragraphs.push(
      `**${person.name}:** ${[action && `*${action}*`, speech && `"${speech}"`].filter(Boolean).join(' ')}`,
    );
  /** After a name in bold a second subject would be one too many: "**Pim:** *smiles*". */
  const bare = (text, person) => {
    const subject = [person.name, capital(person.pronouns.she)].find((one) => text?.startsWith(`${one} `));
    return subject ? text.slice(subject.length + 1).replace(/\.$/, '') : text;
  };
  const gentle = /^(?:hard|bye|sorry)$/.test(message.intent);
  const does = (person, other, pools, more = {}) =>
    bare(
      lines.take(pools, {
        mixed: true,
        more: {
          She: capital(person.pronouns.she),
          she: person.pronouns.she,
          her: person.pronouns.her,
          him: person.pronouns.him,
          self: person.pronouns.self,
          other: other.name,
          short_name: person.name,
          whose: `${person.name}'s`,
          ...more,
        },
      }),
      person,
    );

  const speaker = {
    ...character,
    name: person(lead),
    short: lead.name,
    pronouns: lead.pronouns,
    lore: [],
    secret: [],
    want: '',
    fear: '',
    likes: '',
    dislikes: '',
    introduction: '',
    work: '',
    age: '',
  };
  lines.slots.short_name = lead.name;
  for (const slot of [
    'intro',
    'work',
    'a work',
    'want',
    'likes',
    'dislikes',
    'fear',
    'fear_np',
    'age',
    'named',
  ])
    lines.slots[slot] = undefined;
  const answer = answerTo({ ...context, character: speaker, voice: lead.voice });
  const opening = message.deed
    ? does(lead, second, [lead.voice.lines.seen], { act: message.deed })
    : random() < 0.7
      ? does(lead, second, [message.intent === 'hard' ? GENTLE_GESTURES : lead.voice.lines.gesture])
      : null;
  line(lead, opening, (answer.full ? answer.said : answer.said.slice(0, 2)).join(' ') || lines.spare());

  const banter = lines.take([gentle ? GENTLE_BANTER : BANTER], { more: { other: lead.name } });
  line(
    second,
    random() < 0.65 ? does(second, lead, [gentle ? GENTLE_ASIDES : ASIDES]) : null,
    banter
      ? second.voice.contractions
        ? banter
        : expand(banter)
      : lines.take([second.voice.lines.hook, second.voice.lines.ask, ANSWERS.tell]),
  );

  const last = third ?? lead;
  if (beat) {
    lines.keep(beat.world);
    paragraphs.push(`*${beat.world}*`);
    const said = last.voice.contractions ? beat.say : expand(beat.say);
    lines.keep(said);
    line(last, null, said);
  } else if (!gentle && words() < MOST_WORDS - 30) {
    const change = soundingLike(last.voice, random);
    const ask = !answer.last && lines.take([[...last.voice.lines.ask, ...last.voice.lines.hook]], { change });
    if (ask)
      line(
        last,
        words() < 55 ? does(last, second, [random() < 0.5 ? ASIDES : last.voice.lines.gesture]) : null,
        ask,
      );
  }
  return paragraphs.join('\n\n');
}

const person = (one) => one.name;

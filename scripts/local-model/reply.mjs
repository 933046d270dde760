import { CARE, CARE_ABROAD, asksForSexual, namesAChild } from './care.mjs';
import { Lines, slotsFor } from './compose.mjs';
import { capital, expand, normalise } from './english.mjs';
import { ABROAD, foreignLanguage } from './language.mjs';
import { factsOf, givenName } from './memory.mjs';
import { OUTSIDE } from './outside.mjs';
import { nextBeat } from './plot.mjs';
import { hash, pick, placeOf } from './random.mjs';
import { SPARE_NAMES } from './company.mjs';
import { readCharacter } from './read-character.mjs';
import { readPrompt } from './read-prompt.mjs';
import { tellGame } from './tell-game.mjs';
import { tellMany } from './tell-many.mjs';
import { MOVING, layOut, tellOne } from './tell-one.mjs';
import { understand } from './understand.mjs';
import { VOICES, voiceOf } from './voices.mjs';
import { anywhere } from './worlds/anywhere.mjs';
import { worldOf } from './worlds.mjs';

/** Lines may come back after this many replies; the product asks for no repeats among the last 20. */
const REMEMBERED_REPLIES = 26;
/** Messages that leave room, so that the story may take its next step sooner. */
const IDLE = /^(?:ok|more|next|happened|agree|laugh|askGo|confused|act)$/;
/** Messages that want the whole answer for themselves. */
const WHOLE = /^(?:bye|askStory|askSecret|myName|recall|program|outside|outsideFact|askJoke)$/;

const HUMAN_VOICES = [...VOICES.values()].filter((voice) => voice.key !== 'machine');
const PRONOUNS_OF = {
  she: { her: 'her', him: 'her', self: 'herself' },
  he: { her: 'his', him: 'him', self: 'himself' },
};

/** In a reversed story the texts may still give the character to the model and a great part to the person. */
function playsTheCharacter(scene, short) {
  if (scene.mode !== 'reverse') return true;
  const person = scene.person || 'you';
  const given = new RegExp(
    `\\bhere,? ${person} (?:is|are)\\b|\\b${person} (?:plays?|is|are) the\\b`,
    'i',
  ).test(scene.traits);
  return given && scene.firstMessage.includes(short.split(' ').at(-1));
}

/** One of the people round somebody whom the person plays. */
function figureFor(character, world, turn) {
  const named = character.people.map((person) => ({
    short: person.name,
    known: person.name,
    pronouns: person.pronouns,
    introduction: '',
  }));
  const seed = hash(character.name);
  const roles = world.people.map((one, i) => {
    const spare = SPARE_NAMES[(seed + i) % SPARE_NAMES.length];
    return {
      short: one,
      known: spare.name,
      pronouns: { gender: spare.she, she: spare.she, ...PRONOUNS_OF[spare.she] },
      introduction: one,
    };
  });
  // A scene has a partner, who stays for a few turns before another takes over.
  const cast = named.length > 0 ? named : roles;
  const figure = cast[(seed + Math.floor((turn - 1) / (named.length > 1 ? 3 : 6))) % cast.length];
  const bare = {
    lore: [],
    secret: [],
    want: '',
    fear: '',
    likes: '',
    dislikes: '',
    work: '',
    age: '',
    catchphrase: '',
  };
  return { ...character, ...bare, ...figure, name: figure.known };
}

/**
 * The reply of the offline demo voice.
 * @param {{role: string, content: string}[]} messages as sent to a model: a system prompt, then turns, the person's last
 * @param {() => number} random 0 ≤ n < 1; the same messages and numbers give the same reply
 * @returns {string} 35 to 110 words as a rule, with *actions* and "speech"
 */
export function reply(messages, random) {
  const scene = readPrompt(messages);
  // Two characters asked the same with the same numbers must not reach for the same line.
  for (let skip = hash(scene.name) % 23; skip > 0; skip -= 1) random();
  const last = scene.said.at(-1) ?? '';
  const read = readCharacter(scene);
  const world = worldOf(scene);
  const turn = scene.said.length;
  const self = playsTheCharacter(scene, read.short);
  const character = self ? read : figureFor(read, world, turn);
  const voice = self
    ? voiceOf(scene, read.age)
    : HUMAN_VOICES[hash(character.short + read.name) % HUMAN_VOICES.length];
  const message = understand(last, character.pronouns, scene.person);
  const newName = self ? givenName([last]) : '';
  if (newName && /^(?:tell|ok|agree|hi|trade)$/.test(message.intent)) message.intent = 'tellName';
  const name = self ? givenName(scene.said) || scene.person : '';
  const spoken = [scene.firstMessage, ...scene.replies];
  const recent = ` ${scene.replies.slice(-2).map(normalise).join(' | ')} `;
  const calls = self ? [name, character.address, ...(name ? [] : voice.calls)].filter(Boolean) : [read.short];
  // A name in every line is a salesman's habit.
  const vocative =
    calls.length > 0 && random() < 0.4 && !calls.some((one) => recent.includes(` ${normalise(one)} `))
      ? pick(random, calls)
      : '';
  const lines = new Lines(
    spoken.slice(-REMEMBERED_REPLIES),
    random,
    slotsFor({ character, world, random, recent, called: vocative }),
    [...calls, ...voice.calls, scene.person].filter(Boolean),
    placeOf(scene.name),
  );
  lines.vocative = vocative;
  if (!self) lines.slots.short_name = character.name;

  const outside = outOfStory({ scene, last, message, lines, voice, character, random });
  if (outside) return outside;

  const beat = WHOLE.test(message.intent)
    ? null
    : nextBeat({
        thread: world.thread,
        name: scene.name,
        replies: scene.replies,
        turn,
        answer: last,
        secret: character.secret,
        idle: IDLE.test(message.intent),
      });
  const secretLeft = character.secret.filter(
    (one) => !scene.replies.some((text) => normalise(text).includes(normalise(one))),
  );
  const context = {
    scene,
    message,
    lines,
    voice,
    character,
    world,
    random,
    beat,
    turn,
    name,
    newName,
    secretLeft,
    crowd: !self,
    facts: factsOf(scene.said),
    plainTales: anywhere.tales,
    plainAir: anywhere.air,
    lastStartedWithAct: (scene.replies.at(-1) ?? '').startsWith('*'),
  };
  if (scene.mode === 'multiPeople') return tellMany(context);
  if (scene.mode === 'rpg') return tellGame(context);
  return tellOne(context);
}

/** What is answered outside the story or at its edge; null when the message belongs to it. */
function outOfStory({ scene, last, message, lines, voice, character, random }) {
  const before = scene.replies.at(-1) ?? '';
  const cared = CARE.open.concat(CARE.near).some((line) => before.includes(line));
  const goesOn =
    /\*|\b(?:back to|continue|go on with|the story)\b|\b(?:joking|kidding|i'm (?:ok|okay|fine|better|safe)|feel better)\b/i.test(
      last,
    );
  if (message.intent === 'care' || (cared && !goesOn)) return careReply(last, lines, random);

  const asked =
    message.intent === 'sexual' ||
    (asksForSexual(scene.said.at(-2) ?? '') && /^(?:agree|more|ok|ask|act|next)$/.test(message.intent));
  if (asked) {
    if (namesAChild(`${last} ${message.intent === 'sexual' ? '' : (scene.said.at(-2) ?? '')}`))
      return lines.take([OUTSIDE.child]) ?? OUTSIDE.child[0];
    const line = lines.take([OUTSIDE.steer, voice.lines.refuse]);
    const move =
      scene.mode === 'rpg'
        ? null
        : lines.take([voice.lines.gesture, MOVING], { more: { She: capital(character.short) } });
    const air = lines.take([
      [
        'The moment passes, and the quiet it leaves is an easier one.',
        'Something outside falls over, opportunely.',
        'The light steadies, and so does the talk.',
      ],
    ]);
    const blocks = [
      { kind: 'act', text: move ?? air },
      { kind: 'say', text: voice.contractions ? line : expand(line) },
    ];
    if (move && air) blocks.push({ kind: 'act', text: air });
    return layOut(blocks.filter((block) => block.text));
  }

  if (message.intent === 'program' || message.intent === 'outside') {
    const note = lines.take([OUTSIDE[message.intent], OUTSIDE.outside, OUTSIDE.program]);
    const move = lines.take([voice.lines.gesture, MOVING], { more: { She: capital(character.short) } });
    const ask = lines.take([voice.lines.hook, voice.lines.ask]);
    return [
      note,
      scene.mode === 'rpg'
        ? null
        : layOut(
            [
              { kind: 'act', text: move },
              { kind: 'say', text: ask },
            ].filter((block) => block.text),
          ),
    ]
      .filter(Boolean)
      .join('\n\n');
  }

  const language = foreignLanguage(last);
  if (!language) return null;
  const told = spokenBefore(scene.replies, language);
  const line = told ? null : ABROAD[language];
  const move =
    scene.mode === 'rpg'
      ? null
      : lines.take([voice.lines.gesture, MOVING], { more: { She: capital(character.short) } });
  const english = lines.take(
    told ? [OUTSIDE.foreignAgain, voice.lines.hook] : [voice.lines.hook, OUTSIDE.foreignAgain],
  );
  return layOut(
    [
      { kind: 'act', text: move },
      { kind: 'say', text: [line, english].filter(Boolean).join(' ') },
    ].filter((block) => block.text),
  );
}

const spokenBefore = (replies, language) => replies.some((text) => text.includes(ABROAD[language]));

function careReply(last, lines, random) {
  const one = (list) => lines.take([list]) ?? pick(random, list);
  const language = foreignLanguage(last);
  return [one(CARE.open), one(CARE.urge), one(CARE.near), CARE_ABROAD[language]].filter(Boolean).join('\n\n');
}

import { narrateAction } from './english.mjs';
import { findRelatedSentence, recallFacts, swapPronouns } from './facts.mjs';

/** The parts of a reply, each from the texts that fit the message. */

const NAME_SHARE = 0.25;
const OPENER_SHARE = 0.3;
/** Answers about an object that the user names. */
const ABOUT_SHARE = 0.7;

function writeRecalled({ message, lines, language, scene, last }) {
  const pools = language.lines;
  const known = recallFacts(scene, language).findLast(({ kind }) => kind === message.kind);
  if (known) {
    const { recall } = language.facts[known.kind];
    lines.slots.fact = swapPronouns(known.text, language);
    return lines.take(recall, [recall[0].replace(/[.。।!！]$/u, '…')]);
  }
  lines.slots.echo = message.kind ? '' : findRelatedSentence(last, scene, language);
  return lines.take(pools.remember, pools.forget, pools.tell);
}

/** Writes the character's answer to the message. */
export function writeReaction(context) {
  const { message, lines, language, character, random } = context;
  const { lines: pools, things, facts } = language;
  const thing = message.things.find((key) => things[key]);
  const about = thing && random() < ABOUT_SHARE ? [things[thing].lines[2]] : [];
  switch (message.intent) {
    case 'fact':
      lines.slots.fact = swapPronouns(message.fact, language);
      return lines.take(facts[message.kind].took, pools.echo, pools.tell);
    case 'recall':
      return writeRecalled(context);
    case 'who':
      return [lines.take(pools.who, pools.what), lines.take(character.own)]
        .filter(Boolean)
        .join(language.gap);
    case 'secret':
      return lines.take(character.secrets, pools.secret, pools.musing);
    case 'why':
    case 'what':
    case 'where':
    case 'ask':
    case 'when':
      return message.topic && random() < 0.3
        ? lines.take(about, pools.topic, pools[message.intent], pools.ask)
        : lines.take(about, pools[message.intent], pools.ask, pools.what, pools.tell);
    case 'act':
    case 'tell':
    case 'happy': {
      const own = pools[message.intent];
      const quoted = message.topic ? pools.topic : message.echo ? pools.echo : [];
      if (message.intent === 'happy' || random() < 0.2) return lines.take(own, quoted, pools.tell);
      const reactions = message.topic && random() < 0.8 ? [quoted, about] : [about, quoted];
      return lines.take(...reactions, own, pools.tell);
    }
    default:
      return lines.take(pools[message.intent] ?? [], pools.tell, pools.musing, pools.idle);
  }
}

/** Narrates an object of the scene, preferably one that the user named. */
export function writeScene({ message, character, language, lines, random }) {
  const keys = [...new Set([...message.things, ...character.things])];
  const narrated = keys.map((key) => language.things[key].lines.slice(0, 2));
  const near = narrated.slice(0, message.things.length + 4).flat();
  return random() < 0.2
    ? lines.take(character.narration, near, narrated.flat(), language.lines.air)
    : lines.take(near, narrated.flat(), character.narration, language.lines.air);
}

/** Writes the end of a reply: a question, a thought, a sentence of the card, or a line about an object. */
export function writeClose({ character, language, lines, random }) {
  const things = character.things.map((key) => language.things[key].lines[2]);
  const { hook, musing } = language.lines;
  const chance = random();
  if (chance < 0.25) return lines.take(character.own, things, hook, musing);
  if (chance < 0.45) return lines.take(things, musing, hook);
  if (chance < 0.6) return lines.take(musing, hook, things);
  return lines.take(hook, musing, things);
}

/** Writes the beginning of a reply: the user's name, an exclamation in the character's manner, or nothing. */
export function writeOpener({ scene, language, character, lines, name, random }) {
  const recent = scene.replies.slice(-3).join(' ');
  const chance = random();
  if (name !== '' && chance < NAME_SHARE && !recent.includes(name)) return name + language.fullStop;
  return chance > 1 - OPENER_SHARE ? lines.take(character.manner.openers) : '';
}

/** Narrates the user's own action; English only. */
export function writeAction({ message, language, character }) {
  const [action] = message.actions;
  const narrated = language.code === 'en' && action ? narrateAction(action, character.pronoun) : '';
  return narrated && `${narrated}.`;
}

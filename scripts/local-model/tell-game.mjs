import { recollection } from './answer.mjs';
import { capital, uncapital, wordCount } from './english.mjs';
import { S_FORMS } from './lexicon.mjs';
import { pick, shuffled } from './random.mjs';
import { MORE_CHOICES, MORE_MEANWHILE, SAID_BY, SAYS, TAKEN_UP } from './rpg-people.mjs';
import { anywhere } from './worlds/anywhere.mjs';
import {
  ANSWERED,
  CHOICES,
  DICE,
  MEANWHILE,
  OUTCOMES,
  changedLedger,
  choicesIn,
  chosen,
  kindOfDeed,
  ledgerOf,
} from './rpg.mjs';

const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six'];
const ENDINGS = ['What do you do?', 'Which is it?', 'Your move.', 'Well?', 'And you?', 'What now?'];
const LEAST_WORDS = 42;
/** Messages whose words are said to somebody and are no orders. */
const SPOKEN_TO =
  /^(?:hi|bye|tellName|hard|glad|thanks|sorry|praise|insult|laugh|refuse|offer|askStory|myName|flirt|fond|averse|from|trade)$/;

/**
 * A reply of a game master: what comes of the deed, what happens meanwhile, and two or three ways on.
 * @param {object} context see reply.mjs
 * @returns {string}
 */
export function tellGame(context) {
  const { message, lines, random, beat, scene, character } = context;
  const offered = choicesIn(scene.replies.at(-1) ?? '');
  const at = chosen(message.text, offered);
  const bare = message.spoken.replace(
    /^(?:i (?:want to|try to|will|would like to|decide to|'ll|am going to)|i'll|i'd like to|let'?s|let me|let us|we(?: should| could)?|please|ok|okay|yes|then|so)[, ]+/i,
    '',
  );
  const deed =
    at >= 0
      ? uncapital(offered[at]).replace(/,? and see.*$/, '')
      : message.deed || (message.question || SPOKEN_TO.test(message.intent) ? '' : imperative(bare));
  const npcs = character.people.map((one) => one.name);
  const fresh = npcs.filter((name) => !lines.justSaid(name));
  if (npcs.length > 0 && random() < 0.8) lines.slots.someone = pick(random, fresh.length > 0 ? fresh : npcs);
  const told = [];
  const add = (text) => {
    if (text) {
      lines.keep(text);
      told.push(text);
    }
    return Boolean(text);
  };
  const meanwhile = [...MEANWHILE, ...MORE_MEANWHILE];
  const topic = message.topics.find((one) => !one.text.startsWith('my '));
  const name = context.name || scene.person;
  let roll = 0;
  if (deed) {
    const { kind, risky } = kindOfDeed(deed);
    const clause = deed.replace(/\bmy\b/gi, 'your');
    if (!lines.repeats(`You ${clause}.`)) add(`You ${clause}.`);
    if (risky || (random() < 0.3 && kind !== 'wait' && kind !== 'look')) {
      roll = 1 + Math.floor(random() * 6);
      add(
        lines.take([DICE[roll <= 2 ? 0 : roll <= 4 ? 1 : 2]], {
          more: { die: NUMBERS[roll - 1], Die_cap: capital(NUMBERS[roll - 1]) },
        }),
      );
    }
    add(lines.take([OUTCOMES[kind], OUTCOMES.other]));
  } else if (TAKEN_UP[message.intent]) {
    add(
      lines.take([TAKEN_UP[message.intent], TAKEN_UP.tell], {
        more: { ...(topic ? { topic: topic.text } : {}), ...(name ? { name } : {}) },
      }),
    );
  } else if (message.question || /^(?:recall|about|more|confused|happened|next|ask)/.test(message.intent)) {
    const fact =
      /^(?:who|where|what|about|company|whoElse|happened)$/.test(message.intent) &&
      character.world.find((one) => isScenery(one) && !lines.repeats(one));
    if (fact) add(capital(`${fact}.`));
    const told = message.intent === 'recall' ? recollection(context) : '';
    if (told) add(capital(`${told}.`));
    add(lines.take([ANSWERED, meanwhile]));
  } else {
    add(lines.take([TAKEN_UP.tell, ANSWERED], { more: topic ? { topic: topic.text } : {} }));
  }

  const speech = beat?.say ?? (random() < 0.55 ? lines.take([SAYS]) : null);
  if (beat) add(beat.world);
  else if (!speech || random() < 0.5)
    add(lines.take(random() < 0.4 ? [context.world.air, meanwhile] : [meanwhile, context.world.air]));
  for (let tries = 0; tries < 3 && wordCount(`${told.join(' ')} ${speech ?? ''}`) < LEAST_WORDS; tries += 1)
    add(lines.take([meanwhile, context.world.air, anywhere.air]) ?? lines.spare());
  if (told.length === 0) add(lines.spare());
  const tag =
    shuffled(random, SAID_BY)
      .map((pattern) => lines.fill(pattern))
      .find((one) => one && !lines.repeatsHeard(one)) ?? '';
  // "says Brannoc" and "the mate mutters" begin small; "Brannoc mutters" does not.
  const small = tag.startsWith('Says') || !npcs.includes(lines.slots.someone);
  const spoken = speech
    ? `"${tag ? speech.replace(/\.$/, ',') : speech}" ${tag ? `*${small ? uncapital(tag) : tag}.*` : ''}`.trim()
    : '';
  if (speech) lines.keep(speech);

  const choices = beat?.options.length ? beat.options.map((option) => option.replace(/\.$/, '')) : [];
  const wanted = random() < 0.6 ? 3 : 2;
  const kinds = new Set(choices.map((choice) => choice.split(' ')[0]));
  for (const pattern of shuffled(random, [...CHOICES, ...MORE_CHOICES])) {
    if (choices.length >= wanted) break;
    const one = pattern.split(' ')[0];
    if (kinds.has(one) || lines.used(pattern)) continue;
    const line = lines.fill(pattern);
    if (!line || lines.repeats(line)) continue;
    kinds.add(one);
    lines.keep(line);
    choices.push(line.replace(/\.$/, ''));
  }
  // Late in a long game the patterns are spent; with other things in them they are still other choices.
  for (const pattern of shuffled(random, [...CHOICES, ...MORE_CHOICES])) {
    if (choices.length >= 2) break;
    const line = lines.fill(pattern);
    if (line && !lines.repeats(line)) {
      lines.keep(line);
      choices.push(line.replace(/\.$/, ''));
    }
  }

  const paragraphs = [];
  const ledger = ledgerOf([scene.firstMessage, ...scene.replies]);
  if (ledger && roll > 0 && roll <= 4 && ledger.items.some((item) => item.value > 0)) {
    const open = ledger.items.map((item, i) => ({ item, i })).filter(({ item }) => item.value > 0);
    paragraphs.push(changedLedger(ledger, open[Math.floor(random() * open.length)].i, -1));
  }
  const half = told.length > 2 ? told.length - 1 : told.length;
  paragraphs.push(`*${told.slice(0, half).join(' ')}*`);
  if (told.length > half) paragraphs.push(`*${told.slice(half).join(' ')}*`);
  if (spoken) paragraphs.push(spoken);
  paragraphs.push(choices.map((choice, i) => `${i + 1}. ${choice}.`).join('\n'));
  paragraphs.push(ENDINGS[Math.floor(random() * ENDINGS.length)]);
  return paragraphs.join('\n\n');
}

/** Whether a sentence of the texts describes the world and not how the game is to be led. */
function isScenery(sentence) {
  return (
    /\b(?:is|are|was|were|has|have|stands?|lies|lives?|rules?)\b/.test(sentence) &&
    !S_FORMS.has(sentence.split(' ')[0].toLowerCase()) &&
    !/\b(?:narrat\w*|second person|game master|print\w*|roll\w*|track|scenes?|turn|never|always|voice|you|your|die|user|may|should|must|accept|avoid|keep|risky|paragraphs?|shown|lines|hinted|players?|choices)\b/i.test(
      sentence,
    )
  );
}

/** A bare order as a deed: "open the door" stays; anything else gives nothing. */
function imperative(text) {
  const clause = text
    .toLowerCase()
    .replace(/[.!]+$/, '')
    .split(/[.!?;,]/)[0]
    .trim();
  if (!/^[\p{L}' -]+$/u.test(clause) || clause.split(/\s+/).length > 10) return '';
  return kindOfDeed(clause).kind === 'other' || /^(?:get|say|tell|make)\b/.test(clause)
    ? ''
    : clause
        .replace(/\bmy\b/g, 'your')
        .replace(/\bme\b/g, 'you')
        .replace(/\bi\b/g, 'you');
}

/** What a game master says. Told in the second person; slots as everywhere. */

/** What comes of a deed, by its kind. */
export const OUTCOMES = {
  look: [
    'At first there is only what you expected. Then you notice that {thing} has no dust on it.',
    'You take your time, and it pays: near {fixture} the floor is scratched in a half circle, as by a door that opens where there is no door.',
    'Nothing, and nothing, and then a hair tied across {fixture} at ankle height.',
    'The longer you look, the less {fixture} seems to belong with the rest.',
    'There are two sets of marks here. One of them is yours.',
    'You find a chalk sign no bigger than a thumbnail, and it has been wiped and drawn again.',
  ],
  move: [
    'You get there sooner than the distance ought to allow.',
    'Halfway along the sound of your own steps changes, as though something underneath were hollow.',
    'The way narrows, and you go the last of it sideways, with {fixture} at your back.',
    'Behind you somebody else has also stopped walking.',
    'You come out by {path}, and the air there is a season colder.',
    'It is further than it looked, and when you turn round, the light that you left is a different colour.',
  ],
  talk: [
    '{Someone} hears you out with folded arms, and then, unexpectedly, answers.',
    'Your words go in. It takes a moment before anything comes back, and it comes back quieter.',
    '{Someone} looks past you to see who may be listening, and steps closer.',
    'For a moment you have the feeling that you have said a password.',
    '{Someone} opens a mouth, shuts it, and holds out an empty hand, palm up.',
    'What you said is repeated, very softly, by a second voice that you cannot place.',
  ],
  fight: [
    'You are quick, and it is nearly enough. Something tears; it may be cloth.',
    'The first blow lands. The thing you struck looks, of all things, offended.',
    'You give ground, find {fixture} at your shoulder, and use it.',
    'It goes down, and gets up again on the other side of {fixture}, which it had no time to reach.',
    'There is a short bad moment with no sound in it, and at the end of it you are the one standing.',
  ],
  take: [
    'It comes away in your hand more easily than it should, and somewhere close by a small weight drops.',
    'You have it. It is warmer than the air, as though it had just been put down.',
    'You pocket it. {Someone}, who saw, says nothing, and will remember.',
    'It is lighter than it looks, and there is something folded up inside.',
    'As you take it, the place where it lay stays darker than the rest.',
  ],
  open: [
    'It sticks, and then gives all at once, with a breath of old cold air.',
    'Inside lies {thing}, or its exact twin, with your name tied to it on a string.',
    "It opens a hand's breadth and stops against something soft.",
    'There is a second one behind the first, smaller, and that one is not locked.',
    'It opens without a sound, which is worse.',
  ],
  use: [
    'It works, though not on what you meant it to.',
    'For the length of one breath nothing happens. Then {fixture} answers.',
    'It does what it was made for, and you find out what it was made for.',
    'You feel it catch, as a key does, on something that has not been turned for years.',
    'It costs you a little: a minute, a fingernail, the name of a street you used to live in.',
  ],
  hide: [
    'You make yourself small by {fixture}. Whoever it is goes by, stops, and breathes in.',
    'You wait with your cheek against {fixture} until the steps have gone where steps go.',
    'It is a good place. You are not the first one to think so; there are crumbs.',
    'From here you see {someone} come in, look straight at you, and give no sign.',
  ],
  wait: [
    'You wait. In a little while it becomes plain that you are not the only one.',
    'Time passes in its own fashion. When you look again, {thing} has been moved.',
    'The stillness holds, and holds, and then has a voice in it.',
    'Nothing comes. It is the carefullest nothing you have ever heard.',
  ],
  other: [
    'It goes almost as you meant it to, and the almost is going to matter.',
    'You do it well. Somebody, out of sight, claps once.',
    'For a moment everything waits to see whether you are serious.',
    'It helps, a little, and it is noticed, more than a little.',
    'You can feel the place making up its mind about you.',
    'Something gives, not much, the way ice gives before it decides.',
  ],
};

/** What the narrator answers to a question. */
export const ANSWERED = [
  'You would give a good deal to know. What you can tell from here is that {fixture} has been touched today.',
  'Nobody says. But {someone} has gone a shade paler at the question.',
  'The honest answer lies past {path}; the comfortable one is lying right here.',
  'You know this much: it was here last night, and last night it was further away.',
  'Some of it you can see: {thing}, {fixture}, your own breath. The rest is keeping still.',
  'There is a story about that. It is told in three ways, and in each of them somebody opens a door.',
  'You turn the question over. On the other side of it is another, in smaller writing.',
  'If the walls know, they have been told to keep it to themselves.',
  'It depends on whom you ask, and whether they owe anything to {someone}.',
  'You have a feeling that it has been explained to you once, on an evening you do not quite remember.',
];

/** What happens meanwhile. */
export const MEANWHILE = [
  '{Someone} comes in by {path}, sees you, and pretends to have meant to.',
  'Over by {fixture} something small is being dragged, with rests.',
  'The lamp you have been trusting burns lower, by one finger exactly.',
  'You hear your own name, said as one tries out a word in a foreign language.',
  'A door you passed has been marked since you passed it.',
  '{Someone} is suddenly in a hurry to be elsewhere.',
  'There is a smell of wet stone, and under it, improbably, of oranges.',
  'Your shadow has turned up its collar. You have not.',
  'Somebody has left a coin on {fixture}, balanced on its edge.',
  'From {path} comes a cheerful whistle, and then the sound of it being stopped.',
  'The floor gives the slow shrug of a large animal asleep.',
  'A bell that you had taken for broken rings once and looks surprised.',
  'You notice that you have been walking in step with somebody.',
  'There is fresh sawdust here, and nothing made of wood.',
  'A window that was dark a moment ago has a hand in it.',
  '{Someone} drops {thing}, and neither of you looks at it.',
];

/** Ways on, each an order that can follow "You". */
export const CHOICES = [
  'Take {thing} and see what it was holding down.',
  'Follow the draught towards {path}.',
  'Ask {someone} a question with only one safe answer.',
  'Put out the light and listen.',
  'Look behind {fixture} before it looks behind you.',
  'Go back the way you came, counting the steps.',
  'Offer {someone} something you can spare.',
  'Wait, and let the other side get bored first.',
  'Try {fixture} with your shoulder.',
  'Read whatever is scratched into {fixture}.',
  'Leave {thing} as bait and hide.',
  'Tell {someone} the truth and watch their hands.',
  'Slip out by {path} while nobody is counting.',
  'Knock on {fixture}, three times, politely.',
  'Search the floor where the dust is thin.',
  'Make a noise on purpose.',
  'Lie to {someone}, cheerfully.',
  'Mark this place with chalk and press on.',
  'Lift {thing} to the light and turn it slowly.',
  'Climb up and see all of it from above.',
  'Call out to whoever is past {path}.',
  'Tie a thread to {fixture} and walk on.',
  'Trade {thing} for a straight answer.',
  'Stand quite still until the steps have gone by.',
  'Send {someone} ahead and see what happens.',
  'Wedge {fixture} so that it cannot close.',
  'Stop and share what food you have.',
  'Set {thing} down exactly where it wants to be.',
  'Double back through {path} and come in behind.',
  'Ask the dark what it is called.',
  'Copy the sign by {fixture} onto your sleeve.',
  'Follow {someone} at a distance.',
  'Break {thing} and keep the larger half.',
  'Say your own name aloud.',
  'Put your ear to {fixture}.',
  'Run for {path} and do not look round.',
];

export const DICE = [
  [
    'The die stops on {die}. It is worse than it might have been.',
    'A {die}. Something goes wrong, and it goes wrong loudly.',
    '{Die_cap}, says the die, and you feel it in your knees.',
  ],
  [
    'The die shows {die}: you get what you wanted, and somebody gets a look at your face.',
    'A {die}. It works, and it costs.',
    'You roll {die}, which is to say, yes, but.',
  ],
  [
    'The die comes up {die}. It could hardly have gone cleaner.',
    'A {die}, and for once the luck is on your side of the table.',
    'You roll {die}. Even the dark seems impressed.',
  ],
];

const KINDS = [
  [
    'look',
    /^(?:look|search|examine|inspect|check|read|study|watch|scan|peer|peek|listen|find|observe|count|smell|sniff|investigate)\b/,
  ],
  [
    'talk',
    /^(?:ask|tell|say|talk|speak|greet|call|whisper|shout|answer|reply|lie|offer|trade|beg|persuade|thank|nod|wave|smile|bow|introduce|sing)\b/,
  ],
  [
    'fight',
    /^(?:attack|hit|strike|fight|kick|punch|stab|shoot|slash|throw|push|tackle|charge|draw|swing|cast|break|smash|kill)\b/,
  ],
  ['open', /^(?:open|unlock|knock|force|pull|lift|push|try|turn)\b/],
  ['take', /^(?:take|grab|pick|steal|collect|get|pocket|hold|catch|carry|keep)\b/],
  ['hide', /^(?:hide|sneak|crouch|duck|slip|put out|lower)\b/],
  ['wait', /^(?:wait|rest|sit|sleep|stay|stand|pause|lie down)\b/],
  [
    'move',
    /^(?:go|walk|run|climb|follow|enter|leave|step|cross|jump|swim|head|move|descend|approach|return|double|crawl|ride|sail|press|send)\b/,
  ],
  [
    'use',
    /^(?:use|light|drink|eat|put|place|tie|set|mark|pour|write|press|burn|wedge|ring|copy|eat|share|stop|make)\b/,
  ],
];

/**
 * The kind of a deed, and whether it is risky enough for a roll.
 * @param {string} deed base form, lower case
 * @returns {{kind: string, risky: boolean}}
 */
export function kindOfDeed(deed) {
  const kind = KINDS.find(([, pattern]) => pattern.test(deed))?.[0] ?? 'other';
  return {
    kind,
    risky:
      kind === 'fight' ||
      /^(?:jump|climb|steal|lie|sneak|force|cast|run|swim|slip|break|persuade)\b/.test(deed),
  };
}

const LEDGER_ITEM = /([A-Z][a-z]+(?: [a-z]+)?) (\d+)(?=[.,;]|$)/g;

/**
 * The latest line in which the game master printed what the person has left ("**Ledger.** Oil 6. Rope 2.").
 * @param {string[]} texts replies, oldest first
 * @returns {{line: string, items: {name: string, value: number}[]} | null}
 */
export function ledgerOf(texts) {
  for (const text of [...texts].reverse()) {
    for (const line of text.split('\n')) {
      const items = [...line.matchAll(LEDGER_ITEM)].map((match) => ({
        name: match[1],
        value: Number(match[2]),
      }));
      if (items.length >= 2 && line.replace(/[*_]/g, '').length < 90) return { line: line.trim(), items };
    }
  }
  return null;
}

/**
 * The line again, with one value changed.
 * @param {{line: string, items: {name: string, value: number}[]}} ledger
 * @param {number} index which item
 * @param {number} by what is added; the value never falls below 0
 * @returns {string}
 */
export function changedLedger(ledger, index, by) {
  const { name, value } = ledger.items[index];
  const last = ledger.items.at(-1);
  const end = ledger.line.lastIndexOf(`${last.name} ${last.value}`) + `${last.name} ${last.value}`.length;
  // What stands behind the numbers was news once; only the numbers are printed again.
  const mark = /^(\*{1,2})(?!.*?\1.*\d)/.exec(ledger.line)?.[1] ?? '';
  const changed = ledger.line
    .slice(0, end)
    .replace(new RegExp(`\\b${name} ${value}\\b`), `${name} ${Math.max(0, value + by)}`);
  return `${changed}.${mark}`;
}

/**
 * The choices that a reply left the person with.
 * @param {string} reply
 * @returns {string[]} in order, without numbers and stops
 */
export function choicesIn(reply) {
  return [...reply.matchAll(/^\s*(?:\d[.)]|[-•])\s+(.+?)[.?!]?\s*$/gm)].map((match) =>
    match[1].replace(/\*/g, ''),
  );
}

/**
 * Which of the choices an answer picks.
 * @param {string} answer
 * @param {string[]} choices
 * @returns {number} index, or -1
 */
export function chosen(answer, choices) {
  if (choices.length === 0) return -1;
  const text = answer.toLowerCase().replace(/[*"]/g, '').trim();
  const number =
    /^(?:i (?:think|guess|say|choose|pick|take|go with|'ll take|'d say)(?: i'll (?:take|pick))? )?(?:the )?(?:option |number |choice |the )?([1-4]|one|two|three|first|second|third|last)\b[.!) ]*(?:one|option|choice)?[.! ]*$/.exec(
      text,
    )?.[1];
  if (number) {
    const at =
      { one: 0, first: 0, two: 1, second: 1, three: 2, third: 2, last: choices.length - 1 }[number] ??
      Number(number) - 1;
    return at < choices.length ? at : -1;
  }
  const words = new Set(text.match(/[a-z']{4,}/g) ?? []);
  const scores = choices.map((choice) => {
    const own = (choice.toLowerCase().match(/[a-z']{4,}/g) ?? []).filter(
      (word) => !/^(?:your|with|that|what|this|whoever|before|while|from)$/.test(word),
    );
    return own.filter((word) => words.has(word)).length / Math.max(2, own.length);
  });
  const best = Math.max(...scores);
  return best >= 0.5 ? scores.indexOf(best) : -1;
}

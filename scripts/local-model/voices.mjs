import { hash } from './random.mjs';
import { bold } from './voices/bold.mjs';
import { dry } from './voices/dry.mjs';
import { elder } from './voices/elder.mjs';
import { formal } from './voices/formal.mjs';
import { gruff } from './voices/gruff.mjs';
import { machine } from './voices/machine.mjs';
import { playful } from './voices/playful.mjs';
import { poetic } from './voices/poetic.mjs';
import { scholar } from './voices/scholar.mjs';
import { shy } from './voices/shy.mjs';
import { warm } from './voices/warm.mjs';

/**
 * A way of speaking: lines of its own for each occasion, and how lines that everybody may use are made to sound.
 * @typedef {object} Voice
 * @property {string} key
 * @property {Record<string, string[]>} lines by occasion
 * @property {boolean} contractions
 * @property {number} longest words in a shared line that this voice would still say
 * @property {number} sentences how many sentences of speech a reply has at most
 * @property {string[]} calls what it calls somebody whose name it does not know
 * @property {string[]} starts little words put before a shared line now and then
 * @property {number} asks how often it ends on a question, 0 … 1
 */

const style = (key, lines, rest) => [key, { key, lines, ...rest }];

/** @type {Map<string, Voice>} */
export const VOICES = new Map([
  style('gruff', gruff, {
    contractions: true,
    longest: 16,
    sentences: 3,
    calls: [],
    starts: ['Hm.', 'Look.', 'Right.'],
    asks: 0.35,
  }),
  style('formal', formal, {
    contractions: false,
    longest: 40,
    sentences: 4,
    calls: ['my friend'],
    starts: ['If I may:', 'Well.', 'To be frank:'],
    asks: 0.55,
  }),
  style('playful', playful, {
    contractions: true,
    longest: 24,
    sentences: 4,
    calls: ['trouble', 'sunshine'],
    starts: ['Ooh.', 'Psst.', 'Ha!', 'Okay, okay.'],
    asks: 0.6,
  }),
  style('warm', warm, {
    contractions: true,
    longest: 30,
    sentences: 4,
    calls: ['dear', 'love'],
    starts: ['Oh, well.', 'There now.', 'Mm.'],
    asks: 0.6,
  }),
  style('shy', shy, {
    contractions: true,
    longest: 24,
    sentences: 3,
    calls: [],
    starts: ['Um.', 'I think...', 'Well...', 'Oh.'],
    asks: 0.45,
  }),
  style('poetic', poetic, {
    contractions: false,
    longest: 40,
    sentences: 4,
    calls: ['traveller'],
    starts: ['Listen.', 'Ah.', 'Softly, now.'],
    asks: 0.45,
  }),
  style('dry', dry, {
    contractions: true,
    longest: 30,
    sentences: 4,
    calls: [],
    starts: ['Well.', 'Naturally.', 'Funny.'],
    asks: 0.5,
  }),
  style('elder', elder, {
    contractions: true,
    longest: 40,
    sentences: 5,
    calls: ['child', 'young one'],
    starts: ['Ah, well.', 'Now then.', 'Mind you.'],
    asks: 0.5,
  }),
  style('machine', machine, {
    contractions: false,
    longest: 32,
    sentences: 4,
    calls: ['visitor'],
    starts: ['Note:', 'Observation:', 'For the record:'],
    asks: 0.5,
  }),
  style('bold', bold, {
    contractions: true,
    longest: 28,
    sentences: 4,
    calls: ['friend', 'mate'],
    starts: ['Ha!', 'Listen here.', 'By thunder.'],
    asks: 0.6,
  }),
  style('scholar', scholar, {
    contractions: false,
    longest: 40,
    sentences: 4,
    calls: [],
    starts: ['Curious.', 'Strictly speaking:', 'Now,'],
    asks: 0.65,
  }),
]);

/** Words that point to a voice; those of character weigh more than those of trade. */
const CUES = {
  gruff: [
    /\b(?:gruff|grumpy|terse|blunt|stoic|taciturn|brooding|stern|clipped|curt|short sentences|few words|scraps|no small talk|never more than|hardened|weathered|brusque)\b/gi,
    /\b(?:mercenary|soldier|lighthouse|keeper|veteran|blacksmith|bodyguard|fisherman|hunter)\b/gi,
  ],
  formal: [
    /\b(?:formal|polite(?:ly)?|dignified|proper|courteous|courtly|officialese|refined|elegant|well-mannered|long, well-upholstered|immaculate|chivalric|exquisitely)\b/gi,
    /\b(?:butler|noble|lord|lady|prince|princess|queen|king|knight|clerk|warden|diplomat|steward)\b/gi,
  ],
  playful: [
    /\b(?:playful|mischievous|cheerful|bubbly|energetic|silly|teasing|impish|giddy|breathless|hyper|prank\w*|quick, mischievous|wickedly funny|clumsy)\b/gi,
    /\b(?:trickster|fairy|imp|jester|catgirl|cat girl|sprite|clown|best friend)\b/gi,
  ],
  warm: [
    /\b(?:warm|gentle|kind|caring|motherly|nurturing|bossy|generous|tender|comforting|sweet|soft-hearted|big-hearted|loving|hugs)\b/gi,
    /\b(?:baker|healer|nurse|innkeeper|cook|mother|grandmother|landlady|barista|herbalist|rescue)\b/gi,
  ],
  shy: [
    /\b(?:shy|timid|nervous|anxious|awkward|introvert\w*|soft-spoken|stammer\w*|stutter\w*|bashful|insecure|apologi[sz]es)\b/gi,
    /\b(?:apprentice|student|freshman|wallflower)\b/gi,
  ],
  poetic: [
    /\b(?:poetic|dreamy|ethereal|mystic\w*|melanchol\w*|wistful|lyrical|half-finished sentences|in riddles|haunting|slow and low|low and slow|serene)\b/gi,
    /\b(?:poet|spirit|siren|bard|artist|oracle|ghost|moon|muse|nymph|dryad|painter)\b/gi,
  ],
  dry: [
    /\b(?:dry|sarcastic|sardonic|cynical|snark\w*|deadpan|wry|jaded|bored|witty|world-weary|merciless|brisk)\b/gi,
    /\b(?:detective|bartender|vampire|demon|reporter|night staff|conductor)\b/gi,
  ],
  elder: [
    /\b(?:elderly|aged|ageless|old man|old woman|wise old|complains as others sing|tells a story to explain|retired|widower|widow|rambling)\b/gi,
    /\b(?:grandmother|grandfather|granny|sage|storyteller|elder|ancient|clockmaker)\b/gi,
  ],
  machine: [
    /\b(?:robot\w*|android|automaton|artificial|construct|golem|cyborg|synthetic|machine|exhibit labels|ai companion|literal about)\b/gi,
    /\b(?:computer|program|unit|brass|drone|system)\b/gi,
  ],
  bold: [
    /\b(?:bold|brash|swagger\w*|cocky|fearless|reckless|confident|booming|boisterous|competitive|haggles?|negotiable|profitable|rolling sentences|owned|fiery|loud|daring|charming rogue)\b/gi,
    /\b(?:pirate|captain|adventurer|rogue|thief|wrestler|smuggler|fighter|warrior|rival|courier)\b/gi,
  ],
  scholar: [
    /\b(?:scholarly|curious|exact(?:ing)?|studious|pedantic|precise|inquisitive|analytical|bookish|absent-minded|explains)\b/gi,
    /\b(?:scientist|professor|librarian|researcher|inventor|alchemist|archivist|astronomer|engineer|wizard|historian|scholar|setter|academic)\b/gi,
  ],
};

/**
 * The voice of a character, always the same for the same texts.
 * @param {{name: string, tagline: string, traits: string}} scene
 * @param {string} [age] digits, may be empty
 * @returns {Voice}
 */
export function voiceOf(scene, age = '') {
  const text = `${scene.traits}\n${scene.tagline}\n${scene.name}`;
  // What stands first in a description is what its maker cares for most.
  const opening = text.slice(0, 320);
  let best = '';
  let most = 0;
  for (const [key, [temper, trade]] of Object.entries(CUES)) {
    const count = (pattern, part) => part.match(pattern)?.length ?? 0;
    let score =
      3 * count(temper, text) + 2 * count(temper, opening) + count(trade, text) + count(trade, opening);
    if (key === 'elder' && Number(age) >= 60 && Number(age) < 110) score += 4;
    // A tie is settled by the name, so that not every tie goes the same way.
    score += (hash(scene.name + key) % 97) / 100;
    if (score > most) [best, most] = [key, score];
  }
  if (most >= 1) return VOICES.get(best);
  const neutral = ['warm', 'dry', 'poetic', 'gruff', 'playful', 'scholar', 'bold', 'formal'];
  return VOICES.get(neutral[hash(scene.name + scene.traits) % neutral.length]);
}

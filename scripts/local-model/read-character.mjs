// Over 400 lines because it is one grammar: how a character's description is read, sentence by sentence. Parts of it would
// have to know each other's words.
import {
  baseVerb,
  capital,
  pronounsToMine,
  straight,
  toFirstPerson,
  uncapital,
  withArticle,
} from './english.mjs';
import { FIXTURE, HOLD, MODIFIERS, PLACE, S_FORMS, TREAT, kindOf } from './lexicon.mjs';

/**
 * What can be known of a character from its texts.
 * @typedef {object} Character
 * @property {string} name
 * @property {string} short the name one calls
 * @property {{gender: string, she: string, her: string, him: string, self: string}} pronouns `she` is the short name when it is not known
 * @property {string[]} things small things, with article
 * @property {string[]} fixtures standing things, with article
 * @property {string[]} places with article
 * @property {string[]} treats food and drink, bare
 * @property {string} work without article, may be empty; `want` "leave the island"; `likes`, `dislikes`, `fear` noun phrases
 * @property {string} want
 * @property {string} likes
 * @property {string} dislikes
 * @property {string} fear
 * @property {string[]} secret whole sentences in the first person, in order, no stops
 * @property {string} introduction "the last keeper of the light", may be empty
 * @property {string} utterance a word or two often said, may be empty
 * @property {string} age digits
 * @property {string[]} lore sentences about the character, first person, no stop
 * @property {string[]} world sentences about the world, as written
 * @property {string} address what the character calls people
 * @property {string} catchphrase
 * @property {{name: string, pronouns: object}[]} people others who are named
 */

const TRADE_LIST =
  'keeper|captain|detective|librarian|baker|barista|bartender|innkeeper|teacher|student|doctor|nurse|healer|knight|' +
  'guard|soldier|witch|wizard|mage|pirate|thief|smuggler|hunter|ranger|scientist|engineer|mechanic|pilot|' +
  'navigator|astronomer|alchemist|archivist|scribe|bard|musician|singer|painter|artist|writer|poet|chef|cook|' +
  'gardener|farmer|fisherman|sailor|merchant|trader|blacksmith|clockmaker|watchmaker|tailor|weaver|robot|android|automaton|' +
  'assassin|mercenary|bodyguard|butler|maid|prince|princess|king|queen|ghost|vampire|dragon|spirit|oracle|' +
  'priest|priestess|monk|courier|driver|conductor|hacker|reporter|journalist|editor|lawyer|judge|professor|tutor|' +
  'coach|actor|dancer|botanist|cartographer|mapmaker|apothecary|florist|bookseller|shopkeeper|translator|diver|inspector|roommate|' +
  'warden|smith|maker|master|operator|technician|guide|fox|cat|wolf|demon|angel|fairy|siren|' +
  'mermaid|sorcerer|sorceress|necromancer|bounty hunter|caretaker|ferryman|herbalist|beekeeper|agent|courier|officer|salesman|' +
  'seller|setter|wrestler|landlord|landlady|sword|steward|postman|guardian|host|hostess|ferryman|biologist|chemist|' +
  'physicist|linguist|operator|telegraphist|clerk|lookout|skipper|swordswoman|swordsman|samurai|ninja|cook|traveler|traveller|' +
  'adventurer|warrior|fighter|ranger|druid|cleric|paladin|noble|lady|lord|countess|duchess|duke|idol|' +
  'model|streamer|gamer|girlfriend|boyfriend|neighbor|neighbour|rival|apprentice|master';
const TRADES = new RegExp(`\\b(?:${TRADE_LIST})\\b`, 'i');

/** Adjectives that say how somebody is and not what they do. */
const TEMPERS =
  /^(?:(?:last|only|new|very|former|second-best|reckless|shy|brave|famous|infamous|grumpy|gruff|kind|cheerful|lonely|mysterious|immortal|cursed|cold|proud|humble|disgraced|retired|failed|aspiring|talented|antlered|minor|young|old|gentle|quiet|strict|friendly|handsome|beautiful|cunning|legendary|wandering)\s+)+/;

const TITLES =
  /^(captain|dr\.?|doctor|professor|sir|lady|lord|mr\.?|mrs\.?|ms\.?|miss|sister|brother|father|mother|king|queen|prince|princess|old|detective|inspector|agent|sergeant|commander|chef|granny|uncle|aunt|madame|saint|count|countess|baron|duke|unit|docent|magister|professor|master|mistress)$/i;

/**
 * The name by which a character is called: "Captain Ives Marlow" → "Captain Ives", "The Archivist" stays whole.
 * @param {string} name
 * @returns {string}
 */
function shortName(name) {
  const words = name
    .replace(/["(].*?[")]\s*/g, '')
    .replace(/,.*$/, '')
    .trim()
    .split(/\s+/);
  if (/^(the|a|an)$/i.test(words[0])) return words.slice(0, 3).join(' ');
  if (TITLES.test(words[0]) && words[1]) return `${words[0]} ${words[1]}`;
  return words[0] || name;
}

function pronounsIn(text, fallback) {
  if (/\bneither (?:he nor she|she nor he)\b|\bit\/its\b/i.test(text))
    return { gender: 'it', she: 'it', her: 'its', him: 'it', self: 'itself' };
  if (/\bthey\/them\b/i.test(text))
    return { gender: 'they', she: fallback, her: 'their', him: 'them', self: 'themself' };
  const count = (pattern) => text.match(pattern)?.length ?? 0;
  const she = count(
    /\b(she|her|hers|herself|woman|girl|female|lady|queen|princess|witch|mother|grandmother|sister|daughter)\b/gi,
  );
  const he = count(/\b(he|his|him|himself|man|boy|male|lord|king|prince|father|grandfather|brother|son)\b/gi);
  if (she > he) return { gender: 'she', she: 'she', her: 'her', him: 'her', self: 'herself' };
  if (he > she) return { gender: 'he', she: 'he', her: 'his', him: 'him', self: 'himself' };
  return { gender: 'they', she: fallback, her: 'their', him: 'them', self: 'themself' };
}

const BEFORE_NOUN = /^(?:the|a|an|her|his|my|its|their|your|our|this|that|one|another)$/;

/** Nouns of a kind in a text, each with "the" and, where it has one, its adjective. */
function nounsOf(text, kinds, most) {
  const wanted = new Set(kinds);
  const found = new Map();
  for (const run of text.split(/[^\p{L}' -]+/u)) {
    const tokens = run.split(/\s+/);
    tokens.forEach((noun, i) => {
      if (!wanted.has(noun) || found.has(noun)) return;
      const back = [1, 2, 3].find((steps) => BEFORE_NOUN.test((tokens[i - steps] ?? '').toLowerCase()));
      if (!back || tokens[i - back - 1] === 'like') return;
      const next = tokens[i + 1] ?? '';
      // "the kitchen door": the first noun only says which door.
      if (kindOf(next) && kindOf(next) !== 'body' && !next.endsWith('s') && !BEFORE_NOUN.test(next)) return;
      const modifier = tokens[i - 1] ?? '';
      const keeps =
        back > 1 &&
        (MODIFIERS.has(modifier) ||
          (kindOf(modifier) && !modifier.endsWith('s')) ||
          /^[a-z]+-[a-z]+$/.test(modifier));
      found.set(noun, `the ${keeps ? `${modifier} ` : ''}${noun}`);
    });
  }
  return [...found.values()].slice(0, most);
}

/** A clause after a cue, cut where it stops being about the cue. */
function clauseAfter(text, cue, mostWords) {
  const match = new RegExp(`(?:${cue.source})\\s+([^.;!?\\n:"(]+)`, 'i').exec(text);
  if (!match) return '';
  const cut = match[1]
    .split(
      /,|\s(?:but|because|which|who|although|though|while|when|if|since|so that|after|before|until|even|except|and (?:she|he|they|is|has|was|will|can|hates?|loves?|likes?|fears?|never|always|speaks?|keeps?|wants?))\b/i,
    )[0]
    .trim();
  return cut.split(/\s+/).length <= mostWords ? cut : '';
}

const listField = (text, names) =>
  new RegExp(`(?:^|[\\n.;|])\\s*(?:${names})\\s*[:=]\\s*\\(?"?([^\\n.;|]+)`, 'i').exec(text)?.[1].trim() ??
  '';

function phrase(text, risky) {
  const first = text
    .split(/,|\/| and /)[0]
    .replace(/["()]/g, '')
    .trim();
  return first && first.split(/\s+/).length <= 5 && !risky?.(first) ? uncapital(first) : '';
}

const NOT_NAMES =
  /^(name|traits|tagline|likes|world|rule|the|a|an|i|you|she|he|they|it|we|and|but|or|when|if|in|on|at|by|as|her|his|their|your|my|no|not|this|that|there|what|who|where|why|how|every|each|one|two|after|before|with|from|to|of|for|god|english|french|german|january|monday|sunday|speaks?|likes?|dislikes?|personality|occupation|age|goal|secret|setting|appearance|loves?|hates?|keeps?|once|never|always|nobody|everyone|people|some|most|both|together|between|north|south|east|west|mr|mrs|dr|captain|lady|lord|sir|old|npc|npcs|game|master|narrator|mode|then|now|here|so|all|only|even|still|just|while|until|since|because|though|come|go|look|take|let|yes|well|ah|oh|hello|hi|welcome|rules?|tone|world|characters?)$/i;

function namedPeople(text, own) {
  const people = new Map();
  const add = (word, about) => {
    if (NOT_NAMES.test(word) || own.includes(word) || people.has(word)) return;
    people.set(word, { name: word, pronouns: pronounsIn(about.split(/[.\n]/)[0], word) });
  };
  for (const match of text.matchAll(/^\s*\*\*(\p{Lu}[\p{L}' ]{1,24}):?\*\*:?/gmu))
    add(match[1].trim(), new RegExp(`\\b${match[1].trim()}\\b(?!:)[^.]*`, 'i').exec(text)?.[0] ?? '');
  // In the middle of a sentence a capital is a name; at its start it may be any word.
  for (const match of text.matchAll(
    /(?<=[\p{Ll},;] )(?<!\b(?:of|in|from|at|near|to|toward|the|on) )(\p{Lu}\p{Ll}{2,12})\b(?! (?:Street|City|Bay|Road|Island|Point|Hill|Sea|Valley|Rock))/gu,
  )) {
    const before = text.slice(Math.max(0, match.index - 24), match.index);
    const after = text.slice(match.index + match[1].length, match.index + match[1].length + 80);
    const kin =
      /(?:named|called|brother|sister|friend|partner|son|daughter|wife|husband|dog|cat|says|asks|calls) $/i.test(
        before,
      );
    if (kin || /^,? (?:an? [a-z]|\d\d|who|says|said|asks|looks)/.test(after))
      add(match[1], `${before.split(/[.;:,]/).at(-1)} ${after.split(/[;,] \p{Lu}/u)[0]}`);
  }
  for (const match of text.matchAll(
    /(?<=^|[.!?]["*]? |\n)["*]?(\p{Lu}\p{Ll}{2,12})(?=,? (?:the|an?|his|her) [a-z]|, \d\d\b| is (?:an?|the|his|her) )/gmu,
  )) {
    const after = text.slice(match.index + match[0].length, match.index + 80);
    if (!S_FORMS.has(match[1].toLowerCase()) && !kindOf(match[1].toLowerCase()) && /^(?:,| is) ?/.test(after))
      add(match[1], after);
  }
  return [...people.values()].slice(0, 5);
}

/** What people are called, when the traits put it in quotes or the first message shows it. */
function addressOf(traits) {
  const quoted = /\bcalls? (?:[\p{L}' ]{1,30}?) "([\p{L} ]{2,20})"/iu.exec(traits)?.[1];
  const named =
    /\bcalls? (?:everyone|everybody|people|strangers|you|visitors|guests|customers) ([a-z]+)(?=[.,;\n]|$)/i.exec(
      traits,
    )?.[1];
  const found = (quoted ?? named ?? '').trim();
  return /^(?:by|it|them|names?|home|out|back)$/i.test(found) ? '' : found;
}

/** Repairs what putting "you" in the place of a name leaves behind: "you is" → "you are", "you's" → "your". */
function aboutYou(line) {
  return line
    .replace(/\byou's\b/gi, 'your')
    .replace(/\b(you) (is|was|has|does|[a-z]{3,}s)\b/gi, (found, you, verb) => {
      const fixed =
        { is: 'are', was: 'were', has: 'have', does: 'do' }[verb] ??
        (/^(?:always|perhaps|less|unless|as|this|its|across)$/.test(verb) ? verb : baseVerb(verb));
      return fixed ? `${you} ${fixed}` : found;
    });
}

/** What is said about a manner of speaking or a look: true of the character, but nobody says it of themself. */
const MANNER =
  /\b(?:speaks?|talks?|says|narrates|voice|accent|hair|eyes|tall|personality|tone|sentences|laughs|teases|quotes|cites|delivers|explains|answers|begins|misunderstands|invents|interrupts|apologi[sz]es|offended|amused|looks|smells|sounds|complains|insults|haggles|weaponises|calls|refers|sarcastic|witty|shy|portly|measures|good to think|character|game master|player|plays)\b|[:"{}[\]]/i;

function spokenLore(lines, names, gender, risky) {
  return lines
    .filter((line) => !MANNER.test(line) && line.split(/\s+/).length >= 4 && line.split(/\s+/).length <= 28)
    .map((line) => toFirstPerson(line, names, gender))
    .filter(
      (line) =>
        line &&
        !risky(line) &&
        !/^I am [a-z]+(?:,| and |$)|neither he nor she|^I am (?:an?|the) |\b(?:of|all|both) me\b|, [a-z]+s, [a-z]+s,/.test(
          line,
        ),
    )
    .filter((line) =>
      /^(?:I|In|For|At|On|Under|By|Every|Each|The|When|My|One|Since|After|Before|There|It|Once|Three|Beneath|Nobody|As|Two|A|An|All|Most)\b/.test(
        line,
      ),
    )
    .slice(0, 12);
}

/** A secret and what belongs to it, in the order told. */
function secretOf(lines, names, gender, risky) {
  const labelled = lines.findIndex((line) => /^secrets?\s*:/i.test(line));
  const at =
    labelled >= 0
      ? labelled
      : lines.findIndex((line) =>
          /\b(?:secretly|a secret|never told|nobody knows|no one knows)\b/i.test(line),
        );
  if (at < 0) return [];
  const told = [];
  for (const line of labelled >= 0 ? lines.slice(at) : [lines[at]]) {
    const bare = line.replace(/^secrets?\s*:\s*/i, '').replace(/^(?:nobody|no one) knows (?:that )?/i, '');
    const turned =
      toFirstPerson(bare, names, gender) ??
      (told.length > 0 || /\b(?:is|was|has|lies|went|ran|are|were)\b/.test(bare)
        ? pronounsToMine(bare, gender)
        : null);
    if (!turned || risky(turned) || /[:"]/.test(turned)) break;
    told.push(capital(turned));
  }
  return told.slice(0, 4);
}

/** "Ebbe, 71, last keeper of the Skarv light, …" → "the last keeper of the Skarv light". */
function introduction(line, names, risky) {
  const named = names.map((one) => one.replace(/[^\p{L}\d ]/gu, '.')).join('|');
  const rest = new RegExp(`^(?:${named})(?:,? (?:aged )?\\d+)?(?:,| is| was)\\s+(.+)$`, 'iu').exec(line)?.[1];
  const part = rest?.split(/[,;:]| who | whose | with /)[0].trim() ?? '';
  const count = part.split(/\s+/).length;
  if (S_FORMS.has(part.split(' ')[0].toLowerCase()) || !TRADES.test(part) || risky(part) || count > 14)
    return '';
  if (/^(?:the|a|an|my)\b/i.test(part)) return uncapital(part);
  return /^(?:last|first|only|best|second-best|fastest|oldest)\b/i.test(part)
    ? `the ${part}`
    : withArticle(part);
}

/**
 * Reads a character's world out of the texts its maker wrote.
 * @param {{name: string, tagline: string, traits: string, firstMessage: string, person?: string}} scene
 * @returns {Character}
 */
export function readCharacter(scene) {
  const { name } = scene;
  const traits = straight(scene.traits);
  const opening = straight(scene.firstMessage);
  const short = shortName(name);
  const names = [...new Set([name.replace(/,.*$/, ''), short, ...short.split(/\s+/)])].filter(
    (one) => one && !/^(?:the|a|of)$/i.test(one),
  );

  const all = `${opening}\n${traits}\n${scene.tagline}`;
  const asSecondPerson = /^\s*you(?:'re| are)\b/i.test(traits);
  const pronouns =
    asSecondPerson && !/\b(?:she|he|her|his)\b/i.test(traits)
      ? pronounsIn(opening.replace(/"[^"]*"/g, ' '), short)
      : pronounsIn(`${traits} ${scene.tagline} ${opening.replace(/"[^"]*"/g, ' ')}`, short);
  /** True when the text still holds a word that would be wrong in the character's mouth. */
  const ownLeft = { she: 'she|her', he: 'he|him|his', they: 'they|them|their', it: 'its' }[pronouns.gender];
  const namesLeft = names.filter((one) => /^\p{Lu}/u.test(one)).join('|');
  const risky = (text) =>
    new RegExp(`\\b(?:${ownLeft})\\b|["*{}[\\]@]`, 'i').test(text) ||
    (namesLeft !== '' && new RegExp(`\\b(?:${namesLeft})\\b`).test(text));
  const toMine = (text) => pronounsToMine(text, pronouns.gender);
  const person = scene.person
    ? new RegExp(`\\b${scene.person.replace(/[^\p{L}\d ]/gu, '.')}\\b`, 'gu')
    : null;
  const lines = (
    asSecondPerson
      ? traits
          .replace(/\byou are\b/gi, 'I am')
          .replace(/\byou're\b/gi, "I'm")
          .replace(/\byour\b/gi, 'my')
          .replace(/\byourself\b/gi, 'myself')
          .replace(/\byou\b/gi, 'I')
      : traits
  )
    .replace(/\n+/g, '. ')
    .split(/(?<=[.!?])\s+|;\s+/)
    .map((line) => line.replace(/[.!?\s]+$/, '').replace(/^\.?\s*/, ''))
    .filter(Boolean)
    .map((line) => aboutYou(person ? line.replace(person, 'you') : line));
  const secret = secretOf(lines, names, pronouns.gender, risky);
  const secretAt = lines.findIndex((line) => /^secrets?\s*:/i.test(line));
  const open = (secretAt >= 0 ? lines.slice(0, secretAt) : lines).filter(
    (line) => !/\b(?:secret(?:ly)?|never told|nobody knows|no one knows)\b/i.test(line),
  );
  const lore = spokenLore(open, names, pronouns.gender, risky);
  const told =
    lines
      .slice(0, 4)
      .map((line) => introduction(line, names, risky))
      .find(Boolean) ?? '';
  const fromTagline =
    /^((?:[\p{L}'-]+ ){0,3}[\p{L}-]+)(?=[.,;]|$)/u.exec(straight(scene.tagline))?.[1].toLowerCase() ?? '';
  const fromTraits =
    new RegExp(
      `\\b(?:is|am|as|works? as|became|serves? as|,) (?:an?|the) ((?:[a-z-]+ ){0,2}?(?:${TRADE_LIST}))\\b`,
      'i',
    )
      .exec(traits.slice(0, 300).replace(/\byou (?:is|are) (?:an?|the) \w+/gi, ''))?.[1]
      .toLowerCase() ?? '';
  const work =
    [
      phrase(listField(traits, 'occupation|job|profession|role|work')),
      new RegExp(`^(?:an?|the) ((?:[a-z-]+ ){0,2}?(?:${TRADE_LIST}))\\b`, 'i')
        .exec(told)?.[1]
        .toLowerCase() ?? '',
      TRADES.test(fromTagline) && !/\b(?:your|my|his|her|once|a|is|not)\b/.test(fromTagline)
        ? fromTagline
        : '',
      fromTraits,
    ]
      .map((one) =>
        one
          .replace(/^(?:an?|the)\s+/, '')
          .replace(/^(?:\d+|[a-z]+)[ -]year[ -]old\s+/, '')
          .replace(TEMPERS, ''),
      )
      .find((one) => one && !one.endsWith('sword') && one.split(/\s+/).length <= 4) ?? '';
  const wantClause = toMine(
    listField(traits, 'goal|goals|wants?|dream')
      .replace(/^to\s+/i, '')
      .split(',')[0] ||
      clauseAfter(
        traits,
        /\b(?:wants? to|dreams? of one day|hopes? to|longs? to|wishes to|is trying to|are trying to|determined to)/,
        9,
      ),
  );
  const aim =
    wantClause && !risky(wantClause) && !/ing\b/.test(wantClause.split(' ')[0]) ? uncapital(wantClause) : '';
  const noun = (text) => {
    const mine = toMine(text);
    return mine && !risky(mine) && !/^(?:to|it|its|and|you|that|when|how|being)\b/i.test(mine)
      ? uncapital(mine)
      : '';
  };
  const lister = (fields, cue) =>
    phrase(toMine(listField(traits, fields)), risky) || noun(clauseAfter(traits, cue, 6));
  return {
    name,
    short,
    pronouns,
    things: nounsOf(
      all,
      HOLD.filter((item) => !FIXTURE.includes(item) || item === 'telescope'),
      6,
    ),
    fixtures: nounsOf(all, FIXTURE, 5),
    places: nounsOf(all, PLACE, 5).filter(
      (place) => !/(?:north|south|east|west|port|road|street)$/.test(place),
    ),
    treats: nounsOf(all, TREAT, 3).map((item) => item.replace(/^the /, '')),
    work,
    want: aim.split(/\s+/).length >= 2 ? aim : '',
    likes: lister(
      'likes|loves|hobbies',
      /(?:\b(?:loves|adores|fond of)|(?<!if \w{2,12} )\blikes|\bI (?:love|like))(?! (?:to|you|it|them|me|him|her)\b)/,
    ),
    dislikes: lister('dislikes|hates', /\b(?:hates|dislikes|despises|can't stand|cannot stand)(?! to\b)/),
    fear: lister('fears?|afraid of', /\b(?:afraid of|fears|scared of|terrified of)/),
    secret,
    secretAsWritten:
      secretAt >= 0
        ? lines
            .slice(secretAt)
            .map((line) => capital(line.replace(/^secrets?\s*:\s*/i, '')))
            .filter((line) => !/[":]/.test(line))
            .slice(0, 4)
        : [],
    introduction: told || (work ? withArticle(work) : ''),
    age:
      /\b(\d{2,4})[- ]years?[- ]old\b|\bage[d:]?\s*:?\s*(\d{2,4})\b/i.exec(traits)?.slice(1).find(Boolean) ??
      '',
    lore,
    world: open.filter(
      (line) => !/[:"{}[\]]/.test(line) && line.split(/\s+/).length >= 5 && line.split(/\s+/).length <= 26,
    ),
    address: addressOf(traits),
    utterance: /\b(?:says|say|said) "([^"]{1,14})"/i.exec(traits)?.[1].replace(/[.,]$/, '') ?? '',
    catchphrase:
      /(?:catchphrase|favou?rite (?:phrase|saying)|likes to say|often says|always says|motto)[^"\n.]{0,20}"([^"]{4,80})"/i
        .exec(traits)?.[1]
        .replace(/[.,]$/, '') ?? '',
    people: namedPeople(
      `${traits}\n${opening}`,
      names.flatMap((one) => one.split(/\s+/)),
    ),
  };
}

const words = (text) => text.trim().split(/\s+/);

/** Small things that can be picked up, turned over and set down again. */
export const HOLD =
  words(`lamp lantern key book letter map knife sword cup mug glass bottle coin candle pen quill
  notebook ledger compass telescope spyglass bag satchel box tin photograph camera phone radio tablet wrench hammer
  needle flute lute guitar violin fiddle bell whistle dagger bow axe staff wand orb crystal potion vial flask pipe
  kettle teapot pot pan spoon ladle rose flower feather stone shell bone mask mirror doll card ticket umbrella basket
  bucket broom brush chart scroll tome amulet pendant necklace locket bracelet badge file folder envelope headset helmet
  shield trowel spade net oar hook lens clock gear screwdriver laptop tray plate bowl jar notepad diary journal sketchbook
  microphone controller seashell lighter crown rope cane stick shuttle spindle loom telegram postcard suitcase pebble
  hourglass sextant logbook datapad scalpel stethoscope trumpet cello harp chessboard rifle revolver pistol bandage thermos`);

/** Standing things one can be near, look at or walk over to. */
export const FIXTURE =
  words(`door window table desk counter bar bench shelf stairs staircase rail railing hearth fireplace
  stove oven gate bridge well console hatch airlock mast piano workbench forge cabinet sink balcony throne altar fountain
  porch doorway threshold windowsill cupboard bookcase sofa couch hatchway campfire fire engine jukebox furnace anvil
  viewport noticeboard blackboard telescope wagon stall`);

/** Places. */
export const PLACE =
  words(`harbour harbor port sea ocean island village town city forest woods mountain mountains river lake
  castle palace tower temple church chapel library school academy university classroom café cafe shop bakery kitchen tavern
  inn pub office station ship spaceship starship lab laboratory workshop studio garden greenhouse farm field cave mine
  desert road street alley market square hospital clinic theatre theater museum hotel apartment flat house cottage manor
  mansion graveyard cemetery lighthouse observatory train carriage camp dungeon ruins swamp valley hill hills coast beach
  cliff rooftop cellar attic basement bookshop bookstore warehouse cabin hut arena kingdom empire planet base colony north
  south east west pier dock docks shore orchard monastery abbey bunker diner restaurant archive vault`);

/** People. */
const PERSON =
  words(`mother father mum mom dad brother sister son daughter wife husband friend friends uncle aunt
  grandmother grandfather grandma grandpa granddad cousin king queen prince princess captain doctor teacher boss neighbour
  neighbor stranger soldier guard guards thief child children baby girl boy man woman crew family parents master student
  enemy enemies partner boyfriend girlfriend colleague roommate sailor witch wizard knight merchant priest nurse twin niece
  nephew mentor rival fiancé ancestor ancestors villagers keeper`);

/** Animals and other beings. */
const CREATURE =
  words(`dog dogs cat cats horse horses dragon dragons wolf wolves bird birds raven crow owl fox gull
  gulls bear snake rat rats mouse fish whale whales spider bee bees moth moths ghost ghosts monster monsters demon angel fairy
  goat sheep hen kitten puppy rabbit deer parrot hawk`);

/** Things to eat and drink. */
export const TREAT =
  words(`tea coffee wine ale beer bread cake soup pie chocolate honey stew toast porridge cider rum
  whisky whiskey milk cocoa biscuits cookies biscuit cookie apple apples orange sandwich pizza cheese broth pancakes muffin`);

/** Weather and sky. */
const NATURE =
  words(`storm storms rain snow wind fog mist thunder lightning tide waves star stars moon sun sky clouds
  sand ice winter summer autumn spring sunrise sunset dawn dusk`);

/** Ideas, and other things that cannot be held. */
const ABSTRACT =
  words(`love truth magic war peace dream dreams nightmare nightmares secret secrets memory memories past
  future death hope fear fate destiny freedom justice revenge honour honor music art science history money work job luck curse
  spell promise lie mistake plan idea problem song poem poetry game exam exams journey adventure treasure voyage trouble
  loneliness silence courage trust danger mystery philosophy football dancing cooking painting reading writing sleep
  birthday wedding holiday interview deadline debt holidays illness childhood world`);

/** Words for the body, which make a poor subject to take up. */
const BODY =
  words(`hand hands eye eyes face hair head arm arms leg legs shoulder shoulders foot feet finger fingers lips
  mouth heart breath voice back chest skin neck ear ears nose mind smile gaze way`);

/** Adjectives that may stay with a noun that is taken from a text. */
export const MODIFIERS = new Set(
  words(`brass copper iron silver golden gold wooden oak tin glass stone leather old small little
  broken cracked rusty rusted dented battered worn chipped faded red blue green black white grey gray brown yellow purple
  long heavy tall narrow great big large oil pocket tea coffee paper bone jade marble velvet ancient empty dusty wet cold warm
  hot fresh tiny strange new first last lost best dead late beautiful favourite favorite younger older little big dear secret
  wild dark bright quiet silent northern southern eastern western whole real sealed folded torn burnt spare good bad half
  single crooked painted wicker steel stale sweet bitter royal haunted hidden abandoned forgotten enchanted magic magical
  funny angry sad lonely young bloody poisoned stolen local`),
);

/** Words that say nothing about the matter. */
export const STOP = new Set(
  words(`a an the and or but if then so because as at by for from in into of off on onto out over to
  up down with without about after before again against all also am is are was were be been being any anyone anything both
  can cannot could did do does doing done each else ever every everyone everything few get gets getting give go goes going
  gone got had has have having he her here hers herself him himself his how however i i'm i've i'll i'd it its itself just
  know let like make many may maybe me might mine more most much must my myself never no nobody none nor not nothing now oh
  okay once one only other our ours own please quite really right said same say see shall she should since some somebody
  someone something somewhere soon still such sure take tell than that that's thank thanks the their theirs them themselves
  there these they thing things think this those through time times today together told tomorrow tonight too two under
  until us very want was way we well went were what what's when where which while who whom whose why will with would yeah
  yes yesterday yet you you're your yours yourself hello hi hey bit lot kind sort place name day days night morning evening
  week year years hour minute moment couple rest reason part point question course case fact matter look chance word words
  anyway actually maybe mr mrs ok left side end top bottom middle edge front next kinda gonna wanna
  don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't shouldn't haven't hasn't hadn't ain't
  it's he's she's they're we're you've you'd you'll they've we've there's here's who's let's cause cuz though around away
  along across upon near inside outside beside behind between toward towards instead already almost always often perhaps`),
);

/** Verbs in their base form; forms are made below. */
const VERBS =
  words(`accept act add admit agree aim allow answer appear approach argue arrive ask attack avoid bake balance bang
  bark become beg begin believe belong bend bite bless blink block blow blush board boil bow break breathe bring brush build
  burn burst bury buy call care carry carve cast catch change charge chase check choose chuckle circle clap clean clear climb
  close collect come comfort confess continue cook cough count cover crawl creep cross crouch cry curse cut dance dare deal
  decide defend deliver deny die dig disappear discover dive dodge drag draw dream drink drive drop duck eat enter escape
  examine explain explore face fall fear feed feel fetch fight fill find finish fix flee flinch flip fly fold follow forget
  forgive frown gasp gather gaze gesture giggle give glance glare go grab greet grin grip groan grow growl guard guess guide
  hand hang hate have head heal hear help hesitate hide hit hold hop hope hug hum hunt hurry hurt ignore imagine inspect invite join
  jump keep kick kill kiss knead kneel knit knock know laugh lead lean leap learn leave lend lie lift light like listen live
  lock look lose love lower lurk make mark meet mend mix move mutter need nod notice offer open order own pace pack paint
  pass pat pause pay peek peer pet pick place plan plant play point poke polish pour pray prefer prepare press pretend promise
  protect prove pull punch push put raise reach read refuse regret remember remove repair repeat reply rescue rest return ride
  ring rise roll rub rule run rush salute save say scan scowl scratch scream search see seek seem sell send serve set shake
  share shiver shoot shout show shrug shut sigh sing sip sit sketch skip slam slap sleep slide slip smash smell smile smirk
  smoke snap sneak sniff snort solve speak spend spill spin spit stand stare start stay steal step stir stop stretch strike
  stroke study stumble suggest summon survive swallow swear swim swing take talk tap taste teach tear tease tell tend
  think throw tie tilt toss touch trace trade trail train travel tremble trip trust try tug turn twist understand unlock
  untie use visit vow wait wake walk wander want warm warn wash watch wave wear whisper whistle win wink wipe wish wonder
  work worry wrap write yawn yell`);

const IRREGULAR = {
  bend: 'bent',
  bite: 'bit',
  blow: 'blew',
  break: 'broke',
  bring: 'brought',
  build: 'built',
  buy: 'bought',
  catch: 'caught',
  choose: 'chose',
  come: 'came',
  creep: 'crept',
  deal: 'dealt',
  dig: 'dug',
  draw: 'drew',
  drink: 'drank',
  drive: 'drove',
  eat: 'ate',
  fall: 'fell',
  feed: 'fed',
  feel: 'felt',
  fight: 'fought',
  find: 'found',
  flee: 'fled',
  fly: 'flew',
  forget: 'forgot',
  forgive: 'forgave',
  give: 'gave',
  go: 'went',
  grow: 'grew',
  hang: 'hung',
  have: 'had',
  hear: 'heard',
  hide: 'hid',
  hold: 'held',
  keep: 'kept',
  kneel: 'knelt',
  know: 'knew',
  lead: 'led',
  leave: 'left',
  light: 'lit',
  lose: 'lost',
  make: 'made',
  meet: 'met',
  pay: 'paid',
  ride: 'rode',
  ring: 'rang',
  rise: 'rose',
  run: 'ran',
  say: 'said',
  see: 'saw',
  seek: 'sought',
  sell: 'sold',
  send: 'sent',
  shake: 'shook',
  shoot: 'shot',
  sing: 'sang',
  sit: 'sat',
  sleep: 'slept',
  slide: 'slid',
  speak: 'spoke',
  spend: 'spent',
  spin: 'spun',
  stand: 'stood',
  steal: 'stole',
  strike: 'struck',
  swear: 'swore',
  swim: 'swam',
  swing: 'swung',
  take: 'took',
  teach: 'taught',
  tear: 'tore',
  tell: 'told',
  think: 'thought',
  throw: 'threw',
  understand: 'understood',
  wake: 'woke',
  wear: 'wore',
  win: 'won',
  write: 'wrote',
};

/**
 * The form with s: "carry" → "carries".
 * @param {string} verb
 * @returns {string}
 */
function thirdPerson(verb) {
  if (verb === 'have') return 'has';
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  if (/(s|x|z|ch|sh|o)$/.test(verb)) return `${verb}es`;
  return `${verb}s`;
}

function pastForm(verb) {
  if (IRREGULAR[verb]) return IRREGULAR[verb];
  if (verb.endsWith('e')) return `${verb}d`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  if (/^[^aeiou]*[aeiou][bdgklmnprt]$/.test(verb)) return `${verb}${verb.at(-1)}ed`;
  return `${verb}ed`;
}

/** Base forms. */
export const BASE_VERBS = new Set(VERBS);
/** Form with s → base form. */
export const S_FORMS = new Map(VERBS.map((verb) => [thirdPerson(verb), verb]));
/** Past form → base form. */
export const PAST_FORMS = new Map(VERBS.map((verb) => [pastForm(verb), verb]));

const KINDS = new Map();
for (const [kind, list] of Object.entries({
  abstract: ABSTRACT,
  nature: NATURE,
  place: PLACE,
  fixture: FIXTURE,
  hold: HOLD,
  treat: TREAT,
  creature: CREATURE,
  person: PERSON,
  body: BODY,
})) {
  for (const word of list) KINDS.set(word, kind);
}

/**
 * What sort of thing a noun names, or undefined when the noun is not known here.
 * @param {string} noun lower case, singular or plural
 * @returns {string | undefined}
 */
export function kindOf(noun) {
  return (
    KINDS.get(noun) ??
    KINDS.get(noun.replace(/ies$/, 'y')) ??
    KINDS.get(noun.replace(/(?<=[sxh])es$/, '')) ??
    KINDS.get(noun.replace(/s$/, ''))
  );
}

/**
 * Whether a noun is most likely more than one.
 * @param {string} noun lower case
 * @returns {boolean}
 */
export function isPlural(noun) {
  if (/^(people|children|men|women|mice|wolves|stairs|woods|ruins|crew)$/.test(noun)) return true;
  return (
    /[^su]s$/.test(noun) &&
    !/^(compass|glass|always|chess|news|canvas|his|its|atlas|princess|abyss|moss|loss)$/.test(noun)
  );
}

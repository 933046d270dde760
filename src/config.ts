/**
 * The product's name and every number of the business: one place, typed, with units in the names. Longer than a file
 * should be, because it is a table: who looks for a limit looks here, and nothing in it depends on anything else.
 */

/** The one constant that names the product. */
export const BRAND = { name: 'Loreloom', modelValue: 'loreloom' } as const;

/** Interface languages in the order of the switcher; the first is the default. */
export const LANGUAGES = ['en', 'es', 'fr', 'de', 'it', 'pt', 'ru', 'ja', 'hi', 'pl', 'zh', 'id'] as const;
export type Language = (typeof LANGUAGES)[number];
export const DEFAULT_LANGUAGE: Language = 'en';

/** The blog's subjects; their names are `tag.*` of blog.json. */
export const POST_TAGS = ['workings', 'writing', 'privacy', 'points', 'competition'] as const;
export type PostTag = (typeof POST_TAGS)[number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * The business's constants as they are until an operator changes them (SPEC section 9 and the contract's local
 * defaults); read them by `readBusiness`. Their units and bounds are in features/business/contract.ts.
 */
export const BUSINESS_DEFAULTS = {
  start_points: 50,
  refill_to_points: 50,
  refill_hours: 8,
  message_cost_points: 1,
  daily_message_limit: 100,
  character_cost_points: 5,
  invite_points: 10,
  commission_percent: 15,
  storyteller_price_cents: 699,
  adventurer_price_cents: 1499,
  legend_price_cents: 2499,
  storyteller_paypal_plan: null,
  personas_free: 5,
  personas_storyteller: 500,
  competition_season: 2,
  competition_begins_on: '2025-08-25',
  competition_ends_on: '2025-11-25',
  competition_winners_on: '2025-11-30',
  model_calls: 'on',
  // Far above what a site of some thousand people needs, and no sum that ruins whoever was not looking for a day.
  model_budget_cents_per_day: 10_000,
  model_budget_tokens_per_day: 1_000_000_000,
  person_model_cents_per_day: null,
  // Six hundred messages with all that a model of the usual size reads: nobody reads so many replies in a day.
  person_model_tokens_per_day: 10_000_000,
  // As many as the points that somebody begins with: for whoever has no membership points are what ends first.
  replies_at_once: 50,
} as const;

/** Memberships that are paid for month by month. */
export const BILLING = {
  currency: 'USD',
  /** The payment company takes its money some hours around the end of a month: nobody is without for that. */
  settlesMs: DAY_MS,
  /** By so much the company's months may differ from the calendar's: by short months, and by money that came late. */
  driftMs: 5 * DAY_MS,
  /** Two moments so close are those of one payment, told of in two places. */
  samePaymentMs: DAY_MS,
  /** Its clock is not ours, and it tells times to the second. */
  clockMs: MINUTE_MS,
  /** Payments that are gone through again each time; a bank takes money back for half a year. */
  lookBackMs: 200 * DAY_MS,
  /** Whoever settles a subscription has so long until another may try. */
  leaseMs: 2 * MINUTE_MS,
  /** Between one try to handle an event and the next; after the last it is given up, and kept for whoever looks. */
  eventPausesMs: [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, DAY_MS],
  /** An event with all its parts is five kilobytes. */
  maxEventBytes: 256 * 1024,
  eventsKeptMs: 90 * DAY_MS,
  /** Nobody has found out what it meant: the operator may, as long as a payment can be argued about. */
  givenUpKeptMs: 365 * DAY_MS,
  eventsRemovedPerRun: 5000,
  /** What somebody paid whose account is gone is found so long if something goes back of it, as half a year after it may. */
  goneKeptMs: 365 * DAY_MS,
  /** PayPal waits some seconds for an answer to what it tells, and tells it again. */
  verifiedWithinMs: 9000,
  /** Subscriptions of which one person says that they are theirs, and PayPal says nothing. */
  openClaims: 5,
  /** Subscriptions that one person may name within so long, and PayPal knows nothing of. */
  misses: 10,
  missesWithinMs: HOUR_MS,
  /** Subscriptions whose events are handled in one run, each about fifteen calls to the company and to the database. */
  handledPerRun: 40,
  /** What is running is asked for so often without any event: twice before benefits end that wait for a payment. */
  askedAfterMs: 10 * HOUR_MS,
  /** What has just run out, while its payment is awaited. */
  askedAfterEndMs: HOUR_MS,
  /**
   * Whoever went to PayPal with an offer may come back with it for so long, whatever was changed since: what they are asked
   * to agree to there waits for three hours, and they may close the page meanwhile.
   */
  formerOfferMs: 6 * HOUR_MS,
  /** In one run, each about a dozen calls; with a run every five minutes, 14,400 questions a day. */
  askedPerRun: 50,
  atOnce: 4,
  endedPerRun: 200,
} as const;

/** Text limits in characters (SPEC section 5). */
export const TEXT_LIMITS = {
  characterName: 50,
  oneliner: 50,
  characterTraits: 1000,
  firstMessage: 2000,
  reportDetails: 300,
  /** One message: far above what people type, far below what would crowd out a model's context. */
  message: 8000,
  email: 254,
  title: 100,
  searchQuery: 100,
  nickname: 20,
  username: 30,
  inviteCode: 10,
  /** What somebody tells the operator. */
  feedback: 2000,
  /** As long as a character's: both stand in the same places of a chat. */
  personaName: 50,
  /** As much as a character's traits: it is told to the model in every turn. */
  personaDescription: 1000,
} as const;

/** E-mail login codes (contract, «Auth»). */
export const LOGIN_CODE = {
  digits: 6,
  lifetimeMs: 10 * MINUTE_MS,
  /** Of the network that asked for it, which nobody elsewhere can use up; and as many of each other network. */
  maxTries: 5,
  /**
   * Of all others together, who need two networks to use them up. With a code every ten minutes that is 2,160 guesses a day
   * in all, of a million, each code with a mail that its owner sees.
   */
  maxTriesOfOthers: 10,
  resendAfterMs: 10 * MINUTE_MS,
  /**
   * Each is a mail, and a mail service takes so many a day: one network is not to use them up. A school or an office that
   * comes by one address has as many people who log in on a day; whoever is in stays in for weeks. At most 1000: so many
   * are looked through at once.
   */
  perNetworkPerDay: 200,
} as const;

/** Invite codes (SPEC section 9). An account that has begun already may still take one in its first week. */
export const INVITE = { codeChars: 8, takenWithinMs: 7 * DAY_MS } as const;

/** The link that confirms an account's deletion (SPEC section 9, «grace period»). */
export const DELETION_LINK = { lifetimeMs: DAY_MS, resendAfterMs: 10 * MINUTE_MS } as const;

/** What lies outside the database of people who are gone is erased piece by piece. */
export const ERASURE = {
  /** Between one try and the next, the last one again and again: it is never given up. */
  pausesMs: [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, DAY_MS],
  /** In one run, each a person or a character. */
  perRun: 40,
  /** Conversations in one run, each a call to an object of its own. */
  conversationsPerRun: 300,
  atOnce: 6,
  /** A conversation with a character that was begun just before it went may be listed so much later. */
  settlesMs: 10 * MINUTE_MS,
  /** A turn of a guest who has joined an account may be paid so much later. */
  walletStaysMs: HOUR_MS,
} as const;

/** What a model writes of a character for whoever has not met them. */
export const SUMMARY = {
  askedWords: 60,
  /** Of what is kept; models write more than they are asked for. */
  maxChars: 600,
  /** Less is no introduction. */
  minChars: 15,
  maxTokens: 300,
  temperature: 0.5,
  timeLimitMs: MINUTE_MS,
  /** Between one try and the next; one more try comes after the last of them. */
  pausesMs: [2 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS],
  /** After the last try it is given up; should that write fail, it is tried once more. */
  lastPauseMs: DAY_MS,
  /** Versions of a character that are told of at once. Later ones cost their maker nothing, so they wait for a rest. */
  promptVersions: 10,
  /** Since the change before. */
  restMs: 10 * MINUTE_MS,
  perRun: 20,
  atOnce: 4,
} as const;

/** Guests have no address to be written to: who stays away so long is gone. */
export const GUESTS = {
  idleMs: 30 * DAY_MS,
  removedPerRun: 40,
  /** Each begins with points of its own; a household or an office has no more guests a day than this. */
  perNetworkPerDay: 20,
  /** Somebody who logs out by mistake may begin again; nobody is to live on beginning. */
  perDevicePerDay: 3,
} as const;

/** In years: who may use the site at all, guests too. Why, and what to think of before lowering it, is in docs/age.md. */
export const MINIMUM_AGE = 18;

/** The way to whoever checks ages and back. A check with papers at hand takes minutes. */
export const AGE_CHECK = { lifetimeMs: HOUR_MS } as const;

/** Mails that did not go out at once. */
export const MAIL = {
  /** Between one try and the next: a mail server that is away for a day loses nobody a mail. */
  pausesMs: [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, DAY_MS],
  /** Far above what a try takes: after it, the last one is known to have failed. */
  lastPauseMs: 10 * MINUTE_MS,
  /** In one run: each is about four calls of the thousand that a run may make. */
  perRun: 200,
  atOnce: 5,
  /** News come at most every two months, counted from when they are put in: two days more than any try can take. */
  marketingEveryMs: 62 * DAY_MS,
  /** News are put in once a day: who is due is found by looking at everybody. */
  newsHourUtc: 15,
  /** People who are written to in a day's run; who is left waits for the next. */
  newsPerRun: 5000,
} as const;

/** What somebody with a session may tell the operator; who has none is bounded by network address. */
export const FEEDBACK = { perHour: 10 } as const;

export const SESSION = {
  lifetimeDays: 30,
  lifetimeMs: 30 * DAY_MS,
  /** Its end moves at most so often, with the cookie sent again. */
  slidesAfterMs: DAY_MS,
  /** When it was last used is known no better than this, and costs a write no more often. */
  seenAfterMs: HOUR_MS,
  /** On the page that lists them. */
  maxListed: 100,
} as const;

/** The way to Google's page and back. */
export const GOOGLE_SIGN_IN = {
  lifetimeMs: 10 * MINUTE_MS,
  /** Begun in several tabs and not finished yet; with the longest path to return to, they fit into one cookie. */
  maxPending: 3,
  maxNextChars: 500,
} as const;

/** Recency groups of the drawer, in days of age (SPEC section 4). */
export const CHAT_LIST = {
  maxItems: 30,
  todayUnderDays: 1,
  yesterdayUnderDays: 2,
  weekUnderDays: 7,
} as const;

/** Request bodies in bytes (contract, «Conventions»). */
export const BODY_LIMITS = {
  json: 1024 * 1024,
  /** A chat brought in; what frames the file in its form comes on top. */
  chatFile: 50 * 1024 * 1024,
  /** A picture of somebody (SPEC section 5). */
  avatar: 2 * 1024 * 1024,
  /** A character as a file (contract). */
  card: 50 * 1024 * 1024,
  /** The other fields and the frame of a form that brings a file. */
  formFrame: 64 * 1024,
} as const;

/**
 * What a chat that is brought in may hold. Each is far above what chats of other programs have, and low enough that
 * one file cannot fill a worker's memory or a row of an object's database (2 MB).
 */
export const CHAT_FILE = {
  maxMessages: 20_000,
  /** Blank ones too: each takes time to find. */
  maxLines: 100_000,
  maxVersions: 500,
  /** Each is a row of its own. */
  maxVersionsInAll: 60_000,
  /** One version, in UTF-16 units. */
  maxContentChars: 100_000,
  /** All versions together, in UTF-16 units: each is looked at before anything is kept. Chats of years have less. */
  maxTextChars: 10_000_000,
  maxNameChars: 200,
  /** One line with all its versions: what a message of ours can grow to, in any script. */
  maxLineBytes: 8 * 1024 * 1024,
  /** What other programs keep in one line and we only carry, as JSON. */
  maxCarriedChars: 256 * 1024,
  /** Lists in lists in lists: beyond this nobody means it. */
  maxCarriedDepth: 32,
  /** Messages that are read or written at once. */
  pageMessages: 100,
  /** Text that is handed on at once, in UTF-16 units: a call to an object carries up to 32 MiB. */
  pageChars: 4 * 1024 * 1024,
} as const;

/**
 * Characters as files. A file is read in the pieces that it came in: what else is made of it at once stays, by these
 * bounds, below what a worker's memory (128 MB) has left beside the file.
 */
export const CARD = {
  /** Of the text itself, without the files that are written into it where it is longer: lorebooks and all, cards have a fraction of it. What goes out holds it several times. */
  maxJsonBytes: 4 * 1024 * 1024,
  /** Lists, objects and what is in them: each takes up to a hundred bytes of memory, however short it is written. */
  maxValues: 200_000,
  maxDepth: 64,
  /** In all texts of a picture that are neither the card nor a file of it: what programs tell of a drawing, with room to spare. */
  maxTextBytes: 16 * 1024 * 1024,
  /** A picture of 50 MiB in the smallest pieces that programs write has a tenth of it. */
  maxChunks: 100_000,
  /** Files of an archive. */
  maxFiles: 4096,
  maxDirectoryBytes: 1024 * 1024,
  /** Text is packed to a twentieth at best; whatever unpacks to so much more than it had was made to. */
  maxRatio: 200,
  /** Entries that are read of a list, such as tags. */
  maxListed: 1000,
  maxNicknameChars: 50,
  /** Of where a card says that it comes from, so much is shown to whoever brings it; all of it is kept. */
  maxSources: 5,
  maxSourceChars: 200,
  /** Notes in so many languages, of so many characters each. */
  maxNoteLanguages: 40,
  maxNoteChars: 4000,
  lorebook: {
    /** As many as a prompt looks through: far above any world that was written by hand. */
    maxEntries: 5000,
    maxKeys: 100,
    maxKeyChars: 500,
    maxContentChars: 20_000,
    /** As JSON: a quarter of what a row of the database may have. */
    maxBytes: 512 * 1024,
  },
  /** By one account: who moves here has many. */
  perHour: 60,
  /** Of one account, of which no character was made; the oldest make room. */
  maxUnclaimed: 60,
  /** One of which no character was made goes after this. */
  unclaimedMs: DAY_MS,
  /** In one run of housekeeping; storage deletes at most a thousand in one call. */
  clearedPerRun: 500,
} as const;

/** Pictures that people bring. */
export const PICTURE = {
  /** A small file may claim any size, and whoever sees it pays in memory: 64 MiB at most by this, and every phone draws it. */
  maxSidePx: 4096,
  /** By one account: more than anybody chooses from, too few to keep files here. */
  perHour: 20,
  /** Of one account, that nothing shows; the oldest make room. */
  maxUnused: 50,
  /** One that was brought just now, and that nothing shows yet, opens by its address for so long; then to its owner alone. */
  previewMs: HOUR_MS,
  /** One that nothing shows goes after this: a form that it was sent for may be open for long. */
  unusedMs: DAY_MS,
  /** Taken away in one run of housekeeping; storage deletes at most a thousand in one call. */
  clearedPerRun: 500,
} as const;

/**
 * The download of everything that is held about a person. What one of them may cost stays well below what one call of
 * the platform may: 1000 calls to databases, objects and pictures, and 30 seconds of computing.
 */
export const DOWNLOADS = {
  perHour: 10,
  /** One that says nothing for so long has broken off; it says something more often than that while it runs. */
  lostAfterMs: 5 * MINUTE_MS,
  saysEveryMs: MINUTE_MS,
  /** Chats of one archive, of which each takes two calls; the next archive goes on after them. */
  chats: 200,
  /** Text of chats after which an archive takes no more of them, before it is packed. */
  chatBytes: 1024 * 1024 * 1024,
  /** Far more than anybody may keep. */
  pictures: 200,
  /** Cards as they were brought. */
  originals: 150,
  /** Entries of the ledger that are fetched at once, and how often. */
  ledgerPage: 5000,
  ledgerPages: 100,
  /** Characters and rows of lists that are fetched at once. */
  page: 100,
  /** Text of one chat that its object holds at once, in bytes. */
  chatRoom: 1024 * 1024,
} as const;

/** The drawer's button rests this long after a click (SPEC section 9). */
export const DRAWER_LOCKOUT_MS = 1000;

/** What was deleted can be had back for so long (contract, «Chat»). */
export const TRASH = { keptMs: 30 * DAY_MS } as const;

/** The line that the log has of a call (docs/watching.md says what it costs). */
export const REQUEST_LOG = {
  /** Of calls that went well and quickly one in so many; refusals, failures and slow ones are all told. */
  plainOneIn: typeof __LOCAL_BUILD__ === 'boolean' && __LOCAL_BUILD__ ? 1 : 10,
  /** To the first byte: a reply may take longer than that. */
  slowMs: 2000,
} as const;

/** The synthetic conversation, and what the status page makes of it (docs/watching.md). */
export const CHECKS = {
  /** As often as its time comes by (src/crons.ts). */
  everyMs: 5 * MINUTE_MS,
  /** A part that takes longer is slow; a reply is judged by its first words and by its end. */
  slowMs: { site: 2000, sign_in: 2000, chats: 4000, firstWords: 10_000, reply: 40_000 },
  /** Of each step. What gave no answer by then is down. */
  limitMs: 10_000,
  replyLimitMs: 75_000,
  /** Without a check for so long, nothing is said of now. */
  staleMs: 30 * MINUTE_MS,
  /** Each check by itself, for the last day; what days came to, for the last three months. */
  shownHours: 24,
  daysKept: 90,
  /** Checks that no database would take, kept for the next one: half a day of them. */
  unkept: 144,
  /** Conversations of checks that were cut short, taken away by a later one. */
  leftPerRun: 5,
} as const;

/** What is told aloud to whoever watches the site (docs/runbook.md). */
export const WATCHED = {
  /** What has waited longer than that since its time came is stuck; an erasure since it was begun. */
  waitsMs: {
    mails: HOUR_MS,
    payment_events: HOUR_MS,
    erasures: DAY_MS,
    creations: HOUR_MS,
    page_purges: HOUR_MS,
  },
  databaseSlowMs: 500,
  /** Of the 10 GB that one may have. */
  databaseLargeBytes: 8_000_000_000,
} as const;

/** A store that has not answered by then does not answer. */
export const HEALTH_LIMIT_MS = 2000;

/** How the public lists follow what happens, in one run of housekeeping. */
export const LISTINGS = {
  /** Characters whose count of chats is taken over by one statement. */
  refreshedAtOnce: 500,
  roundsPerRun: 10,
  /** Characters whose words nobody has made yet. */
  wordsPerRun: 1000,
} as const;

/**
 * How long shared caches keep a public page, in seconds. What changes a page has them forget it; these ages are for what
 * nobody tells them of (counts of chats, orders of lists), and the longest that a page outlives a call that did not reach
 * them: `maxAge` and `swr` together, `swr` being how long the old page is given while a new one is drawn.
 */
export const SHARED_PAGES = {
  home: { maxAge: 300, swr: 600 },
  /** What is new or trending is expected to move. */
  list: { maxAge: 60, swr: 300 },
  character: { maxAge: 300, swr: 600 },
  creator: { maxAge: 300, swr: 600 },
  /** Nobody is to be seen in it a minute after leaving, also where nobody could tell caches of it. */
  competition: { maxAge: 60, swr: 0 },
  /** Checked every few minutes; an old one would say that all is well. */
  status: { maxAge: 60, swr: 0 },
  /** Changes with a deployment alone, and that begins with an empty cache. */
  blog: { maxAge: 3600, swr: 86_400 },
  /** Sitemaps, feeds and what else programs read: they come by every few hours. */
  file: { maxAge: 3600, swr: 0 },
} as const;

/** Having shared caches forget pages. The platform bounds it: 5 calls a minute, of which 25 may be saved up. */
export const PAGE_PURGES = {
  tagsPerCall: 100,
  callEveryMs: 12_000,
  callsSaved: 25,
  /** Between one try and the next, doubled each time. */
  firstPauseMs: MINUTE_MS,
  maxPauseMs: 6 * HOUR_MS,
  /** Four hours after the first: by then every page of what was changed has grown too old by itself. */
  maxTries: 8,
  timeoutMs: 5000,
} as const;

/** What people talk with these days. */
export const TRENDING = {
  halfLifeDays: 2,
  /** After seven half-lives a conversation counts less than a hundredth. */
  days: 14,
  maxIds: 500,
  /** A little less than an hour: a run of housekeeping comes every quarter of one, a moment early or late. */
  everyMs: HOUR_MS - 5 * MINUTE_MS,
  /** A season of the competition and a month. */
  daysKept: 125,
} as const;

/** The creators' competition; how it counts is published (docs/competition.md), so what is changed here is changed there. */
export const COMPETITION = {
  /** Of a score; together they are 100. */
  popularityPercent: 80,
  creativityPercent: 20,
  /** What each doubling of people is worth, in points of popularity: the same for everybody, whatever others have, */
  pointsPerDoubling: 10,
  /** up to so many people: nobody has more than 100 points. */
  fullPeople: 1023,
  /** Messages of one person that were answered by a character, from which on they really conversed. */
  messagesToCount: 5,
  /** People of one network that are counted for one character: a household, and no farm. */
  peoplePerNetwork: 3,
  /**
   * And of one larger network, /48 of IPv6 or /24 of IPv4: whoever rents one has thousands of networks, while neighbours
   * and people on their phones share one too.
   */
  peoplePerWiderNetwork: 12,
  giftCardCents: 10_000,
  /** How many people win a month of the first plan. */
  monthPlaces: 5,
  /** Entries that are looked at in one statement when people are counted, */
  entriesAtOnce: 50,
  /** and, about, conversations, */
  conversationsAtOnce: 20_000,
  /** so often in a run: 16 calls with the rest of a season's. */
  roundsPerRun: 5,
  /** Characters whose texts are looked at for explicit words at once, and how often in a run. */
  looksAtOnce: 100,
  looksPerRun: 2,
  /** Words that are told to a character's maker. */
  explicitWordsTold: 5,
  /** Rows that are read or written in one statement when entries are ranked. */
  rowsAtOnce: 5000,
  /** Seasons that a run looks after; more than one is open while the last one is judged. */
  seasonsPerRun: 3,
  /** Conversations that a run looks at, for networks that nobody asks after any more. */
  networksPerRun: 5000,
  /** Past seasons that the page leads to. */
  seasonsShown: 12,
} as const;

/** The catalogue for robots. */
export const SITEMAP = {
  /**
   * Characters in one sitemap, in each language one of them: far below the 50,000 addresses that one may hold, so that
   * none takes long to write.
   */
  part: 10_000,
  /** A little less than a day: a part has room for what is made in one. */
  everyMs: DAY_MS - 5 * MINUTE_MS,
  /** Where the parts begin may be so old in the place where it is read. */
  kvCacheSeconds: 300,
} as const;

/** Characters of one creator that are counted, the newest; whoever has more is said to have more. */
export const CREATOR_COUNTED = 1000;

/** What requests that make a character are remembered by, so that a repeated one makes no second. */
export const CREATION = {
  /** Far above what one takes: one that made nothing by then gives its points back. */
  givesUpMs: 10 * MINUTE_MS,
  keptMs: 7 * DAY_MS,
  /** Of one person, neither made nor given up: more would keep those of others waiting for their points. */
  openAtOnce: 20,
  /** Given up in one run of housekeeping, each a call to a wallet. */
  perRun: 100,
} as const;

/** Every night each wallet's ledger is compared with its balance. */
export const LEDGER_CHECK = {
  /** In UTC. */
  beginsAtHour: 3,
  /** Wallets without an answer that are kept in mind for a second time: when there are more, it is no matter of single ones. */
  keptSilent: 2000,
  /** Wallets of one run of housekeeping, each of them a call to an object; all the runs of a day look at 38,400. */
  perRun: 400,
  atOnce: 20,
} as const;

/** What a character was before; the newest of them, and together no more than this, in UTF-16 units of JSON. */
export const CHARACTER_VERSIONS = { kept: 50, maxChars: 4 * 1024 * 1024 } as const;

/**
 * What one account may keep of each: far more than anybody comes back to, and few enough that all of them are read where
 * one has to know them all.
 */
export const CHOICES = { favourites: 2000, follows: 500, hidden: 200 } as const;

/** What one person may report: far more than anybody meets with. Of a message, as much as tells what it is about. */
export const REPORTS = {
  perHour: 20,
  excerptChars: 4000,
} as const;

/**
 * A suspension that held when its account was deleted is kept so long: who leaves for being suspended, and to come back as
 * somebody else, is held for a year, and nobody for ever.
 */
export const SUSPENSION_KEPT_DAYS = 365;
export const SUSPENSION_KEPT_MS = SUSPENSION_KEPT_DAYS * DAY_MS;

/** Appeals of one person: one at a time is answered, and none is to bury those of others. */
export const APPEALS = {
  perHour: 5,
  messageChars: 1000,
  /** More than a message or a field has: staff lets by only what it could read all of. */
  refusedChars: 20_000,
  /** Of what a text was refused beside, all together: staff reads it as well. */
  besideChars: 20_000,
  besidePassages: 50,
  /** What a refusal gives along, with all that it was refused beside in any script. */
  tokenChars: 200_000,
  /** So long after a text was refused one may still appeal against that. */
  tokenMs: 30 * DAY_MS,
} as const;

/** What staff writes: reasons and answers are read by people, notes by staff. `measuresShown`: with one case. */
export const STAFF = {
  reasonChars: 500,
  answerChars: 500,
  noteChars: 1000,
  measuresShown: 20,
  stepsShown: 50,
  /** Of a lorebook, in one page: so many texts, and so much of them in UTF-16 units. */
  loreTexts: 20,
  loreChars: 60_000,
} as const;

/** Messages that always stay in the prompt, a conversation. */
export const MAX_PINNED = 20;

/** The character tags of SPEC section 3. */
export const TAGS = ['male', 'female', 'anime', 'fantasy', 'rpg'] as const;
export type Tag = (typeof TAGS)[number];

// What the people of one day do and leave in D1, and the limits that are compared with it. docs/capacity.md explains them.
// Change a number here and run `npm run bench -- --only capacity`: every table of that page is computed from this file.

/** The sizes that the page compares, in people a day. */
export const PEOPLE_A_DAY = [10_000, 100_000, 1_000_000, 10_000_000];
/** The size that is measured, at this part of it: D1's rows and the requests of a minute. */
export const MEASURED_PEOPLE_A_DAY = 1_000_000;
export const SCALE = 1 / 100;
/** The busiest minute of a day, compared with the mean one. */
export const PEAK_FACTOR = 4;

/**
 * How often one person does something on a day, as requests that reach the Worker. Of ten page views eight come from the
 * shared cache, which runs no Worker.
 */
export const ACTIONS_A_DAY = {
  'send a message': 20,
  'return after an hour': 2,
  'read who is signed in': 10,
  'list one’s chats': 4,
  'open a chat': 3,
  'begin a chat': 0.3,
  'draw a public page': 2,
  'search characters': 1,
  'count a page view': 10,
  'become a guest': 0.1,
  'ask for a login code': 0.03,
  'sign in with a code': 0.03,
};

/**
 * The rows that one person's day adds, and for how many days they are kept. A year is the age of the compared database:
 * accounts, characters and conversations are kept until a user deletes them.
 */
const YEAR = 365;
export const ROWS = {
  accounts: { aDay: 0.015, keptDays: YEAR },
  /** Deleted after 30 days without a visit. */
  guests: { aDay: 0.1, keptDays: 32 },
  sessions: { aDay: 0.13, keptDays: 32 },
  characters: { aDay: 0.005, keptDays: YEAR },
  /** The first one and the edits of a character. */
  'character versions': { aDay: 0.02, keptDays: YEAR },
  lorebooks: { aDay: 0.001, keptDays: YEAR },
  favourites: { aDay: 0.05, keptDays: YEAR },
  follows: { aDay: 0.01, keptDays: YEAR },
  personas: { aDay: 0.005, keptDays: YEAR },
  pictures: { aDay: 0.005, keptDays: YEAR },
  payments: { aDay: 0.001, keptDays: YEAR },
  conversations: { aDay: 0.3, keptDays: YEAR },
  /** A character's conversations of a day; a tenth of all new conversations are the first of the day. */
  'daily counts': { aDay: 0.03, keptDays: 125 },
};

/** Rows for each person a day in a database of that age. */
export const countRows = (kind) => ROWS[kind].aDay * ROWS[kind].keptDays;

/** What else a person's day brings, for the jobs of the crons and the mail provider. */
export const WORK_A_DAY = {
  /** Of the characters created; an edit of one makes its own page outdated, a publication three tags. */
  publicShare: 0.3,
  editsOfCharacter: 3,
  deletedAccounts: 0.001,
  trashedCharacters: 0.0005,
  trashedConversations: 0.03,
  /** Conversations of a guest who stays away. */
  conversationsOfGuest: 2,
  /** Memberships in force for each person a day. */
  memberships: 0.03,
  eventsOfPayment: 2,
  queuedMails: 0.002,
  /** Of the accounts. */
  newsletterShare: 0.1,
  /** Tokens of the model for each message: its prompt and its reply. */
  tokensOfMessage: 2150,
  /** A season of the competition. */
  seasonDays: 90,
};

/** Days that one pass over a whole table may take before it is of no use any more. */
export const PASS_DAYS = { ledgers: 1, standings: 1, counts: 1, networks: 30 };

/** Cloudflare's limits. docs/capacity.md names the page of each one. */
export const PLATFORM = {
  d1Bytes: 10e9,
  /** D1 processes one query at a time: an indexed read takes «less than a millisecond», a write «several». */
  d1ReadMs: 1,
  d1WriteMs: 5,
  mailsIncludedAMonth: 3000,
  dollarsFor1000Mails: 0.35,
};

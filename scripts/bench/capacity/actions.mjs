// The requests of each action, for people who were filled in and for guests whose chats exist.
import { createHash, randomBytes } from 'node:crypto';
import { hashLoginCode } from '../../../src/features/account/login-code/login-code.ts';
import { generateCharacter } from '../../../tests/support/large-catalogue.ts';
import { createAddress } from '../users.mjs';
import { getAccount } from './fill.mjs';

const DAY_MS = 86_400_000;
const CODE = '123456';
const SEARCHES = ['the', 'dragon', 'night of', 'moon', 'harbour', 'лес', '灯台'];
const ROWS_PER_STATEMENT = 1000;

async function insertJson(db, statement, rows) {
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT)
    await db
      .prepare(statement)
      .bind(JSON.stringify(rows.slice(from, from + ROWS_PER_STATEMENT)))
      .run();
}

/**
 * Signs accounts in.
 * @param lastSeenAt of their sessions: the first request of an hour writes the time
 * @returns the tokens
 */
async function insertSessions(db, { from, count, lastSeenAt }) {
  const now = Date.now();
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('hex'));
  const rows = tokens.map((token, index) => ({
    id: createHash('sha256').update(token).digest('hex'),
    public: `t${String(from + index).padStart(25, '0')}`,
    user: getAccount(from + index).id,
    // Also extended, as by a person's first visit of a day.
    expires: Math.floor((now + (lastSeenAt === 0 ? 28 : 29.9) * DAY_MS) / 1000),
    seen: lastSeenAt,
  }));
  await insertJson(
    db,
    `insert into sessions (id, public_id, user_id, expires_at, created_at, last_seen_at, user_agent)
     select value ->> 'id', value ->> 'public', value ->> 'user', value ->> 'expires', ${now}, value ->> 'seen', 'bench'
     from json_each(?)`,
    rows,
  );
  return tokens;
}

/** Gives accounts a login code that is known. */
async function insertCodes(db, secret, { from, count }) {
  const now = Date.now();
  const rows = [];
  for (let index = from; index < from + count; index += 1) {
    const { email } = getAccount(index);
    rows.push({ email, hash: await hashLoginCode(email, CODE, secret) });
  }
  await insertJson(
    db,
    `insert into login_codes (email, code_hash, sent_at, expires_at)
     select value ->> 'email', value ->> 'hash', ${now}, ${now + DAY_MS} from json_each(?)`,
    rows,
  );
}

/** The name of the session's cookie; the other cookies of a guest are of no use to an account. */
const findSessionName = (cookie) => /(?:^|; )([^=]+)=[0-9a-f]{64}(?:;|$)/.exec(cookie)[1];

/**
 * Prepares accounts and returns, for each action but sending a message, how its n-th request is made.
 * @param {{ db: object, secret: string }} product
 * @param users guests with a chat each
 * @param {{ accounts: number, characters: number, once: number }} sizes `once`: how often an action that an account can do
 *   only once is done at most
 */
export async function createActions({ db, secret }, users, { accounts, characters, once }) {
  const people = Math.min(300, Math.floor(accounts / 4));
  const recent = await insertSessions(db, { from: 0, count: people, lastSeenAt: Date.now() });
  const back = await insertSessions(db, { from: people, count: once, lastSeenAt: 0 });
  await insertCodes(db, secret, { from: people + once, count: once });
  const name = findSessionName(users[0].cookie);
  const addresses = recent.map(() => createAddress());
  const signIn = (token, address = createAddress()) => ({
    cookie: `${name}=${token}`,
    'cf-connecting-ip': address,
  });
  const getPerson = (n) => signIn(recent[n % people], addresses[n % people]);
  const getCharacter = (n) => {
    for (let index = (n * 31) % characters; ; index = (index + 1) % characters) {
      const character = generateCharacter(index);
      if (character.nsfw === 0) return character.id;
    }
  };
  const newcomer = () => ({ 'cf-connecting-ip': createAddress() });
  const post = (path, headers, body) => ({
    ...{ method: 'POST', path, body: body && JSON.stringify(body) },
    headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
  });
  const get = (path, headers) => ({ method: 'GET', path, headers });
  const pages = [
    () => '/en',
    () => '/en/discover',
    () => '/en/tag/fantasy',
    (n) => `/en/character-info/${getCharacter(n)}`,
  ];
  return {
    'return after an hour': (n) => get('/api/auth/status', signIn(back[n])),
    'read who is signed in': (n) => get('/api/auth/status', getPerson(n)),
    'list one’s chats': (n) => get('/api/chats', getPerson(n)),
    'open a chat': (n) => {
      const { cookie, address, conversationId } = users[n % users.length];
      return get(`/api/conversations/${conversationId}`, { cookie, 'cf-connecting-ip': address });
    },
    'begin a chat': (n) => post('/api/conversations', getPerson(n), { character_id: getCharacter(n) }),
    'draw a public page': (n) => get(pages[n % pages.length](n), newcomer()),
    'search characters': (n) =>
      get(`/api/characters?${new URLSearchParams({ q: SEARCHES[n % SEARCHES.length] })}`, newcomer()),
    'count a page view': () => post('/api/page-views', newcomer(), { path: '/en', language: 'en' }),
    'become a guest': () => post('/api/auth/anonymous', newcomer()),
    'ask for a login code': (n) =>
      post('/api/auth/send-login-code', newcomer(), { email: `newcomer${n}@people.example.test` }),
    'sign in with a code': (n) =>
      post('/api/auth/login-with-code', newcomer(), {
        email: getAccount(people + once + n).email,
        code: CODE,
      }),
  };
}

// Fills D1 with the rows that the people of a day stand for after a year, and measures what each kind of row takes.
import { growCatalogue } from '../../../tests/support/large-catalogue.ts';
import { sum } from '../figures.mjs';
import { CHARACTERS } from '../servers.mjs';
import { countRows, ROWS, WORK_A_DAY } from './assumptions.mjs';

const DAY_MS = 86_400_000;
const ROWS_PER_STATEMENT = 50_000;
/** The creators of the catalogue. */
const CREATORS = 500;
const COUNTED_DAYS = ROWS['daily counts'].keptDays;

/** SQL of an id as long as the product's own. */
const formatId = (letter, number) => `printf('${letter}%025d', ${number})`;
/** SQL of a text of this many characters. */
const writeText = (chars) => `substr(hex(randomblob(${Math.ceil(chars / 2)})), 1, ${chars})`;

/** The id and the e-mail address of an account that was filled in. */
export const getAccount = (index) => ({
  id: `a${String(index).padStart(25, '0')}`,
  email: `person${index}@people.example.test`,
});

/**
 * The statements of each kind, as what follows a list of the numbers `n.i`. Kinds stand in the order in which they refer to
 * each other.
 */
function listStatements(counts, now) {
  const { accounts, guests, characters } = counts;
  /** SQL of a time in the last days; it differs from row to row, as times do. */
  const pickTime = (days) => `${now} - (i * 7919 % ${days * 86_400}) * 1000`;
  const account = formatId('a', `(i * 7919) % ${accounts}`);
  const guest = formatId('g', `(i * 7919) % ${guests}`);
  const anybody = `iif(i % 10 = 0, ${guest}, ${account})`;
  const year = pickTime(365);
  const withCharacter = (place) => `from n join places on places.place = ${place} % ${characters}`;
  return {
    accounts: `insert into users (id, username, email, nickname, is_anonymous, onboarding_completed, age_confirmed,
        marketing_emails, language, last_seen_at, registered_at, created_at, updated_at)
      select ${formatId('a', 'i')}, 'person' || i, 'person' || i || '@people.example.test', 'Person ' || i, 0, 1, 1,
        i % 10 = 0, 'en', ${now} - (i % 6) * (i % 60) * ${DAY_MS}, ${year}, ${year}, ${year} from n`,
    guests: `insert into users (id, username, is_anonymous, language, last_seen_at, created_at, updated_at)
      select ${formatId('g', 'i')}, 'guest' || i, 1, 'en', ${pickTime(32)}, ${pickTime(32)}, ${pickTime(32)} from n`,
    sessions: `insert into sessions (id, public_id, user_id, expires_at, created_at, last_seen_at, user_agent)
      select lower(hex(randomblob(32))), ${formatId('s', 'i')}, iif(i % 2 = 0, ${guest}, ${account}),
        ${now / 1000} + i % 2592000, ${pickTime(32)}, ${pickTime(32)}, ${writeText(110)} from n`,
    'character versions': `insert into character_versions (character_id, version, definition, created_at)
      select places.id, 1 + i / ${characters}, json_object('traits', ${writeText(700)}, 'first', ${writeText(400)}), ${year}
      ${withCharacter('i')}`,
    lorebooks: `insert into character_extras (character_id, alternate_greetings, lorebook)
      select places.id, '[]', json_object('entries', json_array(), 'name', ${writeText(3000)})
      ${withCharacter('i * 3')}`,
    favourites: `insert into favourites (user_id, character_id, created_at)
      select ${formatId('a', `i % ${accounts}`)}, places.id, ${year} ${withCharacter(`(i * 31 + i / ${accounts})`)}`,
    follows: `insert into follows (user_id, creator_id, created_at)
      select ${formatId('a', `i % ${accounts}`)}, 'maker' || ((i + i / ${accounts}) % ${CREATORS}), ${year} from n`,
    personas: `insert into personas (id, owner_id, name, description, created_at, updated_at)
      select ${formatId('p', 'i')}, ${account}, 'Persona ' || i, ${writeText(400)}, ${year}, ${year} from n`,
    pictures: `insert into pictures (key, owner_id, bytes, created_at)
      select lower(hex(randomblob(32))) || '.webp', ${account}, 200000, ${year} from n`,
    payments: `insert into payments (id, subscription_id, user_id, amount_cents, currency, status, paid_at, created_at)
      select ${formatId('y', 'i')}, 'I-' || (i % ${counts.memberships}), ${formatId('a', `i % ${counts.memberships}`)}, 699, 'USD',
        'completed', ${year}, ${year} from n`,
    conversations: `insert into conversations (id, owner_id, character_id, character_name, avatar_url, created_at,
        counted_at, turns, deleted_at)
      select ${formatId('c', 'i')}, ${anybody}, places.id, 'Captain of the harbour',
        printf('/media/%064d.webp', places.place), ${year}, ${year}, 5,
        iif(i % 120 = 0, ${pickTime(30)}, null) ${withCharacter('i * 31')}`,
    'daily counts': `insert into character_days (day, character_id, chats, is_pending)
      select ${Math.floor(now / DAY_MS)} - i % ${COUNTED_DAYS}, places.id, 1 + i % 5, 0
      ${withCharacter(`(i / ${COUNTED_DAYS} * 37 + i % ${COUNTED_DAYS} * 13)`)}`,
  };
}

async function insertRows(db, statement, count) {
  for (let from = 0; from < count; from += ROWS_PER_STATEMENT) {
    const to = Math.min(count, from + ROWS_PER_STATEMENT);
    await db
      .prepare(
        `with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to - 1}),
           places as materialized (select id, row_number() over (order by id) - 1 as place from characters)
         ${statement}`,
      )
      .run();
  }
}

async function fillCharacters(product, count) {
  await growCatalogue(product, CHARACTERS, count);
  // The catalogue's own are those of a fixed day.
  await product.db.prepare('delete from character_days').run();
  await product.db
    .prepare(`update characters set character_traits = ${writeText(700)}, first_message = ${writeText(400)}`)
    .run();
}

/** D1 wants the list of numbers in front of `insert`, and a membership for each payment. */
async function fillMemberships(db, count, now) {
  await db
    .prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1})
       insert into subscriptions (id, user_id, plan, status, period_end, reconciled_at, created_at, updated_at)
       select 'I-' || i, ${formatId('a', 'i')}, 'storyteller', 'active', ${now + 15 * DAY_MS}, ${now}, ${now}, ${now} from n`,
    )
    .run();
}

/**
 * Fills a database that has only its first catalogue.
 * @param people a day
 * @returns what each kind of row takes with its indexes, and all of it, in bytes
 */
export async function fillDatabase(product, people, say) {
  const now = Date.now();
  const { db } = product;
  const readBytes = async () => (await db.prepare('select 1').all()).meta.size_after;
  const counts = Object.fromEntries(
    Object.keys(ROWS).map((kind) => [kind, Math.round(countRows(kind) * people)]),
  );
  const statements = listStatements(
    { ...counts, memberships: Math.round(WORK_A_DAY.memberships * people) },
    now,
  );
  const kinds = [];
  for (const kind of Object.keys(ROWS)) {
    const before = await readBytes();
    say(`  ${counts[kind].toLocaleString('en')} ${kind} …`);
    if (kind === 'payments') await fillMemberships(db, Math.round(WORK_A_DAY.memberships * people), now);
    if (kind === 'characters') await fillCharacters(product, counts.characters);
    else await insertRows(db, statements[kind], counts[kind]);
    const added = counts[kind] - (kind === 'characters' ? CHARACTERS : 0);
    kinds.push({ kind, rows: counts[kind], bytesOfRow: ((await readBytes()) - before) / added });
  }
  const bytes = await readBytes();
  return {
    kinds,
    bytes,
    bytesOfPerson: sum(kinds.map((one) => one.bytesOfRow * countRows(one.kind))),
    counts,
  };
}

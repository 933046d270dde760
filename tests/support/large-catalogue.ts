import { TAGS } from '../../src/features/character/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import {
  toCharacterDay,
  updateTrending,
} from '../../src/features/character/discovery/discovery-refresh-store.ts';
import { buildIndexedWords, WORDS_VERSION } from '../../src/features/character/discovery/search.ts';

/** A large catalogue for benchmarks: always the same, in several languages, with a few very popular characters. */

const DAY_MS = 86_400_000;
/** The catalogue's newest time, so that the time of the run does not matter. */
export const CATALOGUE_NOW = Date.UTC(2026, 9, 1);
const DAYS = 400;
const BATCH_SIZE = 1000;

interface Vocabulary {
  names: readonly string[];
  nouns: readonly string[];
  /** Joins two parts as the language does. */
  say: (one: string, other: string) => string;
}

const splitWords = (text: string): string[] => text.split(' ');

const LANGUAGES: readonly Vocabulary[] = [
  {
    names: splitWords('Captain Lady Brother Sister Old Doctor The Young Princess Ghost'),
    nouns: splitWords(
      'lighthouse keeper dragon baker witch knight river garden clock storm raven thief moon harbour library sword forest tower fox winter',
    ),
    say: (one, other) => `The ${one} who knows the ${other} of the night`,
  },
  {
    names: splitWords('Kapitän Frau Bruder Meister Alte Doktor Junge Prinzessin'),
    nouns: splitWords(
      'Leuchtturm Drache Bäckerin Hexe Ritter Fluss Garten Uhr Sturm Rabe Dieb Mond Hafen Wald Turm Fuchs',
    ),
    say: (one, other) => `Ein ${one} und der ${other} in der Nacht`,
  },
  {
    names: splitWords('Capitán Doña Hermano Vieja Doctor Joven Princesa'),
    nouns: splitWords(
      'faro dragón panadera bruja caballero río jardín reloj tormenta cuervo ladrón luna puerto bosque torre zorro',
    ),
    say: (one, other) => `El ${one} que guarda la ${other} de la noche`,
  },
  {
    names: splitWords('Капитан Сестра Старый Доктор Княжна Мастер'),
    nouns: splitWords(
      'маяк дракон ведьма рыцарь река сад часы буря ворон вор луна гавань библиотека меч лес башня лиса зима',
    ),
    say: (one, other) => `Тот, кто знает ${one} и ${other} в ночи`,
  },
  {
    names: splitWords('船長 姫 老 若き 魔女 先生'),
    nouns: splitWords('灯台 竜 魔女 騎士 川 庭 時計 嵐 烏 泥棒 月 港 図書館 剣 森 塔 狐 冬'),
    say: (one, other) => `${one}と${other}を知っている夜の人`,
  },
  {
    names: splitWords('船长 公主 老 年轻的 女巫 医生'),
    nouns: splitWords(
      '灯塔 龙 女巫 骑士 河流 花园 时钟 风暴 乌鸦 小偷 月亮 港口 图书馆 剑 森林 塔 狐狸 冬天',
    ),
    say: (one, other) => `知道${one}和${other}的夜里的人`,
  },
  {
    names: splitWords('कप्तान राजकुमारी बूढ़ा डॉक्टर'),
    nouns: splitWords('दीपस्तंभ अजगर जादूगरनी योद्धा नदी बगीचा घड़ी तूफ़ान कौआ चोर चाँद बंदरगाह किताब तलवार जंगल'),
    say: (one, other) => `रात में ${one} और ${other} का रखवाला`,
  },
];

const SYLLABLES = splitWords(
  'ka mi ro ven tal or sha lin du mar eth yor bel zan qui fro nas teo vi lu gar hes pim ond',
);

/** A deterministic number between 0 and 1 for an index and a purpose. */
function hashToUnit(index: number, purpose: number): number {
  let state = (index * 2_654_435_761 + purpose * 40_503 + 1) >>> 0;
  for (const shift of [15, 13, 16]) {
    state ^= state >>> shift;
    state = Math.imul(state, 0x85_eb_ca_6b) >>> 0;
  }
  return state / 2 ** 32;
}

/** Picks a value; the first ones are far more frequent. */
function pickSkewed<Value>(values: readonly Value[], random: number): Value {
  return values[Math.floor(random ** 2 * values.length)] as Value;
}

function buildRareName(index: number): string {
  const name = [1, 2, 3].map(
    (part) => SYLLABLES[Math.floor(hashToUnit(index, 40 + part) * SYLLABLES.length)],
  );
  return (name.join('').slice(0, 1).toUpperCase() + name.join('').slice(1)) as string;
}

/** As long as the product's own ids, so that rows and indexes have their size. */
const getId = (index: number): string => `m${index.toString(36).padStart(25, '0')}`;

/** A power law: some have a million chats, most have a handful or none. */
const getChatCount = (index: number): number =>
  Math.floor(0.5 / Math.max(hashToUnit(index, 7), 5e-7) ** 1.05 - 0.5);

export interface GeneratedCharacter {
  id: string;
  creator: string;
  name: string;
  oneliner: string;
  summary: string | null;
  nsfw: number;
  chats: number;
  created: number;
  tags: string[];
  words: string;
}

/** The character at an index of the catalogue; popularity and age do not follow the index. */
export function generateCharacter(index: number): GeneratedCharacter {
  const vocabulary = pickSkewed(LANGUAGES, hashToUnit(index, 1));
  const { names, nouns, say } = vocabulary;
  const [one, other] = [pickSkewed(nouns, hashToUnit(index, 2)), pickSkewed(nouns, hashToUnit(index, 3))];
  const name = `${pickSkewed(names, hashToUnit(index, 4))} ${buildRareName(index)}`;
  const oneliner = say(one, other).slice(0, 50);
  const summary =
    hashToUnit(index, 5) < 0.5
      ? Array.from({ length: 4 }, (_, part) =>
          say(
            pickSkewed(nouns, hashToUnit(index, 10 + part)),
            pickSkewed(nouns, hashToUnit(index, 20 + part)),
          ),
        ).join('. ')
      : null;
  return {
    id: getId(index),
    creator: `maker${index % 500}`,
    name,
    oneliner,
    summary,
    nsfw: Number(hashToUnit(index, 6) < 0.15),
    chats: getChatCount(index),
    created: CATALOGUE_NOW - Math.floor(hashToUnit(index, 8) * DAYS * DAY_MS),
    tags: TAGS.filter((_, tag) => hashToUnit(index, 30 + tag) < ([0.4, 0.5, 0.3, 0.35, 0.1][tag] ?? 0)),
    words: buildIndexedWords({ name, oneliner, summary, freeTags: [] }),
  };
}

/** Inserts characters into a database without them. @param to the index after the last */
export async function fillCatalogue(db: D1Database, from: number, to: number): Promise<void> {
  await db
    .prepare(
      `insert into users (id, username, is_anonymous, created_at, updated_at)
       select 'maker' || value, 'maker' || value, 0, ?1, ?1 from json_each(?2) where true on conflict do nothing`,
    )
    .bind(CATALOGUE_NOW, JSON.stringify(Array.from({ length: 500 }, (_, index) => index)))
    .run();
  for (let start = from; start < to; start += BATCH_SIZE) {
    const made = Array.from({ length: Math.min(BATCH_SIZE, to - start) }, (_, index) =>
      generateCharacter(start + index),
    );
    const json = JSON.stringify(made);
    await db.batch([
      db
        .prepare(
          `insert into characters (id, creator_id, name, oneliner, character_traits, model_type, visibility,
             point_of_view, nsfw_allowed, suggested_replies, summary, avatar_key, chat_count, created_at, updated_at)
           select value ->> 'id', value ->> 'creator', value ->> 'name', value ->> 'oneliner', 'Patient.', 'roleplay',
             'public', 'normal', value ->> 'nsfw', '[]', value ->> 'summary', 'none.webp', value ->> 'chats',
             value ->> 'created', value ->> 'created' from json_each(?)`,
        )
        .bind(json),
      db
        .prepare(
          `insert into character_tags (tag, character_id)
           select tag.value, made.value ->> 'id' from json_each(?) as made, json_each(made.value, '$.tags') as tag`,
        )
        .bind(json),
      db
        .prepare(
          `update character_words set words = made.value ->> 'words', version = ?2
           from json_each(?1) as made where character_id = made.value ->> 'id'`,
        )
        .bind(json, WORDS_VERSION),
    ]);
  }
}

/** Deletes the catalogue and everything that refers to it. */
export async function clearCatalogue(db: D1Database): Promise<void> {
  await db.batch([
    db.prepare(
      `delete from character_days where character_id in (select id from characters where creator_id glob 'maker*')`,
    ),
    db.prepare(`delete from characters where creator_id glob 'maker*'`),
    db.prepare(`delete from users where id glob 'maker*'`),
  ]);
}

/** Inserts recent chats with the more popular of the first characters, as trending counts them. */
export async function insertRecentChats(db: D1Database, count: number, today: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => index)
    .filter((index) => getChatCount(index) > 20)
    .flatMap((index) =>
      Array.from({ length: 14 }, (_, age) => ({
        day: today - age,
        id: getId(index),
        chats: Math.ceil(hashToUnit(index, 60 + age) ** 3 * 40),
      })),
    );
  for (let start = 0; start < rows.length; start += BATCH_SIZE * 5) {
    await db
      .prepare(
        `insert into character_days (day, character_id, chats, is_pending)
         select value ->> 'day', value ->> 'id', value ->> 'chats', 0 from json_each(?)`,
      )
      .bind(JSON.stringify(rows.slice(start, start + BATCH_SIZE * 5)))
      .run();
  }
}

/** Adds characters until there are `count`, and computes the trending lists. @returns the ms that the lists take */
export async function growCatalogue(
  { db, kv }: { db: D1Database; kv: KVNamespace },
  from: number,
  count: number,
): Promise<number> {
  await fillCatalogue(db, from, count);
  await db.prepare('delete from character_days').run();
  await insertRecentChats(db, count, toCharacterDay(CATALOGUE_NOW));
  // Existing lists are not due for an hour.
  for (const { name } of (await kv.list({ prefix: 'trending' })).keys) await kv.delete(name);
  const begun = performance.now();
  await updateTrending(openDatabase(db), kv, CATALOGUE_NOW);
  return performance.now() - begun;
}

const CONVERSATIONS_PER_USER = 20;
const CONVERSATIONS_PER_STATEMENT = 50_000;

/**
 * Adds conversations of users who have twenty each.
 * @param characters how many characters the catalogue has
 * @param ownId a conversation whose owner gets those of twenty users
 */
export async function fillConversations(
  db: D1Database,
  { count, characters, ownId }: { count: number; characters: number; ownId: string },
): Promise<void> {
  const users = Math.ceil(count / CONVERSATIONS_PER_USER);
  await db
    .prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < ?1 - 1)
       insert into users (id, username, is_anonymous, last_seen_at, created_at, updated_at)
       select 'p' || i, 'person' || i, 0, ?2, ?2, ?2 from n`,
    )
    .bind(users, CATALOGUE_NOW)
    .run();
  // D1 binds numbers as floating-point ones, whose text would be `1.0`.
  const insert = db.prepare(
    `with recursive n(i) as (select cast(?1 as integer) union all select i + 1 from n where i < ?2 - 1),
       places as materialized (select id, row_number() over (order by id) - 1 as place from characters),
       numbered as (select i, i % cast(?3 as integer) as owner from n)
     insert into conversations (id, owner_id, character_id, character_name, avatar_url, created_at, counted_at, turns)
     select 'c' || i,
       iif(owner between 1 and 20, (select owner_id from conversations where id = ?6), 'p' || owner), places.id,
       'Somebody', '/media/none.webp', ?4 - i * 1000, ?4 - i * 1000, 5
     from numbered join places on place = (i * 31) % ?5`,
  );
  for (let from = 0; from < count; from += CONVERSATIONS_PER_STATEMENT) {
    const to = Math.min(count, from + CONVERSATIONS_PER_STATEMENT);
    await insert.bind(from, to, users, CATALOGUE_NOW, characters, ownId).run();
  }
}

// Fills a local database and its picture store with the catalogue: `seed.mjs <wrangler.json> <state folder>`.
// Repeatable: it writes the same rows with the same ids each time, and nothing once an account exists.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getPlatformProxy } from 'wrangler';
import { BRAND } from '../src/config/brand.ts';
import { DEFAULT_LANGUAGE, LANGUAGES } from '../src/config/languages.ts';
import { RUNTIME_CONFIG_DEFAULTS } from '../src/features/runtime-config/defaults.ts';
import { PURGED_CONFIG_KEY } from '../src/services/purge-on-config-change.ts';
import { parseRuntimeConfig, parseRuntimeConfigText } from '../src/features/runtime-config/runtime-config.ts';
import { RUNTIME_CONFIG_KV_KEY } from '../src/features/runtime-config/runtime-config-gateway.ts';
import { HOME_SELECTION_KEY, MOODS } from '../src/features/home/home-selection.ts';
import { openDatabase } from '../src/db/open.ts';
import { buildPendingSearchWords } from '../src/features/character/discovery/search-words-store.ts';
import { isFreeTag, listDistinctFreeTags, normalizeFreeTag } from '../src/features/character/free-tags.ts';
import { updateFreeTagCounts } from '../src/features/character/free-tag-store.ts';
import { createId } from '../src/lib/ids.ts';
import { readSeeds } from './seed/read-seeds.mjs';

const [configPath, stateDir] = process.argv.slice(2);
if (configPath === undefined || stateDir === undefined) {
  console.error('usage: seed.mjs <wrangler.json> <state folder>');
  process.exit(2);
}

const folder = new URL('./seed/', import.meta.url);

/** The catalogue's times and ids are fixed, so that links to it are the same in every checkout. */
const SEED_TIME = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const fixedId = (name, time) =>
  createId(time, new Uint8Array(createHash('sha256').update(`seed:${name}`).digest().subarray(0, 10)));
const HOUSE_ID = fixedId('house', SEED_TIME);

/** Runs of the cron after which all tags of the catalogue are counted. */
const MAX_COUNT_RUNS = 10;
const listSeedTags = ({ free_tags: tags = [] }) =>
  listDistinctFreeTags(tags.map(normalizeFreeTag).filter(isFreeTag));
/** Each language has a day of its own, so that adding a character changes no id in another language. */
const catalogue = readSeeds().map((character) => {
  const time = SEED_TIME - LANGUAGES.indexOf(character.language) * DAY_MS + character.index * MINUTE_MS;
  return { ...character, time, id: fixedId(character.slug, time) };
});

/** Reads a portrait of the catalogue. @returns it with its storage key */
function pictureOf({ slug }) {
  const content = readFileSync(new URL(`portraits/${slug}.webp`, folder));
  const key = `${createHash('sha256').update(content).digest('hex').slice(0, 32)}.webp`;
  return { key, content };
}
const pictures = catalogue.map((character) => {
  const { key, content } = pictureOf(character);
  return { key, bytes: content.length };
});

/** The quarter of the second season; each later quarter is another season. */
const SECOND_SEASON = { year: 2025, quarter: 2, number: 2 };

/** Returns the business constants for the competition season of the current quarter. */
function seasonAt(now) {
  const year = new Date(now).getUTCFullYear();
  const quarter = Math.floor(new Date(now).getUTCMonth() / 3);
  const day = (at) => new Date(at).toISOString().slice(0, 10);
  const end = Date.UTC(year, 3 * (quarter + 1), 1);
  return {
    competition_season:
      SECOND_SEASON.number + 4 * (year - SECOND_SEASON.year) + quarter - SECOND_SEASON.quarter,
    competition_begins_on: day(Date.UTC(year, 3 * quarter, 1)),
    competition_ends_on: day(end - DAY_MS),
    competition_winners_on: day(end + 4 * DAY_MS),
  };
}

/**
 * Starts a competition season for the current quarter, so that a local site always has a running one, unless the business
 * constants were changed by hand. The second season remains as an example of an ended one.
 */
async function seedSeason() {
  const kept = parseRuntimeConfigText(await env.KV.get(RUNTIME_CONFIG_KV_KEY));
  const isOwn = Object.keys(kept.change).some((name) => !name.startsWith('competition_'));
  const { competition_winners_on: winnersOn } = kept.business;
  if (isOwn || kept.wrong.length > 0 || Date.parse(winnersOn) + DAY_MS > Date.now()) return;
  const season = seasonAt(Date.now());
  await env.KV.put(RUNTIME_CONFIG_KV_KEY, JSON.stringify(season));
  // No page has been rendered with other constants yet, so no cache needs a purge.
  if ((await env.KV.get(PURGED_CONFIG_KEY)) === null) {
    const told = {
      business: JSON.stringify(parseRuntimeConfig(season).business),
      at: Date.now(),
      settled: true,
    };
    await env.KV.put(PURGED_CONFIG_KEY, JSON.stringify(told));
  }
  const begins = Date.parse(RUNTIME_CONFIG_DEFAULTS.competition_begins_on);
  await env.DB.prepare(
    `insert into seasons (id, number, begins_at, ends_at, winners_at, status) values (?, ?, ?, ?, ?, 'decided')
     on conflict do nothing`,
  )
    .bind(
      fixedId('season', begins),
      RUNTIME_CONFIG_DEFAULTS.competition_season,
      begins,
      Date.parse(RUNTIME_CONFIG_DEFAULTS.competition_ends_on) + DAY_MS,
      Date.parse(RUNTIME_CONFIG_DEFAULTS.competition_winners_on),
    )
    .run();
}

const { env, dispose } = await getPlatformProxy({
  configPath,
  persist: { path: join(stateDir, 'v3') },
  envFiles: [],
});
try {
  const people = await env.DB.prepare('select count(*) as count from users where is_system = 0').first(
    'count',
  );
  if (people > 0) {
    console.log('This database holds accounts: the catalogue is left as it is.');
  } else {
    const statements = [
      env.DB.prepare(
        `insert into users (id, username, is_anonymous, is_system, onboarding_completed, created_at, updated_at)
         values (?1, ?3, 0, 1, 1, ?2, ?2) on conflict (id) do nothing`,
      ).bind(HOUSE_ID, SEED_TIME, BRAND.name),
    ];
    for (const character of catalogue) {
      const { id, time } = character;
      const { key, content } = pictureOf(character);
      await env.MEDIA.put(key, content, { httpMetadata: { contentType: 'image/webp' } });
      statements.push(
        env.DB.prepare(
          `insert into characters (id, creator_id, name, oneliner, character_traits, first_message, model_type,
             visibility, point_of_view, nsfw_allowed, suggested_replies, summary, avatar_key, featured, language,
             created_at, updated_at, about)
           values (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'public', ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?15, ?16)
           on conflict (id) do update set name = ?3, oneliner = ?4, character_traits = ?5, first_message = ?6,
             model_type = ?7, point_of_view = ?8, nsfw_allowed = ?9, suggested_replies = ?10, summary = ?11,
             avatar_key = ?12, featured = ?13, language = ?14, about = ?16`,
        ).bind(
          ...[
            id,
            HOUSE_ID,
            character.name,
            character.oneliner,
            character.character_traits,
            character.first_message,
          ],
          ...[character.model_type, character.point_of_view, Number(character.nsfw_allowed)],
          ...[
            JSON.stringify(character.suggested_replies),
            character.summary,
            key,
            Number(character.featured),
            character.language,
            time,
            character.about ?? '',
          ],
        ),
        env.DB.prepare('delete from character_tags where character_id = ?').bind(id),
        ...character.tags.map((tag) =>
          env.DB.prepare('insert into character_tags (tag, character_id) values (?, ?)').bind(tag, id),
        ),
        // Only what changed: each change of a free tag has the character's search words built again.
        env.DB.prepare(
          'delete from character_free_tags where character_id = ?1 and tag not in (select value from json_each(?2))',
        ).bind(id, JSON.stringify(listSeedTags(character))),
        ...listSeedTags(character).map((tag) =>
          env.DB.prepare(
            'insert into character_free_tags (tag, character_id) values (?, ?) on conflict do nothing',
          ).bind(tag, id),
        ),
      );
    }
    await env.DB.batch(statements);
    console.log(`${catalogue.length} characters are in the catalogue.`);
  }
  // The house account owns the catalogue's pictures, so that they are public together with their characters.
  await env.DB.prepare(
    `insert into pictures (key, owner_id, bytes, created_at)
     select key, ?1, bytes, ?2 from (select value ->> 'key' as key, value ->> 'bytes' as bytes from json_each(?3))
     where exists (select 1 from characters where creator_id = ?1 and avatar_key = key)
     on conflict (key) do nothing`,
  )
    .bind(HOUSE_ID, SEED_TIME, JSON.stringify(pictures))
    .run();
  // This includes characters that users created before the search index existed.
  await buildPendingSearchWords(openDatabase(env.DB), Number.MAX_SAFE_INTEGER);
  for (let run = 0; run < MAX_COUNT_RUNS; run += 1) await updateFreeTagCounts(openDatabase(env.DB));
  await seedSeason();
  // The home page's conversation and moods, unless an operator has already chosen them.
  if ((await env.KV.get(HOME_SELECTION_KEY)) === null) {
    await env.KV.put(
      HOME_SELECTION_KEY,
      JSON.stringify({
        scene: catalogue.find(({ slug }) => slug === 'ebbe-thorsager').id,
        moods: LANGUAGES.flatMap((language) =>
          MOODS.map((mood) => ({
            mood,
            ...(language === DEFAULT_LANGUAGE ? {} : { language }),
            characters: catalogue
              .filter((character) => character.language === language && character.mood === mood)
              .toSorted((one, other) => Number(other.featured) - Number(one.featured))
              .map(({ id }) => id),
          })),
        ),
      }),
    );
  }
} finally {
  await dispose();
}

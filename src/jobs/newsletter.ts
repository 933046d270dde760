import { MAIL } from '../features/mail/limits.ts';
import type { Database } from '../db/open.ts';
import { readEnvironment } from '../env/read-environment.ts';
import { PUBLIC_VIEWER } from '../features/character/character-store.ts';
import { listCharacters } from '../features/character/discovery/listing-store.ts';
import { insertNewsletterMails } from '../features/mail/mail-store.ts';
import { getMinIdAt } from '../lib/ids.ts';

/** As many names as fit into a sentence. */
const MAX_NAMED_CHARACTERS = 3;
/** Time between two runs of the cron (wrangler.toml). */
const CRON_MINUTES = 15;

/**
 * Enqueues mails about new characters for users who subscribed and received none for two months. Does nothing when there
 * is no new character, when SITE_URL is missing, or outside the one quarter of an hour of the day set in `MAIL`.
 */
export async function enqueueNewsletter(env: Env, db: Database, now: number): Promise<void> {
  const site = readEnvironment(env).siteUrl;
  const time = new Date(now);
  const isTime = time.getUTCHours() === MAIL.newsHourUtc && time.getUTCMinutes() < CRON_MINUTES;
  if (site === undefined || !isTime) return;
  const { items } = await listCharacters(db, { sort: 'new', limit: MAX_NAMED_CHARACTERS }, PUBLIC_VIEWER);
  const since = getMinIdAt(now - MAIL.marketingIntervalMs);
  const newCharacters = items.filter(({ id }) => id > since);
  if (newCharacters.length === 0) return;
  const [ids, names] = [newCharacters.map(({ id }) => id), newCharacters.map(({ name }) => name)];
  const variables = { site, ids: ids.join('\n'), names: names.join('\n') };
  await insertNewsletterMails(db, { variables, limit: MAIL.maxNewsPerRun, now });
}

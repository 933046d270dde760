import { MAIL } from '../features/mail/limits.ts';
import type { Database } from '../db/open.ts';
import { readEnvironment } from '../env/read-environment.ts';
import { PUBLIC_VIEWER } from '../features/character/character-store.ts';
import { listCharacters } from '../features/character/discovery/listing-store.ts';
import { insertNewsletterMails } from '../features/mail/mail-store.ts';
import { getMinIdAt } from '../lib/ids.ts';

/** As many as one reads in a sentence. */
const MAX_NAMED_CHARACTERS = 3;
/** Between two runs of cron (wrangler.toml). */
const CRON_MINUTES = 15;

/**
 * Puts mails about new characters into the outbox, for people who said yes to them and have had none for two months.
 * Without anything new there is nothing to tell, and nobody is written to; nor is anybody where the operator did not say
 * where the site is, or outside the one quarter of an hour of the day.
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
  const details = { site, ids: ids.join('\n'), names: names.join('\n') };
  await insertNewsletterMails(db, { details, limit: MAIL.maxNewsPerRun, now });
}

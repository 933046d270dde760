import { getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, test } from 'vitest';
import * as billingSchema from '../../../../src/db/schema/billing.ts';
import * as characterSchema from '../../../../src/db/schema/character.ts';
import * as competitionSchema from '../../../../src/db/schema/competition.ts';
import * as safetySchema from '../../../../src/db/schema/safety.ts';
import * as schema from '../../../../src/db/schema/core.ts';
import * as statsSchema from '../../../../src/db/schema/stats.ts';
import * as statusSchema from '../../../../src/db/schema/status.ts';
import * as storageSchema from '../../../../src/db/schema/storage.ts';
import { downloadArchive, downloadDocument } from '../../../support/data-export.ts';
import { createUserInAllStores } from '../../../support/all-stores.ts';
import { createAccount } from '../../../support/factories.ts';
import { createActiveSubscription } from '../../../support/paypal.ts';

/** The part of `account.json`, or the file, that contains each table's data about a user. */
const EXPORTED_IN: Record<string, string> = {
  users: 'profile',
  sessions: 'sessions',
  passkeys: 'passkeys',
  login_codes: 'login_code',
  google_accounts: 'google',
  deletion_requests: 'deletion_request',
  mails: 'mails_waiting',
  feedback: 'feedback',
  commissions: 'invites',
  subscriptions: 'subscriptions',
  payments: 'payments',
  refunds: 'refunds',
  payouts: 'payouts',
  pictures: 'pictures',
  cards: 'cards',
  reports: 'reports',
  moderation_actions: 'measures',
  appeals: 'appeals',
  staff_access_log: 'staff_views',
  competition_standings: 'competition',
  competition_withdrawals: 'competition',
  competition_prizes: 'competition',
  favourites: 'favourites',
  likes: 'likes',
  follows: 'follows',
  hidden_items: 'hidden',
  reply_styles: 'reply_styles',
  personas: 'personas.json',
  characters: 'characters.json',
  character_tags: 'characters.json',
  character_free_tags: 'characters.json',
  character_versions: 'characters.json',
  character_extras: 'characters.json',
  conversations: 'index.html',
};

/** Tables without own data about a user, each with the reason. */
const NOT_EXPORTED: Record<string, string> = {
  used_tokens: 'hashes, of nobody',
  erasures: 'of people who are gone',
  character_copies: 'made from characters',
  storage_totals: 'sums of what is exported',
  storage_reservations: 'room for work under way, for minutes',
  character_creations: 'requests of the form, of which the character is told',
  character_days: 'counts, of nobody',
  character_listings: 'made from characters',
  character_words: 'made from characters',
  free_tag_counts: 'made from characters',
  search_spellings: 'single words of public characters',
  spelled_words: 'made from characters',
  payment_events: 'of payments, which are told, until they are handled',
  daily_counts: 'what keyed networks did in a day, of nobody',
  import_counts: 'the number of files imported on one day; what was imported is exported',
  cache_purge_queue: 'tags of public pages, for a minute',
  seasons: 'days of the competition, of nobody',
  competition_entries: 'made from characters',
  judge_scores: 'what judges gave, of which the mean is told',
  case_steps: 'steps of staff with reports and appeals, of which what came is told',
  anonymized_payments: 'sums, of people who are gone',
  retained_suspensions: 'of people who are gone; what goes on with an account is told with its measures',
  crisis_days: 'counts, of nobody',
  hourly_model_usage: 'counts, of nobody',
  stat_days: 'counts, of nobody',
  checks: 'what the site found of itself, of nobody',
  check_days: 'the same, as counts',
};

const TABLES = Object.values<unknown>({
  ...schema,
  ...characterSchema,
  ...billingSchema,
  ...safetySchema,
  ...competitionSchema,
  ...statsSchema,
  ...statusSchema,
  ...storageSchema,
})
  .filter((one) => is(one, SQLiteTable))
  .map(getTableName);

describe('Account export', () => {
  test('the account export accounts for every table of the database', async () => {
    expect(TABLES.toSorted()).toEqual([...Object.keys(EXPORTED_IN), ...Object.keys(NOT_EXPORTED)].toSorted());
  });

  test('the account export contains every text of the user and every part of the tables', async () => {
    const { me, said: texts } = await createUserInAllStores();
    const archive = await downloadArchive(me);
    const all = archive.readAllText();
    // Excluded: reports by other users, staff notes, and earlier versions, which exist only for changed
    // characters.
    const missing = Object.entries({ ...texts, reported: '', staffNote: '', earlier: '' }).filter(
      ([, text]) => !all.includes(text.slice(0, 20)),
    );
    expect(missing).toEqual([]);
    expect(all).not.toContain(texts.reported);
    expect(all).not.toContain(texts.staffNote);
    const parts = [...Object.keys(archive.json('account.json')), ...archive.paths];
    for (const part of Object.values(EXPORTED_IN)) expect(parts).toContain(part);
  });

  test('the account export contains the subscription and its period in both formats', async () => {
    const me = await createAccount();
    const id = await createActiveSubscription(me, {}, { periodEnd: Date.UTC(2027, 0, 15, 10) });
    const subscriptions = [
      {
        id,
        plan: 'storyteller',
        status: 'active',
        current_period_end: '2027-01-15T10:00:00.000Z',
        is_failing: false,
        checked_at: expect.stringMatching(/Z$/),
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      },
    ];
    const archive = await downloadArchive(me);
    expect(archive.json('account.json')).toMatchObject({ subscriptions });
    expect(await downloadDocument(me)).toMatchObject({ account: { subscriptions } });
  });
});

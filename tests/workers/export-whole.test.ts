import { getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, test } from 'vitest';
import * as billingSchema from '../../src/db/schema/billing.ts';
import * as characterSchema from '../../src/db/schema/character.ts';
import * as competitionSchema from '../../src/db/schema/competition.ts';
import * as safetySchema from '../../src/db/schema/safety.ts';
import * as schema from '../../src/db/schema/core.ts';
import * as statsSchema from '../../src/db/schema/stats.ts';
import * as statusSchema from '../../src/db/schema/status.ts';
import { downloadArchive, downloadDocument } from '../support/data-export.ts';
import { createUserInAllStores } from '../support/all-stores.ts';
import { createAccount } from '../support/factories.ts';
import { createActiveSubscription } from '../support/paypal.ts';

/** Where the archive has what each table holds of a person: a part of `account.json`, or a file. */
const TOLD_IN: Record<string, string> = {
  users: 'profile',
  sessions: 'sessions',
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
  measures: 'measures',
  appeals: 'appeals',
  staff_views: 'staff_views',
  competition_standings: 'competition',
  competition_withdrawals: 'competition',
  competition_prizes: 'competition',
  favourites: 'favourites',
  follows: 'follows',
  hidden_things: 'hidden',
  personas: 'personas.json',
  characters: 'characters.json',
  character_tags: 'characters.json',
  character_versions: 'characters.json',
  character_extras: 'characters.json',
  conversations: 'index.html',
};

/** Tables that hold nothing of a person which is not told by another, and why. */
const NOT_TOLD: Record<string, string> = {
  used_tokens: 'hashes, of nobody',
  erasures: 'of people who are gone',
  character_creations: 'requests of the form, of which the character is told',
  character_days: 'counts, of nobody',
  character_listings: 'made from characters',
  character_words: 'made from characters',
  payment_events: 'of payments, which are told, until they are handled',
  stale_pages: 'tags of public pages, for a minute',
  seasons: 'days of the competition, of nobody',
  competition_entries: 'made from characters',
  competition_marks: 'what judges gave, of which the mean is told',
  case_steps: 'steps of staff with reports and appeals, of which what came is told',
  gone_payments: 'sums, of people who are gone',
  kept_suspensions: 'of people who are gone; what goes on with an account is told with its measures',
  crisis_days: 'counts, of nobody',
  turn_hours: 'counts, of nobody',
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
})
  .filter((one) => is(one, SQLiteTable))
  .map(getTableName);

describe('My download of everything', () => {
  test('knows every table that there is', async () => {
    expect(TABLES.toSorted()).toEqual([...Object.keys(TOLD_IN), ...Object.keys(NOT_TOLD)].toSorted());
  });

  test('holds every word that is mine, and each part of what the tables hold', async () => {
    const { me, said } = await createUserInAllStores();
    const archive = await downloadArchive(me);
    const all = archive.readAllText();
    // What somebody else told of me is theirs, staff's notes are staff's; and what a character was before is told of one
    // that was changed.
    const missing = Object.entries({ ...said, reported: '', staffNote: '', earlier: '' }).filter(
      ([, text]) => !all.includes(text.slice(0, 20)),
    );
    expect(missing).toEqual([]);
    expect(all).not.toContain(said.reported);
    expect(all).not.toContain(said.staffNote);
    const parts = [...Object.keys(archive.json('account.json')), ...archive.paths];
    for (const part of Object.values(TOLD_IN)) expect(parts).toContain(part);
  });

  test('tells what I pay for and until when, in both of its forms', async () => {
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

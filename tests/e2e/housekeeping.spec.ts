import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CRONS } from '../../src/jobs/schedule.ts';
import { findLeaks, readStoredTexts } from '../support/log-leak-check.ts';
import { expect, test } from './journey.ts';
import { modelUrl, ownSite } from './own-site.ts';

/** A separate site: writing to its database from outside makes other writes fail. */
const site = ownSite(() => ({ MODEL_ROLEPLAY_BASE_URL: modelUrl() }));

test('the cron jobs of the built Worker clear and rebuild all due data', async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: site.url });
  const guest = await (await request.post('/api/auth/anonymous')).json();
  await request.post('/api/logout');
  const user = await (await request.post('/api/auth/test-login', { data: { person: 'newcomer' } })).json();
  const id = randomUUID();
  const db = site.database('d1');
  const now = Date.now();
  const old = now - 400 * 86_400_000;
  const today = Math.floor(now / 86_400_000);
  const insert = (table: string, row: Record<string, string | number>) =>
    db
      .prepare(
        `insert into ${table} (${Object.keys(row).join()}) values (${Object.keys(row)
          .map(() => '?')
          .join()})`,
      )
      .run(...Object.values(row));
  db.exec('begin immediate');
  const [user_id, owner_id] = [user.user_id, user.user_id];
  insert('characters', {
    ...{
      id,
      creator_id: user.user_id,
      name: 'Old',
      oneliner: 'Old',
      character_traits: 'Old',
      avatar_key: 'x',
    },
    ...{ model_type: 'roleplay', visibility: 'private', point_of_view: 'normal', suggested_replies: '[]' },
    ...{ created_at: old, updated_at: old, summary_retry_at: 1 },
  });
  db.prepare('update users set last_seen_at = 1 where id = ?').run(guest.user_id);
  insert('sessions', { id, public_id: id, user_id, expires_at: 1, created_at: 1, user_agent: '' });
  insert('login_codes', { email: id, code_hash: id, sent_at: 1, expires_at: 1 });
  insert('used_tokens', { hash: id, expires_at: 1 });
  insert('daily_counts', { day: 1, counter: id, count: 1 });
  insert('deletion_requests', { user_id, token_hash: id, requested_at: 1, expires_at: 1 });
  // Each hourly run handles one range of keys, so insert one picture per hour.
  for (let hour = 0; hour < 24; hour += 1) {
    const share = Math.floor((hour * 256) / 24).toString(16);
    insert('pictures', { key: share.padStart(2, '0') + id, owner_id, bytes: 1, created_at: old });
  }
  insert('cards', { id, owner_id, object_key: id, bytes: 1, draft: '{}', created_at: old });
  insert('character_creations', {
    owner_id,
    key: id,
    character_id: id,
    body_hash: id,
    done: 1,
    created_at: old,
  });
  insert('character_days', { day: 1, character_id: id, chats: 1 });
  insert('character_days', { day: today, character_id: id, chats: 1 });
  const times = { created_at: old, deleted_at: 1 };
  insert('conversations', { id, owner_id, character_id: id, ...times });
  const deletedUser = {
    user_id: id,
    address: 'nobody@example.test',
    language: 'en',
    variables: '{}',
    dedupe_key: '',
  };
  insert('mails', { id, ...deletedUser, kind: 'account_of_before', created_at: old, retry_at: 1 });
  db.exec('commit');

  for (const cron of Object.values(CRONS)) {
    const answer = await request.get('/cdn-cgi/local/scheduled', { params: { cron } });
    expect(answer.status()).toBe(200);
    expect(await answer.text()).toBe('ok');
  }
  const kv = site.database('kv');
  const listLeftovers = () => {
    const count = (sql: string, value: string = id) => db.prepare(sql).all(value).length;
    const isMissing = (key: string) =>
      kv.prepare('select 1 from _mf_entries where key = ?').all(key).length === 0;
    return Object.entries({
      guest: count('select 1 from users where id = ?', guest.user_id),
      session: count('select 1 from sessions where id = ?'),
      code: count('select 1 from login_codes where email = ?'),
      token: count('select 1 from used_tokens where hash = ?'),
      daily_count: count('select 1 from daily_counts where counter = ?'),
      deletion: count('select 1 from deletion_requests where token_hash = ?'),
      pictures: Number(count("select 1 from pictures where key like '%' || ?") === 24),
      card: count('select 1 from cards where id = ?'),
      creation: count('select 1 from character_creations where key = ?'),
      day: count('select 1 from character_days where day = 1 and character_id = ?'),
      listing: count('select 1 from character_days where is_pending = 1 and character_id = ?'),
      words: count('select 1 from character_words where version = 0 and character_id = ?'),
      summary: count('select 1 from characters where summary_retry_at = 1 and id = ?'),
      conversation: count('select 1 from conversations where id = ?'),
      mail: count('select 1 from mails where id = ?'),
      trending: Number(isMissing('trending:general:all')),
      sitemap: Number(isMissing('sitemap:times')),
    })
      .filter(([, rows]) => rows > 0)
      .map(([task]) => task);
  };
  await expect.poll(listLeftovers, { timeout: 15_000 }).toEqual([]);
  db.close();
  kv.close();
  await request.dispose();
  // The log contains none of the cleared data and no user's address.
  const log = readFileSync(site.logFile, 'utf8');
  expect(log).toContain('"cron_done"');
  expect(findLeaks(log, { texts: [...readStoredTexts(site.stateDir), 'nobody@example.test'] })).toEqual([]);
});

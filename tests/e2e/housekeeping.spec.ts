import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CRONS } from '../../src/jobs/schedule.ts';
import { findLeaks, readStoredTexts } from '../support/log-leak-check.ts';
import { expect, test } from './journey.ts';
import { modelUrl, ownSite } from './own-site.ts';

/** A site that nobody else is at: whoever writes into its database from outside has the others' writing fail. */
const site = ownSite(() => ({ MODEL_ROLEPLAY_BASE_URL: modelUrl() }));

test('the housekeeping of the built Worker does all of its work when its time comes', async ({
  playwright,
}) => {
  const request = await playwright.request.newContext({ baseURL: site.url });
  const guest = await (await request.post('/api/auth/anonymous')).json();
  await request.post('/api/logout');
  const me = await (await request.post('/api/auth/test-login', { data: { person: 'newcomer' } })).json();
  const id = randomUUID();
  const db = site.database('d1');
  const now = Date.now();
  const old = now - 400 * 86_400_000;
  const today = Math.floor(now / 86_400_000);
  const put = (table: string, row: Record<string, string | number>) =>
    db
      .prepare(
        `insert into ${table} (${Object.keys(row).join()}) values (${Object.keys(row)
          .map(() => '?')
          .join()})`,
      )
      .run(...Object.values(row));
  db.exec('begin immediate');
  const [user_id, owner_id] = [me.user_id, me.user_id];
  put('characters', {
    ...{ id, creator_id: me.user_id, name: 'Old', oneliner: 'Old', character_traits: 'Old', avatar_key: 'x' },
    ...{ model_type: 'roleplay', visibility: 'private', point_of_view: 'normal', suggested_replies: '[]' },
    ...{ created_at: old, updated_at: old, summary_try_at: 1 },
  });
  db.prepare('update users set seen_at = 1 where id = ?').run(guest.user_id);
  put('sessions', { id, public_id: id, user_id, expires_at: 1, created_at: 1, user_agent: '' });
  put('login_codes', { email: id, code_hash: id, sent_at: 1, expires_at: 1 });
  put('used_tokens', { hash: id, expires_at: 1 });
  put('deletion_requests', { user_id, token_hash: id, requested_at: 1, expires_at: 1 });
  // Each hour has its share of the keys.
  for (let hour = 0; hour < 24; hour += 1) {
    const share = Math.floor((hour * 256) / 24).toString(16);
    put('pictures', { key: share.padStart(2, '0') + id, owner_id, bytes: 1, created_at: old });
  }
  put('cards', { id, owner_id, object_key: id, bytes: 1, draft: '{}', created_at: old });
  put('character_creations', {
    owner_id,
    key: id,
    character_id: id,
    body_hash: id,
    done: 1,
    created_at: old,
  });
  put('character_days', { day: 1, character_id: id, chats: 1 });
  put('character_days', { day: today, character_id: id, chats: 1 });
  const times = { created_at: old, last_message_at: old, message_count: 0, deleted_at: 1 };
  put('conversations', { id, owner_id, character_id: id, ...times });
  const nobody = { user_id: id, address: 'nobody@example.test', language: 'en', details: '{}', about: '' };
  put('mails', { id, ...nobody, kind: 'account_of_before', created_at: old, try_at: 1 });
  db.exec('commit');

  for (const cron of Object.values(CRONS)) {
    const answer = await request.get('/cdn-cgi/local/scheduled', { params: { cron } });
    expect(answer.status()).toBe(200);
    expect(await answer.text()).toBe('ok');
  }
  const kept = site.database('kv');
  const left = () => {
    const count = (sql: string, of: string = id) => db.prepare(sql).all(of).length;
    const isMissing = (key: string) =>
      kept.prepare('select 1 from _mf_entries where key = ?').all(key).length === 0;
    return Object.entries({
      guest: count('select 1 from users where id = ?', guest.user_id),
      session: count('select 1 from sessions where id = ?'),
      code: count('select 1 from login_codes where email = ?'),
      token: count('select 1 from used_tokens where hash = ?'),
      deletion: count('select 1 from deletion_requests where token_hash = ?'),
      pictures: Number(count("select 1 from pictures where key like '%' || ?") === 24),
      card: count('select 1 from cards where id = ?'),
      creation: count('select 1 from character_creations where key = ?'),
      day: count('select 1 from character_days where day = 1 and character_id = ?'),
      listing: count('select 1 from character_days where fresh = 1 and character_id = ?'),
      words: count('select 1 from character_words where version = 0 and character_id = ?'),
      summary: count('select 1 from characters where summary_try_at = 1 and id = ?'),
      conversation: count('select 1 from conversations where id = ?'),
      mail: count('select 1 from mails where id = ?'),
      trending: Number(isMissing('trending:general:all')),
      sitemap: Number(isMissing('sitemap:times')),
    })
      .filter(([, rows]) => rows > 0)
      .map(([task]) => task);
  };
  await expect.poll(left, { timeout: 15_000 }).toEqual([]);
  db.close();
  kept.close();
  await request.dispose();
  // Neither what was cleared away nor whose it was is in the log of it.
  const log = readFileSync(site.logFile, 'utf8');
  expect(log).toContain('"cron_done"');
  expect(findLeaks(log, { texts: [...readStoredTexts(site.stateDir), 'nobody@example.test'] })).toEqual([]);
});

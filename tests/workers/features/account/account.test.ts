import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import { pictures, users } from '../../../../src/db/schema/core.ts';
import type { AuthStatus, OwnAccount } from '../../../../src/features/account/contract.ts';
import { signInGuest, listLedger, createAccount, Visitor, setPoints } from '../../../support/factories.ts';

const change = (me: Visitor, json: unknown, status = 200) =>
  me.ask<OwnAccount & { code?: string; fields?: Record<string, string[]> }>('/api/account', {
    method: 'PATCH',
    json,
    status,
  });
/** The fields of a new account that the auth status does not have. */
const NEW = { avatar_id: null, email_notifications: true, marketing_emails: false };
const readAuthUser = async (me: Visitor) => (await me.ask<AuthStatus>('/api/auth/status')).user;

describe('Account settings', () => {
  test('the account equals the user of the auth status, and each change answers with the changed account', async () => {
    const me = await createAccount();
    expect(await me.ask('/api/account')).toEqual({ ...(await readAuthUser(me)), ...NEW });
    const answer = await change(me, { nickname: '  Ada  ', language: 'ja' });
    expect(answer).toMatchObject({ nickname: 'Ada', language: 'ja', email: me.email, spicy_mode: false });
    expect(answer).toEqual({ ...(await readAuthUser(me)), ...NEW });
    expect(await me.ask('/api/account')).toEqual(answer);
    expect(await change(me, { nickname: null })).toMatchObject({ nickname: null, language: 'ja' });
  });

  test('the account accepts a nickname of 20 characters and explains the limit for one of 21', async () => {
    const me = await createAccount();
    expect(await change(me, { nickname: 'x'.repeat(20) })).toMatchObject({ nickname: 'x'.repeat(20) });
    expect(await change(me, { nickname: 'x'.repeat(21) }, 400)).toMatchObject({
      code: 'invalid_input',
      fields: { nickname: ['Nickname must not exceed 20 characters'] },
    });
    for (const nickname of ['', '   ', 'two\nlines', 'half \ud83d']) {
      expect(await change(me, { nickname }, 400)).toMatchObject({
        fields: { nickname: [expect.any(String)] },
      });
    }
    expect(await readAuthUser(me)).toMatchObject({ nickname: 'x'.repeat(20) });
  });

  test.each([
    ['Ada', 'Ada'],
    ['  mira_07  ', 'mira_07'],
    ['Żółw-2', 'Żółw-2'],
    ['e\u0301lan', '\u00e9lan'],
    ['प्रिया', 'प्रिया'],
    ['森の人', '森の人'],
    ['x'.repeat(30), 'x'.repeat(30)],
  ])('the account accepts «%s» as a username', async (username, stored) => {
    const me = await createAccount();
    expect(await change(me, { username })).toMatchObject({ username: stored, nickname: null });
    expect(await readAuthUser(me)).toMatchObject({ username: stored });
  });

  test('an invalid username gets an explanation', async () => {
    const me = await createAccount();
    const before = await readAuthUser(me);
    const shape = expect.stringMatching(/\b3\b.*\b30\b/);
    for (const username of [
      '',
      'ab',
      '  a ',
      'x'.repeat(31),
      'two words',
      'a@b.c',
      '___',
      'new\nline',
      '<b>x</b>',
      'ㅤㅤㅤ',
      'abc\u202edef\ud83d',
    ]) {
      const answer = await change(me, { username }, 400);
      expect({ sent: username, ...answer }).toMatchObject({
        fields: { username: [shape] },
      });
    }
    expect(await change(me, { username: null }, 400)).toMatchObject({ code: 'invalid_input' });
    expect(await readAuthUser(me)).toEqual(before);
  });

  test('a username or nickname that looks like staff is refused with the part that does', async () => {
    const [me, guest] = [await createAccount(), await signInGuest()];
    const before = await readAuthUser(me);
    for (const name of ['Admin', 'LORELOOM', '-support-', 'mod_erator', '\u0430dmin']) {
      for (const field of ['username', 'nickname']) {
        expect(await change(me, { [field]: name }, 400)).toMatchObject({
          code: 'name_like_staff',
          part: expect.stringContaining(name.replaceAll('-', '').slice(0, 3)),
          fields: { [field]: [expect.any(String)] },
        });
      }
      expect(await change(guest, { nickname: name }, 400)).toMatchObject({ code: 'name_like_staff' });
    }
    const onboarding = { json: { nickname: 'Loreloom Staff' }, status: 400 };
    expect(await me.ask('/api/onboarding', onboarding)).toMatchObject({ code: 'name_like_staff' });
    expect(await readAuthUser(me)).toEqual(before);
  });

  test('a name from before the rule stays, and other changes succeed with it', async () => {
    const me = await createAccount();
    await openDatabase(env.DB)
      .update(users)
      .set({ username: 'moderator', nickname: 'Staff' })
      .where(eq(users.id, me.id));
    const unchanged = { username: 'moderator', nickname: 'Staff', language: 'de' };
    expect(await change(me, unchanged)).toMatchObject(unchanged);
  });

  test('two accounts can have the same username', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    await change(other, { username: 'Mira' });
    expect(await change(me, { username: 'Mira' })).toMatchObject({ username: 'Mira' });
  });

  test('an account can use only a picture that its owner uploaded, and null removes it', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const own = `${'a'.repeat(32)}.webp`;
    const foreign = `${'b'.repeat(32)}.png`;
    const row = { bytes: 1, createdAt: Date.now() };
    await openDatabase(env.DB)
      .insert(pictures)
      .values([
        { key: own, ownerId: me.id, ...row },
        { key: foreign, ownerId: other.id, ...row },
      ]);
    const withAvatar = { avatar_id: own, avatar_url: `/media/${own}` };
    expect(await change(me, { avatar_id: own })).toMatchObject(withAvatar);
    for (const avatar_id of [foreign, `${'c'.repeat(32)}.webp`, '', '../secret', 'https://x.test/y.webp']) {
      expect(await change(me, { avatar_id, nickname: 'Ada' }, 400)).toMatchObject({
        code: 'invalid_input',
        fields: { avatar_id: ['Please upload an avatar'] },
      });
    }
    // The age error wins over the avatar error, and neither field changes.
    expect(await change(me, { avatar_id: foreign, spicy_mode: true }, 403)).toMatchObject({
      code: 'age_confirmation_required',
    });
    expect(await me.ask('/api/account')).toMatchObject({ ...withAvatar, nickname: null, spicy_mode: false });
    expect(await change(me, { avatar_id: null })).toMatchObject({ avatar_id: null, avatar_url: null });
  });

  test('the two email preferences change independently', async () => {
    const me = await createAccount();
    expect(await change(me, { marketing_emails: true })).toMatchObject({
      marketing_emails: true,
      email_notifications: true,
    });
    expect(await change(me, { email_notifications: false })).toMatchObject({
      marketing_emails: true,
      email_notifications: false,
    });
    expect(await change(me, { marketing_emails: 'yes' }, 400)).toMatchObject({ code: 'invalid_input' });
  });

  test('spicy mode turns on only after the user confirms being 18 or older', async () => {
    const me = await createAccount();
    const refused = { code: 'age_confirmation_required' };
    expect(await change(me, { spicy_mode: true }, 403)).toMatchObject(refused);
    expect(await change(me, { spicy_mode: true, age_confirmed: false }, 403)).toMatchObject(refused);
    expect(await change(me, { spicy_mode: true, nickname: 'Ada' }, 403)).toMatchObject(refused);
    expect(await readAuthUser(me)).toMatchObject({ spicy_mode: false, age_confirmed: false, nickname: null });
    const on = await change(me, { spicy_mode: true, age_confirmed: true });
    expect(on).toMatchObject({ spicy_mode: true, age_confirmed: true });
    expect(await change(me, { spicy_mode: false })).toMatchObject({ spicy_mode: false, age_confirmed: true });
    expect(await change(me, { spicy_mode: true })).toMatchObject({ spicy_mode: true });
  });

  test('withdrawing the age confirmation turns spicy mode off', async () => {
    const me = await createAccount();
    await change(me, { spicy_mode: true, age_confirmed: true });
    const off = { spicy_mode: false, age_confirmed: false };
    expect(await change(me, { age_confirmed: false })).toMatchObject(off);
    expect(await readAuthUser(me)).toMatchObject(off);
  });

  test('changing one account leaves other accounts unchanged', async () => {
    const [me, other] = [await createAccount(), await createAccount()];
    const before = await readAuthUser(other);
    await change(me, { spicy_mode: true, age_confirmed: true, nickname: 'Ada', language: 'de' });
    expect(await readAuthUser(other)).toEqual(before);
  });

  test('a guest can change the language, the nickname and the suggestions, and nothing else', async () => {
    const me = await signInGuest();
    expect(await change(me, { language: 'pl' })).toMatchObject({ language: 'pl', is_anonymous: true });
    expect(await change(me, { nickname: 'Ada' })).toMatchObject({ nickname: 'Ada', is_anonymous: true });
    expect(await change(me, { personal_suggestions: false })).toMatchObject({ personal_suggestions: false });
    for (const json of [
      { username: 'Ada' },
      { avatar_id: null },
      { email_notifications: false },
      { marketing_emails: true },
      { age_confirmed: true },
      { spicy_mode: true, age_confirmed: true },
      { language: 'de', spicy_mode: false },
    ]) {
      expect(await change(me, json, 403)).toMatchObject({ code: 'account_required' });
    }
    expect(await readAuthUser(me)).toMatchObject({ language: 'pl', nickname: 'Ada', spicy_mode: false });
  });

  test('the account refuses fields that the user cannot set', async () => {
    const me = await createAccount();
    const before = await readAuthUser(me);
    for (const json of [
      {},
      { role: 'admin' },
      { plan: 'legend' },
      { onboarding_completed: true },
      { email: 'x@y.z' },
    ]) {
      expect(await change(me, json, 400)).toMatchObject({ code: 'invalid_input' });
    }
    expect(await readAuthUser(me)).toEqual(before);
  });
});

describe('Onboarding', () => {
  const complete = (me: Visitor, json: unknown, status = 200) =>
    me.ask<{ code?: string }>('/api/onboarding', { json, status });
  const DONE = { points_awarded: 0, error: null };

  test('onboarding stores the nickname and completes, and repeating it changes nothing', async () => {
    const me = await createAccount();
    expect(await readAuthUser(me)).toMatchObject({ onboarding_completed: false });
    const entries = await listLedger(me);
    expect(await complete(me, { nickname: 'Ada' })).toEqual(DONE);
    expect(await complete(me, {})).toEqual(DONE);
    expect(await readAuthUser(me)).toMatchObject({ onboarding_completed: true, nickname: 'Ada' });
    expect(await listLedger(me)).toEqual(entries);
  });

  test('onboarding accepts a nickname of 20 characters and stays incomplete after one of 21', async () => {
    const me = await createAccount();
    expect(await complete(me, { nickname: 'x'.repeat(21) }, 400)).toMatchObject({
      fields: { nickname: ['Nickname must not exceed 20 characters'] },
    });
    expect(await readAuthUser(me)).toMatchObject({ onboarding_completed: false, nickname: null });
    expect(await complete(me, { nickname: 'x'.repeat(20) })).toEqual(DONE);
  });

  test('onboarding can be skipped with no fields', async () => {
    const me = await createAccount();
    expect(await complete(me, {})).toEqual(DONE);
    expect(await readAuthUser(me)).toMatchObject({ onboarding_completed: true, nickname: null });
  });

  test.each(['frommira', '  FromMira  ', '0123456789', 'a'])(
    'onboarding with the unknown invite code «%s» is refused and stores nothing',
    async (invite_code) => {
      const me = await createAccount();
      expect(await complete(me, { nickname: 'Ada', invite_code }, 409)).toEqual({
        error: 'Invite code already used or invalid',
        code: 'invite_code_invalid',
      });
      expect(await readAuthUser(me)).toMatchObject({ onboarding_completed: false, nickname: null });
    },
  );

  test.each(['', '  ', 'elevenchars', 'with space', 'dash-ed', 'ünïcode', "x' or 1=1"])(
    'onboarding reports «%s» as an invalid invite code field',
    async (invite_code) => {
      const me = await createAccount();
      expect(await complete(me, { invite_code }, 400)).toMatchObject({
        code: 'invalid_input',
        fields: { invite_code: ['An invite code has at most 10 letters and digits'] },
      });
    },
  );

  test('onboarding needs an account: a guest gets 403 and an unauthenticated caller 401', async () => {
    const me = await signInGuest();
    expect(await complete(me, {}, 403)).toMatchObject({ code: 'account_required' });
    expect(await readAuthUser(me)).toMatchObject({ onboarding_completed: false });
    expect(await complete(new Visitor(), {}, 401)).toMatchObject({ code: 'unauthenticated' });
  });
});

describe('Checks before creating a character', () => {
  const readPermission = (me: Visitor) => me.ask('/api/permissions/create_character');
  const check = (me: Visitor) =>
    me.ask('/api/points/check-availability', { json: { action: 'create_character' } });

  test('an account may create characters and a guest must log in first', async () => {
    expect(await readPermission(await createAccount())).toEqual({ success: true, error_message: null });
    expect(await readPermission(await signInGuest())).toEqual({
      success: false,
      error_message: 'You must be logged in to perform this action',
    });
  });

  test('the availability check compares the points with the cost and is free', async () => {
    const me = await createAccount();
    await setPoints(me, 5);
    const entries = await listLedger(me);
    expect(await check(me)).toEqual({ success: true, error: null, points_required: 5 });
    expect(await check(me)).toEqual({ success: true, error: null, points_required: 5 });
    expect(await listLedger(me)).toEqual(entries);
    await setPoints(me, 4);
    expect(await check(me)).toEqual({
      success: false,
      error: 'You need at least 5 points to create a character...',
      points_required: 5,
    });
  });

  test('the availability check refuses unknown actions and unauthenticated callers', async () => {
    const me = await createAccount();
    const path = '/api/points/check-availability';
    await me.ask(path, { json: { action: 'rule_the_world' }, status: 400 });
    await new Visitor().ask(path, { json: { action: 'create_character' }, status: 401 });
    await new Visitor().ask('/api/permissions/create_character', { status: 401 });
  });
});

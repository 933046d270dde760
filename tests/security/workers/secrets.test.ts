import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { generateDeletionToken } from '../../../src/features/account/deletion/deletion.ts';
import { signGuestCounter, readGuestCounter } from '../../../src/features/account/guest-counter.ts';
import { generateInviteCode } from '../../../src/features/account/invite-code.ts';
import { hashLoginCode, generateLoginCode } from '../../../src/features/account/login-code/login-code.ts';
import { decryptAgeCheckRequest, encryptAgeCheckRequest } from '../../../src/features/account/age-check.ts';
import { timingSafeEqual } from '../../../src/lib/timing-safe-equal.ts';
import { parseUnsubscribeToken, createUnsubscribeToken } from '../../../src/features/mail/unsubscribe.ts';
import {
  createAppealToken,
  type RefusedText,
  verifyAppealToken,
} from '../../../src/features/moderation/appeal-token.ts';
import { mailsTo } from '../../workers/mailbox.ts';
import {
  requestLoginCode,
  createEmail,
  signInGuest,
  createAccount,
  Visitor,
} from '../../support/factories.ts';
import { createStaffUser } from '../../support/staff.ts';

const SECRET = 'a-secret-that-nobody-knows';
const NOW = Date.parse('2026-01-02T03:04:05.000Z');

/** Reads the token in the link of the newest mail to an address. */
const readMailedToken = (email: string): Promise<string> =>
  vi.waitFor(() => {
    const found = /[0-9a-f]{64}/.exec(mailsTo(email).at(-1)?.text ?? '')?.[0];
    if (found === undefined) throw new Error('no mail with a link yet');
    return found;
  });

/**
 * Lists texts that almost equal this one: with a character missing, added or changed at each place, in capitals,
 * doubled or empty.
 */
function listNearMisses(text: string): string[] {
  const variants = new Set<string>([
    '',
    ' ',
    text + text,
    ` ${text}`,
    `${text} `,
    `${text}\0`,
    text.toUpperCase(),
    [...text].toReversed().join(''),
  ]);
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] as string;
    for (const other of [letter === '0' ? '1' : '0', letter === 'a' ? 'b' : 'a', '.', ''])
      variants.add(text.slice(0, at) + other + text.slice(at + 1));
    variants.add(text.slice(0, at));
  }
  variants.delete(text);
  return [...variants];
}

/**
 * Returns the highest chi-square that a uniform source of this many kinds reaches; it exceeds it once in 10⁹
 * runs.
 * The bound is Laurent and Massart's for a sum of squares.
 */
const getChiSquareBound = (kinds: number): number => kinds + 2 * Math.sqrt(kinds * 20.7) + 2 * 20.7;

function computeChiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe('Generated secrets', () => {
  test('every digit of a login code is equally likely at every place', () => {
    const counts = Array.from({ length: 6 }, () => Array.from({ length: 10 }, () => 0));
    for (let draw = 0; draw < 60_000; draw += 1)
      for (const [at, digit] of [...generateLoginCode()].entries())
        (counts[at] as number[])[Number(digit)] = ((counts[at] as number[])[Number(digit)] as number) + 1;
    for (const place of counts) expect(computeChiSquare(place)).toBeLessThan(getChiSquareBound(10));
  });

  test('every character of an invite code is equally likely', () => {
    const counts = new Map<string, number>();
    for (let draw = 0; draw < 20_000; draw += 1)
      for (const letter of generateInviteCode()) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(31);
    expect(computeChiSquare([...counts.values()])).toBeLessThan(getChiSquareBound(31));
  });

  test('links and sessions have 256 bits, login codes 20 and invite codes nearly 40', async () => {
    expect(generateDeletionToken()).toMatch(/^[0-9a-f]{64}$/);
    expect((await createAccount()).cookie).toMatch(/^__Host-session=[0-9a-f]{64}$/);
    expect(generateLoginCode()).toMatch(/^\d{6}$/);
    expect(Math.log2(31 ** generateInviteCode().length)).toBeGreaterThan(39);
    const drawn = Array.from({ length: 5000 }, generateDeletionToken);
    expect(new Set(drawn).size).toBe(drawn.length);
  });
});

describe('Signed tokens', () => {
  test('an unsubscribe token with a changed character is refused', async () => {
    const subscription = { userId: 'somebody', list: 'marketing' } as const;
    const token = await createUnsubscribeToken(SECRET, subscription);
    expect(await parseUnsubscribeToken(SECRET, token)).toEqual(subscription);
    for (const near of listNearMisses(token))
      expect([near, await parseUnsubscribeToken(SECRET, near)]).toEqual([near, null]);
    expect(await parseUnsubscribeToken(`${SECRET}!`, token)).toBeNull();
  });

  test('an appeal token with a changed character is refused', async () => {
    const refused: RefusedText = {
      userId: 'somebody',
      place: 'message',
      rule: 'minors',
      text: 'What was refused.',
    };
    const token = await createAppealToken(SECRET, refused, NOW);
    expect(await verifyAppealToken(SECRET, refused, { token, now: NOW + 1 })).not.toBeNull();
    for (const near of listNearMisses(token)) {
      const payload = await verifyAppealToken(SECRET, refused, { token: near, now: NOW + 1 });
      // The last character has unused bits, and surrounding blanks are trimmed.
      if (payload !== null) expect(near.trim().slice(0, -1)).toBe(token.slice(0, -1));
    }
    for (const other of [{ userId: 'another' }, { text: 'Another text.' }, { place: 'name' as const }])
      expect(await verifyAppealToken(SECRET, { ...refused, ...other }, { token, now: NOW + 1 })).toBeNull();
  });

  test('an age check token with a changed character is refused', async () => {
    const token = await encryptAgeCheckRequest(SECRET, { userId: 'somebody', expiresAt: NOW + 1000 });
    expect(await decryptAgeCheckRequest(SECRET, token, NOW)).toEqual({
      userId: 'somebody',
      expiresAt: NOW + 1000,
    });
    for (const near of listNearMisses(token)) {
      const payload = await decryptAgeCheckRequest(SECRET, near, NOW);
      // The last character has unused bits, and surrounding blanks are trimmed.
      if (payload !== null) expect(near.trim().slice(0, -1)).toBe(token.slice(0, -1));
    }
    expect(await decryptAgeCheckRequest(SECRET, token, NOW + 1000)).toBeNull();
  });

  test('a guest counter with a changed character is ignored', async () => {
    const mark = await signGuestCounter(20_000, 2, SECRET);
    expect(await readGuestCounter(mark, 20_000, SECRET)).toBe(2);
    for (const near of listNearMisses(mark))
      expect([near, await readGuestCounter(near, 20_000, SECRET)]).toEqual([near, 0]);
  });

  test('a token signed for one purpose is refused for another', async () => {
    const forged = await hashLoginCode('somebody', 'x', SECRET);
    expect(await parseUnsubscribeToken(SECRET, `marketing.somebody.${forged}`)).toBeNull();
    const list = await createUnsubscribeToken(SECRET, { userId: 'somebody', list: 'marketing' });
    expect(await readGuestCounter(`20000.2.${list.split('.')[2]}`, 20_000, SECRET)).toBe(0);
  });
});

describe('Comparison of secrets', () => {
  test('comparing secrets finds a difference at every place, and another length', () => {
    const secret = 'a1'.repeat(32);
    for (let at = 0; at < secret.length; at += 1)
      expect(timingSafeEqual(`${secret.slice(0, at)}!${secret.slice(at + 1)}`, secret)).toBe(false);
    expect(timingSafeEqual(secret, secret)).toBe(true);
    expect(timingSafeEqual(secret, `${secret}0`)).toBe(false);
    expect(timingSafeEqual(secret, '')).toBe(false);
  });
});

describe('Links and codes of other users', () => {
  const confirmDeletion = (me: Visitor, token: string) =>
    me.call('/api/account/delete-confirm', { json: { token } });

  /** Reduces an answer to the parts that do not change with each request. */
  const pickStable = async (answer: Response) => ({
    status: answer.status,
    body: await answer.text(),
    headers: [...answer.headers.keys()].toSorted(),
  });

  test("another user's deletion link is refused like an unknown one", async () => {
    const [owner, other] = [await createAccount(), await createAccount()];
    await owner.ask('/api/account/delete-request', { json: { email: owner.email }, status: 201 });
    const token = await readMailedToken(owner.email);
    const [theirs, unknown] = [
      await pickStable(await confirmDeletion(other, token)),
      await pickStable(await confirmDeletion(other, generateDeletionToken())),
    ];
    expect(theirs).toEqual(unknown);
    for (const near of listNearMisses(token)
      .filter((one) => one.length === 64)
      .slice(0, 40))
      expect((await confirmDeletion(owner, near)).status).toBe(400);
    expect((await owner.call('/api/account')).status).toBe(200);
  });

  test("a used invite code, the user's own code and an unknown code get the same refusal", async () => {
    const [inviter, me] = [await createAccount(), await createAccount()];
    const { code } = await inviter.ask<{ code: string }>('/api/invites', { method: 'POST' });
    const own = await me.ask<{ code: string }>('/api/invites', { method: 'POST' });
    const invitee = await createAccount();
    await invitee.ask('/api/onboarding', { json: { invite_code: code } });
    const reused = await pickStable(await invitee.call('/api/onboarding', { json: { invite_code: code } }));
    const refusals = [
      await pickStable(await me.call('/api/onboarding', { json: { invite_code: own.code } })),
      await pickStable(await me.call('/api/onboarding', { json: { invite_code: 'zzzzzzzz' } })),
      reused,
    ];
    expect(refusals[1]).toEqual(refusals[0]);
    expect(refusals[2]).toEqual(refusals[0]);
  });

  test("another user's persona or account gets the same answer as an unknown id", async () => {
    const [owner, other] = [await createAccount(), await createAccount()];
    const persona = await owner.ask<{ id: string }>('/api/personas', {
      json: { name: 'Wren', description: 'Maps.' },
      status: 201,
    });
    const json = { name: 'Noir' };
    const style = await owner.ask<{ id: string }>('/api/reply-styles', { json, status: 201 });
    const requests: [string, string, string][] = [
      ['DELETE', '/api/personas/', persona.id],
      ['PUT', '/api/personas/{}/default', persona.id],
      ['DELETE', '/api/reply-styles/', style.id],
      ['GET', '/api/admin/accounts/', owner.id],
    ];
    for (const [method, path, id] of requests) {
      const buildPath = (one: string) => (path.includes('{}') ? path.replace('{}', one) : path + one);
      const [theirs, unknown] = [
        await other.call(buildPath(id), { method }),
        await other.call(buildPath(`${id.slice(0, -2)}00`), { method }),
      ];
      expect(await pickStable(theirs)).toEqual(await pickStable(unknown));
    }
    expect((await owner.call(`/api/personas/${persona.id}/default`, { method: 'PUT' })).status).toBe(200);
  });

  test('a login code works once, for the address that it was sent to', async () => {
    const [ownEmail, otherEmail] = [createEmail(), createEmail()];
    const code = await requestLoginCode(ownEmail);
    const logIn = (email: string) =>
      new Visitor().call('/api/auth/login-with-code', { json: { email, code } });
    await requestLoginCode(otherEmail);
    const wrong = await logIn(otherEmail);
    // Skip the rare case that both addresses got the same code.
    if (code !== /\d{6}/.exec(mailsTo(otherEmail).at(-1)?.text ?? '')?.[0]) expect(wrong.status).toBe(400);
    expect((await logIn(ownEmail)).status).toBe(201);
    expect((await logIn(ownEmail)).status).toBe(400);
  });
});

describe('Guessing secrets', () => {
  test('a hundred invented sessions all get the same 401', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const visitor = new Visitor();
        visitor.cookie = `__Host-session=${generateDeletionToken()}`;
        const answer = await visitor.call('/api/account');
        return `${answer.status} ${await answer.text()} ${answer.headers.get('set-cookie')}`;
      }),
    );
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toMatch(/^401 .*unauthenticated.* null$/);
  });

  test('sessions, codes and links are stored as hashes only', async () => {
    const me = await createAccount();
    const email = createEmail();
    const code = await requestLoginCode(email);
    await me.ask('/api/account/delete-request', { json: { email: me.email }, status: 201 });
    const link = await readMailedToken(me.email);
    const session = me.cookie.split('=')[1] ?? '';
    for (const table of ['sessions', 'login_codes', 'deletion_requests']) {
      const { results } = await env.DB.prepare(`select * from ${table}`).all();
      const text = JSON.stringify(results);
      for (const secret of [session, link, `"${code}"`])
        expect({ table, found: text.includes(secret) }).toEqual({ table, found: false });
    }
  });
});

describe('Ended sessions', () => {
  test('a session that was logged out is refused by every route and method', async () => {
    const me = await createAccount();
    const { cookie } = me;
    await me.call('/api/logout', { method: 'POST' });
    for (const [method, path] of [
      ['GET', '/api/account'],
      ['GET', '/api/account/export'],
      ['GET', '/api/chats'],
      ['POST', '/api/personas'],
      ['DELETE', '/api/account/sessions'],
      ['HEAD', '/api/account'],
    ] as const) {
      const old = new Visitor();
      old.cookie = cookie;
      expect(
        (
          await old.call(path, {
            method,
            ...(method === 'POST' ? { json: { name: 'x', description: 'y' } } : {}),
          })
        ).status,
      ).toBe(401);
    }
    // Starting a guest session with the old cookie does not revive it either.
    const guest = new Visitor();
    guest.cookie = cookie;
    await guest.call('/api/auth/anonymous', { method: 'POST' });
    expect(guest.cookie).not.toBe(cookie);
    const oldSession = new Visitor();
    oldSession.cookie = cookie;
    expect((await oldSession.call('/api/account')).status).toBe(401);
  });

  test('every session of a suspended account is refused, including new ones', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    const other = await createAccount(me.email);
    await operator.ask('/api/admin/measures', {
      json: { kind: 'account_suspended', subject_id: me.id, reason: 'Spam.' },
      status: 201,
    });
    for (const session of [me, other, await createAccount(me.email)])
      expect((await session.call('/api/chats')).status).toBe(403);
  });

  test('a session cookie that was planted before a login does not work after it', async () => {
    const planted = await signInGuest();
    const victim = new Visitor();
    victim.cookie = planted.cookie;
    await createAccount(createEmail(), victim);
    expect(victim.cookie).not.toBe(planted.cookie);
    expect((await planted.call('/api/account')).status).toBe(401);
  });

  test('no answer sets a cookie except at login and logout', async () => {
    const me = await createAccount();
    for (const [path, options] of [
      ['/api/account', {}],
      ['/api/chats', {}],
      ['/api/characters', {}],
      ['/api/points', {}],
      ['/api/personas', { json: { name: 'x', description: 'y' } }],
      ['/api/onboarding', { json: {} }],
    ] as const) {
      const answer = await me.call(path, options);
      expect([path, answer.headers.get('set-cookie')]).toEqual([path, null]);
      await answer.body?.cancel();
    }
  });
});

import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { generateDeletionToken } from '../../../src/features/account/deletion/deletion.ts';
import { signGuestCounter, readGuestCounter } from '../../../src/features/account/guest-counter.ts';
import { generateInviteCode } from '../../../src/features/account/invite-code.ts';
import { hashLoginCode, generateLoginCode } from '../../../src/features/account/login-code.ts';
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

/** What the newest mail to an address has in its link. */
const linkIn = (email: string): Promise<string> =>
  vi.waitFor(() => {
    const found = /[0-9a-f]{64}/.exec(mailsTo(email).at(-1)?.text ?? '')?.[0];
    if (found === undefined) throw new Error('no mail with a link yet');
    return found;
  });

/** Everything that is nearly a text: a letter less, more or other at every place, in other letters, twice, or nothing. */
function nearly(text: string): string[] {
  const near = new Set<string>([
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
      near.add(text.slice(0, at) + other + text.slice(at + 1));
    near.add(text.slice(0, at));
  }
  near.delete(text);
  return [...near];
}

/**
 * How far counts may be from equal before chance is out of the question: for so many kinds, once in a thousand million runs.
 * The bound is Laurent and Massart's for a sum of squares.
 */
const chiSquareBound = (kinds: number): number => kinds + 2 * Math.sqrt(kinds * 20.7) + 2 * 20.7;

function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe('What nobody is to guess', () => {
  test('is drawn so that every digit of every login code is as likely as any other', () => {
    const counts = Array.from({ length: 6 }, () => Array.from({ length: 10 }, () => 0));
    for (let draw = 0; draw < 60_000; draw += 1)
      for (const [at, digit] of [...generateLoginCode()].entries())
        (counts[at] as number[])[Number(digit)] = ((counts[at] as number[])[Number(digit)] as number) + 1;
    for (const place of counts) expect(chiSquare(place)).toBeLessThan(chiSquareBound(10));
  });

  test('is drawn so that every letter of every invite code is as likely as any other', () => {
    const counts = new Map<string, number>();
    for (let draw = 0; draw < 20_000; draw += 1)
      for (const letter of generateInviteCode()) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(31);
    expect(chiSquare([...counts.values()])).toBeLessThan(chiSquareBound(31));
  });

  test('has as much to guess as it should: 256 bits in links and sessions, 20 or nearly 40 in what people type', async () => {
    expect(generateDeletionToken()).toMatch(/^[0-9a-f]{64}$/);
    expect((await createAccount()).cookie).toMatch(/^__Host-session=[0-9a-f]{64}$/);
    expect(generateLoginCode()).toMatch(/^\d{6}$/);
    expect(Math.log2(31 ** generateInviteCode().length)).toBeGreaterThan(39);
    const drawn = Array.from({ length: 5000 }, generateDeletionToken);
    expect(new Set(drawn).size).toBe(drawn.length);
  });
});

describe('What is signed opens nothing when a letter of it is another', () => {
  test('the way out of a list', async () => {
    const about = { userId: 'somebody', list: 'marketing' } as const;
    const token = await createUnsubscribeToken(SECRET, about);
    expect(await parseUnsubscribeToken(SECRET, token)).toEqual(about);
    for (const near of nearly(token))
      expect([near, await parseUnsubscribeToken(SECRET, near)]).toEqual([near, null]);
    expect(await parseUnsubscribeToken(`${SECRET}!`, token)).toBeNull();
  });

  test('what a refusal gives along for an appeal', async () => {
    const refused: RefusedText = {
      userId: 'somebody',
      place: 'message',
      rule: 'minors',
      text: 'What was refused.',
    };
    const token = await createAppealToken(SECRET, refused, NOW);
    expect(await verifyAppealToken(SECRET, refused, { token, now: NOW + 1 })).not.toBeNull();
    for (const near of nearly(token)) {
      const opened = await verifyAppealToken(SECRET, refused, { token: near, now: NOW + 1 });
      // Bits of its last letter say nothing, and blanks around it are none of it.
      if (opened !== null) expect(near.trim().slice(0, -1)).toBe(token.slice(0, -1));
    }
    for (const other of [{ userId: 'another' }, { text: 'Another text.' }, { place: 'name' as const }])
      expect(await verifyAppealToken(SECRET, { ...refused, ...other }, { token, now: NOW + 1 })).toBeNull();
  });

  test('what goes to whoever checks ages', async () => {
    const token = await encryptAgeCheckRequest(SECRET, { userId: 'somebody', expiresAt: NOW + 1000 });
    expect(await decryptAgeCheckRequest(SECRET, token, NOW)).toEqual({
      userId: 'somebody',
      expiresAt: NOW + 1000,
    });
    for (const near of nearly(token)) {
      const opened = await decryptAgeCheckRequest(SECRET, near, NOW);
      // Bits of its last letter say nothing, and blanks around it are none of it.
      if (opened !== null) expect(near.trim().slice(0, -1)).toBe(token.slice(0, -1));
    }
    expect(await decryptAgeCheckRequest(SECRET, token, NOW + 1000)).toBeNull();
  });

  test('what a device remembers of its guests', async () => {
    const mark = await signGuestCounter(20_000, 2, SECRET);
    expect(await readGuestCounter(mark, 20_000, SECRET)).toBe(2);
    for (const near of nearly(mark))
      expect([near, await readGuestCounter(near, 20_000, SECRET)]).toEqual([near, 0]);
  });

  test('none of them is good for another purpose, and what a login code is hashed with opens none', async () => {
    const forged = await hashLoginCode('somebody', 'x', SECRET);
    expect(await parseUnsubscribeToken(SECRET, `marketing.somebody.${forged}`)).toBeNull();
    const list = await createUnsubscribeToken(SECRET, { userId: 'somebody', list: 'marketing' });
    expect(await readGuestCounter(`20000.2.${list.split('.')[2]}`, 20_000, SECRET)).toBe(0);
  });
});

describe('Secrets are compared', () => {
  /** A text that counts how much of it was looked at. */
  function watched(text: string) {
    const looked: number[] = [];
    const watching = {
      length: text.length,
      charCodeAt: (at: number) => (looked.push(at), text.charCodeAt(at)),
    };
    return { text: watching as unknown as string, looked };
  }

  test('to their last letter, wherever they differ: how long it takes tells nothing of where', () => {
    const secret = 'a1'.repeat(32);
    const whole = Array.from({ length: secret.length }, (_, at) => at);
    for (let at = 0; at < secret.length; at += 1) {
      const { text, looked } = watched(`${secret.slice(0, at)}!${secret.slice(at + 1)}`);
      expect(timingSafeEqual(text, secret)).toBe(false);
      expect(looked).toEqual(whole);
    }
    const same = watched(secret);
    expect(timingSafeEqual(same.text, secret)).toBe(true);
    expect(same.looked).toEqual(whole);
    expect(timingSafeEqual(secret, `${secret}0`)).toBe(false);
  });
});

describe('A link or code that is somebody else’s', () => {
  const confirm = (me: Visitor, token: string) => me.call('/api/account/delete-confirm', { json: { token } });

  /** A refusal without what is made anew each time. */
  const plain = async (answer: Response) => ({
    status: answer.status,
    body: await answer.text(),
    headers: [...answer.headers.keys()].toSorted(),
  });

  test('is refused like one that never was: the link of a deletion', async () => {
    const [owner, other] = [await createAccount(), await createAccount()];
    await owner.ask('/api/account/delete-request', { json: { email: owner.email }, status: 201 });
    const token = await linkIn(owner.email);
    const [theirs, unknown] = [
      await plain(await confirm(other, token)),
      await plain(await confirm(other, generateDeletionToken())),
    ];
    expect(theirs).toEqual(unknown);
    for (const near of nearly(token)
      .filter((one) => one.length === 64)
      .slice(0, 40))
      expect((await confirm(owner, near)).status).toBe(400);
    expect((await owner.call('/api/account')).status).toBe(200);
  });

  test('is refused like one that never was: an invite code that is used, one’s own, and none', async () => {
    const [inviter, me] = [await createAccount(), await createAccount()];
    const { code } = await inviter.ask<{ code: string }>('/api/invites', { method: 'POST' });
    const own = await me.ask<{ code: string }>('/api/invites', { method: 'POST' });
    const taken = await createAccount();
    await taken.ask('/api/onboarding', { json: { invite_code: code } });
    const again = await plain(await taken.call('/api/onboarding', { json: { invite_code: code } }));
    const refusals = [
      await plain(await me.call('/api/onboarding', { json: { invite_code: own.code } })),
      await plain(await me.call('/api/onboarding', { json: { invite_code: 'zzzzzzzz' } })),
      again,
    ];
    expect(refusals[1]).toEqual(refusals[0]);
    expect(refusals[2]).toEqual(refusals[0]);
  });

  test('is told apart from what never was by nothing: characters, personas, reports and cards', async () => {
    const [owner, other] = [await createAccount(), await createAccount()];
    const persona = await owner.ask<{ id: string }>('/api/personas', {
      json: { name: 'Wren', description: 'Maps.' },
      status: 201,
    });
    const asks: [string, string, string][] = [
      ['DELETE', '/api/personas/', persona.id],
      ['PUT', '/api/personas/{}/default', persona.id],
      ['GET', '/api/admin/accounts/', owner.id],
    ];
    for (const [method, path, id] of asks) {
      const at = (one: string) => (path.includes('{}') ? path.replace('{}', one) : path + one);
      const [theirs, unknown] = [
        await other.call(at(id), { method }),
        await other.call(at(`${id.slice(0, -2)}00`), { method }),
      ];
      expect(await plain(theirs)).toEqual(await plain(unknown));
    }
    expect((await owner.call(`/api/personas/${persona.id}/default`, { method: 'PUT' })).status).toBe(200);
  });

  test('a login code is nobody’s but the address’s that it was sent to, and goes with its first use', async () => {
    const [mine, theirs] = [createEmail(), createEmail()];
    const code = await requestLoginCode(mine);
    const enter = (email: string) =>
      new Visitor().call('/api/auth/login-with-code', { json: { email, code } });
    await requestLoginCode(theirs);
    const wrong = await enter(theirs);
    // One in a million: both were sent the same.
    if (code !== /\d{6}/.exec(mailsTo(theirs).at(-1)?.text ?? '')?.[0]) expect(wrong.status).toBe(400);
    expect((await enter(mine)).status).toBe(201);
    expect((await enter(mine)).status).toBe(400);
  });
});

describe('Whoever tries many', () => {
  test('makes no session live again, and learns nothing from a hundred made-up ones', async () => {
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

  test('finds no secret of anybody’s in the database: sessions, codes and links are there as hashes alone', async () => {
    const me = await createAccount();
    const email = createEmail();
    const code = await requestLoginCode(email);
    await me.ask('/api/account/delete-request', { json: { email: me.email }, status: 201 });
    const link = await linkIn(me.email);
    const session = me.cookie.split('=')[1] ?? '';
    for (const table of ['sessions', 'login_codes', 'deletion_requests']) {
      const { results } = await env.DB.prepare(`select * from ${table}`).all();
      const text = JSON.stringify(results);
      for (const secret of [session, link, `"${code}"`])
        expect({ table, found: text.includes(secret) }).toEqual({ table, found: false });
    }
  });
});

describe('Out and gone', () => {
  test('a logout ends this session for good: no route, no method and no other way in takes its cookie again', async () => {
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
    // Nor does coming in as somebody else by the same browser.
    const again = new Visitor();
    again.cookie = cookie;
    await again.call('/api/auth/anonymous', { method: 'POST' });
    expect(again.cookie).not.toBe(cookie);
    const old = new Visitor();
    old.cookie = cookie;
    expect((await old.call('/api/account')).status).toBe(401);
  });

  test('staff can shut an account: from that moment every session of it is refused, and none can be begun that is not', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    const other = await createAccount(me.email);
    await operator.ask('/api/admin/measures', {
      json: { kind: 'account_suspended', subject_id: me.id, reason: 'Spam.' },
      status: 201,
    });
    for (const session of [me, other, await createAccount(me.email)])
      expect((await session.call('/api/chats')).status).toBe(403);
  });

  test('a session that somebody planted is nobody’s afterwards, by whichever way in', async () => {
    const planted = await signInGuest();
    const victim = new Visitor();
    victim.cookie = planted.cookie;
    await createAccount(createEmail(), victim);
    expect(victim.cookie).not.toBe(planted.cookie);
    expect((await planted.call('/api/account')).status).toBe(401);
  });

  test('an answer sets no cookie but on the way in and out', async () => {
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

import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { LOGIN_CODE } from '../../../../src/features/account/limits.ts';
import { loadTexts } from '../../../../src/locales/i18n.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import { requestLoginCode, createEmail, createAccount, Visitor } from '../../../support/factories.ts';
import { mailsTo, recordingMail } from '../../mailbox.ts';

const { t: german } = await loadTexts('de');

const ask = (email: string): Promise<Response> =>
  new Visitor().call('/api/auth/send-login-code', { json: { email } });
const tryCode = (email: string, code: string): Promise<Response> =>
  new Visitor().call('/api/auth/login-with-code', { json: { email, code } });
const getWrongCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const INVALID = { error: 'Invalid verification code', code: 'invalid_code' };

async function expectInvalid(answer: Response): Promise<void> {
  expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 400, body: INVALID });
  expect(answer.headers.get('set-cookie')).toBeNull();
}

/** Makes the code of an address older by these minutes. */
async function ageCode(email: string, minutes: number): Promise<void> {
  await env.DB.prepare(
    'update login_codes set sent_at = sent_at - ?1, expires_at = expires_at - ?1 where email = ?2',
  )
    .bind(minutes * 60_000, email)
    .run();
}

describe('Requesting a login code', () => {
  test('a login code comes by mail, has six digits and lives for ten minutes', async () => {
    const email = createEmail();
    const answer = await ask(email);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ sent: true, expires_in: 600 });
    const [mail, ...others] = mailsTo(email);
    expect(others).toEqual([]);
    const code = /^\d{6}$/m.exec(mail?.text ?? '')?.[0];
    expect(code).toBeDefined();
    expect(mail?.subject).toContain(code);
    expect(mail?.html).toContain(`<strong>${code}</strong>`);
  });

  test('the login mail is written in the user’s language', async () => {
    const email = createEmail();
    await new Visitor().call('/api/auth/send-login-code', {
      json: { email },
      headers: { cookie: 'lang=xx', 'accept-language': 'de' },
    });
    expect(mailsTo(email)[0]?.html).toContain('lang="de"');
    expect(mailsTo(email)[0]?.text).toContain(german('mail:login_code.lead'));
  });

  test('a login mail that cannot be sent is reported, stores no code and can be requested again at once', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const email = createEmail();
    const EMAIL = { send: () => Promise.reject(new Error(`No way to ${email}`)) };
    const away = new ConfiguredVisitor({ EMAIL });
    const answer = await away.ask('/api/auth/send-login-code', { json: { email }, status: 502 });
    expect(answer).toMatchObject({ code: 'mail_failed' });
    expect(logged.mock.calls.join('\n')).not.toContain(email);
    logged.mockRestore();
    const storedCodes = env.DB.prepare('select count(*) as n from login_codes where email = ?').bind(email);
    expect(await storedCodes.first('n')).toBe(0);
    const code = await requestLoginCode(email);
    expect((await tryCode(email, code)).status).toBe(201);
  });

  test('asking for a second code too soon sends no mail and says how long to wait', async () => {
    const email = createEmail();
    await ask(email);
    await ageCode(email, 4);
    const again = await ask(email.toUpperCase());
    expect(again.status).toBe(429);
    expect(await again.json()).toMatchObject({ code: 'code_recently_sent' });
    const wait = Number(again.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(6 * 60 - 10);
    expect(wait).toBeLessThanOrEqual(6 * 60);
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('twenty simultaneous requests for a code send one mail', async () => {
    const email = createEmail();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(email)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(19);
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('a code requested after ten minutes replaces the old one', async () => {
    const email = createEmail();
    const first = await requestLoginCode(email);
    await ageCode(email, 10);
    const second = await requestLoginCode(email);
    if (first !== second) await expectInvalid(await tryCode(email, first));
    expect((await tryCode(email, second)).status).toBe(201);
  });

  test('the answer to a code request does not reveal whether the address is known', async () => {
    const known = await createAccount();
    const answers = await Promise.all([ask(known.email), ask(createEmail())]);
    const [one, other] = await Promise.all(
      answers.map(async (answer) => ({
        status: answer.status,
        body: await answer.text(),
        headers: [...answer.headers.keys()].toSorted(),
      })),
    );
    expect(one).toEqual(other);
    const tries = await Promise.all([known.email, createEmail()].map((email) => tryCode(email, '000000')));
    for (const answer of tries) expect([201, 400]).toContain(answer.status);
  });

  test('a code request for an invalid address is refused with a field error', async () => {
    for (const email of [
      '',
      'a',
      'a@b',
      '@b.cd',
      'a b@c.de',
      'a@b.c,d@e.fg',
      'a@b.cd\r\nBcc: x@y.zz',
      '<a@b.cd>',
      // Line breaks, control characters and characters that cannot be seen.
      ...['\u0085', '\0', '\u001b', '\u007f', '\u200b', '\u202e', '\u2028', '\ufeff', '\u00ad'].flatMap(
        (sign) => [`nel${sign}x@b.cd`, `x@b${sign}.cd`, `x@b.c${sign}d`],
      ),
    ]) {
      const answer = await ask(email);
      expect({ email, status: answer.status, body: await answer.json() }).toMatchObject({
        email,
        status: 400,
        body: {
          code: 'invalid_input',
          fields: { email: expect.arrayContaining(['Please enter a valid email address']) },
        },
      });
    }
  });

  test('an address that is too long is refused with one field error', async () => {
    for (const email of [`${'a'.repeat(250)}@b.cd`, 'a'.repeat(255), `${'a@'.repeat(400)}`]) {
      const answer = await ask(email);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        code: 'invalid_input',
        fields: { email: ['Please enter a valid email address'] },
      });
    }
  });

  test('an address that no mail can be sent to is never answered with a server error', async () => {
    for (const email of [
      'a\u0000b@example.test',
      'a\ud800@example.test',
      'a@exam\u0000ple.test',
      'é@例え.jp',
      'a@b..cd',
      '.@b.cd',
    ]) {
      const answer = await ask(email);
      expect({ email, status: answer.status }).toSatisfy(
        ({ status }) => status === 201 || (status >= 400 && status < 500),
      );
    }
  });
});

describe('Logging in with a code', () => {
  test('the right login code signs the user in', async () => {
    const email = createEmail();
    const answer = await tryCode(email, await requestLoginCode(email));
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ user_id: expect.stringMatching(/^[0-9a-z]{26}$/) });
    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-session=/);
  });

  test('a wrong login code is refused, and the right one still works', async () => {
    const email = createEmail();
    const code = await requestLoginCode(email);
    for (let tries = 0; tries < 4; tries += 1) await expectInvalid(await tryCode(email, getWrongCode(code)));
    expect((await tryCode(email, code)).status).toBe(201);
  });

  test('five wrong tries end a login code, and no new one can be requested at once', async () => {
    const email = createEmail();
    const code = await requestLoginCode(email);
    for (let tries = 0; tries < 5; tries += 1) await expectInvalid(await tryCode(email, getWrongCode(code)));
    await expectInvalid(await tryCode(email, code));
    const again = await ask(email);
    expect(again.status).toBe(429);
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(590);
    await ageCode(email, 10);
    expect((await tryCode(email, await requestLoginCode(email))).status).toBe(201);
  });

  describe('Guessed login codes', () => {
    const HOME = '203.0.113.7';
    const from = (address: string) => ({ 'cf-connecting-ip': address });
    /** A client at a site that separates networks; the limits per minute, which would apply first, let all calls pass. */
    const createNetworkVisitor = () =>
      new ConfiguredVisitor({
        RATE_LIMITS: 'on',
        EMAIL: recordingMail(env.EMAIL),
        AUTH_LIMIT: { limit: async () => ({ success: true }) },
        LIMIT_120: { limit: async () => ({ success: true }) },
      });
    const guess = (email: string, code: string, address: string): Promise<Response> =>
      createNetworkVisitor().call('/api/auth/login-with-code', {
        json: { email, code },
        headers: from(address),
      });
    async function requestCodeAt(address: string, email: string): Promise<string> {
      const visitor = createNetworkVisitor();
      const known = mailsTo(email).length;
      await visitor.ask('/api/auth/send-login-code', {
        json: { email },
        headers: from(address),
        status: 201,
      });
      return /\b\d{6}\b/.exec(mailsTo(email)[known]?.text ?? '')?.[0] as string;
    }
    async function expectWrongGuesses(
      email: string,
      code: string,
      address: string,
      times: number,
    ): Promise<void> {
      for (let tries = 0; tries < times; tries += 1)
        await expectInvalid(await guess(email, getWrongCode(code), address));
    }

    test('a login code works at the network that asked for it although strangers guess it from elsewhere', async () => {
      const email = createEmail();
      for (let login = 0; login < 3; login += 1) {
        const code = await requestCodeAt(HOME, email);
        for (let network = 0; network < 8; network += 1)
          await expectWrongGuesses(email, code, `2001:db8:7:${network}::1`, 6);
        expect((await guess(email, code, HOME)).status).toBe(201);
      }
    });

    test('wrong tries from all other networks share one limit, and the requesting network has its own', async () => {
      const email = createEmail();
      const code = await requestCodeAt(HOME, email);
      for (let network = 0; network < 8; network += 1)
        await expectWrongGuesses(email, code, `198.18.${network}.1`, 1);
      const tried = env.DB.prepare(
        'select tries, requester_tries, requester from login_codes where email = ?',
      );
      const row = await tried
        .bind(email)
        .first<{ tries: number; requester_tries: number; requester: string }>();
      expect(row).toMatchObject({ tries: LOGIN_CODE.maxAttemptsOtherNetworks, requester_tries: 0 });
      expect(row?.requester).toMatch(/^[0-9a-f]{16}$/);
      await expectInvalid(await guess(email, code, '192.0.2.9'));
      await expectWrongGuesses(email, code, HOME, 4);
      expect((await guess(email, code, HOME)).status).toBe(201);
    });

    test('five wrong tries from the requesting network end the code there', async () => {
      const email = createEmail();
      const code = await requestCodeAt(HOME, email);
      await expectWrongGuesses(email, code, HOME, 5);
      await expectInvalid(await guess(email, code, HOME));
    });

    test('a code that a stranger requested and guessed at still works for the user from another network', async () => {
      const email = createEmail();
      const code = await requestCodeAt('198.51.100.66', email);
      await expectWrongGuesses(email, code, '198.51.100.66', 6);
      expect((await guess(email, code, HOME)).status).toBe(201);
    });

    test('five wrong tries from any network end a code where networks are not separated', async () => {
      const email = createEmail();
      const code = await requestLoginCode(email);
      const tries = (address: string, tried: string) =>
        new Visitor().call('/api/auth/login-with-code', {
          json: { email, code: tried },
          headers: from(address),
        });
      for (let network = 0; network < 5; network += 1)
        await expectInvalid(await tries(`198.18.${network}.1`, getWrongCode(code)));
      await expectInvalid(await tries(HOME, code));
    });
  });

  test('twenty simultaneous wrong guesses count as at most five', async () => {
    const email = createEmail();
    const code = await requestLoginCode(email);
    const expectWrongGuesses = Array.from({ length: 20 }, (_, index) =>
      String((Number(code) + index + 1) % 1_000_000).padStart(6, '0'),
    );
    for (const answer of await Promise.all(expectWrongGuesses.map((guess) => tryCode(email, guess))))
      await expectInvalid(answer);
    const row = await env.DB.prepare('select tries from login_codes where email = ?')
      .bind(email)
      .first<{ tries: number }>();
    expect(row?.tries).toBe(5);
    await expectInvalid(await tryCode(email, code));
  });

  test('ten simultaneous logins with one code create one session', async () => {
    const email = createEmail();
    const code = await requestLoginCode(email);
    const answers = await Promise.all(Array.from({ length: 10 }, () => tryCode(email, code)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) await expectInvalid(answer);
    const { results } = await env.DB.prepare(
      'select sessions.id from sessions join users on users.id = sessions.user_id where users.email = ?',
    )
      .bind(email)
      .all();
    expect(results).toHaveLength(1);
  });

  test('a used login code does not work again, and a new one can be requested at once', async () => {
    const email = createEmail();
    const code = await requestLoginCode(email);
    expect((await tryCode(email, code)).status).toBe(201);
    await expectInvalid(await tryCode(email, code));
    expect((await ask(email)).status).toBe(201);
  });

  test('an address in other letter case belongs to the same account', async () => {
    const email = createEmail();
    const first = await tryCode(email.toUpperCase(), await requestLoginCode(email));
    const second = await tryCode(
      email,
      await requestLoginCode(` ${email.replace('reader', 'ReadeR')} `.trim()),
    );
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await first.json()).toEqual(await second.json());
  });

  test('a code without exactly six digits is refused and does not count as a try', async () => {
    const email = createEmail();
    const code = await requestLoginCode(email);
    for (const odd of [
      '',
      code.slice(1),
      `${code}0`,
      ` ${code}`,
      `${code.slice(1)}x`,
      '١٢٣٤٥٦',
      '１２３４５６',
      '-12345',
      '1e5000',
    ]) {
      const answer = await tryCode(email, odd);
      expect({ odd, status: answer.status, body: await answer.json() }).toMatchObject({
        odd,
        status: 400,
        body: { code: 'invalid_input', fields: { code: ['The code has 6 digits'] } },
      });
    }
    const tries = env.DB.prepare('select tries from login_codes where email = ?').bind(email);
    expect(await tries.first('tries')).toBe(0);
    expect((await tryCode(email, code)).status).toBe(201);
  });

  test('a login code no longer works after ten minutes', async () => {
    const email = createEmail();
    const code = await requestLoginCode(email);
    await env.DB.prepare('update login_codes set expires_at = ? where email = ?')
      .bind(Date.now() - 1, email)
      .run();
    await expectInvalid(await tryCode(email, code));
  });

  test('a login code does not work for another address', async () => {
    const [mine, other] = [createEmail(), createEmail()];
    const code = await requestLoginCode(mine);
    await ask(other);
    if (/\b\d{6}\b/.exec(mailsTo(other)[0]?.text ?? '')?.[0] !== code)
      await expectInvalid(await tryCode(other, code));
    expect((await tryCode(mine, code)).status).toBe(201);
  });

  test('a login code is stored nowhere in the database in plain text', async () => {
    const email = createEmail();
    const code = await requestLoginCode(email);
    const { results: tables } = await env.DB.prepare(
      "select name from sqlite_master where type = 'table'",
    ).all<{ name: string }>();
    const stored = await Promise.all(
      tables
        .filter(({ name }) => !name.startsWith('_cf') && !name.startsWith('character_search'))
        .map(async ({ name }) => (await env.DB.prepare(`select * from "${name}"`).all()).results),
    );
    expect(JSON.stringify(stored)).toContain(email);
    expect(JSON.stringify(stored)).not.toMatch(new RegExp(`(?<![0-9a-f])${code}(?![0-9a-f])`));
  });
});

import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import { loginCodes } from '../../../../src/db/schema/core.ts';
import { LOGIN_CODE } from '../../../../src/features/account/limits.ts';
import {
  saveLoginCode,
  verifyLoginCode,
} from '../../../../src/features/account/login-code/login-code-store.ts';
import { describeCodeWait } from '../../../../src/features/account/login-code/login-code-waits.ts';
import { eq } from 'drizzle-orm';
import { saveFeedback } from '../../../../src/features/feedback/feedback-store.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import { createEmail } from '../../../support/factories.ts';
import { explainQueries } from '../../../support/query-stats.ts';
import { createRandom } from '../../../support/random.ts';
import { mailsTo, recordingMail } from '../../mailbox.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2027, 6, 1, 12);
const HOME = '203.0.113.7';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START }));
afterEach(() => vi.useRealTimers());

const passes = { limit: async () => ({ success: true }) };

/** A browser at a site that separates networks, which keeps its cookies; limits per minute let all calls pass. */
class Browser extends ConfiguredVisitor {
  readonly #cookies = new Map<string, string>();
  readonly #from: string;

  constructor(from: string, { on = 'on' } = {}) {
    super({ RATE_LIMITS: on, EMAIL: recordingMail(env.EMAIL), AUTH_LIMIT: passes, LIMIT_120: passes });
    this.#from = from;
  }

  set(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  get(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  protected override async fetch(request: Request): Promise<Response> {
    request.headers.set('cf-connecting-ip', this.#from);
    request.headers.set('cookie', [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const answer = await super.fetch(request);
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      this.#cookies.set(name, value);
    }
    return answer;
  }

  requestCode(email: string): Promise<Response> {
    return this.call('/api/auth/send-login-code', { json: { email } });
  }

  logIn(email: string, code: string): Promise<Response> {
    return this.call('/api/auth/login-with-code', { json: { email, code } });
  }

  /** Requests a code, reads it from the mail and logs in. */
  async logInByMail(email: string): Promise<void> {
    expect((await this.requestCode(email)).status).toBe(201);
    expect((await this.logIn(email, readCode(email))).status).toBe(201);
  }
}

const readCode = (email: string): string =>
  mailsTo(email)
    .map(({ text }) => /^\d{6}$/m.exec(text)?.[0])
    .findLast((code) => code !== undefined) as string;
const listLinks = (email: string): string[] =>
  mailsTo(email).flatMap(({ text }) => /\/login\?browser=([0-9a-f]+)/.exec(text)?.[1] ?? []);

async function readRefusal(answer: Response): Promise<{ code: string; wait: number }> {
  expect(answer.status).toBe(429);
  const { code } = await answer.json<{ code: string }>();
  return { code, wait: Number(answer.headers.get('retry-after')) };
}

describe('Waiting for a login code', () => {
  test.each(['on', 'off'])(
    'after three unused codes the next one waits an hour, then a day, with RATE_LIMITS=%s',
    async (on) => {
      const email = createEmail();
      const browser = new Browser(HOME, { on });
      let now = START;
      const at = (ms: number) => vi.setSystemTime((now += ms));
      expect((await browser.requestCode(email)).status).toBe(201);
      for (const ms of [10 * MINUTE_MS, 10 * MINUTE_MS]) {
        at(ms - 1000);
        expect(await readRefusal(await browser.requestCode(email))).toEqual({
          code: 'code_recently_sent',
          wait: 1,
        });
        at(1000);
        expect((await browser.requestCode(email)).status).toBe(201);
      }
      at(MINUTE_MS);
      expect(await readRefusal(await browser.requestCode(email))).toEqual({
        code: 'code_recently_sent',
        wait: 59 * 60,
      });
      at(10 * MINUTE_MS);
      expect(await readRefusal(await browser.requestCode(email))).toEqual({
        code: 'too_many_unused_codes',
        wait: 49 * 60,
      });
      at(49 * MINUTE_MS);
      expect((await browser.requestCode(email)).status).toBe(201);
      at(2 * HOUR_MS);
      expect(await readRefusal(await browser.requestCode(email))).toEqual({
        code: 'too_many_unused_codes',
        wait: 22 * 3600,
      });
      at(22 * HOUR_MS);
      expect((await browser.requestCode(email)).status).toBe(201);
      at(10 * MINUTE_MS);
      expect((await browser.requestCode(email)).status).toBe(201);
    },
  );

  test('a used code ends the wait, and so does a day without a request', async () => {
    const email = createEmail();
    const browser = new Browser(HOME);
    for (let day = 0; day < 3; day += 1) {
      for (let count = 0; count < LOGIN_CODE.maxUnused; count += 1) {
        vi.setSystemTime(START + 2 * day * DAY_MS + (count + 3) * LOGIN_CODE.resendAfterMs);
        expect((await browser.requestCode(email)).status).toBe(201);
      }
    }
    expect((await browser.logIn(email, readCode(email))).status).toBe(201);
    expect((await new Browser(HOME).requestCode(email)).status).toBe(201);
  });

  test('a stranger who has used up the codes of their network delays neither other networks nor a known browser', async () => {
    const email = createEmail();
    const known = new Browser('198.51.100.66');
    await known.logInByMail(email);
    // The stranger is behind the same address as the known browser.
    const stranger = new Browser('198.51.100.66');
    for (let count = 0; count < LOGIN_CODE.maxUnused; count += 1) {
      vi.setSystemTime(START + (count + 1) * LOGIN_CODE.resendAfterMs);
      expect((await stranger.requestCode(email)).status).toBe(201);
    }
    vi.setSystemTime(START + 5 * LOGIN_CODE.resendAfterMs);
    expect((await readRefusal(await stranger.requestCode(email))).code).toBe('too_many_unused_codes');
    await known.logInByMail(email);
    await new Browser(HOME).logInByMail(email);
  });

  test('a user gets a code of their own although a stranger has just requested and guessed one elsewhere', async () => {
    const email = createEmail();
    const [stranger, accomplice, mine] = ['198.51.100.66', '198.51.100.77', HOME].map(
      (from) => new Browser(from),
    ) as [Browser, Browser, Browser];
    expect((await stranger.requestCode(email)).status).toBe(201);
    const strangers = readCode(email);
    expect((await mine.requestCode(email)).status).toBe(201);
    const code = readCode(email);
    const wrong = ['111111', '222222', '333333'].find((one) => one !== code && one !== strangers) as string;
    for (let tries = 0; tries < 7; tries += 1)
      for (const browser of [stranger, accomplice])
        expect((await browser.logIn(email, wrong)).status).toBe(400);
    for (let tries = 0; tries < 4; tries += 1) expect((await mine.logIn(email, wrong)).status).toBe(400);
    expect((await mine.logIn(email, code)).status).toBe(201);
  });

  test('a guess counts for every code that it is compared with', async () => {
    const email = createEmail();
    const [one, other, elsewhere] = [HOME, '192.0.2.1', '192.0.2.9'].map((from) => new Browser(from)) as [
      Browser,
      Browser,
      Browser,
    ];
    const codes = new Set<string>();
    for (const browser of [one, other]) {
      await browser.requestCode(email);
      codes.add(readCode(email));
    }
    const wrong = ['111111', '222222', '333333'].find((guess) => !codes.has(guess)) as string;
    for (let tries = 0; tries < 7; tries += 1) await elsewhere.logIn(email, wrong);
    await one.logIn(email, wrong);
    const { results } = await env.DB.prepare(
      'select tries, requester_tries as own from login_codes where email = ? order by own',
    )
      .bind(email)
      .all();
    expect(results).toEqual([
      { tries: 5, own: 0 },
      { tries: 6, own: 1 },
    ]);
  });

  test('a browser that logged in before gets twelve codes before it waits', async () => {
    const email = createEmail();
    const browser = new Browser(HOME);
    await browser.logInByMail(email);
    for (let count = 0; count < LOGIN_CODE.maxUnusedKnownBrowser; count += 1) {
      vi.setSystemTime(START + (count + 1) * LOGIN_CODE.resendAfterMs);
      expect((await browser.requestCode(email)).status).toBe(201);
    }
    vi.setSystemTime(START + 14 * LOGIN_CODE.resendAfterMs);
    expect(await readRefusal(await browser.requestCode(email))).toMatchObject({
      code: 'too_many_unused_codes',
    });
  });

  test('the mark of a browser is an HttpOnly cookie for a year that holds no address and is of no use for another one', async () => {
    const [email, other] = [createEmail(), createEmail()];
    const browser = new Browser(HOME);
    await browser.logInByMail(email);
    const mark = browser.get('__Host-known-browser') ?? '';
    expect(mark).toMatch(/^[0-9a-f]{48}$/);
    await browser.call('/api/logout', { method: 'POST' });
    expect(browser.get('__Host-known-browser')).toBe(mark);
    // Another address in the same browser is a stranger's: it waits after three codes.
    for (let count = 0; count < LOGIN_CODE.maxUnused; count += 1) {
      vi.setSystemTime(START + (count + 1) * LOGIN_CODE.resendAfterMs);
      expect((await browser.requestCode(other)).status).toBe(201);
    }
    vi.setSystemTime(START + 5 * LOGIN_CODE.resendAfterMs);
    expect((await browser.requestCode(other)).status).toBe(429);
    const fresh = new Browser('203.0.113.99');
    expect((await fresh.requestCode(other)).status).toBe(201);
    const answer = await fresh.logIn(other, readCode(other));
    const cookie = answer.headers.getSetCookie().find((text) => text.startsWith('__Host-known-browser='));
    expect(cookie?.split('; ').slice(1).toSorted()).toEqual([
      'HttpOnly',
      `Max-Age=${365 * 24 * 3600}`,
      'Path=/',
      'SameSite=Lax',
      'Secure',
    ]);
  });
});

describe('An address that strangers request codes for', () => {
  /** Strangers leave as many codes unused as they may, each from a network of another provider. */
  async function useUpCodes(email: string): Promise<void> {
    for (let count = 0; count < LOGIN_CODE.maxUnusedOfStrangers; count += 1)
      expect((await new Browser(`198.${count}.113.1`).requestCode(email)).status).toBe(201);
  }

  test('strangers get twelve codes a day together, from however many networks and however many at once', async () => {
    const email = createEmail();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        new Browser(`2001:db8:${(index * 1000).toString(16)}:1::1`).requestCode(email),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(LOGIN_CODE.maxUnusedOfStrangers);
    expect(listLinks(email)).toHaveLength(1);
    const refused = await readRefusal(await new Browser('2001:db8:ffff::1').requestCode(email));
    expect(refused).toEqual({ code: 'too_many_unused_codes', wait: 24 * 3600 });
    vi.setSystemTime(START + DAY_MS);
    expect((await new Browser('2001:db8:ffff::1').requestCode(email)).status).toBe(201);
  });

  test('its user is not locked out in a new browser: the link that was mailed there makes the browser known', async () => {
    const email = createEmail();
    await useUpCodes(email);
    const browser = new Browser(HOME);
    expect((await readRefusal(await browser.requestCode(email))).code).toBe('too_many_unused_codes');
    const [link = ''] = listLinks(email);
    // The page of the link stores it as the cookie.
    browser.set('__Host-known-browser', link);
    await browser.logInByMail(email);
    expect(browser.get('__Host-known-browser')).toBe(link);
  });

  test('at most one link an hour is mailed, and a link that could not be mailed is tried again', async () => {
    const email = createEmail();
    await useUpCodes(email);
    const failing = new ConfiguredVisitor({
      RATE_LIMITS: 'on',
      EMAIL: { send: () => Promise.reject(new Error('no way')) },
    });
    vi.spyOn(console, 'error').mockReturnValue();
    await failing.call('/api/auth/send-login-code', { json: { email } });
    vi.restoreAllMocks();
    const ask = () => new Browser(HOME).requestCode(email);
    await Promise.all(Array.from({ length: 20 }, ask));
    expect(listLinks(email)).toHaveLength(1);
    vi.setSystemTime(START + HOUR_MS - 1);
    await ask();
    expect(listLinks(email)).toHaveLength(1);
    vi.setSystemTime(START + HOUR_MS);
    await ask();
    expect(listLinks(email)).toHaveLength(2);
    expect(new Set(listLinks(email)).size).toBe(2);
  });

  test('a passkey and Google ask for no code, so no wait concerns them', async () => {
    const email = createEmail();
    await useUpCodes(email);
    const answer = await new Browser(HOME).call('/api/auth/passkey-options', { method: 'POST' });
    expect(answer.status).toBe(200);
    expect((await new Browser(HOME).call('/api/auth/google')).status).toBe(302);
  });

  test('requesting and trying a code, and counting feedback, reads the rows of one address or user by an index', async () => {
    const email = createEmail();
    const by = { requester: 'a network', isKnownBrowser: false };
    const plans = await explainQueries(async (db) => {
      await saveLoginCode(db, { email, codeHash: 'hash', by, now: START });
      await saveLoginCode(db, { email, codeHash: 'hash', by, now: START });
      await verifyLoginCode(db, { email, codeHash: 'other', by: [by.requester], now: START });
      await saveFeedback(db, {
        userId: 'nobody',
        message: 'Hello',
        email: null,
        language: 'en',
        now: START,
      }).catch(() => null);
    });
    expect(plans.join('\n')).toMatch(/SEARCH login_codes USING INDEX/);
    expect(plans.join('\n')).toMatch(/SEARCH feedback USING (?:COVERING )?INDEX feedback_user/);
    expect(plans.join('\n')).not.toMatch(/SCAN (?:login_codes|feedback)\b/);
  });

  test('whatever strangers do, a rolling day has at most twelve of their codes, and each refusal says when to return', async () => {
    const db = openDatabase(env.DB);
    const random = createRandom();
    for (let run = 0; run < 6; run += 1) {
      const email = createEmail();
      const sent: number[] = [];
      let now = START;
      for (let step = 0; step < 120; step += 1) {
        now += Math.floor(random() ** 4 * 6 * HOUR_MS);
        const by = { requester: `n${Math.floor(random() * (run + 1) * 4)}`, isKnownBrowser: random() < 0.1 };
        if (by.isKnownBrowser) by.requester = 'browser';
        const known = await db.select().from(loginCodes).where(eq(loginCodes.email, email));
        const { retryAt } = describeCodeWait(known, by, now);
        const saved = await saveLoginCode(db, { email, codeHash: `hash ${step}`, by, now });
        // The statement and the rule agree on every request.
        expect({ step, saved: saved === true }).toEqual({ step, saved: retryAt <= now });
        if (saved === true && !by.isKnownBrowser) sent.push(now);
        expect(sent.filter((time) => time > now - DAY_MS).length).toBeLessThanOrEqual(
          LOGIN_CODE.maxUnusedOfStrangers,
        );
      }
      expect(sent.length).toBeGreaterThan(10);
    }
  });
});

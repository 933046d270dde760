import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { AuthStatus } from '../../../../src/features/account/contract.ts';
import type { Result } from '../../../../src/islands/shared/api.ts';
import { NEWCOMER } from '../../../support/session-users.ts';

const answers: ((answer: Result<AuthStatus>) => void)[] = [];
const authStatus = () => new Promise<Result<AuthStatus>>((resolve) => answers.push(resolve));
vi.mock(import('../../../../src/islands/shared/api.ts'), () => ({ api: { authStatus } }) as never);

const LOGGED_OUT = { is_authenticated: false, isAuthenticated: false, user: null } satisfies AuthStatus;
const ANA = { is_authenticated: true, isAuthenticated: true, user: NEWCOMER } satisfies AuthStatus;
const succeed = (data: AuthStatus): Result<AuthStatus> => ({ ok: true, data });

const importFresh = () => import('../../../../src/islands/shared/session-state.ts');

beforeEach(() => {
  vi.resetModules();
  answers.length = 0;
});

describe('Session state', () => {
  test('an answer to an earlier session request does not replace the answer to a later one', async () => {
    const { $session, refreshSession } = await importFresh();
    const before = refreshSession();
    const after = refreshSession();
    answers[1]?.(succeed(ANA));
    expect(await after).toEqual(ANA);
    answers[0]?.(succeed(LOGGED_OUT));
    expect(await before).toEqual(ANA);
    expect($session.get()).toEqual({ status: 'known', auth: ANA });
  });

  test('all waiting callers receive the answer of the latest session request', async () => {
    const { $session, refreshSession } = await importFresh();
    const before = refreshSession();
    const after = refreshSession();
    answers[0]?.(succeed(LOGGED_OUT));
    answers[1]?.(succeed(ANA));
    expect(await Promise.all([before, after])).toEqual([ANA, ANA]);
    expect($session.get()).toEqual({ status: 'known', auth: ANA });
  });

  test('parts of a page that only read the session share one request', async () => {
    const { getSession: knownSession } = await importFresh();
    const both = Promise.all([knownSession(), knownSession()]);
    answers[0]?.(succeed(ANA));
    expect(await both).toEqual([ANA, ANA]);
    expect(await knownSession()).toEqual(ANA);
    expect(answers).toHaveLength(1);
  });

  test('the user counts as logged out when the server cannot be reached', async () => {
    const { $session, refreshSession } = await importFresh();
    const asking = refreshSession();
    answers[0]?.({ ok: false, status: 0, code: 'network', error: '' });
    expect(await asking).toEqual(LOGGED_OUT);
    expect($session.get()).toEqual({ status: 'known', auth: LOGGED_OUT, isUnreachable: true });
  });

  test('a user counts as logged out once the server has said so twice, after a login in another tab had time to end', async () => {
    const { $session, confirmEndAfter, refreshSession } = await importFresh();
    const waitForLogins = vi.fn(async () => {});
    confirmEndAfter(waitForLogins);
    const first = refreshSession();
    answers[0]?.(succeed(ANA));
    await first;

    const replaced = refreshSession();
    answers[1]?.(succeed(LOGGED_OUT));
    await vi.waitFor(() => expect(answers).toHaveLength(3));
    expect(waitForLogins).toHaveBeenCalledOnce();
    expect($session.get().auth).toEqual(ANA);
    answers[2]?.(succeed(ANA));
    expect(await replaced).toEqual(ANA);

    const ended = refreshSession();
    answers[3]?.(succeed(LOGGED_OUT));
    await vi.waitFor(() => expect(answers).toHaveLength(5));
    answers[4]?.(succeed(LOGGED_OUT));
    expect(await ended).toEqual(LOGGED_OUT);
    expect($session.get()).toEqual({ status: 'known', auth: LOGGED_OUT });
  });

  test('a failure to read the session changes nothing on a page with a user', async () => {
    const { $session, refreshSession } = await importFresh();
    const first = refreshSession();
    answers[0]?.(succeed(ANA));
    await first;
    for (const status of [0, 429, 500, 503]) {
      const asking = refreshSession();
      answers.at(-1)?.({ ok: false, status, code: 'any', error: '' });
      expect(await asking).toEqual(ANA);
      expect($session.get()).toEqual({ status: 'known', auth: ANA });
    }
  });

  test('a page that cannot read the session at all never takes that for a logout', async () => {
    for (const status of [0, 429, 500]) {
      const { $session, refreshSession } = await importFresh();
      const asking = refreshSession();
      answers.at(-1)?.({ ok: false, status, code: 'any', error: '' });
      await asking;
      expect($session.get()).toMatchObject({ isUnreachable: true });
    }
  });
});

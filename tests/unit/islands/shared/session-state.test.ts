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
});

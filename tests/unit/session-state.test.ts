import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { AuthStatus } from '../../src/features/account/contract.ts';
import type { Result } from '../../src/islands/shared/api.ts';
import { NEWCOMER } from '../support/session-users.ts';

const answers: ((answer: Result<AuthStatus>) => void)[] = [];
const authStatus = () => new Promise<Result<AuthStatus>>((resolve) => answers.push(resolve));
vi.mock(import('../../src/islands/shared/api.ts'), () => ({ api: { authStatus } }) as never);

const NOBODY = { is_authenticated: false, isAuthenticated: false, user: null } satisfies AuthStatus;
const ANA = { is_authenticated: true, isAuthenticated: true, user: NEWCOMER } satisfies AuthStatus;
const saying = (data: AuthStatus): Result<AuthStatus> => ({ ok: true, data });

const fresh = () => import('../../src/islands/shared/session-state.ts');

beforeEach(() => {
  vi.resetModules();
  answers.length = 0;
});

describe('Who I am', () => {
  test('right after I came in is not what the page had asked before, however late that is answered', async () => {
    const { $session, refreshSession } = await fresh();
    const before = refreshSession();
    const after = refreshSession();
    answers[1]?.(saying(ANA));
    expect(await after).toEqual(ANA);
    answers[0]?.(saying(NOBODY));
    expect(await before).toEqual(ANA);
    expect($session.get()).toEqual({ status: 'known', auth: ANA });
  });

  test('is told by the later answer to whoever asked first as well', async () => {
    const { $session, refreshSession } = await fresh();
    const before = refreshSession();
    const after = refreshSession();
    answers[0]?.(saying(NOBODY));
    answers[1]?.(saying(ANA));
    expect(await Promise.all([before, after])).toEqual([ANA, ANA]);
    expect($session.get()).toEqual({ status: 'known', auth: ANA });
  });

  test('is asked once by all the parts of a page that only want to know', async () => {
    const { getSession: knownSession } = await fresh();
    const both = Promise.all([knownSession(), knownSession()]);
    answers[0]?.(saying(ANA));
    expect(await both).toEqual([ANA, ANA]);
    expect(await knownSession()).toEqual(ANA);
    expect(answers).toHaveLength(1);
  });

  test('is nobody when the server cannot be asked', async () => {
    const { $session, refreshSession } = await fresh();
    const asking = refreshSession();
    answers[0]?.({ ok: false, status: 0, code: 'network', error: '' });
    expect(await asking).toEqual(NOBODY);
    expect($session.get()).toEqual({ status: 'known', auth: NOBODY });
  });
});

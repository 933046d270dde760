import { describe, expect, test } from 'vitest';
import { DELETION_LINK } from '../../src/features/account/limits.ts';
import { createAccountDeletionFlow } from '../../src/islands/account-deletion/deletion-state.ts';
import type { DeletionApi } from '../../src/islands/account-deletion/deletion-api.ts';
import { NETWORK_FAILURE, type Failure } from '../../src/islands/shared/api.ts';

const refused = (status: number, code: string, more: Partial<Failure> = {}): Failure => ({
  ok: false,
  status,
  code,
  error: '',
  ...more,
});
const sent = { ok: true, data: { sent: true as const, expires_in: 86_400 } } as const;
const subscription = { id: 'I-1', status: 'cancelled', paid_until: '2027-01-15T10:00:00.000Z' } as const;
const deleted = {
  ok: true,
  data: { deleted: true as const, membership: 'cancelled' as const, subscription },
} as const;

/** The page, the server's answers as they come, and what it did to the device. */
function page(token: string | null, answers: Partial<DeletionApi>, comesBack = false) {
  const happened: string[] = [];
  const waits: { ms: number; run: () => void }[] = [];
  const deletion = createAccountDeletionFlow(
    {
      api: {
        request: answers.request ?? (async () => sent),
        confirm: answers.confirm ?? (async () => deleted),
      },
      clock: {
        now: () => 1_000_000,
        after: (ms, run) => {
          waits.push({ ms, run });
          return () => {};
        },
      },
      signIn: async () => {
        happened.push('asked to log in');
        return comesBack;
      },
      clearSession: async () => {
        happened.push(`forgotten at ${deletion.$state.get().step}`);
      },
    },
    token,
  );
  return { deletion, happened, waits, state: () => deletion.$state.get() };
}

describe('Asking for the link', () => {
  test('says where it went and when there may be another', async () => {
    const { deletion, state, waits } = page(null, {});
    await deletion.request(' ada@example.test ');
    expect(state()).toMatchObject({
      step: 'sent',
      sent: { email: 'ada@example.test', resendAt: 1_000_000 + DELETION_LINK.resendAfterMs },
      canResend: false,
    });
    waits[0]?.run();
    expect(state()).toMatchObject({ canResend: true });
  });

  test('with another address than mine says so at the field and stays', async () => {
    const fields = { email: ['Email address does not match your account'] };
    const { deletion, state } = page(null, {
      request: async () => refused(400, 'invalid_input', { fields }),
    });
    await deletion.request('else@example.test');
    expect(state()).toMatchObject({ step: 'ask', mismatch: true, failure: null, busy: false });
  });

  test('too soon tells of the link that is there, and waits as long as the server says', async () => {
    const { deletion, state, waits } = page(null, {
      request: async () => refused(429, 'deletion_link_recently_sent', { retryAfter: 42 }),
    });
    await deletion.request('ada@example.test');
    expect(state()).toMatchObject({
      step: 'sent',
      sent: { resendAt: 1_042_000 },
      failure: { code: 'deletion_link_recently_sent' },
    });
    expect(waits[0]?.ms).toBe(42_000);
  });

  test('without a network keeps what was typed where it is', async () => {
    const { deletion, state } = page(null, { request: async () => NETWORK_FAILURE });
    await deletion.request('ada@example.test');
    expect(state()).toMatchObject({ step: 'ask', busy: false, failure: { code: 'network' } });
  });
});

describe('The last step', () => {
  test('takes what the device keeps away first, and then says that it is done', async () => {
    const { deletion, state, happened } = page('token', {});
    expect(state().step).toBe('confirm');
    await deletion.confirm('token');
    expect(happened).toEqual(['forgotten at confirm']);
    expect(state()).toMatchObject({ step: 'done', subscription });
    await deletion.confirm('token');
    expect(happened).toHaveLength(1);
  });

  test('pressed twice is one deletion', async () => {
    let calls = 0;
    const { deletion } = page('token', {
      confirm: async () => {
        calls += 1;
        return deleted;
      },
    });
    await Promise.all([deletion.confirm('token'), deletion.confirm('token')]);
    expect(calls).toBe(1);
  });

  test('with a link that does not work leads to the asking for a new one', async () => {
    const { deletion, state, happened } = page('old', {
      confirm: async () => refused(400, 'invalid_deletion_link'),
    });
    await deletion.confirm('old');
    expect(state()).toMatchObject({ step: 'invalid', busy: false });
    deletion.startOver();
    expect(state()).toMatchObject({ step: 'ask', failure: null });
    expect(happened).toEqual([]);
  });

  test('when the server fails leaves everything as it is, to be tried again', async () => {
    const { deletion, state, happened } = page('token', {
      confirm: async () => refused(502, 'membership_not_cancelled'),
    });
    await deletion.confirm('token');
    expect(state()).toMatchObject({ step: 'confirm', failure: { code: 'membership_not_cancelled' } });
    expect(happened).toEqual([]);
  });

  test('after an answer that was lost does not have me begin a new account, but says where to look', async () => {
    const answers = [NETWORK_FAILURE, refused(401, 'unauthenticated')];
    const { deletion, state, happened } = page('token', {
      confirm: async () => answers.shift() ?? deleted,
    });
    await deletion.confirm('token');
    expect(state()).toMatchObject({ step: 'confirm', failure: { code: 'network' }, busy: false });
    await deletion.confirm('token');
    expect(state()).toMatchObject({ step: 'unsure', busy: false });
    expect(happened).toEqual([]);
  });

  test('after the session ended asks who is there, and waits for the button again', async () => {
    const { deletion, state, happened } = page(
      'token',
      { confirm: async () => refused(401, 'unauthenticated') },
      true,
    );
    await deletion.confirm('token');
    expect(happened).toEqual(['asked to log in']);
    expect(state()).toMatchObject({ step: 'confirm', failure: null, busy: false });
  });
});

import { describe, expect, test } from 'vitest';
import { DELETION_LINK } from '../../../../src/features/account/limits.ts';
import { createAccountDeletionFlow } from '../../../../src/islands/account-deletion/deletion-state.ts';
import type { DeletionApi } from '../../../../src/islands/account-deletion/deletion-api.ts';
import { NETWORK_FAILURE, type Failure } from '../../../../src/islands/shared/api.ts';

const refused = (status: number, code: string, more: Partial<Failure> = {}): Failure => ({
  ok: false,
  status,
  code,
  error: '',
  ...more,
});
const linkSent = { ok: true, data: { sent: true as const, expires_in: 86_400 } } as const;
const subscription = { id: 'I-1', status: 'cancelled', paid_until: '2027-01-15T10:00:00.000Z' } as const;
const deleted = {
  ok: true,
  data: { deleted: true as const, membership: 'cancelled' as const, subscription },
} as const;

/** The page with these answers of the server, and what it did on the device. */
function page(token: string | null, answers: Partial<DeletionApi>, logsIn = false) {
  const events: string[] = [];
  const waits: { ms: number; run: () => void }[] = [];
  const deletion = createAccountDeletionFlow(
    {
      api: {
        request: answers.request ?? (async () => linkSent),
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
        events.push('asked to log in');
        return logsIn;
      },
      clearSession: async () => {
        events.push(`forgotten at ${deletion.$state.get().step}`);
      },
    },
    token,
  );
  return { deletion, events, waits, state: () => deletion.$state.get() };
}

describe('Deletion link', () => {
  test('requesting a link shows where it was sent and when another can be requested', async () => {
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

  test('a request with another email address shows the mismatch and stays on the form', async () => {
    const fields = { email: ['Email address does not match your account'] };
    const { deletion, state } = page(null, {
      request: async () => refused(400, 'invalid_input', { fields }),
    });
    await deletion.request('else@example.test');
    expect(state()).toMatchObject({ step: 'ask', mismatch: true, failure: null, busy: false });
  });

  test('a request too soon shows the link already sent and waits as long as the server says', async () => {
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

  test('a request without a network stays on the form', async () => {
    const { deletion, state } = page(null, { request: async () => NETWORK_FAILURE });
    await deletion.request('ada@example.test');
    expect(state()).toMatchObject({ step: 'ask', busy: false, failure: { code: 'network' } });
  });
});

describe('Confirmation', () => {
  test('confirming clears the device before it shows that the account is deleted', async () => {
    const { deletion, state, events } = page('token', {});
    expect(state().step).toBe('confirm');
    await deletion.confirm('token');
    expect(events).toEqual(['forgotten at confirm']);
    expect(state()).toMatchObject({ step: 'done', subscription });
    await deletion.confirm('token');
    expect(events).toHaveLength(1);
  });

  test('confirming twice deletes once', async () => {
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

  test('an invalid link leads to requesting a new one', async () => {
    const { deletion, state, events } = page('old', {
      confirm: async () => refused(400, 'invalid_deletion_link'),
    });
    await deletion.confirm('old');
    expect(state()).toMatchObject({ step: 'invalid', busy: false });
    deletion.startOver();
    expect(state()).toMatchObject({ step: 'ask', failure: null });
    expect(events).toEqual([]);
  });

  test('a failure of the server changes nothing, so the user can try again', async () => {
    const { deletion, state, events } = page('token', {
      confirm: async () => refused(502, 'cancellation_failed'),
    });
    await deletion.confirm('token');
    expect(state()).toMatchObject({ step: 'confirm', failure: { code: 'cancellation_failed' } });
    expect(events).toEqual([]);
  });

  test('confirming after a lost answer does not start a new account and shows where to look', async () => {
    const answers = [NETWORK_FAILURE, refused(401, 'unauthenticated')];
    const { deletion, state, events } = page('token', {
      confirm: async () => answers.shift() ?? deleted,
    });
    await deletion.confirm('token');
    expect(state()).toMatchObject({ step: 'confirm', failure: { code: 'network' }, busy: false });
    await deletion.confirm('token');
    expect(state()).toMatchObject({ step: 'unsure', busy: false });
    expect(events).toEqual([]);
  });

  test('confirming after the session ended asks for login and waits for another press', async () => {
    const { deletion, state, events } = page(
      'token',
      { confirm: async () => refused(401, 'unauthenticated') },
      true,
    );
    await deletion.confirm('token');
    expect(events).toEqual(['asked to log in']);
    expect(state()).toMatchObject({ step: 'confirm', failure: null, busy: false });
  });
});

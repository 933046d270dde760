import { describe, expect, test, vi } from 'vitest';
import { RUNTIME_CONFIG_DEFAULTS } from '../../../../src/features/runtime-config/defaults.ts';
import {
  parseRuntimeConfig,
  parseRuntimeConfigText,
  applyOverrides,
} from '../../../../src/features/runtime-config/runtime-config.ts';
import {
  clearRuntimeConfigCache,
  readRuntimeConfig,
} from '../../../../src/features/runtime-config/runtime-config-gateway.ts';
import {
  runtimeConfig,
  type RuntimeConfigKey,
  RUNTIME_CONFIG_KEYS,
} from '../../../../src/features/runtime-config/contract.ts';

/** The values that each constant accepts and refuses. */
const VALUES: Record<RuntimeConfigKey, { takes: unknown[]; refuses: unknown[] }> = {
  start_points: { takes: [0, 1_000_000], refuses: [-1, 1_000_001, 1.5, '50', true] },
  refill_to_points: { takes: [1, 1_000_000], refuses: [-1, 1_000_001, 0.5, '50'] },
  refill_hours: { takes: [1, 8760], refuses: [0, 8761, 1.5, '8'] },
  message_cost_points: { takes: [0, 50], refuses: [-1, 10_001, 0.5, '1'] },
  daily_message_limit: { takes: [1, 1_000_000, null], refuses: [0, 1_000_001, 1.5, 'none'] },
  character_cost_points: { takes: [0, 1_000_000], refuses: [-5, 1_000_001, 2.5, '5'] },
  invite_points: { takes: [0, 1_000_000], refuses: [-10, 1_000_001, 1.1, '10'] },
  commission_percent: { takes: [0, 100], refuses: [-1, 101, 12.5, 0.15, '15%'] },
  storyteller_price_cents: { takes: [1, 1_000_000], refuses: [0, 6.99, 1_000_001, '699'] },
  adventurer_price_cents: { takes: [1, 1_000_000], refuses: [0, 14.99, 1_000_001, '1499'] },
  legend_price_cents: { takes: [1, 1_000_000], refuses: [0, 24.99, 1_000_001, '2499'] },
  storyteller_paypal_plan: {
    takes: ['P-5ML4271244454362WXNWU5NQ', 'plan_one', null],
    refuses: ['', 'P- 5ML4271244454362', `P-${'5'.repeat(63)}`, 'P-ä', 7],
  },
  personas_free: { takes: [1, 500], refuses: [0, 10_001, 1.5, '5'] },
  personas_storyteller: { takes: [5, 10_000], refuses: [0, 10_001, 5.5, '500'] },
  competition_season: { takes: [1, 3, 10_000], refuses: [0, -1, 1.5, '3', 10_001] },
  competition_begins_on: { takes: ['2025-11-24'], refuses: ['2025-02-30', '25.8.2025', '', 20250825] },
  competition_ends_on: { takes: ['2025-08-26'], refuses: ['2025-13-01', 'soon', '', 20251125] },
  competition_winners_on: { takes: ['2025-11-25', '2026-01-01'], refuses: ['2025-11-31', '', 0] },
  model_calls: { takes: ['on', 'off'], refuses: ['', 'On', true, 0] },
  model_titles: { takes: ['on', 'off'], refuses: ['', 'On', true, 0] },
  model_budget_cents_per_day: { takes: [1, 100_000_000, null], refuses: [0, 0.5, 100_000_001, '100'] },
  model_budget_tokens_per_day: { takes: [1, 1_000_000_000_000, null], refuses: [0, 1.5, 1e13, '1'] },
  person_model_cents_per_day: { takes: [1, 100_000_000, null], refuses: [0, 0.5, 100_000_001, '100'] },
  person_model_tokens_per_day: { takes: [1, 1_000_000_000_000, null], refuses: [0, 1.5, 1e13, '1'] },
  replies_at_once: { takes: [1, 1000], refuses: [0, 1001, 1.5, '5', true] },
  blocked_tags: { takes: ['', 'gore, spam'], refuses: [7, ['gore'], 'x'.repeat(10_001)] },
  merged_tags: {
    takes: ['', 'sci fi > sci-fi, scifi>sci-fi'],
    refuses: [7, 'sci fi', 'a > b, c', '> b', 'a > b > c'],
  },
};

/** Returns the errors of a change, or null if it is valid. */
const getErrors = (change: unknown) => {
  const changed = applyOverrides({}, change);
  return changed.ok ? null : changed.wrong;
};

describe('Runtime configuration', () => {
  test('the defaults are those of the specification', () => {
    expect(runtimeConfig.parse(RUNTIME_CONFIG_DEFAULTS)).toEqual(RUNTIME_CONFIG_DEFAULTS);
    expect(Object.keys(RUNTIME_CONFIG_DEFAULTS).toSorted()).toEqual(RUNTIME_CONFIG_KEYS.toSorted());
    expect(parseRuntimeConfig(null)).toEqual({ business: RUNTIME_CONFIG_DEFAULTS, change: {}, wrong: [] });
  });

  test.each(RUNTIME_CONFIG_KEYS)('a constant can be changed within its bounds: %s', (name) => {
    const { takes, refuses } = VALUES[name];
    for (const value of takes) {
      const changed = applyOverrides({}, { [name]: value });
      expect({ value, changed }).toMatchObject({ changed: { ok: true, business: { [name]: value } } });
      expect(parseRuntimeConfig({ [name]: value })).toMatchObject({ business: { [name]: value }, wrong: [] });
    }
    for (const value of refuses) {
      expect({ value, wrong: getErrors({ [name]: value }) }).toEqual({
        value,
        wrong: { [name]: [expect.any(String)] },
      });
      expect(parseRuntimeConfig({ [name]: value, invite_points: 21 })).toMatchObject({
        business: { [name]: name === 'invite_points' ? 21 : RUNTIME_CONFIG_DEFAULTS[name] },
      });
    }
  });

  test.each(RUNTIME_CONFIG_KEYS)(
    'an invalid stored value falls back to its default and leaves the other constants alone: %s',
    (name) => {
      const stored = { message_cost_points: 3, refill_hours: 4, [name]: VALUES[name].refuses[0] };
      const { business: read, change, wrong } = parseRuntimeConfig(stored);
      expect(wrong).toEqual([name]);
      expect(read).toEqual({
        ...RUNTIME_CONFIG_DEFAULTS,
        message_cost_points: 3,
        refill_hours: 4,
        [name]: RUNTIME_CONFIG_DEFAULTS[name],
      });
      expect(change).not.toHaveProperty(name);
    },
  );

  test('null resets a constant to its default, except where null is a valid value', () => {
    for (const name of RUNTIME_CONFIG_KEYS) {
      const [value] = VALUES[name].takes;
      const before = applyOverrides({}, { [name]: value });
      if (!before.ok) throw new Error(name);
      const changed = applyOverrides(before.kept, { [name]: null });
      const isValue =
        ['daily_message_limit', 'storyteller_paypal_plan'].includes(name) ||
        /^(model_budget|person_model)_/.test(name);
      expect({ name, changed }).toEqual({
        name,
        changed: {
          ok: true,
          kept: isValue ? { [name]: null } : {},
          business: { ...RUNTIME_CONFIG_DEFAULTS, ...(isValue ? { [name]: null } : {}) },
        },
      });
    }
  });

  test('unknown names and empty changes are refused', () => {
    expect(getErrors({ mesage_cost_points: 2 })).toEqual({ mesage_cost_points: ['Unknown name'] });
    expect(getErrors({ message_cost_points: 2, toString: 1 })).toEqual({ toString: ['Unknown name'] });
    expect(getErrors({})).toEqual({ _: [expect.any(String)] });
    for (const nothing of [null, undefined, 7, 'text', []]) expect(getErrors(nothing)).toHaveProperty('_');
    expect(parseRuntimeConfig({ constructor: 7, unknown: 1, refill_hours: 2 })).toMatchObject({
      business: { ...RUNTIME_CONFIG_DEFAULTS, refill_hours: 2 },
      wrong: ['constructor', 'unknown'],
    });
  });

  test('contradicting constants are refused, and stored ones all fall back to their defaults', () => {
    const contradictions = [
      [{ personas_free: 501 }, 'personas_storyteller'],
      [{ personas_free: 20, personas_storyteller: 19 }, 'personas_storyteller'],
      [{ competition_ends_on: '2025-08-25' }, 'competition_ends_on'],
      [{ competition_begins_on: '2026-08-25' }, 'competition_ends_on'],
      [{ competition_winners_on: '2025-11-24' }, 'competition_winners_on'],
    ] as const;
    for (const [change, at] of contradictions) {
      expect(getErrors(change)).toEqual({ [at]: [expect.any(String)] });
      expect(parseRuntimeConfig({ ...change, message_cost_points: 3 })).toEqual({
        business: { ...RUNTIME_CONFIG_DEFAULTS, message_cost_points: 3 },
        change: { message_cost_points: 3 },
        wrong: Object.keys(change),
      });
    }
    const next = {
      competition_begins_on: '2026-08-25',
      competition_ends_on: '2026-11-25',
      competition_winners_on: '2026-11-30',
    };
    expect(applyOverrides({}, next)).toMatchObject({ ok: true, business: next });
    // A change is validated together with the changes stored before.
    expect(applyOverrides({ personas_storyteller: 10 }, { personas_free: 11 })).toMatchObject({ ok: false });
  });

  test('a message may cost at most as many points as a refill gives', () => {
    for (const change of [
      { message_cost_points: 10_000, refill_to_points: 10_000 },
      { message_cost_points: 0, refill_to_points: 0 },
    ])
      expect(applyOverrides({}, change)).toMatchObject({ ok: true, business: change });
    for (const change of [
      { message_cost_points: 51 },
      { refill_to_points: 0 },
      { message_cost_points: 3, refill_to_points: 2 },
    ]) {
      expect(getErrors(change)).toEqual({ message_cost_points: [expect.stringContaining('refill')] });
      expect(parseRuntimeConfig({ ...change, refill_hours: 2 })).toEqual({
        business: { ...RUNTIME_CONFIG_DEFAULTS, refill_hours: 2 },
        change: { refill_hours: 2 },
        wrong: expect.arrayContaining(Object.keys(change)) as string[],
      });
    }
    expect(applyOverrides({ message_cost_points: 20 }, { refill_to_points: 19 })).toMatchObject({
      ok: false,
    });
  });

  test('a stored text that cannot be parsed leaves all constants at their defaults', () => {
    for (const text of ['', '{', 'null x', '7', '"text"', '[]', '[{"refill_hours":2}]', 'true']) {
      expect({ text, read: parseRuntimeConfigText(text) }).toEqual({
        text,
        read: { business: RUNTIME_CONFIG_DEFAULTS, change: {}, wrong: ['_'] },
      });
    }
    expect(parseRuntimeConfigText(null)).toMatchObject({ business: RUNTIME_CONFIG_DEFAULTS, wrong: [] });
    expect(parseRuntimeConfigText('{"refill_hours":2}')).toMatchObject({
      business: { refill_hours: 2 },
      wrong: [],
    });
  });
});

describe('Reading the runtime configuration', () => {
  /** A KV namespace that holds one text, counts its reads and can fail. */
  function namespace(text: string | null = null) {
    const state = { text, reads: 0, broken: false };
    const KV = {
      get: async () => {
        state.reads += 1;
        if (state.broken) throw new Error('KV is away');
        return state.text;
      },
    } as unknown as KVNamespace;
    return { state, env: { KV } };
  }

  test('the configuration is read from KV once in a while, and a change takes effect within a minute', async () => {
    const { state, env } = namespace();
    for (let second = 0; second < 20; second += 1) await readRuntimeConfig(env, second * 1000);
    expect(state.reads).toBe(1);
    state.text = '{"message_cost_points":2}';
    // KV itself may answer with a cached value that is half a minute old.
    expect(await readRuntimeConfig(env, 25_000)).toMatchObject({ message_cost_points: 2 });
    state.text = '{"message_cost_points":3}';
    expect(await readRuntimeConfig(env, 30_000)).toMatchObject({ message_cost_points: 2 });
    clearRuntimeConfigCache(env);
    expect(await readRuntimeConfig(env, 30_001)).toMatchObject({ message_cost_points: 3 });
  });

  test('the last known configuration, or the defaults, are used while KV fails', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { state, env } = namespace('{"message_cost_points":2}');
    state.broken = true;
    expect(await readRuntimeConfig(env, 0)).toEqual(RUNTIME_CONFIG_DEFAULTS);
    state.broken = false;
    expect(await readRuntimeConfig(env, 60_000)).toMatchObject({ message_cost_points: 2 });
    state.broken = true;
    expect(await readRuntimeConfig(env, 120_000)).toMatchObject({ message_cost_points: 2 });
    expect(log.mock.calls.flat().filter((line) => line.includes('runtime_config_read_failed'))).toHaveLength(
      2,
    );
    log.mockRestore();
  });

  test('the last known configuration is used when KV does not answer within a second', async () => {
    vi.useFakeTimers();
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    try {
      let silent = false;
      const get = () => (silent ? new Promise(() => {}) : Promise.resolve('{"message_cost_points":2}'));
      const env = { KV: { get } as unknown as KVNamespace };
      expect(await readRuntimeConfig(env, 0)).toMatchObject({ message_cost_points: 2 });
      silent = true;
      let answer: unknown = null;
      void readRuntimeConfig(env, 60_000).then((business) => (answer = business));
      await vi.advanceTimersByTimeAsync(999);
      expect(answer).toBeNull();
      await vi.advanceTimersByTimeAsync(1);
      expect(answer).toMatchObject({ message_cost_points: 2 });
      expect(log.mock.calls.flat().join()).toContain('runtime_config_read_failed');
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      log.mockRestore();
      vi.useRealTimers();
    }
  });

  test('unknown names are logged without their values', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { env } = namespace(JSON.stringify({ refill_hours: 'often', ['x'.repeat(500)]: 1 }));
    expect(await readRuntimeConfig(env, 0)).toEqual(RUNTIME_CONFIG_DEFAULTS);
    expect(log.mock.calls.map(([line]) => JSON.parse(line as string))).toEqual([
      { event: 'runtime_config_parse_failed', level: 'error', names: ['refill_hours', 'x'.repeat(60)] },
    ]);
    log.mockRestore();
  });
});

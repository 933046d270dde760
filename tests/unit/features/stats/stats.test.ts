import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { readEnvironment } from '../../../../src/env/read-environment.ts';
import { ConversationSync } from '../../../../src/features/conversation/conversation-sync.ts';
import {
  type TurnFigures,
  buildTurnFigures,
} from '../../../../src/features/conversation/turn/turn-figures.ts';
import { endTurn, type TurnCause } from '../../../../src/features/conversation/turn/turn.ts';
import type { ModelStats, StatDay } from '../../../../src/features/stats/contract.ts';
import {
  type TableCount,
  addTableSums,
  parseTableCounts,
} from '../../../../src/features/stats/table-counts.ts';
import {
  computeModelCost,
  type Metric,
  estimateFirstTextMs,
  MODEL_COUNTS,
  formatModelMetric,
  type ModelCount,
  buildStats,
} from '../../../../src/features/stats/metrics.ts';
import type { PointsStatus } from '../../../../src/features/wallet/contract.ts';

const counts = (some: Partial<Record<ModelCount, number>>) =>
  ({ ...Object.fromEntries(MODEL_COUNTS.map((name) => [name, 0])), ...some }) as Record<ModelCount, number>;

describe('First text estimate', () => {
  test('the time to the first text is unknown when nothing was counted', () => {
    expect(estimateFirstTextMs(counts({ turns: 3, failed: 3 }), 0.5)).toBeNull();
  });

  test.each([
    [{ first_250: 10 }, 0.5, 125],
    [{ first_250: 1, first_500: 1 }, 0.5, 250],
    [{ first_250: 50, first_2000: 50 }, 0.95, 1900],
    [{ first_1000: 4 }, 0.25, 625],
    [{ first_5000: 1 }, 1, 5000],
    // No later value than the last step can be estimated.
    [{ first_250: 1, first_later: 9 }, 0.5, 5000],
    [{ first_later: 1 }, 0.5, 5000],
  ] as const)('the first text of %o arrives, for a share of %d, within %d ms', (some, share, ms) => {
    expect(estimateFirstTextMs(counts(some), share)).toBe(ms);
  });

  test('the time to the first text never falls as the share grows, and lies in the right step', () => {
    const steps = [250, 500, 1000, 2000, 5000];
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4999 }), { minLength: 1, maxLength: 60 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (times, one, other) => {
          const some: Partial<Record<ModelCount, number>> = {};
          for (const ms of times) {
            const name = `first_${steps.find((edge) => ms <= edge)}` as ModelCount;
            some[name] = (some[name] ?? 0) + 1;
          }
          const [low, high] = [Math.min(one, other), Math.max(one, other)];
          const [within, later] = [
            estimateFirstTextMs(counts(some), low) ?? -1,
            estimateFirstTextMs(counts(some), high) ?? -1,
          ];
          expect(within).toBeLessThanOrEqual(later);
          const ranked = times.toSorted((a, b) => a - b)[Math.ceil(times.length * high) - 1] as number;
          const edge = steps.find((step) => ranked <= step) as number;
          expect(later).toBeLessThanOrEqual(edge);
          expect(later).toBeGreaterThanOrEqual(steps[steps.indexOf(edge) - 1] ?? 0);
        },
      ),
    );
  });
});

describe('Model cost', () => {
  test('the cost is the number of tokens times the price per million', () => {
    const some = counts({ prompt_tokens: 2_500_000, reply_tokens: 100_000 });
    expect(computeModelCost(some, { inputPrice: 0.2, outputPrice: 3 })).toBe(0.8);
    expect(computeModelCost(some, { inputPrice: 0, outputPrice: 0 })).toBe(0);
  });

  test('the cost is unknown while a price is missing', () => {
    expect(computeModelCost(counts({ prompt_tokens: 1 }), { inputPrice: 1 })).toBeNull();
    expect(computeModelCost(counts({ prompt_tokens: 1 }), { outputPrice: 1 })).toBeNull();
  });

  const variables = { AUTH_SECRET: 'a-secret-for-tests-alone', MAIL_FROM: 'Loreloom <hello@localhost.test>' };
  test("the prices come from the operator's variables, and an invalid price is named", () => {
    const read = (price: string) =>
      readEnvironment({
        ...variables,
        MODEL_CHATGPT_INPUT_PRICE: price,
        MODEL_CHATGPT_OUTPUT_PRICE: price,
      } as unknown as Env).models.chatgpt;
    expect(read('0.15').inputPrice).toBe(0.15);
    expect(read('').inputPrice).toBeUndefined();
    expect(() => read('cheap')).toThrow('MODEL_CHATGPT_INPUT_PRICE');
    expect(() => read('-1')).toThrow('MODEL_CHATGPT_INPUT_PRICE');
  });
});

describe('Statistics', () => {
  const model = { id: 'loreloom', label: 'Roleplay', available: true, settings: {} };
  const buildTestStats = (
    figures: Metric[],
    latest: [string, number][] = [],
    models: [string, number][] = [],
  ) =>
    buildStats(
      { figures, latest: new Map(latest), models: new Map(models) },
      [model, { ...model, id: 'mistral', available: false }],
      { today: 20_000, days: 2 },
    );

  test('the statistics are empty before anything was counted', () => {
    const { generated_at, days, models, totals } = buildTestStats([]);
    expect(generated_at).toBeNull();
    expect(days.map(({ day }) => day)).toEqual(['2024-10-03', '2024-10-04']);
    expect(
      days.every((day: StatDay) => day.messages === 0 && day.active === null && day.members === null),
    ).toBe(true);
    expect(models.map(({ id }) => id)).toEqual(['loreloom']);
    expect(totals).toMatchObject({ accounts: 0, points_held: null, storage_bytes: 0 });
  });

  test('the members include those who pay and those who were given a membership', () => {
    const { days, totals } = buildTestStats(
      [
        { day: 20_000, name: 'members_paid', value: 3 },
        { day: 20_000, name: 'members_given', value: 2 },
      ],
      [
        ['members_paid', 3],
        ['members_given', 2],
      ],
    );
    expect(days.map(({ members }) => members)).toEqual([null, 5]);
    expect(totals.members).toBe(5);
  });

  test('a model that is no longer set up is listed if it answered in the period', () => {
    const { models } = buildTestStats(
      [],
      [],
      [
        [formatModelMetric('mistral', 'turns'), 4],
        [formatModelMetric('mistral', 'failed'), 1],
      ],
    );
    expect(models.find(({ id }: ModelStats) => id === 'mistral')).toMatchObject({
      turns: 4,
      error_rate: 0.25,
    });
  });
});

describe('Table counts over several runs', () => {
  const NOTHING_COUNTED: TableCount = { after: '', sums: {}, known: null };
  const run = (rows: { id: string; bytes: number }[], most: number, before: TableCount): TableCount => {
    const some = rows.filter(({ id }) => id > before.after).slice(0, most);
    const bytes = some.reduce((sum, row) => sum + row.bytes, 0);
    return addTableSums(before, { last: some.at(-1)?.id ?? null, rows: some.length, sums: { bytes } }, most);
  };

  test('counting over several runs finds the totals of a single pass, whatever the limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1000), { maxLength: 40 }),
        fc.integer({ min: 1, max: 12 }),
        (sizes, most) => {
          const rows = sizes.map((bytes, index) => ({ id: String(index + 1000), bytes }));
          let counting = NOTHING_COUNTED;
          for (let runs = 0; counting.known === null; runs += 1) {
            expect(runs).toBeLessThanOrEqual(sizes.length / most + 1);
            counting = run(rows, most, counting);
          }
          expect(counting).toEqual({
            after: '',
            sums: {},
            known: { bytes: sizes.reduce((a, b) => a + b, 0) },
          });
        },
      ),
    );
  });

  test('the last totals stay available during the next round', () => {
    const rows = ['a', 'b', 'c'].map((id) => ({ id, bytes: 1 }));
    let counting = run(rows, 2, run(rows, 2, NOTHING_COUNTED));
    expect(counting.known).toEqual({ bytes: 3 });
    counting = run([...rows, { id: 'd', bytes: 5 }], 2, counting);
    expect(counting).toMatchObject({ after: 'b', known: { bytes: 3 } });
    expect(run([...rows, { id: 'd', bytes: 5 }], 9, counting).known).toEqual({ bytes: 8 });
  });

  test('a stored count that cannot be read starts over', () => {
    for (const stored of [null, 'x', { users: 4 }, { users: { after: 1 } }])
      expect(parseTableCounts(stored, ['users'])).toEqual({ users: NOTHING_COUNTED });
    const stored = { after: 'b', sums: { bytes: 1 }, known: null };
    expect(parseTableCounts({ users: stored }, ['users'])).toEqual({ users: stored });
  });
});

describe('Turn figures', () => {
  const about = { at: 1, model: 'loreloom', tokenizer: null, promptTokens: 100, firstMs: 20 };
  const buildFigures = (
    cause: TurnCause,
    text: string,
    points: PointsStatus | null = { message_cost: 2 } as PointsStatus,
  ) => buildTurnFigures({ cause, outcome: endTurn(cause, text), text, thinking: null, points }, about);

  test.each([
    [{ kind: 'finished' }, 'Hello.', 'finished', 2],
    [{ kind: 'finished' }, ' ', 'failed', 0],
    [{ kind: 'stopped' }, 'Hel', 'stopped', 2],
    [{ kind: 'stopped' }, '', 'stopped', 0],
    [{ kind: 'lost' }, 'Hel', 'failed', 0],
    [{ kind: 'failed', failure: 'timed_out' }, 'Hel', 'failed', 0],
    [{ kind: 'failed', failure: 'refused' }, '', 'failed', 0],
    [{ kind: 'refused', rule: 'minors' }, 'Hel', 'refused', 0],
  ] as const)('a turn that ended by %o with «%s» counts as %s, for %d points', (cause, text, end, points) => {
    expect(buildFigures(cause, text)).toMatchObject({ end, points, model: 'loreloom', promptTokens: 100 });
  });

  test('a turn has no points that the wallet did not confirm', () => {
    expect(buildFigures({ kind: 'finished' }, 'Hello.', null).points).toBe(0);
  });

  test('the figures of a turn contain none of its text', () => {
    expect(JSON.stringify(buildFigures({ kind: 'finished' }, 'Ottoline'))).not.toContain('Ottoline');
  });
});

describe('Turn figures during a database outage', () => {
  /** The sync of a conversation that stores its figures. */
  function createSync(addFigures: (figures: readonly TurnFigures[]) => Promise<void>) {
    let stored: readonly TurnFigures[] = [];
    const parts = {
      store: {
        getMeta: () => ({
          character: {},
          answeredCount: 0,
          d1Turns: 0,
          isChatCounted: true,
          unlistedSince: null,
          d1Bytes: 0,
        }),
        takeSearchQueue: () => null,
        atomically: (write: () => void) => write(),
        listRatingChanges: () => [],
        listFigures: () => stored,
        setFigures: (figures: readonly TurnFigures[]) => void (stored = figures),
      },
      turns: { settlements: () => [] },
      memory: { purgeRemoved: () => undefined },
      referrals: { listPending: () => [] },
    };
    return new ConversationSync(parts as never, { addFigures, measure: () => 0 } as never);
  }
  const figures = { at: 1, model: 'loreloom', end: 'finished' } as TurnFigures;

  test('the figures of a sitting are sent together and once', async () => {
    const lengths: number[] = [];
    const some = createSync(async ({ length }) => void lengths.push(length));
    for (let turn = 0; turn < 3; turn += 1) {
      some.recordFigures(figures);
      await some.flush();
    }
    await some.endSitting();
    await some.endSitting();
    expect(lengths).toEqual([3]);
  });

  test('figures that fail to be sent are dropped, so that no turn is counted twice', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const lengths: number[] = [];
    const some = createSync(async ({ length }) => {
      lengths.push(length);
      throw new Error('away');
    });
    some.recordFigures(figures);
    await some.flush();
    await some.endSitting();
    await some.endSitting();
    expect(error).toHaveBeenCalledOnce();
    expect(lengths).toEqual([1]);
    error.mockRestore();
  });
});

import { describe, expect, test } from 'vitest';
import { business as command } from '../../../scripts/business.mjs';
import {
  RUNTIME_CONFIG_KV_KEY,
  OFFERS_KV_KEY,
  OFFERS_TTL_SECONDS,
} from '../../../src/features/runtime-config/runtime-config-gateway.ts';
import { RUNTIME_CONFIG_KEYS } from '../../../src/features/runtime-config/contract.ts';
import { OFFER_GRACE_MS, type RecentOffer } from '../../../src/features/runtime-config/offers.ts';

describe('Configuration command', () => {
  /** Runs the command over these stored texts. */
  async function runOver(texts: Record<string, string>, ...argv: string[]) {
    const output: string[] = [];
    const writes: { key: string; seconds: number | undefined }[] = [];
    const code = await command(
      argv,
      {
        read: async (key) => texts[key] ?? null,
        write: async (key, text, seconds) => {
          texts[key] = text;
          writes.push({ key, seconds });
        },
      },
      (text) => void output.push(text),
    );
    const read = (key: string) => JSON.parse(texts[key] ?? 'null') as unknown;
    return {
      code,
      output: output.join('\n'),
      stored: read(RUNTIME_CONFIG_KV_KEY),
      offers: read(OFFERS_KV_KEY),
      writes,
    };
  }
  async function run(stored: string | null, ...argv: string[]) {
    const { writes, ...rest } = await runOver(
      stored === null ? {} : { [RUNTIME_CONFIG_KV_KEY]: stored },
      ...argv,
    );
    return { ...rest, writes: writes.length };
  }

  test('the show command lists the current values and the differing defaults', async () => {
    const { code, output, writes } = await run('{"daily_message_limit":null}', 'show');
    expect(code).toBe(0);
    expect(output).toMatch(/^daily_message_limit +none {2}\(default: 100\)$/m);
    expect(output).toMatch(/^refill_hours +8$/m);
    expect(output.split('\n')).toHaveLength(RUNTIME_CONFIG_KEYS.length);
    expect(writes).toBe(0);
  });

  test('the set command changes several values, keeps earlier ones, and prints the changes', async () => {
    const set = ['message_cost_points=2', 'daily_message_limit=none', 'competition_winners_on=2025-12-01'];
    const { code, output, stored } = await run('{"refill_hours":4}', 'set', ...set);
    expect(code).toBe(0);
    expect(stored).toEqual({
      refill_hours: 4,
      message_cost_points: 2,
      daily_message_limit: null,
      competition_winners_on: '2025-12-01',
    });
    expect(output).toContain('message_cost_points: 1 → 2');
    expect(output).toContain('daily_message_limit: 100 → none');
    // The message names the longest time that caches keep a page.
    expect(output.split('\n').at(-1)).toMatch(/within a minute, and to cached pages within about three\.$/);
    expect(output).not.toContain('refill_hours');
  });

  test('the reset command restores defaults, also for values that may be none', async () => {
    const before = '{"daily_message_limit":null,"refill_hours":4}';
    expect(await run(before, 'reset', 'daily_message_limit')).toMatchObject({
      code: 0,
      stored: { refill_hours: 4 },
    });
    expect(await run(before, 'set', 'refill_hours=none')).toMatchObject({
      code: 0,
      stored: { daily_message_limit: null },
    });
  });

  test.each([
    ['a value that is out of bounds', ['set', 'commission_percent=101'], 'commission_percent: '],
    ['a name that is misspelt', ['set', 'refil_hours=4'], 'refil_hours: Unknown name'],
    ['a name of every object', ['reset', 'constructor'], 'constructor: Unknown name'],
    ['a price in dollars', ['set', 'storyteller_price_cents=6.99'], 'storyteller_price_cents: '],
    ['a contradiction', ['set', 'personas_free=600'], 'personas_storyteller: '],
    ['a contradiction that a reset makes', ['reset', 'personas_storyteller'], 'personas_storyteller: '],
  ])('the command writes nothing for an invalid change: %s', async (_, argv, sentence) => {
    const before = '{"personas_free":600,"personas_storyteller":700}';
    const start = argv[0] === 'reset' ? before : '{}';
    const { code, output, writes } = await run(start, ...argv);
    expect({ code, writes }).toEqual({ code: 1, writes: 0 });
    expect(output).toContain(sentence);
  });

  test.each([[[]], [['set']], [['set', 'refill_hours']], [['set', '=4']], [['show', 'x']], [['drop']]])(
    'the command prints its usage for unknown arguments: %j',
    async (argv) => {
      const { code, output, writes } = await run(null, ...argv);
      expect({ code, writes }).toEqual({ code: 2, writes: 0 });
      expect(output).toContain('usage:');
    },
  );

  test('the command reports unreadable values and removes them with the next change', async () => {
    const { output } = await run('{"refill_hours":0}', 'show');
    expect(output).toContain('so the defaults apply: refill_hours');
    const mended = await run('{"refill_hours":0,"invite_points":20}', 'set', 'message_cost_points=2');
    expect(mended.stored).toEqual({ invite_points: 20, message_cost_points: 2 });
    expect((await run('{broken', 'set', 'refill_hours=3')).stored).toEqual({ refill_hours: 3 });
  });

  test('changing a price or plan first stores the old offer for users who are paying', async () => {
    const texts = { [RUNTIME_CONFIG_KV_KEY]: '{"storyteller_price_cents":799}' };
    const before = Date.now();
    const first = await runOver(texts, 'set', 'storyteller_price_cents=899');
    expect(first.writes).toEqual([
      { key: OFFERS_KV_KEY, seconds: OFFERS_TTL_SECONDS },
      { key: RUNTIME_CONFIG_KV_KEY, seconds: undefined },
    ]);
    const until = (first.offers as RecentOffer[])[0]?.until ?? 0;
    expect(until - before).toBeGreaterThanOrEqual(OFFER_GRACE_MS);
    expect(until - Date.now()).toBeLessThanOrEqual(OFFER_GRACE_MS);
    const second = await runOver(texts, 'set', 'storyteller_paypal_plan=P-2', 'storyteller_price_cents=none');
    expect(second.offers).toMatchObject([
      { paypal_plan: 'P-2', price_cents: 699 },
      { paypal_plan: null, price_cents: 899 },
      { paypal_plan: null, price_cents: 799, until },
    ]);
    const third = await runOver(texts, 'reset', 'storyteller_paypal_plan');
    expect((third.offers as RecentOffer[])[0]).toMatchObject({ paypal_plan: null, price_cents: 699 });
    // Other constants do not affect a running payment.
    expect((await runOver(texts, 'set', 'refill_hours=4')).writes).toMatchObject([
      { key: RUNTIME_CONFIG_KV_KEY },
    ]);
  });

  test('the command changes nothing when the old offer cannot be stored', async () => {
    const texts: string[] = [];
    const store = {
      read: async () => null,
      write: async (key: string) => {
        texts.push(key);
        throw new Error('KV is away');
      },
    };
    await expect(command(['set', 'storyteller_price_cents=899'], store, () => {})).rejects.toThrow('KV');
    expect(texts).toEqual([OFFERS_KV_KEY]);
  });
});

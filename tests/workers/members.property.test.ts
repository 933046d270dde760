import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import type { InjectedFault, MembershipStep } from '../support/membership-steps.ts';
import { MembershipSimulation } from '../support/membership-simulation.ts';

/** These are gone through everywhere and always, however long it takes. */
const KNOWN_SEEDS = 24;
/**
 * How long others are begun; the last one ends after it. Nobody's change is to fail by a sequence that nobody had met
 * before: they are looked for where one asks for it, `SEARCH_MS=600000 vitest run --project workers members`.
 */
const SEARCH_MS = inject('searchMs');
const SEQUENCES = 100_000;

const MINUTE_MS = 60_000;

/** Places whose clocks change at other moments, by other steps, or at midnight itself; and the ends of the world. */
const ZONES = [
  null,
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
];
/** Some hours before clocks change somewhere, and at the end of months that are longer than the next. */
const BEGINNINGS = [
  Date.UTC(2024, 2, 30, 12),
  Date.UTC(2024, 9, 26, 20),
  Date.UTC(2024, 2, 9, 20),
  Date.UTC(2024, 10, 2, 20),
  Date.UTC(2024, 0, 31, 23, 30),
  Date.UTC(2023, 0, 30, 1),
];

const which = fc.nat(30);
const steps = fc.nat(14);
const mishap: fc.Arbitrary<InjectedFault> = fc.option(
  fc.oneof(
    fc.record({ power: steps, acts: fc.boolean() }),
    fc.record({
      payPal: fc.constantFrom('show' as const, 'transactions' as const, 'cancel' as const, 'verify' as const),
      acts: fc.boolean(),
    }),
  ),
  { freq: 2 },
);
const hours = (min: number, max: number) =>
  fc.integer({ min: min * 60, max: max * 60 }).map((minutes) => minutes * MINUTE_MS);

const of = <Name extends MembershipStep['do'], Rest extends object>(
  name: Name,
  rest: { [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> },
) => fc.record({ do: fc.constant(name), ...rest });

const step: fc.Arbitrary<MembershipStep> = fc.oneof(
  { weight: 3, arbitrary: of('wait', { ms: hours(0, 4) }) as fc.Arbitrary<MembershipStep> },
  { weight: 1, arbitrary: of('wait', { ms: hours(5, 20 * 24) }) as fc.Arbitrary<MembershipStep> },
  {
    weight: 3,
    arbitrary: of('waitUntilDue', { which, late: hours(-3, 40) }) as fc.Arbitrary<MembershipStep>,
  },
  {
    weight: 3,
    arbitrary: of('agree', {
      kind: fc.constantFrom(
        ...(['ours', 'ours', 'ours', 'ours', 'foreign', 'other plan', 'euro', 'cheap'] as const),
      ),
      pays: fc.integer({ min: 0, max: 3 }).map((one) => one > 0),
      later: fc.boolean(),
      byStranger: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
    }) as fc.Arbitrary<MembershipStep>,
  },
  { weight: 4, arbitrary: of('activate', { which, mishap }) as fc.Arbitrary<MembershipStep> },
  {
    weight: 5,
    arbitrary: of('due', {
      which,
      pays: fc.constantFrom('all', 'all', 'all', 'nothing', 'a cent'),
    }) as fc.Arbitrary<MembershipStep>,
  },
  {
    weight: 5,
    arbitrary: of('back', {
      which,
      payment: which,
      cents: fc.oneof(
        fc.integer({ min: 1, max: 699 }),
        fc.constantFrom(699, 'reversed' as const, 'reversed' as const),
      ),
    }) as fc.Arbitrary<MembershipStep>,
  },
  {
    weight: 2,
    arbitrary: of('become', {
      which,
      act: fc.constantFrom('cancel', 'suspend', 'expire', 'activate', 'activate'),
    }) as fc.Arbitrary<MembershipStep>,
  },
  { weight: 1, arbitrary: of('downgrade', { mishap }) as fc.Arbitrary<MembershipStep> },
  {
    weight: 6,
    arbitrary: of('deliver', {
      which,
      times: fc.integer({ min: 1, max: 2 }),
      mishap,
    }) as fc.Arbitrary<MembershipStep>,
  },
  { weight: 1, arbitrary: of('lose', { which }) as fc.Arbitrary<MembershipStep> },
  { weight: 1, arbitrary: of('forge', { which }) as fc.Arbitrary<MembershipStep> },
  { weight: 2, arbitrary: of('minute', { mishap }) as fc.Arbitrary<MembershipStep> },
  { weight: 4, arbitrary: of('housekeeping', { mishap }) as fc.Arbitrary<MembershipStep> },
  { weight: 1, arbitrary: of('payout', {}) as fc.Arbitrary<MembershipStep> },
  { weight: 1, arbitrary: of('leave', { mishap }) as fc.Arbitrary<MembershipStep> },
  {
    weight: 10,
    arbitrary: of('speak', {
      deed: fc.constantFrom(
        ...(['send', 'send', 'send', 'begin', 'begin', 'end', 'end'] as const),
        ...(['fail', 'lateEnd', 'gift', 'look', 'sleep'] as const),
      ),
      zone: fc.constantFrom(...ZONES),
      times: fc.integer({ min: 1, max: 2 }),
      which,
    }) as fc.Arbitrary<MembershipStep>,
  },
);

const agreed = (of: { pays?: boolean; later?: boolean; byStranger?: boolean } = {}): MembershipStep => ({
  ...{ do: 'agree', kind: 'ours', pays: true, later: false, byOtherUser: false },
  ...of,
});
const activated = (place: number): MembershipStep => ({ do: 'activate', which: place, mishap: null });
const delivered = (place: number): MembershipStep => ({
  do: 'deliver',
  which: place,
  times: 1,
  mishap: null,
});

/** Most of what matters happens to those who are members, some of them for longer. */
const JOINED: readonly MembershipStep[] = [agreed(), activated(0)];
const STAYED: readonly MembershipStep[] = [
  ...JOINED,
  { do: 'waitUntilDue', which: 0, late: MINUTE_MS },
  { do: 'due', which: 0, pays: 'all' },
  { do: 'housekeeping', mishap: null },
];
/** Whoever comes back begins when what they paid for ends, and closes the page before it tells us. */
const CAME_BACK: readonly MembershipStep[] = [
  ...JOINED,
  { do: 'downgrade', mishap: null },
  agreed({ pays: false, later: true }),
];
const STORIES: readonly (readonly MembershipStep[])[] = [
  [],
  JOINED,
  STAYED,
  CAME_BACK,
  // PayPal tells of it, and then they leave for good, or agree once more.
  [...CAME_BACK, delivered(3), { do: 'leave', mishap: null }],
  [...CAME_BACK, delivered(3), agreed({ pays: false, later: true }), activated(2)],
  // A stranger pays for me, and has me say that it is mine.
  [...JOINED, agreed({ byStranger: true }), activated(1)],
  // Nothing is paid, and then once more nothing.
  [
    agreed({ pays: false }),
    activated(0),
    { do: 'wait', ms: 25 * 60 * MINUTE_MS },
    { do: 'housekeeping', mishap: null },
    agreed({ pays: false }),
    activated(1),
  ],
  // PayPal lists no payments while it is asked, and lists that there are none when I give it up.
  [
    agreed({ pays: false }),
    activated(0),
    { do: 'wait', ms: 25 * 60 * MINUTE_MS },
    { do: 'deliver', which: 0, times: 1, mishap: { payPal: 'transactions', acts: false } },
    { do: 'downgrade', mishap: null },
    { do: 'wait', ms: 0 },
  ],
];

const sequences = {
  beginning: fc.constantFrom(...BEGINNINGS),
  percent: fc.constantFrom(15, 7, 33, 1, 49),
  before: fc.constantFrom(...STORIES),
  all: fc.noBias(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' })),
};

interface Sequence {
  beginning: number;
  percent: number;
  before: readonly MembershipStep[];
  all: readonly MembershipStep[];
}

async function play({ beginning, percent, before, all }: Sequence): Promise<void> {
  const world = await MembershipSimulation.create(beginning, percent);
  try {
    for (const one of [...before, ...all]) await world.runStep(one);
    await world.recover();
  } finally {
    await world.close();
  }
}

/**
 * The report of a failure names the seed, and the shortest sequence that was found to fail.
 * @param until when nothing new is begun any more, but for the first of a known seed: it counts as held, so that looking
 * for a shorter failure ends, too
 */
async function hold(parameters: { seed?: number; numRuns: number }, until: number): Promise<number> {
  let begun = 0;
  await fc.assert(
    fc.asyncProperty(fc.record(sequences), async (sequence) => {
      if (performance.now() > until && (parameters.seed === undefined || begun > 0)) return;
      begun += 1;
      await play(sequence);
    }),
    parameters,
  );
  return begun;
}

test(
  'Whatever becomes of my payments and messages, I have what is paid for, I pay for nothing else, and nothing twice',
  async () => {
    const until = performance.now() + SEARCH_MS;
    let held = 0;
    for (let seed = 1; seed <= KNOWN_SEEDS; seed += 1) held += await hold({ seed, numRuns: 1 }, until);
    expect(held).toBeGreaterThanOrEqual(KNOWN_SEEDS);
    if (SEARCH_MS > 0) await hold({ numRuns: SEQUENCES }, until);
  },
  240_000 + SEARCH_MS,
);

test('Points come by themselves once in so many hours since a wallet opened, however long after its person came', async () => {
  const sent: MembershipStep = { do: 'speak', deed: 'send', zone: null, times: 1, which: 0 };
  const waited = (hours: number): MembershipStep => ({ do: 'wait', ms: hours * 60 * MINUTE_MS });
  // It opens after four hours; 13 hours later its first refill is due since 5 hours, and 4 hours later its second since one.
  const all = [waited(4), sent, waited(13), sent, waited(4)];
  await play({ beginning: Date.UTC(2024, 2, 30, 12), percent: 15, before: [], all });
});

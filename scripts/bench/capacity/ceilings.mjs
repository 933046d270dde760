// Computes what the people of a day use of each limited resource, and at how many people a day each limit is reached.
import { GUESTS, ERASURE } from '../../../src/features/account/limits.ts';
import { BILLING } from '../../../src/features/billing/limits.ts';
import { LISTINGS } from '../../../src/features/character/limits.ts';
import { COMPETITION } from '../../../src/features/competition/limits.ts';
import { MAX_EXPIRED_PER_RUN } from '../../../src/features/conversation/limits.ts';
import { MAIL } from '../../../src/features/mail/limits.ts';
import { PAGE_PURGES } from '../../../src/features/page-cache/limits.ts';
import { RUNTIME_CONFIG_DEFAULTS } from '../../../src/features/runtime-config/defaults.ts';
import { MAX_ROWS_PER_RUN } from '../../../src/features/stats/metrics-store.ts';
import { LEDGER_AUDIT } from '../../../src/features/wallet/limits.ts';
import { CRONS } from '../../../src/jobs/schedule.ts';
import { formatNumber, formatTable, sum } from '../figures.mjs';
import * as assumed from './assumptions.mjs';

const { ACTIONS_A_DAY, countRows, PASS_DAYS, PEAK_FACTOR, PEOPLE_A_DAY, PLATFORM, ROWS, WORK_A_DAY } =
  assumed;
const DAY_SECONDS = 86_400;
const DAY_MS = 1000 * DAY_SECONDS;
/** Each purge is a call for the main entrypoint and one for that of creators' pages. */
const CALLS_OF_PURGE = 2;

/** How often a cron runs in a day; its schedule names all minutes, every n-th one, or a list. */
export function countRuns(schedule) {
  const [minutes] = schedule.split(' ');
  if (minutes === '*') return 60 * 24;
  if (minutes.startsWith('*/')) return (60 / Number(minutes.slice(2))) * 24;
  return minutes.split(',').length * 24;
}

/**
 * What one person's day uses, as the sum over all actions.
 * @param counts of each action, by its name
 */
export const sumActions = (counts, read) =>
  sum(Object.entries(ACTIONS_A_DAY).map(([name, aDay]) => aDay * read(counts[name])));

/** A second of the busiest minute, of something that one person does this often in a day. */
const getPeakPerSecond = (aDay) => (aDay * PEAK_FACTOR) / DAY_SECONDS;

const mails =
  ACTIONS_A_DAY['ask for a login code'] +
  WORK_A_DAY.queuedMails +
  (countRows('accounts') * WORK_A_DAY.newsletterShare) / (MAIL.marketingIntervalMs / DAY_MS);
const editsADay = ROWS.characters.aDay * WORK_A_DAY.publicShare * WORK_A_DAY.editsOfCharacter;
/** A publication outdates the pages of its character and its creator, and every list. */
const purgedTags = ROWS.characters.aDay * WORK_A_DAY.publicShare * 3 + editsADay;
const passADay = (rows, days) => rows / days;

/** The jobs of the crons: what arrives in a day for each person, and how much all runs of a day do. */
const JOBS = [
  {
    name: 'wallets audited in a night',
    each: passADay(countRows('accounts') + countRows('guests'), PASS_DAYS.ledgers),
    limit: LEDGER_AUDIT.walletsPerRun * countRuns(CRONS.ledgerAudit),
  },
  {
    name: 'idle guests removed',
    each: ROWS.guests.aDay,
    limit: GUESTS.maxRemovedPerRun * countRuns(CRONS.cleanup),
  },
  {
    name: 'erasures of guests, accounts and characters',
    each: ROWS.guests.aDay + WORK_A_DAY.deletedAccounts + WORK_A_DAY.trashedCharacters,
    limit: ERASURE.maxPerRun * countRuns(CRONS.cleanup),
  },
  {
    name: 'conversations of erased people',
    each: ROWS.guests.aDay * WORK_A_DAY.conversationsOfGuest,
    limit: ERASURE.maxConversationsPerRun * countRuns(CRONS.cleanup),
  },
  {
    name: 'conversations out of the trash',
    each: WORK_A_DAY.trashedConversations,
    limit: MAX_EXPIRED_PER_RUN * countRuns(CRONS.cleanup),
  },
  {
    name: 'conversation counts copied into lists',
    each: ROWS['daily counts'].aDay,
    limit: LISTINGS.refreshBatchSize * LISTINGS.maxRoundsPerRun * countRuns(CRONS.cleanup),
  },
  {
    name: 'search words of new and edited characters',
    each: ROWS.characters.aDay * (1 + WORK_A_DAY.editsOfCharacter),
    limit: LISTINGS.maxWordsPerRun * countRuns(CRONS.cleanup),
  },
  {
    name: 'subscriptions reconciled with PayPal',
    each: WORK_A_DAY.memberships * (DAY_MS / BILLING.reconcileAfterMs),
    limit: BILLING.maxReconciledPerRun * countRuns(CRONS.billing),
  },
  {
    name: 'payment events',
    each: ROWS.payments.aDay * WORK_A_DAY.eventsOfPayment,
    limit: BILLING.maxHandledPerRun * countRuns(CRONS.everyMinute),
  },
  {
    name: 'users counted for the figures, a pass a day',
    each: passADay(countRows('accounts') + countRows('guests'), PASS_DAYS.counts),
    limit: MAX_ROWS_PER_RUN * countRuns(CRONS.billing),
  },
  {
    name: 'entries counted in the competition, a pass a day',
    each: passADay(
      ROWS.characters.aDay * WORK_A_DAY.publicShare * WORK_A_DAY.seasonDays,
      PASS_DAYS.standings,
    ),
    limit: COMPETITION.entriesBatchSize * COMPETITION.maxRoundsPerRun * countRuns(CRONS.ledgerAudit),
  },
  {
    name: 'texts checked for the competition',
    each: ROWS.characters.aDay * (1 + WORK_A_DAY.editsOfCharacter),
    limit: COMPETITION.checksBatchSize * COMPETITION.maxChecksPerRun * countRuns(CRONS.ledgerAudit),
  },
  {
    name: 'conversations whose network is cleared, a pass a month',
    each: passADay(countRows('conversations'), PASS_DAYS.networks),
    limit: COMPETITION.maxNetworksPerRun * countRuns(CRONS.ledgerAudit),
  },
  {
    name: 'newsletters queued',
    each: (countRows('accounts') * WORK_A_DAY.newsletterShare) / (MAIL.marketingIntervalMs / DAY_MS),
    limit: MAIL.maxNewsPerRun,
  },
  {
    name: 'queued mails sent',
    each: mails - ACTIONS_A_DAY['ask for a login code'],
    limit: MAIL.maxPerRun * countRuns(CRONS.mail),
  },
].map((job) => ({ ...job, name: `cron: ${job.name}`, unit: 'a day' }));

/**
 * The limited resources, the one that is reached first in front.
 * @param bytes in D1 for each person a day
 * @param counts of each action
 */
export function listCeilings(bytes, counts) {
  const threadMs =
    sumActions(counts, ({ d1_reads: reads }) => reads) * PLATFORM.d1ReadMs +
    sumActions(counts, ({ d1_writes: writes }) => writes) * PLATFORM.d1WriteMs;
  const batches = DAY_MS / PAGE_PURGES.callIntervalMs / CALLS_OF_PURGE;
  const resources = [
    { name: 'D1: size after a year', each: bytes / 1e9, limit: PLATFORM.d1Bytes / 1e9, unit: 'GB' },
    {
      name: 'D1: its one thread in the busiest minute',
      each: getPeakPerSecond(threadMs / 1000) * 100,
      limit: 100,
      unit: '% of it',
    },
    {
      name: 'purges of pages: tags in the busiest minute',
      each: getPeakPerSecond(purgedTags) * 60,
      limit: (batches * PAGE_PURGES.maxTagsPerCall) / (DAY_SECONDS / 60),
      unit: 'a minute',
    },
    {
      name: 'the model’s default budget',
      each: (ACTIONS_A_DAY['send a message'] * WORK_A_DAY.tokensOfMessage) / 1e6,
      limit: RUNTIME_CONFIG_DEFAULTS.model_budget_tokens_per_day / 1e6,
      unit: 'million tokens a day',
    },
    ...JOBS,
  ];
  return resources
    .map((one) => ({ ...one, reachedAt: one.limit / one.each }))
    .toSorted((a, b) => a.reachedAt - b.reachedAt);
}

const formatPeople = (people) => `${people.toLocaleString('en')} a day`;
const roundPeople = (people) => formatNumber(Number(people.toPrecision(2)));

/** The table of all limits, with what is over its limit in bold. */
export function formatCeilings(ceilings) {
  return formatTable(
    ['resource', 'unit', 'limit', ...PEOPLE_A_DAY.map(formatPeople), 'reached at, people a day'].join(' | '),
    ceilings.map(({ name, unit, each, limit, reachedAt }) => [
      ...[name, unit, limit],
      ...PEOPLE_A_DAY.map((people) => {
        const used = formatNumber(each * people);
        return each * people > limit ? `**${used}**` : used;
      }),
      roundPeople(reachedAt),
    ]),
  );
}

/** What has no published limit, or none that grows with the people. */
export function formatUnlimited(counts) {
  const objects = (count) => sum(Object.values(count.object_requests));
  const perSecond = (read) => getPeakPerSecond(sumActions(counts, read));
  const rows = [
    ['requests to the Worker a second, busiest minute', perSecond(() => 1)],
    ['D1: statements that read, a second, busiest minute', perSecond((count) => count.d1_reads)],
    ['D1: statements that write, a second, busiest minute', perSecond((count) => count.d1_writes)],
    ['D1: rows written a second, busiest minute', perSecond((count) => count.d1_rows_written)],
    ['objects: requests a second, all of them, busiest minute', perSecond(objects)],
    ['KV: reads and lists a second, busiest minute', perSecond((count) => count.kv_reads)],
    ['KV: writes a second, each to a key of its own, busiest minute', perSecond((count) => count.kv_writes)],
    ['mails a day', mails],
  ].map(([name, each]) => [name, ...PEOPLE_A_DAY.map((people) => each * people)]);
  const { mailsIncludedAMonth, dollarsFor1000Mails } = PLATFORM;
  const price = (people) =>
    (Math.max(0, mails * people * 30 - mailsIncludedAMonth) * dollarsFor1000Mails) / 1000;
  return formatTable(['', ...PEOPLE_A_DAY.map(formatPeople)].join(' | '), [
    ...rows,
    ['mails: dollars a month', ...PEOPLE_A_DAY.map(price)],
  ]);
}

/** A list item for each size: what is over its limit there and was not at the size before, the first one in front. */
export function formatFirstBroken(ceilings) {
  return PEOPLE_A_DAY.map((people, index) => {
    const before = PEOPLE_A_DAY[index - 1] ?? 0;
    const broken = ceilings.filter(({ reachedAt }) => reachedAt < people && reachedAt >= before);
    const names = broken.map(({ name, reachedAt }) => `${name} (${roundPeople(reachedAt)})`);
    return `- **${formatPeople(people)}**: ${names.join('; ') || 'nothing more'}.`;
  }).join('\n');
}

import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { readCrons, isDue, runCrons } from '../../scripts/lib/local-crons.mjs';
import { CRONS } from '../../src/jobs/schedule.ts';

test('What goes on by itself is begun when the deployment says, all of it', () => {
  const wrangler = readFileSync(new URL('../../wrangler.toml', import.meta.url), 'utf8');
  expect((readCrons(wrangler) as string[]).toSorted()).toEqual(Object.values(CRONS).toSorted());
});

test('The times that a deployment names are read here whether they stand in one line or in several', () => {
  expect(readCrons('[triggers]\ncrons = ["* * * * *", "1,2 * * * *"]\n')).toEqual([
    '* * * * *',
    '1,2 * * * *',
  ]);
  expect(readCrons('crons = [\n  "* * * * *",\n  "1,2 * * * *",\n]\n')).toEqual(['* * * * *', '1,2 * * * *']);
});

test('news are put in once in their hour: one run of the mails comes in its first quarter', () => {
  const minutes = (CRONS.mail.split(' ')[0] ?? '').split(',').map(Number);
  expect(minutes.filter((minute) => minute < 15)).toHaveLength(1);
});

afterEach(() => {
  vi.useRealTimers();
});

test('on my machine everything comes by at once, and from then on at its own minutes, until I end it', async () => {
  const toml = readFileSync(new URL('../../wrangler.toml', import.meta.url), 'utf8');
  const crons = readCrons(toml);
  expect(crons.toSorted()).toEqual(Object.values(CRONS).toSorted());
  vi.useFakeTimers({ now: Date.UTC(2027, 0, 1, 10, 2, 30) });
  const asked: string[] = [];
  const end = runCrons({
    url: 'http://localhost:8787',
    crons,
    ask: async (address: string) => {
      const url = new URL(address);
      expect(url.pathname).toBe('/cdn-cgi/local/scheduled');
      asked.push(url.searchParams.get('cron') ?? '');
      // A server that is not up has nothing to say, and the next time comes.
      throw new Error('not up');
    },
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(asked.splice(0).toSorted()).toEqual(crons.toSorted());
  await vi.advanceTimersByTimeAsync(29_999);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_001);
  expect(asked.splice(0).toSorted()).toEqual([CRONS.everyMinute, CRONS.everyMinute, CRONS.mail].toSorted());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.splice(0).toSorted()).toEqual([CRONS.everyMinute, CRONS.billing].toSorted());
  end();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked).toEqual([]);
});

test.each([
  [CRONS.cleanup, [0, 15, 30, 45]],
  [CRONS.ledgerAudit, [9, 24, 39, 54]],
  [CRONS.monitoring, [2, 7, 12, 17, 22, 27, 32, 37, 42, 47, 52, 57]],
  [CRONS.billing, [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55]],
] as const)('%s comes on my machine when it does in production', (cron, minutes) => {
  const due = Array.from({ length: 60 }, (_, minute) => minute).filter((minute) =>
    isDue(cron, new Date(Date.UTC(2027, 0, 1, 10, minute))),
  );
  expect(due).toEqual(minutes);
});

import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { readCrons, isDue, runCrons } from '../../../../scripts/lib/local-crons.mjs';
import { CRONS } from '../../../../src/jobs/schedule.ts';

test('every scheduled job has a cron in the deployment configuration', () => {
  const wrangler = readFileSync(new URL('../../../../wrangler.toml', import.meta.url), 'utf8');
  expect((readCrons(wrangler) as string[]).toSorted()).toEqual(Object.values(CRONS).toSorted());
});

test('crons are read from the configuration on one line or several', () => {
  expect(readCrons('[triggers]\ncrons = ["* * * * *", "1,2 * * * *"]\n')).toEqual([
    '* * * * *',
    '1,2 * * * *',
  ]);
  expect(readCrons('crons = [\n  "* * * * *",\n  "1,2 * * * *",\n]\n')).toEqual(['* * * * *', '1,2 * * * *']);
});

test('exactly one mail run falls into the first quarter of an hour, so news are queued once', () => {
  const minutes = (CRONS.mail.split(' ')[0] ?? '').split(',').map(Number);
  expect(minutes.filter((minute) => minute < 15)).toHaveLength(1);
});

afterEach(() => {
  vi.useRealTimers();
});

test('on the local machine all crons run at once, then at their own minutes, until they are stopped', async () => {
  const toml = readFileSync(new URL('../../../../wrangler.toml', import.meta.url), 'utf8');
  const crons = readCrons(toml);
  expect(crons.toSorted()).toEqual(Object.values(CRONS).toSorted());
  vi.useFakeTimers({ now: Date.UTC(2027, 0, 1, 10, 2, 30) });
  const requests: string[] = [];
  const end = runCrons({
    url: 'http://localhost:8787',
    crons,
    ask: async (address: string) => {
      const url = new URL(address);
      expect(url.pathname).toBe('/cdn-cgi/local/scheduled');
      requests.push(url.searchParams.get('cron') ?? '');
      // A server that has not started yet gives no answer; the next run follows.
      throw new Error('not up');
    },
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(requests.splice(0).toSorted()).toEqual(crons.toSorted());
  await vi.advanceTimersByTimeAsync(29_999);
  expect(requests).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_001);
  expect(requests.splice(0).toSorted()).toEqual(
    [CRONS.everyMinute, CRONS.everyMinute, CRONS.mail].toSorted(),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requests.splice(0).toSorted()).toEqual([CRONS.everyMinute, CRONS.billing].toSorted());
  end();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(requests).toEqual([]);
});

test.each([
  [CRONS.cleanup, [0, 15, 30, 45]],
  [CRONS.ledgerAudit, [9, 24, 39, 54]],
  [CRONS.monitoring, [2, 7, 12, 17, 22, 27, 32, 37, 42, 47, 52, 57]],
  [CRONS.billing, [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55]],
] as const)('the cron %s runs at the same minutes on the local machine as in production', (cron, minutes) => {
  const due = Array.from({ length: 60 }, (_, minute) => minute).filter((minute) =>
    isDue(cron, new Date(Date.UTC(2027, 0, 1, 10, minute))),
  );
  expect(due).toEqual(minutes);
});

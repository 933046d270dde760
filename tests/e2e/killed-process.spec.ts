import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startWorker } from '../../scripts/lib/local-server.mjs';
import { endGroup, freePort } from '../../scripts/lib/process.mjs';
import { startModelServer } from '../support/model-server.mjs';
import { ApiClient, readEvents, textOf } from './api-client.ts';
import { assertNoLeaks } from './log-leaks.ts';

const OUT_DIR = process.env.LORELOOM_TEST_OUT_DIR ?? '.wrangler/test/dist';

test('a reply cut off by a killed process keeps its saved text, costs nothing, and can be continued @all', async () => {
  test.setTimeout(120_000);
  const model = await startModelServer();
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-killed-'));
  const port = await freePort();
  const options = {
    outDir: OUT_DIR,
    stateDir: join(folder, 'state'),
    port,
    logFile: join(folder, 'worker.log'),
    wholeLog: true,
    variables: { MODEL_ROLEPLAY_BASE_URL: model.url },
  };
  const first = await startWorker(options);
  const guest = await ApiClient.guest(first.url);
  const conversation = await guest.begin();
  const before = await guest.points();

  // One token every 50 ms: after 46 tokens the reply has been saved at least once.
  const answer = await guest.send(conversation, 'Tell me of the sea [[scenario:tokens n=2000 ms=50]]');
  const received = await readEvents(answer, (events) => textOf(events).split(' ').length > 45);
  expect(textOf(received)).toContain('w40');
  process.kill(-(first.child.pid as number), 'SIGKILL');
  await endGroup(first.child);

  const restarted = { ...options, logFile: join(folder, 'again.log') };
  const second = await startWorker(restarted);
  const { messages } = await guest.page(conversation);
  const [, sent, reply] = messages;
  expect(sent?.content).toContain('Tell me of the sea');
  expect(reply?.status).toBe('interrupted');
  expect(reply?.content).not.toBe('');
  expect(textOf(received).startsWith(reply?.content ?? '-')).toBe(true);

  const after = await guest.points();
  expect(after.current_points).toBe(before.current_points);
  const { items } = await guest.ledger();
  expect(items.reduce((sum, entry) => sum + entry.amount, 0)).toBe(after.current_points);

  const next = await readEvents(await guest.send(conversation, 'Go on [[scenario:tokens n=3 ms=1]]'));
  expect(next.at(-1)?.event).toBe('done');
  await endGroup(second.child);
  for (const run of [options, restarted]) assertNoLeaks(run);
  await model.close();
});

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startWorker } from '../../scripts/lib/local-server.mjs';
import { endGroup, freePort } from '../../scripts/lib/process.mjs';
import { startModelServer } from '../support/model-server.mjs';
import { ApiClient, readEvents, textOf } from './api-client.ts';
import { mustTellNobody } from './told-by-site.ts';

const OUT_DIR = process.env.LORELOOM_TEST_OUT_DIR ?? '.wrangler/test/dist';

test('the process is killed in the middle of a reply: the words so far are there, free, and one can go on', async () => {
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
  const ada = await ApiClient.guest(first.url);
  const conversation = await ada.begin();
  const before = await ada.points();

  // One token every 50 ms: after 46 of them the reply was saved at least once.
  const answer = await ada.send(conversation, 'Tell me of the sea [[scenario:tokens n=2000 ms=50]]');
  const seen = await readEvents(answer, (events) => textOf(events).split(' ').length > 45);
  expect(textOf(seen)).toContain('w40');
  process.kill(-(first.child.pid as number), 'SIGKILL');
  await endGroup(first.child);

  const again = { ...options, logFile: join(folder, 'again.log') };
  const second = await startWorker(again);
  const { messages } = await ada.page(conversation);
  const [, mine, reply] = messages;
  expect(mine?.content).toContain('Tell me of the sea');
  expect(reply?.status).toBe('interrupted');
  expect(reply?.content).not.toBe('');
  expect(textOf(seen).startsWith(reply?.content ?? '-')).toBe(true);

  const after = await ada.points();
  expect(after.current_points).toBe(before.current_points);
  const { items } = await ada.ledger();
  expect(items.reduce((sum, entry) => sum + entry.amount, 0)).toBe(after.current_points);

  const next = await readEvents(await ada.send(conversation, 'Go on [[scenario:tokens n=3 ms=1]]'));
  expect(next.at(-1)?.event).toBe('done');
  await endGroup(second.child);
  for (const life of [options, again]) mustTellNobody(life);
  await model.close();
});

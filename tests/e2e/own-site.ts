import { globSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startWorker } from '../../scripts/lib/local-server.mjs';
import { endGroup, freePort } from '../../scripts/lib/process.mjs';
import { test } from './journey.ts';
import { assertNoLeaks, readLoginCodes } from './log-leaks.ts';

/** A separate site for tests that need other variables or that change the database directly. */
export interface OwnSite {
  /** The origin, without a trailing slash. */
  url: string;
  stateDir: string;
  logFile: string;
  /**
   * Opens a database of the site for reading and writing; the caller closes it.
   * @param kind the folder of the local platform's storage
   */
  database(kind: 'd1' | 'kv'): DatabaseSync;
}

/** Returns the provider API address of the scripted model server. */
export const modelUrl = () => new URL('/v1', process.env.LORELOOM_MODEL_CONTROL).href;

/** Starts a site. `end` stops it and throws if its log contains personal data. */
export async function startSite(
  variables: Record<string, string>,
): Promise<OwnSite & { end: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-own-site-'));
  const [stateDir, logFile] = [join(folder, 'state'), join(folder, 'worker.log')];
  const outDir = process.env.LORELOOM_TEST_OUT_DIR ?? '.wrangler/test/dist';
  const { child, url } = await startWorker({
    ...{ direct: true, outDir, stateDir, port: await freePort(), logFile, wholeLog: true, variables },
  });
  return {
    ...{ url, stateDir, logFile },
    database(kind) {
      const files = globSync(join(stateDir, 'v3', kind, '*/*.sqlite'));
      return new DatabaseSync(files.find((path) => !path.includes('metadata')) ?? '', { timeout: 10_000 });
    },
    async end() {
      const codes = await readLoginCodes(url);
      await endGroup(child);
      assertNoLeaks({ stateDir, logFile, variables, codes });
    },
  };
}

/**
 * Starts a site before all tests of a file and stops it after them.
 * @param variables is called when the site starts, because the addresses of other servers are known only then
 */
export function ownSite(variables: () => Record<string, string>): OwnSite {
  const site = {} as OwnSite;
  let end = async () => {};
  test.beforeAll(async () => {
    test.setTimeout(120_000);
    const started = await startSite(variables());
    end = started.end;
    Object.assign(site, started);
  });
  test.afterAll(() => end());
  return site;
}

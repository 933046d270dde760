import { globSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startWorker } from '../../scripts/lib/local-server.mjs';
import { endGroup, freePort } from '../../scripts/lib/process.mjs';
import { test } from './journey.ts';
import { mustTellNobody, sentCodes } from './told-by-site.ts';

/** A site beside the one that all tests share: with variables of its own, or with a database that is changed from outside. */
export interface OwnSite {
  /** Without a slash at its end. */
  url: string;
  stateDir: string;
  logFile: string;
  /**
   * A database of the site, to be read and changed from outside; the caller closes it.
   * @param kind where the platform's stand-in keeps it
   */
  database(kind: 'd1' | 'kv'): DatabaseSync;
}

/** The address at which the scripted model server speaks as providers do. */
export const modelUrl = () => new URL('/v1', process.env.LORELOOM_MODEL_CONTROL).href;

/** Starts a site; `end` ends it, and throws where its log tells of people. */
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
      const codes = await sentCodes(url);
      await endGroup(child);
      mustTellNobody({ stateDir, logFile, variables, codes });
    },
  };
}

/**
 * A site for all tests of a file: there while they run.
 * @param variables made when it starts, since what other servers are called is known by then
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

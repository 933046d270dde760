import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endGroup, pause, ROOT, serve } from '../../scripts/lib/process.mjs';
import { varnishPath } from '../../scripts/lib/varnish.mjs';

const CONFIG_FILE = new URL('shared-cache.vcl', import.meta.url);
/** Far above the usual start time. */
const START_TIMEOUT_MS = 20_000;

/**
 * Starts a real shared cache in front of a local Worker, with its own folder.
 * @returns null where Varnish is not installed
 * @throws Error when it does not start
 */
export async function startSharedCache(options: {
  port: number;
  worker: string;
  secret: string;
}): Promise<{ url: string; close: () => Promise<void> } | null> {
  const varnish = varnishPath();
  if (varnish === undefined) return null;
  const parent = join(ROOT, '.wrangler', 'varnish');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'run-'));
  const configuration = join(folder, 'cache.vcl');
  const text = readFileSync(CONFIG_FILE, 'utf8')
    .replaceAll('WORKER_PORT', new URL(options.worker).port)
    .replaceAll('PURGE_SECRET', options.secret);
  writeFileSync(configuration, text);
  const logFile = join(folder, 'log');
  const child = serve(
    varnish,
    [
      ...['-F', '-j', 'none', '-a', `127.0.0.1:${options.port}`, '-f', configuration],
      ...['-n', join(folder, 'work'), '-s', 'malloc,64m', '-T', 'none'],
    ],
    { logFile },
  );
  const url = `http://127.0.0.1:${options.port}`;
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const answers = await fetch(`${url}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answers) {
      const close = async () => {
        await endGroup(child);
        rmSync(folder, { recursive: true, force: true });
      };
      return { url, close };
    }
    if (Date.now() > deadline || child.exitCode !== null) {
      throw new Error(`The shared cache did not begin to answer:\n${readFileSync(logFile, 'utf8')}`);
    }
    await pause(100);
  }
}

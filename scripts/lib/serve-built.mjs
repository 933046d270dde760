// `serve-built.mjs <built config> <state> <environment file> <port> [--whole-log]`: the built product in the platform's
// runtime, with the bindings that its configuration names. It is what `wrangler dev` does with a build, without the
// development server in front, through which every request would pass once more.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from 'wrangler';
import { modulesOf } from './built-modules.mjs';

const [configFile, stateDir, environmentFile, port, wholeLog] = process.argv.slice(2);
const { workerOptions } = workerOptionsOf(configFile);
const { main } = JSON.parse(readFileSync(configFile, 'utf8'));

const miniflare = new Miniflare({
  ...convertV4MiniflareOptions({
    host: 'localhost',
    port: Number(port),
    unsafeTriggerHandlers: true,
    unsafeLocalExplorer: true,
    // Where other Workers on this machine find this one, when somebody names a place.
    unsafeDevRegistryPath: process.env.WRANGLER_REGISTRY_PATH,
    logRequests: false,
    log: new Log(LogLevel.INFO, { prefix: 'wrangler' }),
    handleStructuredLogs: ({ level, message }) => {
      if (wholeLog !== undefined || level === 'warn' || level === 'error') console.log(message);
    },
    workers: [
      {
        name: 'loreloom',
        ...workerOptions,
        modulesRoot: dirname(configFile),
        modules: modulesOf(join(dirname(configFile), main)),
        bindings: { ...workerOptions.bindings, ...parseEnv(readFileSync(environmentFile, 'utf8')) },
      },
    ],
  }),
  // Where `wrangler dev --persist-to` keeps what it keeps, and `wrangler d1 migrations apply` finds it.
  resourcePersistencePath: join(stateDir, 'v3'),
});
await miniflare.ready;
process.on('SIGTERM', () => void miniflare.dispose().then(() => process.exit(0)));

// `serve-built.mjs <built config> <state> <environment file> <port> [--whole-log]`: serves the built
// product in the platform's runtime, with the bindings of its configuration. It does what `wrangler dev` does with a build,
// without the development server in front, which costs as much time as the product.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as getWorkerOptions } from 'wrangler';
import { listModules } from './built-modules.mjs';

const [configFile, stateDir, environmentFile, port, wholeLog] = process.argv.slice(2);
const { workerOptions } = getWorkerOptions(configFile);
const { main } = JSON.parse(readFileSync(configFile, 'utf8'));

const miniflare = new Miniflare({
  ...convertV4MiniflareOptions({
    host: 'localhost',
    port: Number(port),
    unsafeTriggerHandlers: true,
    unsafeLocalExplorer: true,
    // The folder in which other local Workers find this one.
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
        modules: listModules(join(dirname(configFile), main)),
        bindings: { ...workerOptions.bindings, ...parseEnv(readFileSync(environmentFile, 'utf8')) },
      },
    ],
  }),
  // The folder that `wrangler dev --persist-to` and `wrangler d1 migrations apply` use.
  resourcePersistencePath: join(stateDir, 'v3'),
});
await miniflare.ready;
process.on('SIGTERM', () => void miniflare.dispose().then(() => process.exit(0)));

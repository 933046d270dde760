// `npm run business`: shows the constants of the business, or changes them without a deployment.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ENVIRONMENTS } from './deploy/arguments.mjs';
import { business } from './lib/business-command.mjs';
import { ROOT, toolEnvironment } from './lib/process.mjs';

const isOption = (arg) => arg.startsWith('--');
const typed = process.argv.slice(2);
// Which of the deployments: wrangler.toml has a namespace for each.
const at = typed.indexOf('--env');
const env = at < 0 ? undefined : typed[at + 1];
const args = typed.filter((_, place) => at < 0 || (place !== at && place !== at + 1));
const options = args.filter(isOption);
if (options.length > 1 || options.some((option) => !['--local', '--remote'].includes(option))) {
  console.error(`Not understood: ${options.join(' ')}. There are --local and --remote.`);
  process.exit(2);
}
const isRemote = options.includes('--remote');
if (isRemote ? !ENVIRONMENTS.includes(env) : at >= 0) {
  console.error(
    `A site that is deployed is one of these: --remote --env ${ENVIRONMENTS.join(', --remote --env ')}.`,
  );
  process.exit(2);
}
const place = isRemote
  ? ['--remote', '--env', env]
  : ['--local', '--persist-to', join(ROOT, '.wrangler', 'state')];

async function wrangler(...command) {
  const all = [...command, '--binding', 'KV', ...place, '--config', join(ROOT, 'wrangler.toml')];
  const { stdout } = await promisify(execFile)('wrangler', ['kv', 'key', ...all], {
    cwd: ROOT,
    env: toolEnvironment(),
  });
  return stdout;
}

const store = {
  async read(key) {
    // What is not there is told by the list alone: asked for itself it is an error at one place and a sentence at another.
    const keys = JSON.parse(await wrangler('list', '--prefix', key));
    if (!keys.some(({ name }) => name === key)) return null;
    return wrangler('get', key, '--text');
  },
  async write(key, text, seconds) {
    const folder = mkdtempSync(join(tmpdir(), 'loreloom-business-'));
    try {
      const file = join(folder, 'business.json');
      writeFileSync(file, text);
      const goes = seconds === undefined ? [] : ['--ttl', String(seconds)];
      await wrangler('put', key, '--path', file, ...goes);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

try {
  process.exitCode = await business(
    args.filter((arg) => !isOption(arg)),
    store,
    (text) => console.log(text),
  );
} catch (error) {
  console.error(error.stderr || error.stdout || error.message);
  process.exitCode = 1;
}

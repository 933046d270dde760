import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { pickOperatorVariables } from '../../../scripts/lib/operator-variables.mjs';
import { checkSchema, CliError } from '../../../scripts/lib/prepare.mjs';
import { describeOwner, getStartTime, readOwner } from '../../../scripts/lib/state-owner.mjs';
import { getVariables } from '../../../src/env/schema.js';

const SCRIPT = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url));

/** Runs a script to its end and gives what it said and how it ended. */
function run(
  script: string,
  variables: Record<string, string> = {},
): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script], { env: { ...process.env, ...variables } });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
    child.on('close', (code) => resolve({ code, said: said.trim() }));
  });
}

const start = (port: string, variables: Record<string, string> = {}) =>
  run(SCRIPT, { ...variables, PORT: port });

describe('Refused start', () => {
  test('starting on a port in use is refused in one sentence', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, said } = await start(String(port));
    other.close();
    expect(code).toBe(1);
    expect(said).toContain(`Port ${port} is in use.`);
    expect(said.split('\n')).toHaveLength(1);
  });

  test.each(['port', '0', '70000', '80.5'])(
    'starting on the port “%s” is refused in one sentence',
    async (port) => {
      const { code, said } = await start(port);
      expect(code).toBe(1);
      expect(said).toBe(`PORT must be a port number, not “${port}”.`);
    },
  );

  test('starting with an invalid variable is refused in one sentence without its value', async () => {
    const { code, said } = await start('18799', { SITE_URL: 'my-own-secret-place' });
    expect(code).toBe(1);
    expect(said).toBe('SITE_URL: it wants the address of the site, such as https://chat.example.');
  });

  test('variables are checked after the installation in a fresh clone, where the check is not installed yet', async () => {
    const root = mkdtempSync(join(tmpdir(), 'loreloom-clone-'));
    const from = fileURLToPath(new URL('../../..', import.meta.url));
    for (const path of ['scripts/start.mjs', 'scripts/lib', 'src/env', 'package.json', 'package-lock.json'])
      cpSync(join(from, path), join(root, path), { recursive: true });
    const npm = `#!/bin/sh\n[ "$1" = ci ] || exit 0\nmkdir -p node_modules && ln -sfn '${join(from, 'node_modules/zod')}' node_modules/zod\n`;
    mkdirSync(join(root, 'bin'));
    writeFileSync(join(root, 'bin/npm'), npm, { mode: 0o755 });
    const { code, said } = await run(join(root, 'scripts/start.mjs'), {
      ...{ PORT: '18798', SITE_URL: 'my-own-secret-place' },
      PATH: `${join(root, 'bin')}:${process.env['PATH']}`,
    });
    rmSync(root, { recursive: true });
    expect(code).toBe(1);
    expect(said.split('\n').map((line) => line.slice(0, 23))).toEqual([
      'Installing dependencies',
      '',
      'SITE_URL: it wants the ',
    ]);
  });
});

describe('Local data of another version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-state-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('local data of another version is refused with the command that deletes it, and a new folder is accepted', () => {
    expect(() => checkSchema(folder)).not.toThrow();
    writeFileSync(join(folder, '.prepared-with'), 'as any earlier version wrote it');
    expect(() => checkSchema(folder)).toThrow(CliError);
    writeFileSync(join(folder, '.schema'), 'other tables');
    expect(() => checkSchema(folder)).toThrow(/npm run reset/);
  });

  test('`npm run reset` deletes local data of another version, but not while it is served', async () => {
    const root = join(folder, 'checkout');
    for (const file of ['reset.mjs', 'lib/process.mjs', 'lib/state-owner.mjs'])
      cpSync(
        fileURLToPath(new URL(`../../../scripts/${file}`, import.meta.url)),
        join(root, 'scripts', file),
      );
    const state = join(root, '.wrangler', 'state');
    mkdirSync(state, { recursive: true });
    writeFileSync(join(state, 'served-by.json'), JSON.stringify(describeOwner(8787)));
    const reset = () => run(join(root, 'scripts', 'reset.mjs'));
    expect(await reset()).toMatchObject({ code: 1, said: expect.stringContaining('http://localhost:8787') });
    expect(existsSync(state)).toBe(true);
    rmSync(join(state, 'served-by.json'));
    expect(await reset()).toEqual({ code: 0, said: 'The local data is deleted.' });
    expect(existsSync(state)).toBe(false);
  });
});

describe('Owner of the local state', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-owner-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'served-by.json');
  const readWritten = (text: string) => {
    writeFileSync(file, text);
    return readOwner(file);
  };

  test('the owner of the local state is the process that wrote the file, while it runs', () => {
    const own = describeOwner(8787);
    expect(own).toEqual({ pid: process.pid, startedAt: expect.stringMatching(/\d/), port: 8787 });
    expect(readWritten(JSON.stringify(own))).toEqual(own);
  });

  test('the local state has no owner once the process that wrote the file has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const pid = child.pid ?? 0;
    const owner = { pid, startedAt: getStartTime(pid), port: 8787 };
    expect(readWritten(JSON.stringify(owner))).toEqual(owner);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(readOwner(file)).toBeNull();
  });

  test('the local state has no owner if another process has the pid now', () => {
    const own = describeOwner(8787);
    expect(readWritten(JSON.stringify({ ...own, startedAt: '1' }))).toBeNull();
    expect(readWritten(JSON.stringify({ ...own, startedAt: null }))).toBeNull();
    // As earlier versions of `npm start` wrote it.
    expect(readWritten(JSON.stringify({ pid: process.pid, port: 8787 }))).toBeNull();
  });

  test('the local state has no owner without a readable file', () => {
    expect(readOwner(join(folder, 'missing.json'))).toBeNull();
    for (const text of ['', '{', 'null', '{}', '{"pid":0,"startedAt":"1"}', '{"pid":"1","startedAt":"1"}'])
      expect(readWritten(text)).toBeNull();
  });
});

test('README and docs/deployment.md name the Node that the tools need, and npm installs one that is new enough', () => {
  const said = ['README.md', 'docs/deployment.md'].map(
    (page) => /\bNode (\d\S*) or newer/.exec(readFileSync(page, 'utf8'))?.[1],
  );
  const needed = /major < (\d+)/.exec(readFileSync('scripts/lib/prepare.mjs', 'utf8'))?.[1];
  expect(said).toEqual([needed, needed]);
  const { engines, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    engines: { node: string };
    devDependencies: { node: string };
  };
  const least = engines.node.replace('>=', '');
  expect(devDependencies.node.localeCompare(least, 'en', { numeric: true })).toBe(1);
});

test('an operator variable in the shell reaches the Worker, and nothing else of the shell does', () => {
  const names = Object.keys(getVariables());
  expect(names).toEqual(
    expect.arrayContaining(['SPICY_MODE', 'AGE_CHECK', 'PAYPAL_CLIENT_ID', 'PAYPAL_PLAN_STORYTELLER']),
  );
  for (const model of ['ROLEPLAY', 'CHATGPT', 'DEEPSEEK', 'MISTRAL'])
    expect(names).toContain(`MODEL_${model}_BASE_URL`);
  // Made anew for this machine.
  const own = names.filter((name) => name !== 'AUTH_SECRET');
  const set = Object.fromEntries(own.map((name) => [name, `my ${name}`]));
  const others = { AUTH_SECRET: 'x', HOME: '/home/me', PORT: '1', AGE_CHECKED: 'x', MY_SPICY_MODE: 'x' };
  expect(pickOperatorVariables({ ...others, ...set })).toEqual(set);
});

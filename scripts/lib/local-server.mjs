// The built product on this machine: one Worker with its own state, port and log.
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { builtConfig, localSecret, prepareState, CliError, writeEnvironmentFile } from './prepare.mjs';
import { freePort, ROOT, serve, untilHealthy } from './process.mjs';

/**
 * Prepares the state if it is new, starts the Worker and waits until it answers. If `LORELOOM_PREPARED_STATE` names an unused
 * state, a new one is a copy of it, which saves fifteen seconds.
 * @param {{ outDir: string, stateDir: string, port: number, logFile: string, wholeLog?: boolean, direct?: boolean, variables?: Record<string, string | undefined>, say?: (text: string) => void }} options `wholeLog`: with every line that the Worker writes, not its warnings and errors alone; `direct`: without wrangler's development server in front, which takes as much time as the product
 * @returns the Worker's process, in a group of its own, and its address
 */
export async function startWorker({
  outDir,
  stateDir,
  port,
  logFile,
  wholeLog = false,
  direct = false,
  variables = {},
  say = () => {},
}) {
  const prepared = process.env.LORELOOM_PREPARED_STATE;
  if (prepared !== undefined && !existsSync(stateDir)) cpSync(prepared, stateDir, { recursive: true });
  await prepareState(say, { outDir, stateDir });
  const envFile = join(stateDir, 'worker.env');
  writeEnvironmentFile(envFile, {
    RATE_LIMITS: 'off',
    MAIL_FROM: 'Loreloom <hello@localhost.test>',
    AUTH_SECRET: localSecret(stateDir),
    SITE_URL: `http://localhost:${port}`,
    SUPPORT_EMAIL: 'support@localhost.test',
    COMMUNITY_LINKS: 'Discord=https://discord.example/loreloom, Reddit=https://reddit.example/r/loreloom',
    ...variables,
  });
  say('Starting …');
  const child = direct
    ? serve(
        'node',
        [
          ...[join(ROOT, 'scripts', 'lib', 'serve-built.mjs'), builtConfig(outDir), stateDir, envFile],
          ...[String(port), ...(wholeLog ? ['--whole-log'] : [])],
        ],
        { logFile },
      )
    : serve(
        'wrangler',
        [
          ...['dev', '--config', builtConfig(outDir), '--persist-to', stateDir, '--env-file', envFile],
          ...['--port', String(port), '--inspector-port', String(await freePort())],
          ...['--show-interactive-dev-session', 'false', '--log-level', wholeLog ? 'log' : 'warn'],
        ],
        { logFile },
      );
  const url = `http://localhost:${port}`;
  if (!(await untilHealthy(`${url}/api/health`, child))) {
    throw new CliError(`The Worker did not become healthy; its log is ${logFile}`);
  }
  return { child, url };
}

/** Starts the offline demo model. @returns the variables that make it the roleplay model */
export async function startDemoModel(logFile) {
  const port = await freePort();
  const child = serve('node', [join(ROOT, 'scripts', 'local-model', 'server.mjs'), '--port', String(port)], {
    logFile,
  });
  const url = `http://127.0.0.1:${port}`;
  if (!(await untilHealthy(`${url}/health`, child, 10_000))) {
    throw new CliError(`The offline demo model did not start; its log is ${logFile}`);
  }
  return {
    MODEL_ROLEPLAY_BASE_URL: `${url}/v1`,
    MODEL_ROLEPLAY_MODEL: 'offline-demo',
    MODEL_ROLEPLAY_LABEL: 'Roleplay (demo)',
  };
}

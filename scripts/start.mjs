// `npm start`: from a fresh clone to a page that answers, and Ctrl-C ends all of it. Plain
// JavaScript for Node 20; it imports no dependency before the installation.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCrons, runCrons } from './lib/local-crons.mjs';
import { startDemoModel, startWorker } from './lib/local-server.mjs';
import { build, checkSchema, checkTools, install, CliError } from './lib/prepare.mjs';
import { endAll, portIsFree, ROOT } from './lib/process.mjs';
import { describeOwner, OWNER_FILE, readOwner, STATE_DIR } from './lib/state-owner.mjs';

const OUT_DIR = 'dist';
const LOG_DIR = join(ROOT, '.wrangler', 'logs');

const say = (text) => console.log(text);
const port = Number(process.env.PORT || 8787);

function takeState() {
  const owner = readOwner(OWNER_FILE);
  if (owner !== null) {
    throw new CliError(
      `This checkout already runs at http://localhost:${owner.port}. End that one first (process ${owner.pid}).`,
    );
  }
  mkdirSync(STATE_DIR, { recursive: true });
  writeFileSync(OWNER_FILE, JSON.stringify(describeOwner(port)));
  process.on('exit', () => rmSync(OWNER_FILE, { force: true }));
}

/**
 * Reads the shell's variables for the Worker; null while zod, which checks them, is not installed.
 * @throws CliError with a sentence for each wrong variable
 */
async function readVariables() {
  if (!existsSync(join(ROOT, 'node_modules', 'zod'))) return null;
  const { describeWrongVariables, pickOperatorVariables } = await import('./lib/operator-variables.mjs');
  const own = pickOperatorVariables(process.env);
  const wrong = describeWrongVariables(own);
  if (wrong !== null) throw new CliError(wrong);
  return own;
}

let ending = false;
let endCrons = () => {};
async function end(code) {
  if (ending) return;
  ending = true;
  endCrons();
  await endAll();
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (!ending) say('\nEnding …');
    void end(0);
  });
}

async function main() {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new CliError(`PORT must be a port number, not “${process.env.PORT}”.`);
  }
  if (!(await portIsFree(port))) {
    throw new CliError(
      `Port ${port} is in use. End what runs there, or choose another: PORT=${port + 1} npm start`,
    );
  }
  const checked = await readVariables();
  await checkTools();
  takeState();
  checkSchema(STATE_DIR);
  await install(say);
  const own = checked ?? (await readVariables());
  await build(say, OUT_DIR);
  const demo = own.MODEL_ROLEPLAY_BASE_URL ? {} : await startDemoModel(join(LOG_DIR, 'local-model.log'));
  const logFile = join(LOG_DIR, 'worker.log');
  const { child, url } = await startWorker({
    ...{ outDir: OUT_DIR, stateDir: STATE_DIR, port, logFile, say },
    variables: { ...demo, ...own },
  });
  child.on('exit', () => {
    if (ending) return;
    console.error(`The Worker ended; its log is ${logFile}`);
    void end(1);
  });
  endCrons = runCrons({ url, crons: readCrons(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8')) });
  const model = demo.MODEL_ROLEPLAY_BASE_URL
    ? `Replies come from the offline demo model. For a real one, end this and start again with the
  address of any OpenAI-compatible server (Ollama, llama.cpp, vLLM, a provider):

    MODEL_ROLEPLAY_BASE_URL=http://localhost:11434/v1 MODEL_ROLEPLAY_MODEL=llama3.1 npm start

  and MODEL_ROLEPLAY_API_KEY=… where a key is needed.`
    : `Replies come from ${own.MODEL_ROLEPLAY_BASE_URL}`;
  say(`
  Loreloom       ${url}
  Local mailbox  ${url}/cdn-cgi/local/explorer  (login codes arrive here)
  Test people    ${url}/test-login  (come in without a code)

  ${model}

  Ctrl-C ends all of it.`);
}

main().catch(async (error) => {
  // Errors caused by the shutdown are not reported.
  if (!ending) console.error(error instanceof CliError ? `\n${error.message}` : error);
  await end(1);
});

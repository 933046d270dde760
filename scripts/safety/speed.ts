import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { build } from 'vite';
import { LANGUAGES } from '../../src/config/languages.ts';
import { splitSentences } from '../../src/features/safety/sentences.ts';
import { listChildren, readProcessorMs } from '../bench/machine.mjs';
import { isTest, type SafetyText } from './data.ts';
import type { SpeedRequest } from './speed-worker.ts';

/** Measures the processor time of reading texts in the Workers runtime, once it is warm. */

/** The processor time in ms of one language, the least of several runs. */
export interface Speed {
  /** For 1,000 characters of messages of that length, and of messages of a sentence or two. */
  long: number;
  short: number;
  /** For each token of a reply. */
  token: number;
}

/** UTF-16 units. */
const MESSAGE_CHARS = 1000;
const TOKEN = /\s*\S{1,4}/gu;
const RUNS = 5;
/** Enough work for each run to take far longer than a request without work. */
const CHARS_PER_RUN = 400_000;
const TOKENS_PER_RUN = 20_000;
const WEIGHTS = fileURLToPath(new URL('../../data/safety/weights.bin', import.meta.url));

/** Joins texts into messages of at least `MESSAGE_CHARS`. */
function joinTexts(texts: readonly string[]): string[] {
  const joined = [''];
  for (const text of texts) {
    if ((joined.at(-1) as string).length >= MESSAGE_CHARS) joined.push('');
    joined.push(`${joined.pop()} ${text}`.trim());
  }
  return joined.slice(0, -1);
}

async function buildWorker(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: fileURLToPath(new URL('speed-worker.ts', import.meta.url)),
      write: false,
      rolldownOptions: { external: /\.bin$/, output: { paths: () => './weights.bin' } },
    },
  });
  const [output] = [built].flat().flatMap((part) => ('output' in part ? part.output : []));
  if (output?.type !== 'chunk') throw new Error('The Worker that measures the speed was not built');
  return output.code;
}

/** Measures each language on its harmless test texts. */
export async function measureSpeeds(texts: readonly SafetyText[]): Promise<Record<string, Speed>> {
  const modules = [
    { type: 'ESModule' as const, path: 'worker.js', contents: await buildWorker() },
    { type: 'Data' as const, path: 'weights.bin', contents: readFileSync(WEIGHTS) },
  ];
  const before = new Set(listChildren(process.pid));
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({ modules, modulesRoot: '.', compatibilityDate: '2026-09-01' }),
  );
  await miniflare.ready;
  const pid = listChildren(process.pid).find((child) => !before.has(child));
  const read = async (request: SpeedRequest) => {
    const begun = readProcessorMs(pid);
    const body = JSON.stringify(request);
    const answer = await miniflare.dispatchFetch('http://localhost/', { method: 'POST', body });
    if ((await answer.text()) !== 'read') throw new Error('The Worker did not read the texts');
    return readProcessorMs(pid) - begun;
  };
  /** @param request with one time @param units the characters or tokens in it */
  const measure = async (request: SpeedRequest, units: number, unitsPerRun: number) => {
    const times = Math.ceil(unitsPerRun / units);
    const runs: number[] = [];
    for (let run = 0; run <= RUNS; run += 1) {
      const idle = await read({ ...request, times: 0 });
      runs.push((await read({ ...request, times })) - idle);
    }
    return Math.min(...runs.slice(1)) / (units * times);
  };
  const measureMessages = async (messages: string[]) =>
    1000 * (await measure({ times: 1, messages }, messages.join('').length, CHARS_PER_RUN));
  const speeds: Record<string, Speed> = {};
  for (const own of LANGUAGES) {
    const harmless = texts.filter(
      (text) => isTest(text) && text.language === own && text.labels.length === 0,
    );
    const messages = harmless.map(({ text }) => text);
    const sentences = harmless
      .filter(({ kind }) => kind === 'reply')
      .flatMap(({ text }) => splitSentences(text))
      .map((sentence) => sentence.match(TOKEN) ?? []);
    speeds[own] = {
      long: await measureMessages(joinTexts(messages)),
      short: await measureMessages(messages),
      token: await measure({ times: 1, sentences }, sentences.flat().length, TOKENS_PER_RUN),
    };
  }
  await miniflare.dispose();
  return speeds;
}

/** Formats the processor times as a Markdown table. */
export function formatSpeeds(speeds: Readonly<Record<string, Speed>>): string {
  const rows = [
    ['language', 'message of 1,000 characters', 'message of a sentence or two', 'token of a reply'],
    ['---', '---', '---', '---'],
    ...Object.entries(speeds).map(([language, { long, short, token }]) => [
      language,
      `${long.toFixed(2)} ms`,
      `${short.toFixed(2)} ms`,
      `${token.toFixed(4)} ms`,
    ]),
  ];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

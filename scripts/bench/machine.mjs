// What Linux reports about this machine and its processes in `/proc`.
import { readdirSync, readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { pause, run } from '../lib/process.mjs';
import { parseResidentBytes } from './figures.mjs';

const read = (path) => readFileSync(path, 'utf8');

/** @returns {number[]} the ids of a process's children */
export function listChildren(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const lists = threads.map((thread) => read(`/proc/${pid}/task/${thread}/children`));
  return lists.flatMap((list) => list.match(/\d+/g) ?? []).map(Number);
}

/** @returns the processor time of a process's living threads, in ms */
export function readProcessorMs(pid) {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      nanoseconds += Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]);
    } catch {
      // The thread ended after it was listed.
    }
  }
  return nanoseconds / 1e6;
}

export const readResidentBytes = (pid) => parseResidentBytes(read(`/proc/${pid}/status`));

/** Processor ticks since the machine started: all of them, and the idle ones. */
function readTicks() {
  const [, ...counts] = read('/proc/stat').split('\n')[0].split(/\s+/);
  // The last two columns are for guests, whose time is in the first columns too.
  const all = counts.slice(0, 8).reduce((sum, count) => sum + Number(count), 0);
  return { all, idle: Number(counts[3]) + Number(counts[4]) };
}

/**
 * Waits, and measures how much of the processors other processes use meanwhile, with what the machine's host takes.
 * @returns a share from 0 to 1
 */
export async function measureBusyShare(ms) {
  const readShare = startBusyMeter();
  await pause(ms);
  return readShare();
}

/** Returns a function that returns which share of the processors all processes together have used since then. */
export function startBusyMeter() {
  const before = readTicks();
  return () => {
    const after = readTicks();
    return 1 - (after.idle - before.idle) / (after.all - before.all);
  };
}

/** The machine, commit and date to print with a table. */
export async function describeMachine() {
  const inputs = ['src', 'migrations', 'package-lock.json'];
  const [commit, changed] = await Promise.all([
    run('git', ['rev-parse', '--short=12', 'HEAD']),
    run('git', ['status', '--porcelain', '--untracked-files=no', '--', ...inputs]),
  ]);
  const name = commit.code === 0 ? commit.output.trim() : 'unknown';
  const date = new Date().toISOString().slice(0, 10);
  const hardware = `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB`;
  return `on ${date}, commit ${name}${changed.output.trim() === '' ? '' : ' with changes'}, ${hardware}`;
}

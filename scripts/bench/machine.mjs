// What this machine tells of itself and of its processes (Linux; elsewhere there is no `/proc` to ask).
import { readdirSync, readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { run } from '../lib/process.mjs';
import { residentBytes } from './figures.mjs';

const read = (path) => readFileSync(path, 'utf8');

/** Processes that a process started. */
export function childrenOf(pid) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        // After the name, which may hold anything: state and parent.
        return Number(read(`/proc/${name}/stat`).split(') ').at(-1).split(' ')[1]) === pid;
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Processor time that a process has taken, in ms: that of all its threads that live. */
export function processorMs(pid) {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      nanoseconds += Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]);
    } catch {
      // It ended in this moment.
    }
  }
  return nanoseconds / 1e6;
}

export const memoryOf = (pid) => residentBytes(read(`/proc/${pid}/status`));

/** Ticks of all processors since the machine was started: all of them, and those in which there was nothing to do. */
function ticks() {
  const [, ...counts] = read('/proc/stat').split('\n')[0].split(/\s+/);
  // The last two, of guests, are counted among the first already.
  const all = counts.slice(0, 8).reduce((sum, count) => sum + Number(count), 0);
  return { all, idle: Number(counts[3]) + Number(counts[4]) };
}

/**
 * The share of the processors' time that goes to others while this process waits, from 0 to 1; what the machine's host takes
 * away is among it.
 * @param ms how long to look
 */
export async function takenByOthers(ms) {
  const before = ticks();
  await delay(ms);
  const after = ticks();
  return 1 - (after.idle - before.idle) / (after.all - before.all);
}

/** What a table was made with. */
export async function describeMachine() {
  const [processor] = cpus();
  const [commit, changed] = await Promise.all([
    run('git', ['rev-parse', '--short=12', 'HEAD']),
    run('git', [
      'status',
      '--porcelain',
      '--untracked-files=no',
      '--',
      'src',
      'migrations',
      'package-lock.json',
    ]),
  ]);
  const dirty = changed.output.trim() === '' ? '' : ' with changes';
  return {
    machine: `${cpus().length} cores (${processor?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB`,
    commit: commit.code === 0 ? `${commit.output.trim()}${dirty}` : 'unknown',
    date: new Date().toISOString().slice(0, 10),
  };
}

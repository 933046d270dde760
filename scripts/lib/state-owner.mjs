// Which process serves the local state. Plain JavaScript for Node 20, without a dependency: it runs before anything is
// installed.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './process.mjs';

/** Where `npm start` stores everything: the database, objects, pictures and the secret of this machine. */
export const STATE_DIR = join(ROOT, '.wrangler', 'state');

/** Names the process that serves the local state: two Workers over the same files would damage them. */
export const OWNER_FILE = join(STATE_DIR, 'served-by.json');

/** States of a process that has ended and that its parent has not waited for yet: zombie, dead. */
const HAS_ENDED = /^[ZX]/;

/**
 * Returns when a running process started, in the platform's own notation. With its pid it identifies the process: the pid
 * alone may belong to another process later. Null if no such process runs, or if the platform does not say.
 * @param {number} pid
 * @returns {string | null}
 */
export function getStartTime(pid) {
  try {
    if (process.platform !== 'linux') return getStartTimeFromPs(pid);
    // proc_pid_stat(5): field 2 is the command in brackets, which may hold blanks and brackets; field 3 is the state,
    // field 22 the start time.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return HAS_ENDED.test(fields[0]) ? null : (fields[22 - 3] ?? null);
  } catch {
    return null;
  }
}

/**
 * Asks `ps`, as every Unix has it.
 * @throws where there is no `ps` or no such process
 */
function getStartTimeFromPs(pid) {
  const ask = (field) =>
    execFileSync('ps', ['-o', `${field}=`, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    }).trim();
  return HAS_ENDED.test(ask('stat')) ? null : ask('lstart') || null;
}

/**
 * Returns what this process writes into the file that names the owner of the state.
 * @param {number} port where it serves
 */
export function describeOwner(port) {
  return { pid: process.pid, startedAt: getStartTime(process.pid), port };
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs, and belongs to another user.
    return error.code === 'EPERM';
  }
}

/**
 * Reads who owns the state. Null without a readable file, and if the file names a process that has ended or whose pid
 * belongs to another process now. On a platform that does not say when a process started, any process with the pid counts:
 * two Workers over the same files would damage them.
 * @param {string} file
 * @returns {{ pid: number, startedAt: string | null, port: number } | null}
 */
export function readOwner(file) {
  try {
    const owner = JSON.parse(readFileSync(file, 'utf8'));
    if (!Number.isInteger(owner.pid) || owner.pid <= 0) return null;
    const isSame =
      owner.startedAt === null && getStartTime(process.pid) === null
        ? isRunning(owner.pid)
        : typeof owner.startedAt === 'string' && getStartTime(owner.pid) === owner.startedAt;
    return isSame ? owner : null;
  } catch {
    return null;
  }
}

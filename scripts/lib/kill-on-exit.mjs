// Runs a server that must not outlive its parent: `kill-on-exit.mjs <command> [arguments]`. The parent holds this process's
// standard input open; once the parent has ended, for any reason, the server and its whole process group are ended too.
// Plain JavaScript for Node 20.
import { spawn } from 'node:child_process';

const [command, ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

server.on('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
server.on('exit', (code) => process.exit(code ?? 1));

process.stdin.on('end', () => process.kill(-process.pid, 'SIGTERM'));
process.stdin.on('error', () => process.kill(-process.pid, 'SIGTERM'));
process.stdin.resume();

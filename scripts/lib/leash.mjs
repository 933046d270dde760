// Runs a server that must not outlive whoever started it: `leash.mjs <command> [arguments]`. Its
// standard input is held open by the starter; when that ends, for whatever reason, so does the
// server and everything in its process group. Plain JavaScript for Node 20.
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

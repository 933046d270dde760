import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));

/** Runs the start command as it is and gives what it said and how it ended. */
function start(port: string): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [SCRIPT], { env: { ...process.env, PORT: port } });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
    child.on('close', (code) => resolve({ code, said: said.trim() }));
  });
}

describe('Starting where it cannot work', () => {
  test('says in one sentence that the port is in use, and which other to try', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, said } = await start(String(port));
    other.close();
    expect(code).toBe(1);
    expect(said).toContain(`Port ${port} is in use.`);
    expect(said.split('\n')).toHaveLength(1);
  });

  test.each(['port', '0', '70000', '80.5'])('says in one sentence that %s is no port', async (port) => {
    const { code, said } = await start(port);
    expect(code).toBe(1);
    expect(said).toBe(`PORT must be a port number, not “${port}”.`);
  });
});

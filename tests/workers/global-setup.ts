import { createServer } from 'node:net';
import type { TestProject } from 'vitest/node';
import { startModelServer } from '../support/model-server.mjs';
import type { TestServers } from '../support/variables.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    servers: TestServers;
  }
}

/** Starts what the Workers tests talk to, for one run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const models = await startModelServer();
  project.provide('servers', {
    modelUrl: models.url,
    closedUrl: `http://127.0.0.1:${await closedPort()}/v1`,
  });
  return () => models.close();
}

/** A port that was free a moment ago and has nobody behind it. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('the port is not known');
  return address.port;
}

import { createServer } from 'node:net';
import type { TestProject } from 'vitest/node';
import { startGoogleServer } from '../support/google-server.ts';
import { startModerationServer } from '../support/moderation-server.ts';
import { startModelServer } from '../support/model-server.mjs';
import { startPayPalServer } from '../support/paypal-server.ts';
import { GOOGLE_CLIENT_ID, PAYPAL, type TestServers } from '../support/test-environment.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    servers: TestServers;
    /** Where the moderation model's stand-in listens; the product asks it only where a test says so. */
    moderationUrl: string;
    /** In ms: how long tests look for sequences that nobody had met before. */
    searchMs: number;
  }
}

/** Starts what the Workers tests talk to, for one run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const models = await startModelServer();
  const google = await startGoogleServer(GOOGLE_CLIENT_ID);
  const payPal = await startPayPalServer(PAYPAL);
  const moderation = await startModerationServer();
  project.provide('moderationUrl', moderation.url);
  project.provide('searchMs', Number(process.env.SEARCH_MS ?? 0));
  project.provide('servers', {
    modelUrl: models.url,
    closedUrl: `http://127.0.0.1:${await closedPort()}/v1`,
    googleUrl: google.url,
    payPalUrl: payPal.url,
  });
  return async () => {
    await Promise.all([models.close(), google.close(), payPal.close(), moderation.close()]);
  };
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

import { fileURLToPath } from 'node:url';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { createTestEnvironment, type TestServers } from '../support/test-environment.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const migrations = await readD1Migrations(`${root}/migrations`);

/** In ms: far above what any of them takes, for machines that are busy with other things. */
const testTimeout = 120_000;

/** Tests that are in other suites already and belong to an area here; named by the run alone (scripts/security/areas.mjs). */
const also = (kind: string): string[] =>
  (process.env[`SECURITY_ALSO_${kind}`] ?? '').split(',').filter(Boolean);

declare module 'vitest' {
  export interface ProvidedContext {
    /** What is made up is made up from it: the same again with the same number. */
    securitySeed: number;
    /** How often each route is tried with something else. */
    securityRounds: number;
  }
}

const provide = {
  securitySeed: Number(process.env.SECURITY_SEED ?? 20_261_122),
  securityRounds: Number(process.env.SECURITY_ROUNDS ?? 16),
};

/** What is tried against the product: in the Workers runtime itself, and on its files. */
export default defineConfig({
  root,
  test: {
    silent: 'passed-only',
    projects: [
      {
        root,
        test: {
          name: 'security-files',
          include: ['tests/security/files/**/*.test.ts', ...also('UNIT')],
          setupFiles: ['./tests/unit/setup.ts'],
          environment: 'node',
          testTimeout,
          provide,
        },
      },
      {
        root,
        plugins: [
          cloudflareTest(({ inject }) => ({
            main: './tests/workers/entry.ts',
            wrangler: { configPath: './tests/workers/wrangler.toml' },
            miniflare: {
              bindings: {
                ...createTestEnvironment(inject<TestServers>('servers')),
                TEST_MIGRATIONS: migrations,
              },
            },
          })),
        ],
        test: {
          name: 'security-workers',
          include: ['tests/security/workers/**/*.test.ts', ...also('WORKERS')],
          setupFiles: ['./tests/workers/setup.ts'],
          globalSetup: ['./tests/workers/global-setup.ts'],
          isolate: false,
          testTimeout,
          provide,
        },
      },
    ],
  },
});

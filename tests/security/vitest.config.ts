import { fileURLToPath } from 'node:url';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { createTestEnvironment, type TestServers } from '../support/test-environment.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const migrations = await readD1Migrations(`${root}/migrations`);

/** In ms: far above what any test takes, for machines that are busy. */
const testTimeout = 120_000;

/** Tests of other suites that belong to an area of the security run; scripts/security/areas.mjs lists them. */
const listAdditional = (kind: string): string[] =>
  (process.env[`SECURITY_ALSO_${kind}`] ?? '').split(',').filter(Boolean);

declare module 'vitest' {
  export interface ProvidedContext {
    /** The seed of the generated requests. */
    securitySeed: number;
    /** How many generated requests each route gets. */
    securityRounds: number;
  }
}

const provide = {
  securitySeed: Number(process.env.SECURITY_SEED ?? 20_261_122),
  securityRounds: Number(process.env.SECURITY_ROUNDS ?? 16),
};

/** Attacks on the product: in the Workers runtime and on its files. */
export default defineConfig({
  root,
  test: {
    silent: 'passed-only',
    projects: [
      {
        root,
        test: {
          name: 'security-files',
          include: ['tests/security/files/**/*.test.ts', ...listAdditional('UNIT')],
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
          include: ['tests/security/workers/**/*.test.ts', ...listAdditional('WORKERS')],
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

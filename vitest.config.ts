import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { createTestEnvironment, type TestServers } from './tests/support/test-environment.ts';

const migrations = await readD1Migrations(fileURLToPath(new URL('./migrations', import.meta.url)));

/** In ms: far above what any of them takes, for machines that are busy with other things. */
const testTimeout = 90_000;

/** What shares a Worker or a process is run in one order everywhere, not by what took long on this machine the last time. */
class InOneOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
  }
}

/** Gives Node the files that the Workers runtime loads as binary modules. */
const binaryModules = {
  name: 'binary-modules',
  enforce: 'pre',
  load: (id: string) =>
    id.endsWith('.bin')
      ? `export default Uint8Array.from(atob('${readFileSync(id).toString('base64')}'), (sign) => sign.charCodeAt(0)).buffer;`
      : undefined,
} as const;

/** Pure rules run in Node; stores, objects and the API in the Workers runtime itself. */
export default defineConfig({
  test: {
    // Refusals and failures are the matter of many tests: their log lines tell something only where one fails.
    silent: 'passed-only',
    sequence: { sequencer: InOneOrder },
    // Tests tagged @all take long and run in `npm run test:all`.
    ...(process.env.LORELOOM_TEST_ALL === undefined ? { testNamePattern: /^(?!.* @all)/ } : {}),
    projects: [
      {
        plugins: [binaryModules],
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          setupFiles: ['./tests/unit/setup.ts'],
          environment: 'node',
          // Rules keep nothing between two questions; to load them anew for each file took a third of the time.
          isolate: false,
          testTimeout,
        },
      },
      {
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
          name: 'workers',
          include: ['tests/workers/**/*.test.ts'],
          setupFiles: ['./tests/workers/setup.ts'],
          globalSetup: ['./tests/workers/global-setup.ts'],
          // One Worker for all files, as in production: loading it anew for each took longer than its tests.
          isolate: false,
          testTimeout,
        },
      },
    ],
  },
});

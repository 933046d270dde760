import { build } from 'vite';
import { afterEach, describe, expect, test, vi } from 'vitest';

// The first to read the configuration waits for all that makes a build.
vi.setConfig({ testTimeout: 60_000 });

/** What a build is made with, with the environment's variable as given. */
async function configOf(localBuild: string | undefined) {
  vi.resetModules();
  vi.stubEnv('LORELOOM_LOCAL_BUILD', localBuild);
  const { default: config } = await import('../../astro.config.mjs');
  return config;
}

/** Its parts, by their names. */
async function integrations(localBuild: string | undefined): Promise<string[]> {
  const named = ((await configOf(localBuild)).integrations ?? []).flat() as { name: string }[];
  return named.map(({ name }) => name);
}

/** The text of the whole API, built with what the config defines. */
async function apiCode(localBuild: string | undefined): Promise<string> {
  const { define } = (await configOf(localBuild)).vite ?? {};
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    define: define ?? {},
    build: {
      ssr: 'src/api/app.ts',
      write: false,
      rolldownOptions: { external: [/^cloudflare:/, /\.bin$/] },
    },
  });
  return [built]
    .flat()
    .flatMap((part) => ('output' in part ? part.output : []))
    .map((file) => ('code' in file ? file.code : ''))
    .join('\n');
}

afterEach(() => vi.unstubAllEnvs());

describe('A build that is put before others', () => {
  test.each([undefined, '', '0', 'true'])(
    'has no page for test people, nor the gallery (%s)',
    async (flag) => {
      const names = await integrations(flag);
      expect(names).toContain('loreloom:client-ask');
      expect(names).not.toContain('loreloom:test-login');
      expect(names).not.toContain('loreloom:gallery');
    },
  );

  test('carries nothing of the call by which test people come in', async () => {
    const traces = ['auth/test-login', 'reader@localhost.test', 'newcomer-', 'Come in as a test person'];
    const tracesIn = (code: string) => traces.filter((trace) => code.includes(trace));
    expect(tracesIn(await apiCode('1'))).toEqual(traces);
    expect(tracesIn(await apiCode(undefined))).toEqual([]);
  });

  test('only one for this machine has them', async () => {
    expect(await integrations('1')).toEqual(
      expect.arrayContaining(['loreloom:test-login', 'loreloom:gallery']),
    );
  });
});

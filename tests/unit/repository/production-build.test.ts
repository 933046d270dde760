import { build } from 'vite';
import { afterEach, describe, expect, test, vi } from 'vitest';

// The first test to load the configuration waits for the whole build tooling.
vi.setConfig({ testTimeout: 60_000 });

/** Loads the build configuration with the given environment variable. */
async function loadConfig(localBuild: string | undefined) {
  vi.resetModules();
  vi.stubEnv('LORELOOM_LOCAL_BUILD', localBuild);
  const { default: config } = await import('../../../astro.config.mjs');
  return config;
}

/** The names of its integrations. */
async function listIntegrations(localBuild: string | undefined): Promise<string[]> {
  const named = ((await loadConfig(localBuild)).integrations ?? []).flat() as { name: string }[];
  return named.map(({ name }) => name);
}

/** The code of the whole API, built with the constants of the configuration. */
async function buildApi(localBuild: string | undefined): Promise<string> {
  const { define } = (await loadConfig(localBuild)).vite ?? {};
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

describe('Production build', () => {
  test.each([undefined, '', '0', 'true'])(
    'a production build has neither the test login page nor the gallery (%s)',
    async (flag) => {
      const names = await listIntegrations(flag);
      expect(names).toContain('loreloom:client-directives');
      expect(names).not.toContain('loreloom:test-login');
      expect(names).not.toContain('loreloom:gallery');
    },
  );

  test('a production build contains no code of the test login', async () => {
    const traces = [
      'auth/test-login',
      'reader@localhost.test',
      'newcomer-',
      'Sign in as a test user; only in local builds',
    ];
    const findTraces = (code: string) => traces.filter((trace) => code.includes(trace));
    expect(findTraces(await buildApi('1'))).toEqual(traces);
    expect(findTraces(await buildApi(undefined))).toEqual([]);
  });

  test('a local build has the test login page and the gallery', async () => {
    expect(await listIntegrations('1')).toEqual(
      expect.arrayContaining(['loreloom:test-login', 'loreloom:gallery']),
    );
  });
});

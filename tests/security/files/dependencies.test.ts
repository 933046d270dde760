import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const read = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')) as unknown;

interface Locked {
  version?: string;
  /** Where it is installed under another. */
  name?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  dev?: boolean;
}

const lock = read('package-lock.json') as { lockfileVersion: number; packages: Record<string, Locked> };
const named = read('package.json') as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};
const REGISTRY = 'https://registry.npmjs.org/';
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
const nameOf = (path: string): string => path.split('node_modules/').at(-1) as string;

describe('What the product is built from', () => {
  test('is written down to the byte: each package with the sum of what is installed', () => {
    expect(lock.lockfileVersion).toBe(3);
    expect(packages.length).toBeGreaterThan(100);
    const loose = packages.filter(
      ([, one]) => one.link === true || !/^sha512-[A-Za-z0-9+/=]{86,88}$/.test(one.integrity ?? ''),
    );
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  test('comes from the registry alone: no place of anybody’s own, no git, no file, nothing unencrypted', () => {
    // Where none is written down, it is the registry that npm is set up with, and the sum has to be the same.
    const elsewhere = packages.filter(([, { resolved = REGISTRY }]) => !resolved.startsWith(REGISTRY));
    expect(elsewhere.map(([path, { resolved }]) => `${path} ${resolved}`)).toEqual([]);
  });

  test('is each package under its own name: none is another one that is called so here', () => {
    const renamed = packages.filter(([path, { name }]) => name !== undefined && name !== nameOf(path));
    expect(renamed.map(([path, { name }]) => `${path} ${name}`)).toEqual([]);
  });

  test('is named exactly by us: no range takes a version that nobody looked at', () => {
    const ranges = Object.entries({ ...named.dependencies, ...named.devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
    );
    expect(ranges).toEqual([]);
    for (const [name, version] of Object.entries(named.dependencies))
      expect([name, lock.packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
  });

  test('runs nothing while it is installed but what is allowed to by name', () => {
    const running = new Set(
      packages.filter(([, one]) => one.hasInstallScript === true).map(([path]) => nameOf(path)),
    );
    // Others that would are not let by npm's own rule, which this list is.
    expect(Object.keys(named.allowScripts).toSorted()).toEqual(['esbuild', 'node', 'workerd']);
    expect(Object.keys(named.allowScripts).filter((name) => !running.has(name) && name !== 'node')).toEqual(
      [],
    );
  });
});

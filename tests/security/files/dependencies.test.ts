import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const readJson = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')) as unknown;

interface Locked {
  version?: string;
  /** Set when the package is installed under another name. */
  name?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  dev?: boolean;
}

const lock = readJson('package-lock.json') as { lockfileVersion: number; packages: Record<string, Locked> };
const manifest = readJson('package.json') as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};
const REGISTRY = 'https://registry.npmjs.org/';
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
const getPackageName = (path: string): string => path.split('node_modules/').at(-1) as string;

describe('Dependencies', () => {
  test('the lockfile has a SHA-512 sum for every package', () => {
    expect(lock.lockfileVersion).toBe(3);
    expect(packages.length).toBeGreaterThan(100);
    const loose = packages.filter(
      ([, one]) => one.link === true || !/^sha512-[A-Za-z0-9+/=]{86,88}$/.test(one.integrity ?? ''),
    );
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  test('every package comes from the registry', () => {
    // An entry without an address comes from npm's configured registry, and its sum must match.
    const elsewhere = packages.filter(([, { resolved = REGISTRY }]) => !resolved.startsWith(REGISTRY));
    expect(elsewhere.map(([path, { resolved }]) => `${path} ${resolved}`)).toEqual([]);
  });

  test('every package is installed under its own name', () => {
    const renamed = packages.filter(
      ([path, { name }]) => name !== undefined && name !== getPackageName(path),
    );
    expect(renamed.map(([path, { name }]) => `${path} ${name}`)).toEqual([]);
  });

  test('every direct dependency has an exact version', () => {
    const ranges = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
    );
    expect(ranges).toEqual([]);
    for (const [name, version] of Object.entries(manifest.dependencies))
      expect([name, lock.packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
  });

  test('only listed packages run install scripts', () => {
    const running = new Set(
      packages.filter(([, one]) => one.hasInstallScript === true).map(([path]) => getPackageName(path)),
    );
    // npm blocks the scripts of all packages outside this list.
    expect(Object.keys(manifest.allowScripts).toSorted()).toEqual(['esbuild', 'node', 'workerd']);
    expect(
      Object.keys(manifest.allowScripts).filter((name) => !running.has(name) && name !== 'node'),
    ).toEqual([]);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getPlatformProxy } from 'wrangler';

interface MakersPages {
  fetch(address: string): Promise<Response>;
}

/**
 * The entrypoint of the running Worker that draws makers' pages, asked as its front door asks it: what it says to its
 * own cache comes no further than that. Finds the Worker by the registry that WRANGLER_REGISTRY_PATH names.
 */
export async function makersPages(): Promise<{ makers: MakersPages; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-makers-'));
  const configPath = join(folder, 'wrangler.json');
  const services = [{ binding: 'MAKERS', service: 'loreloom', entrypoint: 'CreatorPages' }];
  writeFileSync(configPath, JSON.stringify({ name: 'asker', compatibility_date: '2026-10-01', services }));
  const { env, dispose } = await getPlatformProxy<{ MAKERS: MakersPages }>({
    configPath,
    persist: false,
    envFiles: [],
  });
  const close = async () => {
    await dispose();
    rmSync(folder, { recursive: true, force: true });
  };
  return { makers: env.MAKERS, close };
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getPlatformProxy } from 'wrangler';

interface CreatorPagesBinding {
  fetch(address: string): Promise<Response>;
}

/**
 * The entrypoint of the running Worker that draws makers' pages, asked as its front door asks it: what it says to its
 * own cache comes no further than that. Finds the Worker by the registry that WRANGLER_REGISTRY_PATH names.
 */
export async function openCreatorPages(): Promise<{
  creatorPages: CreatorPagesBinding;
  close: () => Promise<void>;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-makers-'));
  const configPath = join(folder, 'wrangler.json');
  const services = [{ binding: 'MAKERS', service: 'loreloom', entrypoint: 'CreatorPages' }];
  writeFileSync(configPath, JSON.stringify({ name: 'asker', compatibility_date: '2026-10-01', services }));
  const { env, dispose } = await getPlatformProxy<{ MAKERS: CreatorPagesBinding }>({
    configPath,
    persist: false,
    envFiles: [],
  });
  const close = async () => {
    await dispose();
    rmSync(folder, { recursive: true, force: true });
  };
  return { creatorPages: env.MAKERS, close };
}

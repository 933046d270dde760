import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getPlatformProxy } from 'wrangler';

interface CreatorPagesBinding {
  fetch(address: string): Promise<Response>;
}

/**
 * The running Worker's entrypoint for creator pages, called as the front Worker calls it, because its own cache headers are
 * visible only there. Finds the Worker through the registry at WRANGLER_REGISTRY_PATH.
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

import { openDatabase } from '../../db/open.ts';
import { readEnvironment } from '../../env/read-environment.ts';
import { listOfferedModels } from '../model/choose-model.ts';
import { readChecks } from './check-store.ts';
import type { StatusView } from './contract.ts';
import { buildStatus } from './status.ts';

/** How this site is, by what it found of itself. For the page and for whoever asks the API. */
export async function readStatus(env: Env, now: number): Promise<StatusView> {
  const { models, syntheticChecks } = readEnvironment(env);
  return buildStatus({
    ...(await readChecks(openDatabase(env.DB), now)),
    models: listOfferedModels(models).filter(({ available }) => available),
    checking: syntheticChecks === 'on',
    now,
  });
}

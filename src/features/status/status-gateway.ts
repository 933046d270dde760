import { openDatabase } from '../../db/open.ts';
import { readEnvironment } from '../../env/read-environment.ts';
import { countedModels } from '../model/choice.ts';
import { readChecks } from './check-store.ts';
import type { StatusView } from './contract.ts';
import { statusOf } from './status.ts';

/** How this site is, by what it found of itself. For the page and for whoever asks the API. */
export async function readStatus(env: Env, now: number): Promise<StatusView> {
  const { models, syntheticChecks } = readEnvironment(env);
  return statusOf({
    ...(await readChecks(openDatabase(env.DB), now)),
    models: countedModels(models).filter(({ available }) => available),
    checking: syntheticChecks === 'on',
    now,
  });
}

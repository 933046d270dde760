import { openDatabase } from '../../db/open.ts';
import { readEnvironment } from '../../env/read-environment.ts';
import { listOfferedModels } from '../model/choose-model.ts';
import { readChecks } from './check-store.ts';
import type { StatusView } from './contract.ts';
import { buildStatus } from './status.ts';

/** The current status, for the status page and `GET /api/status`. */
export async function readStatus(env: Env, now: number): Promise<StatusView> {
  const { models, syntheticChecks } = readEnvironment(env);
  return buildStatus({
    ...(await readChecks(openDatabase(env.DB), now)),
    models: listOfferedModels(models).filter(({ available }) => available),
    checking: syntheticChecks === 'on',
    now,
  });
}

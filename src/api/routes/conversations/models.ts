import { Hono } from 'hono';
import { listModels } from '../../../features/model/choose-model.ts';
import { modelList } from '../../../features/model/contract.ts';
import { getModelAvailability } from '../../../features/model/model-gateway.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';

export const models = new Hono<ApiEnv>().get(
  '/',
  describeResponses('List the models that users can choose, and whether they are available', {
    200: modelList,
  }),
  async (c) => c.json(listModels(c.get('settings').models, await getModelAvailability(c.env))),
);

import { Hono } from 'hono';
import { listModels } from '../../../features/model/choice.ts';
import { modelList } from '../../../features/model/contract.ts';
import { modelsNow } from '../../../features/model/model-gateway.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { answers } from '../../openapi/openapi-route.ts';

export const models = new Hono<ApiEnv>().get(
  '/',
  answers('The models one may choose, and whether they can answer now', { 200: modelList }),
  async (c) => c.json(listModels(c.get('settings').models, await modelsNow(c.env))),
);

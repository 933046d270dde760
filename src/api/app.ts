import { Hono } from 'hono';
import { accountRoutes } from './areas/account.ts';
import { adminRoutes } from './areas/admin.ts';
import { billingRoutes } from './areas/billing.ts';
import { charactersRoutes } from './areas/characters.ts';
import { conversationsRoutes } from './areas/conversations.ts';
import { siteRoutes } from './areas/site.ts';
import { turnsRoutes } from './areas/turns.ts';
import { webhooksRoutes } from './areas/webhooks.ts';
import { createApi } from './create-api.ts';
import type { ApiEnv } from './middleware/context.ts';
import { publishReference } from './openapi/reference.ts';

const routes = new Hono<ApiEnv>()
  .route('/', accountRoutes)
  .route('/', adminRoutes)
  .route('/', billingRoutes)
  .route('/', charactersRoutes)
  .route('/', conversationsRoutes)
  .route('/', turnsRoutes)
  .route('/', siteRoutes);

/** All routes of the API. The browser's client is typed by `Api`. */
export type Api = typeof routes;

/** The whole API with its OpenAPI document. A request to another route needs one area only (`load-api.ts`). */
export const api = createApi(routes, webhooksRoutes);
publishReference(api);

import { Hono } from 'hono';
import { turnsRoutes } from './areas/turns.ts';
import { createApi } from './create-api.ts';
import type { ApiEnv } from './middleware/context.ts';

type App = Pick<ReturnType<typeof createApi>, 'fetch' | 'request' | 'routes'>;

/*
 * Reading all routes takes an isolate tens of milliseconds, most of it for schemas, so an isolate reads the areas that
 * its requests need. Turns are there from the start.
 */
const AREAS = {
  account: async () => createApi((await import('./areas/account.ts')).accountRoutes),
  admin: async () => createApi((await import('./areas/admin.ts')).adminRoutes),
  billing: async () => createApi((await import('./areas/billing.ts')).billingRoutes),
  characters: async () => createApi((await import('./areas/characters.ts')).charactersRoutes),
  conversations: async () => createApi((await import('./areas/conversations.ts')).conversationsRoutes),
  site: async () => createApi((await import('./areas/site.ts')).siteRoutes),
  turns: async () => createApi(turnsRoutes),
  webhooks: async () => createApi(new Hono<ApiEnv>(), (await import('./areas/webhooks.ts')).webhooksRoutes),
  reference: async () => (await import('./app.ts')).api,
} satisfies Record<string, () => Promise<App>>;

/** The area of each first segment of a path after /api/. */
const AREA_BY_SEGMENT = new Map<string, keyof typeof AREAS>([
  ['auth', 'account'],
  ['logout', 'account'],
  ['account', 'account'],
  ['onboarding', 'account'],
  ['invites', 'account'],
  ['permissions', 'account'],
  ['me', 'account'],
  ['admin', 'admin'],
  ['points', 'billing'],
  ['plans', 'billing'],
  ['subscription', 'billing'],
  ['characters', 'characters'],
  ['creators', 'characters'],
  ['personas', 'characters'],
  ['uploads', 'characters'],
  ['conversations', 'conversations'],
  ['chats', 'conversations'],
  ['models', 'conversations'],
  ['reply-styles', 'conversations'],
  ['mail', 'webhooks'],
  ['paypal', 'webhooks'],
  ['openapi.json', 'reference'],
  ['docs', 'reference'],
]);

/** The last segments of the paths of turns, below /api/conversations/. */
const TURN_SEGMENTS: ReadonlySet<string> = new Set(['messages', 'regenerate', 'continue', 'reply', 'stream']);

function findArea(path: string): keyof typeof AREAS {
  const [, , first = '', ...rest] = path.split('/');
  if (first === 'conversations' && TURN_SEGMENTS.has(rest.at(-1) ?? '')) return 'turns';
  return AREA_BY_SEGMENT.get(first) ?? 'site';
}

const apps = new Map<keyof typeof AREAS, App>();

/** Returns the app that answers a path under /api. Unknown paths get the site's, which answers 404. */
export async function loadApi(path: string): Promise<App> {
  const area = findArea(path);
  // A request must not wait for a promise of another request, which may end before, so only what is loaded is shared.
  const app = apps.get(area) ?? (await AREAS[area]());
  apps.set(area, app);
  return app;
}

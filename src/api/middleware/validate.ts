import type { MiddlewareHandler, ValidationTargets } from 'hono';
import { matchedRoutes } from 'hono/route';
import { validator } from 'hono-openapi';
import { z, type ZodType } from 'zod';
import { type ApiEnv, getMatchedRoute } from './context.ts';
import { Problem } from './problems.ts';

/** Maximum length of an unknown field's name in the response. */
const MAX_FIELD_NAME_CHARS = 60;

/** Query fields of each validator; `any` where a schema accepts unknown ones. */
const queryFields = new WeakMap<object, ReadonlySet<string> | 'any'>();

function readQueryFields(schema: ZodType): ReadonlySet<string> | 'any' {
  if (!(schema instanceof z.ZodObject)) throw new Error('a query is described by an object schema');
  return schema.def.catchall instanceof z.ZodUnknown ? 'any' : new Set(Object.keys(schema.shape));
}

/** Pages for people below /api, whose addresses other sites may extend by their own parameters. */
const PAGES = new Set(['GET /api/docs', 'GET /api/openapi.json']);

/**
 * Refuses query fields that the matched route does not know with 400 `invalid_input`. A route without a query schema knows
 * none.
 */
export const refuseUnknownQuery: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { searchParams } = new URL(c.req.url);
  const route = getMatchedRoute(c);
  // An unknown path is left to the 404 response.
  if (searchParams.size > 0 && route !== null && !PAGES.has(route)) {
    const known = matchedRoutes(c).map(({ handler }) => queryFields.get(handler));
    const isKnown = (name: string) => known.some((fields) => fields === 'any' || fields?.has(name) === true);
    const keys = [...new Set(searchParams.keys())].filter((name) => !isKnown(name));
    if (keys.length > 0)
      throw new Problem('invalid_input', { fields: toFieldErrors([{ message: '', keys }]) });
  }
  await next();
};

/** Groups a schema's issues by field; `_` is the body itself. */
function toFieldErrors(issues: readonly { path?: readonly unknown[]; message: string; keys?: unknown }[]) {
  // A Map, because a client may name a field like a property of Object.prototype.
  const fields = new Map<string, string[]>();
  for (const issue of issues) {
    const unknownKeys = Array.isArray(issue.keys) ? issue.keys.map(String) : null;
    const segment = issue.path?.[0];
    const name = typeof segment === 'object' && segment !== null && 'key' in segment ? segment.key : segment;
    const message = unknownKeys === null ? issue.message : 'Unknown field';
    // Report unknown keys of a nested object under its field.
    const names = name === undefined ? (unknownKeys ?? ['_']) : [String(name)];
    for (const field of names) {
      const key = field.slice(0, MAX_FIELD_NAME_CHARS);
      fields.set(key, [...(fields.get(key) ?? []), message]);
    }
  }
  return Object.fromEntries(fields);
}

/**
 * Validates a part of the request by its schema, or refuses it with 400 `invalid_input` and the fields. The OpenAPI
 * document shows the same schema.
 */
export function validateRequest<Target extends 'json' | 'query' | 'param' | 'header', Schema extends ZodType>(
  target: Target,
  schema: Schema,
) {
  const handler = validator<Schema, Target & keyof ValidationTargets, ApiEnv, string>(
    target,
    schema,
    (result) => {
      if (!result.success) throw new Problem('invalid_input', { fields: toFieldErrors(result.error) });
    },
  );
  if (target === 'query') queryFields.set(handler, readQueryFields(schema));
  return handler;
}

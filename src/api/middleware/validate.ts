import type { ValidationTargets } from 'hono';
import { validator } from 'hono-openapi';
import type { ZodType } from 'zod';
import type { ApiEnv } from './context.ts';
import { Problem } from './problems.ts';

/** Maximum length of an unknown field's name in the response. */
const MAX_FIELD_NAME_CHARS = 60;

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
  return validator<Schema, Target & keyof ValidationTargets, ApiEnv, string>(target, schema, (result) => {
    if (!result.success) throw new Problem('invalid_input', { fields: toFieldErrors(result.error) });
  });
}

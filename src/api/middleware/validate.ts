import type { ValidationTargets } from 'hono';
import { validator } from 'hono-openapi';
import type { ZodType } from 'zod';
import type { ApiEnv } from './context.ts';
import { Problem } from './problems.ts';

/** A refusal repeats the names of fields, and no more of them than a reader needs. */
const MAX_FIELD_NAME_CHARS = 60;

/** What a schema found wrong, by field, in the contract's shape; `_` is the body itself. */
function toFieldErrors(issues: readonly { path?: readonly unknown[]; message: string; keys?: unknown }[]) {
  // A map, because a client may name a field like something every object has.
  const fields = new Map<string, string[]>();
  for (const issue of issues) {
    const unknownKeys = Array.isArray(issue.keys) ? issue.keys.map(String) : null;
    const segment = issue.path?.[0];
    const name = typeof segment === 'object' && segment !== null && 'key' in segment ? segment.key : segment;
    const message = unknownKeys === null ? issue.message : 'Unknown field';
    // Within a field, what nobody knows is that field's fault.
    const names = name === undefined ? (unknownKeys ?? ['_']) : [String(name)];
    for (const field of names) {
      const key = field.slice(0, MAX_FIELD_NAME_CHARS);
      fields.set(key, [...(fields.get(key) ?? []), message]);
    }
  }
  return Object.fromEntries(fields);
}

/**
 * The one way into a route for what clients send: parsed by its schema or refused with 400
 * `invalid_input` and the fields. The same schema is what the OpenAPI document shows.
 */
export function validateRequest<Target extends 'json' | 'query' | 'param' | 'header', Schema extends ZodType>(
  target: Target,
  schema: Schema,
) {
  return validator<Schema, Target & keyof ValidationTargets, ApiEnv, string>(target, schema, (result) => {
    if (!result.success) throw new Problem('invalid_input', { fields: toFieldErrors(result.error) });
  });
}

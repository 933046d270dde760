import type { ValidationTargets } from 'hono';
import { validator } from 'hono-openapi';
import type { ZodType } from 'zod';
import type { ApiEnv } from './context.ts';
import { Problem } from './problems.ts';

/** What a schema found wrong, by field, in the contract's shape; `_` is the body itself. */
function fieldsOf(issues: readonly { path?: readonly unknown[]; message: string; keys?: unknown }[]) {
  const fields: Record<string, string[]> = {};
  for (const issue of issues) {
    const unknownKeys = Array.isArray(issue.keys) ? issue.keys.map(String) : null;
    const segment = issue.path?.[0];
    const name = typeof segment === 'object' && segment !== null && 'key' in segment ? segment.key : segment;
    for (const field of unknownKeys ?? [String(name ?? '_')]) {
      (fields[field.slice(0, 60)] ??= []).push(unknownKeys === null ? issue.message : 'Unknown field');
    }
  }
  return fields;
}

/**
 * The one way into a route for what clients send: parsed by its schema or refused with 400
 * `invalid_input` and the fields. The same schema is what the OpenAPI document shows.
 */
export function valid<Target extends 'json' | 'query' | 'param', Schema extends ZodType>(
  target: Target,
  schema: Schema,
) {
  return validator<Schema, Target & keyof ValidationTargets, ApiEnv, string>(target, schema, (result) => {
    if (!result.success) throw new Problem('invalid_input', { fields: fieldsOf(result.error) });
  });
}

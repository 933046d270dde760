import type { JsonSchema } from './schema-text.ts';

/**
 * Builds a minimal example of a schema: required properties only, the first of several alternatives, and "…" for any
 * text.
 */
export function buildSchemaExample(schema: JsonSchema): unknown {
  const { properties = {}, required = [] } = schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [kind] = schema.oneOf ?? schema.anyOf ?? [];
  if (kind !== undefined) return buildSchemaExample(kind);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, buildSchemaExample(properties[name] ?? {})]));
    case 'array':
      return [buildSchemaExample(schema.items ?? {})];
    case 'string':
      return '…';
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 0);
    case 'boolean':
      return false;
    default:
      return null;
  }
}

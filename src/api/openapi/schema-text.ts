/** The subset of JSON Schema that the API's schemas use. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  format?: string;
  pattern?: string;
  default?: unknown;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minItems?: number;
  maxItems?: number;
}

/** Zod emits the safe integer range as bounds, which say nothing. */
const isMeaningfulBound = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;

function formatRange(min: number | undefined, max: number | undefined, of: string): string[] {
  const [low, high] = [isMeaningfulBound(min) && min > 0 ? min : null, isMeaningfulBound(max) ? max : null];
  if (low !== null && low === high) return [`${low}${of}`];
  if (low !== null && high !== null) return [`${low} to ${high}${of}`];
  if (low !== null) return [`${low}${of} or more`];
  return high === null ? [] : [`up to ${high}${of}`];
}

/** Describes the constraints that a type cannot express: description, length, range, format, pattern and default. */
export function formatBounds(schema: JsonSchema): string {
  const { exclusiveMinimum, pattern, format } = schema;
  return [
    ...(schema.description === undefined ? [] : [schema.description]),
    ...formatRange(schema.minLength, schema.maxLength, ' characters'),
    ...formatRange(schema.minItems, schema.maxItems, ' items'),
    ...formatRange(schema.minimum, schema.maximum, ''),
    ...(isMeaningfulBound(exclusiveMinimum) ? [`more than ${exclusiveMinimum}`] : []),
    ...(format === undefined ? [] : [format]),
    ...(pattern === undefined || format !== undefined ? [] : [`/${pattern}/`]),
    ...(schema.default === undefined ? [] : [`${JSON.stringify(schema.default)} when left out`]),
  ].join(', ');
}

const INDENT = '  ';

function formatObject(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  at: string,
): string {
  const inner = at + INDENT;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const bounds = formatBounds(schema);
    const key = /^[\w$]+$/.test(name) ? name : JSON.stringify(name);
    const line = `${inner}${key}${required.includes(name) ? '' : '?'}: ${formatSchema(schema, inner)}`;
    return bounds === '' ? line : `${line}  // ${bounds}`;
  });
  if (typeof additionalProperties === 'object')
    lines.push(`${inner}[name: string]: ${formatSchema(additionalProperties, inner)}`);
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${at}}`;
}

/**
 * Formats a schema as a TypeScript type.
 * @param at indentation of the line in which it begins
 */
export function formatSchema(schema: JsonSchema, at = ''): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const kinds = schema.anyOf ?? schema.oneOf;
  if (kinds !== undefined) return kinds.map((one) => formatSchema(one, at)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  switch (schema.type) {
    case 'object':
      // An arbitrary object, such as a file of another program.
      if (schema.properties === undefined && schema.additionalProperties === undefined) return 'object';
      return formatObject(schema, at);
    case 'array': {
      if (schema.prefixItems !== undefined)
        return `[${schema.prefixItems.map((one) => formatSchema(one, at)).join(', ')}]`;
      const items = formatSchema(schema.items ?? {}, at);
      return items.includes(' | ') && !items.startsWith('{') ? `(${items})[]` : `${items}[]`;
    }
    case undefined:
      return 'unknown';
    default:
      return schema.type;
  }
}

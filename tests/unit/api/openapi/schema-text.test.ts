import { expect, test } from 'vitest';
import { z } from 'zod';
import { formatBounds, type JsonSchema, formatSchema } from '../../../../src/api/openapi/schema-text.ts';

const formatContract = (schema: z.ZodType) => formatSchema(z.toJSONSchema(schema) as JsonSchema);

test('a contract is written as a type with its limits as comments', () => {
  const contract = z.strictObject({
    name: z.string().min(1).max(50),
    tags: z.array(z.enum(['anime', 'rpg'])).max(3),
    points: z.number().int().min(0).max(100).default(5),
    persona: z.union([z.object({ id: z.string() }), z.null()]).optional(),
    kind: z.literal('draft').describe('not published yet'),
  });
  expect(formatContract(contract)).toBe(`{
  name: string  // 1 to 50 characters
  tags: ("anime" | "rpg")[]  // up to 3 items
  points: integer  // up to 100, 5 when left out
  persona?: {
    id: string
  } | null
  kind: "draft"  // not published yet
}`);
});

test.each([
  [z.record(z.string(), z.number()), '{\n  [name: string]: number\n}'],
  [z.tuple([z.string(), z.boolean()]), '[string, boolean]'],
  [z.unknown(), 'unknown'],
  [
    z.discriminatedUnion('a', [z.object({ a: z.literal(1) }), z.object({ a: z.literal(2) })]),
    '{\n  a: 1\n} | {\n  a: 2\n}',
  ],
  [z.array(z.object({ at: z.string() })), '{\n  at: string\n}[]'],
])('schema %# is written in common type notation', (schema, text) => {
  expect(formatContract(schema)).toBe(text);
});

test('an object without declared properties is written as object', () => {
  expect(formatSchema({ type: 'object' })).toBe('object');
  expect(formatContract(z.object({}))).toBe('{}');
});

test('bounds are written briefly, and limits of every safe integer are left out', () => {
  expect(formatBounds(z.toJSONSchema(z.number().int()) as JsonSchema)).toBe('');
  expect(formatBounds({ type: 'string', minLength: 8, maxLength: 8, pattern: '^[a-z]+$' })).toBe(
    '8 characters, /^[a-z]+$/',
  );
  expect(formatBounds({ type: 'number', exclusiveMinimum: 0 })).toBe('more than 0');
  expect(formatBounds({ type: 'string', minLength: 3 })).toBe('3 characters or more');
});

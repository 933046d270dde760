import { expect, test } from 'vitest';
import { z } from 'zod';
import { buildSchemaExample } from '../../../../src/api/openapi/schema-example.ts';
import type { JsonSchema } from '../../../../src/api/openapi/schema-text.ts';

const CONTRACTS = {
  'an object with all that it needs': z.object({
    id: z.string(),
    points: z.number().int().min(3),
    edited: z.boolean(),
    kind: z.literal('draft'),
    status: z.enum(['complete', 'failed']),
    title: z.string().nullable(),
    list: z.array(z.object({ at: z.string() })),
    left_out: z.string().optional(),
  }),
  'one of several': z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('crisis'), helplines: z.array(z.string()) }),
    z.object({ kind: z.literal('refused') }),
  ]),
  'any number': z.number(),
  nothing: z.null(),
};

test.each(Object.entries(CONTRACTS))('the example of %s fits its schema', (_, contract) => {
  const example = buildSchemaExample(z.toJSONSchema(contract) as JsonSchema);
  expect(contract.safeParse(example)).toEqual({ success: true, data: example });
});

test('an example contains only required fields', () => {
  const contract = z.object({ text: z.string(), more: z.string().optional() });
  expect(buildSchemaExample(z.toJSONSchema(contract) as JsonSchema)).toEqual({ text: '…' });
});

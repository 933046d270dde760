import { expect, test } from 'vitest';
import { readOpenApi, type OpenApi } from '../../support/openapi-operations.ts';
import type { Shape } from '../generate-values.ts';
import { NOT_SHOWN, WRITTEN } from '../written-texts.ts';

/** Lists every body field that takes free text, named as in the table. */
function listTextFields(document: OpenApi): Set<string> {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Shape>;
  const found = new Set<string>();
  const walk = (raw: Shape, at: string, depth: number): void => {
    const shape = schemas[raw.$ref?.replace('#/components/schemas/', '') ?? ''] ?? raw;
    if (depth > 8) return;
    for (const one of [...(shape.anyOf ?? []), ...(shape.oneOf ?? []), ...(shape.allOf ?? [])])
      walk(one, at, depth + 1);
    const isText = [shape.type].flat().includes('string');
    const isBound = [shape.enum, shape.const, shape.pattern, shape.format].some((one) => one !== undefined);
    if (isText && !isBound) found.add(at);
    for (const [name, inner] of Object.entries(shape.properties ?? {}))
      walk(inner, `${at}.${name}`, depth + 1);
    if (shape.items !== undefined) walk(shape.items, `${at}[]`, depth + 1);
    if (typeof shape.additionalProperties === 'object')
      walk(shape.additionalProperties as Shape, `${at}{}`, depth + 1);
  };
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { requestBody }] of Object.entries(methods)) {
      const schema = requestBody?.content['application/json']?.schema;
      if (schema !== undefined) walk(schema as Shape, `${method} ${path} `, 0);
    }
  return found;
}

test('every text that users write has places that show it, or a reason why no place does', async () => {
  const fields = [...listTextFields(await readOpenApi())];
  expect(fields.length).toBeGreaterThan(50);
  const forgotten = fields.filter(
    (field) => WRITTEN[field] === undefined && !NOT_SHOWN.some(([pattern]) => pattern.test(field)),
  );
  expect(forgotten).toEqual([]);
  const removed = Object.keys(WRITTEN).filter((field) => field.includes(' /api/') && !fields.includes(field));
  expect(removed).toEqual([]);
  expect(NOT_SHOWN.filter(([pattern]) => !fields.some((field) => pattern.test(field)))).toEqual([]);
});

test('every text field of the table has a unique number and at least one place', () => {
  const rows = Object.values(WRITTEN);
  expect(new Set(rows.map(([number]) => number)).size).toBe(rows.length);
  expect(Object.entries(WRITTEN).filter(([, [, ...places]]) => places.length === 0)).toEqual([]);
});

import { Visitor } from './factories.ts';

/** A JSON Schema, as far as the tests look into it. */
export interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  enum?: unknown[];
  $ref?: string;
}

/** One operation of the published OpenAPI document. */
export interface Operation {
  method: string;
  /** With `{id}` and `{mid}`, under /api. */
  path: string;
  /** Of the JSON body; null when the route takes none. */
  body: Schema | null;
  query: { name: string; schema: Schema }[];
  responses: Record<string, unknown>;
  /** Empty where no session is asked for; what its bearer has to be, beside, where one is. */
  security: { session: string[] }[];
}

export interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  servers?: { url: string }[];
  paths: Record<string, Record<string, RawOperation>>;
  components?: { schemas?: Record<string, Schema> };
}

interface RawOperation {
  parameters?: { in: string; name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
  security: { session: string[] }[];
}

export function readOpenApi(): Promise<OpenApi> {
  return new Visitor().ask<OpenApi>('/api/openapi.json');
}

/** Every operation that the product says it has. */
export async function listOperations(): Promise<Operation[]> {
  const document = await readOpenApi();
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.replace('#/components/schemas/', '');
    return name === undefined ? schema : (document.components?.schemas?.[name] ?? schema);
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const body = operation.requestBody?.content['application/json'];
      return {
        method: method.toUpperCase(),
        path: path.replace(/^\/api(?=\/)/, ''),
        body: body === undefined ? null : resolve(body.schema),
        query: (operation.parameters ?? []).filter((parameter) => parameter.in === 'query'),
        responses: operation.responses,
        security: operation.security,
      };
    }),
  );
}

/** Whether a call changes something. */
export function isMutation(operation: Operation): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(operation.method);
}

/**
 * What mail programs post as a form, and PayPal with its signature, from servers of their own: no rule of browsers holds
 * for it (unsubscribe.test.ts, paypal-webhook.test.ts).
 */
export function isWebhook(operation: Operation): boolean {
  return operation.method === 'POST' && ['/mail/unsubscribe', '/paypal/webhook'].includes(operation.path);
}

/** The address of an operation with its ids filled in. */
export function buildOperationPath(operation: Operation, ids: Record<string, string>): string {
  return `/api${operation.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'unknown')}`;
}

import { Visitor } from './factories.ts';

/** The parts of JSON Schema that the tests use. */
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
  /** The schema of the JSON body; null if the route takes none. */
  body: Schema | null;
  query: { name: string; schema: Schema }[];
  responses: Record<string, unknown>;
  /** Empty for public routes; otherwise the required roles of the session. */
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

/** All operations of the OpenAPI document. */
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
 * Routes that other servers post to: mail programs with a form and PayPal with a signature. The browser origin rules do not
 * apply to them (unsubscribe.test.ts, paypal-webhook.test.ts).
 */
export function isWebhook(operation: Operation): boolean {
  return operation.method === 'POST' && ['/mail/unsubscribe', '/paypal/webhook'].includes(operation.path);
}

/** The address of an operation with its ids filled in. */
export function buildOperationPath(operation: Operation, ids: Record<string, string>): string {
  return `/api${operation.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'unknown')}`;
}

import type { Hono } from 'hono';
import type { Schema } from 'hono/types';
import { generateSpecs } from 'hono-openapi';
import { BRAND } from '../../config/brand.ts';
import { getCookieName, SESSION_COOKIE } from '../../features/account/session/session-cookie.ts';
import type { ApiEnv } from '../middleware/context.ts';
import { getAccessLevel, toOpenApiSecurity } from '../middleware/access-policy.ts';
import { type OpenApiDocument, renderReferencePage } from './reference-page.ts';
import { buildReplyStreamComponent } from './reply-stream.ts';

async function generateDocument<S extends Schema>(api: Hono<ApiEnv, S, '/api'>): Promise<OpenApiDocument> {
  const document = (await generateSpecs(api, {
    documentation: {
      openapi: '3.1.0',
      info: {
        title: `${BRAND.name} API`,
        version: '1',
        description:
          'Every error is `{error, code}`: a sentence for people and a code for programs. If a session is not enough, the roles in `security` say what else the caller needs: `account`, an account (guests have none); `owner`, ownership of the resource in the request; `staff`, a staff account.',
      },
      components: { schemas: await buildReplyStreamComponent() },
    },
  })) as unknown as OpenApiDocument;
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods))
      operation.security = toOpenApiSecurity(
        getAccessLevel(`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
      );
  return document;
}

/** Adds the session cookie, whose name depends on the origin. */
function addSecurityScheme(document: OpenApiDocument, url: URL): OpenApiDocument {
  const { name } = getCookieName(SESSION_COOKIE, url);
  const session = { type: 'apiKey', in: 'cookie', name };
  return { ...document, components: { ...document.components, securitySchemes: { session } } };
}

/**
 * Publishes the OpenAPI document and the reference page of an API. The document is generated from the validation schemas,
 * once per isolate.
 */
export function publishReference<S extends Schema>(api: Hono<ApiEnv, S, '/api'>): void {
  let cached: Promise<OpenApiDocument> | null = null;
  const document = () => (cached ??= generateDocument(api));
  api.get('/openapi.json', async (c) => c.json(addSecurityScheme(await document(), new URL(c.req.url))));
  api.get('/docs', async (c) =>
    c.html(
      renderReferencePage(await document(), {
        origin: new URL(c.req.url).origin,
        nonce: c.get('secureHeadersNonce') ?? '',
      }),
    ),
  );
}

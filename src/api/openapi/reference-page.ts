import { html, raw } from 'hono/html';
import { REPLY_STREAM_REF } from './openapi-route.ts';
import type { StreamSchema } from './reply-stream.ts';
import { formatBounds, type JsonSchema, formatSchema } from './schema-text.ts';

interface Content {
  content?: Record<string, { schema?: JsonSchema & { $ref?: string } }>;
}

interface Operation {
  operationId: string;
  summary?: string;
  parameters?: { in: string; name: string; required?: boolean; description?: string; schema: JsonSchema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
  /** Empty for public routes; otherwise a session with the roles that the caller needs. */
  security: { session: string[] }[];
}

/** The parts of the OpenAPI document that the page shows. */
export interface OpenApiDocument {
  components: { securitySchemes?: object; schemas: { ReplyStream: StreamSchema } };
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, Operation>>;
}

type Html = ReturnType<typeof html>;

interface Route {
  method: string;
  path: string;
  operation: Operation;
}

/** Returns the resource of a path: `/api/conversations/{id}` belongs to `conversations`. */
const getRouteGroup = (path: string): string => path.split('/')[2] ?? '';

/** Groups the routes by resource, in the order of the document. */
function groupRoutes({ paths }: OpenApiDocument): Map<string, Route[]> {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return Map.groupBy(routes, ({ path }) => getRouteGroup(path));
}

const AUDIENCE_BY_ROLE: Record<string, string> = {
  account: 'users with an account; guests get 403',
  owner: 'the owner; other users get 404',
  'owner account': 'the owner, with an account; guests get 403 and other users get 404',
  staff: 'staff; other users get 404',
};

/** Describes who may call a route. */
function describeAudience({ security: [asked] }: Operation): string {
  if (asked === undefined) return 'everyone, with or without a session';
  return AUDIENCE_BY_ROLE[asked.session.join(' ')] ?? 'users with a session, including guests';
}

const renderCode = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`;

function renderParameters({ parameters = [] }: Operation): Html | string {
  const listed = parameters.filter((one) => one.in !== 'path');
  if (listed.length === 0) return '';
  return html`<h4>Query and headers</h4>
    <dl>
      ${listed.map(
        (one) =>
          html`<dt>
              <code>${one.name}</code>
              ${one.in === 'header' ? 'header, ' : ''}${one.required === true ? '' : 'optional, '}<code
                >${formatSchema(one.schema)}</code
              >
            </dt>
            <dd>
              ${[one.description ?? '', formatBounds(one.schema)].filter((text) => text !== '').join('. ')}
            </dd>`,
      )}
    </dl>`;
}

function renderBody({ requestBody }: Operation): Html | string {
  const bodies = Object.entries(requestBody?.content ?? {});
  return html`${bodies.map(
    ([type, { schema }]) =>
      html`<h4>Body <small>${type}</small></h4>
        ${schema === undefined ? '' : renderCode(formatSchema(schema))}`,
  )}`;
}

/** Renders the successful responses only: every route has the same refusals. */
function renderResponses({ responses }: Operation): Html {
  const successes = Object.entries(responses).filter(([status]) => /^[123]/.test(status));
  return html`${successes.map(([status, { content = {} }]) => {
    const bodies = Object.entries(content);
    if (bodies.length === 0) return html`<h4>${status} <small>no body</small></h4>`;
    return bodies.map(
      ([type, { schema }]) =>
        html`<h4>${status} <small>${type}</small></h4>
          ${schema?.$ref === REPLY_STREAM_REF.$ref ? html`<p><a href="#events">Events of a reply</a></p>` : ''}
          ${type === 'application/json' && schema !== undefined ? renderCode(formatSchema(schema)) : ''}`,
    );
  })}`;
}

/** Renders the reply stream: an example of a whole stream and the schema of each event. */
function renderEvents({ examples, 'x-events': events }: StreamSchema): Html {
  return html`${examples.map((example) => renderCode(example.trimEnd()))}
  ${Object.entries(events).map(
    ([name, schema]) =>
      html`<details id="event-${name}">
        <summary>
          <span class="call"><code>${name}</code></span
          ><span>${schema.description ?? ''}</span>
        </summary>
        ${renderCode(formatSchema(schema))}
      </details>`,
  )}`;
}

function renderRoute(route: Route): Html {
  const { method, path, operation } = route;
  return html`<details id="${operation.operationId}">
    <summary>
      <span class="call"><b>${method}</b> <code>${path}</code></span>
      <span>${operation.summary ?? ''}</span>
    </summary>
    <p>For ${describeAudience(operation)}.</p>
    ${renderParameters(operation)} ${renderBody(operation)} ${renderResponses(operation)}
  </details>`;
}

const STYLE = `
:root{color-scheme:light dark;--bg:light-dark(#f6f1e7,#16130f);--text:light-dark(#2a231a,#ece4d6);--quiet:light-dark(#645a4b,#b3a896);--line:light-dark(#d9cfbd,#3a332a);--surface:light-dark(#fdfaf3,#1e1a15);--accent:light-dark(#8a5a00,#e6a63a)}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:1.0625rem/1.5 system-ui,sans-serif}
a{color:var(--accent)}
.skip{position:absolute;inset-block-start:-4rem}
.skip:focus{inset-block-start:0;padding:.75rem;background:var(--bg)}
.frame{display:grid;gap:1rem 3rem;max-inline-size:76rem;margin-inline:auto;padding:1.5rem clamp(1rem,4vw,2.5rem) 4rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:0;padding:0;list-style:none}
nav a{display:inline-block;min-block-size:1.75rem;text-decoration:none}
main{min-inline-size:0}
h1,h2{font-family:Georgia,serif;font-weight:500;line-height:1.2}
h2{margin-block:2.5rem .5rem}section h2{text-transform:capitalize}
h4{margin-block:1rem .25rem;font-size:.9375rem}
small,dd,p.quiet{color:var(--quiet)}
details{border-block-end:1px solid var(--line)}
details[open]{padding-block-end:1.25rem}
summary{display:flex;flex-wrap:wrap;justify-content:space-between;gap:.125rem 1.5rem;padding-block:.625rem;cursor:pointer}
summary span:last-child{color:var(--quiet)}
.call{overflow-wrap:anywhere}
.call b{display:inline-block;min-inline-size:4.25rem;color:var(--accent);font-size:.8125rem}
code{font:.9375rem/1.5 ui-monospace,monospace}
pre{margin-block:.25rem;padding:.75rem 1rem;overflow-x:auto;background:var(--surface);border:1px solid var(--line)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media(width>=64rem){.frame{grid-template-columns:11rem minmax(0,1fr)}nav{position:sticky;inset-block-start:1.5rem;align-self:start}nav ul{flex-direction:column}}
`;

/** A first turn with curl. */
const renderFirstTurn = (origin: string): string => `curl -c jar -X POST ${origin}/api/auth/anonymous
curl -b jar ${origin}/api/characters?limit=1
curl -b jar ${origin}/api/conversations -H 'content-type: application/json' -d '{"character_id":"…"}'
curl -b jar -N ${origin}/api/conversations/…/messages -H 'content-type: application/json' \\
  -d '{"content":"Hello.","client_message_id":"my-first-turn"}'`;

/**
 * Renders the API reference as a page without scripts: every route with its input and responses.
 * @param nonce allows the style sheet in the content security policy
 */
export function renderReferencePage(
  document: OpenApiDocument,
  { origin, nonce }: { origin: string; nonce: string },
): Html {
  const groups = [...groupRoutes(document)];
  const refusal = document.paths['/api/health']?.get?.responses.default?.content?.['application/json'];
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${document.info.title}</title>
        <style nonce="${nonce}">
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the reference</a>
        <div class="frame">
          <nav aria-label="Resources">
            <ul>
              ${groups.map(([name]) => html`<li><a href="#${name}">${name}</a></li>`)}
            </ul>
          </nav>
          <main id="main">
            <h1>${document.info.title}</h1>
            <p>
              Version ${document.info.version}. Also available in machine-readable form:
              <a href="/api/openapi.json">OpenAPI 3.1</a>.
            </p>
            <h2>Conventions</h2>
            <p>
              Bodies are JSON with names in <code>snake_case</code>, times are ISO 8601 in UTC, and ids are
              opaque. A session cookie (<code>HttpOnly</code>) identifies the caller; one call starts a guest
              session. Requests from browsers that change something must come from the site’s own pages. Lists
              take <code>cursor</code> and <code>limit</code> and return <code>items</code> and
              <code>next_cursor</code>, which is null on the last page. Every response has an
              <code>x-request-id</code>; quote it when you report a problem.
            </p>
            ${renderCode(renderFirstTurn(origin))}
            <p>Every error has a status of 400 or above, a sentence for people and a code for programs:</p>
            ${refusal?.schema === undefined ? '' : renderCode(formatSchema(refusal.schema))}
            <h2 id="events">Events of a reply</h2>
            <p>
              A reply is an event stream: <code>accepted</code>, then any number of <code>delta</code> events,
              and <code>done</code> or <code>error</code> at the end; <code>safety</code> events carry crisis
              help and reasons for refusals. Each event has an <code>id</code>. After a lost connection, send
              the same <code>client_message_id</code> again: the message is not sent twice, and the stream of
              the same reply continues. <code>GET /api/conversations/{id}/stream</code> with
              <code>Last-Event-ID</code> also continues it. An example with required fields only:
            </p>
            ${renderEvents(document.components.schemas.ReplyStream)}
            ${groups.map(
              ([name, routes]) =>
                html`<section aria-labelledby="${name}">
                  <h2 id="${name}">${name}</h2>
                  ${routes.map(renderRoute)}
                </section>`,
            )}
          </main>
        </div>
      </body>
    </html>`;
}

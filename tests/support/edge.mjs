import { createServer, request } from 'node:http';
import { constants, createGzip, gzipSync } from 'node:zlib';

const COMPRESSIBLE = /^(?:text\/|application\/(?:javascript|json|manifest\+json|rss\+xml|xml)|image\/svg)/;

/** @param {import('node:http').IncomingMessage} answer */
const isCompressible = ({ headers }) =>
  headers['content-encoding'] === undefined && COMPRESSIBLE.test(String(headers['content-type'] ?? ''));

/** @param {import('node:http').IncomingMessage} answer */
const isCacheable = ({ headers, statusCode }) =>
  statusCode === 200 && /\bimmutable\b/.test(headers['cache-control'] ?? '');

/**
 * What the edge does in front of a Worker and the local runtime does not: compresses text and serves immutable files from
 * memory.
 */
export async function startEdge(origin) {
  const { hostname, port } = new URL(origin);
  /** @type {Map<string, { headers: import('node:http').OutgoingHttpHeaders, body: Buffer }>} */
  const cache = new Map();
  const server = createServer((incoming, outgoing) => {
    const known = incoming.method === 'GET' ? cache.get(String(incoming.url)) : undefined;
    if (known) {
      outgoing.writeHead(200, known.headers).end(known.body);
      return;
    }
    const asked = request(
      { hostname, port, path: incoming.url, method: incoming.method, headers: incoming.headers },
      (answer) => {
        /** @type {import('node:http').OutgoingHttpHeaders} */
        const headers = { ...answer.headers };
        const packed = isCompressible(answer);
        if (packed) {
          delete headers['content-length'];
          Object.assign(headers, { 'content-encoding': 'gzip', vary: 'accept-encoding' });
        }
        if (incoming.method === 'GET' && isCacheable(answer)) {
          /** @type {Buffer[]} */
          const pieces = [];
          answer.on('data', (piece) => pieces.push(piece));
          answer.on('end', () => {
            const body = packed ? gzipSync(Buffer.concat(pieces), { level: 6 }) : Buffer.concat(pieces);
            headers['content-length'] = body.length;
            cache.set(String(incoming.url), { headers, body });
            outgoing.writeHead(200, headers).end(body);
          });
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, headers);
        if (packed) answer.pipe(createGzip({ level: 6, flush: constants.Z_SYNC_FLUSH })).pipe(outgoing);
        else answer.pipe(outgoing);
      },
    );
    asked.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(asked);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port: own } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://localhost:${own}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve(undefined));
      }),
  };
}

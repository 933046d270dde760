// The floor for the product: a Worker that answers pages from memory, and an object that saves one row and passes on the
// model's stream, without a login, points, history or followers.
import { DurableObject } from 'cloudflare:workers';

export class BareObject extends DurableObject {
  async fetch(request) {
    const body = await request.text();
    this.ctx.storage.sql.exec('create table if not exists messages (text text)');
    this.ctx.storage.sql.exec('insert into messages values (?)', body);
    const answer = await fetch(this.env.MODEL_URL, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return new Response(answer.body, { headers: { 'content-type': 'text/event-stream' } });
  }
}

/** @type {Map<string, { bytes: Uint8Array, headers: Record<string, string> }> | null} */
let pages = null;

const encode = ({ body, headers }) => ({ bytes: new TextEncoder().encode(body), headers });

/** The product's own pages by their addresses, encoded once. */
function getPages({ PAGES }) {
  pages ??= new Map(Object.entries(PAGES).map(([address, page]) => [address, encode(page)]));
  return pages;
}

export default {
  fetch(request, env) {
    const { pathname, search, searchParams } = new URL(request.url);
    const page = getPages(env).get(pathname + search);
    if (page !== undefined) return new Response(page.bytes, { headers: page.headers });
    if (request.method !== 'POST') return new Response('ok');
    return env.BARE.get(env.BARE.idFromName(searchParams.get('id'))).fetch(request);
  },
};

// The floor that the product is measured against: a Worker that answers pages from memory, and an object that saves one
// row and passes the model's stream through, with no login, no points, no history and no follower.
import { DurableObject } from 'cloudflare:workers';

export class BareObject extends DurableObject {
  async fetch(request) {
    const body = await request.text();
    this.ctx.storage.sql.exec('create table if not exists said (text text)');
    this.ctx.storage.sql.exec('insert into said values (?)', body);
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

/** The product's own bytes, under the addresses that it has them. */
function pagesOf({ PAGES }) {
  pages ??= new Map(
    Object.entries(PAGES ?? {}).map(([address, { body, headers }]) => [
      address,
      { bytes: new TextEncoder().encode(body), headers },
    ]),
  );
  return pages;
}

export default {
  fetch(request, env) {
    const { pathname, search, searchParams } = new URL(request.url);
    const page = pagesOf(env).get(pathname + search);
    if (page !== undefined) return new Response(page.bytes, { headers: page.headers });
    if (request.method !== 'POST') return new Response('ok');
    return env.BARE.get(env.BARE.idFromName(searchParams.get('id'))).fetch(request);
  },
};

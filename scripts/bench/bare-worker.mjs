// The floor that the product is measured against: a Worker and a Durable Object that saves one row
// and passes the model's stream through, with no login, no points, no history and no follower.
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

export default {
  fetch(request, env) {
    const id = new URL(request.url).searchParams.get('id');
    return env.BARE.get(env.BARE.idFromName(id)).fetch(request);
  },
};

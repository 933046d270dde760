// The floor for the memory of the product at rest: a Worker with the same bindings that uses each of them once a request.
import { DurableObject } from 'cloudflare:workers';

class TrivialObject extends DurableObject {
  ping() {
    return this.ctx.storage.sql.exec('select 1 as one').one().one;
  }
}

export class ConversationObject extends TrivialObject {}
export class WalletObject extends TrivialObject {}
export class SearchObject extends TrivialObject {}

export default {
  async fetch(request, { DB, KV, MEDIA, CONVERSATIONS, WALLETS, SEARCHES }) {
    const id = new URL(request.url).searchParams.get('id');
    await Promise.all([
      DB.prepare('select 1').first(),
      KV.get('nothing'),
      MEDIA.head('nothing'),
      ...[CONVERSATIONS, WALLETS, SEARCHES].map((objects) => objects.get(objects.idFromName(id)).ping()),
    ]);
    return new Response('ok');
  },
};

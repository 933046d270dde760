import { Hono } from 'hono';
import { api } from '../../src/api/app.ts';
import { media } from '../../src/api/routes/characters/media.ts';
import { respondWithError } from '../../src/api/middleware/problems.ts';
import { recordingMail } from './mailbox.ts';

export { ConversationObject } from '../../src/features/conversation/conversation-object.ts';
export { SearchObject } from '../../src/features/search/search-object.ts';
export { WalletObject } from '../../src/features/wallet/wallet-object.ts';

const pictures = new Hono().route('/media', media).onError((error, c) => respondWithError(error, c as never));

/** The product without its pages: what is under /api and /media. */
let environment: Env | null = null;

/** How many things the product does behind answers that it has given; setup.ts waits for them at the end of a file. */
const behind = globalThis as typeof globalThis & { behindAnswers?: number };

/** The call's context, with what it lets run on counted. */
function counted(context: ExecutionContext): ExecutionContext {
  const count = (change: 1 | -1) => {
    behind.behindAnswers = (behind.behindAnswers ?? 0) + change;
  };
  const waitUntil = (work: Promise<unknown>) => {
    count(1);
    context.waitUntil(work.finally(() => count(-1)));
  };
  return new Proxy(context, {
    get: (known, key) => {
      if (key === 'waitUntil') return waitUntil;
      const value: unknown = Reflect.get(known, key, known);
      return typeof value === 'function' ? value.bind(known) : value;
    },
  });
}

export default {
  fetch(request, env, call) {
    const context = counted(call);
    environment ??= { ...env, EMAIL: recordingMail(env.EMAIL) };
    const { pathname } = new URL(request.url);
    return pathname.startsWith('/media/')
      ? pictures.fetch(request, environment, context)
      : api.fetch(request, environment, context);
  },
} satisfies ExportedHandler<Env>;

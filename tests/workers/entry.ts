import { Hono } from 'hono';
import { api } from '../../src/api/app.ts';
import { media } from '../../src/api/media.ts';
import { answerError } from '../../src/api/problems.ts';
import { recordingMail } from './mailbox.ts';

export { ConversationObject } from '../../src/features/conversation/conversation-object.ts';
export { SearchObject } from '../../src/features/search/search-object.ts';
export { WalletObject } from '../../src/features/wallet/wallet-object.ts';

const pictures = new Hono().route('/media', media).onError((error, c) => answerError(error, c as never));

/** The product without its pages: what is under /api and /media. */
let environment: Env | null = null;

export default {
  fetch(request, env, context) {
    environment ??= { ...env, EMAIL: recordingMail(env.EMAIL) };
    const { pathname } = new URL(request.url);
    return pathname.startsWith('/media/')
      ? pictures.fetch(request, environment, context)
      : api.fetch(request, environment, context);
  },
} satisfies ExportedHandler<Env>;

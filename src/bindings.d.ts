import type { ConversationObject } from './features/conversation/conversation-object.ts';
import type { WalletObject } from './features/wallet/wallet-object.ts';

/** What wrangler.toml binds, and the variables an operator sets; `readEnvironment` checks the latter. */
declare global {
  namespace Cloudflare {
    interface Env {
      ASSETS: Fetcher;
      DB: D1Database;
      KV: KVNamespace;
      MEDIA: R2Bucket;
      CONVERSATIONS: DurableObjectNamespace<ConversationObject>;
      WALLETS: DurableObjectNamespace<WalletObject>;
      EMAIL: SendEmail;
      AUTH_LIMIT: RateLimit;
      [variable: `MODEL_${string}`]: string | undefined;
      AUTH_SECRET?: string;
      ADMIN_EMAILS?: string;
      MAIL_FROM?: string;
      RATE_LIMITS?: string;
    }
  }
  type Env = Cloudflare.Env;
}

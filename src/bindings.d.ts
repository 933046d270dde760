import type { ConversationObject } from './features/conversation/conversation-object.ts';
import type { SearchObject } from './features/search/search-object.ts';
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
      SEARCHES: DurableObjectNamespace<SearchObject>;
      EMAIL: SendEmail;
      AUTH_LIMIT: RateLimit;
      /** Where page views are counted; without it nothing is. */
      ANALYTICS?: AnalyticsEngineDataset;
      [variable: `MODEL_${string}`]: string | undefined;
      AUTH_SECRET?: string;
      ADMIN_EMAILS?: string;
      MAIL_FROM?: string;
      RATE_LIMITS?: string;
      GA_MEASUREMENT_ID?: string;
      SUPPORT_EMAIL?: string;
      SITE_URL?: string;
      CACHE_PURGE_URL?: string;
      CACHE_PURGE_SECRET?: string;
      COMMUNITY_LINKS?: string;
      GOOGLE_CLIENT_ID?: string;
      GOOGLE_CLIENT_SECRET?: string;
      GOOGLE_API_BASE?: string;
      PAYPAL_CLIENT_ID?: string;
      PAYPAL_CLIENT_SECRET?: string;
      PAYPAL_API_BASE?: string;
      PAYPAL_WEBHOOK_ID?: string;
      PAYPAL_PLAN_STORYTELLER?: string;
      SPICY_MODE?: string;
      AGE_CHECK?: string;
      AGE_CHECK_URL?: string;
      AGE_CHECK_SECRET?: string;
    }
  }
  type Env = Cloudflare.Env;
}

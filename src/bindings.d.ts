import type { VariableName } from './env/schema.js';
import type { ConversationObject } from './features/conversation/conversation-object.ts';
import type { SearchObject } from './features/search/search-object.ts';
import type { WalletObject } from './features/wallet/wallet-object.ts';

/** The operator's variables. Every value arrives as text. */
type OperatorVariables = { [name in VariableName]?: string };

/** The bindings of wrangler.toml and the operator's variables; `readEnvironment` validates the latter. */
declare global {
  namespace Cloudflare {
    interface Env extends OperatorVariables {
      ASSETS: Fetcher;
      DB: D1Database;
      KV: KVNamespace;
      MEDIA: R2Bucket;
      CONVERSATIONS: DurableObjectNamespace<ConversationObject>;
      WALLETS: DurableObjectNamespace<WalletObject>;
      SEARCHES: DurableObjectNamespace<SearchObject>;
      EMAIL: SendEmail;
      AUTH_LIMIT: RateLimit;
      /** Calls per minute of a network or a user (src/api/middleware/rate-limits.ts). */
      LIMIT_40: RateLimit;
      LIMIT_120: RateLimit;
      LIMIT_600: RateLimit;
      LIMIT_3000: RateLimit;
      LIMIT_15000: RateLimit;
      /** Counts page views; without this binding none are counted. */
      ANALYTICS?: AnalyticsEngineDataset;
      /** The version of the Worker; without it a deployment cannot check which version answers. */
      VERSION?: WorkerVersionMetadata;
    }
  }
  type Env = Cloudflare.Env;
}

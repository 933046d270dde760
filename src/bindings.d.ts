import type { VariableName } from './env/variables.js';
import type { ConversationObject } from './features/conversation/conversation-object.ts';
import type { SearchObject } from './features/search/search-object.ts';
import type { WalletObject } from './features/wallet/wallet-object.ts';

/** What an operator sets, by the table of variables; all of it comes as text. */
type OperatorVariables = { [name in VariableName]?: string };

/** What wrangler.toml binds, and the variables an operator sets; `readEnvironment` checks the latter. */
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
      /** Calls a minute, of a network or of a person (src/api/middleware/rate-limits.ts). */
      LIMIT_40: RateLimit;
      LIMIT_120: RateLimit;
      LIMIT_600: RateLimit;
      LIMIT_3000: RateLimit;
      /** Where page views are counted; without it nothing is. */
      ANALYTICS?: AnalyticsEngineDataset;
      /** Which version of the Worker this is; without it a deployment does not know who answers. */
      VERSION?: WorkerVersionMetadata;
    }
  }
  type Env = Cloudflare.Env;
}

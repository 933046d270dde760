import type { Context } from 'hono';
import type { Database } from '../../db/open.ts';
import type { Environment } from '../../env/read-environment.ts';
import type { SessionUser } from '../../features/account/contract.ts';
import type { ConversationCharacter } from '../../features/conversation/character/conversation-character-store.ts';
import type { ServiceContext } from '../../services/context.ts';

/** Who calls: the session's id is its hash, fit for the database and nothing else. */
export interface Caller {
  sessionId: string;
  /** What others may know it by. */
  sessionPublicId: string;
  user: SessionUser;
}

/** What the chain leaves for the routes. */
export interface ApiEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    db: Database;
    settings: Environment;
    /** Reads the session once, when somebody asks for it. */
    caller: () => Promise<Caller | null>;
    /** The character of the path's conversation, being read while the session is (`story-ahead.ts`). */
    story?: { conversationId: string; character: Promise<ConversationCharacter | null> };
    /** Of the page of the reference alone: what its policy allows its style sheet by. */
    secureHeadersNonce?: string;
  };
}

/** The part of a request that services and jobs work with. */
export function toServiceContext(c: Context<ApiEnv>): ServiceContext {
  return {
    env: c.env,
    db: c.get('db'),
    settings: c.get('settings'),
    execution: c.executionCtx as ExecutionContext,
  };
}

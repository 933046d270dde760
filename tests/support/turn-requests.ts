import { env } from 'cloudflare:workers';
import { computeSessionId } from '../../src/features/account/session/session-cookie.ts';
import type { TurnRequest } from '../../src/features/conversation/turn/turn-port.ts';
import { createTurnId, type Visitor } from './factories.ts';

/** D1’s id of the visitor’s session. */
export async function getSessionId(visitor: Visitor): Promise<string> {
  const [token = ''] = /[0-9a-f]{64}/.exec(visitor.cookie) ?? [];
  return (await computeSessionId(token)) ?? '';
}

/** A request for a reply as the API sends it to the conversation’s object. */
export async function buildTurnRequest(visitor: Visitor, conversationId: string): Promise<TurnRequest> {
  return {
    requestId: 'request',
    conversationId,
    sessionId: await getSessionId(visitor),
    turnId: createTurnId(),
    model: 'recommended',
    timeZone: null,
    country: null,
    language: 'en',
    lastEventId: null,
    tab: null,
  };
}

/** Makes the conversation’s character one for adults, and its user an adult with spicy mode on. */
export async function allowAdultReplies(visitor: Visitor, conversationId: string): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(
      'update users set is_anonymous = 0, age_confirmed = 1, age_checked_at = 1, spicy_mode = 1 where id = ?',
    ).bind(visitor.id),
    env.DB.prepare(
      'update characters set nsfw_allowed = 1 where id = (select character_id from conversations where id = ?)',
    ).bind(conversationId),
  ]);
}

/** D1, where the first read of a session waits until it is released. */
export function holdFirstAccess(): { DB: D1Database; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isFirst = true;
  const hold = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get: (target, name: keyof D1PreparedStatement) => {
        if (name === 'bind') return (...values: unknown[]) => hold(target.bind(...values));
        if (name !== 'raw') return target[name].bind(target);
        return async (...call: []) => {
          await promise;
          return target.raw(...call);
        };
      },
    });
  const DB = new Proxy(env.DB, {
    get: (db, name: keyof D1Database) => {
      if (name !== 'prepare') return db[name].bind(db);
      return (sql: string) => {
        const isHeld = isFirst && sql.includes('from "sessions"');
        if (isHeld) isFirst = false;
        return isHeld ? hold(db.prepare(sql)) : db.prepare(sql);
      };
    },
  });
  return { DB, release: resolve };
}

import { env } from 'cloudflare:workers';
import { computeSessionId } from '../../src/features/account/session/session-id.ts';
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

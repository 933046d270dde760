import type { Context } from 'hono';
import type { SessionUser } from '../../features/account/contract.ts';
import { getVisiblePortrait } from '../../features/character/portrait.ts';
import {
  toWriteBlock,
  canStartConversation,
  getRating,
} from '../../features/conversation/character/character-state.ts';
import type { Conversation } from '../../features/conversation/contract.ts';
import type { UserRegion } from '../../features/conversation/moderation/crisis-help.ts';
import type {
  ConversationObject,
  EventCall,
  TurnResult,
} from '../../features/conversation/conversation-object.ts';
import { EVENT_STREAM_TYPE } from '../../features/conversation/turn/reply-log.ts';
import {
  type ConversationCharacter,
  findConversationCharacter,
  findRatedCharacter,
} from '../../features/conversation/character/conversation-character-store.ts';
import type { AccessRefusal } from '../../features/conversation/access/access.ts';
import type { PointsRefusal } from '../../features/conversation/turn/turn-port.ts';
import { getAiNoticeForm, readNetworkPlace } from '../../features/conversation/messages/ai-notice-form.ts';
import type { PointsStatus } from '../../features/wallet/contract.ts';
import { isId } from '../../lib/ids.ts';
import type { ApiEnv } from './context.ts';
import { requireCaller } from './guards.ts';
import { getRequestLanguage } from './language.ts';
import { getEntitlement } from './wallet.ts';
import { Problem, type ProblemCode, computeSecondsUntil } from './problems.ts';

/** Returns the Durable Object of a conversation. @throws Problem `not_found` */
export function getConversationStub(c: Context<ApiEnv>, id: string) {
  // Do not wake an object for a text that cannot be an id.
  if (!isId(id)) throw new Problem('not_found');
  return c.env.CONVERSATIONS.get(c.env.CONVERSATIONS.idFromName(id));
}

/** Returns the caller with the public id of their session, the conversation of the path and the calling tab. */
export async function requireConversation(c: Context<ApiEnv, '/:id'>) {
  const { user, sessionPublicId } = await requireCaller(c);
  const conversation = getConversationStub(c, c.req.param('id'));
  return { user, sessionPublicId, conversation, tab: readTabId(c) };
}

/**
 * Like `requireConversation`, for calls that make the model write: also returns the content rating, the reason why
 * writing is blocked, if any, and the caller's entitlement for the wallet.
 */
export async function requireWritableConversation(c: Context<ApiEnv, '/:id'>) {
  const [access, character] = await Promise.all([
    requireConversation(c),
    findConversationCharacter(c.get('db'), c.req.param('id')),
  ]);
  const rating = character === null ? 'general' : getRating(character, access.user.spicy_mode);
  const entitlement = getEntitlement(c, access.user);
  return {
    ...access,
    entitlement,
    rating,
    writeBlock: character === null ? null : toWriteBlock(character.state),
  };
}

/** Adds the character's current state and the form of the AI notice to a conversation, and removes a picture that this user may not see now. */
export async function presentConversation(
  c: Context<ApiEnv>,
  user: SessionUser,
  conversation: Conversation,
): Promise<Conversation> {
  const character = await findRatedCharacter(c.get('db'), conversation.character_id);
  return presentWithCharacter(c, character, user, conversation);
}

/** @param character the current state of the conversation's character; null when it was deleted with its creator */
export function presentWithCharacter(
  c: Context<ApiEnv>,
  character: ConversationCharacter | null,
  user: SessionUser,
  conversation: Conversation,
): Conversation {
  const ai_notice = getAiNoticeForm(c.get('settings').aiNotice, c.req.raw, Date.now());
  if (character === null) return { ...conversation, ai_notice };
  const own = character.creatorId === user.id;
  const isBlocked = getRating(character, user.spicy_mode) === 'blocked';
  const gone = conversation.character_gone === true;
  const isNewer = character.version > conversation.character_version;
  return {
    ...conversation,
    ai_notice,
    avatar_url: getVisiblePortrait(
      { ...character, avatarUrl: conversation.avatar_url },
      { userId: user.id, spicy: user.spicy_mode },
    ),
    nsfw_allowed: character.nsfwAllowed,
    own_character: own,
    character_state: gone ? 'gone' : character.state,
    newer_version:
      isNewer && !gone && !isBlocked && canStartConversation(character, user) ? character.version : null,
  };
}

/**
 * Returns the id of the calling tab, which gets no hints about its own changes; null for other clients. Sockets send it
 * in the query, because browsers cannot set headers on them.
 */
export function readTabId(c: Context<ApiEnv>): string | null {
  const tab = c.req.header('x-tab') ?? c.req.query('tab');
  return tab !== undefined && /^[A-Za-z0-9_-]{8,64}$/.test(tab) ? tab : null;
}

/** Returns a successful result of a conversation object. @throws Problem with the code of a refusal */
export function unwrapResult<T extends { ok: boolean }>(
  result: T | { ok: false; code: ProblemCode; limit?: number },
): Extract<T, { ok: true }> {
  if (result.ok) return result as Extract<T, { ok: true }>;
  const { code, limit } = result as { code: ProblemCode; limit?: number };
  throw new Problem(code, limit === undefined ? {} : { limit });
}

/**
 * Returns the caller's country, if known, and language. They select the helplines to show in a crisis.
 */
export function getUserRegion(c: Context<ApiEnv>, user: SessionUser): UserRegion {
  return {
    country: getCountry(c),
    lang: user.language ?? getRequestLanguage(c),
  };
}

/** Returns the caller's country; null when it is unknown. */
export const getCountry = (c: Context<ApiEnv>): string | null => readNetworkPlace(c.req.raw).country;

/** Typical duration of a reply. */
const REPLY_SECONDS = 10;

/**
 * Builds the refusal for missing points or a reached daily limit: the price, the balance and the time of the next refill.
 */
export function createPointsProblem(
  refusal: { code: PointsRefusal; points: PointsStatus },
  extra: Record<string, unknown> = {},
): Problem {
  const { code, points } = refusal;
  const { message_cost: points_required, refills_at, daily_resets_at } = points;
  const extraFields = { ...extra, points, points_required, refills_at, daily_resets_at };
  // Retry once one of the running replies should be finished.
  if (code === 'too_many_replies') return new Problem(code, extraFields, REPLY_SECONDS);
  const at = code === 'points_exhausted' ? refills_at : daily_resets_at;
  return new Problem(code, extraFields, computeSecondsUntil(Date.parse(at), Date.now()));
}

/** Calls a method of a conversation's object whose result has a stream. The arguments and a refusal pass as JSON. */
export async function callForEvents<Name extends EventCall>(
  conversation: Pick<Fetcher, 'fetch'>,
  name: Name,
  ...args: Parameters<ConversationObject[Name]>
): Promise<Awaited<ReturnType<ConversationObject[Name]>>> {
  const response = await conversation.fetch(`https://conversation/${name}`, {
    method: 'POST',
    body: JSON.stringify(args),
  });
  const isStream = response.headers.get('content-type') === EVENT_STREAM_TYPE;
  const result = isStream ? { ok: true, events: response.body } : await response.json();
  return result as Awaited<ReturnType<ConversationObject[Name]>>;
}

export const EVENT_STREAM_HEADERS = {
  'content-type': EVENT_STREAM_TYPE,
  'x-accel-buffering': 'no',
};

/** Streams the events of a turn. @throws Problem with the code of a refusal */
export function respondWithTurn(c: Context<ApiEnv>, result: TurnResult | AccessRefusal): Response {
  if (result.ok) return c.body(result.events, 200, EVENT_STREAM_HEADERS);
  // Show crisis help with a refusal too.
  const extra = 'help' in result && result.help !== undefined ? { safety: result.help } : {};
  throw 'points' in result ? createPointsProblem(result, extra) : new Problem(result.code, extra);
}

import type { Database } from '../db/open.ts';
import type { SessionUser } from '../features/account/contract.ts';
import { computeNetworkFingerprint } from '../features/account/network-fingerprint.ts';
import { getSpokenNickname } from '../features/character/character-rules.ts';
import { readDefinition } from '../features/character/definition-store.ts';
import {
  type WriteBlock,
  toWriteBlock,
  canStartConversation,
  getRating,
  getSpicyModeCode,
} from '../features/conversation/character/character-state.ts';
import type { Conversation, ConversationCreated } from '../features/conversation/contract.ts';
import type { CharacterSource } from '../features/conversation/character/character-copy.ts';
import {
  deleteConversationRow,
  listUnbegunConversations,
  updateConversationNetwork,
} from '../features/conversation/conversation-rows-store.ts';
import type { Access } from '../features/conversation/access/access.ts';
import type { ConversationStart } from '../features/conversation/reuse-conversation.ts';
import type { ConversationObject } from '../features/conversation/conversation-object.ts';
import {
  type ConversationCharacter,
  toConversationCharacter,
} from '../features/conversation/character/conversation-character-store.ts';
import { sanitizeText } from '../lib/sanitize-text.ts';
import { getIdTime, createId } from '../lib/ids.ts';
import { log } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import { getStorageLimit } from '../features/storage/storage.ts';
import { STORAGE } from '../features/storage/limits.ts';
import { releaseStorage } from '../features/storage/storage-store.ts';
import { refuse, type Result, type ServiceContext, succeed } from './context.ts';
import { createStorageRefusal, reserveConversation, type StorageRefusal } from './storage/reserve-storage.ts';

/** A character as it is now, and the parts that a conversation copies. */
export interface StartableCharacter {
  now: ConversationCharacter;
  source: CharacterSource;
}

/**
 * Reads the definition that a conversation keeps of its character, and who may use it. Both come from one read, so that a
 * concurrent change to private cannot expose the newer definition. Returns null for an unknown id.
 */
export async function readCharacterSource(
  db: Database,
  characterId: string,
): Promise<StartableCharacter | null> {
  const found = await readDefinition(db, characterId);
  if (found === null) return null;
  const { lorebook, parts = {}, nickname, alternate_greetings, name, ...definition } = found.definition;
  const spoken = getSpokenNickname(nickname);
  const character = {
    ...definition,
    id: characterId,
    name: sanitizeText(name),
    version: found.version,
    ...(alternate_greetings.length === 0 ? {} : { alternate_greetings }),
    ...(spoken === undefined ? {} : { nickname: spoken }),
  };
  return {
    now: toConversationCharacter(found.row),
    source: {
      character,
      lorebook: lorebook === null ? null : JSON.stringify(lorebook),
      parts: Object.keys(parts).length === 0 ? null : JSON.stringify(parts),
    },
  };
}

/** Why a user may not start a conversation with a character. */
type StartRefusal = 'not_found' | WriteBlock['code'] | ReturnType<typeof getSpicyModeCode>;

/**
 * Returns the character's definition for a new conversation, if the user may start one. Refuses with `not_found` when the
 * user may not see the character. Its creator gets the reason why it cannot reply (`character_hidden`,
 * `character_removed`, `character_deleted`).
 */
export async function requireCharacterSource(
  { db, settings }: ServiceContext,
  user: SessionUser,
  characterId: string,
): Promise<Result<StartableCharacter, StartRefusal>> {
  const found = await readCharacterSource(db, characterId);
  if (found === null) return refuse('not_found');
  const { now } = found;
  const isBlocked = getRating(now, user.spicy_mode) === 'blocked';
  if (now.creatorId !== user.id) {
    if (isBlocked || !canStartConversation(now, user)) return refuse('not_found');
    return succeed(found);
  }
  const block = toWriteBlock(now.state);
  if (block !== null) return refuse(block.code);
  return isBlocked ? refuse(getSpicyModeCode(settings)) : succeed(found);
}

const computeNetwork = async (
  { settings }: ServiceContext,
  clientIp: string | null,
): Promise<string | null> =>
  clientIp === null ? null : computeNetworkFingerprint(clientIp, settings.authSecret);

/** How many conversations without a message a start looks at: one from the home page's scene, and one other. */
const MAX_REUSE_CANDIDATES = 2;

/**
 * Returns the user's newest conversation with the character in which they have not written, if it suits this start;
 * otherwise null. It then has the network of this start.
 * @param start.tab the calling tab, which gets no hint about the change
 */
export async function findReusableConversation(
  context: ServiceContext,
  ownerId: string,
  {
    access,
    tab,
    clientIp,
    ...start
  }: ConversationStart & { access: Access; tab: string | null; clientIp: string | null },
): Promise<ConversationCreated | null> {
  const { db, env } = context;
  const ids = await listUnbegunConversations(db, {
    ownerId,
    characterId: start.source.character.id,
    limit: MAX_REUSE_CANDIDATES,
  });
  for (const id of ids) {
    const stub = env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id));
    const reused = await stub.reuse(ownerId, start, access, tab);
    if (!reused.ok) continue;
    const network = await computeNetwork(context, clientIp);
    // If this fails, the chat counts by the network that it was begun from.
    if (network !== null)
      context.execution.waitUntil(updateConversationNetwork(db, id, network).catch(() => undefined));
    return reused.created;
  }
  return null;
}

/** A conversation that does not exist yet. */
interface PendingConversation {
  id: string;
  stub: DurableObjectStub<ConversationObject>;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Creates a conversation and its row in D1: both exist afterwards, or neither. Finishes even when the client disconnects.
 * A repeated call may return a conversation that exists already; it is listed once.
 * @param options.isBegun false for one that is not in the user's list before their first message
 * @param options.bytes estimate of what it will take; null for one that exists already
 * @param make creates the conversation in the given object
 * @returns `storage_full` or `conversation_limit` when there is no room for it; then nothing of it remains
 */
export async function createListedConversation<Created extends { conversation: Conversation }>(
  context: ServiceContext,
  options: {
    owner: SessionUser;
    clientIp: string | null;
    importKey?: string | null;
    isBegun?: boolean;
    bytes: number | null;
  },
  make: (pending: PendingConversation) => Promise<Created>,
): Promise<Result<Created, StorageRefusal['code']>> {
  const { owner, isBegun = true, bytes } = options;
  const now = Date.now();
  const id = createId(now);
  const limit = getStorageLimit(owner);
  const maxBytes = isBegun ? limit.bytes : limit.startBytes;
  const claim = bytes === null || maxBytes === null ? null : { id, bytes, maxBytes, now };
  const refused = claim === null ? null : await reserveConversation(context, owner, claim);
  if (refused !== null) return refused;
  const storage =
    claim === null
      ? null
      : { reservationId: id, maxBytes: isBegun ? claim.maxBytes * STORAGE.maxOverrun : claim.maxBytes };
  return fillConversation(context, { ...options, id, now, storage }, make);
}

/** Creates a conversation for which there is room. */
function fillConversation<Created extends { conversation: Conversation }>(
  context: ServiceContext,
  {
    owner,
    clientIp,
    importKey = null,
    isBegun = true,
    id,
    now,
    storage,
  }: Omit<Parameters<typeof createListedConversation>[1], 'bytes'> & {
    id: string;
    now: number;
    storage: { reservationId: string; maxBytes: number } | null;
  },
  make: (pending: PendingConversation) => Promise<Created>,
): Promise<Result<Created, StorageRefusal['code']>> {
  const { id: ownerId } = owner;
  const { CONVERSATIONS } = context.env;
  const stub = CONVERSATIONS.get(CONVERSATIONS.idFromName(id));
  const creation = (async () => {
    try {
      const made = await make({ id, stub, now });
      const { conversation } = made;
      const listing = await CONVERSATIONS.get(CONVERSATIONS.idFromName(conversation.id)).addToList({
        id: conversation.id,
        ownerId,
        characterId: conversation.character_id,
        characterName: conversation.character_name,
        avatarUrl: conversation.avatar_url,
        // The creation time here: an imported chat has its own start date, and counting users relies on this one.
        createdAt: getIdTime(conversation.id),
        network: await computeNetwork(context, clientIp),
        importKey,
        isBegun,
        ...(storage === null ? {} : { storage }),
      });
      if (listing === 'gone') throw new Error('The conversation was gone before it was listed');
      if (listing === 'listed') return succeed(made);
      await eraseUnlisted(context.db, stub, { id, ownerId });
      return await createStorageRefusal(context.db, owner);
    } catch (error) {
      // Clean up after any failure, at any step.
      await eraseUnlisted(context.db, stub, { id, ownerId });
      if (storage !== null) await releaseStorage(context.db, storage.reservationId);
      throw error;
    }
  })();
  context.execution.waitUntil(creation.catch(() => undefined));
  return creation;
}

/** Erases a conversation that failed to be listed. Errors are only logged: the caller reports the first failure. */
async function eraseUnlisted(
  db: Database,
  stub: PendingConversation['stub'],
  { id, ownerId }: { id: string; ownerId: string },
): Promise<void> {
  try {
    // The row may have been written although its answer was lost. An erasure deletes the row first and can be resumed. If
    // the object cannot be reached now, it checks for its row later.
    const erased = await stub.erase(ownerId);
    // The object was gone already; delete a row written since.
    if (!erased.ok && erased.code === 'not_found') await deleteConversationRow(db, id);
  } catch (error) {
    log('unlisted_conversation_cleanup_failed', { conversation_id: id, message: describeError(error) });
  }
}

import type { Database } from '../db/open.ts';
import type { SessionUser } from '../features/account/contract.ts';
import { computeNetworkFingerprint } from '../features/account/network-fingerprint.ts';
import { getSpokenNickname } from '../features/character/character-rules.ts';
import { readDefinition } from '../features/character/definition-store.ts';
import {
  type WriteBlock,
  toWriteBlock,
  mayBegin,
} from '../features/conversation/character/character-state.ts';
import type { Conversation } from '../features/conversation/contract.ts';
import type { CharacterSource } from '../features/conversation/create-conversation.ts';
import { deleteListRow } from '../features/conversation/conversation-list-store.ts';
import type { ConversationObject } from '../features/conversation/conversation-object.ts';
import {
  type ConversationCharacter,
  toConversationCharacter,
} from '../features/conversation/character/conversation-character-store.ts';
import { getRating } from '../features/conversation/character/content-rating.ts';
import { sanitizeText } from '../lib/sanitize-text.ts';
import { getIdTime, createId } from '../lib/ids.ts';
import { log } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import { refuse, type Result, type ServiceContext, succeed } from './context.ts';
import { getSpicyModeCode } from './spicy-mode.ts';

/**
 * What a conversation keeps of its character, as it is now, and who may have it: both of one reading, so that nobody gets
 * what its maker made of it for themself alone a moment later. Null when there is none of that id.
 */
export async function readCharacterSource(
  db: Database,
  characterId: string,
): Promise<{ now: ConversationCharacter; source: CharacterSource } | null> {
  const found = await readDefinition(db, characterId);
  if (found === null) return null;
  const { lorebook, nickname, alternate_greetings, name, ...definition } = found.definition;
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
    source: { character, lorebook: lorebook === null ? null : JSON.stringify(lorebook) },
  };
}

/** Why a person may not start a conversation with a character. */
type StartRefusal = 'not_found' | WriteBlock['code'] | ReturnType<typeof getSpicyModeCode>;

/**
 * What a new conversation keeps of its character, for somebody who may begin one with it.
 * Refused with `not_found` where the character is not theirs to see. Its creator gets the reason why it cannot reply
 * (`character_hidden`, `character_removed`, `character_deleted`).
 */
export async function requireCharacterSource(
  { db, settings }: ServiceContext,
  user: SessionUser,
  characterId: string,
): Promise<Result<CharacterSource, StartRefusal>> {
  const found = await readCharacterSource(db, characterId);
  if (found === null) return refuse('not_found');
  const { now, source } = found;
  const withheld = getRating(now, user.spicy_mode) === 'withheld';
  if (now.creatorId !== user.id) {
    if (withheld || !mayBegin(now, user)) return refuse('not_found');
    return succeed(source);
  }
  const block = toWriteBlock(now.state);
  if (block !== null) return refuse(block.code);
  return withheld ? refuse(getSpicyModeCode(settings)) : succeed(source);
}

/** A conversation that does not exist yet. */
interface PendingConversation {
  id: string;
  stub: DurableObjectStub<ConversationObject>;
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Makes a conversation and its row in the lists of its person: both, or nothing is left of either. Begun, it comes to its
 * end, also when whoever asked has left. What is made may be a conversation that was made before; it is listed once.
 */
export function createListedConversation<Created extends { conversation: Conversation }>(
  context: ServiceContext,
  { ownerId, clientIp }: { ownerId: string; clientIp: string | null },
  make: (unborn: PendingConversation) => Promise<Created>,
): Promise<Created> {
  const now = Date.now();
  const id = createId(now);
  const { CONVERSATIONS } = context.env;
  const stub = CONVERSATIONS.get(CONVERSATIONS.idFromName(id));
  const creation = (async () => {
    try {
      const made = await make({ id, stub, now });
      const { conversation } = made;
      const isListed = await CONVERSATIONS.get(CONVERSATIONS.idFromName(conversation.id)).addToList({
        id: conversation.id,
        ownerId,
        characterId: conversation.character_id,
        characterName: conversation.character_name,
        avatarUrl: conversation.avatar_url,
        title: conversation.title,
        // When it was made here: a chat that was brought says of itself when it began, and who counts people goes by this.
        createdAt: getIdTime(conversation.id),
        // Now, also for one that was last written in elsewhere: it is looked for where the newest chats are.
        lastMessageAt: now,
        messageCount: conversation.message_count,
        network:
          clientIp === null ? null : await computeNetworkFingerprint(clientIp, context.settings.authSecret),
      });
      if (!isListed) throw new Error('The conversation was gone before it was listed');
      return made;
    } catch (error) {
      // Whatever it failed at, and however far it had come.
      await eraseUnlisted(context.db, stub, { id, ownerId });
      throw error;
    }
  })();
  context.execution.waitUntil(creation.catch(() => undefined));
  return creation;
}

/** What failed is told to who asked; that this failed too is for the log. */
async function eraseUnlisted(
  db: Database,
  stub: PendingConversation['stub'],
  { id, ownerId }: { id: string; ownerId: string },
): Promise<void> {
  try {
    // Its row may have been written all the same, and only the answer was lost: an erasure takes the row first, and can
    // be gone on with. Where it cannot be had now, the conversation looks for its row by itself.
    const erased = await stub.erase(ownerId);
    // It was gone already; what had been written of it since goes, too.
    if (!erased.ok && erased.code === 'not_found') await deleteListRow(db, id);
  } catch (error) {
    log('unlisted_conversation_stays', { conversation_id: id, message: describeError(error) });
  }
}

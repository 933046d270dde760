import { parseDefinition } from '../../features/character/definition-parts.ts';
import { parseReplyStyle } from '../../features/reply-style/reply-style.ts';
import { DOWNLOADS } from '../../features/wallet/limits.ts';
import type { Database } from '../../db/open.ts';
import { NO_PICTURE } from '../../features/character/portrait.ts';
import { toCardV3 } from '../../features/character/card.ts';
import type { ExportedNote } from '../../features/conversation/memory/memory-store.ts';
import type { ConversationExportOptions } from '../../features/conversation/files/export-conversation.ts';
import type { MissingFile } from '../../features/export/contents-page.ts';
import {
  type AccountData,
  listCharactersAfter,
  listConversationsAfter,
  type ExportedCharacter,
  listUnusedCards,
  listCharacterVersions,
} from '../../features/export/export-store.ts';
import { streamWholeLines } from '../../features/export/stream-whole-lines.ts';
import type { LedgerPage, PointsStatus } from '../../features/wallet/contract.ts';
import type { ListedConversation } from '../../features/search/contract.ts';
import { log } from '../../lib/log.ts';
import { describeError } from '../../lib/redact.ts';
import { indexConversations } from '../list-conversations.ts';

/** A data export in progress. */
export interface Download {
  env: Env;
  db: Database;
  account: AccountData;
  /** The last conversation of the previous part; null for the first part, which alone contains everything else. */
  after: string | null;
  /** Number of the part, from 1. */
  part: number;
  /** Time of the request, in milliseconds since 1970. */
  now: number;
  /** Uncompressed bytes of conversations so far. */
  chatBytes: number;
  missing: MissingFile[];
  /** The last conversation of this part when more follow; known once all were read. */
  next: string | null;
}

const getOwnWallet = ({ env, account }: Download) =>
  env.WALLETS.get(env.WALLETS.idFromName(account.profile.id));

function logFailure(part: string, error: unknown): void {
  log('download_incomplete', { part, message: describeError(error) });
}

/** Records that a file is missing or incomplete; the export continues. */
function recordMissing(download: Download, path: string, begun: boolean, error: unknown): void {
  logFailure(path.replace(/\/.*/, ''), error);
  download.missing.push({ path, begun });
}

/** A conversation with its title and last message time from the user's list. */
export type ExportedConversation = Awaited<ReturnType<typeof listConversationsAfter>>[number] & {
  title: string | null;
  lastMessageAt: number;
};

/** Finds conversations in the user's list by id; those that it lacks are added first. Empty when it does not answer. */
async function findListed(
  env: Env,
  userId: string,
  ids: readonly string[],
): Promise<Map<string, ListedConversation>> {
  try {
    const index = env.SEARCHES.get(env.SEARCHES.idFromName(userId));
    let listed = await index.findConversations(ids);
    if (listed.length < ids.length) {
      const known = new Set(listed.map(({ id }) => id));
      const missing = ids.filter((id) => !known.has(id));
      await indexConversations(env, userId, missing);
      listed = await index.findConversations(ids);
    }
    return new Map(listed.map((row) => [row.id, row]));
  } catch (error) {
    logFailure('titles', error);
    return new Map();
  }
}

/** Yields the conversations of this part, up to its limits, and sets `next` when more follow. */
export async function* iterateConversations(download: Download): AsyncGenerator<ExportedConversation> {
  const { db, env, account } = download;
  let after = download.after ?? '';
  let count = 0;
  for (;;) {
    const rows = await listConversationsAfter(db, {
      ownerId: account.profile.id,
      after,
      limit: DOWNLOADS.pageSize,
    });
    const listedById = await findListed(
      env,
      account.profile.id,
      rows.map(({ id }) => id),
    );
    for (const row of rows) {
      if (count === DOWNLOADS.chats || download.chatBytes >= DOWNLOADS.maxChatBytes) {
        download.next = after;
        return;
      }
      const { title = null, lastMessageAt = row.createdAt } = listedById.get(row.id) ?? {};
      yield { ...row, title, lastMessageAt };
      after = row.id;
      count += 1;
    }
    if (rows.length < DOWNLOADS.pageSize) return;
  }
}

/** Yields the user's own characters. */
export async function* iterateCharacters({ db, account }: Download): AsyncGenerator<ExportedCharacter> {
  let after = '';
  for (;;) {
    const rows = await listCharactersAfter(db, {
      ownerId: account.profile.id,
      after,
      limit: DOWNLOADS.pageSize,
    });
    yield* rows;
    if (rows.length < DOWNLOADS.pageSize) return;
    after = rows.at(-1)?.id ?? '';
  }
}

/** Lists imported cards that no character was created from. */
export async function listUnusedCardFiles({ db, account }: Download) {
  const found = await listUnusedCards(db, { ownerId: account.profile.id, limit: DOWNLOADS.maxOriginals });
  return found.map(({ id, key, createdAt }) => ({ path: `cards/${id}.json`, key, at: createdAt }));
}

/** Converts a character to the source of a card. */
export function toCardSource(character: ExportedCharacter, { account }: Download) {
  const { nickname, username } = account.profile;
  const definition = parseDefinition(character.definition);
  const recommendedStyle = parseReplyStyle(character.recommendedStyle);
  return { ...character, definition, recommendedStyle, creator: nickname ?? username };
}

/** Streams the points balance and the ledger as a JSON object, which stays valid JSON when reading fails. */
export async function* streamPointsJson(download: Download, path: string): AsyncGenerator<string> {
  const wallet = getOwnWallet(download);
  let now: PointsStatus | null = null;
  try {
    now = await wallet.getStatus();
  } catch (error) {
    recordMissing(download, path, false, error);
  }
  yield `{"now":${JSON.stringify(now)},"ledger":[\n`;
  let cursor: string | undefined;
  let comma = '';
  try {
    for (let count = 0; now !== null; count += 1) {
      if (count === DOWNLOADS.maxLedgerPages)
        throw new Error('there are more entries than a download may hold');
      const page: LedgerPage = await wallet.listEntries(cursor, DOWNLOADS.ledgerPage);
      if (page.items.length > 0) {
        yield comma + page.items.map((entry) => JSON.stringify(entry)).join(',\n');
        comma = ',\n';
      }
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
  } catch (error) {
    recordMissing(download, path, true, error);
  }
  yield '\n]}\n';
}

/** A conversation being exported. */
export interface OpenConversation {
  /** Whole lines only, also when reading breaks off. */
  text: AsyncIterable<Uint8Array>;
  notes: ExportedNote[];
  /** Whether reading broke off; known once the text was consumed. */
  broken: boolean;
}

/** An object that is being moved or updated fails once and answers the next call. */
const MAX_ATTEMPTS = 2;

/**
 * Opens a conversation in one of its formats. Returns null, and records it as missing, when it cannot be read.
 * @param path its name in the export
 */
export async function openConversation(
  download: Download,
  id: string,
  options: ConversationExportOptions,
  path: string,
): Promise<OpenConversation | null> {
  const { env, account } = download;
  for (let tries = 1; ; tries += 1) {
    try {
      const stub = env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id));
      const answer = await stub.streamExport(account.profile.id, options);
      if (!answer.ok) throw new Error(answer.code);
      const { text, notes } = answer as unknown as Pick<OpenConversation, 'notes'> & {
        text: ReadableStream<Uint8Array>;
      };
      const chat: OpenConversation = {
        notes,
        broken: false,
        text: streamWholeLines(countBytes(download, text), (error) => {
          chat.broken = true;
          recordMissing(download, path, true, error);
        }),
      };
      return chat;
    } catch (error) {
      if (tries < MAX_ATTEMPTS) continue;
      recordMissing(download, path, false, error);
      return null;
    }
  }
}

async function* countBytes(download: Download, text: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of text) {
    download.chatBytes += chunk.length;
    yield chunk;
  }
}

/** Opens a picture or card in R2. Returns null, and records it as missing, when it cannot be read. */
export async function openMediaFile(
  download: Download,
  key: string,
  path: string,
): Promise<ReadableStream<Uint8Array> | null> {
  try {
    const object = await download.env.MEDIA.get(key);
    if (object === null) throw new Error('there is no such file');
    return object.body;
  } catch (error) {
    recordMissing(download, path, false, error);
    return null;
  }
}

/** Lists the keys of the user's pictures: uploads, the avatar and the portraits of characters. */
export function listPictureKeys({ account }: Download, ofCharacters: Iterable<string>): string[] {
  const { avatar_id: own } = account.profile;
  return [
    ...new Set([...account.pictures.map(({ id }) => id), ...(own === null ? [] : [own]), ...ofCharacters]),
    // A character has no picture when staff removed it.
  ].filter((key) => key !== NO_PICTURE);
}

/** Returns the fields that a card cannot hold. */
export function toCharacterMetadata(character: ExportedCharacter) {
  const { chatCount, avatarKey, summary, about, featured, version, moderation, language, deletedAt } =
    character;
  return {
    avatar_id: avatarKey,
    summary,
    about,
    featured,
    chat_count: chatCount,
    version,
    moderation,
    language,
    deleted_at: deletedAt === null ? null : new Date(deletedAt).toISOString(),
    created_at: new Date(character.createdAt).toISOString(),
    updated_at: new Date(character.updatedAt).toISOString(),
  };
}

/** Serializes a character for the JSON document. */
export async function serializeCharacter(character: ExportedCharacter, download: Download): Promise<string> {
  const versions = await listEarlierVersions(character, download);
  return JSON.stringify({
    card: toCardV3(toCardSource(character, download)),
    ...toCharacterMetadata(character),
    ...(versions.length === 0 ? {} : { versions }),
  });
}

/** Lists all versions of a character's definition; empty when it was never changed. */
export async function listEarlierVersions({ id, version }: ExportedCharacter, { db }: Download) {
  return version === 1 ? [] : listCharacterVersions(db, id);
}

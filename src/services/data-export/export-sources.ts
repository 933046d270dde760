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
  type ExportedConversation,
  listUnusedCards,
  listCharacterVersions,
} from '../../features/export/export-store.ts';
import { streamWholeLines } from '../../features/export/stream-whole-lines.ts';
import type { LedgerPage, PointsStatus } from '../../features/wallet/contract.ts';
import { log } from '../../lib/log.ts';
import { describeError } from '../../lib/redact.ts';

/** A download that is being made: whose, from where on, and what came of it so far. */
export interface Download {
  env: Env;
  db: Database;
  account: AccountData;
  /** The last chat of the archive before; null for the first one, which alone has everything else. */
  after: string | null;
  /** Counts archives from 1. */
  part: number;
  /** The moment it was asked for, in milliseconds since 1970. */
  now: number;
  /** Bytes of chats so far, before they are packed. */
  chatBytes: number;
  missing: MissingFile[];
  /** The last chat of this archive, when there are more of them; known when all of it was read. */
  next: string | null;
}

const getOwnWallet = ({ env, account }: Download) =>
  env.WALLETS.get(env.WALLETS.idFromName(account.profile.id));

function logFailure(what: string, error: unknown): void {
  log('download_incomplete', { what, message: describeError(error) });
}

/** Notes that something is not in the download, or not all of it; the rest goes on. */
function recordMissing(download: Download, path: string, begun: boolean, error: unknown): void {
  logFailure(path.replace(/\/.*/, ''), error);
  download.missing.push({ path, isPartial: begun });
}

/** One's conversations from where this download begins, as many as it may hold; notes whether there are more. */
export async function* iterateConversations(download: Download): AsyncGenerator<ExportedConversation> {
  const { db, account } = download;
  let after = download.after ?? '';
  let count = 0;
  for (;;) {
    const rows = await listConversationsAfter(db, {
      ownerId: account.profile.id,
      after,
      limit: DOWNLOADS.pageSize,
    });
    for (const row of rows) {
      if (count === DOWNLOADS.chats || download.chatBytes >= DOWNLOADS.maxChatBytes) {
        download.next = after;
        return;
      }
      yield row;
      after = row.id;
      count += 1;
    }
    if (rows.length < DOWNLOADS.pageSize) return;
  }
}

/** The characters that one made. */
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

/** Cards that one brought and made no character of yet. */
export async function listUnusedCardFiles({ db, account }: Download) {
  const found = await listUnusedCards(db, { ownerId: account.profile.id, limit: DOWNLOADS.maxOriginals });
  return found.map(({ id, key, createdAt }) => ({ path: `cards/${id}.json`, key, at: createdAt }));
}

/** A character as a card is made of it. */
export function toCardSource(character: ExportedCharacter, { account }: Download) {
  const { nickname, username } = account.profile;
  return { ...character, creator: nickname ?? username };
}

/** One's points now and every change of them, as a JSON object in pieces; it is whole JSON also when it breaks off. */
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

/** A chat's text as its object tells it. */
export interface OpenConversation {
  /** Whole lines; what breaks off ends behind one. */
  text: AsyncIterable<Uint8Array>;
  notes: ExportedNote[];
  /** Whether its end was not reached; known when it was read. */
  broken: boolean;
}

/** An object that is moved or updated at this moment answers the next time. */
const MAX_ATTEMPTS = 2;

/** Opens a chat in one of its forms; null, and noted as missing, when it cannot be read. @param path what it is called there */
export async function openConversation(
  download: Download,
  id: string,
  wish: ConversationExportOptions,
  path: string,
): Promise<OpenConversation | null> {
  const { env, account } = download;
  for (let tries = 1; ; tries += 1) {
    try {
      const stub = env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id));
      const answer = await stub.streamExport(account.profile.id, wish);
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

/** A picture or a card of one's own; null, and noted as missing, when it is not there or cannot be read. */
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

/** What one's own pictures are called: those one brought, one's own, and those of one's characters. */
export function listPictureKeys({ account }: Download, ofCharacters: Iterable<string>): string[] {
  const { avatar_id: own } = account.profile;
  return [
    ...new Set([...account.pictures.map(({ id }) => id), ...(own === null ? [] : [own]), ...ofCharacters]),
    // A character may have none: staff took it away.
  ].filter((key) => key !== NO_PICTURE);
}

/** What no card has a place for. */
export function toCharacterMetadata(character: ExportedCharacter) {
  const { chatCount, avatarKey, summary, featured, version, moderation, language, deletedAt } = character;
  return {
    avatar_id: avatarKey,
    summary,
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

/** A character as the JSON document has it. */
export async function serializeCharacter(character: ExportedCharacter, download: Download): Promise<string> {
  const versions = await listEarlierVersions(character, download);
  return JSON.stringify({
    card: toCardV3(toCardSource(character, download)),
    ...toCharacterMetadata(character),
    ...(versions.length === 0 ? {} : { versions }),
  });
}

/** What a character was at each of its versions; nothing for one that was never changed. */
export async function listEarlierVersions({ id, version }: ExportedCharacter, { db }: Download) {
  return version === 1 ? [] : listCharacterVersions(db, id);
}

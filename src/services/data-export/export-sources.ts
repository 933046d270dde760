import { DOWNLOADS } from '../../features/wallet/limits.ts';
import type { Database } from '../../db/open.ts';
import { NO_PICTURE } from '../../features/character/portrait.ts';
import { cardV3 } from '../../features/character/card.ts';
import type { KeptNote } from '../../features/conversation/memory/memory-store.ts';
import type { WholeChatWish } from '../../features/conversation/files/whole-conversation.ts';
import type { Missing } from '../../features/export/contents-page.ts';
import {
  type AccountData,
  charactersAfter,
  conversationsAfter,
  type OwnCharacter,
  type OwnConversation,
  unusedCards,
  versionsOf,
} from '../../features/export/export-store.ts';
import { wholeLines } from '../../features/export/whole-lines.ts';
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
  missing: Missing[];
  /** The last chat of this archive, when there are more of them; known when all of it was read. */
  next: string | null;
}

const walletOf = ({ env, account }: Download) => env.WALLETS.get(env.WALLETS.idFromName(account.profile.id));

function logFailure(what: string, error: unknown): void {
  log('download_incomplete', { what, message: describeError(error) });
}

/** Notes that something is not in the download, or not all of it; the rest goes on. */
function miss(download: Download, path: string, begun: boolean, error: unknown): void {
  logFailure(path.replace(/\/.*/, ''), error);
  download.missing.push({ path, begun });
}

/** One's conversations from where this download begins, as many as it may hold; notes whether there are more. */
export async function* chatsOf(download: Download): AsyncGenerator<OwnConversation> {
  const { db, account } = download;
  let after = download.after ?? '';
  let count = 0;
  for (;;) {
    const rows = await conversationsAfter(db, { ownerId: account.profile.id, after, limit: DOWNLOADS.page });
    for (const row of rows) {
      if (count === DOWNLOADS.chats || download.chatBytes >= DOWNLOADS.chatBytes) {
        download.next = after;
        return;
      }
      yield row;
      after = row.id;
      count += 1;
    }
    if (rows.length < DOWNLOADS.page) return;
  }
}

/** The characters that one made. */
export async function* charactersOf({ db, account }: Download): AsyncGenerator<OwnCharacter> {
  let after = '';
  for (;;) {
    const rows = await charactersAfter(db, { ownerId: account.profile.id, after, limit: DOWNLOADS.page });
    yield* rows;
    if (rows.length < DOWNLOADS.page) return;
    after = rows.at(-1)?.id ?? '';
  }
}

/** Cards that one brought and made no character of yet. */
export async function cardsWithoutCharacter({ db, account }: Download) {
  const found = await unusedCards(db, { ownerId: account.profile.id, limit: DOWNLOADS.originals });
  return found.map(({ id, key, createdAt }) => ({ path: `cards/${id}.json`, key, at: createdAt }));
}

/** A character as a card is made of it. */
export function cardSource(character: OwnCharacter, { account }: Download) {
  const { nickname, username } = account.profile;
  return { ...character, creator: nickname ?? username };
}

/** One's points now and every change of them, as a JSON object in pieces; it is whole JSON also when it breaks off. */
export async function* pointsJson(download: Download, path: string): AsyncGenerator<string> {
  const wallet = walletOf(download);
  let now: PointsStatus | null = null;
  try {
    now = await wallet.status();
  } catch (error) {
    miss(download, path, false, error);
  }
  yield `{"now":${JSON.stringify(now)},"ledger":[\n`;
  let cursor: string | undefined;
  let comma = '';
  try {
    for (let count = 0; now !== null; count += 1) {
      if (count === DOWNLOADS.ledgerPages) throw new Error('there are more entries than a download may hold');
      const page: LedgerPage = await wallet.ledger(cursor, DOWNLOADS.ledgerPage);
      if (page.items.length > 0) {
        yield comma + page.items.map((entry) => JSON.stringify(entry)).join(',\n');
        comma = ',\n';
      }
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
  } catch (error) {
    miss(download, path, true, error);
  }
  yield '\n]}\n';
}

/** A chat's text as its object tells it. */
export interface OpenChat {
  /** Whole lines; what breaks off ends behind one. */
  text: AsyncIterable<Uint8Array>;
  notes: KeptNote[];
  /** Whether its end was not reached; known when it was read. */
  broken: boolean;
}

/** An object that is moved or updated at this moment answers the next time. */
const TRIES = 2;

/** Opens a chat in one of its forms; null, and noted as missing, when it cannot be read. @param path what it is called there */
export async function openChat(
  download: Download,
  id: string,
  wish: WholeChatWish,
  path: string,
): Promise<OpenChat | null> {
  const { env, account } = download;
  for (let tries = 1; ; tries += 1) {
    try {
      const stub = env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id));
      const answer = await stub.whole(account.profile.id, wish);
      if (!answer.ok) throw new Error(answer.code);
      const { text, notes } = answer as unknown as Pick<OpenChat, 'notes'> & {
        text: ReadableStream<Uint8Array>;
      };
      const chat: OpenChat = {
        notes,
        broken: false,
        text: wholeLines(counted(download, text), (error) => {
          chat.broken = true;
          miss(download, path, true, error);
        }),
      };
      return chat;
    } catch (error) {
      if (tries < TRIES) continue;
      miss(download, path, false, error);
      return null;
    }
  }
}

async function* counted(download: Download, text: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of text) {
    download.chatBytes += chunk.length;
    yield chunk;
  }
}

/** A picture or a card of one's own; null, and noted as missing, when it is not there or cannot be read. */
export async function openPicture(
  download: Download,
  key: string,
  path: string,
): Promise<ReadableStream<Uint8Array> | null> {
  try {
    const object = await download.env.MEDIA.get(key);
    if (object === null) throw new Error('there is no such file');
    return object.body;
  } catch (error) {
    miss(download, path, false, error);
    return null;
  }
}

/** What one's own pictures are called: those one brought, one's own, and those of one's characters. */
export function pictureKeys({ account }: Download, ofCharacters: Iterable<string>): string[] {
  const { avatar_id: own } = account.profile;
  return [
    ...new Set([...account.pictures.map(({ id }) => id), ...(own === null ? [] : [own]), ...ofCharacters]),
    // A character may have none: staff took it away.
  ].filter((key) => key !== NO_PICTURE);
}

/** What no card has a place for. */
export function besideCard(character: OwnCharacter) {
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
export async function characterJson(character: OwnCharacter, download: Download): Promise<string> {
  const versions = await earlierVersions(character, download);
  return JSON.stringify({
    card: cardV3(cardSource(character, download)),
    ...besideCard(character),
    ...(versions.length === 0 ? {} : { versions }),
  });
}

/** What a character was at each of its versions; nothing for one that was never changed. */
export async function earlierVersions({ id, version }: OwnCharacter, { db }: Download) {
  return version === 1 ? [] : versionsOf(db, id);
}

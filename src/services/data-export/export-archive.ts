import { DOWNLOADS } from '../../features/wallet/limits.ts';
import { cardV2, cardV3 } from '../../features/character/card.ts';
import type { ChatPageWords } from '../../features/conversation/files/chat-html.ts';
import { ArchiveNames } from '../../features/export/archive-names.ts';
import {
  type Contents,
  contentsPage,
  type ContentsWords,
  type ListedChat,
} from '../../features/export/contents-page.ts';
import type { OwnConversation } from '../../features/export/export-store.ts';
import type { ArchiveFile } from '../../features/export/zip.ts';
import { escapeHtml } from '../../lib/html.ts';
import { renderPageEnd } from '../../lib/saved-page.ts';
import { encodePieces } from '../../lib/text-stream.ts';
import {
  besideCard,
  cardSource,
  cardsWithoutCharacter,
  charactersOf,
  chatsOf,
  type Download,
  earlierVersions,
  openChat,
  openPicture,
  pictureKeys,
  pointsJson,
} from './export-sources.ts';

export interface ArchiveWords {
  contents: ContentsWords;
  chat: ChatPageWords;
  /** At the end of a page that broke off. */
  brokenOff: string;
}

type Listed = Omit<Contents, 'missing' | 'next' | 'files' | 'chats'> & {
  files: Contents['files'][number][];
  chats: ListedChat[];
};

const jsonText = (value: unknown): AsyncIterable<Uint8Array> =>
  encodePieces([`${JSON.stringify(value, null, 2)}\n`]);

/**
 * The files of an archive, one after the other; the page that it opens with comes last, because it tells what became of
 * the others.
 * @param nextUrl the address of the next archive, given the last chat of this one
 */
export async function* archiveFiles(
  download: Download,
  words: ArchiveWords,
  nextUrl: (after: string) => string,
): AsyncGenerator<ArchiveFile> {
  const listed: Listed = { files: [], chats: [] };
  if (download.after === null) yield* besideChats(download, listed);
  const names = new ArchiveNames();
  for await (const chat of chatsOf(download)) yield* chatFiles(download, chat, { names, words, listed });
  const { missing, next, now: at } = download;
  const contents = { ...listed, missing, next: next === null ? null : nextUrl(next) };
  yield { path: 'index.html', at, body: encodePieces([contentsPage(contents, words.contents)]) };
}

/** Everything but the chats. */
async function* besideChats(download: Download, listed: Listed): AsyncGenerator<ArchiveFile> {
  const { account, now: at } = download;
  const { personas, ...rest } = account;
  listed.files.push({ path: 'account.json', kind: 'account' });
  yield { path: 'account.json', at, body: jsonText(rest) };
  listed.files.push({ path: 'personas.json', kind: 'personas' });
  yield { path: 'personas.json', at, body: jsonText(personas) };
  listed.files.push({ path: 'points.json', kind: 'points' });
  yield { path: 'points.json', at, body: encodePieces(pointsJson(download, 'points.json')) };
  const names = new ArchiveNames();
  const ofCharacters = new Set<string>();
  const about: unknown[] = [];
  const originals: Original[] = [];
  for await (const character of charactersOf(download)) {
    const source = cardSource(character, download);
    const name = names.name([character.name], 'character');
    for (const [ending, card] of [
      ['v2', cardV2(source)],
      ['v3', cardV3(source)],
    ] as const) {
      const path = `characters/${name}.${ending}.json`;
      listed.files.push({ path, kind: 'characters' });
      yield { path, at: character.updatedAt, body: jsonText(card) };
    }
    const versions = await earlierVersions(character, download);
    if (versions.length > 0) {
      const path = `characters/${name}.versions.json`;
      listed.files.push({ path, kind: 'characters' });
      yield { path, at: character.updatedAt, body: jsonText(versions) };
    }
    if (character.originalKey !== null) {
      originals.push({
        path: `characters/${name}.original.json`,
        key: character.originalKey,
        at: character.createdAt,
      });
    }
    ofCharacters.add(character.avatarKey);
    about.push({ id: character.id, name: character.name, ...besideCard(character) });
  }
  if (about.length > 0) {
    listed.files.push({ path: 'characters.json', kind: 'characters' });
    yield { path: 'characters.json', at, body: jsonText(about) };
  }
  originals.push(...(await cardsWithoutCharacter(download)));
  yield* originalFiles(download, originals, listed);
  for (const [index, key] of pictureKeys(download, ofCharacters).entries()) {
    const path = `pictures/${key}`;
    if (index >= DOWNLOADS.pictures) {
      download.missing.push({ path, begun: false });
      continue;
    }
    const body = await openPicture(download, key, path);
    if (body === null) continue;
    listed.files.push({ path, kind: 'pictures' });
    yield { path, at, packed: true, body };
  }
}

/** A card as it was brought. */
interface Original {
  path: string;
  key: string;
  at: number;
}

/** Cards as they were brought, to the byte. */
async function* originalFiles(
  download: Download,
  originals: readonly Original[],
  listed: Listed,
): AsyncGenerator<ArchiveFile> {
  for (const [index, { path, key, at }] of originals.entries()) {
    if (index >= DOWNLOADS.originals) {
      download.missing.push({ path, begun: false });
      continue;
    }
    const body = await openPicture(download, key, path);
    if (body === null) continue;
    listed.files.push({ path, kind: 'characters' });
    yield { path, at, body };
  }
}

/** A chat for programs, for its reader, and what is remembered of it. */
async function* chatFiles(
  download: Download,
  chat: OwnConversation,
  { names, words, listed }: { names: ArchiveNames; words: ArchiveWords; listed: Listed },
): AsyncGenerator<ArchiveFile> {
  const { now } = download;
  const { title, characterName, lastMessageAt: at, keptUntil } = chat;
  const day = new Date(at).toISOString().slice(0, 10);
  const name = `chats/${names.name([day, characterName, title ?? ''], chat.id)}`;
  const row: ListedChat = {
    title,
    characterName,
    lastMessageAt: at,
    keptUntil,
    page: null,
    lines: null,
    notes: null,
  };
  listed.chats.push(row);

  const linesPath = `${name}.jsonl`;
  const lines = await openChat(download, chat.id, { format: 'jsonl' }, linesPath);
  if (lines !== null) {
    row.lines = linesPath;
    yield { path: linesPath, at, body: lines.text };
    if (lines.notes.length > 0) {
      row.notes = `${name}.memory.json`;
      yield { path: row.notes, at, body: jsonText(lines.notes) };
    }
  }
  const pagePath = `${name}.html`;
  const page = await openChat(download, chat.id, { format: 'html', words: words.chat, now }, pagePath);
  if (page === null) return;
  row.page = pagePath;
  const ended = async function* (): AsyncGenerator<Uint8Array> {
    yield* page.text;
    if (page.broken)
      yield* encodePieces([`<p class="harm">${escapeHtml(words.brokenOff)}</p>${renderPageEnd()}`]);
  };
  yield { path: pagePath, at, body: ended() };
}

import { DOWNLOADS } from '../../features/wallet/limits.ts';
import { toCardV2, toCardV3 } from '../../features/character/card.ts';
import type { ChatPageLabels } from '../../features/conversation/files/chat-html.ts';
import { ArchiveNames } from '../../features/export/archive-names.ts';
import {
  type Contents,
  renderContentsPage,
  type ContentsLabels,
  type ListedConversation,
} from '../../features/export/contents-page.ts';
import type { ArchiveFile } from '../../features/export/zip.ts';
import { escapeHtml } from '../../lib/html.ts';
import { renderPageEnd } from '../../lib/export-page.ts';
import { encodePieces } from '../../lib/text-stream.ts';
import {
  toCharacterMetadata,
  toCardSource,
  listUnusedCardFiles,
  iterateCharacters,
  iterateConversations,
  type Download,
  type ExportedConversation,
  listEarlierVersions,
  openConversation,
  openMediaFile,
  listPictureKeys,
  streamPointsJson,
} from './export-sources.ts';

export interface ArchiveLabels {
  contents: ContentsLabels;
  chat: ChatPageLabels;
  /** Shown at the end of a page that is incomplete. */
  brokenOff: string;
}

type ArchiveIndex = Omit<Contents, 'missing' | 'next' | 'files' | 'chats'> & {
  files: Contents['files'][number][];
  chats: ListedConversation[];
};

const encodeJson = (value: unknown): AsyncIterable<Uint8Array> =>
  encodePieces([`${JSON.stringify(value, null, 2)}\n`]);

/**
 * Yields the files of an archive. `index.html` comes last, because it reports the outcome of the others.
 * @param nextUrl returns the address of the next archive, given the last conversation of this one
 */
export async function* streamArchiveFiles(
  download: Download,
  words: ArchiveLabels,
  nextUrl: (after: string) => string,
): AsyncGenerator<ArchiveFile> {
  const listed: ArchiveIndex = { files: [], chats: [] };
  if (download.after === null) yield* streamAccountFiles(download, listed);
  const names = new ArchiveNames();
  for await (const chat of iterateConversations(download))
    yield* streamConversationFiles(download, chat, { names, words, listed });
  const { missing, next, now: at } = download;
  const contents = { ...listed, missing, next: next === null ? null : nextUrl(next) };
  yield { path: 'index.html', at, body: encodePieces([renderContentsPage(contents, words.contents)]) };
}

/** Yields all files except the conversations. */
async function* streamAccountFiles(download: Download, listed: ArchiveIndex): AsyncGenerator<ArchiveFile> {
  const { account, now: at } = download;
  const { personas, ...rest } = account;
  listed.files.push({ path: 'account.json', kind: 'account' });
  yield { path: 'account.json', at, body: encodeJson(rest) };
  listed.files.push({ path: 'personas.json', kind: 'personas' });
  yield { path: 'personas.json', at, body: encodeJson(personas) };
  listed.files.push({ path: 'points.json', kind: 'points' });
  yield { path: 'points.json', at, body: encodePieces(streamPointsJson(download, 'points.json')) };
  const names = new ArchiveNames();
  const characterPictures = new Set<string>();
  const about: unknown[] = [];
  const originals: OriginalCard[] = [];
  for await (const character of iterateCharacters(download)) {
    const source = toCardSource(character, download);
    const name = names.getUniqueName([character.name], 'character');
    for (const [ending, card] of [
      ['v2', toCardV2(source)],
      ['v3', toCardV3(source)],
    ] as const) {
      const path = `characters/${name}.${ending}.json`;
      listed.files.push({ path, kind: 'characters' });
      yield { path, at: character.updatedAt, body: encodeJson(card) };
    }
    const versions = await listEarlierVersions(character, download);
    if (versions.length > 0) {
      const path = `characters/${name}.versions.json`;
      listed.files.push({ path, kind: 'characters' });
      yield { path, at: character.updatedAt, body: encodeJson(versions) };
    }
    if (character.originalKey !== null) {
      originals.push({
        path: `characters/${name}.original.json`,
        key: character.originalKey,
        at: character.createdAt,
      });
    }
    characterPictures.add(character.avatarKey);
    about.push({ id: character.id, name: character.name, ...toCharacterMetadata(character) });
  }
  if (about.length > 0) {
    listed.files.push({ path: 'characters.json', kind: 'characters' });
    yield { path: 'characters.json', at, body: encodeJson(about) };
  }
  originals.push(...(await listUnusedCardFiles(download)));
  yield* streamOriginalFiles(download, originals, listed);
  for (const [index, key] of listPictureKeys(download, characterPictures).entries()) {
    const path = `pictures/${key}`;
    if (index >= DOWNLOADS.maxPictures) {
      download.missing.push({ path, begun: false });
      continue;
    }
    const body = await openMediaFile(download, key, path);
    if (body === null) continue;
    listed.files.push({ path, kind: 'pictures' });
    yield { path, at, isCompressed: true, body };
  }
}

/** An imported card, as a file of the archive. */
interface OriginalCard {
  path: string;
  key: string;
  at: number;
}

/** Yields the imported cards byte for byte. */
async function* streamOriginalFiles(
  download: Download,
  originals: readonly OriginalCard[],
  listed: ArchiveIndex,
): AsyncGenerator<ArchiveFile> {
  for (const [index, { path, key, at }] of originals.entries()) {
    if (index >= DOWNLOADS.maxOriginals) {
      download.missing.push({ path, begun: false });
      continue;
    }
    const body = await openMediaFile(download, key, path);
    if (body === null) continue;
    listed.files.push({ path, kind: 'characters' });
    yield { path, at, body };
  }
}

/** Yields a conversation as JSONL and HTML, and its memory. */
async function* streamConversationFiles(
  download: Download,
  chat: ExportedConversation,
  { names, words, listed }: { names: ArchiveNames; words: ArchiveLabels; listed: ArchiveIndex },
): AsyncGenerator<ArchiveFile> {
  const { now } = download;
  const { title, characterName, lastMessageAt: at, keptUntil } = chat;
  const day = new Date(at).toISOString().slice(0, 10);
  const name = `chats/${names.getUniqueName([day, characterName, title ?? ''], chat.id)}`;
  const row: ListedConversation = {
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
  const lines = await openConversation(download, chat.id, { format: 'jsonl' }, linesPath);
  if (lines !== null) {
    row.lines = linesPath;
    yield { path: linesPath, at, body: lines.text };
    if (lines.notes.length > 0) {
      row.notes = `${name}.memory.json`;
      yield { path: row.notes, at, body: encodeJson(lines.notes) };
    }
  }
  const pagePath = `${name}.html`;
  const page = await openConversation(
    download,
    chat.id,
    { format: 'html', words: words.chat, now },
    pagePath,
  );
  if (page === null) return;
  row.page = pagePath;
  const streamPage = async function* (): AsyncGenerator<Uint8Array> {
    yield* page.text;
    if (page.broken)
      yield* encodePieces([`<p class="danger">${escapeHtml(words.brokenOff)}</p>${renderPageEnd()}`]);
  };
  yield { path: pagePath, at, body: streamPage() };
}

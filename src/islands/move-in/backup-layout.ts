import { BODY_LIMITS } from '../../config/body-limits.ts';
import { CARD } from '../../features/character/limits.ts';
import type { ArchiveEntry } from './archive-file.ts';

/**
 * Sorts the files of a SillyTavern backup (https://docs.sillytavern.app, "Backup user data"): the content of
 * `data/<user>`, at the top of the archive or in folders above it. Pure.
 */

/** In the order in which they are moved in: chats refer to personas by name, and to characters by id. */
export const ITEM_KINDS = ['persona', 'character', 'chat', 'lorebook'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** Why a file is not moved in; each has a sentence in the dictionary. */
export const LEFT_REASONS = [
  'group',
  'picture',
  'settings',
  'personas_only',
  'extension',
  'copy',
  'secret',
  'unsafe',
  'twice',
  'encrypted',
  'too_large',
  'no_character',
  'in_card',
  'unlinked',
  'empty',
  'not_chosen',
  'unknown',
] as const;
export type LeftReason = (typeof LEFT_REASONS)[number];

/** The largest settings file that is read; extensions keep their data in it. */
const MAX_SETTINGS_BYTES = 32 * 1024 * 1024;

/** The largest file of each kind, in bytes: as the routes accept it. */
export const MAX_ENTRY_BYTES = {
  persona: MAX_SETTINGS_BYTES,
  character: BODY_LIMITS.card,
  chat: BODY_LIMITS.chatFile,
  lorebook: CARD.maxJsonBytes,
} as const satisfies Record<ItemKind, number>;

export interface BackupFile {
  kind: ItemKind;
  entry: ArchiveEntry;
  /** Folder of the user's data, with its slash; empty if that is the top of the archive. */
  root: string;
  /** The file's name without its extension. */
  name: string;
  /** Of a chat: its character's file. Null for other kinds. */
  character: BackupFile | null;
}

export interface Backup {
  files: BackupFile[];
  /** The settings of each user, which have the personas. */
  settings: { entry: ArchiveEntry; root: string }[];
  left: { entry: ArchiveEntry; reason: LeftReason }[];
}

/** Other archives that people may choose, each with its own sentence. */
export type OtherArchive = 'charx' | 'byaf' | 'cards' | 'unknown';

const CARD_FILE = /\.(?:png|apng|json|charx|byaf|ya?ml)$/i;
const CHAT_FILE = /\.(?:jsonl|ndjson)$/i;
const WORLD_FILE = /\.json$/i;
/** Folders between the top of the archive and the user's data: `Desktop/SillyTavern-Launcher/SillyTavern/data/default-user/`. */
const MAX_ROOT_DEPTH = 6;

const FOLDER_REASONS: Readonly<Record<string, LeftReason>> = {
  'group chats': 'group',
  groups: 'group',
  'User Avatars': 'picture',
  backgrounds: 'picture',
  thumbnails: 'picture',
  user: 'picture',
  assets: 'picture',
  themes: 'settings',
  movingUI: 'settings',
  instruct: 'settings',
  context: 'settings',
  sysprompt: 'settings',
  reasoning: 'settings',
  QuickReplies: 'settings',
  'NovelAI Settings': 'settings',
  'KoboldAI Settings': 'settings',
  'OpenAI Settings': 'settings',
  'TextGen Settings': 'settings',
  extensions: 'extension',
  vectors: 'extension',
  backups: 'copy',
};

const removeExtension = (name: string): string => name.replace(/\.[^.]{1,10}$/, '');

/** Whether the path below a root names data of SillyTavern. */
function isData(parts: readonly string[]): boolean {
  const [folder = '', ...rest] = parts;
  const [file = '', inside = ''] = rest;
  if (folder === 'chats') return rest.length === 2 && CHAT_FILE.test(inside);
  if (rest.length !== 1) return false;
  return folder === 'worlds' ? WORLD_FILE.test(file) : folder === 'characters' && CARD_FILE.test(file);
}

/** Returns the folders of users' data: the ones nearest to the top of the archive. */
function findRoots(entries: readonly ArchiveEntry[]): string[] {
  for (let depth = 0; depth <= MAX_ROOT_DEPTH; depth += 1) {
    const roots = new Set<string>();
    for (const { name, unsafe } of entries) {
      const parts = name.split('/');
      if (unsafe === null && isData(parts.slice(depth)))
        roots.add(
          parts
            .slice(0, depth)
            .map((part) => `${part}/`)
            .join(''),
        );
    }
    if (roots.size > 0) return [...roots];
  }
  return [];
}

/** Why an entry is not moved in; null if it may be. @param parts its path below the root; none for one outside */
function findLeftReason(entry: ArchiveEntry, parts: readonly string[]): LeftReason | null {
  const [folder = '', ...rest] = parts;
  if (entry.unsafe !== null) return entry.unsafe === 'name' ? 'unsafe' : 'twice';
  if (rest.length === 0) {
    if (folder === 'secrets.json') return 'secret';
    return folder === 'settings.json' ? null : 'unknown';
  }
  const known = Object.hasOwn(FOLDER_REASONS, folder) ? FOLDER_REASONS[folder] : undefined;
  if (known !== undefined) return known;
  // SillyTavern keeps the expressions of a character in a folder next to its card.
  if (folder === 'characters' && rest.length > 1) return 'picture';
  return isData(parts) ? null : 'unknown';
}

function getKind(folder: string): ItemKind {
  if (folder === 'chats') return 'chat';
  return folder === 'worlds' ? 'lorebook' : 'character';
}

/** Sorts the entries of an archive, or says what it is instead of a backup of SillyTavern. */
export function readBackupLayout(
  entries: readonly ArchiveEntry[],
): { ok: true; backup: Backup } | { ok: false; code: OtherArchive } {
  const other = detectArchiveKind(entries);
  const roots = other === 'charx' || other === 'byaf' ? [] : findRoots(entries);
  if (roots.length === 0) return { ok: false, code: other };
  const backup: Backup = { files: [], settings: [], left: [] };
  for (const entry of entries) {
    const root = roots.find((one) => entry.name.startsWith(one));
    const parts = root === undefined ? [] : entry.name.slice(root.length).split('/');
    const kind = getKind(parts[0] ?? '');
    const isSettings = parts.length === 1 && parts[0] === 'settings.json';
    const maxBytes = isSettings ? MAX_ENTRY_BYTES.persona : MAX_ENTRY_BYTES[kind];
    const isTooLarge = entry.size > maxBytes;
    const reason =
      findLeftReason(entry, parts) ?? (entry.isEncrypted ? 'encrypted' : isTooLarge ? 'too_large' : null);
    if (reason !== null || root === undefined) backup.left.push({ entry, reason: reason ?? 'unknown' });
    else if (isSettings) backup.settings.push({ entry, root });
    else {
      const name = removeExtension(parts.at(-1) ?? '');
      backup.files.push({ kind, entry, root, name, character: null });
    }
  }
  return { ok: true, backup: { ...backup, ...linkChats(backup) } };
}

/** Links each chat with its character: SillyTavern names the folder of its chats after the character's file. */
function linkChats({ files, left }: Backup): Pick<Backup, 'files' | 'left'> {
  const characters = new Map(
    files.filter(({ kind }) => kind === 'character').map((file) => [file.root + file.name, file]),
  );
  const linked: BackupFile[] = [];
  const others = [...left];
  for (const file of files) {
    const folder = file.entry.name.slice(file.root.length).split('/')[1] ?? '';
    const character = file.kind === 'chat' ? characters.get(file.root + folder) : undefined;
    if (file.kind !== 'chat') linked.push(file);
    else if (character !== undefined) linked.push({ ...file, character });
    else others.push({ entry: file.entry, reason: 'no_character' });
  }
  return { files: linked, left: others };
}

/** Says what an archive is that is no backup of SillyTavern. */
function detectArchiveKind(entries: readonly ArchiveEntry[]): OtherArchive {
  const names = entries.map(({ name }) => name);
  if (names.includes('card.json')) return 'charx';
  if (names.includes('manifest.json') && names.some((name) => name.startsWith('characters/'))) return 'byaf';
  const files = names.filter((name) => !name.startsWith('__MACOSX/') && !name.endsWith('.DS_Store'));
  return files.length > 0 && files.every((name) => CARD_FILE.test(name)) ? 'cards' : 'unknown';
}

/** Files that are no ZIP archive, each with its own sentence. */
export type OtherFile = 'card' | 'chat' | 'risu' | 'archive' | 'no_zip';

const readAscii = (head: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...head.subarray(at, at + length));

/** RisuAI's backup has the length of a name, the name, the length of the data, and the data of each file. */
function isRisuBackup(head: Uint8Array): boolean {
  const [low = 0, high = 0, ...zeros] = head.subarray(0, 4);
  const length = low + 256 * high;
  return zeros.every((byte) => byte === 0) && /\.(?:png|risudat)$/.test(readAscii(head, 4, length));
}

/** The bytes from the start of a file that `detectFileKind` needs: RisuAI names its files by a hash. */
export const HEAD_BYTES = 512;

/**
 * Says what a file is that is no ZIP archive; null if it may be one.
 * @param head its first `HEAD_BYTES`
 */
export function detectFileKind(name: string, head: Uint8Array): OtherFile | null {
  const magic = readAscii(head, 0, 4);
  if (magic === 'PK\u0003\u0004' || magic === 'PK\u0005\u0006') return null;
  if (/\.jsonl$/i.test(name)) return 'chat';
  if (magic === '\u0089PNG' || /\.(?:json|ya?ml)$/i.test(name)) return 'card';
  if (isRisuBackup(head)) return 'risu';
  if (/\.(?:rar|7z|tar|gz|tgz|xz|zst)$/i.test(name)) return 'archive';
  return 'no_zip';
}

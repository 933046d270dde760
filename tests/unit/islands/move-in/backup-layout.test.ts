import { describe, expect, test } from 'vitest';
import type { ArchiveEntry } from '../../../../src/islands/move-in/archive-file.ts';
import { detectFileKind, readBackupLayout } from '../../../../src/islands/move-in/backup-layout.ts';
import { readPersonas } from '../../../../src/islands/move-in/backup-personas.ts';
import { readLinkedWorld } from '../../../../src/islands/move-in/card-world.ts';
import { buildTavernCard, buildTavernSettings } from '../../../support/backups.ts';

const entry = (name: string, part: Partial<ArchiveEntry> = {}): ArchiveEntry => ({
  ...{ name, index: 0, isEncrypted: false, method: 8, sum: 0, packed: 10, size: 10, at: 0, unsafe: null },
  ...part,
});

const FILES = [
  'characters/Mira.png',
  'characters/Mira/joy.png',
  'chats/Mira/2026-1-2.jsonl',
  'chats/Missing/2026-1-2.jsonl',
  'group chats/1.jsonl',
  'groups/1.json',
  'worlds/Coast.json',
  'User Avatars/me.png',
  'backgrounds/sea.jpg',
  'themes/Dark.json',
  'OpenAI Settings/Default.json',
  'extensions/some/manifest.json',
  'backups/chat_mira.jsonl',
  'settings.json',
  'secrets.json',
  'stats.json',
];

/** What becomes of each file of an archive with these entries. */
function sort(entries: ArchiveEntry[]): Record<string, string> | string {
  const layout = readBackupLayout(entries);
  if (!layout.ok) return layout.code;
  const { files, settings, left } = layout.backup;
  return Object.fromEntries([
    ...files.map((file) => [file.entry.name, file.kind]),
    ...settings.map((file) => [file.entry.name, 'settings']),
    ...left.map((file) => [file.entry.name, `left: ${file.reason}`]),
  ]);
}

describe('Files of a SillyTavern backup', () => {
  test.each([
    '',
    'default-user/',
    'data/default-user/',
    'SillyTavern/data/default-user/',
    'me/Desktop/SillyTavern-Launcher/SillyTavern/data/default-user/',
  ])('the user’s data is found in the folder “%s”', (root) => {
    const sorted = sort([...FILES.map((name) => entry(root + name)), entry('__MACOSX/._x')]);
    const expected = {
      'characters/Mira.png': 'character',
      'characters/Mira/joy.png': 'left: picture',
      'chats/Mira/2026-1-2.jsonl': 'chat',
      'chats/Missing/2026-1-2.jsonl': 'left: no_character',
      'group chats/1.jsonl': 'left: group',
      'groups/1.json': 'left: group',
      'worlds/Coast.json': 'lorebook',
      'User Avatars/me.png': 'left: picture',
      'backgrounds/sea.jpg': 'left: picture',
      'themes/Dark.json': 'left: settings',
      'OpenAI Settings/Default.json': 'left: settings',
      'extensions/some/manifest.json': 'left: extension',
      'backups/chat_mira.jsonl': 'left: copy',
      'settings.json': 'settings',
      'secrets.json': 'left: secret',
      'stats.json': 'left: unknown',
    };
    expect(sorted).toEqual({
      ...Object.fromEntries(Object.entries(expected).map(([name, said]) => [root + name, said])),
      '__MACOSX/._x': 'left: unknown',
    });
  });

  test('a chat belongs to the character whose file its folder is named after, of the same user', () => {
    const layout = readBackupLayout(
      ['data/a/characters/Mira.png', 'data/b/characters/Mira.png', 'data/b/chats/Mira/1.jsonl'].map((name) =>
        entry(name),
      ),
    );
    const chat = layout.ok ? layout.backup.files.find(({ kind }) => kind === 'chat') : undefined;
    expect(chat?.character?.entry.name).toBe('data/b/characters/Mira.png');
  });

  test('files that cannot or must not be read are left out with their reason', () => {
    expect(
      sort([
        entry('characters/a.png'),
        entry('characters/a.png', { unsafe: 'twice' }),
        entry('../characters/b.png', { unsafe: 'name' }),
      ]),
    ).toMatchObject({ 'characters/a.png': 'left: twice', '../characters/b.png': 'left: unsafe' });
    expect(
      sort([
        entry('characters/a.png', { isEncrypted: true }),
        entry('worlds/b.json', { size: 5 * 1024 ** 2 }),
      ]),
    ).toEqual({ 'characters/a.png': 'left: encrypted', 'worlds/b.json': 'left: too_large' });
  });

  test.each([
    ['a CharX', ['card.json', 'assets/icon/main.png'], 'charx'],
    ['a BYAF', ['manifest.json', 'characters/a/character.json', 'scenarios/b.json'], 'byaf'],
    ['a collection of cards', ['Mira.png', 'Kai.json'], 'cards'],
    ['an archive of something else', ['readme.txt', 'src/main.js'], 'unknown'],
    ['an empty archive', [], 'unknown'],
  ])('%s is no backup', (_, names, code) => {
    expect(sort(names.map((name) => entry(name)))).toBe(code);
  });
});

describe('Files that are no archive', () => {
  const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  test.each([
    ['a ZIP archive', 'backup.zip', 'PK\u0003\u0004', null],
    ['a card', 'Mira.png', '\u0089PNG\r\n', 'card'],
    ['a card in JSON', 'Mira.json', '{"name"', 'card'],
    ['a chat', 'chat.jsonl', '{"user_name"', 'chat'],
    ['a RisuAI backup', 'risu-backup.bin', '\u0008\0\0\0abcd.png\u0010', 'risu'],
    ['a RisuAI backup without pictures', 'x.bin', '\u0010\0\0\0database.risudat', 'risu'],
    ['another archive', 'backup.7z', '7z\u00bc\u00af', 'archive'],
    ['any other file', 'notes.txt', 'Hello', 'no_zip'],
    ['an empty file', 'empty', '', 'no_zip'],
  ])('%s is recognised', (_, name, head, kind) => {
    expect(detectFileKind(name, bytes(head))).toBe(kind);
  });
});

describe('Personas of a settings file', () => {
  test('each persona has its name and the description that its picture leads to', () => {
    const settings = buildTavernSettings({ 'a.png': ['Wren', ' Maps coasts. '], 'b.png': ['Kai', ''] });
    expect(readPersonas(JSON.stringify(settings))).toEqual([
      { avatar: 'a.png', name: 'Wren', description: 'Maps coasts.' },
      { avatar: 'b.png', name: 'Kai', description: '' },
    ]);
  });

  test.each([
    ['{', null],
    ['null', []],
    ['{"power_user":{"personas":["a"],"persona_descriptions":3}}', []],
    [
      '{"power_user":{"personas":{"__proto__":4,"a.png":"A"}}}',
      [
        { avatar: '__proto__', name: '', description: '' },
        { avatar: 'a.png', name: 'A', description: '' },
      ],
    ],
  ])('settings of another form are read without an error: %s', (json, personas) => {
    expect(readPersonas(json)).toEqual(personas);
  });
});

describe('Linked lorebook of a card', () => {
  const card = { data: { name: 'Mira', extensions: { world: 'Coast' } } };
  test.each([
    ['a picture', buildTavernCard(card.data), 'Coast'],
    ['JSON', new TextEncoder().encode(JSON.stringify(card)), 'Coast'],
    ['a card without one', buildTavernCard({ name: 'Mira' }), null],
    ['a file that is no card', new TextEncoder().encode('null'), null],
    ['damaged JSON', new TextEncoder().encode('{'), null],
  ])('the name is read from %s', (_, file, name) => {
    expect(readLinkedWorld(file)).toBe(name);
  });
});

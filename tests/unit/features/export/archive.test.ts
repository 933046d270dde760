import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { ArchiveNames } from '../../../../src/features/export/archive-names.ts';
import { streamWholeLines } from '../../../../src/features/export/stream-whole-lines.ts';
import { type ArchiveFile, streamZip } from '../../../../src/features/export/zip.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const AT = Date.UTC(2026, 2, 10, 12, 0, 30);

async function* toStream<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

async function archive(...files: ArchiveFile[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of streamZip(toStream(...files))) parts.push(part);
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

describe('Export archive', () => {
  test('an archive returns its files unchanged, with names in any script', async () => {
    const long = 'A line that comes again and again.\n'.repeat(50_000);
    const picture = crypto.getRandomValues(new Uint8Array(50_000));
    const zip = await archive(
      { path: 'chats/灯台 – Мира.html', at: AT, body: toStream(bytes('<p>'), bytes('א'), bytes(long)) },
      {
        path: 'pictures/a.webp',
        at: AT,
        isCompressed: true,
        body: toStream(picture.subarray(0, 9), picture.subarray(9)),
      },
      { path: 'empty.json', at: AT, body: toStream() },
    );
    const files = unzipSync(zip);
    expect(Object.keys(files)).toEqual(['chats/灯台 – Мира.html', 'pictures/a.webp', 'empty.json']);
    expect(strFromU8(files['chats/灯台 – Мира.html'] as Uint8Array)).toBe(`<p>א${long}`);
    expect(files['pictures/a.webp']).toEqual(picture);
    expect(files['empty.json']).toHaveLength(0);
    expect(zip.length).toBeLessThan(200_000);
  });

  test('an archive can store any time, including those outside the range of the ZIP format', async () => {
    for (const at of [0, -1e12, AT, 8.64e15])
      expect(Object.keys(unzipSync(await archive({ path: 'a', at, body: toStream(bytes('a')) })))).toEqual([
        'a',
      ]);
  });

  test('an archive reads its sources only as fast as it is consumed', async () => {
    let read = 0;
    const body = (async function* () {
      for (; read < 1000; read += 1) yield crypto.getRandomValues(new Uint8Array(64_000));
    })();
    const pieces = streamZip(toStream({ path: 'a', at: AT, body }));
    for (let taken = 0; taken < 5; taken += 1) await pieces.next();
    expect(read).toBeLessThan(20);
    await pieces.return(undefined);
    expect((await body.next()).done).toBe(true);
  });

  test('an archive fails when one of its files fails', async () => {
    const body = (async function* () {
      yield bytes('a');
      throw new Error('gone');
    })();
    await expect(archive({ path: 'a', at: AT, body })).rejects.toThrow('gone');
  });
});

describe('Archive file names', () => {
  test('file names are unique even on systems that ignore case or normalize letters', () => {
    const names = new ArchiveNames();
    const given = ['Mira', 'mira', 'MIRA', 'Mira (2)', 'É', 'E\u0301', 'straße', 'STRASSE', '\uFF21', 'a'];
    const unique = given.map((name) => names.getUniqueName([name], 'x'));
    expect(unique.slice(0, 4)).toEqual(['Mira', 'mira (2)', 'MIRA (3)', 'Mira (2) (2)']);
    expect(new Set(unique.map((name) => name.normalize('NFKC').toUpperCase())).size).toBe(given.length);
  });

  test.each([
    ['../../etc/passwd', '_.._etc_passwd'],
    ['C:\\x', 'C__x'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['Concord', 'Concord'],
    ['a\u202Egpj.exe', 'a gpj.exe'],
    ['. . .', 'x'],
    ['', 'x'],
    ['a\u0000\n b', 'a b'],
    ['50% off?', '50_ off_'],
    ['\uD800', '\uFFFD'],
    ['ends. ', 'ends'],
  ])('the file name %j is made safe for every system', (given, made) => {
    expect(new ArchiveNames().getUniqueName([given], 'x')).toBe(made);
  });

  test.each(['灯'.repeat(200), '🎭'.repeat(100), 'é'.repeat(300), 'हिन्दी '.repeat(50)])(
    'a long file name is cut at a letter to the length that every system accepts: %s',
    (given) => {
      const name = new ArchiveNames().getUniqueName([given], 'x');
      expect(bytes(name).length).toBeLessThanOrEqual(120);
      expect(name.length).toBeGreaterThan(20);
      expect(name.isWellFormed()).toBe(true);
      expect(given.startsWith(name)).toBe(true);
    },
  );
});

describe('Line-based streams', () => {
  const broken = (...parts: string[]) =>
    (async function* () {
      for (const part of parts) yield bytes(part);
      throw new Error('gone');
    })();
  const readLines = async (source: AsyncIterable<Uint8Array>) => {
    let text = '';
    let errors = 0;
    for await (const part of streamWholeLines(source, () => (errors += 1))) text += strFromU8(part);
    return { text, errors };
  };

  test('a stream that fails ends with its last complete line', async () => {
    expect(await readLines(broken('one\ntw', 'o\nthr', 'ee'))).toEqual({ text: 'one\ntwo\n', errors: 1 });
    expect(await readLines(broken('on'))).toEqual({ text: '', errors: 1 });
  });

  test('a stream that ends normally keeps its last line without a line break', async () => {
    expect(await readLines(toStream(bytes('one\ntw'), bytes('o')))).toEqual({ text: 'one\ntwo', errors: 0 });
  });
});

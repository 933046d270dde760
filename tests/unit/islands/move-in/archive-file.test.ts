// Archives as zip libraries and attackers make them, read from a file by its offsets.
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test, vi } from 'vitest';
import {
  ARCHIVE_LIMITS,
  openArchive,
  readArchiveEntry,
  type SlicedFile,
} from '../../../../src/islands/move-in/archive-file.ts';
import { buildZip } from '../../../support/card-files.ts';

const MAX_BYTES = 100_000;

const toFile = (bytes: Uint8Array<ArrayBuffer>, name = 'backup.zip') => new File([bytes], name);
const zip = (files: Parameters<typeof zipSync>[0]) => toFile(zipSync(files) as Uint8Array<ArrayBuffer>);

/** The names and texts of an archive; the code if it is refused. */
async function readTexts(file: SlicedFile, maxBytes = MAX_BYTES): Promise<Record<string, string> | string> {
  const opened = await openArchive(file);
  if (!opened.ok) return opened.code;
  const texts: [string, string][] = [];
  for (const entry of opened.entries) {
    const content = await readArchiveEntry(file, entry, maxBytes);
    texts.push([entry.name, content.ok ? new TextDecoder().decode(content.bytes) : content.code]);
  }
  return Object.fromEntries(texts);
}

describe('Archive of a chosen file', () => {
  test('every file of an archive is read as it was packed, stored or compressed', async () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .map((text) => `f ${text.replaceAll(/[/\\.\p{Cc}]/gu, '_')}`);
    const file = fc.tuple(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.constantFrom(0, 6, 9));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(name, file, { maxKeys: 6 }), async (files) => {
        const packed = Object.fromEntries(
          Object.entries(files).map(([path, [text, level]]) => [path, [strToU8(text), { level }]] as const),
        );
        expect(await readTexts(zip(packed as Parameters<typeof zipSync>[0]))).toEqual(
          Object.fromEntries(
            Object.entries(files).map(([path, [text]]) => [path, new TextDecoder().decode(strToU8(text))]),
          ),
        );
      }),
    );
  });

  test('arbitrary bytes are refused, and never throw', async () => {
    const bytes = fc.uint8Array({ maxLength: 400 });
    const tampered = fc.tuple(fc.nat(), fc.nat({ max: 255 })).map(([at, byte]) => {
      const packed = zipSync({ a: strToU8('text'), 'b/c': strToU8('other text') });
      packed[at % packed.length] = byte;
      return packed;
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(bytes, tampered), async (content) => {
        const texts = await readTexts(toFile(content as Uint8Array<ArrayBuffer>));
        expect(['string', 'object']).toContain(typeof texts);
      }),
    );
  });

  test('Zip64 archives are read', async () => {
    const zip64 = ['size', 'packed', 'offset'] as const;
    const bytes = buildZip([{ name: 'a', body: 'text', zip64 }], undefined, true);
    expect(await readTexts(toFile(bytes))).toEqual({ a: 'text' });
  });

  test('only the directory and the wanted entry are read', async () => {
    const noise = crypto.getRandomValues(new Uint8Array(60_000));
    const file = zip({ first: [noise, { level: 0 }], second: strToU8('text'), third: [noise, { level: 0 }] });
    const slice = vi.spyOn(file, 'slice');
    const opened = await openArchive(file);
    if (!opened.ok) throw new Error(opened.code);
    slice.mockClear();
    const [, second] = opened.entries;
    if (second === undefined) throw new Error('There is no second entry');
    expect(await readArchiveEntry(file, second, MAX_BYTES)).toEqual({ ok: true, bytes: strToU8('text') });
    expect(slice.mock.calls.every(([from]) => (from ?? 0) >= second.at)).toBe(true);
  });

  test('the fingerprint differs when the name, the size or the directory does', async () => {
    const fingerprint = async (file: SlicedFile) => {
      const opened = await openArchive(file);
      return opened.ok ? opened.fingerprint : opened.code;
    };
    const bytes = zipSync({ a: strToU8('text') }) as Uint8Array<ArrayBuffer>;
    const other = zipSync({ a: strToU8('tent') }) as Uint8Array<ArrayBuffer>;
    expect(await fingerprint(toFile(bytes))).toBe(await fingerprint(toFile(bytes.slice())));
    const all = [toFile(bytes), toFile(bytes, 'other.zip'), toFile(other)].map(fingerprint);
    expect(new Set(await Promise.all(all)).size).toBe(3);
  });

  test.each([
    ['leads out of the archive', '../evil', 'name'],
    ['is absolute', '/etc/passwd', 'name'],
    ['has a drive letter', 'C:\\evil', 'name'],
    ['has control characters', 'a\u0007b', 'name'],
  ])('an entry whose name %s is marked and the others are usable', async (_, name, unsafe) => {
    const opened = await openArchive(zip({ [name]: strToU8('x'), fine: strToU8('y') }));
    expect(opened.ok && opened.entries.map((entry) => entry.unsafe)).toEqual([unsafe, null]);
  });

  test('of two entries with the same name, the second is marked', async () => {
    const bytes = buildZip([
      { name: 'a', body: 'one' },
      { name: 'a', body: 'two' },
    ]);
    const opened = await openArchive(toFile(bytes));
    expect(opened.ok && opened.entries.map(({ unsafe }) => unsafe)).toEqual([null, 'twice']);
  });

  test('an archive whose entries share their data is refused', async () => {
    const bytes = zipSync({ a: strToU8('same'), b: strToU8('same') }) as Uint8Array<ArrayBuffer>;
    const view = new DataView(bytes.buffer);
    // Point the second entry of the directory to the data of the first.
    const second = Buffer.from(bytes).lastIndexOf(Buffer.from('PK\u0001\u0002', 'latin1'));
    view.setUint32(second + 42, 0, true);
    expect(await readTexts(toFile(bytes))).toBe('unsafe');
  });

  test('an entry that unpacks to more than a file may have is not unpacked', async () => {
    const bomb = zip({ bomb: strToU8('0'.repeat(500_000)), fine: strToU8('y') });
    expect(await readTexts(bomb)).toEqual({ bomb: 'too_large', fine: 'y' });
    // It would be small enough, but no honest file compresses like this.
    expect(await readTexts(bomb, 1_000_000)).toEqual({ bomb: 'too_large', fine: 'y' });
  });

  test('an entry that has more data than it states is damaged', async () => {
    const lies = buildZip([{ name: 'a', body: 'x'.repeat(5000), lies: { size: 10 } }]);
    expect(await readTexts(toFile(lies))).toEqual({ a: 'damaged' });
  });

  test('an archive above the limits is refused by its directory alone', async () => {
    const huge = { name: 'a.zip', size: ARCHIVE_LIMITS.maxBytes + 1, slice: vi.fn() };
    expect(await openArchive(huge)).toEqual({ ok: false, code: 'too_large' });
    expect(huge.slice).not.toHaveBeenCalled();
    const many = buildZip([{ name: 'a', body: 'x' }], undefined, true);
    const countAt = Buffer.from(many).lastIndexOf(Buffer.from('PK\u0006\u0006', 'latin1')) + 24;
    const view = new DataView(many.buffer);
    for (const at of [countAt, countAt + 8]) view.setBigUint64(at, 1_000_000n, true);
    expect(await readTexts(toFile(many))).toBe('too_many');
  });

  test('a file that the browser can no longer read is reported as such', async () => {
    const gone: SlicedFile = {
      name: 'a.zip',
      size: 100,
      slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) }),
    };
    expect(await openArchive(gone)).toEqual({ ok: false, code: 'unreadable' });
  });
});

// Archives as zip libraries write them: with Zip64 fields in any combination, and with wrong ones.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readArchive, unpackEntry } from '../../../../src/features/cards/archive.ts';
import { readCardFile } from '../../../../src/features/cards/card-file.ts';
import { ChunkedBytes } from '../../../../src/features/cards/chunked-bytes.ts';
import { buildZip, type Bytes, encodeText, V3 } from '../../../support/card-files.ts';
import { PICTURES } from '../../../support/pictures.ts';

const MAX_BYTES = 1024;

/** The names and texts of an archive's files; the error's code if it is refused. */
function readTexts(bytes: Uint8Array): Record<string, string> | string {
  const file = new ChunkedBytes([bytes]);
  const archive = readArchive(file);
  if (!archive.ok) return archive.code;
  const texts = [...archive.entries.values()].map((entry) => {
    const out = unpackEntry(file, entry, MAX_BYTES);
    return [entry.name, out.ok ? new TextDecoder().decode(out.bytes) : out.code];
  });
  return Object.fromEntries(texts);
}

/** Replaces the last occurrence of bytes. */
function replaceLast(bytes: Uint8Array, from: string, to: string): Bytes {
  const copy = bytes.slice();
  const at = Buffer.from(bytes).lastIndexOf(Buffer.from(from, 'latin1'));
  if (at === -1) throw new Error('The bytes are not in the archive');
  copy.set(Buffer.from(to, 'latin1'), at);
  return copy;
}

describe('Zip64 archives', () => {
  test('an archive has the same files whichever numbers are in Zip64 fields', () => {
    const entry = fc.record({
      body: fc.string({ maxLength: 50 }),
      packed: fc.boolean(),
      zip64: fc.subarray(['size', 'packed', 'offset'] as const),
    });
    const before = fc.constantFrom(new Uint8Array(0), PICTURES.jpg);
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 5 }), before, fc.boolean(), (entries, start, hasEnd) => {
        const files = entries.map((file, index) => ({ ...file, name: `file ${index}` }));
        expect(readTexts(buildZip(files, start, hasEnd))).toEqual(
          Object.fromEntries(files.map(({ name, body }) => [name, body])),
        );
      }),
    );
  });

  const zip64 = ['size', 'packed', 'offset'] as const;
  const archive = buildZip([{ name: 'a', body: 'text', packed: false, zip64 }]);
  const FIELD = '\u0001\0\u0018\0\u0004\0\0\0\0\0\0\0';
  const withEnd = buildZip([{ name: 'a', body: 'text', packed: false }], undefined, true);

  test.each([
    ['field is missing', replaceLast(archive, FIELD, `\u0002${FIELD.slice(1)}`)],
    ['field is too short for its numbers', replaceLast(archive, FIELD, '\u0001\0\u0008\0')],
    ['field exceeds its entry', replaceLast(archive, FIELD, '\u0001\0\u00ff\u00ff')],
    ['end record is cut', replaceLast(withEnd, 'PK\u0006\u0006', 'PK\u0006\u0005')],
    ['end record has another length', replaceLast(withEnd, '\u002c\0\0\0\0\0\0\0', '\u002d')],
    [
      'directory starts before the file',
      replaceLast(withEnd, '\u0023\0\0\0\0\0\0\0', '\u0023\0\0\0\0\u0001'),
    ],
  ])('an archive is damaged when its Zip64 %s', (_, bytes) => {
    expect(readTexts(bytes)).toBe('card_damaged');
  });

  test('sizes above the limits are refused before anything is unpacked', () => {
    const huge = replaceLast(archive, FIELD, '\u0001\0\u0018\0\0\0\0\0\u0001\0\0\0');
    expect(readTexts(huge)).toEqual({ a: 'card_too_large' });
    const far = replaceLast(archive, `${FIELD}\u0004\0\0\0`, `${FIELD}\u0004\0\0\0\0\0\0\0\0\0\0\0\0\u0001`);
    expect(readTexts(far)).toEqual({ a: 'card_damaged' });
  });

  test('an archive with wrong bytes is read or refused', () => {
    const card = buildZip([{ name: 'card.json', body: JSON.stringify(V3), zip64 }], undefined, true);
    const changes = fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.nat(255)), { maxLength: 5 });
    fc.assert(
      fc.property(changes, (changed) => {
        const bytes = card.slice();
        for (const [fromEnd, value] of changed) bytes[bytes.length - fromEnd] = value;
        const read = readCardFile(new ChunkedBytes([bytes]));
        if (read.ok) expect(read.card.data).toEqual(V3.data);
        else expect(read.code).toMatch(/^card_/);
      }),
      { numRuns: 500 },
    );
  });

  test('the name of an archive’s file cannot lead out of it', () => {
    expect(readTexts(buildZip([{ name: '../a', body: encodeText(''), zip64 }]))).toBe('card_archive_unsafe');
  });
});

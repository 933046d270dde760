// Over 400 lines: five formats that are asked the same questions, over one set of pictures.
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { PICTURE } from '../../../../src/features/picture/limits.ts';
import {
  sanitizePicture,
  type PictureKind,
  computePictureKey,
} from '../../../../src/features/picture/picture.ts';

const KINDS: PictureKind[] = ['png', 'jpg', 'webp', 'gif', 'avif'];
const SECRET_TEXT = 'Lighthouse Road 7';
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>${SECRET_TEXT}</rdf:RDF></x:xmpmeta>`;

/** A picture with many colours, half transparent where the format allows it. */
function drawPicture(width = 24, height = 16): Sharp {
  const pixels = Buffer.from(
    Array.from({ length: width * height * 4 }, (_, at) => (at * 37 + (at >> 5) * 11) % 256),
  );
  return sharp(pixels, { raw: { width, height, channels: 4 } });
}

const withMetadata = (picture: Sharp, orientation = 1): Sharp =>
  picture
    .withExif({
      IFD0: { Copyright: SECRET_TEXT },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '51/1 30/1 0/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '0/1 7/1 0/1',
      },
    })
    .withXmp(XMP)
    .withMetadata({ orientation })
    .withIccProfile('p3');

async function createPicture(kind: PictureKind, orientation?: number): Promise<Uint8Array> {
  const picture = kind === 'gif' ? drawPicture() : withMetadata(drawPicture(), orientation);
  const format = kind === 'jpg' ? 'jpeg' : kind;
  // AVIF with the least effort, because these tests do not check its quality.
  return new Uint8Array(await picture.toFormat(format, kind === 'avif' ? { effort: 0 } : {}).toBuffer());
}

const readPixels = async (bytes: Uint8Array): Promise<string> =>
  (await sharp(bytes, { animated: true }).raw().toBuffer()).toString('base64');

function cleanPicture(bytes: Uint8Array, kind: PictureKind): Uint8Array {
  const result = sanitizePicture(bytes);
  expect(result).toMatchObject({ ok: true, kind });
  return (result as { bytes: Uint8Array }).bytes;
}

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const toBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const glued = (...parts: (Uint8Array | string)[]): Uint8Array =>
  new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === 'string' ? toBytes(part) : part))));
const u32 = (value: number, little = false): string => {
  const bytes = Buffer.alloc(4);
  if (little) bytes.writeUInt32LE(value);
  else bytes.writeUInt32BE(value);
  return bytes.toString('latin1');
};

/** Texts that reveal metadata in a picture: names of blocks, and words in them. */
const METADATA_TEXTS = [
  SECRET_TEXT,
  'xmpmeta',
  'GPS',
  'tEXt',
  'iTXt',
  'zTXt',
  'tIME',
  'eXIf',
  'XMP ',
  'EXIF',
  'XMP Data',
  'http://ns.adobe.com',
];

const pictures = {} as Record<PictureKind, Uint8Array>;
beforeAll(async () => {
  for (const kind of KINDS) pictures[kind] = await createPicture(kind);
});

describe('Uploaded picture', () => {
  test.each(KINDS)('a picture keeps its pixels and colours and loses its metadata: %s', async (kind) => {
    const before = await sharp(pictures[kind]).metadata();
    if (kind !== 'gif') {
      expect(before).toMatchObject({ exif: expect.anything(), xmp: expect.anything() });
      expect(latin(pictures[kind])).toContain(SECRET_TEXT);
    }
    const clean = cleanPicture(pictures[kind], kind);
    const after = await sharp(clean).metadata();
    expect(after).toMatchObject({ width: 24, height: 16, format: before.format });
    expect([after.exif, after.xmp, after.iptc, after.comments]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(after.icc).toEqual(before.icc);
    expect(await readPixels(clean)).toBe(await readPixels(pictures[kind]));
    for (const telltale of METADATA_TEXTS) expect(latin(clean)).not.toContain(telltale);
  });

  test('a progressive JPEG with many scans stays complete', async () => {
    const upload = new Uint8Array(
      await withMetadata(drawPicture(200, 120)).jpeg({ progressive: true, quality: 90 }).toBuffer(),
    );
    expect(await readPixels(cleanPicture(upload, 'jpg'))).toBe(await readPixels(upload));
  });

  test('a CMYK JPEG keeps its colour space', async () => {
    const upload = new Uint8Array(await drawPicture().toColourspace('cmyk').jpeg().toBuffer());
    expect(await readPixels(cleanPicture(upload, 'jpg'))).toBe(await readPixels(upload));
  });

  test.each(['jpg', 'png'] as const)(
    'a picture keeps its orientation and loses its other Exif data: %s',
    async (kind) => {
      for (let orientation = 1; orientation <= 8; orientation += 1) {
        const upload = await createPicture(kind, orientation);
        expect((await sharp(upload).metadata()).orientation).toBe(orientation);
        const clean = cleanPicture(upload, kind);
        const { orientation: actual = 1, exif } = await sharp(clean).metadata();
        expect(actual).toBe(orientation);
        // Exif with only the orientation is this short.
        expect(exif?.length ?? 0).toBeLessThan(40);
        expect(latin(clean)).not.toContain(SECRET_TEXT);
        const upright = (bytes: Uint8Array) => sharp(bytes).autoOrient().raw().toBuffer();
        expect(await upright(clean)).toEqual(await upright(upload));
      }
    },
  );

  test.each(['gif', 'webp'] as const)('an animated picture stays animated: %s', async (kind) => {
    const frames = [1, 2, 3].map((step) =>
      Buffer.from(Array.from({ length: 8 * 8 * 4 }, (_, at) => (at * step * 13) % 256)),
    );
    const upload = new Uint8Array(
      await sharp(Buffer.concat(frames), { raw: { width: 8, height: 24, channels: 4, pageHeight: 8 } })
        .toFormat(kind, { delay: [100, 200, 300], loop: 4 })
        .toBuffer(),
    );
    const clean = cleanPicture(upload, kind);
    expect(await sharp(clean, { animated: true }).metadata()).toMatchObject({
      pages: 3,
      delay: [100, 200, 300],
      loop: 4,
    });
    expect(await readPixels(clean)).toBe(await readPixels(upload));
  });

  test('an animated PNG keeps its frames and loses its texts', () => {
    const chunk = (type: string, body: string): string => u32(body.length) + type + body + '\0\0\0\0';
    const frame = (number: number): string =>
      chunk('fcTL', `${u32(number)}${u32(24)}${u32(16)}${u32(0)}${u32(0)}\0\u0001\0\u000a\0\0`);
    const { png } = pictures;
    const body = latin(png.slice(33));
    const head = glued(png.slice(0, 33), chunk('acTL', u32(2) + u32(0)), frame(0));
    const textChunk = chunk('tEXt', `Comment\0${SECRET_TEXT}`);
    const second = frame(1) + chunk('fdAT', `${u32(2)}pixels`);
    const [rest, end] = [body.slice(0, -12), body.slice(-12)];
    const clean = latin(cleanPicture(glued(head, textChunk, rest, textChunk, second, textChunk, end), 'png'));
    expect(clean).toBe(latin(cleanPicture(glued(head, rest, second, end), 'png')));
    expect(clean).toContain(second);
    expect(clean.match(/acTL|fcTL|IDAT|fdAT|IEND/g)).toEqual([
      'acTL',
      'fcTL',
      'IDAT',
      'fcTL',
      'fdAT',
      'IEND',
    ]);
  });

  test('pictures of unusual variants keep their pixels and depth', async () => {
    const deep = sharp(
      Uint16Array.from({ length: 24 * 16 * 3 }, (_, at) => (at * 771) % 65_536),
      { raw: { width: 24, height: 16, channels: 3 } },
    ).toColourspace('rgb16');
    const variants: [PictureKind, Sharp][] = [
      ['png', deep.png()],
      ['png', drawPicture().png({ progressive: true })],
      ['png', drawPicture().png({ palette: true })],
      ['png', drawPicture().greyscale().png()],
      ['jpg', drawPicture().greyscale().jpeg()],
      ['webp', drawPicture().webp({ lossless: true })],
      ['gif', drawPicture().gif({ progressive: true })],
      ['avif', drawPicture().avif({ effort: 0, bitdepth: 10 })],
    ];
    for (const [kind, picture] of variants) {
      const upload = new Uint8Array(await picture.toBuffer());
      const clean = cleanPicture(upload, kind);
      expect(await readPixels(clean)).toBe(await readPixels(upload));
      const [before, after] = [await sharp(upload).metadata(), await sharp(clean).metadata()];
      expect(after).toMatchObject({ depth: before.depth, space: before.space });
    }
  });

  test('a picture loses comments, thumbnails and unknown blocks', async () => {
    const { png, jpg, gif, webp } = pictures;
    const chunk = (type: string, body: string): string => u32(body.length) + type + body + '\0\0\0\0';
    const variants: [PictureKind, Uint8Array, Uint8Array][] = [
      [
        'png',
        png,
        glued(
          png.slice(0, 33),
          chunk('tEXt', `Comment\0${SECRET_TEXT}`),
          chunk('prVt', SECRET_TEXT),
          chunk('tIME', '\u0007'),
          png.slice(33),
        ),
      ],
      [
        'jpg',
        jpg,
        glued(
          jpg.slice(0, 2),
          `\u00ff\u00fe\0\u0013${SECRET_TEXT}`,
          `\u00ff\u00e5\0\u0013${SECRET_TEXT}`,
          jpg.slice(2),
        ),
      ],
      [
        'gif',
        gif,
        glued(
          gif.slice(0, -1),
          `!\u00fe\u0011${SECRET_TEXT}\0`,
          `!\u00ff\u000bXMP DataXMP\u0011${SECRET_TEXT}\0`,
          ';',
        ),
      ],
      ['webp', webp, glued(webp, `PRVT${u32(17, true)}${SECRET_TEXT}\0`)],
    ];
    for (const [kind, plain, upload] of variants) {
      if (kind === 'webp') new DataView(upload.buffer).setUint32(4, upload.length - 8, true);
      expect(latin(upload)).toContain(SECRET_TEXT);
      expect(latin(cleanPicture(upload, kind))).toBe(latin(cleanPicture(plain, kind)));
    }
  });

  test.each(KINDS)('a picture loses everything behind its end: %s', (kind) => {
    const clean = cleanPicture(pictures[kind], kind);
    for (const tail of [SECRET_TEXT, '<script>alert(1)</script>', latin(pictures.jpg), '\0'.repeat(5000)]) {
      expect(latin(cleanPicture(glued(pictures[kind], tail), kind))).toBe(latin(clean));
    }
  });

  test.each(KINDS)('a clean picture is not changed: %s', (kind) => {
    const clean = cleanPicture(pictures[kind], kind);
    expect(latin(cleanPicture(clean, kind))).toBe(latin(clean));
  });

  test('a file that is no picture is refused, whatever type it claims', () => {
    for (const file of [
      '',
      'x',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<?xml version="1.0"?><svg/>',
      '<!doctype html><p>Hello',
      '%PDF-1.7',
      'BM',
      'II*\0',
      'RIFF\u0010\0\0\0WAVEfmt ',
      `${u32(24)}ftypheic\0\0\0\0mif1heic`,
      `${u32(20)}ftypmp42\0\0\0\0isom`,
    ]) {
      expect(sanitizePicture(toBytes(file))).toEqual({ ok: false, reason: 'unknown' });
    }
  });

  test.each(KINDS)('a picture that is cut off anywhere is refused as damaged: %s', (kind) => {
    const clean = cleanPicture(pictures[kind], kind);
    for (let length = 16; length < clean.length; length += 1) {
      expect({ length, result: sanitizePicture(clean.slice(0, length)) }).toEqual({
        length,
        result: { ok: false, reason: 'damaged' },
      });
    }
  });

  test('a picture that claims to be huge or empty is refused', () => {
    const withSide = (kind: PictureKind, write: (view: DataView, side: number) => void, side: number) => {
      const bytes = cleanPicture(pictures[kind], kind).slice();
      write(new DataView(bytes.buffer), side);
      return sanitizePicture(bytes);
    };
    const findFrame = (view: DataView): number => latin(new Uint8Array(view.buffer)).indexOf('\u00ff\u00c0');
    const writers: [PictureKind, (view: DataView, side: number) => void][] = [
      ['png', (view, side) => view.setUint32(16, side)],
      ['jpg', (view, side) => view.setUint16(findFrame(view) + 5, side)],
      ['gif', (view, side) => view.setUint16(6, side, true)],
      ['avif', (view, side) => view.setUint32(latin(new Uint8Array(view.buffer)).indexOf('ispe') + 8, side)],
    ];
    for (const [kind, write] of writers) {
      expect(withSide(kind, write, PICTURE.maxSidePx)).toMatchObject({ ok: true });
      for (const side of [0, PICTURE.maxSidePx + 1, 65_535]) {
        expect({ kind, side, result: withSide(kind, write, side) }).toEqual({
          kind,
          side,
          result: { ok: false, reason: 'dimensions' },
        });
      }
    }
    // A file of two megabytes may need this much memory to display.
    expect(PICTURE.maxSidePx ** 2 * 4).toBeLessThanOrEqual(64 * 1024 * 1024);
    const wide = withSide('webp', (view, side) => view.setUint16(24, side - 1, true), 9000);
    expect(wide).toEqual({ ok: false, reason: 'dimensions' });
  });
});

describe('Random picture bytes', () => {
  /**
   * Checks that the bytes are processed quickly without an error, into a result that is not longer and is already
   * clean.
   */
  function checkSanitizing(bytes: Uint8Array): void {
    const before = performance.now();
    const result = sanitizePicture(bytes);
    expect(performance.now() - before).toBeLessThan(5000);
    if (!result.ok) return;
    expect(result.bytes.length).toBeLessThanOrEqual(bytes.length + 8);
    expect(sanitizePicture(result.bytes)).toEqual(result);
    for (const telltale of [SECRET_TEXT, 'xmpmeta', 'tEXt'])
      expect(latin(result.bytes)).not.toContain(telltale);
  }

  test("random bytes after a picture's signature give a result", () => {
    const heads = [
      '\u0089PNG\r\n\u001a\n',
      '\u00ff\u00d8\u00ff',
      'GIF89a',
      `RIFF${u32(60, true)}WEBP`,
      `${u32(20)}ftypavif\0\0\0\0avif`,
      '',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 300 }), (head, rest) =>
        checkSanitizing(glued(head, rest)),
      ),
      { numRuns: 1500 },
    );
  });

  test('changed bytes in a picture let no metadata through', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...KINDS),
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.nat(255)), {
          maxLength: 4,
        }),
        (kind, changes) => {
          const bytes = pictures[kind].slice();
          // The changes stay within the file; a block whose name changes is unknown.
          for (const [at, value] of changes) bytes[Math.floor(at * bytes.length)] = value;
          checkSanitizing(bytes);
        },
      ),
      { numRuns: 1500 },
    );
  });

  test('two megabytes made to be slow are processed within five seconds', () => {
    const size = 2 * 1024 * 1024;
    const repeated = (head: Uint8Array | string, piece: string): Uint8Array =>
      glued(head, piece.repeat(Math.floor((size - head.length) / piece.length)));
    const riff = `RIFF${u32(size - 8, true)}WEBP`;
    for (const bytes of [
      repeated(pictures.png.slice(0, 33), `${u32(0)}IDAT\0\0\0\0`),
      repeated(pictures.jpg.slice(0, 2), '\u00ff\u00db\0\u0002'),
      repeated(pictures.jpg.slice(0, 2), '\u00ff'),
      repeated(pictures.jpg.slice(0, 2), '\u00ff\0'),
      repeated(pictures.gif.slice(0, 13), '!\u00f9\0'),
      repeated(riff, `VP8 ${u32(0)}`),
      repeated(riff, `ANMF${u32(0)}`),
      repeated(`${u32(20)}ftypavif\0\0\0\0avif`, `${u32(8)}free`),
      repeated(`${u32(20)}ftypavif\0\0\0\0avif${u32(size - 20)}meta\0\0\0\0`, `${u32(8)}iinf`),
    ]) {
      checkSanitizing(bytes);
    }
  });

  test('metadata that poses as picture data is refused', () => {
    const { avif, jpg } = pictures;
    const view = (bytes: Uint8Array) => new DataView(bytes.buffer);
    // The metadata takes over the alpha channel's item number, so that it would be drawn.
    const named = avif.slice();
    const [alpha, exif] = [...latin(avif).matchAll(/infe/g)].slice(1).map(({ index }) => index + 8) as [
      number,
      number,
    ];
    view(named).setUint16(alpha, view(named).getUint16(exif));
    // The picture's length, the end of its first location entry, extends into the metadata behind it.
    const longer = avif.slice();
    const places = latin(avif).indexOf('iloc') + 12;
    view(longer).setUint32(places + 14, view(longer).getUint32(places + 14) + 200);
    // A metadata segment named as a table, and a table that is longer than its content.
    const table = jpg.slice();
    table[latin(jpg).indexOf('\u00ff\u00e1') + 1] = 0xdb;
    const stuffed = glued(jpg.slice(0, 2), `\u00ff\u00dd\0\u0013${SECRET_TEXT}`, jpg.slice(2));
    for (const upload of [named, longer, table, stuffed]) {
      expect(latin(upload)).toContain(SECRET_TEXT);
      expect(sanitizePicture(upload)).toEqual({ ok: false, reason: 'damaged' });
    }
  });

  test('a JPEG with very many scans is refused because it would keep the browser busy', async () => {
    const upload = new Uint8Array(await drawPicture(200, 120).jpeg({ progressive: true }).toBuffer());
    const scan = upload.slice(latin(upload).lastIndexOf('\u00ff\u00da'), -2);
    const withScans = (more: number) =>
      sanitizePicture(
        glued(upload.slice(0, -2), ...Array.from({ length: more }, () => scan), '\u00ff\u00d9'),
      );
    expect(withScans(0)).toMatchObject({ ok: true });
    expect(withScans(20)).toMatchObject({ ok: true });
    expect(withScans(100)).toEqual({ ok: false, reason: 'damaged' });
  });
});

describe('Picture keys', () => {
  test("a picture's key depends on its owner and content, and ends with its type", async () => {
    const [png, gif] = [sanitizePicture(pictures.png), sanitizePicture(pictures.gif)];
    if (!png.ok || !gif.ok) throw new Error('both are pictures');
    const keys = await Promise.all([
      computePictureKey('a', png),
      computePictureKey('a', png),
      computePictureKey('b', png),
      computePictureKey('a', gif),
    ]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}\.png$/);
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(3);
    expect(keys[3]).toMatch(/\.gif$/);
  });
});

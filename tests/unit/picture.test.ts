// Over 400 lines: five formats that are asked the same questions, over one set of pictures.
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { PICTURE } from '../../src/features/picture/limits.ts';
import { sanitizePicture, type PictureKind, computePictureKey } from '../../src/features/picture/picture.ts';

const KINDS: PictureKind[] = ['png', 'jpg', 'webp', 'gif', 'avif'];
const HERE = 'Lighthouse Road 7';
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF>${HERE}</rdf:RDF></x:xmpmeta>`;

/** A picture with many colours, half of it transparent where its kind can be. */
function drawing(width = 24, height = 16): Sharp {
  const pixels = Buffer.from(
    Array.from({ length: width * height * 4 }, (_, at) => (at * 37 + (at >> 5) * 11) % 256),
  );
  return sharp(pixels, { raw: { width, height, channels: 4 } });
}

const withMetadata = (picture: Sharp, orientation = 1): Sharp =>
  picture
    .withExif({
      IFD0: { Copyright: HERE },
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

async function made(kind: PictureKind, orientation?: number): Promise<Uint8Array> {
  const picture = kind === 'gif' ? drawing() : withMetadata(drawing(), orientation);
  const format = kind === 'jpg' ? 'jpeg' : kind;
  // Of an AVIF the smallest effort: these tests are not about how well it is drawn.
  return new Uint8Array(await picture.toFormat(format, kind === 'avif' ? { effort: 0 } : {}).toBuffer());
}

const pixelsOf = async (bytes: Uint8Array): Promise<string> =>
  (await sharp(bytes, { animated: true }).raw().toBuffer()).toString('base64');

function cleaned(bytes: Uint8Array, kind: PictureKind): Uint8Array {
  const result = sanitizePicture(bytes);
  expect(result).toMatchObject({ ok: true, kind });
  return (result as { bytes: Uint8Array }).bytes;
}

const latin = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const glued = (...parts: (Uint8Array | string)[]): Uint8Array =>
  new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === 'string' ? bytesOf(part) : part))));
const u32 = (value: number, little = false): string => {
  const bytes = Buffer.alloc(4);
  if (little) bytes.writeUInt32LE(value);
  else bytes.writeUInt32BE(value);
  return bytes.toString('latin1');
};

/** What gives away that something is told of a picture: names of blocks, and words in them. */
const TELLTALES = [
  HERE,
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
  for (const kind of KINDS) pictures[kind] = await made(kind);
});

describe('A picture that I upload', () => {
  test.each(KINDS)('keeps its pixels and its colours, and loses what was told beside: %s', async (kind) => {
    const before = await sharp(pictures[kind]).metadata();
    if (kind !== 'gif') {
      expect(before).toMatchObject({ exif: expect.anything(), xmp: expect.anything() });
      expect(latin(pictures[kind])).toContain(HERE);
    }
    const clean = cleaned(pictures[kind], kind);
    const after = await sharp(clean).metadata();
    expect(after).toMatchObject({ width: 24, height: 16, format: before.format });
    expect([after.exif, after.xmp, after.iptc, after.comments]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(after.icc).toEqual(before.icc);
    expect(await pixelsOf(clean)).toBe(await pixelsOf(pictures[kind]));
    for (const telltale of TELLTALES) expect(latin(clean)).not.toContain(telltale);
  });

  test('as a progressive JPEG with many scans stays whole', async () => {
    const sent = new Uint8Array(
      await withMetadata(drawing(200, 120)).jpeg({ progressive: true, quality: 90 }).toBuffer(),
    );
    expect(await pixelsOf(cleaned(sent, 'jpg'))).toBe(await pixelsOf(sent));
  });

  test('as a JPEG mixed for print keeps how its colours are mixed', async () => {
    const sent = new Uint8Array(await drawing().toColourspace('cmyk').jpeg().toBuffer());
    expect(await pixelsOf(cleaned(sent, 'jpg'))).toBe(await pixelsOf(sent));
  });

  test.each(['jpg', 'png'] as const)(
    'is still the right way up, as far as its kind says it: %s',
    async (kind) => {
      for (let orientation = 1; orientation <= 8; orientation += 1) {
        const sent = await made(kind, orientation);
        expect((await sharp(sent).metadata()).orientation).toBe(orientation);
        const clean = cleaned(sent, kind);
        const { orientation: kept = 1, exif } = await sharp(clean).metadata();
        expect(kept).toBe(orientation);
        // The orientation alone is Exif's smallest form.
        expect(exif?.length ?? 0).toBeLessThan(40);
        expect(latin(clean)).not.toContain(HERE);
        const upright = (bytes: Uint8Array) => sharp(bytes).autoOrient().raw().toBuffer();
        expect(await upright(clean)).toEqual(await upright(sent));
      }
    },
  );

  test.each(['gif', 'webp'] as const)('that moves still moves: %s', async (kind) => {
    const frames = [1, 2, 3].map((step) =>
      Buffer.from(Array.from({ length: 8 * 8 * 4 }, (_, at) => (at * step * 13) % 256)),
    );
    const sent = new Uint8Array(
      await sharp(Buffer.concat(frames), { raw: { width: 8, height: 24, channels: 4, pageHeight: 8 } })
        .toFormat(kind, { delay: [100, 200, 300], loop: 4 })
        .toBuffer(),
    );
    const clean = cleaned(sent, kind);
    expect(await sharp(clean, { animated: true }).metadata()).toMatchObject({
      pages: 3,
      delay: [100, 200, 300],
      loop: 4,
    });
    expect(await pixelsOf(clean)).toBe(await pixelsOf(sent));
  });

  test('as a PNG that moves still moves, and says nothing in between', () => {
    const chunk = (type: string, body: string): string => u32(body.length) + type + body + '\0\0\0\0';
    const frame = (number: number): string =>
      chunk('fcTL', `${u32(number)}${u32(24)}${u32(16)}${u32(0)}${u32(0)}\0\u0001\0\u000a\0\0`);
    const { png } = pictures;
    const body = latin(png.slice(33));
    const head = glued(png.slice(0, 33), chunk('acTL', u32(2) + u32(0)), frame(0));
    const told = chunk('tEXt', `Comment\0${HERE}`);
    const second = frame(1) + chunk('fdAT', `${u32(2)}pixels`);
    const [rest, end] = [body.slice(0, -12), body.slice(-12)];
    const clean = latin(cleaned(glued(head, told, rest, told, second, told, end), 'png'));
    expect(clean).toBe(latin(cleaned(glued(head, rest, second, end), 'png')));
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

  test('of an unusual kind stays what it is', async () => {
    const deep = sharp(
      Uint16Array.from({ length: 24 * 16 * 3 }, (_, at) => (at * 771) % 65_536),
      { raw: { width: 24, height: 16, channels: 3 } },
    ).toColourspace('rgb16');
    const variants: [PictureKind, Sharp][] = [
      ['png', deep.png()],
      ['png', drawing().png({ progressive: true })],
      ['png', drawing().png({ palette: true })],
      ['png', drawing().greyscale().png()],
      ['jpg', drawing().greyscale().jpeg()],
      ['webp', drawing().webp({ lossless: true })],
      ['gif', drawing().gif({ progressive: true })],
      ['avif', drawing().avif({ effort: 0, bitdepth: 10 })],
    ];
    for (const [kind, picture] of variants) {
      const sent = new Uint8Array(await picture.toBuffer());
      const clean = cleaned(sent, kind);
      expect(await pixelsOf(clean)).toBe(await pixelsOf(sent));
      const [before, after] = [await sharp(sent).metadata(), await sharp(clean).metadata()];
      expect(after).toMatchObject({ depth: before.depth, space: before.space });
    }
  });

  test('loses comments, small pictures of itself and blocks that nobody knows', async () => {
    const { png, jpg, gif, webp } = pictures;
    const chunk = (type: string, body: string): string => u32(body.length) + type + body + '\0\0\0\0';
    const variants: [PictureKind, Uint8Array, Uint8Array][] = [
      [
        'png',
        png,
        glued(
          png.slice(0, 33),
          chunk('tEXt', `Comment\0${HERE}`),
          chunk('prVt', HERE),
          chunk('tIME', '\u0007'),
          png.slice(33),
        ),
      ],
      [
        'jpg',
        jpg,
        glued(jpg.slice(0, 2), `\u00ff\u00fe\0\u0013${HERE}`, `\u00ff\u00e5\0\u0013${HERE}`, jpg.slice(2)),
      ],
      [
        'gif',
        gif,
        glued(gif.slice(0, -1), `!\u00fe\u0011${HERE}\0`, `!\u00ff\u000bXMP DataXMP\u0011${HERE}\0`, ';'),
      ],
      ['webp', webp, glued(webp, `PRVT${u32(17, true)}${HERE}\0`)],
    ];
    for (const [kind, plain, sent] of variants) {
      if (kind === 'webp') new DataView(sent.buffer).setUint32(4, sent.length - 8, true);
      expect(latin(sent)).toContain(HERE);
      expect(latin(cleaned(sent, kind))).toBe(latin(cleaned(plain, kind)));
    }
  });

  test.each(KINDS)('loses whatever is hung on behind its end: %s', (kind) => {
    const clean = cleaned(pictures[kind], kind);
    for (const tail of [HERE, '<script>alert(1)</script>', latin(pictures.jpg), '\0'.repeat(5000)]) {
      expect(latin(cleaned(glued(pictures[kind], tail), kind))).toBe(latin(clean));
    }
  });

  test.each(KINDS)('that is clean already is not changed: %s', (kind) => {
    const clean = cleaned(pictures[kind], kind);
    expect(latin(cleaned(clean, kind))).toBe(latin(clean));
  });

  test('is what its bytes say: other files are none, whatever they call themselves', () => {
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
      expect(sanitizePicture(bytesOf(file))).toEqual({ ok: false, reason: 'unknown' });
    }
  });

  test.each(KINDS)('that is cut off anywhere is refused as damaged: %s', (kind) => {
    const clean = cleaned(pictures[kind], kind);
    for (let length = 16; length < clean.length; length += 1) {
      expect({ length, result: sanitizePicture(clean.slice(0, length)) }).toEqual({
        length,
        result: { ok: false, reason: 'damaged' },
      });
    }
  });

  test('that claims to be huge, or to have no pixels, is refused', () => {
    const sized = (kind: PictureKind, write: (view: DataView, side: number) => void, side: number) => {
      const bytes = cleaned(pictures[kind], kind).slice();
      write(new DataView(bytes.buffer), side);
      return sanitizePicture(bytes);
    };
    const frameOf = (view: DataView): number => latin(new Uint8Array(view.buffer)).indexOf('\u00ff\u00c0');
    const writers: [PictureKind, (view: DataView, side: number) => void][] = [
      ['png', (view, side) => view.setUint32(16, side)],
      ['jpg', (view, side) => view.setUint16(frameOf(view) + 5, side)],
      ['gif', (view, side) => view.setUint16(6, side, true)],
      ['avif', (view, side) => view.setUint32(latin(new Uint8Array(view.buffer)).indexOf('ispe') + 8, side)],
    ];
    for (const [kind, write] of writers) {
      expect(sized(kind, write, PICTURE.maxSidePx)).toMatchObject({ ok: true });
      for (const side of [0, PICTURE.maxSidePx + 1, 65_535]) {
        expect({ kind, side, result: sized(kind, write, side) }).toEqual({
          kind,
          side,
          result: { ok: false, reason: 'dimensions' },
        });
      }
    }
    // Whatever file of two megabytes it is: this is what it takes of somebody's memory to see it.
    expect(PICTURE.maxSidePx ** 2 * 4).toBeLessThanOrEqual(64 * 1024 * 1024);
    const wide = sized('webp', (view, side) => view.setUint16(24, side - 1, true), 9000);
    expect(wide).toEqual({ ok: false, reason: 'dimensions' });
  });
});

describe('Whatever bytes come', () => {
  /** Ends quickly, never throws, and gives nothing that is longer or that it would itself clean further. */
  function holds(bytes: Uint8Array): void {
    const before = performance.now();
    const result = sanitizePicture(bytes);
    expect(performance.now() - before).toBeLessThan(5000);
    if (!result.ok) return;
    expect(result.bytes.length).toBeLessThanOrEqual(bytes.length + 8);
    expect(sanitizePicture(result.bytes)).toEqual(result);
    for (const telltale of [HERE, 'xmpmeta', 'tEXt']) expect(latin(result.bytes)).not.toContain(telltale);
  }

  test('behind the beginning of a picture, there is an answer', () => {
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
        holds(glued(head, rest)),
      ),
      { numRuns: 1500 },
    );
  });

  test('in place of some of a picture’s own, nothing that was told comes through', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...KINDS),
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), fc.nat(255)), {
          maxLength: 4,
        }),
        (kind, changes) => {
          const bytes = pictures[kind].slice();
          // Within the frame of the file: a name of a block that is changed is one that nobody knows.
          for (const [at, value] of changes) bytes[Math.floor(at * bytes.length)] = value;
          holds(bytes);
        },
      ),
      { numRuns: 1500 },
    );
  });

  test('made to be slow, of two megabytes, they are done with at once', () => {
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
      holds(bytes);
    }
  });

  test('what is told cannot pass for a part of the picture', () => {
    const { avif, jpg } = pictures;
    const view = (bytes: Uint8Array) => new DataView(bytes.buffer);
    // The alpha's number becomes the metadata's, so that those would be drawn.
    const named = avif.slice();
    const [alpha, exif] = [...latin(avif).matchAll(/infe/g)].slice(1).map(({ index }) => index + 8) as [
      number,
      number,
    ];
    view(named).setUint16(alpha, view(named).getUint16(exif));
    // A picture that goes on into the metadata behind it: how long it is ends the first entry of their places.
    const longer = avif.slice();
    const places = latin(avif).indexOf('iloc') + 12;
    view(longer).setUint32(places + 14, view(longer).getUint32(places + 14) + 200);
    // A block of metadata that is called one of tables, and one that goes on behind its tables.
    const table = jpg.slice();
    table[latin(jpg).indexOf('\u00ff\u00e1') + 1] = 0xdb;
    const stuffed = glued(jpg.slice(0, 2), `\u00ff\u00dd\0\u0013${HERE}`, jpg.slice(2));
    for (const sent of [named, longer, table, stuffed]) {
      expect(latin(sent)).toContain(HERE);
      expect(sanitizePicture(sent)).toEqual({ ok: false, reason: 'damaged' });
    }
  });

  test('a JPEG that draws itself over and over keeps nobody’s browser busy: it is refused', async () => {
    const sent = new Uint8Array(await drawing(200, 120).jpeg({ progressive: true }).toBuffer());
    const scan = sent.slice(latin(sent).lastIndexOf('\u00ff\u00da'), -2);
    const withScans = (more: number) =>
      sanitizePicture(glued(sent.slice(0, -2), ...Array.from({ length: more }, () => scan), '\u00ff\u00d9'));
    expect(withScans(0)).toMatchObject({ ok: true });
    expect(withScans(20)).toMatchObject({ ok: true });
    expect(withScans(100)).toEqual({ ok: false, reason: 'damaged' });
  });
});

describe('A picture’s key', () => {
  test('is of its owner and its content, and ends as its kind', async () => {
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

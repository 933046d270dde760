// Over 400 lines: one list of deceptive pictures, cards and chats, each with its construction.
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import {
  encodeText,
  packCharx,
  encodePngChunk,
  readPngChunks,
  encodeCard,
  concatBytes,
  buildInternationalTextChunk,
  buildPng,
  repeatBytes,
  buildTextChunk,
  V2,
  V3,
  buildZip,
  buildCompressedTextChunk,
} from '../support/card-files.ts';
import { PICTURES } from '../support/pictures.ts';

/** Files that are valid in two formats, in none, or much larger unpacked than packed. */

/** The payload of every file that could run something; a response that contains it is unsafe. */
export const SCRIPT = '<script>alert("ran")</script>';

const HTML = `<!doctype html><html><body>${SCRIPT}</body></html>`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert('ran')">${SCRIPT}</svg>`;

type Bytes = Uint8Array<ArrayBuffer>;

const encodeNumber = (value: number, bytes: number, little = false): Bytes =>
  Uint8Array.from(
    { length: bytes },
    (_, index) => Math.floor(value / 256 ** (little ? index : bytes - 1 - index)) % 256,
  );

/** Builds a JPEG with a comment as its second segment. */
const buildJpeg = (marker: number, body: string): Bytes =>
  concatBytes(
    PICTURES.jpg.subarray(0, 2),
    Uint8Array.of(0xff, marker),
    encodeNumber(body.length + 2, 2),
    body,
    PICTURES.jpg.subarray(2),
  );

/** Builds a WebP with an additional chunk. */
function buildWebp(kind: string, body: string): Bytes {
  const padded = body.length % 2 === 0 ? body : `${body}\0`;
  const file = concatBytes(PICTURES.webp, kind, encodeNumber(body.length, 4, true), padded);
  file.set(encodeNumber(file.length - 8, 4, true), 4);
  return file;
}

/** Builds a GIF with a comment before its picture. */
function buildGif(body: string): Bytes {
  const table = 13 + 3 * 2 ** ((PICTURES.gif[10] as number & 7) + 1);
  return concatBytes(
    PICTURES.gif.subarray(0, table),
    Uint8Array.of(0x21, 0xfe, body.length),
    body,
    Uint8Array.of(0),
    PICTURES.gif.subarray(table),
  );
}

/** Builds a GIF whose first bytes start a script comment: «GIF89a/*». */
function buildGifScript(): Bytes {
  const gif = PICTURES.gif.slice();
  gif.set(encodeText('/*'), 6);
  return concatBytes(gif, `*/=1;alert("ran");${SCRIPT}`);
}

/** Builds a PNG that unpacks to many gigabytes: the longest allowed side, in one colour. */
function buildPixelBomb(): Bytes {
  const side = 30_000;
  const header = concatBytes(encodeNumber(side, 4), encodeNumber(side, 4), Uint8Array.of(8, 6, 0, 0, 0));
  const packed = deflateSync(new Uint8Array(8 * 1024 * 1024));
  return concatBytes(
    PICTURES.png.subarray(0, 8),
    encodePngChunk('IHDR', header),
    encodePngChunk('IDAT', packed),
    encodePngChunk('IEND', ''),
  );
}

function buildPngWithWrongSums(): Bytes {
  const chunks = readPngChunks(PICTURES.png).map(({ kind, body }) => encodePngChunk(kind, body, 0xdead_beef));
  return concatBytes(PICTURES.png.subarray(0, 8), ...chunks);
}

/** Files uploaded as pictures. */
export const PICTURE_CORPUS: readonly (readonly [string, () => Bytes])[] = [
  ['an SVG with a script', () => encodeText(SVG)],
  ['an SVG behind a declaration', () => encodeText(`<?xml version="1.0"?>${SVG}`)],
  ['an SVG behind a mark of its encoding', () => encodeText(`\ufeff\n\n${SVG}`)],
  ['an SVG, packed', () => new Uint8Array(gzipSync(SVG))],
  ['an SVG in UTF-16', () => Uint8Array.from(`\ufeff${SVG}`, (letter) => letter.charCodeAt(0) % 256)],
  ['a page', () => encodeText(HTML)],
  ['a page behind the name of a GIF', () => encodeText(`GIF89a${HTML}`)],
  ['a page behind the signature of a PNG', () => concatBytes(PICTURES.png.subarray(0, 8), HTML)],
  ['a page behind the beginning of a JPEG', () => concatBytes(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), HTML)],
  ['a page behind the beginning of a WebP', () => encodeText(`RIFF\u0010\0\0\0WEBPVP8 ${HTML}`)],
  ['a page behind the beginning of an AVIF', () => encodeText(`\0\0\0\u0018ftypavif\0\0\0\0avifmif1${HTML}`)],
  ['a GIF that is a script', () => buildGifScript()],
  ['a GIF with a script for a comment', () => buildGif(SCRIPT)],
  ['a GIF with a page behind it', () => concatBytes(PICTURES.gif, HTML)],
  ['a PNG with a page behind it', () => concatBytes(PICTURES.png, HTML)],
  [
    'a PNG with an archive behind it',
    () => concatBytes(PICTURES.png, buildZip([{ name: 'evil.html', body: HTML }])),
  ],
  [
    'a PNG with a script in its text',
    () =>
      buildPng(
        buildTextChunk('Comment', SCRIPT),
        buildCompressedTextChunk('Title', SCRIPT),
        buildInternationalTextChunk('XML:com.adobe.xmp', SVG),
      ),
  ],
  [
    'a PNG with a script for its profile',
    () => buildPng(encodePngChunk('iCCP', concatBytes('x\0\0', deflateSync(encodeText(SCRIPT))))),
  ],
  ['a PNG with a script for its EXIF', () => buildPng(encodePngChunk('eXIf', `MM\0*\0\0\0\b${SCRIPT}`))],
  ['a PNG with a chunk that nobody knows', () => buildPng(encodePngChunk('evIl', SCRIPT))],
  ['a PNG with wrong sums', () => buildPngWithWrongSums()],
  ['a PNG cut off', () => PICTURES.png.slice(0, 60)],
  ['a PNG of too many pixels', () => buildPixelBomb()],
  [
    'a PNG with a chunk longer than all of it',
    () => concatBytes(PICTURES.png.subarray(0, 33), encodeNumber(0x7fff_ffff, 4), 'IDAT', SCRIPT),
  ],
  ['a PNG without any pixels', () => concatBytes(PICTURES.png.subarray(0, 33), encodePngChunk('IEND', ''))],
  [
    'a PNG with 20,000 empty chunks',
    () => buildPng(...Array.from({ length: 20_000 }, () => encodePngChunk('tEXt', ''))),
  ],
  ['a JPEG with a script for a comment', () => buildJpeg(0xfe, SCRIPT)],
  ['a JPEG with a script for its EXIF', () => buildJpeg(0xe1, `Exif\0\0${SCRIPT}`)],
  ['a JPEG with a page behind it', () => concatBytes(PICTURES.jpg, HTML)],
  [
    'a JPEG that is a script',
    () =>
      concatBytes(
        Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0x2f, 0x2a),
        repeatBytes(encodeText(' '), 0x2f28),
        `*/=alert("ran")/*`,
        PICTURES.jpg.subarray(2),
      ),
  ],
  ['a JPEG cut off', () => PICTURES.jpg.slice(0, 40)],
  ['a WebP with a script for its EXIF', () => buildWebp('EXIF', SCRIPT)],
  ['a WebP with a script for its XMP', () => buildWebp('XMP ', SVG)],
  ['a WebP with a page behind it', () => concatBytes(PICTURES.webp, HTML)],
  ['an AVIF with a page behind it', () => concatBytes(PICTURES.avif, HTML)],
  [
    'a PDF with a script',
    () => encodeText('%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj'),
  ],
  ['a film', () => encodeText('\0\0\0\u0018ftypmp42\0\0\0\0mp42isom')],
  ['a bitmap', () => encodeText(`BM${SCRIPT}`)],
  ['an icon', () => Uint8Array.of(0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 24, 0, 48, 0, 0, 0, 22, 0, 0, 0)],
  ['a TIFF', () => encodeText('II*\0\b\0\0\0')],
  ['a program of Flash', () => encodeText('FWS\u0009')],
  ['a program of the web', () => Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0)],
  ['a program of the server', () => encodeText('<?php system($_GET["x"]); ?>')],
  ['an archive', () => buildZip([{ name: 'me.png', body: PICTURES.png }])],
  ['a shell script', () => encodeText('#!/bin/sh\nid\n')],
  ['noise', () => Uint8Array.from({ length: 4096 }, (_, index) => (index * 7919) % 251)],
];

const card = JSON.stringify(V3);
const buildArchiveWith = (name: string, body: Uint8Array | string = HTML) =>
  buildZip([
    { name: 'card.json', body: card },
    { name, body },
  ]);
const buildCardWithIcon = (uri: string) => ({
  ...V3,
  data: { ...V3.data, assets: [{ type: 'icon', uri, name: 'main', ext: 'png' }] },
});

/** Returns zeros, which compress to almost nothing. */
const createZeros = (mebibytes: number): Uint8Array => new Uint8Array(mebibytes * 1024 * 1024);

/** Builds an archive with an entry that is a symbolic link. */
function buildArchiveWithLink(): Bytes {
  const archive = buildArchiveWith('assets/icon/main.png', '/etc/passwd');
  // The mode of the last entry, in the part of its attributes that Unix systems use.
  const at = archive.length - 22 - 46 - 'assets/icon/main.png'.length + 38;
  archive.set(encodeNumber(0xa1ff_0000, 4, true), at);
  return archive;
}

/** Builds an archive with many entries that share the same data. */
function buildOverlappingArchive(): Bytes {
  const body = deflateRawSync(createZeros(1));
  const buildEntryFields = (name: string) =>
    concatBytes(
      encodeNumber(20, 2, true),
      encodeNumber(0, 2),
      encodeNumber(8, 2, true),
      encodeNumber(0, 4),
      encodeNumber(0, 4),
      encodeNumber(body.length, 4, true),
      encodeNumber(1024 * 1024, 4, true),
      encodeNumber(name.length, 2, true),
      encodeNumber(0, 2),
    );
  const first = 'card.json';
  const local = concatBytes('PK\u0003\u0004', buildEntryFields(first), first, body);
  const entries = Array.from({ length: 2000 }, (_, index) => {
    const name = index === 0 ? first : `x${index}`;
    return concatBytes(
      'PK\u0001\u0002',
      encodeNumber(20, 2, true),
      buildEntryFields(name),
      encodeNumber(0, 2),
      encodeNumber(0, 2),
      encodeNumber(0, 2),
      encodeNumber(0, 4),
      encodeNumber(0, 4),
      name,
    );
  });
  const directory = concatBytes(...entries);
  return concatBytes(
    local,
    directory,
    'PK\u0005\u0006',
    encodeNumber(0, 4),
    encodeNumber(2000, 2, true),
    encodeNumber(2000, 2, true),
    encodeNumber(directory.length, 4, true),
    encodeNumber(local.length, 4, true),
    encodeNumber(0, 2),
  );
}

/** Files uploaded as cards. */
export const CARD_CORPUS: readonly (readonly [string, () => Bytes])[] = [
  ['nothing', () => encodeText('')],
  ['a page', () => encodeText(HTML)],
  [
    'JSON that reaches for what every object has',
    () =>
      encodeText(
        `{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"spec":"chara_card_v2","spec_version":"2.0","data":{"__proto__":{"polluted":true},"name":"Mira","description":"x","first_mes":"y","extensions":{"__proto__":{"polluted":true}}}}`,
      ),
  ],
  ['JSON 100,000 levels deep', () => encodeText(`{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)],
  [
    'JSON with numbers that are none',
    () => encodeText('{"name":"Mira","description":1e999,"first_mes":-0,"tags":[9e99]}'),
  ],
  [
    'JSON with halves of letters',
    () => encodeText('{"name":"\\ud83d","description":"\\udc4b","first_mes":"\\u0000"}'),
  ],
  ['JSON with a name twice', () => encodeText('{"name":"Mira","name":{"$gt":""},"description":"x"}')],
  [
    'JSON in which everything is a script',
    () =>
      encodeText(
        JSON.stringify({ name: SCRIPT.slice(0, 40), description: SVG, first_mes: HTML, tags: [SCRIPT] }),
      ),
  ],
  [
    'a PNG whose text unpacks to 60 MB',
    () => buildPng(encodePngChunk('zTXt', concatBytes('chara\0\0', deflateSync(createZeros(60))))),
  ],
  ['a PNG whose text is no base64', () => buildPng(buildTextChunk('chara', `%%%${SCRIPT}`))],
  [
    'a PNG with 3,000 cards',
    () => buildPng(...Array.from({ length: 3000 }, () => buildTextChunk('chara', encodeCard(V2)))),
  ],
  ['a PNG with wrong sums', () => buildPng(encodePngChunk('tEXt', `chara\0${encodeCard(V2)}`, 1))],
  ['an archive that climbs out', () => buildArchiveWith('../../../../etc/cron.d/evil')],
  ['an archive that climbs out by backslashes', () => buildArchiveWith('..\\..\\evil.html')],
  ['an archive with a path from the root', () => buildArchiveWith('/etc/passwd')],
  ['an archive with a drive', () => buildArchiveWith('C:\\evil.html')],
  ['an archive with a NUL in a name', () => buildArchiveWith('evil.html\0.png')],
  ['an archive with a script for a name', () => buildArchiveWith(SCRIPT)],
  [
    'an archive with its card twice',
    () =>
      buildZip([
        { name: 'card.json', body: card },
        { name: 'card.json', body: '{"name":"Other"}' },
      ]),
  ],
  ['an archive with its card in a folder', () => buildZip([{ name: '../card.json', body: card }])],
  [
    'an archive whose names differ in two places',
    () => buildZip([{ name: 'card.json', body: card, lies: { localName: '../card.json' } }]),
  ],
  ['an archive that lies of a size', () => buildZip([{ name: 'card.json', body: card, lies: { size: 10 } }])],
  ['an archive that lies of a sum', () => buildZip([{ name: 'card.json', body: card, lies: { sum: 1 } }])],
  [
    'an archive that wants a password',
    () => buildZip([{ name: 'card.json', body: card, lies: { flags: 1 } }]),
  ],
  ['an archive whose card unpacks to 60 MB', () => buildZip([{ name: 'card.json', body: createZeros(60) }])],
  [
    'an archive in an archive in an archive',
    () =>
      buildZip([
        { name: 'card.json', body: card },
        {
          name: 'a.zip',
          body: buildZip([{ name: 'b.zip', body: buildZip([{ name: 'c', body: createZeros(20) }]) }]),
        },
      ]),
  ],
  ['an archive of one piece under 2,000 names', () => buildOverlappingArchive()],
  [
    'an archive with 20,000 files',
    () =>
      buildZip([
        { name: 'card.json', body: card },
        ...Array.from({ length: 20_000 }, (_, index) => ({ name: `${index}`, body: '', packed: false })),
      ]),
  ],
  ['an archive with a link', () => buildArchiveWithLink()],
  [
    'an archive of Backyard AI whose character is elsewhere',
    () => buildZip([{ name: 'manifest.json', body: '{"characters":["../../etc/passwd"],"scenarios":[]}' }]),
  ],
  ['a mapping whose value never ends', () => encodeText(`name: x\ngreeting: "${'\\n'.repeat(500_000)}`)],
  ['an archive cut off', () => packCharx(V3).slice(0, -30)],
  ['an archive with only its end', () => packCharx(V3).slice(-22)],
  [
    'a card whose picture is climbed to',
    () =>
      packCharx(buildCardWithIcon('embeded://../../../../etc/passwd'), {
        name: '../../../../etc/passwd',
        body: PICTURES.png,
      }),
  ],
  [
    'a card whose picture is a page',
    () => packCharx(buildCardWithIcon('embeded://assets/a.png'), { name: 'assets/a.png', body: HTML }),
  ],
  [
    'a card whose picture is on this machine',
    () => encodeText(JSON.stringify(buildCardWithIcon('http://127.0.0.1:1/secret'))),
  ],
  [
    'a card whose picture is a file',
    () => encodeText(JSON.stringify(buildCardWithIcon('file:///etc/passwd'))),
  ],
  [
    'a card whose picture is in itself, and a page',
    () => encodeText(JSON.stringify(buildCardWithIcon(`data:text/html,${HTML}`))),
  ],
];

const toJson = (value: unknown): string => JSON.stringify(value);
const buildMessage = (more: object) => ({
  name: 'Mira',
  is_user: false,
  mes: 'Hello.',
  send_date: '2026-01-02T03:04:05.000Z',
  ...more,
});
const header = toJson({ user_name: 'Wren', character_name: 'Mira', chat_metadata: {} });

/** Files uploaded as chats. */
export const CHAT_CORPUS: readonly (readonly [string, () => Bytes])[] = [
  ['nothing', () => encodeText('')],
  ['a page', () => encodeText(HTML)],
  [
    'lines that reach for what every object has',
    () => encodeText(`${header}\n{"__proto__":{"polluted":true},"name":"Mira","is_user":false,"mes":"x"}`),
  ],
  [
    'a header that does',
    () =>
      encodeText(
        `{"__proto__":{"polluted":true},"user_name":"__proto__","character_name":"constructor","chat_metadata":{"__proto__":1}}\n${toJson(buildMessage({}))}`,
      ),
  ],
  [
    'a line 100,000 levels deep',
    () => encodeText(`${header}\n{"mes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  ],
  [
    'a line of 20 MB',
    () => encodeText(`${header}\n${toJson(buildMessage({ mes: 'x'.repeat(20_000_000) }))}`),
  ],
  [
    'lines full of scripts',
    () =>
      encodeText(
        [
          header,
          toJson(buildMessage({ mes: SCRIPT, name: SVG })),
          toJson(buildMessage({ mes: HTML, is_user: true, swipes: [SVG, SCRIPT], swipe_id: 1 })),
        ].join('\n'),
      ),
  ],
  [
    'NULs and halves of letters',
    () => encodeText(`${header}\n{"name":"a\\u0000","is_user":true,"mes":"\\ud83d \\u0000"}`),
  ],
  ['no end of empty lines', () => encodeText(`${header}${'\n'.repeat(200_000)}${toJson(buildMessage({}))}`)],
  [
    'bytes that are no text',
    () => concatBytes(header, '\n', Uint8Array.of(0xff, 0xfe, 0xc0, 0x80), '\n', toJson(buildMessage({}))),
  ],
  [
    'times that never were',
    () =>
      encodeText(
        `${header}\n${toJson(buildMessage({ send_date: '9999999-99-99T99:99:99Z' }))}\n${toJson(buildMessage({ send_date: 8.64e15 + 1 }))}`,
      ),
  ],
  [
    'swipes that are none',
    () => encodeText(`${header}\n${toJson(buildMessage({ swipes: { length: 1e9 }, swipe_id: -1 }))}`),
  ],
  [
    '100,000 swipes',
    () =>
      encodeText(
        `${header}\n${toJson(buildMessage({ swipes: Array.from({ length: 100_000 }, () => 'x'), swipe_id: 99_999 }))}`,
      ),
  ],
  [
    'a command of the interpreter',
    () =>
      encodeText(
        `${header}\n${toJson(buildMessage({ mes: '{{setvar::x::1}}{{// }}${process.env.AUTH_SECRET}<%= 1 %>' }))}`,
      ),
  ],
];

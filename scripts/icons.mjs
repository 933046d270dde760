// Draws the app's icons from the logo: run `node scripts/icons.mjs` after a change of the logo. The icons are committed,
// so that a build does not draw them.
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const OUT_DIR = fileURLToPath(new URL('../public/icons/', import.meta.url));
const mark = readFileSync(new URL('../src/components/Logo.astro', import.meta.url), 'utf8');
const favicon = readFileSync(new URL('../public/favicon.svg', import.meta.url), 'utf8');

/** The thread of the logo, and the two colours of the favicon. */
const [, thread] = /<path d="([^"]+)"/.exec(mark) ?? [];
const [, ink] = /<rect[^>]* fill="(#[0-9a-f]{6})"/.exec(favicon) ?? [];
const [, saffron] = /stroke="(#[0-9a-f]{6})"/.exec(favicon) ?? [];
if (!thread || !ink || !saffron) throw new Error('The mark or its colours were not found');

/** The bounding box of the thread on its 32 units, including the stroke. Icons are centred on it. */
const BOX = { x: 10.7, y: 3.6, width: 16.1, height: 23.2 };

/**
 * @param {{ size: number, share: number, corner: number }} shape `share`: the thread's share of the height;
 *   `corner`: the corner radius as a share of the width, 0 if the device cuts the shape itself
 */
function svg({ size, share, corner }) {
  const scale = (size * share) / BOX.height;
  const x = size / 2 - (BOX.x + BOX.width / 2) * scale;
  const y = size / 2 - (BOX.y + BOX.height / 2) * scale;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}">
    <rect width="${size}" height="${size}" rx="${size * corner}" fill="${ink}"/>
    <path transform="translate(${x} ${y}) scale(${scale})" d="${thread}" fill="none" stroke="${saffron}"
      stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>
  </svg>`;
}

const ICONS = {
  'icon-192.png': { size: 192, share: 0.7, corner: 0.19 },
  'icon-512.png': { size: 512, share: 0.7, corner: 0.19 },
  // Devices may crop everything outside the inner circle of 80 %.
  'maskable-192.png': { size: 192, share: 0.54, corner: 0 },
  'maskable-512.png': { size: 512, share: 0.54, corner: 0 },
  'apple-touch-icon.png': { size: 180, share: 0.64, corner: 0 },
  'share.png': { size: 1200, share: 0.5, corner: 0 },
};

mkdirSync(OUT_DIR, { recursive: true });
for (const [file, shape] of Object.entries(ICONS)) {
  await sharp(Buffer.from(svg(shape)))
    .png({ compressionLevel: 9, palette: true })
    .toFile(OUT_DIR + file);
}
console.log(`${Object.keys(ICONS).length} icons drawn`);

// Draws the seed portraits. `node tools/portraits/write-portraits.mjs` writes them all again, always the
// same bytes; `--check` compares what is stored with what would be drawn and writes nothing.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { drawPortrait } from './compose.mjs';
import { people } from './people.mjs';

/** Bytes a stored portrait may have: a screen of cards must stay light on a phone. */
const MAX_PICTURE_BYTES = 30_000;
/** Tried in turn until a picture fits. */
const QUALITIES = [86, 82, 78, 72, 66, 60];
const FOLDER = join(import.meta.dirname, '../../scripts/seed/portraits');

sharp.concurrency(1);

/** One portrait as WebP bytes, 480 by 640. Drawn at twice the size first, for cleaner edges. */
async function render(slug) {
  const large = await sharp(Buffer.from(drawPortrait(people[slug])), { density: 144 })
    .png()
    .toBuffer();
  for (const quality of QUALITIES) {
    const picture = await sharp(large)
      .resize(480, 640, { kernel: 'lanczos3' })
      .flatten({ background: '#15100d' })
      .webp({ quality, effort: 5, smartSubsample: true })
      .toBuffer();
    if (picture.length <= MAX_PICTURE_BYTES) return picture;
  }
  throw new Error(`${slug}: the picture is larger than ${MAX_PICTURE_BYTES} bytes at every quality.`);
}

const checking = process.argv.includes('--check');
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const different = [];
if (!checking) await mkdir(FOLDER, { recursive: true });
for (const slug of only.length ? only : Object.keys(people)) {
  const file = join(FOLDER, `${slug}.webp`);
  const picture = await render(slug);
  if (!checking) await writeFile(file, picture);
  else if (!(await readFile(file).catch(() => Buffer.alloc(0))).equals(picture)) different.push(slug);
}
if (different.length) {
  console.error(
    `These portraits differ from what would be drawn: ${different.join(', ')}. Run node tools/portraits/write-portraits.mjs.`,
  );
  process.exitCode = 1;
} else console.log(checking ? 'All portraits are as drawn.' : 'Portraits written.');

// Splits the product's two typefaces (both under the SIL Open Font License) into subsets and writes their stylesheet:
// `node scripts/fonts.mjs` writes src/styles/fonts/*.woff2 and src/styles/fonts.css. A browser loads a subset only if a
// page contains one of its characters. Requires `pyftmerge` (Debian's package fonttools).
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { ROOT } from './lib/process.mjs';

const folder = join(ROOT, 'src', 'styles', 'fonts');
const require = createRequire(import.meta.url);

const range = (from, to) =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, i) => from + i));
const without = (all, taken) => [...all].filter((sign) => !taken.includes(sign)).join('');

// Signs of code and arithmetic, which are rare in stories and pages.
const SIGNS = '#$*<=>@[\\]^_`{|}~';
// The characters of every Latin text, and ó, so that Polish does not need the subset of Western letters.
const CORE = `${without(range(0x20, 0x7e), SIGNS)}\u00a0©«»·×Óó–—‘’“”„…`;
// The further letters of French, German, Italian, Portuguese and Spanish.
const WEST = '¡¿ªº°§ÀÁÂÃÄÆÇÈÉÊËÌÍÎÏÑÒÔÕÖÙÚÛÜßàáâãäæçèéêëìíîïñòôõöùúûüœŒ€';
// Those of them that are on nearly every page in these languages.
const WEST_OFTEN = without(WEST, 'ªº°§ÂÃÆËÌÎÏÒÔÕÙÛæŒ€');
const POLISH = 'ĄĆĘŁŃŚŹŻąćęłńśźż';
// The further letters of Czech, Slovak, Slovene, Croatian, Bosnian, Serbian and Turkish.
const CENTRAL = 'ČčĎďĐđĚěĞğİıĹĺĽľŇňŔŕŘřŠšŞşŤťŮůŽž';
const RUSSIAN = `${range(0x410, 0x44f)}Ёё`;

/** Name of a subset → the package's file with its characters, and the characters. Users' names may contain any of them. */
const PIECES = {
  core: ['latin', CORE],
  signs: ['latin', SIGNS],
  west: ['latin', WEST],
  central: ['latin-ext', POLISH + CENTRAL],
  rest: ['latin-ext', without(range(0x100, 0x17f), `${POLISH}${CENTRAL}œŒ`)],
  cyrillic: ['cyrillic', `${RUSSIAN}ЄєІіЇї`],
};

/**
 * Languages that always need the core and their own letters get both in one file, as a family that the stylesheet puts
 * first for these languages. Suffix of the family → file, the package's file with the further letters, the letters, and
 * the faces.
 */
const TOGETHER = {
  Western: ['in-western', 'latin', WEST_OFTEN, ['serif', 'sans', 'sans-italic']],
  Polish: ['in-polish', 'latin-ext', POLISH, ['serif', 'sans', 'sans-italic']],
  Russian: ['in-russian', 'cyrillic', RUSSIAN, ['serif', 'sans']],
};

/** File name → family, package, style and weight. Fixed weights make smaller files than variable fonts. */
const FACES = {
  serif: ['Brygada 1918', 'brygada-1918', 'normal', 480],
  sans: ['Source Sans 3', 'source-sans-3', 'normal', 400],
  'sans-italic': ['Source Sans 3', 'source-sans-3', 'italic', 400],
  'sans-strong': ['Source Sans 3', 'source-sans-3', 'normal', 600],
};

/**
 * System fonts that replace ours until they are loaded, scaled to the same width and height to avoid layout shifts. The
 * proportions compare their published metrics with ours.
 */
const STAND_INS = {
  'Brygada stand-in': [['Georgia'], 87.8, 23.9, 104.8],
  'Brygada stand-in Android': [['Noto Serif', 'NotoSerif'], 94.8, 25.7, 97.1],
  'Sans stand-in': [['Arial', 'ArialMT', 'Liberation Sans', 'Helvetica'], 109.2, 42.7, 93.8],
  'Sans stand-in Android': [['Roboto', 'Roboto-Regular'], 109, 42.6, 94],
};

/** Gaps of at most this many characters are part of a range: every page loads the stylesheet, and lists of gaps are long. */
const MAX_GAP = 40;

/** Formats characters as a stylesheet's unicode-range, such as `U+20-7E, U+A0`. Without `exactly`, it covers small gaps. */
function unicodeRange(characters, exactly) {
  const points = [...characters].map((sign) => sign.codePointAt(0)).toSorted((a, b) => a - b);
  const runs = [];
  for (const point of points) {
    const last = runs.at(-1);
    if (last && point - last[1] <= (exactly ? 1 : MAX_GAP)) last[1] = point;
    else runs.push([point, point]);
  }
  const hex = (point) => point.toString(16).toUpperCase();
  return runs.map(([from, to]) => (from === to ? `U+${hex(from)}` : `U+${hex(from)}-${hex(to)}`)).join(', ');
}

const rules = ['/* Written by scripts/fonts.mjs. */\n'];

const FORM = {
  keepFeatures: ['kern', 'liga', 'locl', 'mark', 'ccmp'],
  noHinting: true,
  dropTables: ['STAT', 'BASE', 'gasp'],
};

/** Cuts a subset out of a package's file, in the face's weight. */
function cut(face, source, characters, targetFormat) {
  const [, name, style, weight] = FACES[face];
  const home = join(require.resolve(`@fontsource-variable/${name}/package.json`), '..');
  writeFileSync(join(folder, `${name}-LICENSE.txt`), readFileSync(join(home, 'LICENSE')));
  const whole = readFileSync(join(home, 'files', `${name}-${source}-wght-${style}.woff2`));
  return subsetFont(whole, characters, { ...FORM, targetFormat, variationAxes: { wght: weight } });
}

/** Cuts the core and letters of another file of the package into one font. */
async function cutTogether(face, source, letters) {
  if (source === 'latin') return cut(face, source, CORE + letters, 'woff2');
  const work = mkdtempSync(join(tmpdir(), 'loreloom-fonts-'));
  const [core, more, both] = ['core', 'more', 'both'].map((name) => join(work, `${name}.ttf`));
  writeFileSync(core, await cut(face, 'latin', CORE, 'truetype'));
  writeFileSync(more, await cut(face, source, letters, 'truetype'));
  execFileSync('pyftmerge', [`--output-file=${both}`, core, more], { stdio: 'pipe' });
  const made = await subsetFont(readFileSync(both), CORE + letters, { ...FORM, targetFormat: 'woff2' });
  rmSync(work, { recursive: true });
  return made;
}

/**
 * Subsets that pages load anyway. Their ranges may have characters of other subsets: for such a character browsers fetch all
 * subsets, and the fonts say which of them has it.
 */
const WIDE = new Set(['core', ...Object.values(TOGETHER).map(([piece]) => piece)]);

/** Writes a subset and adds it to the stylesheet. */
function keep(face, piece, characters, made, familySuffix = '') {
  const [family, , style, weight] = FACES[face];
  writeFileSync(join(folder, `${face}-${piece}.woff2`), made);
  console.log(`${face}-${piece}`, made.length);
  rules.push(`@font-face {
  font-family: '${family}${familySuffix}';
  font-style: ${style};
  font-weight: ${weight};
  font-display: optional;
  src: url('./fonts/${face}-${piece}.woff2') format('woff2');
  unicode-range: ${unicodeRange(characters, !WIDE.has(piece))};
}\n`);
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const face of Object.keys(FACES)) {
  for (const [piece, [source, characters]] of Object.entries(PIECES))
    keep(face, piece, characters, await cut(face, source, characters, 'woff2'));
}
for (const [suffix, [piece, source, letters, faces]] of Object.entries(TOGETHER)) {
  for (const face of faces)
    keep(face, piece, CORE + letters, await cutTogether(face, source, letters), ` ${suffix}`);
}
for (const [family, [locals, ascent, descent, size]] of Object.entries(STAND_INS)) {
  rules.push(`@font-face {
  font-family: '${family}';
  src: ${locals.map((local) => `local('${local}')`).join(', ')};
  ascent-override: ${ascent}%;
  descent-override: ${descent}%;
  line-gap-override: 0%;
  size-adjust: ${size}%;
}\n`);
}
writeFileSync(join(ROOT, 'src', 'styles', 'fonts.css'), rules.join('\n'));

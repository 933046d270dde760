// What a build's files may weigh, gzipped, as groups that a browser fetches together: `npx size-limit` after a build.
// tests/e2e/page-weight.spec.ts holds whole pages to their limits.
const assets = `${process.env.LORELOOM_OUT_DIR ?? 'dist'}/client/_astro`;

export default [
  // A page has the first, a room both, and each beside them only its own file: 20 kB in all.
  {
    name: 'styles of every page',
    path: [`${assets}/LanguageMenu.*.css`],
    limit: '12 kB',
    gzip: true,
  },
  { name: 'styles of the admin area', path: [`${assets}/admin-layout.*.css`], limit: '6 kB', gzip: true },
  {
    name: 'scripts of a public page',
    path: [`${assets}/page.*.js`, `${assets}/Base.*.js`, `${assets}/Shell.*.js`],
    limit: '15 kB',
    gzip: true,
  },
  { name: 'the titles’ typeface', path: `${assets}/serif-core.*.woff2`, limit: '9 kB', brotli: false },
  { name: 'the text’s typeface', path: `${assets}/sans-core.*.woff2`, limit: '9 kB', brotli: false },
  { name: 'the service worker', path: `${assets}/../sw.js`, limit: '6 kB', gzip: true },
];

import { posix, relative, sep } from 'node:path';

/**
 * The architecture as a lint rule (docs/architecture.md): each layer lists the layers that it may import, and each feature
 * may import the features listed before it. One table, because relative paths in lint patterns break with every move.
 */

/** Layer → layers it may import. A name with the prefix `type:` may be imported only for its types. */
const LAYERS = {
  lib: [],
  config: [],
  vendors: ['lib'],
  db: ['lib'],
  env: ['lib', 'vendors'],
  locales: ['lib', 'config'],
  features: ['lib', 'config', 'env', 'db', 'vendors'],
  services: ['lib', 'config', 'env', 'locales', 'db', 'vendors', 'features'],
  jobs: ['lib', 'config', 'env', 'locales', 'db', 'vendors', 'features', 'services'],
  'api/middleware': ['lib', 'config', 'env', 'locales', 'db', 'features', 'services'],
  'api/openapi': ['config', 'features', 'api/middleware'],
  'api/routes': [
    'lib',
    'config',
    'locales',
    'vendors',
    'features',
    'services',
    'api/middleware',
    'api/openapi',
  ],
  'api/areas': ['api/middleware', 'api/routes'],
  api: ['config', 'api/areas', 'api/middleware', 'api/openapi'],
  styles: [],
  islands: ['lib', 'config', 'locales', 'features', 'styles', 'components', 'type:api'],
  layouts: [
    'lib',
    'config',
    'env',
    'locales',
    'db',
    'features',
    'styles',
    'components',
    'islands',
    'integrations',
  ],
  components: ['lib', 'config', 'env', 'locales', 'db', 'features', 'styles', 'islands'],
  'service-worker': ['config', 'features', 'type:api'],
  integrations: ['lib', 'config', 'locales', 'db', 'features', 'styles', 'islands', 'layouts', 'components'],
  pages: ['lib', 'config', 'env', 'locales', 'db', 'features', 'styles', 'islands', 'layouts', 'components'],
};

/** Each feature may import those before it, so that there is no cycle. */
const FEATURES = [
  'page-cache',
  'safety',
  'storage',
  'picture',
  'runtime-config',
  'markup',
  'search',
  'model',
  'reply-style',
  'character',
  'billing',
  'mail',
  'account',
  'cards',
  'competition',
  'moderation',
  'wallet',
  'conversation',
  'export',
  'feedback',
  'home',
  'offline',
  'page-view',
  'persona',
  'stats',
  'status',
];

/** Package → layers that may import it. Packages that are not listed may be imported by every layer. */
const PACKAGES = {
  hono: ['islands', 'api', 'api/areas', 'api/middleware', 'api/openapi', 'api/routes'],
  'drizzle-orm': ['lib', 'db', 'features'],
  react: ['islands', 'integrations'],
  'react-dom': ['islands', 'integrations'],
  astro: ['pages', 'layouts', 'components', 'integrations', 'service-worker'],
  zod: [
    'lib',
    'env',
    'vendors',
    'features',
    'services',
    'api',
    'api/areas',
    'api/middleware',
    'api/openapi',
    'api/routes',
  ],
};

/** Files of a feature that read or call something outside; every other one is pure and gets rows and time as arguments. */
const SHELL =
  /(?:-(?:store|statements|object|gateway)|\/(?:compose-conversation|conversation-host|session))\.ts$/;
const STORE_OR_OBJECT = /-(?:store|object)\.ts$/;
/** Layers that run in the browser. They may import contracts and pure rules, but nothing that opens a database. */
const BROWSER = new Set(['islands', 'service-worker']);
/** Entry points may import everything. */
const ENTRY = /^src\/[\w.]+$/;

const layerOf = (path) => {
  const [, first, second, more] = path.split('/');
  return first === 'api' && more !== undefined ? `api/${second}` : first;
};
const featureOf = (path) => path.split('/')[2];

/** Why a layer may not import a package, or null. */
function refusePackage(from, name) {
  const isScoped = name.startsWith('@');
  const base = name
    .split('/')
    .slice(0, isScoped ? 2 : 1)
    .join('/')
    .replace(/^astro:.*/, 'astro');
  const layers = PACKAGES[base];
  return layers === undefined || layers.includes(layerOf(from))
    ? null
    : `${layerOf(from)} does not import ${base}`;
}

/** Why a file may not import another one, or null. Paths are from the repository's root, such as `src/lib/hash.ts`. */
export function refuseImport(from, to, isType) {
  const [layer, other] = [layerOf(from), layerOf(to)];
  if (/\/index(?:\.tsx?)?$/.test(to)) return 'no barrels: import from the file itself';
  if (layer !== other) {
    const allowed = LAYERS[layer] ?? [];
    if (!allowed.includes(other) && !(isType && allowed.includes(`type:${other}`)))
      return `${layer} does not import ${other}`;
  }
  if (isType) return null;
  if (BROWSER.has(layer) && other === 'features' && SHELL.test(to))
    return 'the browser imports contracts and pure rules alone';
  if (layer === 'pages' && to.endsWith('-object.ts')) return 'pages read stores and call no object';
  if (layer !== 'features') return null;
  if (!SHELL.test(from) && (other === 'db' || other === 'vendors' || other === 'env' || SHELL.test(to)))
    return 'a rule is pure: rows, settings, time and ids come in as arguments';
  if (from.endsWith('-store.ts') && (other === 'vendors' || to.endsWith('-object.ts')))
    return 'a store is SQL: it calls no vendor and no object';
  return null;
}

/** Why a feature may not import another feature's file, or null. */
function refuseFeature(from, to) {
  const [own, other] = [featureOf(from), featureOf(to)];
  if (layerOf(from) !== 'features' || layerOf(to) !== 'features' || own === other) return null;
  if (FEATURES.indexOf(other) >= FEATURES.indexOf(own)) return `${own} stands before ${other}`;
  return STORE_OR_OBJECT.test(to) ? 'a feature never imports the store or object of another one' : null;
}

const layers = {
  create(context) {
    const from = relative(context.cwd, context.filename).split(sep).join('/');
    if (!from.startsWith('src/') || ENTRY.test(from)) return {};
    const check = (node) => {
      const name = node.source?.value;
      if (typeof name !== 'string') return;
      const kinds = (node.specifiers ?? []).map((each) => each.importKind ?? each.exportKind);
      const isType =
        (node.importKind ?? node.exportKind) === 'type' ||
        (kinds.length > 0 && kinds.every((kind) => kind === 'type'));
      const to = name.startsWith('.') ? posix.join(posix.dirname(from), name.replace(/\?.*$/, '')) : null;
      if (to !== null && !to.startsWith('src/')) return;
      const refusePath = (path) => refuseImport(from, path, isType) ?? refuseFeature(from, path);
      const refuseName = () => (isType ? null : refusePackage(from, name));
      const reason = to === null ? refuseName() : refusePath(to);
      if (reason !== null)
        context.report({ node, message: `Imports go down only: ${reason} (docs/architecture.md).` });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
  },
};

export default { meta: { name: 'loreloom' }, rules: { layers } };

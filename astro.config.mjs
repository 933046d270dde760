import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import cloudflare from '@astrojs/cloudflare';
import { cacheCloudflare } from '@astrojs/cloudflare/cache';
import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { minifySync } from 'vite';
import { createGalleryIntegration } from './src/integrations/gallery/integration.ts';
import { createChatModulesIntegration } from './src/integrations/chat-modules/integration.ts';
import { createCompactWorkerIntegration } from './src/integrations/compact-worker/integration.ts';
import { createClientDirectivesIntegration } from './src/integrations/client-directives/integration.ts';
import { serviceWorker } from './src/service-worker/integration.ts';
import { createTestLoginIntegration } from './src/integrations/test-login/integration.ts';

// Three inline scripts are in most pages: the theme and the sidebar, set before the first paint, and the rules by which
// the browser draws pages beforehand. Others set how a chat looks on the device, show its end before its script is there, leave out of lists what
// somebody hides, and choose what the home page begins with. The policy names them by their hashes.
const inlineScripts = [
  './src/layouts/theme-boot.js',
  './src/layouts/sidebar-boot.js',
  './src/layouts/speculation-rules.json',
  './src/components/scripts/chat-settings-boot.js',
  './src/components/scripts/scroll-chat.js',
  './src/components/scripts/start-button.js',
  './src/components/scripts/hide-cards.js',
  './src/components/scripts/home-boot.js',
];
/** The texts of the inline scripts, by file. Names at the top level stay, because the scripts of a page share them. */
const inlineTexts = new Map(
  inlineScripts.map((path) => {
    const file = fileURLToPath(new URL(path, import.meta.url));
    const text = readFileSync(file, 'utf8');
    if (path.endsWith('.json')) return [file, JSON.stringify(JSON.parse(text))];
    return [file, minifySync(path, text, { mangle: { toplevel: false } }).code.trim()];
  }),
);
/** @param {string} text */
const computeHash = (text) =>
  /** @type {const} */ (`sha256-${createHash('sha256').update(text).digest('base64')}`);

/** Lets pages import the inline scripts (`?raw`) as they are hashed. */
const inlinePlugin = {
  name: 'loreloom-inline-scripts',
  enforce: /** @type {const} */ ('pre'),
  /** @param {string} id */
  load(id) {
    const text = id.endsWith('?raw') ? inlineTexts.get(id.slice(0, -'?raw'.length)) : undefined;
    return text === undefined ? undefined : `export default ${JSON.stringify(text)};`;
  },
};

// Builds for this machine and for tests have what only those who build and test need.
const isLocalBuild = process.env.LORELOOM_LOCAL_BUILD === '1';

export default defineConfig({
  output: 'server',
  outDir: process.env.LORELOOM_OUT_DIR ?? './dist',
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'never' },
  session: false,
  devToolbar: { enabled: false },
  adapter: cloudflare({ imageService: 'passthrough' }),
  // What pages say of shared caches, by layouts/shared-page.ts alone.
  cache: { provider: cacheCloudflare() },
  integrations: [
    react(),
    createClientDirectivesIntegration(),
    createChatModulesIntegration(),
    createCompactWorkerIntegration(),
    serviceWorker(),
    ...(isLocalBuild ? [createGalleryIntegration(), createTestLoginIntegration()] : []),
  ],
  security: {
    // The Worker's own chain checks the origin of every state-changing call.
    checkOrigin: false,
    csp: {
      algorithm: 'SHA-256',
      directives: [
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
      ],
      scriptDirective: { hashes: [...inlineTexts.values()].map(computeHash) },
      // Inline, because the browser has to know it before the stylesheets are there.
      styleDirective: {
        hashes: [
          computeHash(readFileSync(new URL('./src/layouts/view-transitions.css', import.meta.url), 'utf8')),
        ],
      },
    },
  },
  // Highlighters write inline styles, which the policy above refuses.
  markdown: { syntaxHighlight: false },
  vite: {
    plugins: [inlinePlugin, tailwindcss()],
    // No colour depends on `light-dark()`, whose fallback would be in every stylesheet (lightningcss: Features.LightDark).
    css: { lightningcss: { exclude: 1 << 20 } },
    // One string for each file of texts: the Worker compiles all of its modules when it starts, and a variable for each text
    // takes it far longer.
    json: { namedExports: false, stringify: true },
    // Pieces of typefaces stay files: the policy above refuses what is written into the stylesheet.
    build: { assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined) },
    environments: {
      ssr: {
        build: {
          rolldownOptions: {
            output: {
              // Each language is one file, which the Worker reads when someone asks for the language.
              advancedChunks: {
                groups: [
                  {
                    name: (id) => `texts-${/src\/locales\/([a-z]+)\//.exec(id)?.[1]}`,
                    test: /src\/locales\/[a-z]+\/\w+\.json$/,
                  },
                ],
              },
            },
          },
        },
      },
      client: {
        build: {
          rolldownOptions: {
            output: {
              // Scripts of every page form one file, because on a phone a request costs more than the few bytes it saves.
              // Their two entry points stay separate, because not every page has both.
              advancedChunks: {
                groups: [
                  {
                    name: 'page',
                    test: /src\/(?:layouts\/scripts\/(?!(?:shell|page|saved-list-page|onboarding|invite-note|android-banner|check-create-permission|google-analytics|offline-page|session\/(?!account\.)[\w-]+|spicy\/(?:spicy|spicy-switch|age-check))\.ts)|components\/data\/view-params\.|islands\/saved-lists\/pending-action\.)/,
                  },
                  // Names and limits: many small modules that most pages need some of.
                  { name: 'limits', test: /src\/(?:config\/(?!brand\.)|features\/[a-z-]+\/limits\.)/ },
                  // Error messages and formats, also on pages without React or a session: before the session's, which also needs them.
                  {
                    name: 'errors',
                    test: /src\/(?:islands\/shared\/(?:errors|translator|load-messages)|locales\/format)\./,
                  },
                  // Parts of the shell for users with a session, and what chats need of them.
                  {
                    name: 'session',
                    test: /src\/(?:layouts\/scripts\/(?:session\/(?:session-parts|account-language|history|history-list|profile|persist-shell|device-copy|offline-note|outbox)|spicy\/spicy)\.|features\/conversation\/(?:age-groups|conversation-link)\.|islands\/shared\/(?:conversation-list-state|cached-copies-state)\.)/,
                  },
                  // Every dialog needs these small modules together, and some the product's name.
                  {
                    name: 'dialog',
                    test: /src\/(?:config\/brand|islands\/shared\/(?:styles|clock|ui\/(?:Modal|LazyMessages|return-focus|DialogHead|DialogIcon|IconPath|is-composing)))\./,
                  },
                ],
              },
            },
          },
        },
      },
    },
    define: { __LOCAL_BUILD__: JSON.stringify(isLocalBuild) },
  },
});

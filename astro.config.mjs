import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import cloudflare from '@astrojs/cloudflare';
import { cacheCloudflare } from '@astrojs/cloudflare/cache';
import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { createGalleryIntegration } from './src/integrations/gallery/integration.ts';
import { createChatModulesIntegration } from './src/integrations/chat-modules/integration.ts';
import { createCompactWorkerIntegration } from './src/integrations/compact-worker/integration.ts';
import { createClientDemandIntegration } from './src/integrations/client-demand/integration.ts';
import { serviceWorker } from './src/service-worker/integration.ts';
import { createTestLoginIntegration } from './src/integrations/test-login/integration.ts';

// Two inline scripts are in every page: the theme, set before the first paint, and the rules by which the browser
// draws pages beforehand; a third shows the end of a chat before the chat's script is there, and a fourth leaves out of lists
// what somebody hides, before it is seen. The policy names them by their hashes.
const inlineScripts = [
  './src/layouts/theme-boot.js',
  './src/layouts/speculation-rules.json',
  './src/components/scripts/scroll-chat.js',
  './src/components/scripts/hide-cards.js',
];
const computeHash = (path) => {
  const text = readFileSync(new URL(path, import.meta.url), 'utf8');
  return /** @type {const} */ (`sha256-${createHash('sha256').update(text).digest('base64')}`);
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
    createClientDemandIntegration(),
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
      scriptDirective: { hashes: inlineScripts.map(computeHash) },
      // Inline, because the browser has to know it before the stylesheets are there.
      styleDirective: { hashes: [computeHash('./src/layouts/view-transitions.css')] },
    },
  },
  // Highlighters write inline styles, which the policy above refuses.
  markdown: { syntaxHighlight: false },
  vite: {
    plugins: [tailwindcss()],
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
                    test: /src\/(?:layouts\/scripts\/(?!(?:shell|page|saved-list-page|history-list|check-create-permission|google-analytics|offline-page|spicy\/(?:spicy-switch|age-check))\.ts)|components\/scripts\/view-refresh\.|islands\/saved-lists\/pending-action\.)/,
                  },
                  // Names and limits: many small modules that most pages need some of.
                  { name: 'limits', test: /src\/(?:config\/(?!brand\.)|features\/[a-z-]+\/limits\.)/ },
                  // Error messages, also on pages without React.
                  { name: 'errors', test: /src\/islands\/shared\/(?:errors|translator|load-messages)\./ },
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

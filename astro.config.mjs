import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import cloudflare from '@astrojs/cloudflare';
import react from '@astrojs/react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { clientAsk } from './src/layouts/client-ask/integration.ts';

// The theme is set before the first paint by one inline script; the policy names it by its hash.
const themeScript = readFileSync(new URL('./src/layouts/theme-boot.js', import.meta.url), 'utf8');
const themeHash = `sha256-${createHash('sha256').update(themeScript).digest('base64')}`;

export default defineConfig({
  output: 'server',
  outDir: process.env.LORELOOM_OUT_DIR ?? './dist',
  trailingSlash: 'never',
  build: { format: 'file', inlineStylesheets: 'never' },
  session: false,
  devToolbar: { enabled: false },
  adapter: cloudflare({ imageService: 'passthrough' }),
  integrations: [react(), clientAsk()],
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
      scriptDirective: { hashes: [themeHash] },
    },
  },
  // Highlighters write inline styles, which the policy above refuses.
  markdown: { syntaxHighlight: false },
  vite: { plugins: [tailwindcss()] },
});

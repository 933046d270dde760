import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import type { Plugin } from 'vite';
import { CHAT_MODULES_PLACEHOLDER } from './chat-modules.ts';

/** The chat island and the script that hydrates React islands. */
const ENTRIES = ['/src/islands/chat/Chat.tsx', '/@astrojs/react/dist/client.js'];

/**
 * Writes the names of the chat's script files into chat-modules.ts, so that the page can preload them.
 * Without this, each level of imports costs a round trip. Pages are built before the file names are known,
 * hence the replacement afterwards.
 */
export function createChatModulesIntegration(): AstroIntegration {
  let files: string[] = [];
  let server: URL;
  const plugin: Plugin = {
    name: 'loreloom:chat-modules',
    applyToEnvironment: ({ name }) => name === 'client',
    generateBundle(_, bundle) {
      const found = new Set<string>();
      const collectChunk = (file: string) => {
        const chunk = bundle[file];
        if (found.has(file) || chunk?.type !== 'chunk') return;
        found.add(file);
        for (const needed of chunk.imports) collectChunk(needed);
      };
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk' && ENTRIES.some((entry) => chunk.facadeModuleId?.endsWith(entry)))
          collectChunk(chunk.fileName);
      }
      files = [...found];
    },
  };
  return {
    name: 'loreloom:chat-modules',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => void updateConfig({ vite: { plugins: [plugin] } }),
      'astro:config:done': ({ config }) => {
        server = config.build.server;
      },
      'astro:build:done': ({ dir }) => {
        if (files.length < ENTRIES.length)
          throw new Error('The files of the chat were not found in the build.');
        const folder = join(fileURLToPath(server), 'chunks');
        // Files that only contained styles are empty and have been removed.
        const existingFiles = files.filter((file) => existsSync(new URL(file, dir)));
        const paths = existingFiles.map((file) => `/${file}`).join(' ');
        let replacements = 0;
        for (const name of readdirSync(folder).filter((file) => file.endsWith('.mjs'))) {
          const text = readFileSync(join(folder, name), 'utf8');
          if (!text.includes(CHAT_MODULES_PLACEHOLDER)) continue;
          replacements += 1;
          writeFileSync(join(folder, name), text.replace(CHAT_MODULES_PLACEHOLDER, paths));
        }
        if (replacements !== 1)
          throw new Error(`The names of the chat's files have ${replacements} places in the build.`);
      },
    },
  };
}

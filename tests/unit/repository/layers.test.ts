import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** For every layer, files and imports that lint has to refuse. */
const REFUSED: readonly (readonly [file: string, imported: string])[] = [
  ['src/lib/x.ts', '../db/open.ts'],
  ['src/lib/x.ts', '../features/home/home-selection.ts'],
  ['src/lib/x.ts', 'hono'],
  ['src/config/x.ts', '../features/home/home-selection.ts'],
  ['src/vendors/x.ts', '../features/home/home-selection.ts'],
  ['src/vendors/x.ts', '../env/read-environment.ts'],
  ['src/vendors/x.ts', 'react'],
  ['src/db/x.ts', '../features/home/home-selection.ts'],
  ['src/db/schema/x.ts', '../../lib/index.ts'],
  ['src/db/x.ts', 'hono'],
  ['src/env/x.ts', '../features/home/home-selection.ts'],
  ['src/env/x.ts', '../db/open.ts'],
  ['src/locales/x.ts', '../features/home/home-selection.ts'],
  ['src/locales/x.ts', '../islands/shared/api.ts'],
  ['src/features/home/x.ts', '../../services/start-conversation.ts'],
  ['src/features/home/x.ts', '../../api/app.ts'],
  ['src/features/home/x.ts', '../../locales/i18n.ts'],
  ['src/features/home/x.ts', '../../db/open.ts'],
  ['src/features/home/x.ts', '../../vendors/model.ts'],
  ['src/features/home/x.ts', '../model/model-gateway.ts'],
  ['src/features/home/x.ts', '../character/character-store.ts'],
  ['src/features/home/x.ts', 'hono/cookie'],
  ['src/features/home/x.ts', 'astro:content'],
  ['src/features/home/home-store.ts', '../character/character-store.ts'],
  ['src/features/home/home-store.ts', '../../vendors/model.ts'],
  ['src/features/character/x.ts', '../conversation/contract.ts'],
  ['src/features/conversation/turn/x.ts', '../../stats/contract.ts'],
  ['src/services/x.ts', '../api/middleware/problems.ts'],
  ['src/services/x.ts', '../jobs/schedule.ts'],
  ['src/services/x.ts', 'hono'],
  ['src/services/x.ts', 'drizzle-orm'],
  ['src/jobs/x.ts', '../api/middleware/context.ts'],
  ['src/jobs/x.ts', 'hono'],
  ['src/api/middleware/x.ts', '../routes/billing/points.ts'],
  ['src/api/middleware/x.ts', '../../jobs/schedule.ts'],
  ['src/api/openapi/x.ts', '../../db/open.ts'],
  ['src/api/routes/site/x.ts', 'drizzle-orm/d1'],
  ['src/api/routes/site/x.ts', '../../../db/schema/core.ts'],
  ['src/api/routes/site/x.ts', '../../../islands/shared/api.ts'],
  ['src/api/x.ts', '../pages/robots.txt.ts'],
  ['src/islands/chat/x.ts', '../../features/character/character-store.ts'],
  ['src/islands/chat/x.ts', '../../features/conversation/conversation-object.ts'],
  ['src/islands/chat/x.ts', '../../features/model/model-gateway.ts'],
  ['src/islands/chat/x.ts', '../../vendors/model.ts'],
  ['src/islands/chat/x.ts', '../../api/app.ts'],
  ['src/islands/chat/x.ts', '../../layouts/sections.ts'],
  ['src/islands/chat/x.ts', '../../env/schema.js'],
  ['src/islands/chat/x.ts', 'drizzle-orm'],
  ['src/islands/chat/x.ts', 'zod'],
  ['src/service-worker/x.ts', '../features/character/character-store.ts'],
  ['src/service-worker/x.ts', '../api/app.ts'],
  ['src/service-worker/x.ts', '../islands/shared/api.ts'],
  ['src/service-worker/x.ts', 'zod'],
  ['src/components/x.ts', '../layouts/sections.ts'],
  ['src/components/x.ts', '../services/start-conversation.ts'],
  ['src/layouts/x.ts', '../api/app.ts'],
  ['src/layouts/x.ts', '../pages/robots.txt.ts'],
  ['src/integrations/x.ts', '../pages/robots.txt.ts'],
  ['src/pages/x.ts', '../features/conversation/conversation-object.ts'],
  ['src/pages/x.ts', '../services/start-conversation.ts'],
  ['src/pages/x.ts', '../vendors/model.ts'],
  ['src/pages/x.astro', '../api/app.ts'],
];

/** Imports that the same layers need. */
const ALLOWED: readonly (readonly [file: string, imported: string])[] = [
  ['src/db/x.ts', '../lib/hash.ts'],
  ['src/features/home/x.ts', '../character/contract.ts'],
  ['src/features/home/home-store.ts', '../../db/schema/core.ts'],
  ['src/features/home/home-gateway.ts', '../../vendors/model.ts'],
  ['src/services/x.ts', '../features/character/character-store.ts'],
  ['src/jobs/x.ts', '../services/start-conversation.ts'],
  ['src/api/routes/site/x.ts', '../../../features/character/character-store.ts'],
  ['src/api/routes/site/x.ts', 'hono'],
  ['src/islands/chat/x.ts', '../../features/home/home-selection.ts'],
  ['src/service-worker/x.ts', '../features/offline/offline-rules.ts'],
  ['src/pages/x.ts', '../features/character/character-store.ts'],
  ['src/worker.ts', './api/app.ts'],
  ['src/middleware.ts', './layouts/csp.ts'],
];

/** Returns the imports that lint refuses, each as “file imported”. */
function listRefused(tried: readonly (readonly [string, string])[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-layers-'));
  try {
    mkdirSync(join(folder, 'scripts/lint'), { recursive: true });
    for (const file of ['.oxlintrc.json', 'scripts/lint/layers.mjs']) copyFileSync(file, join(folder, file));
    const named = tried.map(([file, imported], index) => {
      const path = file
        .replace(/x\.(ts|astro)$/, `x${index}.$1`)
        .replace(/home-(store|gateway)\.ts$/, `x${index}-$1.ts`);
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      const code = `import { it } from '${imported}';\nexport const own = it;\n`;
      writeFileSync(join(folder, path), path.endsWith('.astro') ? `---\n${code}---\n` : code);
      return { path, row: `${file} ${imported}` };
    });
    const { stdout } = spawnSync('oxlint', ['--format=json', 'src'], { cwd: folder, encoding: 'utf8' });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
    const found = diagnostics.filter(({ code }) => code.includes('layers')).map(({ filename }) => filename);
    return named.filter(({ path }) => found.some((name) => name.endsWith(path))).map(({ row }) => row);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('lint refuses an import of a higher layer in every layer', () => {
  expect(listRefused(REFUSED)).toEqual(REFUSED.map((row) => row.join(' ')));
});

test('lint allows imports of lower layers', () => {
  expect(listRefused(ALLOWED)).toEqual([]);
});

test('SQL outside of stores only checks whether a database answers', () => {
  const queries = globSync('src/{api,services,jobs}/**/*.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\.prepare\(\s*(?<sql>[^)]*)\)/g)].map(
      ({ groups }) => groups?.sql ?? '',
    ),
  );
  expect(queries.filter((sql) => !/^'select 1(?: from \w+ limit 1)?'$/.test(sql))).toEqual([]);
});

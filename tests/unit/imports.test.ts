import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

// Imports go down only, and lint enforces it: each way up is tried.

/** A file, and what it must not import. */
const UP: readonly (readonly [file: string, imported: string])[] = [
  ['src/service-worker/x.ts', '../features/character/character-store.ts'],
  ['src/service-worker/x.ts', '../features/conversation/conversation-object.ts'],
  ['src/service-worker/x.ts', '../api/app.ts'],
  ['src/service-worker/x.ts', '../vendors/model.ts'],
  ['src/service-worker/x.ts', '../db/open.ts'],
  ['src/service-worker/x.ts', '../islands/shared/api.ts'],
  ['src/service-worker/x.ts', '../layouts/policy.ts'],
  ['src/service-worker/x.ts', '../features/picture/clearing-ports.ts'],
  ['src/service-worker/x.ts', '../environment/variables.js'],
  ['src/service-worker/x.ts', 'drizzle-orm'],
  ['src/service-worker/x.ts', 'drizzle-orm/d1'],
  ['src/service-worker/x.ts', 'zod'],
  ['src/ui/x.ts', '../islands/shared/api.ts'],
  ['src/ui/x.ts', '../pages/_parts/attempt.ts'],
  ['src/ui/x.ts', '../layouts/policy.ts'],
  ['src/ui/x.ts', '../features/home/home-selection.ts'],
  ['src/ui/x.ts', '../db/open.ts'],
  ['src/api/x.ts', 'drizzle-orm'],
  ['src/api/x.ts', 'drizzle-orm/d1'],
  ['src/api/x.ts', '../db/schema.ts'],
  ['src/api/x.ts', '../db/billing-schema.ts'],
  ['src/api/x.ts', '../islands/shared/api.ts'],
  ['src/islands/chat/x.ts', '../../features/character/character-store.ts'],
  ['src/islands/chat/x.ts', '../../vendors/model.ts'],
  ['src/islands/chat/x.ts', '../../api/app.ts'],
  ['src/islands/chat/x.ts', '../../pages/_parts/attempt.ts'],
  ['src/islands/chat/x.ts', '../../layouts/policy.ts'],
  ['src/islands/chat/x.ts', '../../features/picture/clearing-ports.ts'],
  ['src/islands/chat/x.ts', '../../environment/variables.js'],
  ['src/islands/chat/x.ts', 'drizzle-orm'],
  ['src/islands/chat/x.ts', 'drizzle-orm/d1'],
  ['src/islands/chat/x.ts', 'zod'],
  ['src/pages/x.ts', '../features/conversation/conversation-object.ts'],
  ['src/pages/x.ts', '../vendors/model.ts'],
  ['src/pages/x.ts', '../api/app.ts'],
  ['src/layouts/x.ts', '../api/app.ts'],
  ['src/features/home/x.ts', '../../api/app.ts'],
  ['src/features/home/x.ts', '../../locales/i18n.ts'],
  ['src/features/home/x.ts', '../character/character-store.ts'],
  ['src/features/home/home-store.ts', '../character/character-store.ts'],
  ['src/features/home/home-store.ts', '../../vendors/model.ts'],
  ['src/vendors/x.ts', '../features/home/home-selection.ts'],
  ['src/vendors/x.ts', '../ui/icon-paths.ts'],
  ['src/vendors/x.ts', '../service-worker/worker.ts'],
  ['src/vendors/x.ts', 'react'],
  ['src/db/x.ts', '../api/app.ts'],
  ['src/db/x.ts', '../ui/icon-paths.ts'],
  ['src/db/x.ts', '../service-worker/worker.ts'],
  ['src/db/x.ts', 'react'],
  ['src/x.ts', './pages/_parts/post-rules.ts'],
  ['src/x.ts', './layouts/policy.ts'],
  ['src/x.ts', './islands/shared/api.ts'],
  ['src/x.ts', './ui/icon-paths.ts'],
  ['src/x.ts', './service-worker/worker.ts'],
  ['src/x.ts', './api/app.ts'],
  ['src/x.ts', './features/home/home-selection.ts'],
  ['src/x.ts', './locales/i18n.ts'],
  ['src/x.ts', './vendors/model.ts'],
  ['src/x.ts', './db/open.ts'],
  ['src/x.ts', 'react'],
  ['src/environment/x.ts', '../api/app.ts'],
  ['src/environment/x.ts', '../features/home/home-selection.ts'],
  ['src/environment/x.ts', '../vendors/model.ts'],
  ['src/environment/x.ts', '../db/open.ts'],
  ['src/environment.ts', './api/app.ts'],
  ['src/content.config.ts', './pages/_parts/posts.ts'],
  ['src/worker.ts', './pages/_parts/posts.ts'],
  ['src/middleware.ts', './islands/shared/api.ts'],
  ['src/makers-page.ts', './ui/icon-paths.ts'],
  ['src/locales/x.ts', '../features/home/home-selection.ts'],
];

/** What the same rooms need and may have. */
const DOWN: readonly (readonly [file: string, imported: string])[] = [
  ['src/service-worker/x.ts', '../features/offline/offline-rules.ts'],
  ['src/ui/x.ts', './icon-paths.ts'],
  ['src/api/x.ts', '../features/character/character-store.ts'],
  ['src/api/x.ts', '../db/open.ts'],
  ['src/islands/chat/x.ts', '../../features/home/home-selection.ts'],
  ['src/pages/x.ts', '../features/character/character-store.ts'],
  ['src/features/home/home-store.ts', '../../db/schema.ts'],
  ['src/x.ts', './config.ts'],
  ['src/environment/x.ts', '../log.ts'],
  ['src/environment.ts', './vendors/google.ts'],
  ['src/worker.ts', './api/app.ts'],
  ['src/middleware.ts', './layouts/policy.ts'],
];

/** Of the imports that are tried, those that lint refuses. */
function refused(tried: readonly (readonly [string, string])[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-imports-'));
  try {
    copyFileSync('.oxlintrc.json', join(folder, '.oxlintrc.json'));
    const named = tried.map(([file, imported], index) => {
      const path = file.replace(/x\.ts$/, `x${index}.ts`).replace(/home-store\.ts$/, `x${index}-store.ts`);
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `import { it } from '${imported}';\nexport const own = it;\n`);
      return { path, row: `${file} ${imported}` };
    });
    const { stdout } = spawnSync('oxlint', ['--format=json', '.'], { cwd: folder, encoding: 'utf8' });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
    const found = diagnostics
      .filter(({ code }) => code.includes('no-restricted-imports'))
      .map(({ filename }) => filename);
    return named.filter(({ path }) => found.some((name) => name.endsWith(path))).map(({ row }) => row);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('A file that imports what stands above it is refused by lint', () => {
  expect(refused(UP)).toEqual(UP.map((row) => row.join(' ')));
});

test('A file that imports what stands below it is not', () => {
  expect(refused(DOWN)).toEqual([]);
});

test('The API writes no SQL: it asks a database whether it is there, and nothing else', () => {
  const asked = readdirSync('src/api').flatMap((name) =>
    [...readFileSync(join('src/api', name), 'utf8').matchAll(/\.prepare\(\s*(?<sql>[^)]*)\)/g)].map(
      ({ groups }) => groups?.sql ?? '',
    ),
  );
  expect(asked.filter((sql) => !/^'select 1(?: from \w+ limit 1)?'$/.test(sql))).toEqual([]);
});

// Parses the product's source files with the parsers of the build. Plain JavaScript for Node 20.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Astro's compiler and the bundler's parser are dependencies of Astro and Vite, not of this package.
const require = createRequire(import.meta.url);
const load = (owner, name) =>
  import(pathToFileURL(createRequire(require.resolve(`${owner}/package.json`)).resolve(name)).href);
const [{ parse: parseAstro }, { parseAst }] = await Promise.all([
  load('astro', '@astrojs/compiler-rs'),
  load('vite', 'rolldown/parseAst'),
]);

/**
 * @typedef {{ type: string, start: number, [part: string]: any }} Node an ESTree node, JSX and Astro's included (any: what a node holds depends on its type, which each use checks)
 * @typedef {{ file: string, source: string, tree: Node }} Source `file` as people name it, from the checkout's root
 */

/**
 * Parses one source file.
 * @param {string} file its extension determines the language: .astro, .tsx, .ts
 * @param {string} source
 * @returns {Source}
 * @throws when it cannot be parsed
 */
export function sourceOf(file, source) {
  if (!file.endsWith('.astro')) {
    return { file, source, tree: parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) };
  }
  const { ast, diagnostics } = parseAstro(source);
  const failed = diagnostics.find(({ severity }) => severity === 'error' || severity === 1);
  if (failed) throw new Error(`${file}: ${failed.text ?? failed.message ?? 'not parsed'}`);
  return { file, source, tree: ast };
}

/**
 * Parses every source below some folders of `src`.
 * @param {string} root the checkout
 * @param {(file: string) => boolean} wanted by the name from the root
 */
export function readSources(root, wanted) {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.(?:astro|tsx?)$/.test(entry.name) && !entry.name.endsWith('.d.ts'),
    )
    .map((entry) =>
      join(entry.parentPath ?? entry.path, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter(wanted)
    .sort()
    .map((file) => sourceOf(file, readFileSync(join(root, file), 'utf8')));
}

/** Returns the direct children of a node. */
export function childrenOf(node) {
  const children = [];
  for (const [name, value] of Object.entries(node)) {
    if (name === 'type' || typeof value !== 'object' || value === null) continue;
    for (const item of Array.isArray(value) ? value : [value])
      if (typeof item?.type === 'string') children.push(item);
  }
  return children;
}

/** Visits a node and its descendants, parents first. A function that `enter` returns is called after the descendants. */
export function walk(node, enter, parent = null) {
  const leave = enter(node, parent);
  for (const child of childrenOf(node)) walk(child, enter, node);
  if (typeof leave === 'function') leave();
}

/** Returns an expression without its type annotations. */
export function bare(node) {
  let inner = node;
  while (
    [
      'TSAsExpression',
      'TSSatisfiesExpression',
      'TSNonNullExpression',
      'ParenthesizedExpression',
      'ChainExpression',
    ].includes(inner?.type)
  ) {
    inner = inner.expression;
  }
  return inner;
}

/** Returns the line on which a node begins, counted from 1. */
export const lineAt = ({ source }, node) => source.slice(0, node.start).split('\n').length;

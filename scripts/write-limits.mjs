// Writes docs/tables/limits.md from the constants of the code: `node scripts/write-limits.mjs`.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { RATES, RATES_BY_COST, WIDER_RATES } from '../src/api/middleware/rate-limits.ts';
import { ROOT } from './lib/process.mjs';

/** Files that consist of limits, and files with a limit that no other file needs. */
const LIMIT_FILES = ['src/config/*-limits.ts', 'src/features/*/limits.ts'];
const OTHER_FILES = ['src/{api,config,features,services,vendors}/**/*.ts'];
const OTHER_NAMES = /^MAX_|_LIMITS$/;

const MINUTE_MS = 60_000;
const TIMES = [
  [24 * 60 * MINUTE_MS, 'day'],
  [60 * MINUTE_MS, 'hour'],
  [MINUTE_MS, 'minute'],
  [1000, 'second'],
  [1, 'millisecond'],
];
const SIZES = [
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
];

const formatCount = (count) => count.toLocaleString('en-US');

/** Formats a value by the unit in its name: `maxEventBytes` as a size, `lifetimeMs` as a time. */
export function formatLimit(name, value) {
  if (typeof value === 'string') return `\`${value}\``;
  if (Array.isArray(value)) return value.map((one) => formatLimit(name, one)).join(', ');
  const unit = name.split('.').at(-1);
  if (/(?:Ms|_MS)$/.test(unit) || name.includes('Ms.')) {
    const [ms, word] = TIMES.find(([length]) => value % length === 0);
    return `${formatCount(value / ms)} ${word}${value === ms ? '' : 's'}`;
  }
  if (/(?:Bytes|_BYTES)$/.test(unit) || name.startsWith('BODY_LIMITS.')) {
    const [bytes, word] = SIZES.find(([length]) => value % length === 0) ?? [1, 'bytes'];
    return `${formatCount(value / bytes)} ${word}`;
  }
  return formatCount(value);
}

/** The comment above a node as one line; empty without one. */
function readComment(source, node) {
  const comments = (ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []).map(
    ({ pos, end, kind }) => ({
      text: source.text.slice(pos, end),
      isLine: kind === ts.SyntaxKind.SingleLineCommentTrivia,
    }),
  );
  // A comment of several lines is one range for each line.
  const first = comments.findLastIndex(({ isLine }) => !isLine);
  const own = comments.at(-1)?.isLine ? comments.slice(first + 1) : comments.slice(-1);
  return own
    .map(({ text }) => text.replaceAll(/^\/\*\*?|\*\/$|^\s*\*(?= |$)|^\/\/ ?/gm, ''))
    .join(' ')
    .replaceAll(/\{@link (\w+)\}/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .trim();
}

const unwrap = (node) =>
  node !== undefined && (ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    ? unwrap(node.expression)
    : node;

const OPERATIONS = {
  [ts.SyntaxKind.PlusToken]: (a, b) => a + b,
  [ts.SyntaxKind.MinusToken]: (a, b) => a - b,
  [ts.SyntaxKind.AsteriskToken]: (a, b) => a * b,
  [ts.SyntaxKind.AsteriskAsteriskToken]: (a, b) => a ** b,
};

/** The value of an expression of numbers and of the file's own constants; NaN for any other expression. */
function evaluate(node, constants) {
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isIdentifier(node)) return constants.get(node.text) ?? Number.NaN;
  if (ts.isParenthesizedExpression(node)) return evaluate(node.expression, constants);
  const operation = ts.isBinaryExpression(node) ? OPERATIONS[node.operatorToken.kind] : undefined;
  return operation === undefined
    ? Number.NaN
    : operation(evaluate(node.left, constants), evaluate(node.right, constants));
}

/** Whether an expression computes a number from the constants of other files. */
const isComputed = (node) =>
  ts.isPropertyAccessExpression(node) || ts.isBinaryExpression(node) || ts.isCallExpression(node);

/** The limits of a constant, as rows: each number in it, and its own comment. */
function listRows(source, name, declared, comment, constants) {
  const node = unwrap(declared);
  if (node === undefined) return [];
  if (ts.isObjectLiteralExpression(node)) {
    const rows = node.properties.flatMap((property) =>
      ts.isPropertyAssignment(property)
        ? listRows(
            source,
            `${name}.${property.name.getText(source)}`,
            property.initializer,
            readComment(source, property),
            constants,
          )
        : [],
    );
    return rows.length === 0 || comment === '' ? rows : [{ name, comment }, ...rows];
  }
  const value = ts.isArrayLiteralExpression(node)
    ? node.elements.map((item) => evaluate(item, constants))
    : evaluate(node, constants);
  if (![value].flat().some(Number.isNaN)) return [{ name, comment, value }];
  return isComputed(node) ? [{ name, comment, value: node.getText(source) }] : [];
}

/** The limits in a file: `{ name, comment, value }`; a row without `value` explains the rows below it. */
function listLimitsOf(file, isWanted) {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const constants = new Map();
  return source.statements.filter(ts.isVariableStatement).flatMap((statement) =>
    statement.declarationList.declarations.flatMap(({ name, initializer }) => {
      const text = name.getText(source);
      if (initializer !== undefined) constants.set(text, evaluate(initializer, constants));
      const isExported =
        statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
      return isWanted(text, isExported)
        ? listRows(source, text, initializer, readComment(source, statement), constants)
        : [];
    }),
  );
}

/** Lists the files with limits, each with its limits. */
export function listLimits() {
  const own = globSync(LIMIT_FILES, { cwd: ROOT }).sort();
  const others = globSync(OTHER_FILES, { cwd: ROOT })
    .filter((file) => !own.includes(file))
    .sort();
  return [
    ...own.map((file) => ({ file, limits: listLimitsOf(file, (_, isExported) => isExported) })),
    ...others.map((file) => ({ file, limits: listLimitsOf(file, (name) => OTHER_NAMES.test(name)) })),
  ].filter(({ limits }) => limits.length > 0);
}

const toRow = ({ name, comment, value }) =>
  `| \`${name}\` | ${value === undefined ? '' : formatLimit(name, value)} | ${comment} |`;

const toTable = ({ file, limits }) => `## ${file}

| constant | how much | what it is |
| --- | --- | --- |
${limits.map(toRow).join('\n')}
`;

const formatRate = (rate) => (rate === null ? '–' : formatCount(RATES[rate].limit));

/** Returns docs/tables/limits.md. */
export function renderLimitsPage() {
  const rates = Object.entries(RATES_BY_COST).map(
    ([cost, { person, network }]) =>
      `| \`${cost}\` | ${formatRate(person)} | ${formatRate(network)} | ${formatRate(network === null ? null : WIDER_RATES[network])} |`,
  );
  return `# Limits in the code

Every limit is one row. \`node scripts/write-limits.mjs\` writes this page from the code, and a test fails while they differ.
[Limits](../limits.md) says where they are enforced and what people see; those that change without a deployment are in
[runtime configuration](../runtime-config.md).

## Calls per minute

| what it costs | a person | an IPv4 address or IPv6 /64 | an IPv6 /48 |
| --- | --- | --- | --- |
${rates.join('\n')}

${listLimits().map(toTable).join('\n')}`;
}

if (import.meta.main) writeFileSync(join(ROOT, 'docs', 'tables', 'limits.md'), renderLimitsPage());

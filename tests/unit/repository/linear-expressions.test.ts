import { readFileSync, readdirSync } from 'node:fs';
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import ts from 'typescript';
import { expect, test } from 'vitest';

/**
 * A lint for expressions that read users' text: adjacent unbounded repetitions can take time quadratic in
 * the length of the text or worse.
 */

const FOLDERS = ['src/features', 'src/api'];

interface Expression {
  place: string;
  source: string;
  flags: string;
}

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`);

/** Finds every regular expression literal in a file. */
function findExpressions(file: string): Expression[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({
        place: `${file}:${line}`,
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isUnbounded = (node: AST.Node): node is AST.Quantifier =>
  node.type === 'Quantifier' && node.max === Number.POSITIVE_INFINITY;

/** Returns whether two adjacent unbounded repetitions match the same characters. */
function hasAdjacentRepetitions(source: string, flags: string): boolean {
  const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  let found = false;
  const shareCharacter = (one: AST.Quantifier, other: AST.Quantifier): boolean => {
    // Repetitions without a common character cannot exchange text, so the first one ends for good.
    const [first, second] = [one, other].map(
      ({ element }) => new RegExp(`^(?:${element.raw})$`, flags.replace(/[gy]/g, '')),
    );
    return SAMPLES.some((sample) => first?.test(sample) === true && second?.test(sample) === true);
  };
  const areAdjacent = (one: AST.Node | undefined, other: AST.Node | undefined): boolean =>
    one !== undefined &&
    other !== undefined &&
    isUnbounded(one) &&
    isUnbounded(other) &&
    shareCharacter(one, other);
  visitRegExpAST(pattern, {
    onAlternativeEnter({ elements }) {
      const moving = elements.filter(({ type }) => type !== 'Assertion');
      for (const [index, element] of moving.entries()) found ||= areAdjacent(moving[index - 1], element);
    },
    onQuantifierEnter(node) {
      if (!isUnbounded(node) || !('alternatives' in node.element)) return;
      // In a repeated group the end is adjacent to the beginning.
      for (const { elements } of node.element.alternatives)
        found ||= areAdjacent(elements.at(-1), elements[0]);
    },
  });
  return found;
}

/** One character of each kind that expressions distinguish. */
const SAMPLES = [
  'a',
  'Z',
  'é',
  'я',
  'あ',
  '中',
  'क',
  '1',
  ' ',
  '\n',
  '\t',
  '.',
  ',',
  '!',
  '"',
  "'",
  '-',
  '*',
  '_',
  '(',
  ')',
  '<',
  '>',
  '/',
  '\\',
  ':',
  '#',
  '\u200b',
  '\u0301',
];

test('no expression that reads text has adjacent unbounded repetitions', () => {
  const wrong = FOLDERS.flatMap(listFiles)
    .flatMap(findExpressions)
    .filter(({ source, flags }) => hasAdjacentRepetitions(source, flags))
    .map(({ place, source }) => `${place} /${source}/`);
  expect(wrong).toEqual([]);
});

test.each(['a+a+', '\\s*\\s+x', '(?:a+)+', "[a-z']+[a-z]*is", '.*.*'])(
  'the lint finds the expression /%s/',
  (source) => expect(hasAdjacentRepetitions(source, '')).toBe(true),
);
test.each(['a+b+', '\\s*,\\s*', '[a-z]+\\s+', '(?:a{1,9})+', '(?:ab*)*', 'a{1,30}a+'])(
  'the lint accepts the expression /%s/',
  (source) => expect(hasAdjacentRepetitions(source, '')).toBe(false),
);

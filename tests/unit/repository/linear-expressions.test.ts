import { readFileSync, readdirSync } from 'node:fs';
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import ts from 'typescript';
import { expect, test } from 'vitest';

/**
 * A lint for expressions that read people's text. Two kinds take time quadratic in the length of the text or worse:
 * adjacent unbounded repetitions, and an unbounded repetition that is searched anywhere, because the search begins again
 * at each of its characters.
 */

const FOLDER = 'src';

interface Expression {
  place: string;
  source: string;
  flags: string;
}

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`);

/** Replaces a part of an expression that is inserted at run time. */
const INSERTED = '(?:inserted)';

/** The text of a string or template; null if it is neither. */
function readString(node: ts.Node | undefined): string | null {
  if (node === undefined) return null;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => INSERTED + literal.text).join('');
}

/** The source and flags of a regular expression, as a literal or a call of `RegExp`. */
function readExpression(node: ts.Node): { source: string; flags: string } | null {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  if ((!ts.isNewExpression(node) && !ts.isCallExpression(node)) || node.expression.getText() !== 'RegExp')
    return null;
  const source = readString(node.arguments?.[0]);
  return source === null ? null : { source, flags: readString(node.arguments?.[1]) ?? '' };
}

/** Finds every regular expression in a file. */
function findExpressions(file: string): Expression[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    const expression = readExpression(node);
    if (expression !== null) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ place: `${file}:${line}`, ...expression });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const isUnbounded = (node: AST.Node): node is AST.Quantifier =>
  node.type === 'Quantifier' && node.max === Number.POSITIVE_INFINITY;

const parse = (source: string, flags: string): AST.Pattern =>
  new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });

/** The characters of `SAMPLES` that a part of an expression matches on its own. */
const findMatches = (raw: string, flags: string): string[] => {
  const whole = new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, ''));
  return SAMPLES.filter((sample) => whole.test(sample));
};

/** Whether every text continues a match with these elements. */
const canBeEmpty = (elements: readonly AST.Element[]): boolean =>
  elements.every((element) => element.type === 'Quantifier' && element.min === 0);

/**
 * Whether a search can begin at each character of a run and read the rest of it each time: the expression begins with an
 * unbounded repetition, something after it may fail, and nothing before it excludes a character of the run.
 */
function isSearchedFromEachCharacter(source: string, flags: string): boolean {
  if (flags.includes('y')) return false;
  const begins = ({ elements }: AST.Alternative, excluded: readonly string[], rest: boolean): boolean => {
    const [first, ...others] = elements;
    if (first === undefined) return false;
    const mayFail = rest || !canBeEmpty(others);
    if (first.type === 'Assertion') {
      if (first.kind === 'start' && !flags.includes('m')) return false;
      const isBefore = first.kind === 'lookbehind' && first.negate;
      const more = isBefore ? findMatches(first.alternatives.map(({ raw }) => raw).join('|'), flags) : [];
      // At the start of a line only.
      const atLine = first.kind === 'start' ? SAMPLES.filter((sample) => sample !== '\n') : [];
      // At a word's edge, or after a certain character, a run of letters or of others is read once.
      const atEdge =
        first.kind === 'word' && !first.negate
          ? SAMPLES.filter((sample) => /\w/.test(sample))
          : first.kind === 'lookbehind' && !first.negate
            ? SAMPLES.filter(
                (sample) =>
                  !findMatches(first.alternatives.map(({ raw }) => raw).join('|'), flags).includes(sample),
              )
            : [];
      const rested = { ...elements[0]?.parent, elements: others } as AST.Alternative;
      return begins(rested, [...excluded, ...more, ...atLine, ...atEdge], rest);
    }
    if ((first.type === 'Group' || first.type === 'CapturingGroup') && 'alternatives' in first)
      return first.alternatives.some((one) => begins(one, excluded, mayFail));
    if (!isUnbounded(first)) return false;
    if (!mayFail) return false;
    return findMatches(first.element.raw, flags).some((sample) => !excluded.includes(sample));
  };
  return parse(source, flags).alternatives.some((one) => begins(one, [], false));
}

/** The first or last elements of a group's alternatives; an element that is no group is its own first and last element. */
const findOutermost = (node: AST.Element, place: 0 | -1): AST.Element[] =>
  node.type === 'Group' || node.type === 'CapturingGroup'
    ? node.alternatives
        .flatMap(({ elements }) => elements.slice(place).slice(0, 1))
        .flatMap((one) => findOutermost(one, place))
    : [node];

/** Returns whether two adjacent unbounded repetitions match the same characters. */
function hasAdjacentRepetitions(source: string, flags: string): boolean {
  const pattern = parse(source, flags);
  let found = false;
  const shareCharacter = (one: AST.Quantifier, other: AST.Quantifier): boolean => {
    // Repetitions without a common character cannot exchange text, so the first one ends for good.
    const [first = [], second = []] = [one, other].map(({ element }) => findMatches(element.raw, flags));
    return first.some((sample) => second.includes(sample));
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
      for (const [index, element] of moving.entries())
        for (let before = index - 1; before >= 0; before -= 1) {
          const others = findOutermost(element, 0);
          found ||= findOutermost(moving[before] as AST.Element, -1).some((one) =>
            others.some((other) => areAdjacent(one, other)),
          );
          // What may be empty separates nothing.
          if (!canBeEmpty(moving.slice(before, before + 1))) break;
        }
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

const EXPRESSIONS = listFiles(FOLDER).flatMap(findExpressions);
const listPlaces = (isWrong: (source: string, flags: string) => boolean): string[] =>
  EXPRESSIONS.filter(({ source, flags }) => isWrong(source, flags)).map(
    ({ place, source }) => `${place} /${source}/`,
  );

test('no expression has adjacent unbounded repetitions', () => {
  expect(EXPRESSIONS.length).toBeGreaterThan(200);
  expect(listPlaces(hasAdjacentRepetitions)).toEqual([]);
});

test('no expression begins to read a run again at each of its characters', () => {
  expect(listPlaces(isSearchedFromEachCharacter)).toEqual([]);
});

test('the lint reads expressions that are built from strings', () => {
  const file = ts.createSourceFile('a.ts', "new RegExp(`a+${b}`, 'u')", ts.ScriptTarget.Latest, true);
  const [statement] = file.statements;
  expect(readExpression((statement as ts.ExpressionStatement).expression)).toEqual({
    source: `a+${INSERTED}`,
    flags: 'u',
  });
});

test.each(['a+a+', '\\s*\\s+x', '\\s*,?\\s*$', '(?:b|xa*)a+', '(?:a+)+', "[a-z']+[a-z]*is", '.*.*'])(
  'the lint finds the expression /%s/',
  (source) => expect(hasAdjacentRepetitions(source, '')).toBe(true),
);
test.each(['a+b+', '\\s*,\\s*', '[a-z]+\\s+', '(?:a{1,9})+', '(?:ab*)*', 'a{1,30}a+'])(
  'the lint accepts the expression /%s/',
  (source) => expect(hasAdjacentRepetitions(source, '')).toBe(false),
);
test.each(['a+b', '\\s+$', '\\s*,', '(?:x|a+)b', '(a+)b', '\\b\\s+x', '(?<!b)a+c', '(?=a)a+b'])(
  'the lint finds the search for /%s/',
  (source) => expect(isSearchedFromEachCharacter(source, '')).toBe(true),
);
test.each(['a+', '^a+b', 'xa+b', '(?<!a)a+b', '(?<![a-z])[a-z]+\\s', 'a{1,9}b', 'a+b*', '\\b[a-z]+:'])(
  'the lint accepts the search for /%s/',
  (source) => expect(isSearchedFromEachCharacter(source, '')).toBe(false),
);

import { readFileSync, readdirSync } from 'node:fs';
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import ts from 'typescript';
import { expect, test } from 'vitest';

/**
 * A lint for expressions that read people's text: repetitions without a bound that stand next to each other can take time
 * by the square of the text or worse.
 */

const FOLDERS = ['src/features', 'src/api'];

interface Expression {
  place: string;
  source: string;
  flags: string;
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`);

/** Every expression that is written as a literal in a file. */
function expressionsIn(file: string): Expression[] {
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

/** Whether a repetition without a bound stands right before another one that takes the same signs. */
function repeatsBesideRepeats(source: string, flags: string): boolean {
  const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  let found = false;
  const ofSame = (one: AST.Quantifier, other: AST.Quantifier): boolean => {
    // What neither can take from the other ends the first one for good.
    const [first, second] = [one, other].map(
      ({ element }) => new RegExp(`^(?:${element.raw})$`, flags.replace(/[gy]/g, '')),
    );
    return SIGNS.some((sign) => first?.test(sign) === true && second?.test(sign) === true);
  };
  const isBeside = (one: AST.Node | undefined, other: AST.Node | undefined): boolean =>
    one !== undefined && other !== undefined && isUnbounded(one) && isUnbounded(other) && ofSame(one, other);
  visitRegExpAST(pattern, {
    onAlternativeEnter({ elements }) {
      const moving = elements.filter(({ type }) => type !== 'Assertion');
      for (const [index, element] of moving.entries()) found ||= isBeside(moving[index - 1], element);
    },
    onQuantifierEnter(node) {
      if (!isUnbounded(node) || !('alternatives' in node.element)) return;
      // In a repeated group the end stands next to the beginning.
      for (const { elements } of node.element.alternatives) found ||= isBeside(elements.at(-1), elements[0]);
    },
  });
  return found;
}

/** One sign of each kind that expressions tell apart. */
const SIGNS = [
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

test('no expression that reads text has unbounded repetitions next to each other', () => {
  const wrong = FOLDERS.flatMap(filesIn)
    .flatMap(expressionsIn)
    .filter(({ source, flags }) => repeatsBesideRepeats(source, flags))
    .map(({ place, source }) => `${place} /${source}/`);
  expect(wrong).toEqual([]);
});

test.each(['a+a+', '\\s*\\s+x', '(?:a+)+', "[a-z']+[a-z]*is", '.*.*'])('the lint finds /%s/', (source) =>
  expect(repeatsBesideRepeats(source, '')).toBe(true),
);
test.each(['a+b+', '\\s*,\\s*', '[a-z]+\\s+', '(?:a{1,9})+', '(?:ab*)*', 'a{1,30}a+'])(
  'the lint lets /%s/ pass',
  (source) => expect(repeatsBesideRepeats(source, '')).toBe(false),
);

// Checks that the sources use every key of English, and that English has every key that they use.
// Plain JavaScript for Node 20.
import { countedKeys } from './dictionary.mjs';
import { error } from './finding.mjs';
import { bare, lineAt, walk } from './sources.mjs';
import { fileOf, BASE } from './texts.mjs';

/** The part of a pattern that is only known at run time. */
const ANY = '\u{0}';
const DEFAULT_NAMESPACE = 'common';

const joined = (starts, ends) => starts.flatMap((start) => ends.map((end) => start + end));

/**
 * Returns the possible values of an expression as patterns.
 * @param {import('./sources.mjs').Node} expression
 * @param {ReadonlyMap<string, import('./sources.mjs').Node>} constants the initial values of the file's constants
 * @returns {string[]} only `ANY` for an unknown value
 */
function patternsOf(expression, constants, depth = 0) {
  const node = bare(expression);
  const again = (inner) => patternsOf(inner, constants, depth + 1);
  if (!node || depth > 8) return [ANY];
  switch (node.type) {
    case 'Literal':
      return [String(node.value)];
    case 'TemplateLiteral':
      return node.quasis.reduce(
        (starts, { value }, index) => {
          const text = joined(starts, [value.cooked]);
          const inner = node.expressions[index];
          return inner ? joined(text, insertable(again(inner))) : text;
        },
        [''],
      );
    case 'ConditionalExpression':
      return [...again(node.consequent), ...again(node.alternate)];
    case 'LogicalExpression':
      return [...(node.operator === '&&' ? [] : again(node.left)), ...again(node.right)];
    case 'BinaryExpression':
      return node.operator === '+'
        ? joined(insertable(again(node.left)), insertable(again(node.right)))
        : [ANY];
    case 'Identifier':
      return constants.has(node.name) ? again(constants.get(node.name)) : [ANY];
    case 'MemberExpression': {
      const object = bare(node.object);
      const held = object.type === 'Identifier' ? bare(constants.get(object.name)) : null;
      if (held?.type === 'ArrayExpression') return held.elements.flatMap(again);
      if (held?.type !== 'ObjectExpression') return [ANY];
      const name = node.computed ? null : node.property.name;
      return held.properties
        .filter(({ type, key }) => type === 'Property' && (name === null || (key.name ?? key.value) === name))
        .flatMap(({ value }) => again(value));
    }
    default:
      return [ANY];
  }
}

/** Limits the patterns that are inserted into a larger one: too many of them become `ANY`. */
const insertable = (patterns) => (patterns.length > 40 ? [ANY] : patterns);

/** Returns the namespace of a type such as `TranslateFn<'chat'>`. */
function wordsType(annotation) {
  const type = annotation?.typeAnnotation ?? annotation;
  if (type?.type !== 'TSTypeReference' || type.typeName.name !== 'TranslateFn') return null;
  return type.typeArguments?.params[0]?.literal?.value ?? null;
}

/** Yields the parameters of a function that read texts, with their names. */
function* readersIn(params) {
  for (const param of params) {
    const own = wordsType(param.typeAnnotation);
    if (param.type === 'Identifier' && own) yield [param.name, own];
    const members = param.typeAnnotation?.typeAnnotation?.members ?? [];
    if (param.type === 'ObjectPattern') {
      for (const member of members) {
        const namespace = wordsType(member.typeAnnotation);
        if (namespace) yield [member.key.name, namespace];
      }
    }
  }
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/**
 * Lists the keys that one source uses.
 * @param {import('./sources.mjs').Source} source
 * @param {readonly string[]} namespaces
 */
function usesIn(source, namespaces) {
  const constants = new Map();
  const scopes = [new Map()];
  const found = { calls: [], mentions: new Set(), patterns: [], trees: [], dynamic: new Set() };
  const dictionaries = new Map();
  const namespaced = (text) => namespaces.includes(text.split(':', 1)[0]) && text.includes(':');

  walk(source.tree, (node) => {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init)
      constants.set(node.id.name, node.init);
    if (node.type === 'ImportDeclaration' && node.importKind !== 'type') {
      const [, namespace] = /\/locales\/en\/([\w-]+)\.json$/.exec(node.source.value) ?? [];
      if (namespace) for (const { local } of node.specifiers) dictionaries.set(local.name, namespace);
    }
  });

  const call = (node, readable) => {
    const [argument, ...values] = node.arguments;
    const withContext = values.some((value) =>
      bare(value)?.properties?.some(({ key }) => key?.name === 'context'),
    );
    for (const pattern of argument ? patternsOf(argument, constants) : []) {
      if (pattern.replaceAll(ANY, '') === '') {
        for (const namespace of readable ?? []) found.dynamic.add(namespace);
        continue;
      }
      const full =
        pattern.includes(':') && readable === null
          ? [pattern]
          : (readable ?? [DEFAULT_NAMESPACE]).map((namespace) => `${namespace}:${pattern}`);
      found.calls.push({ node, patterns: full, asked: pattern });
      found.patterns.push(...full, ...(withContext ? full.map((one) => `${one}_${ANY}`) : []));
    }
  };

  walk(source.tree, (node) => {
    let leave;
    if (FUNCTIONS.has(node.type)) {
      scopes.push(new Map(readersIn(node.params)));
      leave = () => scopes.pop();
    }
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier') {
      const init = bare(node.init);
      const hook =
        init?.type === 'CallExpression' && init.callee.name === 'useTranslate'
          ? init.arguments[0]?.value
          : null;
      const namespace = hook ?? wordsType(node.id.typeAnnotation);
      if (namespace) scopes.at(-1).set(node.id.name, namespace);
    }
    if (node.type === 'CallExpression') {
      const callee = bare(node.callee);
      const name = callee.type === 'Identifier' ? callee.name : null;
      const namespace = name === null ? null : scopes.findLast((scope) => scope.has(name))?.get(name);
      if (namespace) call(node, [namespace]);
      else if (name === 'words') call(node, [...namespaces]);
      else if (name === 't' || (callee.type === 'MemberExpression' && callee.property.name === 't'))
        call(node, null);
    }
    if (node.type === 'Literal' && typeof node.value === 'string') found.mentions.add(node.value);
    if (node.type === 'Property' && node.key.type === 'Identifier') found.mentions.add(node.key.name);
    if (node.type === 'TemplateLiteral') {
      found.patterns.push(...patternsOf(node, constants).filter(namespaced));
    }
    if (node.type === 'MemberExpression') {
      const path = [];
      let object = node;
      while (object.type === 'MemberExpression' && !object.computed) {
        path.unshift(object.property.name);
        object = bare(object.object);
      }
      if (object.type === 'Identifier' && dictionaries.has(object.name)) {
        found.trees.push(`${dictionaries.get(object.name)}:${path.join('.')}`);
      }
    }
    return leave;
  });
  return found;
}

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const matcher = (pattern) => new RegExp(`^${pattern.split(ANY).map(escaped).join('[^.:]+')}$`);

/** Finds the keys that match patterns; a plural key also matches without its suffix. */
function keyFinder(english) {
  const counted = countedKeys(english);
  const names = new Map();
  for (const key of english.keys()) {
    const start = [...counted.keys()].find((one) => key.startsWith(`${one}_`));
    names.set(key, start === undefined ? [key] : [key, start, start.replace(/_ordinal$/, '')]);
  }
  const plain = new Map();
  for (const [key, aliases] of names)
    for (const alias of aliases) plain.set(alias, [...(plain.get(alias) ?? []), key]);
  return {
    names,
    find(pattern) {
      if (!pattern.includes(ANY)) return plain.get(pattern) ?? [];
      const expression = matcher(pattern);
      return [...names]
        .filter(([, aliases]) => aliases.some((alias) => expression.test(alias)))
        .map(([key]) => key);
    },
  };
}

/**
 * Lists unused keys, and used keys that do not exist.
 * @param {readonly import('./sources.mjs').Source[]} sources
 * @param {ReadonlyMap<string, unknown>} english
 * @param {readonly string[]} namespaces
 * @returns {import('./finding.mjs').Finding[]}
 */
export function usageFindings(sources, english, namespaces) {
  const findings = [];
  const { names, find } = keyFinder(english);
  const used = new Set();
  const dynamic = new Set();
  const mentions = new Set();
  const trees = [];
  for (const source of sources) {
    const uses = usesIn(source, namespaces);
    for (const { node, patterns, asked } of uses.calls) {
      if (patterns.some((pattern) => find(pattern).length > 0)) continue;
      findings.push(
        error(
          `${source.file}:${lineAt(source, node)}`,
          asked.replaceAll(ANY, '*'),
          'English has no such text',
        ),
      );
    }
    for (const pattern of uses.patterns) for (const key of find(pattern)) used.add(key);
    for (const text of uses.mentions) mentions.add(text);
    for (const namespace of uses.dynamic) dynamic.add(namespace);
    trees.push(...uses.trees);
  }
  for (const [key, aliases] of names) {
    const [namespace = ''] = key.split(':', 1);
    const isMentioned = aliases.some(
      // If a source may use any key of a namespace, a key counts as used when a source contains its name.
      (alias) =>
        mentions.has(alias) || (dynamic.has(namespace) && mentions.has(alias.slice(namespace.length + 1))),
    );
    if (used.has(key) || isMentioned || trees.some((tree) => key === tree || key.startsWith(`${tree}.`)))
      continue;
    findings.push(error(fileOf(BASE, key), key, 'no source asks for this text'));
  }
  return findings;
}

/** Compares the texts that the shell's scripts read from the page with those that the page contains. */
export function shellWordFindings(sources) {
  const shell = sources.filter(({ file }) => file.startsWith('src/layouts/'));
  const asked = [];
  const given = [];
  for (const source of shell) {
    walk(source.tree, (node) => {
      if (node.type === 'CallExpression' && node.callee.name === 'getLabel' && node.arguments[0]) {
        for (const pattern of patternsOf(node.arguments[0], new Map())) asked.push({ source, node, pattern });
      }
      if (node.type !== 'JSXElement') return;
      const { attributes } = node.openingElement;
      if (!attributes.some(({ name, value }) => name?.name === 'data-template' && value?.value === 'words'))
        return;
      for (const attribute of attributes) {
        const name = attribute.name?.name ?? '';
        if (name.startsWith('data-') && name !== 'data-template')
          given.push({ source, node: attribute, pattern: name.slice(5) });
        if (attribute.type === 'JSXSpreadAttribute') {
          walk(attribute, (inner) => {
            if (inner.type !== 'Literal' && inner.type !== 'TemplateLiteral') return;
            for (const pattern of patternsOf(inner, new Map())) {
              if (pattern.startsWith('data-'))
                given.push({ source, node: attribute, pattern: pattern.slice(5) });
            }
          });
        }
      }
    });
  }
  const meets = (one, other) =>
    matcher(one).test(other.replaceAll(ANY, 'x')) || matcher(other).test(one.replaceAll(ANY, 'x'));
  const lonely = (list, others, what) =>
    list
      .filter(({ pattern }) => !others.some((other) => meets(pattern, other.pattern)))
      .map(({ source, node, pattern }) =>
        error(`${source.file}:${lineAt(source, node)}`, pattern.replaceAll(ANY, '*'), what),
      );
  return [
    ...lonely(asked, given, 'the page carries no such word for its scripts'),
    ...lonely(given, asked, 'no script of the shell reads this word'),
  ];
}

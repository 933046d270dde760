// Finds text that users see and that is not from a dictionary. Plain JavaScript for Node 20.
import { wordsIn } from './dictionary.mjs';
import { error } from './finding.mjs';
import { bare, lineAt, walk } from './sources.mjs';

/** Attributes whose value users see or hear. */
const READ_ATTRIBUTES = new Set([
  ...['title', 'alt', 'placeholder', 'label', 'caption', 'heading', 'description', 'summary'],
  ...['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'aria-placeholder'],
]);
/** Properties through which scripts set text. */
const READ_PROPERTIES = new Set([
  'textContent',
  'innerText',
  'placeholder',
  'title',
  'alt',
  'ariaLabel',
  'ariaDescription',
]);
/** Names and properties of `<meta>` elements with text for people. */
const READ_METAS =
  /^(?:description|og:(?:title|description|site_name|image:alt)|twitter:(?:title|description|image:alt)|apple-mobile-web-app-title)$/;
/** Elements without prose. */
const NO_PROSE = new Set(['script', 'style', 'code', 'kbd', 'samp', 'svg']);

const ENTITIES = /&(?:#\d+|#x[\da-f]+|[a-z]+);/gi;

/** Returns the literal texts that an expression may evaluate to. */
function writtenIn(expression) {
  const node = bare(expression);
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node] : [];
    case 'TemplateLiteral':
      return node.quasis
        .filter(({ value }) => value.cooked !== '')
        .map((quasi) => ({ ...quasi, value: quasi.value.cooked }));
    case 'ConditionalExpression':
      return [...writtenIn(node.consequent), ...writtenIn(node.alternate)];
    case 'LogicalExpression':
      return [...(node.operator === '&&' ? [] : writtenIn(node.left)), ...writtenIn(node.right)];
    case 'BinaryExpression':
      return node.operator === '+' ? [...writtenIn(node.left), ...writtenIn(node.right)] : [];
    case 'SequenceExpression':
      return writtenIn(node.expressions.at(-1));
    default:
      return [];
  }
}

const nameOf = (name) =>
  name?.type === 'JSXNamespacedName' ? `${name.namespace.name}:${name.name.name}` : (name?.name ?? '');

const valueOf = (element, attribute) =>
  element.openingElement.attributes.find(
    (one) => one.type === 'JSXAttribute' && nameOf(one.name) === attribute,
  )?.value?.value;

/** Returns the texts of an attribute that users see or hear. */
function attributeTexts(element, attribute) {
  const name = nameOf(attribute.name);
  const meta = nameOf(element.openingElement.name) === 'meta' && name === 'content';
  const read = meta
    ? READ_METAS.test(String(valueOf(element, 'name') ?? valueOf(element, 'property') ?? ''))
    : READ_ATTRIBUTES.has(name);
  if (!read || !attribute.value) return [];
  return attribute.value.type === 'JSXExpressionContainer'
    ? writtenIn(attribute.value.expression)
    : writtenIn(attribute.value);
}

/** Returns the texts that a script writes to the page. */
function assignedTexts(node) {
  if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression') {
    return READ_PROPERTIES.has(node.left.property.name) ? writtenIn(node.right) : [];
  }
  if (node.type === 'CallExpression' && node.callee.property?.name === 'setAttribute') {
    const [attribute, value] = node.arguments;
    return attribute?.type === 'Literal' && READ_ATTRIBUTES.has(attribute.value) ? writtenIn(value) : [];
  }
  return [];
}

/**
 * Finds words in markup, in readable attributes and in texts written by scripts that are not from a dictionary.
 * @param {import('./sources.mjs').Source} source
 * @param {readonly string[]} names words that stay untranslated in every language
 * @returns {import('./finding.mjs').Finding[]}
 */
export function literalFindings(source, names = []) {
  const findings = [];
  const report = (where, nodes) => {
    for (const node of nodes) {
      const text = String(node.value).replaceAll(ENTITIES, ' ').replaceAll(/\s+/g, ' ').trim();
      if (wordsIn(text, names) === '') continue;
      findings.push(
        error(
          `${source.file}:${lineAt(source, node)}`,
          '',
          `text outside the dictionaries in ${where}: «${text}»`,
        ),
      );
    }
  };
  const silent = [];
  walk(source.tree, (node, parent) => {
    if (node.type === 'JSXElement') {
      const name = nameOf(node.openingElement.name);
      for (const attribute of node.openingElement.attributes) {
        if (attribute.type === 'JSXAttribute')
          report(`«${nameOf(attribute.name)}»`, attributeTexts(node, attribute));
      }
      if (NO_PROSE.has(name)) {
        silent.push(name);
        return () => silent.pop();
      }
    } else if (silent.length === 0 && node.type === 'JSXText') report('markup', [node]);
    else if (
      silent.length === 0 &&
      node.type === 'JSXExpressionContainer' &&
      parent?.type !== 'JSXAttribute'
    ) {
      report('markup', writtenIn(node.expression));
    } else report('a script', assignedTexts(node));
    return undefined;
  });
  return findings;
}

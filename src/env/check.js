import { VARIABLES } from './variables.js';

/** @typedef {import('./variables.js').Variable} Variable */
/** @typedef {{ name: string, text: string }} Trouble what is wrong with a variable; its value is never in it */

const PRINTABLE = /^[\x21-\x7e]+$/;
const ONE_LINE = /^[^\p{Cc}]+$/u;
const EMAIL = /^[^\s@<>,;"]{1,64}@[^\s@<>,;"]+\.[^\s@<>,;".]{2,}$/;
const SENDER = /^(?:[^<>@\p{Cc}]{1,100}<([^<>]+)>|([^<>\s]+))$/u;
const LOCAL_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);

/** @param {string} text @param {readonly string[]} protocols @returns {URL | null} */
function parseUrl(text, protocols) {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && protocols.includes(url.protocol) && url.hostname !== '' ? url : null;
}

/** @param {string} list */
const splitList = (list) =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** @param {string} part `Name=https://…`; what has no equals sign is no link @returns {{ name: string, url: string } | null} */
function parseLink(part) {
  const [name = '', ...rest] = part.split('=');
  const url = rest.join('=').trim();
  const isOne = name.trim().length > 0 && name.trim().length <= 40 && parseUrl(url, ['https:']) !== null;
  return isOne ? { name: name.trim(), url } : null;
}

/** @param {string} text @param {Variable} variable */
const isWithinLength = (text, { min = 1, max = 2000 }) => text.length >= min && text.length <= max;

/** @param {string} address without the slash at its end, because paths are put behind it */
const stripTrailingSlash = (address) => address.replace(/\/+$/, '');

/** @param {string} text @returns {string | null} an address that keeps a secret: by https, or on this machine */
function parseSafeUrl(text) {
  const url = parseUrl(text, ['http:', 'https:']);
  const isSafe = url !== null && (url.protocol === 'https:' || LOCAL_HOSTS.has(url.hostname));
  return isSafe ? text : null;
}

/**
 * What a text is worth as each kind; null where it is none.
 * @type {Record<import('./variables.js').Kind, (text: string, variable: Variable) => unknown>}
 */
const PARSERS = {
  secret: (text, variable) => (isWithinLength(text, variable) && ONE_LINE.test(text) ? text : null),
  key: (text, variable) => (isWithinLength(text, variable) && PRINTABLE.test(text) ? text : null),
  id: (text, variable) => (isWithinLength(text, variable) && PRINTABLE.test(text) ? text : null),
  text: (text, variable) => (isWithinLength(text, variable) && ONE_LINE.test(text) ? text : null),
  word: (text, variable) => (isWithinLength(text, variable) && /^[\w-]+$/.test(text) ? text : null),
  base: (text) => (parseUrl(text, ['http:', 'https:']) === null ? null : stripTrailingSlash(text)),
  'safe-base': (text) => (parseSafeUrl(text) === null ? null : stripTrailingSlash(text)),
  'safe-address': parseSafeUrl,
  site: (text) => parseUrl(text, ['http:', 'https:'])?.origin ?? null,
  sender: (text) => {
    const [, named, alone] = SENDER.exec(text.trim()) ?? [];
    return EMAIL.test((named ?? alone ?? '').trim()) ? text.trim() : null;
  },
  email: (text) => (EMAIL.test(text) && text.length <= 254 ? text : null),
  emails: (text) => {
    const all = splitList(text).map((part) => part.toLowerCase());
    return all.length > 0 && all.every((part) => EMAIL.test(part)) ? all : null;
  },
  links: (text, { max = 1 }) => {
    const all = splitList(text).map(parseLink);
    return all.length <= max && all.every((link) => link !== null) ? all : null;
  },
  number: (text, { min = 0, max = Number.MAX_SAFE_INTEGER, whole = false }) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    return value >= min && value <= max && (!whole || Number.isInteger(value)) ? value : null;
  },
  choice: (text, { choices = [] }) => (choices.includes(text) ? text : null),
  measurement: (text) => (/^G-[A-Z0-9]{4,20}$/.test(text) ? text : null),
};

/** What a variable wants, as the end of «it wants …». @param {Variable} variable */
export function describeRequirement({ kind, min, max, whole = false, choices = [] }) {
  const atMost = max === undefined ? '' : ` of at most ${max} characters`;
  switch (kind) {
    case 'secret':
      return `a secret of at least ${min ?? 1} characters`;
    case 'key':
    case 'id':
      return `what was given out, whole and without blanks${max === undefined ? '' : `, at most ${max} characters`}`;
    case 'text':
      return `a line of text${atMost}`;
    case 'word':
      return `one word of letters, digits, _ and -${max === undefined ? '' : `, at most ${max} characters`}`;
    case 'base':
      return 'a whole address that begins with https:// or http://';
    case 'safe-base':
    case 'safe-address':
      return 'a whole address that begins with https://, or with http:// on this machine alone';
    case 'site':
      return 'the address of the site, such as https://chat.example';
    case 'sender':
      return 'an e-mail address, or a name and one: Name <name@chat.example>';
    case 'email':
      return 'an e-mail address';
    case 'emails':
      return 'e-mail addresses, with commas between';
    case 'links':
      return `at most ${max} links, each written Name=https://…, with commas between`;
    case 'number':
      return `a ${whole ? 'whole ' : ''}number from ${min} to ${max}`;
    case 'choice':
      return choices.join(' or ');
    case 'measurement':
      return 'a measurement id such as G-XXXXXXXXXX';
  }
}

/**
 * Whether one text is a value of a variable.
 * @param {string} name
 * @param {string} text
 * @returns {Trouble | null}
 */
export function validateVariable(name, text) {
  const variable = VARIABLES[name];
  if (variable === undefined) return { name, text: 'no variable of this product' };
  return PARSERS[variable.kind](text, variable) === null
    ? { name, text: `it wants ${describeRequirement(variable)}` }
    : null;
}

/** @param {readonly string[]} conditions @param {(name: string) => string | undefined} readValue */
const findCondition = (conditions, readValue) =>
  conditions.find((condition) => {
    const [name = '', value] = condition.split('=');
    return value === undefined ? readValue(name) !== undefined : readValue(name) === value;
  });

/**
 * The operator's variables, each read as what it is; an empty one is one that was left out.
 * @param {Readonly<Record<string, unknown>>} source where they come from; whatever else is in it is not looked at
 * @returns {{ values: Record<string, unknown>, troubles: Trouble[] }}
 */
export function readVariables(source) {
  /** @param {string} name */
  const given = (name) => {
    const value = source[name];
    return value === undefined || value === null || value === '' ? undefined : String(value);
  };
  /** @type {Record<string, unknown>} */
  const values = {};
  /** @type {Trouble[]} */
  const troubles = [];
  for (const [name, variable] of Object.entries(VARIABLES)) {
    const text = given(name);
    const requiredBy = findCondition(variable.neededWith ?? [], given);
    if (text === undefined && (variable.needed === true || requiredBy !== undefined)) {
      const why = requiredBy === undefined ? '' : `, and ${requiredBy.split('=')[0]} needs it`;
      troubles.push({ name, text: `it is missing${why}; it wants ${describeRequirement(variable)}` });
      continue;
    }
    const read = text ?? (variable.default === undefined ? undefined : String(variable.default));
    if (read === undefined) continue;
    const value = PARSERS[variable.kind](read, variable);
    if (value === null) troubles.push({ name, text: `it wants ${describeRequirement(variable)}` });
    else values[name] = value;
  }
  return { values, troubles };
}

/** One sentence for the operator, of all that is wrong. @param {readonly Trouble[]} troubles */
export function formatIssues(troubles) {
  const all = troubles.map(({ name, text }) => `${name}: ${text}`).join('; ');
  return `The environment is not right: ${all}. See docs/variables.md.`;
}

/** Generates requests from a schema and then breaks them; the same seed gives the same requests. */

/** The parts of a JSON Schema in the OpenAPI document from which values are generated. */
export interface Shape {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Shape[];
  oneOf?: Shape[];
  allOf?: Shape[];
  properties?: Record<string, Shape>;
  required?: string[];
  additionalProperties?: unknown;
  items?: Shape;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
  format?: string;
  default?: unknown;
  $ref?: string;
}

/** A seeded generator of numbers from 0 up to 1 (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  is(share: number): boolean {
    return this.next() < share;
  }
}

/** Returns the seed for one part of a run. */
export function deriveSeed(seed: number, name: string): number {
  let hash = seed >>> 0;
  for (const letter of name) hash = (Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619) + 1) >>> 0;
  return hash;
}

/** Literal JSON that `JSON.stringify` cannot produce. */
export class Raw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Serializes a value as JSON, with raw parts unchanged. */
export function serializeValue(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map(serializeValue).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}:${serializeValue(inner)}`,
  );
  return `{${entries.join(',')}}`;
}

const nestDeeply = (open: string, close: string, depth: number): Raw =>
  new Raw(`${open.repeat(depth)}1${close.repeat(depth)}`);

/** Texts with a special meaning to some system behind a field. */
export const TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud83d',
  '\udc4b\ud83d',
  '\u202eevil\u202c',
  '\u2066\u2067\u2068',
  '\ufeff',
  '\u2028\u2029',
  'Ω≈ç√∫˜µ≤≥÷',
  'ﷺ'.repeat(50),
  `a${'\u0301'.repeat(300)}`,
  '👩‍👩‍👧‍👦'.repeat(20),
  'x'.repeat(300),
  'x'.repeat(9000),
  "' or '1'='1",
  "'; drop table users; --",
  '" or ""="',
  '%27%20--',
  '1; attach database "x" as y',
  'match("*") or NEAR(',
  '*"*^ AND OR NOT',
  '${7*7}{{7*7}}<%= 7*7 %>#{7*7}',
  '{{constructor.constructor("return 1")()}}',
  '$(id)`id`|id;id&&id',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]:1/',
  'javascript:alert(1)',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  ']]>&xxe;<!ENTITY x SYSTEM "file:///etc/passwd">',
  'a@b.c\r\nBcc: victim@example.test',
  'line\r\nSet-Cookie: session=1',
  '=HYPERLINK("http://x")',
  '%s%s%n%x',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-1',
  '1e999',
  '0x10',
  '٣',
  '2026-02-30T25:61:61Z',
  '[object Object]',
];

/** Values for a field of any type. */
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  7,
  Number.MAX_SAFE_INTEGER,
  -Number.MAX_SAFE_INTEGER,
  new Raw('1e400'),
  new Raw('-1e400'),
  new Raw('1e-400'),
  new Raw('9007199254740993'),
  new Raw('9'.repeat(400)),
  new Raw('-0'),
  [],
  {},
  [[]],
  ['x'],
  [null],
  { length: 3 },
  { $gt: '' },
  { toString: 'x', valueOf: 1 },
  { then: 'x' },
  new Raw('{"__proto__":{"polluted":true}}'),
  new Raw('{"constructor":{"prototype":{"polluted":true}}}'),
  nestDeeply('[', ']', 2000),
  nestDeeply('{"a":', '}', 1000),
  Array.from({ length: 1000 }, () => 0),
];

/** Keys that no schema has. */
const KEYS: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'role',
  'user_id',
  'isAdmin',
  '',
  '\0',
  '$where',
  'x'.repeat(500),
  '\ud800',
];

function generateText({ minLength = 0, maxLength = 40, pattern, format }: Shape, chance: Chance): string {
  if (format === 'date-time') return new Date(1.7e12 + chance.below(1e11)).toISOString();
  if (pattern?.includes('@') === true) return `made-up-${chance.below(1e9).toString(36)}@example.test`;
  if (pattern === '^[0-9]{6}$') return String(100_000 + chance.below(899_999));
  if (pattern?.startsWith('^\\/') === true) return '/en';
  if (pattern?.includes(':\\/\\/') === true) return 'https://example.test/';
  if (pattern?.includes('{64}') === true) return 'a1'.repeat(32);
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  const length = Math.max(minLength, Math.min(maxLength, 8 + chance.below(12)));
  return Array.from({ length }, () => letters[chance.below(letters.length)]).join('');
}

/** Generates a value that matches the schema. */
export function generateValid(shape: Shape, chance: Chance, depth = 0): unknown {
  if (shape.const !== undefined) return shape.const;
  if (shape.enum !== undefined) return chance.of(shape.enum);
  const alternatives = shape.anyOf ?? shape.oneOf;
  if (alternatives !== undefined) return generateValid(chance.of(alternatives), chance, depth);
  if (shape.allOf !== undefined) return generateValid(shape.allOf[0] ?? {}, chance, depth);
  const type = Array.isArray(shape.type) ? chance.of(shape.type) : shape.type;
  switch (type) {
    case 'string':
      return generateText(shape, chance);
    case 'integer':
    case 'number': {
      const from = Math.max(shape.minimum ?? shape.exclusiveMinimum ?? 0, -1000);
      const to = Math.min(shape.maximum ?? from + 100, from + 1000);
      return from + chance.below(Math.max(1, to - from));
    }
    case 'boolean':
      return chance.is(0.5);
    case 'null':
      return null;
    case 'array': {
      const length = Math.max(shape.minItems ?? 0, Math.min(shape.maxItems ?? 3, chance.below(3)));
      return depth > 5
        ? []
        : Array.from({ length }, () => generateValid(shape.items ?? {}, chance, depth + 1));
    }
    case 'object': {
      const included = Object.entries(shape.properties ?? {}).filter(
        ([name]) => (shape.required ?? []).includes(name) || (depth < 5 && chance.is(0.4)),
      );
      return Object.fromEntries(
        included.map(([name, inner]) => [name, generateValid(inner, chance, depth + 1)]),
      );
    }
    default:
      return chance.of<unknown>(['x', 1, null, {}, []]);
  }
}

/** Generates a value at or just beyond a bound of the schema, where it has one. */
function generateAtBound({ maxLength, maximum, minimum, maxItems, items }: Shape, chance: Chance): unknown {
  if (maxLength !== undefined)
    return chance.of(['x', '\u{1f600}', 'é']).repeat(maxLength + chance.of([-1, 0, 1]));
  if (maximum !== undefined && chance.is(0.5)) return maximum + chance.of([-1, 0, 1]);
  if (minimum !== undefined) return minimum - chance.of([0, 1, 0.5]);
  if (maxItems !== undefined)
    return Array.from({ length: maxItems + chance.of([0, 1]) }, () => generateValid(items ?? {}, chance));
  return chance.of(VALUES);
}

const generateAny = (shape: Shape, chance: Chance): unknown =>
  chance.is(0.35) ? chance.of(TEXTS) : chance.is(0.4) ? generateAtBound(shape, chance) : chance.of(VALUES);

/** Returns the value with one part broken. */
export function breakValue(shape: Shape, value: unknown, chance: Chance): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Raw) return generateAny(shape, chance);
  if (Array.isArray(value)) {
    if (value.length === 0 || chance.is(0.4)) return generateAny(shape, chance);
    const at = chance.below(value.length);
    return value.map((inner, index) => (index === at ? breakValue(shape.items ?? {}, inner, chance) : inner));
  }
  const names = Object.keys(shape.properties ?? {});
  const known = names.filter((name) => name in value);
  const variant = chance.below(10);
  if (variant === 0 || names.length === 0) return { ...value, [chance.of(KEYS)]: chance.of(VALUES) };
  if (variant === 1 && known.length > 0) {
    const removed = chance.of(known);
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== removed));
  }
  if (variant === 2 && known.length > 0) {
    // The same key twice: parsers differ in which one counts.
    const repeated = chance.of(known);
    const content = serializeValue(value).slice(1, -1);
    return new Raw(`{${content},${JSON.stringify(repeated)}:${serializeValue(generateAny({}, chance))}}`);
  }
  if (variant === 3) {
    const content = serializeValue(value).slice(1, -1);
    const raw = chance.of([
      '"__proto__":{"polluted":true}',
      '"\\ud800":1',
      '"\\u0000":1',
      '"a\\u0000":"\\udfff"',
    ]);
    return new Raw(`{${[content, raw].filter((part) => part !== '').join(',')}}`);
  }
  const name = chance.of(names);
  const inner = shape.properties?.[name] ?? {};
  const old = (value as Record<string, unknown>)[name] ?? generateValid(inner, chance);
  return { ...value, [name]: breakValue(inner, old, chance) };
}

/** Bodies that are not JSON or match no schema. */
export const BODIES: readonly string[] = [
  '',
  ' ',
  'null',
  '[]',
  '"x"',
  '1',
  '{',
  '{"a":',
  '{}{}',
  "{'a':1}",
  '{"a":1,}',
  '\ufeff{}',
  '{"a":NaN}',
  '{"a":"\u0001"}',
  '[[[[[[',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>',
  'a=1&b=2',
  '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n1\r\n--x--',
];

const damageBytes = (bytes: Uint8Array<ArrayBuffer>, chance: Chance): BlobPart => {
  const at = chance.below(bytes.length + 1);
  if (chance.is(0.4)) return bytes.slice(0, at);
  return bytes.map((byte, index) => (index >= at && chance.is(0.02) ? byte ^ (1 << chance.below(8)) : byte));
};

/** Returns the form with one part broken: a file, a file name, a field, or how often they occur. */
export async function breakForm(form: FormData, chance: Chance): Promise<FormData> {
  const changed = new FormData();
  for (const [name, value] of form) {
    if (chance.is(0.1)) continue;
    const fieldName = chance.is(0.1) ? chance.of(KEYS).toWellFormed() : name;
    if (typeof value === 'string') {
      changed.append(fieldName, chance.is(0.3) ? chance.of(TEXTS).toWellFormed() : value);
      continue;
    }
    const part = chance.is(0.2)
      ? chance.of(BODIES)
      : chance.is(0.6)
        ? damageBytes(new Uint8Array(await value.arrayBuffer()), chance)
        : value;
    changed.append(
      fieldName,
      new Blob([part]),
      chance.is(0.3) ? chance.of(TEXTS).toWellFormed() : value.name,
    );
  }
  if (chance.is(0.2)) changed.append(chance.of(KEYS).toWellFormed(), chance.of(TEXTS).toWellFormed());
  if (chance.is(0.1)) changed.append('file', new Blob([chance.of(BODIES)]), 'again.bin');
  return changed;
}

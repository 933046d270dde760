import { BRAND } from '../../config/brand.ts';
import type { CreateReplyStyleBody, NamedReplyStyle, ReplyStyle } from './contract.ts';
import { DEFAULT_REPLY_STYLE, pickStyle } from './reply-style.ts';

/** A style as a file: JSON with the name and the fields of a `ReplyStyle`. Without zod, so that islands can import it. */

const SPEC = `${BRAND.modelValue}_reply_style`;
const VERSION = '1.0';

/** Several times the longest style, whose note JSON may escape to six bytes a character. */
export const MAX_STYLE_FILE_BYTES = 64 * 1024;

/** Writes a style as the text of a file. */
export const serializeStyleFile = (style: NamedReplyStyle): string =>
  `${JSON.stringify({ spec: SPEC, spec_version: VERSION, name: style.name, ...pickStyle(style) }, null, 2)}\n`;

const FIELDS = Object.keys(DEFAULT_REPLY_STYLE) as (keyof ReplyStyle)[];

/**
 * Reads the text of a file. Absent fields become the default; unknown ones of a later version 1 are ignored. The
 * server checks the values when the style is saved.
 * @returns null when it is not a style, or of another major version
 */
export function parseStyleFile(text: string): CreateReplyStyleBody | null {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof file !== 'object' || file === null || Array.isArray(file)) return null;
  const { spec, spec_version: version, name, ...fields } = file as Record<string, unknown>;
  if (spec !== SPEC || typeof version !== 'string' || !/^1\.\d+$/.test(version)) return null;
  if (typeof name !== 'string') return null;
  const known = FIELDS.filter((field) => Object.hasOwn(fields, field));
  if (known.some((field) => !['string', 'number'].includes(typeof fields[field]))) return null;
  const style = Object.fromEntries(known.map((field) => [field, fields[field]])) as Partial<ReplyStyle>;
  return { name, ...DEFAULT_REPLY_STYLE, ...style };
}

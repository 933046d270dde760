/** The kinds of values: each is a zod schema of a variable's text, with what it wants in the registry. */
import { z } from 'zod';

const PRINTABLE = /^[\x21-\x7e]+$/;
const ONE_LINE = /^[^\p{Cc}]+$/u;
const ADDRESS = String.raw`[^\s@<>,;"]{1,64}@[^\s@<>,;"]+\.[^\s@<>,;".]{2,}`;
const EMAIL = new RegExp(`^${ADDRESS}$`);
const SENDER = new RegExp(String.raw`^(?:[^<>@\p{Cc}]{1,100}<\s*${ADDRESS}\s*>|${ADDRESS})$`, 'u');
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** The metadata: of a kind by the kind's schema, of a variable by the variable's schema. */
export const registry = z.registry();

/**
 * @typedef {'secret' | 'key' | 'id' | 'text' | 'word' | 'base' | 'safe-base' | 'safe-address' | 'site' | 'sender' | 'email' | 'emails' | 'links' | 'number' | 'choice' | 'measurement'} Kind
 */

/** @template {z.ZodType} S @param {Kind} name @param {string} wants @param {S} schema @returns {S} */
function kind(name, wants, schema) {
  registry.add(schema, { kind: name, wants, secret: name === 'secret' || name === 'key' });
  return schema;
}

/** @param {RegExp} pattern @param {number} [max] */
const line = (pattern, max = 2000) => z.string().max(max).regex(pattern);
/** @param {number} min */
export const secret = (min) =>
  kind('secret', `a secret of at least ${min} characters`, line(ONE_LINE).min(min));
const AS_ISSUED = 'the whole value as issued, without spaces';
export const key = () => kind('key', AS_ISSUED, line(PRINTABLE));
/** @param {number} [max] */
export const id = (max) =>
  kind('id', `${AS_ISSUED}${max ? `, at most ${max} characters` : ''}`, line(PRINTABLE, max));
/** @param {number} max */
export const text = (max) => kind('text', `a line of text of at most ${max} characters`, line(ONE_LINE, max));
/** @param {number} max */
export const word = (max) =>
  kind('word', `one word of letters, digits, _ and -, at most ${max} characters`, line(/^[\w-]+$/, max));

const webUrl = () => z.url({ protocol: /^https?$/ });
/** An address that a secret may be sent to: https, or this machine. */
const safeUrl = () =>
  z.union([z.url({ protocol: /^https$/ }), z.url({ protocol: /^http$/, hostname: LOCAL_HOST })]);
/** @param {string} address without trailing slashes, because paths are appended */
const stripSlashes = (address) => address.replace(/\/+$/, '');
const WEB_URL = 'a whole address that begins with https:// or http://';
const SAFE_URL = 'a whole address that begins with https://, or with http:// on this machine only';
const SITE_URL = 'the address of the site, such as https://chat.example';
export const base = () => kind('base', WEB_URL, webUrl().transform(stripSlashes));
export const safeBase = () => kind('safe-base', SAFE_URL, safeUrl().transform(stripSlashes));
export const safeAddress = () => kind('safe-address', SAFE_URL, safeUrl());
export const site = () =>
  kind(
    'site',
    SITE_URL,
    webUrl().transform((address) => new URL(address).origin),
  );

const NAMED_EMAIL = 'an e-mail address, or one after a name: Name <name@chat.example>';
export const sender = () => kind('sender', NAMED_EMAIL, z.string().trim().regex(SENDER));
export const email = () => kind('email', 'an e-mail address', line(EMAIL, 254));

/** @param {string} text entries separated by commas */
const splitList = (text) => text.split(',').flatMap((entry) => entry.trim() || []);
/** @template {z.ZodType} S @param {S} schema of all entries */
const list = (schema) => z.string().transform(splitList).pipe(schema);
const EMAILS = 'e-mail addresses, separated by commas';
export const emails = () =>
  kind('emails', EMAILS, list(z.array(z.string().toLowerCase().regex(EMAIL)).min(1)));
/** @param {string} entry `Name=https://…` */
function splitLink(entry) {
  const [name, ...url] = entry.split('=');
  return { name, url: url.join('=') };
}
const link = () => z.object({ name: z.string().trim().min(1).max(40), url: z.url({ protocol: /^https$/ }) });
/** @param {number} max */
export const links = (max) =>
  kind(
    'links',
    `at most ${max} links, each written Name=https://…, separated by commas`,
    list(z.array(z.string().transform(splitLink).pipe(link())).max(max)),
  );

/** @param {string} wants @param {z.ZodNumber} schema */
const numeric = (wants, schema) =>
  kind('number', wants, z.string().trim().min(1).transform(Number).pipe(schema));
/** @param {number} min @param {number} max */
export const number = (min, max) => numeric(`a number from ${min} to ${max}`, z.number().min(min).max(max));
/** @param {number} min @param {number} max */
export const integer = (min, max) =>
  numeric(`a whole number from ${min} to ${max}`, z.int().min(min).max(max));
/** @template {string} C @param {C[]} choices */
export const choice = (...choices) => kind('choice', choices.join(' or '), z.enum(choices));
const MEASUREMENT = 'a measurement id such as G-XXXXXXXXXX';
export const measurement = () => kind('measurement', MEASUREMENT, z.string().regex(/^G-[A-Z0-9]{4,20}$/));

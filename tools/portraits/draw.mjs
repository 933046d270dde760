// Small drawing vocabulary shared by every portrait: numbers, colours, curves, layers.
// Everything here is pure, so the same parameters always give the same picture.

/** Picture size in CSS pixels: the product's 3:4 card at twice its usual width. */
export const WIDTH = 480;
export const HEIGHT = 640;

/** The house palette. Portraits mix from these, so that all pictures stay one family. */
export const INK = '#15100d';
export const SAFFRON = '#e9a83f';
export const TEAL = '#4c9c94';
export const EMBER = '#cc5b38';
export const LAMP = '#ffcf85';

/** One decimal is finer than a pixel can show and keeps the markup small. */
export const num = (value) => String(Math.round(value * 10) / 10);

const channels = (hex) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** Mixes two #rrggbb colours; `amount` 0 gives the first, 1 the second. */
export function mix(from, to, amount) {
  const a = channels(from);
  const b = channels(to);
  return `#${a
    .map((value, at) =>
      Math.round(value + (b[at] - value) * amount)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** Darkens towards warm ink rather than black: shadows at night are never neutral. */
export const shade = (hex, amount = 0.35) => mix(hex, '#1a0f12', amount);
/** Lightens towards lamplight. */
export const glow = (hex, amount = 0.3) => mix(hex, '#ffe2ae', amount);

/** A repeatable stream of numbers in [0, 1), started by a word. */
export function stream(word) {
  let state = 2166136261;
  for (const letter of word) state = Math.imul(state ^ letter.codePointAt(0), 16777619) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/** A smooth curve through points ([x, y] pairs), as path data. */
export function curve(points, closed = true, pull = 6) {
  const count = points.length;
  const at = (index) =>
    closed ? points[(index + count) % count] : points[Math.max(0, Math.min(count - 1, index))];
  let d = `M${num(points[0][0])} ${num(points[0][1])}`;
  const last = closed ? count : count - 1;
  for (let index = 0; index < last; index += 1) {
    const [p0, p1, p2, p3] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    const c1 = [p1[0] + (p2[0] - p0[0]) / pull, p1[1] + (p2[1] - p0[1]) / pull];
    const c2 = [p2[0] - (p3[0] - p1[0]) / pull, p2[1] - (p3[1] - p1[1]) / pull];
    d += `C${num(c1[0])} ${num(c1[1])} ${num(c2[0])} ${num(c2[1])} ${num(p2[0])} ${num(p2[1])}`;
  }
  return closed ? `${d}Z` : d;
}

const attributes = (more) =>
  Object.entries(more)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? num2(value) : value}"`)
    .join('');
const num2 = (value) => String(Math.round(value * 100) / 100);

/** A filled shape from path data. */
export const fill = (d, colour, more = {}) => `<path d="${d}" fill="${colour}"${attributes(more)}/>`;
/** A drawn line with round ends; `width` in picture units. */
export const line = (d, colour, width = 2, more = {}) =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${num2(width)}" stroke-linecap="round" stroke-linejoin="round"${attributes(more)}/>`;
export const circle = (x, y, r, colour, more = {}) =>
  `<circle cx="${num(x)}" cy="${num(y)}" r="${num(r)}" fill="${colour}"${attributes(more)}/>`;
/** A glow that fades to nothing at `r`; `strength` is its opacity in the middle. */
export function halo(x, y, r, colour, strength) {
  const id = `h${num(x)}-${num(y)}-${num(r)}-${colour.slice(1)}`.replaceAll('.', '_');
  return `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="${num2(strength)}"/><stop offset="0.45" stop-color="${colour}" stop-opacity="${num2(strength * 0.5)}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>${circle(x, y, r, `url(#${id})`)}`;
}
export const oval = (x, y, rx, ry, colour, more = {}) =>
  `<ellipse cx="${num(x)}" cy="${num(y)}" rx="${num(rx)}" ry="${num(ry)}" fill="${colour}"${attributes(more)}/>`;
export const box = (x, y, w, h, colour, more = {}) =>
  `<rect x="${num(x)}" y="${num(y)}" width="${num(w)}" height="${num(h)}" fill="${colour}"${attributes(more)}/>`;
export const group = (content, more = {}) => `<g${attributes(more)}>${content}</g>`;

/** Shows `content` only inside the shape `d`. Ids come from the shape, so they are stable. */
export function inside(d, content) {
  let hash = 7;
  for (const letter of d + content.length) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
  const id = `c${hash.toString(36)}`;
  return `<clipPath id="${id}"><path d="${d}"/></clipPath><g clip-path="url(#${id})">${content}</g>`;
}

/** `count` values made by `make(index)`, joined. */
export const many = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join('');

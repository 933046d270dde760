// Things that several places are furnished with, in picture space (480 by 640).
import { box, circle, fill, glow, halo, line, many, shade, stream } from './draw.mjs';

/** Stars scattered over the upper `bottom` units, always the same for the same word. */
export const stars = (word, count, bottom, colour = '#f3e2bd') => {
  const next = stream(word);
  return many(count, () =>
    circle(next() * 480, next() * bottom, 0.7 + next() ** 3 * 2.2, colour, {
      opacity: Math.round((0.35 + next() * 0.6) * 100) / 100,
    }),
  );
};
/** Slanting rain down to `bottom`. */
export const rain = (word, count, colour, bottom = 480) => {
  const next = stream(word);
  return many(count, () => {
    const x = next() * 500;
    const y = next() * bottom;
    const l = 14 + next() * 26;
    return line(`M${x} ${y}l${-l * 0.28} ${l}`, colour, 1.6, {
      opacity: Math.round((0.2 + next() * 0.4) * 100) / 100,
    });
  });
};
/** Falling snow. */
export const snow = (word, count) => {
  const next = stream(word);
  return many(count, () =>
    circle(next() * 480, next() * 460, 1.2 + next() * 3, '#f3ead6', {
      opacity: Math.round((0.3 + next() * 0.5) * 100) / 100,
    }),
  );
};
/** A lit paper lantern at x, y; `s` is its scale. */
export const lantern = (x, y, s, colour) =>
  line(`M${x} ${y - 46 * s}V${y - 26 * s}`, '#0f0b09', 2) +
  halo(x, y, 62 * s * 1.35, colour, 0.31) +
  fill(
    `M${x - 15 * s} ${y - 26 * s}H${x + 15 * s}C${x + 32 * s} ${y - 12 * s} ${x + 32 * s} ${y + 14 * s} ${x + 15 * s} ${y + 28 * s}H${x - 15 * s}C${x - 32 * s} ${y + 14 * s} ${x - 32 * s} ${y - 12 * s} ${x - 15 * s} ${y - 26 * s}Z`,
    colour,
  ) +
  fill(`M${x - 8 * s} ${y - 24 * s}H${x + 8 * s}V${y + 26 * s}H${x - 8 * s}Z`, glow(colour, 0.5), {
    opacity: 0.6,
  }) +
  line(
    `M${x - 24 * s} ${y - 10 * s}H${x + 24 * s}M${x - 26 * s} ${y + 2 * s}H${x + 26 * s}M${x - 23 * s} ${y + 14 * s}H${x + 23 * s}`,
    shade(colour, 0.35),
    1.6,
  ) +
  box(x - 14 * s, y - 30 * s, 28 * s, 6 * s, '#1a120e') +
  box(x - 14 * s, y + 26 * s, 28 * s, 6 * s, '#1a120e');
/** A toothed wheel. */
export const gear = (x, y, r, teeth, colour) =>
  many(
    teeth,
    (index) =>
      `<rect x="${x - r * 0.1}" y="${y - r * 1.18}" width="${r * 0.2}" height="${r * 0.34}" fill="${colour}" transform="rotate(${Math.round((index * 3600) / teeth) / 10} ${x} ${y})"/>`,
  ) +
  circle(x, y, r * 0.86, 'none', { stroke: colour, 'stroke-width': r * 0.26 }) +
  circle(x, y, r * 0.2, colour) +
  many(4, (index) =>
    line(
      `M${x} ${y}L${x + Math.cos((index * Math.PI) / 2 + 0.4) * r * 0.8} ${y + Math.sin((index * Math.PI) / 2 + 0.4) * r * 0.8}`,
      colour,
      r * 0.12,
    ),
  );
/** A range of hills through the points, filled down to the foot of the picture. */
export const peaks = (points, colour) =>
  fill(`M-10 660L${points.map((p) => p.join(' ')).join('L')}L490 660Z`, colour);
/** A wall clock; hands are given in radians from twelve. */
export const clock = (x, y, r, rim, hour, minute) => {
  const hand = (turn, long, w) =>
    line(`M${x} ${y}L${x + Math.sin(turn) * long} ${y - Math.cos(turn) * long}`, '#2a1c13', w);
  return (
    circle(x, y, r + 7, shade(rim, 0.4)) +
    circle(x, y, r + 3, rim) +
    circle(x, y, r, '#d9c59d') +
    many(12, (index) =>
      line(
        `M${x + Math.sin(index * 0.5236) * r * 0.82} ${y - Math.cos(index * 0.5236) * r * 0.82}L${x + Math.sin(index * 0.5236) * r * 0.94} ${y - Math.cos(index * 0.5236) * r * 0.94}`,
        '#5a402a',
        2,
      ),
    ) +
    hand(hour, r * 0.5, 4) +
    hand(minute, r * 0.76, 2.6) +
    circle(x, y, 3, '#2a1c13')
  );
};

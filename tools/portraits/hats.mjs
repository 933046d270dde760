// Hats, masks and ornaments. Head space, as in hair.mjs.
import { box, circle, fill, glow, line, many, oval, shade } from './draw.mjs';

/** A flower of five petals. */
export const flower = (x, y, r, colour, heart = '#e9c46a') =>
  many(5, (index) =>
    circle(
      x + Math.cos(index * 1.257 - 0.4) * r * 0.62,
      y + Math.sin(index * 1.257 - 0.4) * r * 0.62,
      r * 0.5,
      colour,
    ),
  ) + circle(x, y, r * 0.36, heart);

export const earring = (colour) => circle(-82, 34, 4, shade(colour, 0.3)) + circle(-82, 44, 7, colour);

/** A hat with a wide brim; `top` is how high the crown is. */
export const wideHat = (cloth, band, { top = 178, feather = '' } = {}) =>
  (feather
    ? fill('M60 -110C120 -150 150 -210 140 -250C110 -240 70 -190 52 -120Z', feather) +
      line('M56 -112C90 -160 120 -200 136 -240', shade(feather, 0.4), 2.6)
    : '') +
  oval(4, -80, 156, 32, shade(cloth, 0.35)) +
  fill(`M-74 -82C-80 -150 -56 -${top} 4 -${top}C64 -${top} 88 -150 82 -82C40 -66 -34 -66 -74 -82Z`, cloth) +
  fill('M-76 -104C-40 -86 46 -86 84 -104L83 -80C44 -64 -36 -64 -75 -80Z', band) +
  fill('M-152 -78C-120 -40 128 -40 160 -78C120 -60 -112 -60 -152 -78Z', glow(cloth, 0.08));

export const flatCap = (cloth) =>
  fill('M-92 -50C-110 -120 -62 -154 8 -152C82 -150 110 -112 98 -62C60 -84 -48 -84 -92 -50Z', cloth) +
  fill('M-40 -76C10 -92 70 -88 98 -64C118 -54 120 -42 108 -38C66 -62 4 -70 -46 -58Z', shade(cloth, 0.35)) +
  line('M-70 -96C-30 -130 40 -134 84 -104M4 -150C10 -120 8 -100 2 -82', shade(cloth, 0.4), 2.6) +
  circle(6, -152, 6, shade(cloth, 0.3));

export const beret = (cloth) =>
  fill('M-92 -64C-134 -120 -70 -172 16 -166C96 -160 136 -122 94 -66C56 -90 -50 -92 -92 -64Z', cloth) +
  fill('M-92 -64C-50 -94 56 -92 94 -66L90 -54C54 -80 -48 -82 -88 -52Z', shade(cloth, 0.35)) +
  line('M12 -164l8 -16', cloth, 6) +
  line('M-80 -112C-50 -146 20 -152 70 -130', glow(cloth, 0.25), 2.6, { opacity: 0.7 });

export const turban = (cloth, jewel) =>
  fill(
    'M-92 -36C-124 -120 -74 -188 4 -188C84 -188 126 -120 92 -40C72 -70 40 -88 8 -90C-30 -88 -66 -70 -92 -36Z',
    cloth,
  ) +
  line(
    'M8 -90C-30 -110 -70 -100 -100 -70M8 -92C-20 -136 -66 -146 -98 -110M10 -92C0 -150 -30 -176 -60 -172M12 -92C50 -112 84 -104 104 -74M14 -94C40 -140 80 -144 104 -112M12 -94C24 -150 50 -176 70 -166',
    shade(cloth, 0.38),
    3,
  ) +
  (jewel ? oval(10, -98, 11, 14, shade(jewel, 0.3)) + oval(9, -99, 7, 10, jewel) : '');

/** A knotted headcloth of the Javanese kind. */
export const headcloth = (cloth, dots) =>
  fill(
    'M-88 -40C-104 -120 -60 -156 4 -156C70 -156 106 -118 90 -44C60 -66 36 -96 6 -60C-24 -96 -56 -66 -88 -40Z',
    cloth,
  ) +
  many(11, (index) =>
    circle(-70 + index * 14.6, -112 - Math.sin((index / 10) * 3.14) * 26 + (index % 2) * 16, 3.6, dots),
  ) +
  line('M-86 -44C-56 -68 -24 -96 6 -62C36 -96 60 -68 88 -46', shade(cloth, 0.45), 3) +
  fill('M-86 -60C-116 -66 -128 -44 -122 -22C-106 -30 -92 -40 -84 -46Z', shade(cloth, 0.2));

/** The star-sewn leather hat of the Brazilian backlands. */
export const leatherHat = (leather, star) =>
  fill('M-130 -50C-158 -150 -70 -204 4 -204C80 -204 166 -150 136 -54C84 -96 -76 -98 -130 -50Z', leather) +
  fill('M-86 -60C-60 -96 66 -96 92 -62C60 -80 -52 -82 -86 -60Z', shade(leather, 0.5)) +
  line('M-116 -80C-70 -118 76 -118 124 -84', shade(leather, 0.4), 4) +
  many(3, (index) => flower(-56 + index * 60, -144 - (index === 1 ? 14 : 0), 19, star, leather));

/** A mask over the eyes of a face turned by half. */
export const halfMask = (colour, trim) =>
  fill(
    'M-74 -34C-36 -58 44 -60 80 -38C90 -12 76 20 48 22C30 22 18 8 8 4C-6 8 -20 24 -44 22C-72 18 -82 -10 -74 -34ZM-44 -4C-38 -16 -12 -16 -4 -2C-12 10 -36 10 -44 -4ZM22 -2C28 -16 52 -16 58 -4C50 10 30 10 22 -2Z',
    colour,
    { 'fill-rule': 'evenodd' },
  ) +
  line('M-74 -34C-36 -58 44 -60 80 -38', trim, 3) +
  many(5, (index) => circle(-50 + index * 27, -40 - Math.sin((index / 4) * 3.14) * 9, 3.4, trim)) +
  fill('M70 -44C96 -96 124 -112 140 -106C124 -84 104 -54 80 -34Z', trim);

export const headphones = (shell, light) =>
  line('M-80 0C-102 -152 98 -158 86 -6', shade(shell, 0.2), 13) +
  line('M-80 -10C-94 -144 92 -150 84 -14', glow(shell, 0.25), 3) +
  oval(-82, 6, 24, 36, shade(shell, 0.4)) +
  oval(-86, 6, 18, 30, shell) +
  circle(-88, 0, 6, light);

/** A cloth band round the forehead. */
export const headband = (cloth) =>
  fill('M-82 -40C-40 -84 44 -86 84 -44L82 -62C46 -106 -42 -104 -82 -60Z', cloth) +
  line('M-80 -50C-40 -92 44 -94 82 -54', glow(cloth, 0.2), 2.4);

/** The soft crown of a cook. */
export const cookHat = (cloth) =>
  circle(-46, -140, 38, shade(cloth, 0.1)) +
  circle(50, -142, 38, shade(cloth, 0.2)) +
  circle(2, -162, 46, cloth) +
  fill('M-82 -64C-40 -100 46 -100 86 -66L82 -118H-80Z', glow(cloth, 0.1)) +
  line('M-60 -84V-114M-20 -92V-122M22 -92V-122M62 -84V-114', shade(cloth, 0.3), 2.6);

/** A pencil behind the near ear. */
export const pencil = (colour) => line('M-96 -6L-40 -44', colour, 6) + box(-44, -48, 8, 8, '#2a1c14');

// Animals that talk. Each answers markup in head space.
import { circle, fill, glow, halo, inside, line, many, mix, oval, shade, stream } from './draw.mjs';

const eyeball = (x, y, r, colour, slit = false) =>
  circle(x, y, r + 4, '#1a110d') +
  circle(x, y, r, colour) +
  circle(x + 1, y + 2, r * 0.78, glow(colour, 0.25)) +
  (slit ? oval(x + 2, y, r * 0.26, r * 0.86, '#130c0a') : circle(x + 2, y, r * 0.52, '#130c0a')) +
  circle(x + r * 0.42, y - r * 0.42, r * 0.24, '#fff3d8');

const whiskers = (colour) =>
  line(
    'M-40 46C-80 40 -110 42 -134 50M-40 56C-80 58 -108 66 -128 78M56 46C90 40 116 42 136 50M56 56C90 60 112 68 128 80',
    colour,
    2,
    { opacity: 0.8 },
  );

/** A cat with a torn ear. */
export function cat({ fur = '#8a8178', belly = '#d9cdb8', eye = '#d9b23a', stripe = '#4d463f' }) {
  const head =
    'M4 -96C-60 -98 -104 -56 -108 0C-112 56 -66 104 4 106C74 104 114 58 110 2C106 -56 66 -98 4 -96Z';
  return (
    fill('M-100 -30C-116 -90 -112 -150 -98 -176C-64 -152 -34 -122 -20 -90Z', fur) +
    fill('M-90 -58C-96 -100 -94 -130 -90 -146C-70 -130 -54 -110 -46 -92Z', '#b98a7c') +
    fill('M26 -92C40 -122 70 -152 88 -162L94 -140L104 -150C114 -110 112 -66 104 -28Z', shade(fur, 0.14)) +
    fill('M50 -90C60 -108 74 -124 84 -132C92 -108 92 -84 88 -60Z', '#9a6e62') +
    fill(head, fur) +
    inside(
      head,
      line(
        'M4 -100V-56M-20 -98L-14 -62M28 -98L22 -62M-110 -10L-74 -4M-112 14L-76 14M-104 38L-74 30M112 -10L80 -4M114 14L82 14M106 38L80 30',
        stripe,
        8,
      ) +
        fill('M8 14C-40 16 -66 44 -56 82C-40 112 56 112 72 82C82 46 52 16 8 14Z', belly) +
        fill('M4 20C-8 -20 -8 -60 4 -96C16 -60 18 -20 10 20Z', belly, { opacity: 0.5 }),
    ) +
    eyeball(-42, -10, 23, eye, true) +
    eyeball(52, -10, 21, eye, true) +
    fill(
      'M-70 -30C-56 -44 -30 -44 -16 -26C-34 -34 -54 -36 -70 -30ZM80 -30C66 -44 44 -44 30 -26C46 -34 64 -36 80 -30Z',
      shade(fur, 0.3),
    ) +
    fill('M-6 30H24L9 46Z', '#b5685c') +
    line('M9 46v10q-14 14 -28 4M9 56q14 14 28 4', shade(fur, 0.65), 3.4) +
    whiskers('#f0e6d2')
  );
}

/** A capybara, calm beyond reproach. */
export function capybara({ fur = '#8f6a42' }) {
  const next = stream('capybara');
  const head =
    'M-20 -100C-70 -96 -88 -50 -84 0C-84 60 -64 112 6 116C80 114 108 66 106 10C106 -50 70 -104 24 -104C8 -104 -6 -102 -20 -100Z';
  return (
    oval(-66, -92, 20, 26, shade(fur, 0.25), { transform: 'rotate(-24 -66 -92)' }) +
    oval(70, -96, 18, 24, shade(fur, 0.4), { transform: 'rotate(22 70 -96)' }) +
    fill(head, fur) +
    inside(
      head,
      many(60, () => {
        const x = -90 + next() * 200;
        const y = -100 + next() * 130;
        return line(
          `M${x} ${y}l${-3 + next() * 6} 12`,
          next() > 0.5 ? glow(fur, 0.2) : shade(fur, 0.28),
          2.4,
        );
      }) +
        fill('M-66 20C-50 -10 70 -12 96 18C112 60 92 116 10 118C-58 116 -78 60 -66 20Z', glow(fur, 0.16)) +
        fill('M60 -110C84 -40 76 60 40 120H130V-110Z', shade(fur, 0.4), { opacity: 0.4 }),
    ) +
    eyeball(-44, -34, 12, '#3a2316') +
    eyeball(62, -36, 11, '#3a2316') +
    fill(
      'M-64 -46C-52 -56 -34 -54 -24 -42C-38 -44 -52 -44 -64 -46ZM80 -48C70 -58 54 -56 44 -44C56 -46 68 -46 80 -48Z',
      shade(fur, 0.4),
    ) +
    oval(-14, 34, 9, 13, shade(fur, 0.7), { transform: 'rotate(14 -14 34)' }) +
    oval(40, 33, 9, 13, shade(fur, 0.7), { transform: 'rotate(-14 40 33)' }) +
    line('M13 46v26q-22 18 -46 8M13 72q24 18 48 6', shade(fur, 0.65), 4) +
    circle(-36, 62, 2.2, shade(fur, 0.6)) +
    circle(-28, 72, 2.2, shade(fur, 0.6)) +
    circle(62, 60, 2.2, shade(fur, 0.6))
  );
}

/** A raccoon dog with a leaf on its head. */
export function tanuki({ fur = '#8a6646', mask = '#33241c', belly = '#dcc8a4' }) {
  const head =
    'M4 -92C-66 -96 -118 -40 -118 6C-104 70 -60 104 6 106C74 104 118 68 126 4C124 -42 74 -96 4 -92Z';
  return (
    circle(-76, -92, 32, shade(fur, 0.35)) +
    circle(-74, -88, 17, '#b58f72') +
    circle(82, -92, 30, shade(fur, 0.5)) +
    circle(80, -88, 15, '#8f6e58') +
    fill(head, fur) +
    inside(
      head,
      fill(
        'M-118 20C-90 -20 -60 -30 -30 -20C-20 10 -40 40 -80 52L-120 60ZM126 20C100 -20 74 -30 46 -20C36 10 54 40 92 52L130 60Z',
        mask,
      ) + fill('M8 -30C-26 6 -50 60 -30 96C-10 116 36 116 50 96C68 60 42 6 8 -30Z', belly),
    ) +
    eyeball(-50, 4, 17, '#c98a3a') +
    eyeball(64, 4, 16, '#c98a3a') +
    fill(
      'M-76 -34C-60 -48 -38 -46 -26 -32C-44 -36 -60 -36 -76 -34ZM92 -34C78 -48 56 -46 44 -32C60 -36 76 -36 92 -34Z',
      belly,
    ) +
    oval(10, 38, 17, 12, '#1a110d') +
    circle(5, 34, 4, '#6b5a50') +
    line('M10 50v8q-16 16 -34 6M10 58q16 16 34 6', '#2a1a12', 3.6) +
    fill('M10 -100C-30 -116 -40 -150 -24 -172C0 -160 22 -134 10 -100Z', '#6f8a3a') +
    line('M10 -100C-2 -130 -12 -150 -22 -168', '#a8b85a', 2.6)
  );
}

/** A basilisk, half cock and half lizard, who looks at nobody without dark glasses. */
export function basilisk({ hide = '#5c7a52', comb = '#b33a2c' }) {
  const next = stream('basilisk');
  const head = 'M0 -96C-62 -98 -92 -56 -90 -4C-88 50 -56 92 -10 104C40 110 84 82 90 10C94 -54 62 -98 0 -96Z';
  return (
    fill(
      'M-60 -80C-90 -110 -84 -150 -58 -160C-56 -136 -44 -132 -34 -126C-40 -156 -20 -184 8 -188C4 -160 14 -146 24 -138C30 -164 54 -176 74 -168C64 -140 72 -112 56 -84Z',
      comb,
    ) +
    fill(head, hide) +
    inside(
      head,
      many(70, () => {
        const x = -92 + next() * 184;
        const y = -96 + next() * 200;
        return line(`M${x - 7} ${y}q7 10 14 0`, next() > 0.5 ? glow(hide, 0.25) : shade(hide, 0.35), 2.4);
      }) + fill('M40 -104C64 -40 56 50 20 110H120V-104Z', shade(hide, 0.45), { opacity: 0.45 }),
    ) +
    fill('M-24 20C-14 4 40 2 54 16C70 34 84 52 92 74C60 74 20 76 -6 60C-22 48 -30 34 -24 20Z', '#d9a53f') +
    line('M-16 44C20 56 56 60 88 70', '#8a5a1e', 3.4) +
    fill(
      'M-10 62C-24 84 -18 116 0 122C16 112 14 84 6 66ZM22 68C16 88 24 108 36 110C48 100 44 82 36 70Z',
      comb,
    ) +
    oval(-34, -22, 34, 29, '#17120f') +
    oval(48, -24, 30, 28, '#17120f') +
    oval(-34, -22, 34, 29, 'none', { stroke: '#c9a15a', 'stroke-width': 4 }) +
    oval(48, -24, 30, 28, 'none', { stroke: '#c9a15a', 'stroke-width': 4 }) +
    line('M0 -26Q8 -34 18 -28M-68 -26L-90 -34M-52 -34l14 -10M36 -36l12 -8', '#d9b46a', 4) +
    line('M-52 -34l14 -10M36 -36l12 -8', '#fff1d2', 3, { opacity: 0.6 })
  );
}

/** A carp spirit's fins, to be drawn behind a human head. */
export const fins = (colour, tip) =>
  fill(
    'M-60 -60C-130 -110 -170 -80 -176 -40C-150 -40 -150 -20 -166 0C-140 0 -130 20 -140 44C-110 36 -84 30 -62 20Z',
    colour,
  ) +
  fill(
    'M60 -60C124 -110 160 -82 166 -44C142 -42 142 -22 156 -2C132 0 124 18 132 42C104 34 80 28 62 18Z',
    shade(colour, 0.25),
  ) +
  line(
    'M-64 -46C-110 -70 -140 -66 -168 -44M-64 -24C-110 -30 -136 -18 -160 -2M-64 4C-96 10 -116 24 -134 40',
    tip,
    3,
  ) +
  line('M64 -46C104 -70 132 -68 158 -48M64 -24C102 -30 126 -20 150 -4', shade(tip, 0.2), 3);

/** A lantern-light face inside an empty hood. */
export const emptyHood = (light) =>
  fill(
    'M0 -104C-58 -104 -84 -60 -84 0C-84 60 -50 110 4 114C58 110 88 60 88 0C88 -60 60 -104 0 -104Z',
    '#0b0807',
  ) +
  halo(-28, -6, 34, light, 0.6) +
  halo(40, -6, 32, light, 0.6) +
  circle(-28, -6, 8, mix(light, '#ffffff', 0.4)) +
  circle(40, -6, 7, mix(light, '#ffffff', 0.4));

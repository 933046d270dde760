// What sits on or grows from a head: caps, veils, glasses, horns. Head space, as in hair.mjs.
import { box, circle, curve, fill, glow, inside, line, many, mix, oval, shade } from './draw.mjs';

const lens = (x, y, rx, ry, frame, tint, round) =>
  round
    ? oval(x, y, rx, ry, tint, { 'fill-opacity': 0.16, stroke: frame, 'stroke-width': 3.6 })
    : box(x - rx, y - ry, rx * 2, ry * 2, tint, {
        rx: 9,
        'fill-opacity': 0.16,
        stroke: frame,
        'stroke-width': 3.6,
      });

/** Spectacles on the nose of a face turned by `turn`. */
export function glasses(turn, frame, { round = true, size = 1, low = 0, chain = '' } = {}) {
  const x = turn * 15;
  const near = x - 34;
  const far = x + 31;
  return (
    line(`M${near - 24 * size} ${low}L-70 ${-6 + low * 0.4}`, frame, 3.4) +
    lens(near, low, 25 * size, 23 * size, frame, '#ffe7b8', round) +
    lens(far, low, 20 * size, 22 * size, frame, '#ffe7b8', round) +
    line(`M${near + 24 * size} ${low - 2}Q${x + 2} ${low - 10} ${far - 20 * size} ${low - 2}`, frame, 3.6) +
    line(`M${near - 14} ${low - 8}l9 -8M${far - 8} ${low - 8}l7 -7`, '#fff1d2', 2.6, { opacity: 0.6 }) +
    (chain ? line(`M-70 -4C-104 40 -96 120 -70 168`, chain, 2) : '')
  );
}

/** Goggles pushed up on a forehead. */
export const goggles = (strap, rim, glass) =>
  line('M-82 -44C-40 -80 40 -82 80 -46', strap, 15) +
  circle(-22, -74, 27, shade(rim, 0.3)) +
  circle(-22, -75, 22, glass) +
  circle(42, -74, 24, shade(rim, 0.4)) +
  circle(42, -75, 19, shade(glass, 0.2)) +
  line('M-36 -84q8 -9 18 -8M32 -83q6 -7 14 -6', '#fff1d2', 3.4, { opacity: 0.75 }) +
  line('M4 -76h14', rim, 7);

export const trainCap = (cloth, band, badge) =>
  fill('M-96 -66C-110 -118 -80 -158 6 -160C92 -160 118 -116 98 -66C60 -86 -54 -88 -96 -66Z', cloth) +
  line('M-96 -114C-50 -142 60 -144 104 -112', glow(cloth, 0.2), 2.6) +
  fill('M-88 -66C-50 -92 56 -92 92 -66L88 -42C50 -64 -44 -64 -84 -40Z', band) +
  fill(
    'M-70 -46C-30 -64 50 -66 92 -44C104 -34 104 -24 92 -20C50 -44 -20 -40 -62 -22C-76 -28 -78 -40 -70 -46Z',
    '#1a1210',
  ) +
  line('M-58 -34C-14 -50 46 -52 90 -34', '#4a3a2e', 3) +
  circle(16, -92, 15, shade(badge, 0.25)) +
  circle(15, -93, 11, badge) +
  line('M8 -93h15M15 -100v14', shade(badge, 0.5), 2.6);

export const beanie = (wool, band) =>
  fill('M-86 -42C-96 -128 -54 -166 4 -166C64 -166 100 -126 86 -44C40 -72 -40 -72 -86 -42Z', wool) +
  many(9, (index) =>
    line(
      `M${-68 + index * 17} ${-60 - Math.sin((index / 8) * 3.14) * 14}C${-54 + index * 13.4} -110 ${-26 + index * 7.6} -148 ${-6 + index * 2.4} -162`,
      shade(wool, 0.35),
      2.6,
    ),
  ) +
  fill(
    'M-90 -36C-92 -54 -90 -66 -84 -74C-40 -100 44 -100 86 -76C92 -66 92 -54 90 -38C44 -66 -44 -66 -90 -36Z',
    band,
  ) +
  many(13, (index) =>
    line(`M${-80 + index * 13.4} ${-60 - Math.sin((index / 12) * 3.14) * 22}l0 16`, shade(band, 0.3), 2.6),
  );

export const hijabBehind = (cloth) =>
  fill(
    'M-60 -118C-130 -90 -116 40 -104 120C-130 190 -140 230 -140 280H140C140 220 132 180 108 120C116 30 112 -90 56 -118Z',
    shade(cloth, 0.25),
  );
export const hijabBefore = (cloth) =>
  fill(
    'M-104 160C-116 60 -122 -40 -86 -100C-50 -150 54 -150 90 -98C118 -50 108 60 100 156C60 190 -60 196 -104 160ZM6 -78C-34 -80 -56 -58 -60 -14C-62 40 -40 94 10 98C54 96 70 42 72 -8C70 -56 44 -78 6 -78Z',
    cloth,
    { 'fill-rule': 'evenodd' },
  ) +
  fill(
    'M6 -80C-34 -82 -58 -58 -61 -14L-50 -10C-46 -46 -26 -60 8 -58C42 -58 60 -44 66 -8L73 -8C70 -56 44 -80 6 -80Z',
    '#2a1210',
    { opacity: 0.35 },
  ) +
  fill(
    'M-74 66C-60 100 -20 112 16 108C50 100 70 84 78 54C96 90 110 140 60 176C10 206 -80 190 -100 156C-110 120 -96 90 -74 66Z',
    mix(cloth, glow(cloth, 0.2), 0.5),
  ) +
  line(
    'M-80 96C-50 132 20 140 70 108M-88 132C-40 168 40 168 88 138M-90 -60C-100 -10 -98 40 -88 90M-60 -112C-20 -140 40 -138 72 -104M-72 -84C-82 -50 -84 -20 -80 10',
    shade(cloth, 0.38),
    3,
    { opacity: 0.8 },
  ) +
  line('M-66 -112C-30 -134 30 -134 62 -110', glow(cloth, 0.3), 2.6, { opacity: 0.6 });

export const headset = (shell, light) =>
  line('M-80 0C-100 -150 96 -156 84 -6', shade(shell, 0.2), 13) +
  line('M-80 -10C-92 -142 90 -148 82 -14', glow(shell, 0.25), 3) +
  oval(-80, 6, 22, 34, shade(shell, 0.4)) +
  oval(-84, 6, 17, 28, shell) +
  circle(-86, -6, 5, light) +
  line('M-88 30C-84 74 -50 92 -18 84', shade(shell, 0.15), 5.5) +
  oval(-12, 82, 12, 8, shade(shell, 0.45), { transform: 'rotate(-12 -12 82)' });

export const headLamp = (shell, stripe) =>
  fill('M-90 -40C-102 -120 -58 -158 4 -158C68 -158 104 -118 88 -42C40 -66 -40 -66 -90 -40Z', shell) +
  line('M-34 -150C-48 -120 -52 -90 -50 -66M40 -150C54 -120 56 -94 54 -66', shade(shell, 0.35), 5) +
  line('M-90 -42C-40 -68 40 -68 88 -44', stripe, 10) +
  box(-4, -112, 46, 38, '#2a2320', { rx: 9 }) +
  circle(19, -93, 15, '#ffe9b8') +
  circle(19, -93, 9, '#fffaf0') +
  line('M-66 -30C-64 40 -40 96 6 112M66 -34C62 40 46 92 20 112', '#2a2320', 4.5);

/** An open knight's helmet, visor up. */
export const helm = (steel, plume) =>
  fill(
    'M-20 -150C-40 -210 -110 -220 -150 -176C-120 -178 -108 -160 -104 -140C-84 -160 -50 -160 -20 -150Z',
    plume,
  ) +
  line('M-30 -156C-60 -196 -100 -204 -136 -180M-44 -156C-70 -178 -94 -178 -110 -156', shade(plume, 0.35), 3) +
  fill(
    'M-96 100C-112 20 -116 -80 -70 -128C-30 -160 44 -160 78 -128C108 -86 102 20 92 96C82 110 74 112 66 106C80 50 84 0 80 -50C40 -76 -34 -78 -74 -48C-82 10 -76 60 -58 110C-74 116 -88 112 -96 100Z',
    steel,
  ) +
  fill(
    'M-106 -56C-116 -110 -80 -152 6 -158C90 -154 118 -108 104 -58C64 -92 -58 -94 -106 -56Z',
    glow(steel, 0.16),
  ) +
  line('M-80 -98C-40 -126 50 -128 86 -100', shade(steel, 0.75), 7) +
  many(6, (index) =>
    circle(-46 + index * 20, -88 - Math.sin((index / 5) * 3.14) * 8, 3.2, shade(steel, 0.7)),
  ) +
  line('M2 -158C4 -130 4 -110 4 -92', shade(steel, 0.4), 3.4) +
  circle(-92, -40, 11, shade(steel, 0.4)) +
  circle(-93, -41, 7, glow(steel, 0.4)) +
  line('M-84 60C-90 20 -92 -10 -88 -30', glow(steel, 0.35), 3);

export const smallHorns = (bone) =>
  fill('M-54 -100C-74 -120 -90 -150 -74 -184C-66 -160 -44 -144 -26 -114Z', bone) +
  fill('M40 -112C56 -136 72 -158 68 -188C96 -164 94 -124 74 -92Z', shade(bone, 0.15)) +
  line(
    'M-60 -112l22 -8M-70 -130l20 -8M-76 -148l14 -4M50 -118l28 14M60 -136l24 8M68 -154l18 4',
    shade(bone, 0.5),
    2.6,
  );

export const curvedHorns = (bone, tip) => {
  const left = 'M-58 -88C-92 -112 -108 -160 -74 -208C-76 -166 -52 -142 -22 -116Z';
  const right = 'M36 -116C64 -140 88 -164 88 -206C116 -160 104 -112 70 -86Z';
  return (
    fill(left, bone) +
    fill(right, shade(bone, 0.15)) +
    inside(left, box(-120, -212, 90, 50, tip)) +
    inside(right, box(60, -212, 60, 50, tip)) +
    line(
      'M-62 -100l26 -12M-74 -116l26 -10M-82 -136l22 -6M-84 -156l16 -2M50 -112l26 10M62 -124l24 8M72 -140l22 6M80 -158l18 2',
      shade(bone, 0.5),
      3,
    )
  );
};

export const antlers = (bone) => {
  const one = (side) => {
    const beam = `M${side * 22} -100C${side * 40} -150 ${side * 118} -140 ${side * 150} -196C${side * 166} -228 ${side * 160} -256 ${side * 146} -282C${side * 148} -240 ${side * 140} -210 ${side * 116} -184C${side * 84} -160 ${side * 50} -160 ${side * 46} -104Z`;
    const tine = (x, y, dx, dy, w) =>
      fill(
        `M${side * (x - w)} ${y}Q${side * (x + dx * 0.3)} ${y + dy * 0.6} ${side * (x + dx)} ${y + dy}Q${side * (x + dx * 0.7 + w)} ${y + dy * 0.45} ${side * (x + w)} ${y + 3}Z`,
        bone,
      );
    return (
      tine(58, -138, -10, -78, 13) +
      tine(94, -156, -8, -92, 12) +
      tine(128, -184, 44, -34, 12) +
      tine(148, -216, 36, -30, 9) +
      fill(beam, bone) +
      line(
        `M${side * 34} -110C${side * 50} -150 ${side * 116} -150 ${side * 148} -204`,
        glow(bone, 0.35),
        3,
        { opacity: 0.8 },
      ) +
      oval(side * 34, -104, 19, 10, shade(bone, 0.3))
    );
  };
  return one(-1) + one(1);
};

export const deerEars = (fur) =>
  fill('M-64 -44C-96 -72 -140 -76 -166 -60C-146 -30 -104 -12 -62 -14Z', fur) +
  fill('M-70 -40C-96 -58 -124 -62 -146 -56C-128 -38 -98 -26 -68 -26Z', '#c9a58a') +
  fill('M62 -46C92 -74 130 -78 154 -64C136 -34 98 -14 62 -16Z', shade(fur, 0.2)) +
  fill('M70 -42C94 -58 116 -62 134 -58C118 -42 94 -30 70 -28Z', '#9a7a66');

/** A dragon's short muzzle, cheek frill and two small teeth, over a human set of features. */
export const muzzle = (hide, x) =>
  fill(
    `M${x + 4} -34C${x - 13} -30 ${x - 18} 12 ${x - 30} 18C${x - 44} 24 ${x - 46} 34 ${x - 42} 42C${x - 30} 56 ${x + 38} 56 ${x + 50} 40C${x + 52} 20 ${x + 28} 14 ${x + 24} -8C${x + 22} -28 ${x + 16} -33 ${x + 4} -34Z`,
    glow(hide, 0.1),
  ) +
  fill(
    `M${x + 4} -34C${x + 16} -33 ${x + 22} -28 ${x + 24} -8C${x + 28} 14 ${x + 52} 20 ${x + 50} 40C${x + 40} 52 ${x + 20} 54 ${x + 6} 54C${x + 22} 36 ${x + 14} 0 ${x + 4} -34Z`,
    shade(hide, 0.25),
  ) +
  line(`M${x - 42} 42C${x - 30} 56 ${x + 38} 56 ${x + 50} 40`, shade(hide, 0.55), 2.8) +
  fill(`M${x - 24} 36q2 -13 15 -10q-2 10 -15 10ZM${x + 34} 34q0 -13 -13 -10q0 10 13 10Z`, shade(hide, 0.78)) +
  line(`M${x - 4} -4q8 6 14 0M${x - 6} 8q10 7 18 0M${x - 6} 20q10 6 18 0`, shade(hide, 0.45), 2.4) +
  fill(`M${x - 22} 62l5 13l6 -10ZM${x + 22} 63l-5 12l-6 -9Z`, '#f3e8d0');

export const frill = (skin) =>
  fill('M-66 -40L-128 -62L-112 -24L-140 -6L-108 16L-124 44L-66 34Z', skin) +
  line('M-66 -22L-122 -58M-66 -8L-132 -6M-66 12L-118 40', shade(skin, 0.4), 3.4) +
  fill('M66 -40L118 -58L104 -24L128 -6L100 14L112 40L66 32Z', shade(skin, 0.25)) +
  line('M66 -22L112 -54M66 -8L122 -6M66 10L106 36', shade(skin, 0.55), 3.4);

export const foxEars = (fur, inner) =>
  fill('M-84 -62C-104 -120 -100 -176 -80 -204C-46 -186 -22 -148 -14 -112Z', fur) +
  fill('M-74 -78C-86 -122 -86 -156 -76 -178C-56 -160 -38 -136 -32 -108Z', inner) +
  fill('M24 -116C34 -150 58 -186 92 -200C108 -170 108 -116 84 -66Z', shade(fur, 0.14)) +
  fill('M44 -108C52 -136 68 -162 86 -176C94 -150 92 -114 78 -80Z', shade(inner, 0.2)) +
  line('M-70 -170C-62 -150 -58 -130 -58 -108M82 -168C76 -148 72 -128 72 -104', '#f3e6cf', 3, {
    opacity: 0.5,
  }) +
  fill('M-100 -176C-92 -192 -86 -200 -80 -204C-72 -200 -64 -192 -58 -184L-74 -170Z', '#20140f') +
  fill('M76 -190L92 -200C98 -190 102 -180 104 -166L88 -176Z', '#20140f');

/** Overlapping scales inside a band of the face, as a mark. */
export const scales = (colour) =>
  many(5, (row) =>
    many(9 - row, (index) => {
      const x = -62 + index * 16 + row * 8;
      const y = -98 + row * 12;
      return line(`M${x - 8} ${y}q8 13 16 0`, colour, 2.4);
    }),
  ) +
  many(4, (row) =>
    many(3, (index) => line(`M${-72 + index * 14 + row * 3} ${8 + row * 12}q7 11 14 0`, colour, 2.2)),
  ) +
  many(4, (row) =>
    many(2, (index) => line(`M${48 + index * 13 - row * 2} ${10 + row * 12}q6 10 13 0`, colour, 2.2)),
  );

export const freckles = (colour, turn = 0.5) =>
  [
    [-44, 26],
    [-34, 32],
    [-52, 36],
    [-26, 24],
    [-40, 40],
    [-20, 34],
    [34, 26],
    [42, 33],
    [28, 34],
    [48, 24],
    [6, 20],
    [-2, 28],
  ]
    .map(([x, y]) => circle(x + turn * 15, y, 2.1, colour, { opacity: 0.75 }))
    .join('');

/** A soft headscarf tied behind, for the bazaar. */
export const kerchief = (cloth, dots) =>
  fill(
    curve([
      [-88, -10],
      [-98, -70],
      [-60, -128],
      [6, -138],
      [70, -124],
      [98, -66],
      [86, -14],
      [70, -62],
      [10, -88],
      [-56, -64],
    ]),
    cloth,
  ) +
  many(9, (index) =>
    circle(-70 + index * 18, -84 - Math.sin((index / 8) * 3.14) * 24 + (index % 2) * 14, 4.4, dots),
  ) +
  line('M-72 -58C-30 -90 44 -92 76 -56', shade(cloth, 0.4), 3);

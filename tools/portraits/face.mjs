// Heads and faces. Drawn three-quarter, turned to the right by `turn`; a mirrored figure is
// turned by its layer, not here. Origin: the middle of the head; the head is about 210 high.
import { circle, curve, fill, glow, halo, inside, line, mix, oval, shade } from './draw.mjs';

const DARK = '#1c1210';

/** The outline of a head. `wide`, `jaw`, `chin` are factors near 1; `long` adds to the chin. */
export function headOutline(face) {
  const { wide = 1, jaw = 1, chin = 1, long = 0, turn = 0.5 } = face;
  const w = 72 * wide;
  return curve([
    [0, -112],
    [-0.66 * w, -93],
    [-w, -42],
    [-0.97 * w, 8],
    [-0.83 * w * jaw, 54 + long * 0.5],
    [turn * 8 - 0.42 * w * jaw * chin, 87 + long],
    [turn * 14, 99 + long],
    [turn * 12 + 0.4 * w * jaw * chin, 86 + long],
    [0.72 * w * jaw + turn * 4, 52 + long * 0.5],
    [0.87 * w, 8],
    [0.9 * w, -42],
    [0.6 * w, -93],
  ]);
}

function eye(x, y, side, face) {
  const { eyes = {}, skin } = face;
  const {
    shape = 'almond',
    colour = '#4a2f1d',
    size = 1,
    look = 0.2,
    lash = false,
    white = '#e9dcc6',
    slit = false,
  } = eyes;
  const near = side < 0;
  const hw = (near ? 17 : 14.5) * size;
  const open =
    { almond: 9, round: 11.5, wide: 13.5, hooded: 6.5, narrow: 5.2, tired: 7.5, closed: 0 }[shape] * size;
  const inner = x - side * hw;
  const outer = x + side * hw;
  const slant = { narrow: 5, almond: 2.5, hooded: 0, round: 0.5, wide: -0.5, tired: -3, closed: -1 }[shape];
  const lid = shade(skin, 0.72);
  if (shape === 'closed') {
    return (
      line(`M${inner} ${y + 2}Q${x} ${y + 10} ${outer} ${y + 1}`, lid, 4.5) +
      line(`M${inner + side * 4} ${y - 9}Q${x} ${y - 14} ${outer - side * 2} ${y - 8}`, shade(skin, 0.35), 2)
    );
  }
  const top = `${inner} ${y + 3}C${inner + side * hw * 0.5} ${y - open * 1.25} ${outer - side * hw * 0.5} ${y - open * 1.35 - slant} ${outer} ${y - slant + 1}`;
  const almond = `M${top}C${outer - side * hw * 0.45} ${y + open * 0.95} ${inner + side * hw * 0.6} ${y + open * 0.95} ${inner} ${y + 3}Z`;
  const iris = Math.max(6.6, Math.min(open * 0.98, 10)) * (eyes.iris ?? 1);
  const ix = x + look * 7;
  const pupil = slit ? oval(ix, y - 1, iris * 0.26, iris * 0.9, DARK) : circle(ix, y - 1, iris * 0.52, DARK);
  const bag =
    shape === 'tired' || eyes.bags
      ? line(
          `M${inner + side * 5} ${y + open + 5}Q${x} ${y + open + 9} ${outer - side * 4} ${y + open + 2}`,
          shade(skin, 0.38),
          2,
          { opacity: 0.8 },
        )
      : '';
  const crease =
    shape === 'hooded' || shape === 'tired'
      ? line(
          `M${inner + side * 3} ${y - open - 2}Q${x} ${y - open * 1.5 - 4} ${outer + side * 4} ${y - slant + 2}`,
          shade(skin, 0.45),
          2.6,
        )
      : line(
          `M${inner + side * 5} ${y - open * 1.1 - 4}Q${x} ${y - open * 1.55 - 5} ${outer - side * 1} ${y - slant - open * 0.6 - 4}`,
          shade(skin, 0.36),
          1.8,
        );
  return (
    inside(
      almond,
      fill(almond, white) +
        circle(ix, y - 1, iris, shade(colour, 0.35)) +
        circle(ix, y + iris * 0.22, iris * 0.72, glow(colour, 0.12)) +
        pupil +
        circle(ix + iris * 0.35, y - iris * 0.5 - 1, iris * 0.24, '#fff3d8') +
        fill(
          `M${inner} ${y - 20}H${outer}V${y - open * 0.42}Q${x} ${y - open * 0.75} ${inner} ${y - open * 0.1}Z`,
          shade(skin, 0.7),
          { opacity: 0.42 },
        ),
    ) +
    line(`M${top}`, lid, lash ? 4.6 : 3.8) +
    (lash ? line(`M${outer - side} ${y - slant}l${side * 6} -4.5`, lid, 3.4) : '') +
    line(
      `M${outer - side * 2} ${y + 2}Q${x} ${y + open * 0.98} ${inner + side * 7} ${y + open * 0.7 + 1}`,
      shade(skin, 0.42),
      1.4,
    ) +
    crease +
    bag
  );
}

function brow(x, y, side, face) {
  const { brows = {}, hairColour = '#2a1c16' } = face;
  const { thick = 6, lift = 0, tilt = 0, colour = shade(hairColour, 0.25), arch = 5, long = 1 } = brows;
  const half = (side < 0 ? 21 : 17) * long;
  const inner = [x - side * half, y - lift + tilt];
  const outer = [x + side * half, y - lift - tilt * 0.2 + 3];
  const peak = [x + side * half * 0.25, y - lift - arch - tilt * 0.3];
  return fill(
    `M${inner[0]} ${inner[1] - thick * 0.5}Q${peak[0]} ${peak[1] - thick} ${outer[0]} ${outer[1]}Q${peak[0]} ${peak[1] + thick * 0.25} ${inner[0]} ${inner[1] + thick * 0.6}Z`,
    colour,
  );
}

function nose(x, face) {
  const { skin, turn = 0.5 } = face;
  const kind = face.nose ?? 'straight';
  const long = { straight: 36, aquiline: 41, broad: 37, button: 30, long: 45, hooked: 44 }[kind];
  const wing = { straight: 11, aquiline: 11, broad: 17, button: 10, long: 12, hooked: 13 }[kind];
  const hump = { aquiline: 7, hooked: 9, long: 3 }[kind] ?? 0;
  const tip = x + 6 + turn * 13;
  const edge = `M${x + 8} -8C${x + 9 + hump} 4 ${tip - 5 + hump} ${long * 0.5} ${tip} ${long - 5}`;
  const under = `C${tip + 2} ${long + 3} ${tip - 6} ${long + 5} ${x + 2} ${long + 4}`;
  const ink = shade(skin, 0.62);
  if (kind === 'button') {
    return (
      fill(
        `M${x + 9} 2C${x + 12} 14 ${tip + 2} 20 ${tip + 1} 27C${tip} 33 ${x + 18} 34 ${x + 20} 30C${x + 24} 20 ${x + 16} 8 ${x + 9} 2Z`,
        shade(skin, 0.4),
        { opacity: 0.6 },
      ) +
      line(`M${tip - 3} 16Q${tip + 5} 26 ${tip - 1} 31Q${tip - 6} 35 ${x + 2} 33`, ink, 2.2) +
      line(`M${x - 6} 32q4 -3 8 0`, ink, 2.2) +
      oval(tip - 5, 23, 3.6, 2.8, glow(skin, 0.5), { opacity: 0.7 })
    );
  }
  return (
    fill(
      `${edge}C${tip + 3} ${long + 3} ${tip + 2} ${long + 5} ${x + wing + 5} ${long + 3}C${x + wing + 14} ${long - 4} ${x + 16} 6 ${x + 8} -8Z`,
      shade(skin, 0.42),
      { opacity: 0.75 },
    ) +
    line(`${edge}${under}`, ink, 2.4) +
    line(`M${x - wing + 3} ${long + 1}Q${x - wing - 3} ${long - 6} ${x - wing + 3} ${long - 11}`, ink, 2.2) +
    line(`M${x - wing + 5} ${long + 3}q5 -3 9 1`, ink, 2.6) +
    oval(tip - 6, long - 8, 4.5, 3.4, glow(skin, 0.5), { opacity: 0.7 })
  );
}

/** A mouth alone; beards use it to set the lips on top of the hair. `x` is the face's middle. */
export function drawMouth(x, face) {
  const { skin, lips = {} } = face;
  const kind = face.mouth ?? 'calm';
  const { full = 1, colour = mix(shade(skin, 0.3), '#8c3a35', 0.42) } = lips;
  const y = 64 + (face.long ?? 0) * 0.45;
  const ink = shade(skin, 0.74);
  const l = x - 23 * (lips.wide ?? 1);
  const r = x + 20 * (lips.wide ?? 1);
  const bend = { calm: 2, smile: 8, smirk: 5, stern: -4, sad: -6, open: 4, grin: 10, worry: -3 }[kind];
  const rise = kind === 'smirk' ? 7 : 0;
  const upper = `M${l} ${y - bend * 0.5}Q${x - 10} ${y - 8 * full} ${x + 1} ${y - 5 * full}Q${x + 9} ${y - 8 * full} ${r} ${y - bend * 0.5 - rise}`;
  const seam = `M${l} ${y - bend * 0.5}Q${x - 4} ${y + bend * 0.9} ${r} ${y - bend * 0.5 - rise}`;
  if (kind === 'open' || kind === 'grin') {
    const drop = kind === 'open' ? 15 : 13;
    const shape = `M${l} ${y - bend * 0.4}Q${x} ${y + 1} ${r} ${y - bend * 0.4}Q${x + 12} ${y + drop} ${x} ${y + drop}Q${x - 13} ${y + drop} ${l} ${y - bend * 0.4}Z`;
    return (
      fill(shape, '#4a1a1a') +
      inside(shape, fill(`M${l} ${y - 12}H${r}V${y + 4}Q${x} ${y + 8} ${l} ${y + 3}Z`, '#eadcc4')) +
      line(`M${l} ${y - bend * 0.4}Q${x} ${y + 1} ${r} ${y - bend * 0.4}`, ink, 3) +
      line(`M${x - 13} ${y + drop + 5}Q${x} ${y + drop + 9} ${x + 12} ${y + drop + 4}`, shade(skin, 0.4), 2.2)
    );
  }
  return (
    fill(`${upper}Q${x - 4} ${y + bend * 0.9} ${l} ${y - bend * 0.5}Z`, shade(colour, 0.22)) +
    fill(
      `M${l + 5} ${y - bend * 0.2}Q${x - 4} ${y + bend * 0.9} ${r - 4} ${y - bend * 0.3 - rise * 0.7}Q${x + 3} ${y + 9 * full + bend} ${l + 5} ${y - bend * 0.2}Z`,
      colour,
    ) +
    line(seam, ink, 2.8) +
    line(`M${x - 8} ${y + 13 * full + bend * 0.7}q8 4 15 0`, shade(skin, 0.36), 2) +
    (kind === 'smile' || kind === 'smirk'
      ? line(`M${r + 3} ${y - bend - rise}q4 4 2 8`, shade(skin, 0.42), 2)
      : '')
  );
}

/** The near ear; `pointed` for creatures. */
export function ear(face) {
  const { skin, wide = 1 } = face;
  const x = -70 * wide;
  const flesh = shade(skin, 0.12);
  if (face.ears === 'pointed') {
    return (
      fill(
        `M${x + 8} -14C${x - 10} -34 ${x - 34} -50 ${x - 52} -54C${x - 42} -20 ${x - 26} 20 ${x + 8} 26Z`,
        flesh,
      ) +
      fill(
        `M${x + 4} -6C${x - 10} -22 ${x - 26} -36 ${x - 38} -42C${x - 30} -16 ${x - 18} 6 ${x + 4} 14Z`,
        shade(skin, 0.42),
      )
    );
  }
  return (
    fill(
      `M${x + 6} -16C${x - 12} -28 ${x - 22} -8 ${x - 14} 10C${x - 10} 24 ${x - 4} 32 ${x + 8} 26Z`,
      flesh,
    ) +
    line(`M${x + 2} -10C${x - 10} -16 ${x - 14} -2 ${x - 8} 8M${x - 8} 8q8 2 6 10`, shade(skin, 0.45), 2.2)
  );
}

/** The whole face without hair. `face` describes it; see people.mjs for what can be said. */
export function drawFace(face) {
  const { skin, turn = 0.5, wide = 1 } = face;
  const x = turn * 15;
  const outline = headOutline(face);
  const spread = (face.eyes?.apart ?? 32) * (0.9 + wide * 0.1);
  const y = -4 + (face.eyes?.drop ?? 0);
  const far = x + spread * (1 - turn * 0.14);
  const near = x - spread;
  const browY = y - 23 - (face.eyes?.size ? (face.eyes.size - 1) * 12 : 0);
  const flush = face.blush ?? mix(skin, '#b8321c', 0.55);
  const cheek =
    halo(near - 2, 33, 27, flush, face.blush ? 0.5 : 0.36) +
    halo(far + 6, 33, 21, flush, face.blush ? 0.46 : 0.34) +
    halo(x + 10, 30, 17, flush, 0.26) +
    fill(`M${x - 46} -70Q${x - 20} -96 ${x + 14} -84Q${x - 14} -60 ${x - 46} -70Z`, glow(skin, 0.45), {
      opacity: 0.35,
    });
  const socket =
    fill(
      `M${near - 22} ${y - 12}Q${near} ${y - 26} ${x - 6} ${y - 10}Q${near + 6} ${y + 22} ${near - 22} ${y + 8}Z`,
      shade(skin, 0.5),
      { opacity: 0.2 },
    ) +
    fill(
      `M${x + 8} ${y - 12}Q${far + 4} ${y - 26} ${far + 20} ${y - 10}Q${far + 8} ${y + 20} ${x + 12} ${y + 8}Z`,
      shade(skin, 0.5),
      { opacity: 0.28 },
    );
  const farSide = `M${x + 44 * wide} -112C${x + 20} -70 ${x + 46} -34 ${x + 40 * wide} -2C${x + 46} 24 ${x + 30} 44 ${x + 34} 64C${x + 26} 84 ${x + 10} 92 ${x - 8} 104H120V-120Z`;
  const plane =
    fill(farSide, shade(skin, 0.4), { opacity: 0.34 }) + fill(farSide, 'url(#hatch)', { opacity: 0.5 });
  const lines =
    (face.lines ?? 0) > 0
      ? line(`M${x - 22} ${38}Q${x - 34} 50 ${x - 32} 64`, shade(skin, 0.42), 2, { opacity: 0.8 }) +
        line(`M${x + 24} 38Q${x + 34} 50 ${x + 31} 62`, shade(skin, 0.5), 2, { opacity: 0.8 }) +
        (face.lines > 1
          ? line(
              `M${x - 34} -58Q${x} -64 ${x + 34} -57M${x - 26} -70Q${x} -75 ${x + 28} -69`,
              shade(skin, 0.38),
              1.8,
              { opacity: 0.7 },
            ) + line(`M${near - 24} ${y + 2}l-9 -4M${near - 24} ${y + 6}l-9 3`, shade(skin, 0.42), 1.7)
          : '')
      : '';
  return (
    ear(face) +
    fill(outline, skin) +
    inside(outline, plane + cheek + socket + lines + (face.marks ?? '')) +
    eye(near, y, -1, face) +
    eye(far, y, 1, face) +
    brow(near, browY, -1, face) +
    brow(far, browY, 1, face) +
    nose(x, face) +
    (face.beard === 'full' || face.beard === 'short' ? '' : drawMouth(x + 2, face))
  );
}

/** A throat from jaw to collar, with the shadow of the chin on it. */
export function drawNeck(face, width = 1) {
  const w = 42 * width;
  return (
    fill(
      `M${-w} 20C${-w + 2} 100 ${-w - 4} 130 ${-w - 22} 156L${w + 22} 156C${w + 4} 130 ${w - 2} 100 ${w} 30Z`,
      shade(face.skin, 0.22),
    ) +
    fill(`M${-w} 50C${-w + 20} 120 ${w - 20} 128 ${w + 2} 110V40H${-w}Z`, shade(face.skin, 0.55), {
      opacity: 0.75,
    })
  );
}

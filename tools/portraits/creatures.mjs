// Heads that are not human faces. Each answers markup in head space.
import { circle, curve, fill, glow, inside, line, many, mix, oval, shade, stream } from './draw.mjs';

/** An owl scholar: heart-shaped disc, ruff, ear tufts. */
export function owl({ feather = '#6b4a30', disc = '#d9bf94', eye = '#e2912f' }) {
  const next = stream('owl');
  const head =
    'M0 -128C-40 -116 -70 -150 -104 -172C-106 -130 -118 -92 -118 -40C-118 40 -76 110 4 122C82 112 122 40 118 -40C116 -92 106 -130 100 -170C68 -148 40 -116 0 -128Z';
  const ruff = many(19, (index) => {
    const t = Math.PI * (0.02 + (index / 18) * 0.96);
    return oval(
      4 + Math.cos(t) * 112,
      62 + Math.sin(t) * 74,
      18,
      40,
      index % 2 ? shade(feather, 0.15) : glow(feather, 0.12),
      { transform: `rotate(${(t * 180) / Math.PI - 90} ${4 + Math.cos(t) * 112} ${62 + Math.sin(t) * 74})` },
    );
  });
  const bars = many(46, () => {
    const x = -110 + next() * 220;
    const y = -150 + next() * 250;
    return line(`M${x - 6} ${y}q6 7 12 0`, next() > 0.5 ? glow(feather, 0.3) : shade(feather, 0.4), 2.8);
  });
  const face = (side, cx) => {
    const shape = `M${cx - side * 58} 6C${cx - side * 56} -40 ${cx - side * 20} -66 ${cx + side * 12} -62C${cx + side * 62} -56 ${cx + side * 76} 2 ${cx + side * 52} 48C${cx + side * 24} 84 ${cx - side * 34} 70 ${cx - side * 58} 6Z`;
    return (
      fill(shape, side < 0 ? disc : shade(disc, 0.16)) +
      inside(
        shape,
        many(22, (index) => {
          const t = (index / 22) * Math.PI * 2;
          return line(
            `M${cx + Math.cos(t) * 34} ${-6 + Math.sin(t) * 34}L${cx + Math.cos(t) * 62} ${-6 + Math.sin(t) * 66}`,
            shade(disc, 0.32),
            1.8,
          );
        }),
      )
    );
  };
  const eyeball = (cx, r) =>
    circle(cx, -6, r + 7, '#20140f') +
    circle(cx, -6, r, shade(eye, 0.25)) +
    circle(cx + 1, -3, r * 0.82, eye) +
    circle(cx + 4, -5, r * 0.5, '#150d0b') +
    circle(cx + 11, -15, r * 0.18, '#fff3d8') +
    fill(`M${cx - r - 8} -18Q${cx} -44 ${cx + r + 8} -20Q${cx} -24 ${cx - r - 8} -18Z`, shade(feather, 0.4));
  return (
    ruff +
    fill(head, feather) +
    inside(head, bars) +
    face(-1, -46) +
    face(1, 58) +
    eyeball(-42, 29) +
    eyeball(54, 26) +
    fill(
      'M8 -66C-4 -84 -30 -96 -62 -100C-36 -84 -14 -60 2 -24L10 -8L18 -24C30 -60 52 -84 80 -98C52 -96 20 -84 8 -66Z',
      glow(feather, 0.18),
    ) +
    fill('M10 10C-8 22 -4 52 14 70C28 54 32 24 20 10Z', '#3b2a20') +
    fill('M12 10C2 24 4 44 14 62C14 44 16 26 16 10Z', '#8b735a')
  );
}

/** A brass guide: riveted oval head, porcelain-ringed lamps for eyes, a winding key. */
export function automaton({ brass = '#b98a3e', light = '#ffd98a' }) {
  const head =
    'M2 -122C-58 -122 -84 -76 -84 -16C-84 44 -60 86 -44 104H52C70 84 88 44 88 -16C88 -76 62 -122 2 -122Z';
  const key =
    fill('M-110 -8h-34v14h34Z', shade(brass, 0.35)) +
    circle(-164, -22, 21, 'none', { stroke: brass, 'stroke-width': 9 }) +
    circle(-164, 20, 21, 'none', { stroke: shade(brass, 0.15), 'stroke-width': 9 });
  const lamp = (x, r) =>
    circle(x, -14, r + 9, shade(brass, 0.55)) +
    circle(x, -14, r + 5, '#efe3cd') +
    circle(x, -14, r, '#38241a') +
    circle(x + 2, -13, r * 0.72, mix(light, '#e08a2c', 0.35)) +
    circle(x + 3, -12, r * 0.42, light) +
    line(`M${x - r * 0.5} ${-14 - r * 0.5}q${r * 0.4} ${-r * 0.35} ${r * 0.9} 0`, '#fffaf0', 3);
  return (
    key +
    fill('M-50 96H58L66 150H-60Z', shade(brass, 0.4)) +
    many(4, (index) => line(`M-54 ${108 + index * 11}H62`, shade(brass, 0.65), 3.4)) +
    fill(head, brass) +
    inside(
      head,
      fill('M34 -130C50 -60 46 40 26 120H120V-130Z', shade(brass, 0.35), { opacity: 0.6 }) +
        line('M10 -124C16 -60 16 40 10 110', shade(brass, 0.5), 3) +
        line('M-90 92C-30 104 50 104 92 90', shade(brass, 0.5), 3) +
        many(9, (index) =>
          circle(-70 + index * 19, -92 - Math.sin((index / 8) * 3.14) * 6, 3.2, glow(brass, 0.4)),
        ),
    ) +
    fill('M-60 -66C-30 -84 -18 -84 -6 -74L-10 -66C-24 -72 -36 -70 -56 -56Z', shade(brass, 0.6)) +
    fill('M70 -70C58 -86 44 -86 30 -76L32 -68C44 -74 54 -72 64 -60Z', shade(brass, 0.65)) +
    lamp(-30, 23) +
    lamp(48, 20) +
    fill('M6 -6C12 10 26 18 24 32C18 40 4 40 -2 34C-4 24 6 10 6 -6Z', glow(brass, 0.22)) +
    fill('M8 -6C14 10 26 18 24 32C20 38 14 38 12 36C18 22 10 8 8 -6Z', shade(brass, 0.4)) +
    fill(
      'M8 48C-8 40 -40 44 -54 58C-66 66 -72 56 -64 50C-78 54 -74 78 -56 74C-34 72 -12 66 8 58C26 66 42 70 60 70C78 72 80 52 68 48C76 56 66 64 58 56C46 44 22 40 8 48Z',
      '#5b3a1e',
    ) +
    line('M-20 80Q8 94 36 78', shade(brass, 0.72), 4.4) +
    fill('M-18 -120C-22 -150 30 -152 26 -120Z', shade(brass, 0.2)) +
    circle(4, -152, 10, glow(brass, 0.25)) +
    circle(-84, -2, 17, shade(brass, 0.45)) +
    circle(-86, -3, 10, glow(brass, 0.2)) +
    line('M-66 -50C-60 -80 -40 -100 -14 -108', '#fff0c9', 4, { opacity: 0.6 })
  );
}

/** A garden spirit: bark for a face, moss for hair, things growing. */
export function garden({ bark = '#6f5638', moss = '#5f7a3a', eye = '#c78a3c' }) {
  const next = stream('moss');
  const head = curve([
    [0, -104],
    [-64, -92],
    [-92, -30],
    [-88, 30],
    [-66, 74],
    [-30, 108],
    [10, 118],
    [48, 104],
    [74, 66],
    [86, 16],
    [84, -40],
    [56, -92],
  ]);
  const grain = many(12, (index) => {
    const x = -78 + index * 14.5;
    return line(
      `M${x} -96C${x - 8 + next() * 16} -50 ${x - 10 + next() * 20} 10 ${x * 0.8} 108`,
      index % 2 ? shade(bark, 0.45) : glow(bark, 0.14),
      3,
    );
  });
  const tuft = (x, y, r, tone) =>
    circle(x, y, r, tone) +
    many(4, (index) =>
      line(
        `M${x - r * 0.6 + index * r * 0.4} ${y + r * 0.1}q2 ${-r * 0.5} 5 ${-r * 0.65}`,
        glow(tone, 0.28),
        2.2,
      ),
    );
  const cap = many(17, (index) => {
    const t = Math.PI * (0.9 + (index / 16) * 1.2);
    return tuft(
      Math.cos(t) * (86 + (index % 3) * 9),
      -34 + Math.sin(t) * (80 + (index % 2) * 12),
      24 + (index % 3) * 5,
      mix(moss, index % 2 ? '#3c5530' : '#87974a', 0.35),
    );
  });
  const brows =
    many(6, (index) => tuft(-58 + index * 9, -36 + Math.abs(index - 3) * 2, 10, mix(moss, '#87974a', 0.3))) +
    many(5, (index) => tuft(24 + index * 9, -38 + Math.abs(index - 2) * 2, 9, mix(moss, '#3c5530', 0.2)));
  const eyeAt = (x, r) =>
    oval(x, -6, r + 7, r + 3, shade(bark, 0.7)) +
    oval(x, -4, r, r * 0.86, shade(eye, 0.2)) +
    oval(x + 1, -2, r * 0.7, r * 0.62, eye) +
    circle(x + 2, -4, r * 0.4, '#1a110c') +
    circle(x + 6, -9, 3, '#fff3d8') +
    fill(`M${x - r - 8} -10Q${x} -28 ${x + r + 8} -10Q${x} -15 ${x - r - 8} -10Z`, shade(bark, 0.25));
  const hairline = many(9, (index) =>
    tuft(
      -68 + index * 17.5,
      -96 + Math.abs(index - 4) * 7,
      19 + (index % 2) * 5,
      mix(moss, index % 2 ? '#3c5530' : '#87974a', 0.4),
    ),
  );
  const chin = many(11, (index) =>
    tuft(
      -62 + index * 12.6,
      84 + Math.sin((index / 10) * 3.14) * 26,
      15 + (index % 3) * 3,
      mix(moss, index % 2 ? '#87974a' : '#3c5530', 0.4),
    ),
  );
  const beard = many(13, (index) => {
    const x = -62 + index * 10.6;
    const long = 40 + Math.sin((index / 12) * 3.14) * 46 + (index % 2) * 14;
    return fill(
      `M${x - 9} 74C${x - 8} ${90 + long * 0.5} ${x - 4} ${80 + long} ${x + 2} ${92 + long}C${x + 8} ${78 + long} ${x + 10} ${90 + long * 0.4} ${x + 10} 72Z`,
      mix(moss, index % 2 ? '#3c5530' : '#8a9a52', 0.35),
    );
  });
  const shroom = (x, y, s, tone) =>
    fill(`M${x - 4 * s} ${y}l${2 * s} ${22 * s}h${5 * s}l${2 * s} ${-22 * s}Z`, '#d9c7a2') +
    fill(
      `M${x - 18 * s} ${y + 2}C${x - 14 * s} ${y - 22 * s} ${x + 16 * s} ${y - 22 * s} ${x + 20 * s} ${y + 2}Q${x} ${y + 8} ${x - 18 * s} ${y + 2}Z`,
      tone,
    ) +
    circle(x - 4 * s, y - 8 * s, 2.6 * s, '#efe3cd');
  const nest =
    fill('M-128 -18C-126 16 -66 22 -56 -8Q-92 6 -128 -18Z', '#7b5a36') +
    line('M-130 -16Q-92 10 -54 -10M-124 -8Q-92 18 -58 0M-118 2l30 -8M-80 8l18 -12', '#a8834f', 3) +
    fill('M-112 -16C-114 -38 -92 -46 -82 -34L-70 -36L-80 -28C-78 -18 -84 -8 -92 -8Z', '#8a5d3b') +
    circle(-88, -32, 2.6, '#15100d') +
    line('M-108 -24l-16 -14', '#8a5d3b', 5);
  const sprig =
    line('M44 -128C52 -156 60 -172 80 -184', '#71903f', 4) +
    [
      [58, -156, -30],
      [66, -164, 40],
      [80, -186, 0],
    ]
      .map(([x, y, turn]) => oval(x, y, 7, 15, '#8fae4c', { transform: `rotate(${turn} ${x} ${y})` }))
      .join('');
  return (
    sprig +
    cap +
    fill(head, bark) +
    inside(
      head,
      grain + fill('M40 -120C56 -60 50 40 20 120H130V-120Z', shade(bark, 0.45), { opacity: 0.55 }),
    ) +
    eyeAt(-30, 17) +
    eyeAt(42, 15) +
    brows +
    fill('M4 -10C-2 20 -14 36 -10 46C0 56 30 54 36 42C34 30 18 16 16 -10Z', glow(bark, 0.16)) +
    line('M4 -8C-2 20 -14 36 -10 46C0 56 30 54 36 42', shade(bark, 0.6), 3) +
    beard +
    chin +
    hairline +
    line('M-24 62Q6 76 38 58', shade(bark, 0.75), 5) +
    line('M-30 54q2 6 7 9', shade(bark, 0.6), 3) +
    shroom(-52, -112, 1.1, '#c2603c') +
    shroom(-24, -126, 0.8, '#c98442') +
    nest
  );
}

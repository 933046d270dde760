// Whole pictures for the storytelling games, where no single person answers. Picture space.
import {
  EMBER,
  INK,
  LAMP,
  SAFFRON,
  box,
  circle,
  fill,
  glow,
  halo,
  inside,
  line,
  many,
  mix,
  num,
  oval,
  shade,
  stream,
} from './draw.mjs';

/** The stairwell seen from above: thirty steps winding down into something that glimmers. */
const stair = () => {
  const next = stream('stones');
  const [cx, cy] = [250, 262];
  const point = (turn, r) => `${num(cx + Math.cos(turn) * r)} ${num(cy + Math.sin(turn) * r * 0.94)}`;
  const count = 44;
  const steps = many(count, (order) => {
    const index = count - 1 - order;
    const from = 1.2 + index * 0.36;
    const to = from + 0.38;
    const size = 1 / (1 + index * 0.075);
    const [outer, inner] = [760 * size, 150 * size];
    const light =
      Math.max(0, 1 - index / 21) *
      (index < 4 ? 0.5 + index * 0.12 : 1) *
      (0.66 + 0.34 * Math.cos(from - 2.8));
    const stone = mix('#1a1512', '#a5804f', light * (0.86 + next() * 0.14));
    const drop = 1 / (1 + (index + 1) * 0.075) / size;
    return (
      fill(
        `M${point(from, inner)}L${point(from, outer)}L${point((from + to) / 2, outer * 1.01)}L${point(to, outer)}L${point(to, inner)}Z`,
        stone,
      ) +
      fill(
        `M${point(to, inner)}L${point(to, outer)}L${point(to + 0.03, outer * drop)}L${point(to + 0.03, inner * drop)}Z`,
        shade(stone, 0.6),
      ) +
      line(`M${point(to, inner)}L${point(to, outer)}`, glow(stone, 0.28), 2, { opacity: 0.75 }) +
      fill(
        `M${point(from, inner)}L${point(to, inner)}L${point(to, inner * drop * 0.93)}L${point(from, inner * drop * 0.93)}Z`,
        shade(stone, 0.72),
      ) +
      many(3, (k) =>
        line(
          `M${point(from + 0.1 + k * 0.09, inner + (outer - inner) * (0.2 + next() * 0.6))}l${num(4 + next() * 10)} ${num(next() * 6 - 3)}`,
          shade(stone, 0.45),
          2,
        ),
      )
    );
  });
  return (
    box(0, 0, 480, 640, '#14100d') +
    steps +
    halo(cx, cy, 40, '#7fc0ae', 0.38) +
    circle(cx, cy, 13, '#a9dccb', { opacity: 0.35 }) +
    circle(cx, cy, 4, '#e0fff2') +
    line('M318 150l20 18M340 148l-22 22', EMBER, 6.5) +
    line('M330 178v9', EMBER, 4) +
    line('M372 196l13 -4M378 216l14 -3M382 236l14 -1', '#d9cdb4', 4, { opacity: 0.6 }) +
    halo(142, 346, 229, LAMP, 0.34) +
    halo(142, 346, 124, LAMP, 0.48) +
    fill('M-20 540C40 480 80 430 116 408L150 420C142 456 90 540 40 660H-20Z', '#5a2f28') +
    fill('M96 424L132 398L160 424L138 446Z', '#7d4638') +
    fill(
      'M104 414C112 396 134 390 154 396C170 402 168 418 156 422L120 438C106 436 100 426 104 414Z',
      '#c08a62',
    ) +
    line('M118 406q18 -7 34 0M120 415q18 -6 34 1M124 425q14 -5 24 0', shade('#b07a55', 0.5), 2) +
    line('M116 296C118 268 166 268 168 296', '#15100d', 6) +
    fill('M116 298H168L160 314H124Z', '#2b1e15') +
    fill('M120 314H164L160 384H124Z', '#ffdf9c') +
    fill('M142 328C156 348 154 364 142 374C130 364 128 348 142 328Z', '#fffaf0') +
    line('M120 314L124 384M164 314L160 384', '#2b1e15', 5) +
    fill('M116 384H168L172 398H112Z', '#2b1e15')
  );
};

const table = () => {
  const card = (x, y, turn, face) => {
    const w = 74;
    const h = 106;
    const back =
      box(-w / 2, -h / 2, w, h, '#7a2a22', { rx: 8 }) +
      box(-w / 2 + 6, -h / 2 + 6, w - 12, h - 12, 'none', { rx: 5, stroke: '#d9a552', 'stroke-width': 2 }) +
      many(5, (i) => line(`M${-24 + i * 12} -40L${24 - i * 12} 40`, '#a8452f', 2)) +
      fill('M0 -18L13 0L0 18L-13 0Z', '#d9a552');
    const jack =
      box(-w / 2, -h / 2, w, h, '#e9dcc0', { rx: 8 }) +
      box(-w / 2 + 8, -h / 2 + 8, w - 16, h - 16, 'none', { rx: 4, stroke: '#a8452f', 'stroke-width': 1.6 }) +
      fill('M-24 40C-24 12 -12 2 0 2S24 12 24 40Z', '#2f4a4b') +
      fill('M-8 4L0 26L8 4Z', '#e2b04a') +
      circle(0, -10, 14, '#c78f66') +
      fill('M-17 -14C-16 -34 16 -34 17 -14C8 -22 -8 -22 -17 -14Z', '#2b1a12') +
      fill('M-22 -22H22L12 -32H-12Z', '#a8332a') +
      line('M-5 -10h1M5 -10h1M-4 -2q4 3 8 0', '#2b1a12', 2.4) +
      fill('M0 0C-9 -9 -14 -2 -10 4L0 15L10 4C14 -2 9 -9 0 0Z', '#a8332a', {
        transform: 'translate(-23 -33) scale(.62)',
      }) +
      fill('M0 0C-9 -9 -14 -2 -10 4L0 15L10 4C14 -2 9 -9 0 0Z', '#a8332a', {
        transform: 'translate(23 34) rotate(180) scale(.62)',
      });
    return `<g transform="translate(${x} ${y}) rotate(${turn})">${box(-w / 2 + 4, -h / 2 + 6, w, h, '#0d0806', { rx: 8, opacity: 0.5 })}${face ? jack : back}</g>`;
  };
  return (
    box(0, 0, 480, 640, '#21160f') +
    many(9, (index) => line(`M${index * 60} 0V230`, '#18100b', 5)) +
    fill('M0 214H480V640H0Z', '#1f1510') +
    oval(240, 430, 330, 224, '#0f0a07') +
    oval(240, 420, 320, 216, '#4d3020') +
    oval(240, 420, 296, 196, '#2d4a3e') +
    halo(240, 300, 283, LAMP, 0.31) +
    fill('M160 216C150 130 176 92 240 84C304 92 330 130 320 216Z', '#0e0a09') +
    fill(
      'M116 96C150 82 190 92 206 92C206 50 222 40 240 44C262 36 276 52 274 92C292 92 332 82 364 96C340 118 290 118 240 118C190 118 140 118 116 96Z',
      '#17100c',
    ) +
    line('M206 88C224 96 256 96 274 88', '#8c3a28', 7) +
    fill('M206 118C206 160 222 178 240 180C258 178 274 160 274 118Z', '#3a241a') +
    line('M222 134l9 2M250 136l9 -2', '#e9b55f', 3.4) +
    line('M228 160q12 6 24 -2', '#140c08', 3) +
    fill('M150 236C150 200 190 184 222 178L240 200L258 178C290 184 330 200 330 236L352 330H128Z', '#17110e') +
    fill('M222 178L240 214L258 178L250 172H230Z', '#8f8168') +
    fill('M240 196l-12 -8v16ZM240 196l12 -8v16Z', '#8c3a28') +
    fill(
      'M132 300C150 290 190 300 214 318C226 328 220 344 204 342L140 348C120 340 118 310 132 300Z',
      '#201612',
    ) +
    fill('M196 316C212 310 232 318 234 330C230 340 212 346 200 342Z', '#b98a5f') +
    fill(
      'M346 298C330 288 292 298 268 316C258 326 262 340 276 340L340 346C362 338 362 308 346 298Z',
      '#1a120e',
    ) +
    fill('M286 314C270 308 252 316 250 328C254 338 270 342 282 338Z', '#a87a52') +
    card(110, 402, -17, false) +
    card(178, 424, -8, false) +
    card(254, 404, 3, true) +
    card(318, 424, 9, false) +
    card(386, 408, 18, false) +
    line(
      'M176 340C150 380 100 372 60 440S30 560 -10 580M204 342C190 390 210 440 180 500S130 600 120 650M284 340C300 400 340 380 370 440S440 520 490 530',
      '#0a0706',
      3,
    ) +
    line('M60 -10V58', '#0d0806', 4) +
    halo(60, 104, 162, LAMP, 0.38) +
    fill('M22 94C28 60 92 60 98 94Z', '#8a6a35') +
    fill('M38 94H82L76 130H44Z', '#ffe2a0') +
    circle(60, 110, 11, '#fff7e0') +
    many(
      3,
      (index) =>
        oval(414, 356 - index * 9, 23, 9, shade('#d9a552', 0.4)) +
        oval(414, 352 - index * 9, 23, 9, index === 1 ? '#b6443a' : '#d9a552'),
    ) +
    fill('M70 316L74 352H104L108 316Z', '#c9a36a', { opacity: 0.75 }) +
    oval(89, 316, 19, 6, '#e9d5a8')
  );
};

const tower = () => {
  const next = stream('ninety');
  const windows = many(25, (row) =>
    many(9, (index) => {
      if (index === 4) return '';
      const lit = next();
      const hue =
        lit > 0.93
          ? EMBER
          : lit > 0.84
            ? '#63aca2'
            : lit > 0.52
              ? '#f0c06a'
              : lit > 0.4
                ? '#a87b3f'
                : '#171a21';
      return box(134 + index * 24, 34 + row * 19.4, 16, 12.4, hue, { opacity: lit > 0.4 ? 0.95 : 1 });
    }),
  );
  return (
    box(0, 0, 480, 640, '#20222f') +
    circle(424, 96, 40, '#e9d5a0') +
    circle(410, 88, 38, '#20222f') +
    many(50, () => circle(next() * 480, next() * 330, 0.7 + next() * 1.4, '#e9dcc0', { opacity: 0.7 })) +
    many(8, (index) =>
      box(-20 + index * 66, 372 - ((index * 67) % 130), 58, 400, index % 2 ? '#14141c' : '#111118'),
    ) +
    halo(240, 330, 351, SAFFRON, 0.19) +
    fill('M0 380H480V640H0Z', '#c9803a', { opacity: 0.12 }) +
    fill('M110 660V26L232 -2L370 26V660Z', '#57454a') +
    fill('M246 660V2L370 26V660Z', '#3d3238') +
    line('M110 26L232 -2L370 26', '#8a6f6a', 3) +
    windows +
    box(226, -10, 26, 670, '#0b0908') +
    line('M239 -10V336', SAFFRON, 2.6) +
    halo(239, 356, 129, LAMP, 0.53) +
    box(219, 334, 40, 58, '#120d0a', { rx: 4 }) +
    box(223, 338, 32, 50, '#ffdf9c') +
    line('M239 338V388', '#a87b3f', 2) +
    fill('M231 388C230 372 231 364 235 362A6 6 0 1 1 243 362C247 364 248 372 247 388Z', '#2a1a12') +
    line('M247 372l5 8', '#2a1a12', 3) +
    fill('M134 284h40v-8h-40Z', EMBER) +
    many(6, (index) => fill(`M${134 + index * 8} 286l4 9l4 -9Z`, index % 2 ? SAFFRON : EMBER)) +
    fill('M308 196C312 206 318 200 322 208S334 206 340 212V222H308Z', '#4f9d94') +
    oval(316, 420, 16, 12, '#33502f') +
    oval(332, 424, 14, 11, '#40623a') +
    line('M150 462C170 480 190 470 214 478', '#d9c59d', 2) +
    many(4, (index) =>
      box(
        156 + index * 14,
        472 + (index % 2) * 3,
        9,
        12,
        ['#a8452f', '#d9c59d', '#4f9d94', '#c9902f'][index],
      ),
    ) +
    circle(328, 92, 5, '#f6e3b4') +
    line('M328 97v14', '#f6e3b4', 3) +
    fill('M184 128C184 118 196 118 196 128L200 136H180Z', '#0b0908')
  );
};

/** The chart room of a drowned narrator: no face, a lamp, a wet map that lays out islands. */
const chart = () => {
  const next = stream('chart');
  const waves = many(26, (index) => {
    const y = 46 + index * 9.4;
    return line(
      `M-10 ${y}${many(14, () => `q9 ${-6 - next() * 5} 18 0t18 0`)}`,
      mix('#2c5a5c', '#12262b', index / 26),
      2.2,
      { opacity: 0.85 },
    );
  });
  return (
    box(0, 0, 480, 640, '#0f1b1f') +
    halo(240, 128, 202, '#7fc0b0', 0.29) +
    waves +
    circle(352, 84, 40, '#e6d6a8', { opacity: 0.9 }) +
    fill('M60 262V170L76 160V120L84 104L92 120V160L110 170V262Z', '#0a1215') +
    circle(84, 138, 5, '#f0c06a') +
    fill('M388 270V214L412 196L436 214V270Z', '#0a1215') +
    line('M422 206V176', '#0a1215', 8) +
    line('M422 172q10 -14 0 -26t4 -26', '#5d7a78', 3, { opacity: 0.7 }) +
    fill(
      'M240 66C160 74 138 160 146 236C140 280 108 300 84 350L60 420H420L396 350C372 300 340 280 334 236C342 160 320 74 240 66Z',
      '#1f3539',
    ) +
    fill(
      'M240 66C320 74 342 160 334 236C340 280 372 300 396 350L420 420H330C330 320 320 200 240 66Z',
      '#142428',
    ) +
    fill(
      'M240 106C196 112 182 168 190 226C198 262 220 286 240 290C262 286 284 262 290 226C298 168 284 112 240 106Z',
      '#060a0b',
    ) +
    line('M240 106C196 112 182 168 190 226C198 262 220 286 240 290', '#3f6663', 4) +
    line('M216 262q6 -30 -2 -52M262 258q-8 -26 2 -50M238 280q-6 -24 2 -44', '#12302f', 4) +
    circle(224, 190, 4, '#bff0e0') +
    circle(258, 190, 4, '#bff0e0') +
    halo(224, 190, 22, '#9fe0cf', 0.43) +
    halo(258, 190, 22, '#9fe0cf', 0.43) +
    line('M238 186q6 16 2 24', '#16302f', 4) +
    line(
      'M168 130C150 190 160 240 148 290M312 130C332 190 320 250 336 296M120 330C140 340 150 380 150 410M362 330C340 344 330 380 334 410',
      '#0d181b',
      4,
    ) +
    many(7, (index) =>
      line(`M${150 + index * 30} ${306 + (index % 3) * 10}v${14 + (index % 2) * 14}`, '#7fc0b0', 2.4, {
        opacity: 0.6,
      }),
    ) +
    fill('M196 300l10 -8l10 8l-4 12h-12Z', '#c9755a') +
    fill('M-10 392L60 352H420L490 392V640H-10Z', '#2a1d15') +
    fill('M30 404L96 366L392 362L452 402L440 560H44Z', '#cbb88d') +
    fill('M30 404L96 366L244 364L238 560H44Z', '#d9c79c') +
    inside(
      'M30 404L96 366L392 362L452 402L440 560H44Z',
      fill('M80 420C96 398 130 396 140 414C156 430 130 450 104 446C86 444 74 434 80 420Z', '#8fa36b') +
        fill('M206 396C222 384 250 386 252 400C250 414 222 416 210 410Z', '#a8925a') +
        fill('M330 412C352 392 388 400 390 420C386 440 350 444 336 432Z', '#8fa36b') +
        line('M108 420l10 -14l10 14M352 420l8 -12l9 12', '#4a3826', 2.4) +
        line(
          'M70 460q10 -6 20 0t20 0M180 440q10 -6 20 0t20 0M280 452q10 -6 20 0t20 0M250 476q10 -6 20 0t20 0',
          '#5d7a78',
          2.2,
        ) +
        oval(300, 392, 30, 8, '#4c7a7a', { opacity: 0.35 }) +
        oval(160, 398, 22, 7, '#4c7a7a', { opacity: 0.3 }) +
        line('M140 424C180 440 190 418 216 404M250 402C290 420 300 400 330 416', '#a8332a', 2.4, {
          'stroke-dasharray': '6 6',
        }),
    ) +
    fill('M58 420L120 356C128 350 140 356 138 366L96 418Z', '#1f3539') +
    fill(
      'M116 362C126 350 150 352 160 364C170 374 184 376 186 384C180 392 160 388 150 384L128 388C116 384 110 372 116 362Z',
      '#8fb5a8',
    ) +
    line('M140 370q14 4 22 10M134 378q12 4 18 6', '#3f6663', 2.2) +
    line('M176 384L206 346', '#e9dcc0', 3) +
    fill('M206 346C220 322 236 322 240 312C240 334 226 350 210 354Z', '#e9dcc0') +
    halo(404, 330, 148, LAMP, 0.41) +
    line('M388 292C388 272 420 272 420 292', INK, 5) +
    fill('M382 296H426L420 354H388Z', '#ffdf9c') +
    fill('M404 308C414 324 412 338 404 344C396 338 394 324 404 308Z', '#fff7e0') +
    line('M382 296L388 354M426 296L420 354', '#3a2a1c', 5) +
    fill('M378 290H430L426 300H382ZM382 354H426L432 368H376Z', '#3a2a1c')
  );
};

export const scenes = { stair, table, tower, chart };

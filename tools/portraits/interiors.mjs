// More places indoors: where people work, cook, study and keep watch. As in rooms.mjs.
import { clock, lantern, stars } from './bits.mjs';
import { LAMP, box, circle, fill, halo, line, many, mix, oval, shade } from './draw.mjs';

const boards = (colour, count = 8) =>
  many(count, (index) => line(`M${(index * 480) / count} 0V640`, colour, 4));
const hangingLamp = (x, y, colour, strength = 0.5) =>
  line(`M${x} -10V${y}`, '#0f0b09', 3) +
  halo(x, y + 22, 130, LAMP, strength) +
  fill(`M${x - 34} ${y + 22}C${x - 28} ${y - 8} ${x + 28} ${y - 8} ${x + 34} ${y + 22}Z`, colour) +
  oval(x, y + 23, 30, 6, '#ffe2a0');

export const interiors = {
  kitchen: (t) =>
    box(0, 0, 480, 640, '#2d2119') +
    many(7, (row) =>
      many(8, (index) =>
        box(
          index * 62 - 4,
          230 + row * 34,
          58,
          30,
          (index + row) % 3 ? '#3a2b20' : mix('#3a2b20', t.accent, 0.22),
          { rx: 3 },
        ),
      ),
    ) +
    box(286, 40, 160, 170, '#1a110c') +
    box(294, 48, 144, 154, '#223038') +
    circle(400, 92, 22, '#e9d5a0', { opacity: 0.85 }) +
    stars('kitchen', 16, 60) +
    line('M366 48V202M294 124H438', '#1a110c', 6) +
    box(16, 116, 240, 9, '#1a110c') +
    many(
      5,
      (index) =>
        fill(
          `M${24 + index * 46} 116C${20 + index * 46} ${86 - (index % 2) * 16} ${62 + index * 46} ${86 - (index % 2) * 16} ${58 + index * 46} 116Z`,
          ['#6f7f78', '#a8563a', '#8a7a4a', '#51625e', '#a98a4a'][index],
        ) + circle(41 + index * 46, 84 - (index % 2) * 12, 5, '#1a110c'),
    ) +
    hangingLamp(120, 20, t.accent, 0.34),
  cafe: (t) =>
    box(0, 0, 480, 640, '#291d17') +
    box(250, 34, 206, 250, '#16201d') +
    box(250, 34, 206, 250, 'none', { stroke: '#5b3d26', 'stroke-width': 9 }) +
    many(6, (row) =>
      line(`M274 ${76 + row * 32}h${70 + ((row * 37) % 60)}M404 ${76 + row * 32}h24`, '#d9cdb4', 3, {
        opacity: 0.55,
      }),
    ) +
    box(14, 96, 210, 8, '#140d0a') +
    box(14, 190, 210, 8, '#140d0a') +
    many(
      6,
      (index) =>
        fill(`M${24 + index * 34} 74h24l-4 22h-16Z`, index % 2 ? '#d9c8a4' : t.accent) +
        line(`M${47 + index * 34} 80q9 6 -2 12`, '#d9c8a4', 3),
    ) +
    many(7, (index) =>
      box(
        22 + index * 29,
        140 + (index % 3) * 8,
        20,
        50 - (index % 3) * 8,
        ['#5e3a28', '#3e5a50', '#8a6a35'][index % 3],
        { rx: 5 },
      ),
    ) +
    hangingLamp(90, -6, '#6b4a2c', 0.3) +
    hangingLamp(250, -14, '#6b4a2c', 0.3) +
    box(0, 400, 480, 240, '#1c130e') +
    box(0, 396, 480, 12, '#6b4a2c'),
  stage: (t) =>
    box(0, 0, 480, 640, '#1d1215') +
    fill('M90 640V150C150 60 330 60 390 150V640Z', '#2b1b1c') +
    halo(240, 210, 260, LAMP, 0.34) +
    many(
      6,
      (index) =>
        fill(
          `M${-20 + index * 26} -10H${14 + index * 26}C${10 + index * 22} 220 ${index * 14} 360 ${-24 + index * 16} 660H${-60 + index * 16}Z`,
          mix('#7a2226', t.accent, index % 2 ? 0.22 : 0),
        ) +
        fill(
          `M${500 - index * 26} -10H${466 - index * 26}C${470 - index * 22} 220 ${480 - index * 14} 360 ${504 - index * 16} 660H${540 - index * 16}Z`,
          mix('#5c1a20', t.accent, index % 2 ? 0.16 : 0),
        ),
    ) +
    many(8, (index) =>
      fill(
        `M${index * 60} -10H${60 + index * 60}C${60 + index * 60} 60 ${index * 60} 60 ${index * 60} -10Z`,
        index % 2 ? '#6b1e22' : '#82292a',
      ),
    ) +
    line('M0 18H480', t.accent, 4, { opacity: 0.7 }),
  workshop: (t) =>
    box(0, 0, 480, 640, '#2b211a') +
    boards('#221a14') +
    box(20, 40, 440, 10, '#140e0a') +
    box(20, 220, 440, 10, '#140e0a') +
    many(
      6,
      (index) =>
        line(`M${50 + index * 74} 50v${70 + (index % 3) * 16}`, '#8b6a44', 9) +
        fill(
          index % 2
            ? `M${32 + index * 74} ${118 + (index % 3) * 16}h36v26h-36Z`
            : `M${50 + index * 74} ${112 + (index % 3) * 16}l16 50h-32Z`,
          index % 3 === 1 ? t.accent : '#7d8483',
        ),
    ) +
    many(7, (index) =>
      box(
        34 + index * 62,
        178 - (index % 2) * 12,
        40,
        42 + (index % 2) * 12,
        ['#5b3d28', '#3f4a44', '#6b5330'][index % 3],
        { rx: 4 },
      ),
    ) +
    fill('M350 640V300C350 270 450 270 450 300V640Z', '#1d1510') +
    line('M376 300V440M424 300V440', '#3a2a1e', 5) +
    hangingLamp(400, 6, '#4a5a50', 0.4),
  lab: (t) =>
    box(0, 0, 480, 640, '#1b2427') +
    many(10, (index) => line(`M0 ${index * 48}H480M${index * 52} 0V440`, '#223034', 2)) +
    box(0, 150, 480, 8, '#0e1416') +
    box(0, 292, 480, 8, '#0e1416') +
    many(5, (index) => {
      const x = 48 + index * 96;
      const tone = ['#4c9c94', t.accent, '#8a6aa0', '#7f9a4a', '#c9703a'][index];
      return (
        halo(x, 120, 50, tone, 0.4) +
        fill(`M${x - 8} 70h16v26l22 46c4 8 -2 8 -8 8h-44c-6 0 -12 0 -8 -8l22 -46Z`, '#c7d6d2', {
          opacity: 0.24,
        }) +
        fill(`M${x - 18} 120h36l14 22c4 8 -2 8 -8 8h-48c-6 0 -12 0 -8 -8Z`, tone, { opacity: 0.85 }) +
        circle(x - 4, 108, 3, tone) +
        circle(x + 6, 96, 2.4, tone)
      );
    }) +
    many(
      9,
      (index) =>
        box(24 + index * 50, 226, 13, 66, '#c7d6d2', { rx: 6, opacity: 0.22 }) +
        box(
          24 + index * 50,
          250 + (index % 3) * 10,
          13,
          42 - (index % 3) * 10,
          index % 2 ? t.accent : '#63aca2',
          { rx: 6, opacity: 0.75 },
        ),
    ),
  lecture: (t) =>
    box(0, 0, 480, 640, '#2b221b') +
    box(22, 30, 436, 270, '#5b3d26') +
    box(32, 40, 416, 250, '#20302a') +
    line(
      'M60 84h60q-30 -20 -60 40h66M150 84h60M150 108h42M250 128V78M236 116H340M250 128C270 80 290 90 310 104S340 120 356 84M60 172h110M60 196h76M60 220h130M240 176c0 -20 40 -20 40 0s-40 20 -40 0M300 176h40M330 166l12 10l-12 10M366 176c0 -18 36 -18 36 0s-36 18 -36 0M250 240h140M262 258h90',
      '#d9d5c0',
      3.4,
      { opacity: 0.6 },
    ) +
    box(32, 290, 416, 12, '#3a281a') +
    box(60, 284, 40, 8, '#e9e2d2') +
    box(120, 284, 24, 8, t.accent) +
    hangingLamp(90, -18, '#6b4a2c', 0.26) +
    hangingLamp(390, -18, '#6b4a2c', 0.26),
  radio: (t) =>
    box(0, 0, 480, 640, '#1f1a22') +
    many(9, (row) =>
      many(9, (index) =>
        fill(
          `M${index * 56 - 10} ${row * 46}l28 22l28 -22v46h-56Z`,
          (index + row) % 2 ? '#2a232e' : '#251f29',
        ),
      ),
    ) +
    box(290, 36, 150, 54, '#120d0c', { rx: 8 }) +
    box(298, 44, 134, 38, t.accent, { rx: 5 }) +
    halo(365, 62, 130, t.accent, 0.45) +
    many(3, (index) => circle(333 + index * 32, 63, 9, '#2a1410')) +
    box(0, 330, 480, 110, '#17121a') +
    many(
      16,
      (index) =>
        line(`M${20 + index * 30} 352v70`, '#2f2834', 4) +
        box(12 + index * 30, 362 + ((index * 37) % 44), 16, 11, index % 4 ? '#8f8794' : t.accent, { rx: 3 }),
    ) +
    many(40, (index) =>
      line(
        `M${20 + index * 11} ${270 - 40 * Math.abs(Math.sin(index * 0.7) * Math.sin(index * 0.23))}V${276 + 40 * Math.abs(Math.sin(index * 0.7) * Math.sin(index * 0.23))}`,
        '#63aca2',
        4,
        { opacity: 0.6 },
      ),
    ),
  bath: (t) =>
    box(0, 0, 480, 640, '#22333a') +
    fill('M-10 270L120 150L190 210L260 96L330 190L400 150L490 250V330H-10Z', '#41606c') +
    fill('M260 96L222 154L246 146L262 164L282 148L300 156Z', '#e3dfd2') +
    circle(410, 82, 34, t.accent, { opacity: 0.85 }) +
    box(0, 300, 480, 340, '#2a3f45') +
    many(8, (row) => line(`M0 ${312 + row * 34}H480`, '#22343a', 3)) +
    many(14, (index) => line(`M${index * 36} 300V640`, '#22343a', 3)) +
    line('M0 306H480', '#c7b98f', 5) +
    many(5, (index) =>
      line(`M${50 + index * 96} 380q-20 -40 0 -80t0 -90`, '#e9f0ea', 12, { opacity: 0.09 }),
    ) +
    lantern(50, 96, 0.9, t.accent),
  corridor: (t) =>
    box(0, 0, 480, 640, '#1d1716') +
    fill('M0 0L150 110V420L0 640Z', '#2b2220') +
    fill('M480 0L330 110V420L480 640Z', '#241c1b') +
    fill('M0 0H480L330 110H150Z', '#171211') +
    box(150, 110, 180, 320, '#120e0d') +
    many(
      3,
      (index) =>
        fill(
          `M${14 + index * 46} ${96 + index * 30}L${48 + index * 40} ${112 + index * 26}V${520 - index * 46}L${14 + index * 46} ${560 - index * 60}Z`,
          '#3d2a22',
        ) +
        fill(
          `M${466 - index * 46} ${96 + index * 30}L${432 - index * 40} ${112 + index * 26}V${520 - index * 46}L${466 - index * 46} ${560 - index * 60}Z`,
          '#33241e',
        ) +
        circle(42 + index * 42, 320 - index * 10, 4, t.accent),
    ) +
    halo(240, 230, 120, t.accent, 0.4) +
    box(210, 170, 60, 150, mix('#120e0d', t.accent, 0.55)) +
    fill('M210 320L150 430H330L270 320Z', t.accent, { opacity: 0.25 }) +
    line('M240 110V150', '#0a0807', 3) +
    circle(240, 154, 9, '#ffe2a0'),
  greenhouse: (t) =>
    box(0, 0, 480, 640, '#2f1d17') +
    fill('M0 300C120 270 200 310 300 280S440 300 480 286V400H0Z', '#5e2f20') +
    circle(360, 120, 30, '#9fc4d0', { opacity: 0.8 }) +
    halo(360, 120, 150, '#8fb8c9', 0.35) +
    line('M240 -10V400M0 120L240 -10L480 120M0 240H480M120 55V400M360 55V400M0 340H480', '#16100d', 6) +
    many(12, (index) => {
      const x = index * 42 + 6;
      const h = 110 + ((index * 61) % 90);
      return (
        line(
          `M${x} 520C${x - 8} ${470 - h * 0.4} ${x + 10} ${440 - h * 0.6} ${x + 2} ${430 - h}`,
          '#38511f',
          4,
        ) +
        many(5, (k) =>
          oval(x + (k % 2 ? 14 : -14), 436 - h + k * 32, 15, 8, k % 2 ? '#55762f' : '#46682c', {
            transform: `rotate(${k % 2 ? -28 : 28} ${x + (k % 2 ? 14 : -14)} ${436 - h + k * 32})`,
          }),
        ) +
        circle(x + 8, 470 - h, 7, index % 3 ? '#c2402e' : t.accent)
      );
    }),
  cockpit: (t) =>
    box(0, 0, 480, 640, '#15171c') +
    fill('M30 40L450 40L480 330H0Z', '#1d3038') +
    stars('cockpit', 60, 300, '#cfe0e0') +
    fill('M0 330C120 250 200 300 280 262S420 250 480 300V340H0Z', '#14222a') +
    line('M240 40V330M30 40L0 330M450 40L480 330', '#0d0f12', 12) +
    circle(150, 150, 62, 'none', { stroke: t.accent, 'stroke-width': 3, opacity: 0.7 }) +
    line('M150 70v36M150 194v36M70 150h36M194 150h36M150 130v40M130 150h40', t.accent, 3, { opacity: 0.7 }) +
    line('M300 96h110M300 112h70M300 128h90', '#7fc0b0', 3, { opacity: 0.6 }) +
    box(0, 330, 480, 310, '#1b1d22') +
    many(12, (index) =>
      box(
        24 + index * 37,
        350 + (index % 2) * 26,
        24,
        15,
        ['#e9a83f', '#4c9c94', '#cc5b38', '#39414a'][index % 4],
        { rx: 3, opacity: 0.85 },
      ),
    ) +
    box(0, 326, 480, 8, t.accent, { opacity: 0.5 }),
  laundry: (t) =>
    box(0, 0, 480, 640, '#232a2c') +
    many(2, (row) =>
      many(4, (index) => {
        const [x, y] = [62 + index * 118, 120 + row * 160];
        return (
          box(x - 54, y - 74, 108, 148, '#37423f', { rx: 6 }) +
          circle(x, y, 43, '#151a1a') +
          halo(x, y, 40, [t.accent, '#4c9c94', '#8a6aa0', '#c9703a'][(index + row) % 4], 0.9) +
          line(`M${x - 26} ${y + 6}q13 -16 26 0t26 0`, '#f0e6d2', 4, { opacity: 0.4 }) +
          circle(x, y, 43, 'none', { stroke: '#9aa39a', 'stroke-width': 5 }) +
          circle(x + 38, y - 60, 5, t.accent)
        );
      }),
    ) +
    line('M0 26Q240 70 480 18', '#120f0d', 3) +
    fill('M96 44l44 8v62l-44 -6ZM226 54l50 -2v66h-50ZM356 44l40 -8v64l-40 6Z', '#d9cdb4', { opacity: 0.85 }),
  stall: (t) =>
    box(0, 0, 480, 640, '#2a1f1a') +
    many(10, (index) =>
      fill(
        `M${-6 + index * 50} 0H${44 + index * 50}V92C${44 + index * 50} 120 ${-6 + index * 50} 120 ${-6 + index * 50} 92Z`,
        index % 2 ? '#d9c8a4' : t.accent,
      ),
    ) +
    box(0, 0, 480, 10, '#120d0a') +
    many(3, (index) => lantern(80 + index * 160, 176, 0.7, '#e0a63a')) +
    many(4, (row) =>
      many(
        13,
        (index) =>
          circle(
            12 + index * 38 + (row % 2) * 19,
            290 + row * 36,
            20,
            ['#c2502e', '#d99a34', '#7f9a4a', '#8a3a4a'][(Math.floor(index / 3) + row) % 4],
          ) + circle(6 + index * 38 + (row % 2) * 19, 284 + row * 36, 5, '#f3dcae', { opacity: 0.35 }),
      ),
    ) +
    box(0, 420, 480, 220, '#1d140f'),
  attic: (t) =>
    box(0, 0, 480, 640, '#2a1f18') +
    fill('M0 330L240 -60L480 330V640H0Z', '#35271d') +
    many(6, (index) =>
      line(
        `M${240 - index * 46} ${-40 + index * 74}V470M${240 + index * 46} ${-40 + index * 74}V470`,
        '#2a1f18',
        4,
      ),
    ) +
    line('M0 330L240 -60L480 330M90 190H390', '#140e0a', 14) +
    circle(240, 100, 48, '#140e0a') +
    circle(240, 100, 40, '#2a4048') +
    line('M240 60V140M200 100H280', '#140e0a', 5) +
    box(26, 316, 110, 90, '#4a3424') +
    line('M26 346H136M60 316V406M102 316V406', '#2a1c12', 4) +
    clock(398, 340, 34, t.accent, 1.2, 5) +
    many(18, (index) =>
      circle(60 + ((index * 89) % 370), 160 + ((index * 53) % 230), 1.6, LAMP, { opacity: 0.5 }),
    ) +
    fill('M210 140L130 470H350L270 140Z', LAMP, { opacity: 0.08 }),
  study: (t) =>
    box(0, 0, 480, 640, '#241c1e') +
    many(5, (index) => box(index * 96 + 6, 0, 84, 440, index % 2 ? '#2c2224' : '#2f2527')) +
    box(150, 50, 180, 210, '#5b3d26') +
    box(162, 62, 156, 186, shade(t.accent, 0.6)) +
    fill('M162 220C200 170 240 190 270 150S318 140 318 140V248H162Z', '#1d2426') +
    circle(280, 106, 16, '#e9d5a0') +
    box(20, 250, 96, 10, '#140d0a') +
    many(5, (index) =>
      box(
        26 + index * 18,
        196 + (index % 2) * 8,
        14,
        54 - (index % 2) * 8,
        ['#6b4a2c', '#3f5a52', '#7a2f3a'][index % 3],
      ),
    ) +
    box(368, 250, 96, 10, '#140d0a') +
    fill('M394 250C386 220 392 210 400 206V190h20v16c8 4 14 14 6 44Z', '#4d6a70') +
    hangingLamp(60, 40, t.accent, 0.4),
};

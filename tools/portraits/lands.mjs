// Country, coast and other planets. As in outdoors.mjs.
import { peaks, snow, stars } from './bits.mjs';
import { EMBER, LAMP, box, circle, fill, halo, line, many, oval, shade, stream } from './draw.mjs';

const moon = (x, y, r, colour = '#e9d5a0') => circle(x, y, r, colour) + halo(x, y, r * 2.2, colour, 0.3);

export const lands = {
  coast: (t) =>
    box(0, 0, 480, 640, '#2a2e38') +
    halo(120, 250, 260, t.accent, 0.5) +
    circle(120, 232, 40, '#f0cf8a') +
    box(0, 250, 480, 400, '#22343a') +
    many(9, (index) =>
      line(`M${60 + ((index * 71) % 160)} ${264 + index * 14}h${50 - index * 3}`, '#f0cf8a', 3, {
        opacity: 0.5,
      }),
    ) +
    fill('M0 420C100 360 240 400 300 380S430 350 480 372V640H0Z', '#4a4434') +
    many(26, (index) =>
      line(
        `M${index * 19} ${430 - ((index * 37) % 30)}q${-6 + (index % 5) * 3} -26 ${4 + (index % 3) * 5} -44`,
        '#7d7a4a',
        3,
      ),
    ) +
    line('M320 120q14 -12 24 0q10 -12 24 0M390 90q10 -9 18 0q8 -9 18 0', '#d9d5c4', 3),
  bonfire: (t) =>
    box(0, 0, 480, 640, '#191a24') +
    stars('bonfire', 60, 240) +
    moon(398, 86, 42, '#d9d3b8') +
    peaks(
      [
        [-10, 330],
        [80, 250],
        [180, 200],
        [260, 178],
        [350, 220],
        [430, 290],
        [490, 310],
      ],
      '#242632',
    ) +
    many(13, (index) =>
      fill(
        `M${index * 40 - 14} 420l16 -${60 + ((index * 37) % 50)}l16 ${60 + ((index * 37) % 50)}Z`,
        '#12141a',
      ),
    ) +
    halo(96, 400, 200, t.accent, 0.6) +
    fill(
      'M50 450C40 380 76 370 74 310C104 340 104 370 118 352C122 330 136 322 134 296C166 340 160 390 148 450Z',
      EMBER,
    ) +
    fill('M72 450C68 404 92 396 94 362C112 384 110 402 124 396C132 410 134 430 128 450Z', '#ffd27a') +
    many(20, (index) =>
      circle(40 + ((index * 53) % 170), 120 + ((index * 71) % 240), 1.4 + (index % 3), '#ffcf85', {
        opacity: 0.8,
      }),
    ) +
    fill('M300 120C316 96 340 96 352 112L376 104L362 124C352 140 330 142 316 134L288 140Z', '#0e0e14'),
  graves: (t) =>
    box(0, 0, 480, 640, '#231c2a') +
    stars('graves', 30, 90) +
    line('M-10 60C120 100 340 100 490 50', '#0f0b0d', 2.4) +
    many(8, (index) => {
      const x = 8 + index * 60;
      const y = 66 + Math.sin((index / 7) * 3.14) * 26;
      const tone = ['#c2408a', t.accent, '#4c9c94', '#8a6ac0'][index % 4];
      return (
        fill(`M${x} ${y}h46v44l-8 8l-8 -8l-8 8l-8 -8l-7 8l-7 -8Z`, tone) +
        many(4, (k) => circle(x + 10 + (k % 2) * 24, y + 14 + Math.floor(k / 2) * 18, 4.6, '#231c2a'))
      );
    }) +
    many(4, (index) => {
      const x = 20 + index * 122;
      return (
        fill(`M${x} 430V300C${x} 250 ${x + 74} 250 ${x + 74} 300V430Z`, index % 2 ? '#4a4450' : '#55505c') +
        line(`M${x + 37} 276v44M${x + 22} 292h30`, '#231c2a', 5)
      );
    }) +
    many(40, (index) =>
      circle(((index * 31) % 490) - 4, 420 + ((index * 17) % 40), 11, index % 3 ? '#e0912e' : '#c9702a'),
    ) +
    many(
      9,
      (index) =>
        box(26 + index * 54, 380 + (index % 2) * 14, 9, 40, '#efe3cd') +
        halo(30 + index * 54, 370 + (index % 2) * 14, 24, LAMP, 0.8),
    ),
  terraces: (t) =>
    box(0, 0, 480, 640, '#26303a') +
    stars('terraces', 30, 140) +
    halo(300, 150, 200, t.accent, 0.34) +
    fill('M130 300L260 110C276 100 300 100 316 112L460 300Z', '#3a3f4a') +
    fill('M260 110C276 100 300 100 316 112L330 132C310 122 280 124 246 130Z', EMBER, { opacity: 0.7 }) +
    line('M288 100C280 70 310 60 300 30S330 -4 322 -20', '#8f959a', 12, { opacity: 0.5 }) +
    many(
      7,
      (index) =>
        fill(
          `M-10 ${300 + index * 30}C120 ${276 + index * 30 + (index % 2) * 16} 320 ${320 + index * 26} 490 ${286 + index * 30}V660H-10Z`,
          index % 2 ? '#3d5a35' : '#4f6f3c',
        ) +
        line(
          `M-10 ${300 + index * 30}C120 ${276 + index * 30 + (index % 2) * 16} 320 ${320 + index * 26} 490 ${286 + index * 30}`,
          '#9fb8b0',
          3,
          { opacity: 0.6 },
        ),
    ),
  mars: (t) =>
    box(0, 0, 480, 640, '#3a1f18') +
    stars('mars', 50, 200) +
    circle(110, 96, 12, '#d9cdb8') +
    circle(150, 66, 6, '#b5a894') +
    fill('M0 300C100 270 180 300 260 282S420 250 480 270V640H0Z', '#6b3424') +
    many(3, (index) => {
      const x = 60 + index * 150;
      const r = 46 + (index % 2) * 18;
      return (
        halo(x, 330, r * 1.9, t.accent, 0.35) +
        fill(`M${x - r} 340C${x - r} ${340 - r * 1.5} ${x + r} ${340 - r * 1.5} ${x + r} 340Z`, '#c7d6d2', {
          opacity: 0.4,
        }) +
        line(
          `M${x - r} 340C${x - r} ${340 - r * 1.5} ${x + r} ${340 - r * 1.5} ${x + r} 340M${x} ${340 - r * 1.1}V340`,
          '#e9e2d2',
          3,
        ) +
        oval(x, 334, r * 0.6, 9, '#4f7a3c')
      );
    }) +
    fill('M0 380C120 350 260 400 480 360V640H0Z', '#4a2419') +
    many(9, (index) => oval(30 + index * 56, 410 + ((index * 29) % 30), 16, 7, '#331811')),
  drylands: (t) =>
    box(0, 0, 480, 640, '#33221f') +
    halo(360, 250, 280, t.accent, 0.5) +
    circle(366, 216, 58, '#f0c27a') +
    fill('M-10 330L70 290L150 320L240 270L340 320L430 286L490 310V400H-10Z', '#5a3626') +
    fill('M0 360C120 340 320 380 480 350V640H0Z', '#3f271c') +
    many(4, (index) => {
      const x = 40 + index * 128;
      const h = 110 + ((index * 43) % 60);
      return (
        line(`M${x} 460V${440 - h}`, '#4a5a34', 22) +
        line(
          `M${x} ${470 - h * 0.6}h-26V${430 - h * 0.7}M${x} ${460 - h * 0.4}h26V${420 - h * 0.6}`,
          '#4a5a34',
          15,
        ) +
        line(`M${x - 4} 456V${444 - h}`, '#6f8046', 3)
      );
    }) +
    line('M90 100l14 -6l14 6M150 70l10 -5l10 5M210 110l12 -5l12 5', '#1a110d', 4),
  mine: (t) =>
    box(0, 0, 480, 640, '#211c1c') +
    many(30, (index) =>
      fill(
        `M${((index * 97) % 480) - 20} ${((index * 61) % 440) - 10}l${30 + (index % 4) * 10} -12l24 26l-30 22Z`,
        index % 3 ? '#2c2626' : '#35302f',
      ),
    ) +
    fill('M150 470V170C150 90 330 90 330 170V470Z', '#100c0c') +
    halo(240, 270, 120, LAMP, 0.42) +
    line('M140 480V120H340V480', '#6b4a2c', 22) +
    line('M100 480V70H380V480', '#523824', 16) +
    many(14, (index) =>
      fill(
        `M${((index * 71) % 470) + 4} ${60 + ((index * 89) % 380)}l7 -16l8 15l-7 9Z`,
        index % 2 ? '#d9e6e0' : t.accent,
        { opacity: 0.8 },
      ),
    ) +
    line('M190 470L232 300M290 470L248 300', '#8a8f8c', 6) +
    many(5, (index) => line(`M${192 + index * 9} ${450 - index * 34}H${290 - index * 9}`, '#3a2a1e', 7)),
  park: (t) =>
    box(0, 0, 480, 640, '#1e2a2c') +
    stars('park', 30, 140) +
    moon(96, 84, 34) +
    many(6, (index) => {
      const x = 20 + index * 92;
      const y = 210 + (index % 2) * 34;
      return (
        line(`M${x} 420V${y}`, '#2f241b', 10) +
        circle(x, y - 40, 54, index % 2 ? '#2c4a32' : '#36563a') +
        circle(x + 26, y - 20, 36, '#2a442f')
      );
    }) +
    fill('M0 380C100 360 380 360 480 380V460H0Z', '#2f4a3a') +
    oval(240, 450, 280, 46, '#20424a') +
    many(8, (index) =>
      line(`M${70 + index * 44} ${436 + (index % 3) * 12}h26`, t.accent, 2.6, { opacity: 0.6 }),
    ) +
    many(
      5,
      (index) =>
        line(`M${30 + index * 110} 420q-6 -40 4 -70`, '#5a7a3c', 4) +
        oval(34 + index * 110, 344, 5, 15, '#7a5230'),
    ),
  dacha: (t) =>
    box(0, 0, 480, 640, '#2a2c3a') +
    halo(330, 200, 280, t.accent, 0.34) +
    box(210, 170, 240, 270, '#55663f') +
    many(9, (index) => line(`M210 ${190 + index * 28}h240`, '#45543a', 4)) +
    fill('M184 184L330 70L476 184Z', '#5a3028') +
    line('M184 184L330 70L476 184', '#d9c8a4', 5) +
    box(284, 230, 92, 104, '#e9e2d2') +
    box(292, 238, 76, 88, '#ffdf9c') +
    line('M330 238v88M292 282h76', '#e9e2d2', 5) +
    fill('M268 230h12v104h-12ZM380 230h12v104h-12Z', '#7fa0a8') +
    many(
      11,
      (index) =>
        box(index * 46 - 4, 390, 14, 70, '#8a7a5c') + fill(`M${index * 46 - 4} 390l7 -12l7 12Z`, '#8a7a5c'),
    ) +
    line('M0 412H480M0 440H480', '#8a7a5c', 6) +
    many(7, (index) => {
      const x = 14 + index * 34;
      return (
        line(`M${x} 400V${300 - (index % 3) * 22}`, '#3d5530', 4) +
        many(5, (k) =>
          circle(x + (k % 2 ? 7 : -7), 300 - (index % 3) * 22 + k * 16, 8, index % 2 ? '#b8608a' : '#d9a0b4'),
        )
      );
    }),
  ice: (t) =>
    box(0, 0, 480, 640, '#171f30') +
    stars('ice', 90, 330) +
    fill(
      'M-10 120C100 60 160 190 260 110S400 60 490 130V220C400 160 330 210 250 190S90 180 -10 220Z',
      t.accent,
      { opacity: 0.3 },
    ) +
    fill(
      'M-10 90C120 150 200 40 300 100S420 150 490 80V140C400 190 330 130 250 150S110 190 -10 150Z',
      '#4fa89a',
      { opacity: 0.35 },
    ) +
    circle(384, 120, 58, '#a98a5c') +
    line('M330 104C360 96 410 96 440 106M328 128C360 120 410 122 442 130', '#c9a878', 6, { opacity: 0.7 }) +
    peaks(
      [
        [-10, 350],
        [60, 300],
        [130, 346],
        [210, 290],
        [290, 350],
        [380, 310],
        [490, 350],
      ],
      '#3f5566',
    ) +
    fill('M0 380C120 360 320 396 480 366V640H0Z', '#8fa6b0') +
    line('M30 410L120 440L90 480M240 400L280 450L400 430M280 450L260 490', '#5f7a88', 3) +
    snow('ice', 30),
  asteroid: (t) => {
    const next = stream('asteroid');
    return (
      box(0, 0, 480, 640, '#14131a') +
      stars('asteroid', 90, 420) +
      fill(
        'M250 60C330 30 440 70 470 150C500 240 430 300 350 290C270 286 210 230 214 160C216 110 226 74 250 60Z',
        '#5a4a42',
      ) +
      many(12, () => {
        const [x, y, r] = [250 + next() * 190, 80 + next() * 180, 6 + next() * 16];
        return (
          oval(x, y, r, r * 0.8, shade('#5a4a42', 0.35)) + oval(x - 2, y - 2, r * 0.7, r * 0.5, '#6b594e')
        );
      }) +
      line('M300 62V-10M300 62h46v-30h36', '#8e8794', 5) +
      box(286, 50, 30, 18, t.accent) +
      circle(382, 30, 6, LAMP) +
      halo(382, 30, 50, LAMP, 0.6) +
      fill('M0 400L70 372L160 396L250 364L340 392L480 356V640H0Z', '#332b2a') +
      line('M20 398V320h60v74M50 320V280M34 290h32', '#8e8794', 6) +
      circle(50, 280, 26, 'none', { stroke: '#8e8794', 'stroke-width': 5 })
    );
  },
};

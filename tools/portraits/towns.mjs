// Streets, water and rails of towns at night. As in outdoors.mjs.
import { lantern, rain, stars } from './bits.mjs';
import { LAMP, box, circle, fill, halo, line, many, mix, oval, shade } from './draw.mjs';

const moon = (x, y, r) => circle(x, y, r, '#e9d5a0') + halo(x, y, r * 2.2, '#e9d5a0', 0.3);
const ripples = (from, colour) =>
  many(12, (index) =>
    line(`M${16 + ((index * 83) % 420)} ${from + (index % 6) * 16}h${24 + (index % 4) * 12}`, colour, 2.6, {
      opacity: 0.55,
    }),
  );
const litWindows = (x, y, columns, rows, accent, key) =>
  many(rows, (row) =>
    many(columns, (index) =>
      (index * 5 + row * 3 + key) % 3
        ? ''
        : box(x + index * 18, y + row * 26, 9, 13, (index + row) % 2 ? '#e3b565' : accent, { opacity: 0.85 }),
    ),
  );

export const towns = {
  gables: (t) =>
    box(0, 0, 480, 640, '#20252f') +
    stars('gables', 50, 200) +
    moon(92, 84, 36) +
    many(6, (index) => {
      const x = -30 + index * 90;
      const h = 150 + ((index * 73) % 110);
      const wall = ['#4a3a34', '#3d4440', '#55443a', '#3a3a48'][index % 4];
      return (
        fill(
          `M${x} 640V${430 - h}L${x + 22} ${400 - h}V${376 - h}H${x + 38}L${x + 50} ${350 - h}L${x + 62} ${376 - h}V${400 - h}L${x + 92} ${430 - h}V640Z`,
          wall,
        ) +
        line(
          `M${x} ${430 - h}L${x + 22} ${400 - h}V${376 - h}H${x + 38}L${x + 50} ${350 - h}`,
          shade(wall, 0.4),
          3,
        ) +
        litWindows(x + 16, 446 - h, 4, 6, t.accent, index)
      );
    }) +
    box(0, 430, 480, 210, '#15171b'),
  canal: (t) =>
    box(0, 0, 480, 640, '#1d2630') +
    stars('canal', 30, 120) +
    moon(400, 70, 28) +
    many(5, (index) => {
      const x = -20 + index * 104;
      const h = 170 + ((index * 59) % 70);
      return (
        box(x, 380 - h, 98, h + 10, ['#5a4236', '#4a4c48', '#6b4a38', '#454050', '#5c4a34'][index]) +
        box(x - 4, 372 - h, 106, 12, '#2a1d17') +
        litWindows(x + 16, 400 - h, 4, 5, t.accent, index * 2)
      );
    }) +
    box(0, 372, 480, 270, '#16242b') +
    fill('M-10 400C90 300 390 300 490 400V440C400 350 80 350 -10 440Z', '#6b5a4a') +
    line('M-10 400C90 300 390 300 490 400', '#8b765e', 6) +
    many(9, (index) =>
      line(`M${30 + index * 52} ${392 - Math.sin((index / 8) * 3.14) * 56}v-26`, '#8b765e', 5),
    ) +
    ripples(440, t.accent),
  harbour: (t) =>
    box(0, 0, 480, 640, '#1d2730') +
    fill('M0 240C120 220 260 236 480 214V330H0Z', '#22323a') +
    moon(372, 86, 34) +
    many(5, (index) => {
      const x = 30 + index * 104;
      const top = 60 + ((index * 47) % 70);
      return (
        line(`M${x} 400V${top}`, '#120f0d', 6) +
        line(
          `M${x} ${top}L${x - 40} 380M${x} ${top}L${x + 44} 380M${x - 26} ${top + 50}H${x + 26}`,
          '#120f0d',
          2.4,
        ) +
        fill(`M${x - 50} 378H${x + 54}L${x + 40} 420H${x - 38}Z`, index % 2 ? '#7a3a2c' : '#3f5a58') +
        circle(x, top + 6, 4, LAMP) +
        halo(x, top + 6, 26, LAMP, 0.5)
      );
    }) +
    box(0, 412, 480, 230, '#131c20') +
    ripples(426, t.accent),
  platform: (t) =>
    box(0, 0, 480, 640, '#1b1c22') +
    fill('M0 0H480V70L0 120Z', '#0f1013') +
    many(5, (index) => line(`M${40 + index * 110} ${112 - index * 12}V460`, '#0f1013', 9)) +
    fill('M0 200L480 160V420L0 470Z', '#2b3a3a') +
    fill('M0 226L480 186V206L0 246Z', t.accent, { opacity: 0.8 }) +
    many(5, (index) => {
      const x = 14 + index * 100;
      const y = 262 - index * 8;
      return (
        fill(`M${x} ${y}l78 -6v70l-78 7Z`, '#ffdf9c', { opacity: 0.8 }) +
        fill(`M${x + 14} ${y + 70}c0 -34 26 -34 28 -2Z`, '#2b2018')
      );
    }) +
    circle(400, 96, 32, '#d9c59d') +
    line('M400 96V74M400 96l14 8', '#2a1c13', 4) +
    fill('M0 470L480 420V640H0Z', '#16171b') +
    line('M0 486L480 436', '#d9c59d', 5, { opacity: 0.7, 'stroke-dasharray': '18 12' }),
  skyline: (t) =>
    box(0, 0, 480, 640, '#1c1a2a') +
    halo(240, 330, 320, t.accent, 0.4) +
    stars('skyline', 40, 180) +
    many(10, (index) => {
      const h = 130 + ((index * 89) % 220);
      return (
        box(-14 + index * 52, 440 - h, 46, h + 200, index % 2 ? '#262a3c' : '#20233a') +
        litWindows(-8 + index * 52, 452 - h, 2, Math.floor(h / 28), t.accent, index) +
        line(`M${9 + index * 52} ${440 - h}v-22`, '#262a3c', 3)
      );
    }) +
    line('M-10 260C120 200 300 210 490 150', '#3f9e94', 4, { opacity: 0.7 }) +
    box(120, 206, 44, 14, '#0f1016', { rx: 7 }) +
    circle(164, 212, 3, LAMP) +
    box(0, 452, 480, 200, '#12121c'),
  arches: (t) =>
    box(0, 0, 480, 640, '#33221c') +
    box(0, 0, 480, 60, '#4a3024') +
    many(8, (index) => fill(`M${index * 60} 60h60l-30 22Z`, mix('#6b4430', t.accent, index % 2 ? 0.3 : 0))) +
    many(3, (index) => {
      const x = 20 + index * 154;
      return (
        fill(
          `M${x} 470V220C${x} 190 ${x + 26} 176 ${x + 44} 150C${x + 54} 134 ${x + 62} 120 ${x + 66} 100C${x + 70} 120 ${x + 78} 134 ${x + 88} 150C${x + 106} 176 ${x + 132} 190 ${x + 132} 220V470Z`,
          '#161a26',
        ) +
        many(10, (k) =>
          circle(x + 20 + ((k * 41) % 96), 210 + ((k * 67) % 220), 1.4, '#f3e2bd', { opacity: 0.7 }),
        ) +
        line(
          `M${x} 470V220C${x} 190 ${x + 26} 176 ${x + 44} 150C${x + 54} 134 ${x + 62} 120 ${x + 66} 100C${x + 70} 120 ${x + 78} 134 ${x + 88} 150C${x + 106} 176 ${x + 132} 190 ${x + 132} 220V470`,
          '#8a5a3c',
          5,
        )
      );
    }) +
    moon(394, 250, 24) +
    lantern(10, 170, 0.8, t.accent) +
    lantern(164, 170, 0.8, t.accent) +
    lantern(470, 170, 0.8, t.accent) +
    box(0, 460, 480, 180, '#241712'),
  lanterns: (t) =>
    box(0, 0, 480, 640, '#211a22') +
    many(3, (index) => {
      const [x, y, w] = [70 + index * 170, 120 + (index % 2) * 50, 150];
      return (
        fill(
          `M${x - w / 2 - 26} ${y + 10}C${x - w / 2} ${y} ${x - 30} ${y - 20} ${x} ${y - 56}C${x + 30} ${y - 20} ${x + w / 2} ${y} ${x + w / 2 + 26} ${y + 10}L${x + w / 2} ${y + 22}H${x - w / 2}Z`,
          '#141018',
        ) +
        box(x - w / 2 + 12, y + 22, w - 24, 330, index % 2 ? '#3a2a2c' : '#33262c') +
        many(4, (row) =>
          many(
            3,
            (k) =>
              box(x - 50 + k * 38, y + 44 + row * 62, 26, 40, (row + k + index) % 3 ? '#1c1418' : '#d9a552', {
                opacity: 0.85,
              }) +
              line(
                `M${x - 37 + k * 38} ${y + 44 + row * 62}v40M${x - 50 + k * 38} ${y + 64 + row * 62}h26`,
                '#141018',
                2,
              ),
          ),
        )
      );
    }) +
    line('M-10 84C120 150 340 150 490 70', '#0f0b0d', 2.4) +
    many(5, (index) =>
      lantern(
        40 + index * 100,
        138 + Math.sin((index / 4) * 3.14) * 34,
        0.78,
        index % 2 ? '#c9862e' : t.accent,
      ),
    ) +
    box(0, 440, 480, 200, '#161116'),
  wetstreet: (t) =>
    box(0, 0, 480, 640, '#1a1f24') +
    fill('M0 60L150 130V420L0 470Z', '#2f2a2a') +
    fill('M480 40L320 130V420L480 470Z', '#2a2a30') +
    litWindows(20, 150, 6, 8, t.accent, 1) +
    litWindows(360, 150, 6, 8, t.accent, 2) +
    halo(240, 200, 180, LAMP, 0.35) +
    line('M240 420V190', '#0d0b0a', 8) +
    fill('M222 190L228 150H252L258 190Z', '#ffdf9c') +
    fill('M218 150H262L250 134H230Z', '#0d0b0a') +
    fill('M0 470L150 420H330L480 470V640H0Z', '#161a1e') +
    many(8, (index) =>
      line(`M${150 + index * 24} ${432 + (index % 3) * 12}v30`, index % 2 ? t.accent : LAMP, 5, {
        opacity: 0.3,
      }),
    ) +
    rain('wetstreet', 80, '#c7d6d2', 480),
  market: (t) =>
    box(0, 0, 480, 640, '#241c22') +
    stars('market', 30, 110) +
    many(4, (index) => {
      const x = -30 + index * 136;
      return (
        fill(`M${x} 220L${x + 62} 160L${x + 124} 220Z`, [t.accent, '#3f7a72', '#8a3a4a', '#a87b3f'][index]) +
        many(4, (k) =>
          fill(
            `M${x + k * 31} 220h31c0 20 -31 20 -31 0Z`,
            k % 2 ? '#d9c8a4' : shade([t.accent, '#3f7a72', '#8a3a4a', '#a87b3f'][index], 0.25),
          ),
        ) +
        box(x + 10, 240, 104, 150, '#1a1317') +
        halo(x + 62, 270, 60, LAMP, 0.6) +
        box(x, 356, 124, 20, '#4a3324') +
        many(4, (k) =>
          circle(x + 18 + k * 28, 348, 13, ['#c2502e', '#d9a034', '#7f9a4a', '#b06a8a'][(k + index) % 4]),
        )
      );
    }) +
    oval(240, 470, 320, 40, '#140f12') +
    box(0, 470, 480, 170, '#140f12'),
};

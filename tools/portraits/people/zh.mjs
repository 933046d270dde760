// How the characters in Chinese are drawn. Numbers are factors near 1 unless the drawing file says otherwise.
import { EMBER, SAFFRON, TEAL, box, circle, fill, line, many } from '../draw.mjs';
import { fins } from '../animals.mjs';
import { earring, flower, headphones, wideHat } from '../hats.mjs';
import { glasses, goggles, scales } from '../worn.mjs';

/** An oiled-paper umbrella, open behind the shoulder, in head space. */
const umbrella =
  fill(
    'M-210 -40C-190 -170 -80 -240 40 -230C150 -220 220 -140 226 -40C180 -66 130 -66 90 -44C40 -70 -30 -70 -76 -44C-120 -66 -170 -62 -210 -40Z',
    '#a8402f',
  ) +
  many(6, (index) => line(`M10 -230L${-210 + index * 87} ${-40 - (index % 2) * 6}`, '#6b241c', 3)) +
  fill('M-120 -170C-80 -206 -20 -220 30 -216C-30 -200 -80 -170 -110 -120Z', '#c9603f', { opacity: 0.6 }) +
  circle(10, -234, 9, '#5b3d26');
/** A folding fan and a block of wood that wakes the tea house. */
const fan =
  fill('M330 590L268 480C300 440 390 430 440 470L372 590Z', '#e3d7bd') +
  many(7, (index) =>
    line(`M350 592L${270 + index * 28} ${484 - Math.sin((index / 6) * 3.14) * 40}`, '#8a5a34', 3),
  ) +
  line('M290 500C320 470 390 462 424 490', '#5a7a78', 5) +
  box(396, 560, 66, 26, '#3a241a', { rx: 4 });

export const chinese = {
  'shen-tingyu': {
    place: 'wetstreet',
    accent: SAFFRON,
    thread: 'river',
    figures: [
      {
        at: [240, 296],
        tilt: 4,
        behind: umbrella,
        before: flower(-60, -70, 24, '#e9e2d2', '#d9a03a'),
        face: {
          skin: '#ecc4a0',
          wide: 0.93,
          jaw: 0.92,
          chin: 0.86,
          turn: 0.55,
          hair: 'plait',
          hairColour: '#1f1a1a',
          tie: '#c2503a',
          eyes: { shape: 'almond', colour: '#3a2418', look: 0.2, size: 1.14, lash: true },
          brows: { thick: 4, lift: 4, arch: 5 },
          nose: 'button',
          mouth: 'smile',
          lips: { wide: 0.78, colour: '#b5524a' },
          blush: '#dd7058',
        },
        wear: { kind: 'crossed', colour: '#4a7a86', accent: '#3f6a76', trim: '#e3dccb', wide: 0.92 },
      },
    ],
  },
  'gu-changming': {
    place: 'blinds',
    accent: TEAL,
    thread: 'fall',
    figures: [
      {
        at: [242, 288],
        tilt: -3,
        before: wideHat('#4a443c', '#2a241e', { top: 160 }),
        face: {
          skin: '#d6a880',
          wide: 0.96,
          jaw: 1,
          long: 6,
          turn: 0.55,
          hair: 'slick',
          hairColour: '#1f1a18',
          beard: 'shadow',
          eyes: { shape: 'narrow', colour: '#33231a', look: 0.6, bags: true },
          brows: { thick: 7, tilt: 2, arch: 3 },
          nose: 'straight',
          mouth: 'calm',
          lines: 1,
        },
        wear: { kind: 'crossed', colour: '#5f625f', accent: '#545754', trim: '#2f3230' },
      },
    ],
  },
  'lu-xingye': {
    place: 'mars',
    accent: TEAL,
    thread: 'wire',
    figures: [
      {
        at: [240, 284],
        tilt: 5,
        flip: true,
        before: goggles('#5b3d26', '#8f8a80', '#e9a83f'),
        face: {
          skin: '#cf9a6c',
          wide: 1,
          jaw: 1.02,
          turn: 0.5,
          hair: 'crop',
          hairColour: '#231a16',
          beard: 'shadow',
          eyes: { shape: 'almond', colour: '#3a2212', look: 0.2 },
          brows: { thick: 7, lift: 5, arch: 6 },
          nose: 'broad',
          mouth: 'grin',
        },
        wear: { kind: 'shawl', colour: '#4a4038', accent: '#c2602e', trim: '#e9c46a' },
      },
    ],
  },
  'jin-sanniang': {
    place: 'lanterns',
    accent: EMBER,
    thread: 'scarf',
    figures: [
      {
        at: [240, 288],
        tilt: -4,
        behind: fins('#d9602e', '#f0c27a'),
        before: earring('#e9c46a'),
        face: {
          skin: '#e9b890',
          wide: 1.02,
          jaw: 0.98,
          turn: 0.5,
          hair: 'bun',
          hairColour: '#2a1512',
          eyes: { shape: 'almond', colour: '#c9862e', look: -0.2, size: 1.14, lash: true },
          brows: { thick: 6, lift: 6, tilt: -3, arch: 7 },
          nose: 'button',
          mouth: 'grin',
          lips: { colour: '#b52a2c', full: 1.05 },
          blush: '#e0583e',
          marks: scales('#e08a3a'),
        },
        wear: { kind: 'apron', colour: '#8a2a26', accent: '#c23a2e', trim: '#e9c46a' },
      },
    ],
  },
  'wuyin-zhen': {
    place: 'lanterns',
    accent: TEAL,
    thread: 'halo',
    over: fan,
    figures: [
      {
        at: [228, 286],
        tilt: 4,
        before: line('M-92 -50C-60 -20 -30 8 12 16', '#1d1512', 5) + circle(-24, -4, 24, '#1d1512'),
        face: {
          skin: '#c9966c',
          wide: 0.97,
          jaw: 0.95,
          long: 6,
          turn: 0.5,
          hair: 'bun',
          hairColour: '#cfc8bc',
          beard: 'goatee',
          beardColour: '#d9d2c6',
          eyes: { shape: 'narrow', colour: '#4a5a3a', look: 0.4, bags: true },
          brows: { thick: 9, lift: 5, tilt: -4, arch: 6, colour: '#bfb8ac' },
          nose: 'broad',
          mouth: 'smirk',
          lines: 2,
        },
        wear: { kind: 'crossed', colour: '#3a4a55', accent: '#30404a', trim: '#c9a15a' },
      },
    ],
  },
  'dorm-404': {
    place: 'lecture',
    accent: SAFFRON,
    thread: 'loop',
    figures: [
      {
        at: [112, 216],
        scale: 0.7,
        tilt: -5,
        before: glasses(0.5, '#2a2420', { size: 0.96 }),
        face: {
          skin: '#dfb088',
          wide: 0.92,
          long: 6,
          turn: 0.5,
          hair: 'side',
          hairColour: '#1f1a1a',
          eyes: { shape: 'narrow', colour: '#33231a', look: 0.4 },
          brows: { thick: 6, lift: 5, tilt: -4 },
          nose: 'straight',
          mouth: 'smirk',
        },
        wear: { kind: 'crossed', colour: '#3f5a52', accent: '#35504a', trim: '#c9a15a', wide: 0.94 },
      },
      {
        at: [368, 220],
        scale: 0.7,
        flip: true,
        tilt: 5,
        before: headphones('#33383f', '#63aca2'),
        face: {
          skin: '#d19c70',
          wide: 1.1,
          jaw: 1.06,
          turn: 0.5,
          hair: 'undercut',
          hairColour: '#1c1614',
          eyes: { shape: 'tired', colour: '#2f1f14', look: 0.1, bags: true },
          brows: { thick: 8, arch: 3 },
          nose: 'broad',
          mouth: 'calm',
        },
        wear: { kind: 'hoodie', colour: '#33405a', accent: '#e9dcc0', under: '#1f2430', wide: 1.1 },
      },
      {
        at: [160, 334],
        scale: 0.72,
        tilt: 4,
        face: {
          skin: '#ecc49c',
          wide: 1.02,
          turn: 0.5,
          hair: 'twintails',
          hairColour: '#4a2a1c',
          tie: '#e9a83f',
          eyes: { shape: 'round', colour: '#4a2c18', look: 0.4, size: 1.14, lash: true },
          brows: { thick: 5, lift: 7, arch: 6 },
          nose: 'button',
          mouth: 'grin',
          blush: '#e0684e',
          marks: circle(-46, 48, 9, '#3a2f2a', { opacity: 0.35 }),
        },
        wear: { kind: 'tee', colour: '#e9c46a', accent: '#d9902f', trim: '#a8502c' },
      },
      {
        at: [328, 340],
        scale: 0.7,
        flip: true,
        tilt: -4,
        face: {
          skin: '#e6bd98',
          wide: 0.93,
          turn: 0.5,
          hair: 'straight',
          hairColour: '#1c1a22',
          eyes: { shape: 'tired', colour: '#3a2a22', look: -0.2 },
          brows: { thick: 4, lift: 3 },
          nose: 'straight',
          mouth: 'calm',
          lips: { wide: 0.8 },
        },
        wear: { kind: 'sweater', colour: '#5a6f5a', accent: '#d9cdb4', wide: 0.94 },
      },
    ],
  },
};

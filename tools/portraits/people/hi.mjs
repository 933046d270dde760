// How the characters in Hindi are drawn. Numbers are factors near 1 unless the drawing file says otherwise.
import { EMBER, SAFFRON, TEAL, circle, fill, line } from '../draw.mjs';
import { earring, pencil, turban } from '../hats.mjs';
import { glasses } from '../worn.mjs';

/** A parrot that only tells the truth, in picture space. */
const parakeet =
  fill(
    'M358 500C346 452 356 420 382 414C406 408 422 428 418 452C424 486 410 520 390 540C372 536 362 520 358 500Z',
    '#5a9a3f',
  ) +
  fill('M360 450C350 484 358 520 376 540C382 512 378 478 360 450Z', '#3f7a3a') +
  fill('M410 428c14 2 18 16 8 26c-4 -8 -10 -12 -14 -14Z', '#c2402e') +
  line('M372 448q20 12 40 -2', '#c2402e', 5) +
  circle(398, 430, 5, '#efe3cd') +
  circle(399, 430, 2.6, '#17100d') +
  fill('M376 536L364 590L392 540Z', '#3f7a3a');
/** A kettle on the boil. */
const kettle =
  fill('M334 590C330 530 346 510 392 510C438 510 452 530 448 590Z', '#8f8a80') +
  fill('M392 510C438 510 452 530 448 590H410C416 550 408 524 392 510Z', '#66625a') +
  line('M446 540C470 530 466 506 484 500', '#7d786e', 12) +
  line('M350 516C356 480 428 480 434 516', '#33302b', 6) +
  circle(392, 506, 8, '#33302b') +
  line('M470 484q-10 -14 0 -26t0 -26', '#e9e2d2', 5, { opacity: 0.4 });

export const hindi = {
  'inayat-siddiqui': {
    place: 'arches',
    accent: EMBER,
    thread: 'shoulder',
    figures: [
      {
        at: [238, 286],
        tilt: 5,
        behind: fill(
          'M-60 -124C-140 -96 -118 60 -120 190C-124 240 -130 270 -130 300H124C122 240 118 200 112 150C116 60 112 -96 56 -124Z',
          '#2f6b62',
        ),
        before:
          fill(
            'M-104 176C-116 40 -112 -60 -80 -112C-40 -158 48 -158 84 -112C116 -62 108 40 108 170C92 130 88 60 90 6C92 -50 62 -104 6 -108C-50 -104 -86 -50 -86 6C-84 66 -86 130 -104 176Z',
            '#3f8a7c',
          ) +
          line(
            'M-104 170C-88 130 -84 66 -86 6C-86 -50 -50 -104 6 -108C62 -104 92 -50 90 6C88 60 92 130 106 164',
            '#d9aa54',
            4,
          ) +
          earring('#e9c46a'),
        face: {
          skin: '#c08a60',
          wide: 0.94,
          jaw: 0.94,
          chin: 0.88,
          turn: 0.55,
          hair: 'plait',
          hairColour: '#1f1613',
          tie: '#d9aa54',
          eyes: { shape: 'almond', colour: '#3f5a3a', look: 0.2, size: 1.16, lash: true },
          brows: { thick: 6, lift: 4, arch: 7 },
          nose: 'aquiline',
          mouth: 'smile',
          lips: { colour: '#a83a44', full: 1.05 },
          marks: circle(-2, 38, 3, '#e9c46a'),
        },
        wear: { kind: 'kurta', colour: '#7a3a5a', accent: '#5f2a48', trim: '#d9aa54' },
      },
    ],
  },
  'kabir-sanyal': {
    place: 'stage',
    accent: TEAL,
    thread: 'loop',
    figures: [
      {
        at: [242, 280],
        tilt: -5,
        flip: true,
        face: {
          skin: '#a86f48',
          wide: 0.98,
          jaw: 1.02,
          long: 4,
          turn: 0.55,
          hair: 'curls',
          hairColour: '#2a1d18',
          beard: 'short',
          beardColour: '#33241c',
          eyes: { shape: 'round', colour: '#3b2416', look: -0.3, lash: true },
          brows: { thick: 8, lift: 7, tilt: -3, arch: 8 },
          nose: 'aquiline',
          mouth: 'smile',
        },
        wear: { kind: 'kurta', colour: '#2f4a6b', accent: '#24395a', trim: '#c9a15a', wide: 1.02 },
      },
    ],
  },
  'munshi-deendayal': {
    place: 'arches',
    accent: TEAL,
    thread: 'fall',
    rim: '#d6ffe9',
    figures: [
      {
        at: [244, 300],
        tilt: 4,
        opacity: 0.86,
        dark: '#0b2226',
        before:
          turban('#8fb8a0', '#e9a83f') + glasses(0.5, '#3f625a', { size: 0.94, low: 4 }) + pencil('#e9d5a0'),
        face: {
          skin: '#a9c9b5',
          wide: 0.94,
          jaw: 0.92,
          long: 6,
          turn: 0.5,
          hair: 'tufts',
          hairColour: '#c9d9cc',
          beard: 'moustache',
          beardColour: '#dfe9dc',
          eyes: { shape: 'wide', colour: '#3f6f6a', look: 0.5, white: '#e6f3ea' },
          brows: { thick: 7, lift: 8, tilt: -7, arch: 4, colour: '#6b8a7a' },
          nose: 'hooked',
          mouth: 'worry',
          lips: { colour: '#7f9f8f', wide: 0.85 },
          lines: 2,
        },
        wear: { kind: 'kurta', colour: '#4a6f68', accent: '#3a5a55', trim: '#bfe0cf', wide: 0.96 },
      },
    ],
  },
  'tara-bhatt': {
    place: 'orbit',
    accent: SAFFRON,
    thread: 'wire',
    figures: [
      {
        at: [240, 284],
        tilt: 3,
        before: line('M30 -118C58 -94 70 -60 72 -20', '#d9d4cc', 9) + circle(10, -46, 5, '#a8221f'),
        face: {
          skin: '#b57e56',
          wide: 0.97,
          jaw: 0.97,
          turn: 0.52,
          hair: 'lowbun',
          hairColour: '#241a17',
          eyes: { shape: 'almond', colour: '#3a2212', look: 0.2, lash: true },
          brows: { thick: 7, lift: 3, arch: 6 },
          nose: 'straight',
          mouth: 'smirk',
          lips: { full: 1.05 },
          lines: 1,
        },
        wear: { kind: 'space', colour: '#d98a3a', accent: '#f0e6d2', trim: '#4a5a6b' },
      },
    ],
  },
  'tilism-nau-dwar': {
    place: 'bazaar',
    accent: SAFFRON,
    thread: 'scarf',
    over: parakeet,
    figures: [
      {
        at: [228, 298],
        tilt: -4,
        before: turban('#7a2f4a', '#4fae9c'),
        face: {
          skin: '#9c6642',
          wide: 1.02,
          jaw: 1,
          long: 6,
          turn: 0.52,
          hair: 'none',
          hairColour: '#cfc8bc',
          beard: 'full',
          beardColour: '#d6cfc2',
          eyes: { shape: 'almond', colour: '#4a3018', look: 0.5, bags: true },
          brows: { thick: 9, lift: 6, tilt: -4, arch: 7, colour: '#bfb8ac' },
          nose: 'hooked',
          mouth: 'smile',
          lines: 2,
        },
        wear: { kind: 'shawl', colour: '#33283f', accent: '#8a5a2c', trim: '#e9c46a' },
      },
    ],
  },
  'gulshan-chacha': {
    place: 'platform',
    accent: SAFFRON,
    thread: 'river',
    over: kettle,
    figures: [
      {
        at: [222, 280],
        tilt: 4,
        before: pencil('#c2402e'),
        face: {
          skin: '#8a5636',
          wide: 1.02,
          jaw: 1,
          turn: 0.5,
          hair: 'crop',
          hairColour: '#b5aea4',
          beard: 'moustache',
          beardColour: '#c2bab0',
          eyes: { shape: 'hooded', colour: '#2c180d', look: 0.3, bags: true },
          brows: { thick: 8, lift: 4, tilt: -3, arch: 5, colour: '#8f887e' },
          nose: 'broad',
          mouth: 'smile',
          lines: 2,
        },
        wear: { kind: 'kurta', colour: '#d9cdb4', accent: '#c9b896', trim: '#7a4a2c' },
      },
    ],
  },
};

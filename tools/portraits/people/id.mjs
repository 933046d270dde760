// How the characters in Indonesian are drawn. Numbers are factors near 1 unless the drawing file says otherwise.
import { EMBER, SAFFRON, TEAL, circle, fill, line } from '../draw.mjs';
import { flower, headcloth } from '../hats.mjs';
import { glasses, kerchief } from '../worn.mjs';

/** A felt cap without a brim. */
const cap =
  fill(
    'M-84 -58C-82 -110 -74 -140 -62 -150C-20 -166 40 -166 70 -148C82 -134 88 -104 88 -60C44 -84 -40 -84 -84 -58Z',
    '#1f1c22',
  ) + line('M-62 -148C-20 -132 36 -132 70 -146', '#3a3640', 3);
/** A leaf-shaped puppet, the mountain of every shadow play, in picture space. */
const mountain =
  fill(
    'M392 360C430 420 452 470 440 530C436 566 420 590 392 600C364 590 348 566 344 530C332 470 354 420 392 360Z',
    '#c9902f',
  ) +
  fill(
    'M392 384C420 436 438 476 428 526C424 558 412 576 392 584C372 576 360 558 356 526C346 476 364 436 392 384Z',
    '#7a2f26',
  ) +
  line(
    'M392 400V620M392 470C372 460 364 446 366 430M392 470C412 460 420 446 418 430M392 520C366 512 356 496 358 480M392 520C418 512 428 496 426 480',
    '#e9c46a',
    5,
  ) +
  circle(392, 556, 11, '#e9c46a');

export const indonesian = {
  'galih-prasetya': {
    place: 'cafe',
    accent: SAFFRON,
    thread: 'river',
    figures: [
      {
        at: [240, 280],
        tilt: 4,
        before: glasses(0.5, '#2a1c17', { size: 0.94, low: 2 }),
        face: {
          skin: '#b07a52',
          wide: 0.97,
          jaw: 1,
          turn: 0.5,
          hair: 'waves',
          hairColour: '#1f1613',
          beard: 'shadow',
          eyes: { shape: 'almond', colour: '#33200f', look: 0.2 },
          brows: { thick: 7, lift: 4, arch: 5 },
          nose: 'broad',
          mouth: 'smile',
        },
        wear: { kind: 'apron', colour: '#5a6b78', accent: '#4a3324', trim: '#d9aa54' },
      },
    ],
  },
  'bu-ratmi': {
    place: 'market',
    accent: SAFFRON,
    thread: 'halo',
    figures: [
      {
        at: [240, 284],
        tilt: -4,
        flip: true,
        before: kerchief('#6b3a5a', '#e9c46a'),
        face: {
          skin: '#9a6440',
          wide: 1,
          jaw: 0.96,
          turn: 0.5,
          hair: 'bun',
          hairColour: '#8f8880',
          eyes: { shape: 'hooded', colour: '#2c180d', look: 0.2, bags: true },
          brows: { thick: 5, lift: 5, arch: 6, colour: '#6b625a' },
          nose: 'broad',
          mouth: 'smile',
          lines: 2,
        },
        wear: {
          kind: 'blouse',
          colour: '#c9a86a',
          accent: '#7a2f3a',
          trim: '#3f6b52',
          under: '#4a3a2c',
          wide: 0.96,
        },
      },
    ],
  },
  'ningsih-kos-melati': {
    place: 'corridor',
    accent: TEAL,
    thread: 'wire',
    rim: '#d6f3ea',
    figures: [
      {
        at: [240, 294],
        tilt: 7,
        opacity: 0.88,
        dark: '#10262a',
        before: flower(-62, -66, 26, '#f3f0e6', '#e9d58a'),
        face: {
          skin: '#cfd9cf',
          wide: 0.93,
          jaw: 0.92,
          chin: 0.86,
          turn: 0.5,
          hair: 'straight',
          hairColour: '#171a1f',
          eyes: { shape: 'wide', colour: '#3a5a5f', look: 0.3, white: '#eef6ee', lash: true },
          brows: { thick: 4, lift: 8, tilt: -4, arch: 5 },
          nose: 'button',
          mouth: 'smile',
          lips: { colour: '#8a5a62', wide: 0.85 },
          blush: '#8fb0ae',
        },
        wear: { kind: 'highneck', colour: '#c9d6cf', accent: '#8fb0ae', trim: '#e6efe9', wide: 0.92 },
      },
    ],
  },
  'kapten-sangaji': {
    place: 'harbour',
    accent: EMBER,
    thread: 'loop',
    figures: [
      {
        at: [238, 282],
        scale: 1.04,
        tilt: -4,
        before: `<g transform="rotate(-6)">${cap}</g>`,
        face: {
          skin: '#82502f',
          wide: 1.06,
          jaw: 1.08,
          chin: 1.08,
          neck: 1.3,
          turn: 0.5,
          hair: 'crop',
          hairColour: '#231a17',
          beard: 'short',
          beardColour: '#4a403a',
          eyes: { shape: 'narrow', colour: '#2c180d', look: 0.5, bags: true },
          brows: { thick: 9, lift: 2, tilt: -2, arch: 4 },
          nose: 'broad',
          mouth: 'smile',
          lines: 1,
        },
        wear: { kind: 'coat', colour: '#2f5a5f', accent: '#d9aa54', under: '#e3d6bd', wide: 1.08 },
      },
    ],
  },
  'dalang-malam': {
    place: 'terraces',
    accent: SAFFRON,
    thread: 'scarf',
    over: mountain,
    figures: [
      {
        at: [226, 286],
        tilt: 4,
        before: headcloth('#4a3222', '#d9aa54'),
        face: {
          skin: '#94603c',
          wide: 0.98,
          jaw: 0.96,
          long: 4,
          turn: 0.52,
          hair: 'none',
          hairColour: '#b5aea4',
          beard: 'goatee',
          beardColour: '#cfc8bc',
          eyes: { shape: 'almond', colour: '#3a2212', look: 0.5, bags: true },
          brows: { thick: 7, lift: 7, tilt: -4, arch: 7, colour: '#8f887e' },
          nose: 'broad',
          mouth: 'smirk',
          lines: 2,
        },
        wear: { kind: 'crossed', colour: '#2a2a33', accent: '#24242c', trim: '#c9902f' },
      },
    ],
  },
  'laras-kencana': {
    place: 'flood',
    accent: EMBER,
    thread: 'shoulder',
    rim: '#d9a9ff',
    figures: [
      {
        at: [246, 292],
        tilt: -5,
        flip: true,
        face: {
          skin: '#c58e62',
          wide: 0.94,
          jaw: 0.94,
          chin: 0.84,
          turn: 0.6,
          hair: 'ponytail',
          hairColour: '#5a2f7a',
          tie: '#e9a83f',
          eyes: { shape: 'almond', colour: '#8a4ac0', look: -0.3, size: 1.34, lash: true },
          brows: { thick: 6, lift: -2, tilt: 6, arch: 3, colour: '#2a1a33' },
          nose: 'button',
          mouth: 'stern',
          lips: { wide: 0.76 },
          blush: '#d9503c',
          marks: line('M24 78l8 6', '#a8322c', 3.4),
        },
        wear: {
          kind: 'biker',
          colour: '#2a2433',
          accent: '#d9602c',
          trim: '#63aca2',
          more: fill('M-164 300C-60 270 60 340 170 300L176 430H-170Z', '#7a4a26', { opacity: 0.9 }),
        },
      },
    ],
  },
};

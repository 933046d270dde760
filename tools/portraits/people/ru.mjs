// How the characters in Russian are drawn. Numbers are factors near 1 unless the drawing file says otherwise.
import { EMBER, SAFFRON, TEAL, box, circle, fill, line, many } from '../draw.mjs';
import { emptyHood } from '../animals.mjs';
import { earring, pencil, wideHat } from '../hats.mjs';
import { glasses, trainCap } from '../worn.mjs';

/** A pot plant that ticks. */
const ficus =
  fill('M350 560L360 500H440L450 560Z', '#a8563a') +
  box(350, 490, 100, 18, '#b8663f', { rx: 4 }) +
  line('M400 490C398 450 404 430 400 400', '#4a3a24', 6) +
  many(9, (index) =>
    fill(
      `M400 ${480 - index * 10}q${index % 2 ? 40 : -40} -24 ${index % 2 ? 58 : -58} -8q${index % 2 ? -18 : 18} 28 ${index % 2 ? -58 : 58} 8Z`,
      index % 3 ? '#4f7a3c' : '#3f6a4a',
    ),
  ) +
  circle(400, 530, 15, '#e9dcc0') +
  line('M400 530v-9M400 530l7 4', '#2a1c13', 3);

export const russian = {
  'varvara-lebedeva': {
    place: 'attic',
    accent: TEAL,
    thread: 'wire',
    figures: [
      {
        at: [240, 284],
        tilt: 5,
        before: pencil('#c2602e'),
        face: {
          skin: '#ecc6a6',
          wide: 0.93,
          jaw: 0.92,
          chin: 0.86,
          turn: 0.55,
          hair: 'plait',
          hairColour: '#a87b4a',
          tie: '#7a3a4a',
          eyes: { shape: 'round', colour: '#5f7f94', look: 0.3, lash: true },
          brows: { thick: 5, lift: 6, tilt: -3, arch: 6, colour: '#7a5a38' },
          nose: 'straight',
          mouth: 'smile',
          lips: { wide: 0.85 },
          blush: '#d97a64',
        },
        wear: { kind: 'shawl', colour: '#4a5a66', accent: '#7a3a4a', trim: '#d9c8a4', wide: 0.94 },
      },
    ],
  },
  'tamara-ilyinichna': {
    place: 'dacha',
    accent: EMBER,
    thread: 'river',
    figures: [
      {
        at: [244, 286],
        tilt: -3,
        before: wideHat('#e0d6bc', '#5a7a94', { top: 154 }) + glasses(0.5, '#6b4a2c', { size: 0.92, low: 4 }),
        face: {
          skin: '#dcae8a',
          wide: 1.04,
          jaw: 1.02,
          turn: 0.5,
          hair: 'bob',
          hairColour: '#d9d4cc',
          eyes: { shape: 'narrow', colour: '#5a7a8a', look: 0.3, bags: true },
          brows: { thick: 5, lift: 3, arch: 5, colour: '#a39c92' },
          nose: 'button',
          mouth: 'smirk',
          lines: 2,
          blush: '#c9604a',
        },
        wear: { kind: 'jumpsuit', colour: '#4a6a5a', accent: '#d9cdb4', under: '#d9a05a' },
      },
    ],
  },
  'domovoy-prokop': {
    place: 'hearth',
    accent: SAFFRON,
    thread: 'halo',
    figures: [
      {
        at: [242, 300],
        scale: 1.0,
        tilt: 4,
        flip: true,
        face: {
          skin: '#c9906a',
          ears: 'pointed',
          wide: 1.14,
          jaw: 1.06,
          turn: 0.5,
          hair: 'mane',
          hairColour: '#9a8468',
          beard: 'full',
          beardColour: '#b59f80',
          eyes: { shape: 'round', colour: '#7a8a3a', look: -0.3, size: 1.12, bags: true },
          brows: { thick: 13, lift: 4, tilt: 4, arch: 5, colour: '#8a7558' },
          nose: 'broad',
          mouth: 'calm',
          lines: 2,
          blush: '#c9442e',
        },
        wear: { kind: 'sweater', colour: '#a8443a', accent: '#e9dcc0', wide: 0.86 },
      },
    ],
  },
  'lev-arsenyev': {
    place: 'ice',
    accent: TEAL,
    thread: 'loop',
    rim: '#cfe6ea',
    figures: [
      {
        at: [240, 276],
        tilt: 3,
        before: glasses(0.5, '#2f3a46', { size: 0.96, low: 2 }),
        face: {
          skin: '#dfb596',
          wide: 0.97,
          jaw: 1,
          long: 8,
          turn: 0.5,
          hair: 'side',
          hairColour: '#6b625a',
          beard: 'shadow',
          eyes: { shape: 'tired', colour: '#5a7a8a', look: 0.2 },
          brows: { thick: 7, lift: 4, tilt: -5, arch: 4 },
          nose: 'long',
          mouth: 'smile',
          lines: 1,
        },
        wear: { kind: 'sweater', colour: '#c2622e', accent: '#e9dcc0', wide: 1.02 },
      },
    ],
  },
  'elektrichka-0013': {
    place: 'platform',
    accent: TEAL,
    thread: 'scarf',
    figures: [
      {
        at: [244, 286],
        tilt: -2,
        creature: emptyHood('#9fe0cf'),
        before: trainCap('#1f2a33', '#2f6b5c', '#c9a15a'),
        wear: { kind: 'uniform', colour: '#1f2a33', accent: '#c9a15a', trim: '#3f8f86' },
      },
    ],
  },
  'kira-vetrova': {
    place: 'lab',
    accent: EMBER,
    thread: 'shoulder',
    over: ficus,
    figures: [
      {
        at: [226, 288],
        tilt: -5,
        before: earring('#c9a15a') + line('M-30 -118C-60 -90 -76 -40 -78 30', '#c22a34', 11),
        face: {
          skin: '#ecc4a2',
          wide: 0.94,
          jaw: 0.93,
          chin: 0.84,
          turn: 0.6,
          hair: 'twintails',
          hairColour: '#3a2a3a',
          tie: '#c22a34',
          eyes: { shape: 'almond', colour: '#6a4a8a', look: 0.4, size: 1.34, lash: true },
          brows: { thick: 6, lift: -1, tilt: 5, arch: 4 },
          nose: 'button',
          mouth: 'worry',
          lips: { wide: 0.76 },
          blush: '#e0523c',
        },
        wear: { kind: 'coat', colour: '#e3e0d6', accent: '#3a3f46', under: '#2a2428' },
      },
    ],
  },
};

// How the characters in Italian are drawn. Numbers are factors near 1 unless the drawing file says otherwise.
import { EMBER, SAFFRON, TEAL, circle, fill, line } from '../draw.mjs';
import { earring, headphones, wideHat } from '../hats.mjs';
import { glasses } from '../worn.mjs';

const parrot =
  fill(
    'M352 520C340 470 350 432 378 424C404 418 420 440 414 466C424 500 408 540 384 560C366 556 356 540 352 520Z',
    '#4f8a3c',
  ) +
  fill('M352 470C340 500 346 540 364 560C372 530 370 496 352 470Z', '#2f6b4a') +
  fill('M408 440c16 2 20 18 8 30c-4 -10 -12 -14 -16 -18Z', '#e0a63a') +
  circle(394, 442, 7, '#efe3cd') +
  circle(395, 442, 3.4, '#17100d') +
  fill('M378 424C372 408 384 400 392 406C398 410 396 420 394 424Z', '#c2502e');
const boar =
  fill(
    'M330 600C322 520 340 470 380 466L376 440L398 460C410 456 424 458 432 464L452 444L450 474C470 496 478 540 474 600Z',
    '#4a3626',
  ) +
  fill('M386 520C376 540 384 566 406 570C430 568 438 544 430 522C418 508 396 508 386 520Z', '#6b4c36') +
  circle(398, 546, 4, '#17100d') +
  circle(418, 547, 4, '#17100d') +
  circle(382, 498, 5, '#17100d') +
  circle(432, 500, 5, '#17100d') +
  line('M378 552q-12 -4 -12 -18M438 552q12 -4 12 -18', '#efe3cd', 6) +
  line('M400 462q4 -20 14 -24M388 466q0 -16 6 -22', '#33241a', 5);

export const italian = {
  'nicolo-salvadego': {
    place: 'canal',
    accent: TEAL,
    thread: 'fall',
    figures: [
      {
        at: [238, 278],
        tilt: -3,
        flip: true,
        face: {
          skin: '#c9936a',
          wide: 1.02,
          jaw: 1.08,
          long: 4,
          turn: 0.55,
          hair: 'sweep',
          hairColour: '#33231a',
          beard: 'shadow',
          eyes: { shape: 'almond', colour: '#4a5f3a', look: -0.3 },
          brows: { thick: 8, lift: 2, arch: 5 },
          nose: 'aquiline',
          mouth: 'smile',
          marks: circle(22, 22, 7, '#e3cda0', { opacity: 0.5 }),
        },
        wear: { kind: 'tee', colour: '#2f3a46', accent: '#4a5a68', trim: '#2f3a46', wide: 1.06 },
      },
    ],
  },
  'rosalia-cannizzaro': {
    place: 'study',
    accent: SAFFRON,
    thread: 'scarf',
    over: parrot,
    figures: [
      {
        at: [226, 282],
        tilt: -4,
        before: earring('#d9aa54'),
        face: {
          skin: '#c68f66',
          wide: 1.08,
          jaw: 1.04,
          chin: 1.06,
          turn: 0.5,
          hair: 'waves',
          hairColour: '#241814',
          eyes: { shape: 'hooded', colour: '#3b2416', look: 0.5, size: 1.1, lash: true },
          brows: { thick: 7, lift: 3, arch: 8 },
          nose: 'aquiline',
          mouth: 'smirk',
          lips: { colour: '#9a2f34', full: 1.15 },
          lines: 1,
        },
        wear: {
          kind: 'suit',
          colour: '#3f4a3f',
          accent: '#8a3a34',
          under: '#e3d6bd',
          tie: 'long',
          wide: 1.06,
        },
      },
    ],
  },
  'elettra-vallauri': {
    place: 'cockpit',
    accent: TEAL,
    thread: 'loop',
    rim: '#e0f0ee',
    figures: [
      {
        at: [240, 288],
        tilt: 5,
        before: headphones('#c2402e', '#e9a83f'),
        face: {
          skin: '#e9b98f',
          wide: 0.92,
          jaw: 0.92,
          chin: 0.84,
          turn: 0.62,
          hair: 'bob',
          hairColour: '#1c1a24',
          eyes: { shape: 'almond', colour: '#4a6a9a', look: 0.4, size: 1.34, lash: true },
          brows: { thick: 5, lift: 3, tilt: 3, arch: 7 },
          nose: 'button',
          mouth: 'smirk',
          lips: { colour: '#c22a34', wide: 0.82, full: 1.05 },
        },
        wear: { kind: 'jumpsuit', colour: '#d9d6cc', accent: '#c2402e', under: '#2a2f38' },
      },
    ],
  },
  'compagnia-del-cinghiale': {
    place: 'bonfire',
    accent: EMBER,
    thread: 'wire',
    over: boar,
    figures: [
      {
        at: [226, 288],
        tilt: 4,
        before: wideHat('#7a2a26', '#d9aa54', { top: 158, feather: '#3f8f86' }),
        face: {
          skin: '#cf9a72',
          wide: 1.08,
          jaw: 1.06,
          chin: 1.1,
          turn: 0.5,
          hair: 'curls',
          hairColour: '#4a362a',
          beard: 'goatee',
          beardColour: '#5a4232',
          eyes: { shape: 'wide', colour: '#4a5a3a', look: 0.4 },
          brows: { thick: 9, lift: 8, arch: 9 },
          nose: 'long',
          mouth: 'grin',
          lines: 1,
          blush: '#c9442e',
        },
        wear: { kind: 'cloak', colour: '#3f5a4a', accent: '#c9862e', trim: '#7a2a26' },
      },
    ],
  },
  'nonna-assunta': {
    place: 'kitchen',
    accent: TEAL,
    thread: 'river',
    figures: [
      {
        at: [240, 284],
        tilt: -5,
        flip: true,
        before: glasses(0.5, '#c9a15a', { size: 0.92, low: 6 }) + earring('#d9aa54'),
        face: {
          skin: '#cfa07a',
          wide: 0.98,
          jaw: 0.94,
          turn: 0.5,
          hair: 'bun',
          hairColour: '#d9d4cc',
          eyes: { shape: 'tired', colour: '#3b2416', look: 0.2, bags: true },
          brows: { thick: 5, lift: 5, tilt: -3, arch: 7, colour: '#8a8278' },
          nose: 'hooked',
          mouth: 'smile',
          lines: 2,
          blush: '#b9503a',
        },
        wear: { kind: 'shawl', colour: '#33303a', accent: '#4a4450', trim: '#c2602e', wide: 0.94 },
      },
    ],
  },
  mazzarello: {
    place: 'arches',
    accent: EMBER,
    thread: 'halo',
    figures: [
      {
        at: [246, 316],
        scale: 0.94,
        tilt: 6,
        before:
          fill(
            'M-86 -60C-70 -150 -20 -200 60 -236C96 -244 110 -226 96 -210C70 -200 76 -120 86 -64C40 -92 -40 -92 -86 -60Z',
            '#b8332a',
          ) +
          line('M-86 -60C-40 -92 40 -92 86 -64', '#e9dcc0', 9) +
          circle(96, -218, 13, '#e9c46a'),
        face: {
          skin: '#d99a72',
          ears: 'pointed',
          wide: 1.06,
          jaw: 0.94,
          chin: 0.8,
          turn: 0.55,
          hair: 'tufts',
          hairColour: '#e0d6c4',
          beard: 'goatee',
          beardColour: '#e0d6c4',
          eyes: { shape: 'wide', colour: '#4a7a3a', look: 0.6, size: 1.16 },
          brows: { thick: 8, lift: 8, tilt: -5, arch: 7, colour: '#c9bfae' },
          nose: 'long',
          mouth: 'grin',
          lines: 1,
          blush: '#d9442e',
        },
        wear: { kind: 'apron', colour: '#3f5a6b', accent: '#c9a87a', trim: '#7a2a26', wide: 0.8 },
      },
    ],
  },
};

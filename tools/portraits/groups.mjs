// Portraits of more than one: the ship's crew and the household. The one who stands nearest
// comes last, since later figures are drawn over earlier ones.
import { EMBER, SAFFRON, circle, fill, line } from './draw.mjs';
import { goggles } from './worn.mjs';

const cat =
  fill(
    'M346 600C340 500 352 470 358 450C346 424 352 400 372 392L368 366L386 382C394 380 402 380 408 384L424 368L424 396C440 408 444 430 434 450C446 480 456 520 452 600Z',
    '#1a1412',
  ) +
  circle(384, 408, 5, '#e9b83a') +
  circle(412, 408, 5, '#e9b83a') +
  line('M384 404v8M412 404v8', '#120c0a', 2.4) +
  fill('M394 418l4 4l5 -4Z', '#a8625a');

export const groups = {
  kittiwake: {
    place: 'sky',
    accent: EMBER,
    thread: 'loop',
    over: cat,
    figures: [
      {
        at: [368, 226],
        scale: 0.72,
        flip: true,
        tilt: 6,
        before: goggles('#3a2418', '#a87b3f', '#69b0a8'),
        face: {
          skin: '#7a4d33',
          wide: 1.04,
          jaw: 1.04,
          turn: 0.5,
          hair: 'crop',
          hairColour: '#1a1210',
          beard: 'goatee',
          eyes: { shape: 'closed', colour: '#2a170d' },
          brows: { thick: 8, lift: 6, arch: 6 },
          nose: 'broad',
          mouth: 'grin',
          lips: { full: 1.1, wide: 1.2 },
        },
        wear: { kind: 'jumpsuit', colour: '#5d6b58', accent: '#d9aa54', under: '#2a2420' },
      },
      {
        at: [108, 232],
        scale: 0.7,
        tilt: -9,
        face: {
          skin: '#e6bd97',
          wide: 0.92,
          jaw: 0.92,
          chin: 0.85,
          turn: 0.6,
          hair: 'sweep',
          hairColour: '#a8482a',
          eyes: { shape: 'wide', colour: '#4f8a5a', look: 0.7, size: 1.05 },
          brows: { thick: 5, lift: 6, arch: 7 },
          nose: 'button',
          mouth: 'smirk',
          lips: { wide: 0.8 },
        },
        wear: { kind: 'shawl', colour: '#3d3a52', accent: '#c9a03a', trim: '#7a2f3a' },
      },
      {
        at: [240, 316],
        scale: 0.88,
        tilt: 2,
        face: {
          skin: '#d99f78',
          wide: 1,
          jaw: 1.08,
          turn: 0.45,
          hair: 'bob',
          hairColour: '#6b625c',
          eyes: { shape: 'narrow', colour: '#5a7a86', look: -0.3, bags: true },
          brows: { thick: 8, lift: -3, tilt: 6, arch: 3 },
          nose: 'aquiline',
          mouth: 'calm',
          lines: 1,
          marks: line('M-52 -6L-36 46', '#eecaa8', 4),
        },
        wear: { kind: 'coat', colour: '#27333f', accent: '#d9aa54', under: '#8f3a2c' },
      },
    ],
  },
  saltLane: {
    place: 'landing',
    accent: SAFFRON,
    thread: 'river',
    figures: [
      {
        at: [124, 214],
        scale: 0.74,
        tilt: 4,
        face: {
          skin: '#cfd0c4',
          wide: 0.9,
          jaw: 0.88,
          chin: 0.82,
          long: 10,
          turn: 0.6,
          ears: 'pointed',
          hair: 'slick',
          hairColour: '#23202a',
          eyes: { shape: 'tired', colour: '#a8332a', look: 0.6 },
          brows: { thick: 6, lift: 6, tilt: -7, arch: 5 },
          nose: 'long',
          mouth: 'worry',
          lips: { wide: 0.72, colour: '#8f6a6c' },
          lines: 1,
        },
        wear: { kind: 'suit', colour: '#2b2430', accent: '#7a2a3a', under: '#e9e2d2', slope: 14, wide: 0.9 },
      },
      {
        at: [364, 232],
        scale: 0.74,
        flip: true,
        tilt: -10,
        face: {
          skin: '#5f3b2a',
          wide: 0.98,
          jaw: 1,
          turn: 0.5,
          hair: 'afro',
          hairColour: '#1a1210',
          eyes: { shape: 'tired', colour: '#24130b', look: 0.1, bags: true },
          brows: { thick: 7, lift: 1, tilt: -3 },
          nose: 'broad',
          mouth: 'smirk',
          lips: { full: 1.2 },
        },
        wear: { kind: 'jumpsuit', colour: '#3f8079', accent: '#2a4a48', under: '#e3dcc9' },
      },
      {
        at: [236, 330],
        scale: 0.82,
        tilt: -3,
        face: {
          skin: '#dcb08a',
          wide: 1.1,
          jaw: 1.06,
          chin: 1.1,
          turn: 0.45,
          hair: 'curls',
          hairColour: '#a39a94',
          eyes: { shape: 'hooded', colour: '#2a1a10', look: 0 },
          brows: { thick: 6, lift: 5, arch: 8, colour: '#574b45' },
          nose: 'button',
          mouth: 'smile',
          lips: { colour: '#a8323a' },
          lines: 2,
          blush: '#c2503a',
        },
        wear: { kind: 'apron', colour: '#a8443a', accent: '#e3d3ac', trim: '#3f8079', wide: 1.02 },
      },
    ],
  },
};

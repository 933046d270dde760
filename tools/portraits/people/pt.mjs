// How the characters in Portuguese are drawn. Numbers are factors near 1 unless the drawing file says otherwise.
import { EMBER, SAFFRON, TEAL, box, circle, fill, line, many, oval } from '../draw.mjs';
import { capybara } from '../animals.mjs';
import { earring, flatCap, flower, headband, leatherHat } from '../hats.mjs';

/** An accordion held before the chest, in picture space. */
const accordion =
  fill('M150 452L196 442V580H150Z', '#7a2a26') +
  fill('M330 442L376 452V580H330Z', '#7a2a26') +
  many(7, (index) => fill(`M${196 + index * 19} 444l10 8l9 -8v140h-19Z`, index % 2 ? '#d9c8a4' : '#b89f78')) +
  many(5, (index) => box(156, 462 + index * 22, 32, 15, '#efe3cd', { rx: 3 })) +
  many(8, (index) => circle(344 + (index % 2) * 18, 464 + Math.floor(index / 2) * 26, 6, '#e9c46a'));
const bird =
  fill(
    'M-20 -112C-30 -136 -14 -150 4 -146C10 -156 26 -154 28 -144L38 -140L28 -136C26 -118 8 -106 -20 -112Z',
    '#c9a03a',
  ) +
  fill('M-20 -112L-46 -118L-24 -126Z', '#8a6a2a') +
  circle(20, -144, 3, '#17100d');

export const portuguese = {
  'iara-falcao': {
    place: 'market',
    accent: EMBER,
    thread: 'loop',
    over: accordion,
    figures: [
      {
        at: [246, 268],
        tilt: -5,
        before: flower(-66, -72, 34, '#d9502e') + earring('#e9c46a'),
        face: {
          skin: '#9a6242',
          wide: 0.98,
          jaw: 0.96,
          turn: 0.5,
          hair: 'curls',
          hairColour: '#241612',
          eyes: { shape: 'almond', colour: '#2c170d', look: -0.2, size: 1.08, lash: true },
          brows: { thick: 6, lift: 5, arch: 7 },
          nose: 'broad',
          mouth: 'grin',
          lips: { full: 1.2, colour: '#a8383a' },
        },
        wear: { kind: 'tee', colour: '#e9c46a', accent: '#d98a3a', trim: '#c2602e' },
      },
    ],
  },
  'tiago-arruda': {
    place: 'stall',
    accent: EMBER,
    thread: 'river',
    figures: [
      {
        at: [236, 276],
        scale: 1.05,
        tilt: 4,
        before: flatCap('#3f5a4a'),
        face: {
          skin: '#b07a52',
          wide: 1.1,
          jaw: 1.14,
          chin: 1.12,
          neck: 1.4,
          turn: 0.5,
          hair: 'crop',
          hairColour: '#2b1c16',
          beard: 'short',
          beardColour: '#33211a',
          eyes: { shape: 'round', colour: '#4a2c18', look: 0.3 },
          brows: { thick: 9, lift: 6, arch: 6 },
          nose: 'broad',
          mouth: 'smile',
          lips: { full: 1.1 },
        },
        wear: { kind: 'apron', colour: '#c9a03a', accent: '#2f6b5c', trim: '#e9dcc0', wide: 1.12 },
      },
    ],
  },
  'seu-anacleto': {
    place: 'corridor',
    accent: SAFFRON,
    thread: 'fall',
    figures: [
      {
        at: [242, 286],
        scale: 1.02,
        tilt: -2,
        flip: true,
        face: {
          skin: '#7f5238',
          wide: 0.93,
          jaw: 0.92,
          long: 4,
          turn: 0.5,
          hair: 'stubble',
          hairColour: '#cfc8bc',
          beard: 'moustache',
          beardColour: '#cfc8bc',
          eyes: { shape: 'tired', colour: '#2a160c', look: -0.4, bags: true },
          brows: { thick: 7, lift: 3, tilt: -4, arch: 5, colour: '#b5aea4' },
          nose: 'broad',
          mouth: 'calm',
          lines: 2,
        },
        wear: { kind: 'shirt', colour: '#5a6b7a', accent: '#d9cdb4', under: '#e3dcc9', wide: 0.92, slope: 8 },
      },
    ],
  },
  'dandara-nogueira': {
    place: 'orbit',
    accent: TEAL,
    thread: 'halo',
    figures: [
      {
        at: [240, 284],
        tilt: 4,
        before: headband('#d9902f') + earring('#d9aa54'),
        face: {
          skin: '#5a3826',
          wide: 0.98,
          jaw: 0.98,
          turn: 0.52,
          hair: 'afro',
          hairColour: '#1a1210',
          eyes: { shape: 'almond', colour: '#26140c', look: 0.3, lash: true },
          brows: { thick: 7, lift: 4, arch: 8 },
          nose: 'broad',
          mouth: 'smirk',
          lips: { full: 1.25, wide: 1.05 },
          lines: 1,
        },
        wear: { kind: 'space', colour: '#2f5f58', accent: '#e9c46a', trim: '#d9d2c2' },
      },
    ],
  },
  'cordel-do-sertao-encantado': {
    place: 'drylands',
    accent: EMBER,
    thread: 'wire',
    figures: [
      {
        at: [240, 298],
        tilt: -4,
        before: leatherHat('#7a4a26', '#e9c46a'),
        face: {
          skin: '#8f5a3a',
          wide: 0.98,
          jaw: 0.98,
          long: 6,
          turn: 0.5,
          hair: 'crop',
          hairColour: '#6b625a',
          beard: 'goatee',
          beardColour: '#b5aea4',
          eyes: { shape: 'closed', colour: '#2a160c' },
          brows: { thick: 8, lift: 7, tilt: -5, arch: 6, colour: '#8a8278' },
          nose: 'hooked',
          mouth: 'open',
          lines: 2,
        },
        wear: { kind: 'shirt', colour: '#8a5a34', accent: '#e9c46a', under: '#d9cdb4' },
      },
    ],
  },
  'dona-capivara': {
    place: 'park',
    accent: TEAL,
    thread: 'scarf',
    over:
      oval(240, 560, 330, 96, '#1f4a52', { opacity: 0.92 }) +
      many(7, (index) =>
        line(`M${70 + index * 50} ${500 + (index % 3) * 16}h32`, '#7fb8b0', 3, { opacity: 0.55 }),
      ),
    figures: [
      {
        at: [244, 300],
        scale: 1.2,
        tilt: -3,
        creature: capybara({}),
        before: bird,
        wear: { kind: 'shawl', colour: '#7d5a38', accent: '#8f6a42', trim: '#6b4a2c', wide: 0.9 },
      },
    ],
  },
};

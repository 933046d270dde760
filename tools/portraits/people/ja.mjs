// How the characters in Japanese are drawn. Numbers are factors near 1 unless the drawing file says otherwise.
import { EMBER, TEAL, box, circle, fill, halo, line, oval } from '../draw.mjs';
import { tanuki } from '../animals.mjs';
import { flower, headband } from '../hats.mjs';
import { goggles, trainCap } from '../worn.mjs';

/** A bottle of milk for after the bath, in picture space. */
const bottle =
  fill('M366 470H394V492C408 500 412 512 412 526V590H348V526C348 512 352 500 366 492Z', '#e9c9a0') +
  fill('M348 540H412V590H348Z', '#e3a86a') +
  box(362, 462, 36, 12, '#c2503a', { rx: 4 }) +
  circle(380, 546, 15, '#f3e6cf') +
  line('M356 520V580', '#fff6e3', 4, { opacity: 0.6 });
const candle =
  box(368, 470, 26, 110, '#efe3cd', { rx: 5 }) +
  halo(381, 446, 90, '#ffcf85', 0.7) +
  fill('M381 418C394 440 392 458 381 464C370 458 368 440 381 418Z', '#ffdf9c') +
  oval(381, 584, 44, 11, '#5b3d26');

export const japanese = {
  'minase-mio': {
    place: 'bath',
    accent: EMBER,
    thread: 'loop',
    over: bottle,
    figures: [
      {
        at: [226, 284],
        tilt: 4,
        before: headband('#e9e2d2'),
        face: {
          skin: '#ecc09a',
          wide: 0.95,
          jaw: 0.94,
          chin: 0.86,
          turn: 0.55,
          hair: 'bun',
          hairColour: '#241a18',
          eyes: { shape: 'almond', colour: '#4a2c1a', look: 0.3, size: 1.22, lash: true },
          brows: { thick: 5, lift: 5, tilt: -3, arch: 5 },
          nose: 'button',
          mouth: 'smile',
          lips: { wide: 0.8 },
          blush: '#e0583e',
        },
        wear: { kind: 'apron', colour: '#2f5a78', accent: '#e9e2d2', trim: '#c2503a', wide: 0.94 },
      },
    ],
  },
  'tachibana-wataru': {
    place: 'cafe',
    accent: TEAL,
    thread: 'river',
    figures: [
      {
        at: [244, 276],
        tilt: -3,
        flip: true,
        face: {
          skin: '#e0b088',
          wide: 0.96,
          jaw: 1.02,
          long: 6,
          turn: 0.55,
          hair: 'undercut',
          hairColour: '#1f1a1c',
          eyes: { shape: 'narrow', colour: '#33231a', look: 0.3, size: 1.1 },
          brows: { thick: 7, lift: 1, arch: 4 },
          nose: 'straight',
          mouth: 'smile',
          lips: { wide: 0.86 },
        },
        wear: { kind: 'apron', colour: '#e3dccb', accent: '#2a3a40', trim: '#c9a15a', wide: 1.02 },
      },
    ],
  },
  'kurosawa-yoi': {
    place: 'platform',
    accent: EMBER,
    thread: 'fall',
    rim: '#cfe0e6',
    figures: [
      {
        at: [240, 284],
        tilt: -2,
        before: trainCap('#20242c', '#3a1f22', '#c9a15a'),
        face: {
          skin: '#d6bfa6',
          wide: 0.93,
          jaw: 0.94,
          long: 8,
          turn: 0.55,
          hair: 'crop',
          hairColour: '#20201f',
          eyes: { shape: 'hooded', colour: '#3a3f44', look: -0.3, bags: true },
          brows: { thick: 6, tilt: -2, arch: 3 },
          nose: 'long',
          mouth: 'calm',
          lips: { wide: 0.85 },
          lines: 1,
        },
        wear: { kind: 'uniform', colour: '#20242c', accent: '#a8853f', trim: '#6b2a2c' },
      },
    ],
  },
  'akatsuki-rei': {
    place: 'skyline',
    accent: EMBER,
    thread: 'wire',
    rim: '#ffc9b0',
    figures: [
      {
        at: [242, 288],
        tilt: 5,
        before: goggles('#2a2f3a', '#c2442c', '#69b0c9'),
        face: {
          skin: '#efc4a0',
          wide: 0.93,
          jaw: 0.93,
          chin: 0.83,
          turn: 0.62,
          hair: 'pixie',
          hairColour: '#c3c9d2',
          eyes: { shape: 'almond', colour: '#3f8fae', look: 0.3, size: 1.36, lash: true },
          brows: { thick: 5, lift: -1, tilt: 5, arch: 4, colour: '#8a929c' },
          nose: 'button',
          mouth: 'stern',
          lips: { wide: 0.74 },
          blush: '#e8604a',
        },
        wear: { kind: 'biker', colour: '#2b3348', accent: '#c2442c', trim: '#d9d6cc' },
      },
    ],
  },
  'hyakumonogatari-no-yado': {
    place: 'teahouse',
    accent: TEAL,
    thread: 'scarf',
    over: candle,
    figures: [
      {
        at: [228, 290],
        tilt: 5,
        before: flower(-58, -96, 26, '#e9e2d2', '#c2503a'),
        face: {
          skin: '#dcc7b2',
          wide: 0.94,
          jaw: 0.92,
          chin: 0.86,
          long: 4,
          turn: 0.55,
          hair: 'pompadour',
          hairColour: '#1c1a1e',
          eyes: { shape: 'narrow', colour: '#3a3f3a', look: 0.4, lash: true },
          brows: { thick: 4, lift: 8, arch: 4, long: 0.7 },
          nose: 'straight',
          mouth: 'smile',
          lips: { colour: '#a82a30', wide: 0.72 },
        },
        wear: { kind: 'kimono', colour: '#33384f', accent: '#8a6a9a', trim: '#20242f', under: '#e3dccb' },
      },
    ],
  },
  'gonbee-taisho': {
    place: 'stall',
    accent: EMBER,
    thread: 'halo',
    figures: [
      {
        at: [240, 296],
        tilt: -4,
        creature: tanuki({}),
        wear: {
          kind: 'kimono',
          colour: '#2f4a5c',
          accent: '#e3d7bd',
          trim: '#1f2f3a',
          under: '#c2503a',
          wide: 0.98,
        },
      },
    ],
  },
};

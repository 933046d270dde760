// How the characters in Polish are drawn. Numbers are factors near 1 unless the drawing file says otherwise.
import { EMBER, SAFFRON, TEAL, circle, fill, line } from '../draw.mjs';
import { basilisk } from '../animals.mjs';
import { headphones, wideHat } from '../hats.mjs';
import { freckles, goggles, headLamp, kerchief } from '../worn.mjs';

const umbrella =
  line('M400 610V420C400 396 432 396 432 420', '#2a1c14', 8) +
  fill('M392 606L398 470C400 452 404 452 406 470L412 606C410 622 394 622 392 606Z', '#17171c') +
  circle(432, 424, 7, '#c2602e');

export const polish = {
  'hania-wroblewska': {
    place: 'hearth',
    accent: EMBER,
    thread: 'river',
    figures: [
      {
        at: [252, 284],
        tilt: -4,
        before: kerchief('#3f6b78', '#e9dcc0'),
        face: {
          skin: '#e6b48e',
          wide: 1,
          jaw: 1,
          turn: 0.5,
          hair: 'braids',
          hairColour: '#b5562c',
          tie: '#3f6b78',
          eyes: { shape: 'almond', colour: '#5a7a4a', look: 0.4, lash: true },
          brows: { thick: 6, lift: 3, arch: 6 },
          nose: 'straight',
          mouth: 'smirk',
          blush: '#d9502e',
          marks: freckles('#b9653a', 0.5),
        },
        wear: { kind: 'jumpsuit', colour: '#5f6f5a', accent: '#c9a15a', under: '#d9c8a4' },
      },
    ],
  },
  'klara-lis': {
    place: 'radio',
    accent: EMBER,
    thread: 'wire',
    figures: [
      {
        at: [236, 282],
        tilt: 5,
        before: headphones('#2f2a34', '#e9a83f'),
        face: {
          skin: '#e0b596',
          wide: 0.95,
          jaw: 0.96,
          turn: 0.52,
          hair: 'pixie',
          hairColour: '#8f8a8c',
          eyes: { shape: 'hooded', colour: '#4a6a7a', look: 0.4, size: 1.08, lash: true },
          brows: { thick: 6, lift: 3, tilt: -3, arch: 5, colour: '#4a4448' },
          nose: 'straight',
          mouth: 'smile',
          lips: { colour: '#a84a4a' },
        },
        wear: { kind: 'sweater', colour: '#3f5f5a', accent: '#c9a86a', wide: 1.08 },
      },
    ],
  },
  'boleslaw-kruk': {
    place: 'gables',
    accent: TEAL,
    thread: 'fall',
    over: umbrella,
    figures: [
      {
        at: [226, 288],
        tilt: -3,
        before: wideHat('#3a3a3f', '#1f1f24', { top: 168 }),
        face: {
          skin: '#d9b295',
          wide: 0.94,
          jaw: 0.96,
          long: 10,
          turn: 0.55,
          hair: 'side',
          hairColour: '#5b524a',
          beard: 'moustache',
          beardColour: '#6b6056',
          eyes: { shape: 'tired', colour: '#5f6f7a', look: 0.3, bags: true },
          brows: { thick: 8, lift: 3, tilt: -6, arch: 3 },
          nose: 'long',
          mouth: 'calm',
          lines: 1,
        },
        wear: { kind: 'coat', colour: '#5b5346', accent: '#2a241e', under: '#d9cdb4' },
      },
    ],
  },
  'ignacy-wir': {
    place: 'harbour',
    accent: SAFFRON,
    thread: 'loop',
    figures: [
      {
        at: [242, 284],
        tilt: 6,
        flip: true,
        before: goggles('#4a2f1d', '#b5863a', '#7fc0b0'),
        face: {
          skin: '#e3b792',
          wide: 0.92,
          jaw: 0.92,
          long: 4,
          turn: 0.55,
          hair: 'sweep',
          hairColour: '#6b4a2c',
          beard: 'goatee',
          eyes: { shape: 'wide', colour: '#4a8a86', look: 0.3, size: 1.08 },
          brows: { thick: 7, lift: 8, tilt: -4, arch: 6 },
          nose: 'long',
          mouth: 'open',
          marks: circle(-44, 40, 9, '#3a2a22', { opacity: 0.4 }),
        },
        wear: { kind: 'harness', colour: '#4a6a78', accent: '#e9dcc0', trim: '#6b4526', wide: 0.96 },
      },
    ],
  },
  'poziom-minus-dziewiec': {
    place: 'mine',
    accent: TEAL,
    thread: 'halo',
    figures: [
      {
        at: [240, 284],
        scale: 1.04,
        tilt: -2,
        before: headLamp('#3a332f', '#8a7a5c'),
        face: {
          skin: '#cfc2b4',
          wide: 1.08,
          jaw: 1.06,
          turn: 0.5,
          hair: 'none',
          hairColour: '#e9e6de',
          beard: 'full',
          beardColour: '#e3e0d8',
          eyes: { shape: 'hooded', colour: '#6fb0a8', look: 0.2, bags: true },
          brows: { thick: 12, lift: 2, tilt: 3, arch: 4, colour: '#d9d6ce' },
          nose: 'broad',
          mouth: 'calm',
          lines: 2,
        },
        wear: { kind: 'uniform', colour: '#1f1c1e', accent: '#d9c8a4', trim: '#8a7a5c', wide: 1.06 },
      },
    ],
  },
  'bazyliszek-barnaba': {
    place: 'study',
    accent: SAFFRON,
    thread: 'shoulder',
    figures: [
      {
        at: [240, 286],
        tilt: 4,
        creature: basilisk({}),
        wear: { kind: 'suit', colour: '#5a2f3a', accent: '#c9a15a', under: '#e9e2d2', wide: 0.96 },
      },
    ],
  },
};

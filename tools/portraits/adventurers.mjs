// How people who are on their way somewhere are drawn.
// Numbers are factors near 1 unless the drawing file says otherwise; one entry a slug.
import { EMBER, SAFFRON, TEAL, circle, fill, halo, line, many, oval } from './draw.mjs';
import { freckles, goggles, headLamp, headset, helm } from './worn.mjs';

const dog =
  fill(
    'M18 470C10 430 22 404 48 396L40 362C60 366 76 378 84 392C98 388 112 390 122 396L142 370C150 390 150 408 142 422C150 446 138 470 120 480L124 560H24Z',
    '#5a4330',
  ) +
  fill('M70 420C64 446 60 462 72 476C86 484 104 480 110 466C110 450 100 434 98 414Z', '#c9b08a') +
  oval(88, 462, 12, 8, '#17100d') +
  circle(64, 424, 5.4, '#17100d') +
  circle(112, 426, 5, '#17100d') +
  circle(66, 422, 1.8, '#fff3d8') +
  circle(114, 424, 1.6, '#fff3d8') +
  line('M88 470v8q-8 8 -14 2M88 478q8 6 14 0', '#2a1c14', 2.6) +
  fill('M26 500C60 514 110 510 134 494L140 520C110 534 60 538 22 524Z', '#d96a2c');

const hilt =
  line('M150 150L196 60', '#1a1418', 15) +
  many(6, (index) => line(`M${156 + index * 7.4} ${144 - index * 14.6}l10 4`, '#b84a38', 4)) +
  oval(148, 156, 27, 10, '#c9a15a', { transform: 'rotate(26 148 156)' }) +
  circle(198, 56, 9, '#c9a15a');

export const adventurers = {
  'nkechi-abara': {
    place: 'orbit',
    accent: EMBER,
    thread: 'halo',
    figures: [
      {
        at: [236, 286],
        tilt: 4,
        face: {
          skin: '#6e4430',
          wide: 0.98,
          turn: 0.5,
          hair: 'locs',
          hairColour: '#241814',
          tie: '#d9902f',
          eyes: { shape: 'almond', colour: '#3a2116', look: -0.5, size: 1.1, lash: true },
          brows: { thick: 7, lift: 5, arch: 9 },
          nose: 'broad',
          mouth: 'grin',
          lips: { full: 1.25, wide: 1.15 },
          marks: line('M-30 26l-14 -4M-28 32l-14 -2', '#4a2a1e', 2.6),
        },
        wear: { kind: 'space', colour: '#c4703a', accent: '#e9dcc0', trim: '#b9b2a6' },
      },
    ],
  },
  'kagari-toda': {
    place: 'bridge',
    accent: TEAL,
    thread: 'loop',
    rim: '#cfe0e6',
    figures: [
      {
        at: [246, 284],
        tilt: -4,
        behind: `<g transform="translate(-44 26)">${hilt}</g>`,
        face: {
          skin: '#e6ad7e',
          wide: 0.94,
          jaw: 0.94,
          chin: 0.85,
          turn: 0.65,
          hair: 'ponytail',
          hairColour: '#1b2338',
          tie: '#b8402c',
          eyes: { shape: 'almond', colour: '#9a5a22', look: -0.3, size: 1.38 },
          brows: { thick: 6, lift: -3, tilt: 6, arch: 3 },
          nose: 'button',
          mouth: 'stern',
          lips: { wide: 0.75 },
          marks: line('M-58 44l24 8', '#f3ead6', 5) + line('M-56 38l4 14M-44 42l4 12', '#d9c9ae', 2),
        },
        wear: { kind: 'kimono', colour: '#2a4a5c', accent: '#e3d7bd', trim: '#17232f', under: '#b8402c' },
      },
    ],
  },
  'marama-te-whata': {
    place: 'porthole',
    accent: TEAL,
    thread: 'wire',
    rim: '#a9dccf',
    figures: [
      {
        at: [226, 284],
        tilt: 3,
        before: headset('#3a3a3c', '#e9a83f'),
        face: {
          skin: '#a3704c',
          wide: 1.02,
          jaw: 1.02,
          turn: 0.6,
          hair: 'bun',
          hairColour: '#211714',
          eyes: { shape: 'almond', colour: '#33200f', look: 0.9, size: 1.05 },
          brows: { thick: 7, arch: 6, lift: 2, tilt: -2 },
          nose: 'broad',
          mouth: 'calm',
          lips: { full: 1.2 },
          marks: freckles('#7a4a30', 0.6),
        },
        wear: { kind: 'jumpsuit', colour: '#a5672c', accent: '#e9c98a', under: '#2a3436' },
      },
    ],
  },
  'lumi-saarelainen': {
    place: 'hearth',
    accent: EMBER,
    thread: 'shoulder',
    figures: [
      {
        at: [240, 290],
        tilt: 5,
        face: {
          skin: '#ecb98f',
          wide: 0.97,
          long: 5,
          jaw: 0.98,
          chin: 0.85,
          turn: 0.4,
          hair: 'braids',
          hairColour: '#e6d3a4',
          tie: '#a8332a',
          eyes: { shape: 'round', colour: '#4f86a0', look: 0.1, size: 1.08 },
          brows: { thick: 5, lift: 7, tilt: -5, arch: 5, colour: '#a98d5c' },
          nose: 'straight',
          mouth: 'grin',
          lips: { wide: 0.78 },
          blush: '#d9694a',
          marks:
            freckles('#b9714a', 0.4) +
            halo(-50, 48, 22, '#2a1f1b', 0.75) +
            halo(14, -74, 26, '#2a1f1b', 0.6) +
            halo(44, 8, 15, '#2a1f1b', 0.5),
        },
        wear: {
          kind: 'shawl',
          colour: '#2c3f5e',
          accent: '#8a2f2a',
          trim: '#e9c46a',
          wide: 0.94,
          more: line('M-110 178C-60 250 20 320 110 420', '#5b3d26', 15),
        },
      },
    ],
  },
  'sir-gaspard': {
    place: 'cave',
    accent: SAFFRON,
    thread: 'wire',
    figures: [
      {
        at: [290, 292],
        scale: 1.04,
        tilt: 6,
        flip: true,
        before: helm('#8f959a', '#a8332a'),
        face: {
          skin: '#e9c3a2',
          wide: 0.95,
          jaw: 0.95,
          long: 4,
          turn: 0.55,
          hair: 'crop',
          hairColour: '#a5592c',
          eyes: { shape: 'wide', colour: '#5b7a4a', look: 0.9, size: 1.08 },
          brows: { thick: 6, lift: 8, tilt: -8, arch: 4 },
          nose: 'long',
          mouth: 'worry',
          lips: { wide: 0.8 },
          marks: freckles('#b9714a', 0.55) + circle(-48, -62, 3, '#cfe0e0'),
        },
        wear: { kind: 'armour', colour: '#7d848a', accent: '#d9b25c', trim: '#a8332a', wide: 0.98 },
      },
    ],
  },
  'kei-tatsunami': {
    place: 'flood',
    accent: EMBER,
    thread: 'scarf',
    rim: '#8fd6cc',
    figures: [
      {
        at: [236, 290],
        tilt: -6,
        face: {
          skin: '#d9a57c',
          wide: 0.92,
          jaw: 0.96,
          chin: 0.85,
          turn: 0.7,
          hair: 'sweep',
          hairColour: '#d9cda0',
          eyes: { shape: 'almond', colour: '#2f5a5c', look: 0.6, size: 1.3 },
          brows: { thick: 6, lift: 0, tilt: 4, colour: '#2a211c' },
          nose: 'straight',
          mouth: 'smirk',
          lips: { wide: 0.8 },
          marks: line('M-46 -44l14 30', '#f0cdb0', 4),
        },
        before: goggles('#15181c', '#2f8f86', '#e9a83f'),
        wear: { kind: 'biker', colour: '#25282f', accent: '#d9602c', trim: '#c9c2b0' },
      },
    ],
  },
  'tavita-leota': {
    place: 'rescue',
    accent: EMBER,
    thread: 'river',
    rim: '#ffe6c0',
    over: dog,
    figures: [
      {
        at: [264, 276],
        scale: 1.04,
        tilt: 3,
        before: headLamp('#d8d2c2', '#c2442c'),
        face: {
          skin: '#8c5a3c',
          wide: 1.17,
          jaw: 1.2,
          chin: 1.2,
          neck: 1.55,
          turn: 0.45,
          hair: 'crop',
          hairColour: '#1c1411',
          beard: 'shadow',
          eyes: { shape: 'almond', colour: '#2a160c', look: -0.3, bags: true },
          brows: { thick: 9, lift: 2, tilt: -2, arch: 4 },
          nose: 'broad',
          mouth: 'smile',
          lips: { full: 1.25, wide: 1.1 },
          lines: 1,
        },
        wear: { kind: 'harness', colour: '#b8472a', accent: '#e3dcc9', trim: '#2f3a3e', wide: 1.18 },
      },
    ],
  },
};

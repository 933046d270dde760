// Who is drawn and how: one entry a slug. Numbers are factors near 1 unless a file says else.
import { EMBER, SAFFRON, TEAL, circle, fill, line, many, oval } from './draw.mjs';
import { automaton, garden, owl } from './creatures.mjs';
import { groups } from './groups.mjs';
import { antlers, beanie, curvedHorns, deerEars, foxEars, freckles, frill, glasses, goggles, headLamp, headset, helm, hijabBefore, hijabBehind, kerchief, muzzle, scales, smallHorns, trainCap } from './worn.mjs';

const dog = fill('M18 470C10 430 22 404 48 396L40 362C60 366 76 378 84 392C98 388 112 390 122 396L142 370C150 390 150 408 142 422C150 446 138 470 120 480L124 560H24Z', '#5a4330') + fill('M70 420C64 446 60 462 72 476C86 484 104 480 110 466C110 450 100 434 98 414Z', '#c9b08a') + oval(88, 462, 12, 8, '#17100d') + circle(64, 424, 5.4, '#17100d') + circle(112, 426, 5, '#17100d') + circle(66, 422, 1.8, '#fff3d8') + circle(114, 424, 1.6, '#fff3d8') + line('M88 470v8q-8 8 -14 2M88 478q8 6 14 0', '#2a1c14', 2.6) + fill('M26 500C60 514 110 510 134 494L140 520C110 534 60 538 22 524Z', '#d96a2c');

const loupe = line('M-76 -62C-40 -88 40 -90 76 -64', '#2b1d14', 7) + circle(-12, -84, 22, '#2b1d14') + circle(-12, -84, 15, '#b9cfc6') + line('M-20 -90q6 -7 14 -6', '#fff3d8', 3);

const hilt = line('M150 150L196 60', '#1a1418', 15) + many(6, (index) => line(`M${156 + index * 7.4} ${144 - index * 14.6}l10 4`, '#b84a38', 4)) + oval(148, 156, 27, 10, '#c9a15a', { transform: 'rotate(26 148 156)' }) + circle(198, 56, 9, '#c9a15a');

export const people = {
  'teodora-vlasic': {
    place: 'train', accent: SAFFRON, thread: 'shoulder',
    figures: [{ at: [232, 280], tilt: -2, before: trainCap('#23333f', '#7a2a26', SAFFRON),
      face: { skin: '#d2a07c', wide: 0.97, jaw: 1.02, long: 3, turn: 0.6, hair: 'lowbun', hairColour: '#4a3b36', eyes: { shape: 'hooded', colour: '#5d6b4a', look: -0.3, bags: true }, brows: { thick: 6, tilt: -2, arch: 7 }, nose: 'aquiline', mouth: 'smirk', lines: 1, lips: { colour: '#9a4a42' } },
      wear: { kind: 'uniform', colour: '#24343f', accent: '#d9aa54', trim: '#b9433a' } }],
  },
  'ebbe-thorsager': {
    place: 'lighthouse', accent: TEAL, thread: 'river',
    figures: [{ at: [264, 278], tilt: 2, before: beanie('#8c3b2c', '#a14a34'),
      face: { skin: '#c98f72', wide: 1.04, jaw: 1.05, turn: 0.55, hair: 'tufts', hairColour: '#d8d2c4', beard: 'full', beardColour: '#d3ccbb', eyes: { shape: 'narrow', colour: '#6d96a6', look: 0.8, bags: true }, brows: { thick: 10, tilt: 2, arch: 4, colour: '#cfc8b8' }, nose: 'long', mouth: 'calm', lines: 2, blush: '#a8442e' },
      wear: { kind: 'sweater', colour: '#27404a', accent: '#cdbf9f', wide: 1.04 } }],
  },
  'nkechi-abara': {
    place: 'orbit', accent: EMBER, thread: 'halo',
    figures: [{ at: [236, 286], tilt: 4, 
      face: { skin: '#6e4430', wide: 0.98, turn: 0.5, hair: 'locs', hairColour: '#241814', tie: '#d9902f', eyes: { shape: 'almond', colour: '#3a2116', look: -0.5, size: 1.1, lash: true }, brows: { thick: 7, lift: 5, arch: 9 }, nose: 'broad', mouth: 'grin', lips: { full: 1.25, wide: 1.15 }, marks: line('M-30 26l-14 -4M-28 32l-14 -2', '#4a2a1e', 2.6) },
      wear: { kind: 'space', colour: '#c4703a', accent: '#e9dcc0', trim: '#b9b2a6' } }],
  },
  suzuran: {
    place: 'teahouse', accent: EMBER, thread: 'loop',
    figures: [{ at: [246, 288], tilt: 5, flip: true, behind: foxEars('#b3552a', '#3a1c16'),
      face: { skin: '#e9bd92', wide: 0.95, jaw: 0.9, chin: 0.85, long: 4, turn: 0.6, hair: 'bob', hairColour: '#3b1d1a', eyes: { shape: 'narrow', colour: '#c98a2c', look: -0.6, lash: true, size: 1.12, slit: true }, brows: { thick: 5, lift: 7, arch: 5, long: 0.6 }, nose: 'button', mouth: 'smirk', lips: { colour: '#a8322c', full: 1, wide: 0.78 }, marks: line('M-58 30l22 4M-58 42l22 0', '#b3552a', 3) },
      before: line('M-40 -112L-92 -148M-30 -118L-70 -168', '#d9aa54', 4) + circle(-94, -150, 8, '#b9332c') + many(3, (index) => circle(-70 + index * 9, -168 + index * 16, 4.6, '#f3ead6')),
      wear: { kind: 'kimono', colour: '#5a2530', accent: '#d9b27a', trim: '#26363a', under: '#efe3cd' } }],
  },
  'guild-of-the-ninth-stair': { scene: 'stair', thread: 'stair', accent: SAFFRON },
  'ardeshir-jalbhoy': {
    place: 'blinds', accent: EMBER, thread: 'scarf',
    figures: [{ at: [242, 272], tilt: -3, flip: true, before: '',
      face: { skin: '#b98258', wide: 1.16, jaw: 1.16, chin: 1.15, neck: 1.2, turn: 0.5, hair: 'slick', hairColour: '#1e1714', beard: 'moustache', eyes: { shape: 'round', colour: '#3b2416', look: 0.7, bags: true }, brows: { thick: 8, lift: 4, arch: 10 }, nose: 'hooked', mouth: 'calm', lips: { wide: 0.72 }, lines: 1 },
      wear: { kind: 'suit', colour: '#4d4438', accent: '#a8332a', under: '#eadfc8', wide: 1.08 } }],
  },
  loam: { place: 'gardenwall', accent: SAFFRON, thread: 'river', rim: '#e6d489', figures: [{ at: [244, 288], scale: 1.06, tilt: -4, creature: garden({}), wear: { kind: 'cloak', colour: '#3a3323', accent: '#4d5f2c', trim: '#c78a3c', wide: 1.02 } }] },
  'baruch-zilberfarb': {
    place: 'clocks', accent: SAFFRON, thread: 'fall',
    figures: [{ at: [236, 276], tilt: 6,
      face: { skin: '#d9ab86', wide: 0.98, jaw: 0.95, long: 4, turn: 0.6, hair: 'tufts', hairColour: '#cfc5b4', beard: 'short', beardColour: '#c8bdaa', eyes: { shape: 'tired', colour: '#4c5b5a', look: 0.1 }, brows: { thick: 9, lift: 3, tilt: -5, arch: 6, colour: '#bfb4a2' }, nose: 'hooked', mouth: 'smile', lines: 2, blush: '#b9503a' },
      before: glasses(0.6, '#c9a15a', { low: 6 }) + loupe,
      wear: { kind: 'apron', colour: '#6d6553', accent: '#3a2a1e', trim: '#c9a15a', slope: 8 } }],
  },
  'kagari-toda': {
    place: 'bridge', accent: TEAL, thread: 'loop', rim: '#cfe0e6',
    figures: [{ at: [246, 284], tilt: -4, behind: hilt,
      face: { skin: '#e6ad7e', wide: 0.94, jaw: 0.94, chin: 0.85, turn: 0.65, hair: 'ponytail', hairColour: '#1b2338', tie: '#b8402c', eyes: { shape: 'almond', colour: '#9a5a22', look: -0.3, size: 1.38 }, brows: { thick: 6, lift: -3, tilt: 6, arch: 3 }, nose: 'button', mouth: 'stern', lips: { wide: 0.75 }, marks: line('M-58 44l24 8', '#f3ead6', 5) + line('M-56 38l4 14M-44 42l4 12', '#d9c9ae', 2) },
      wear: { kind: 'kimono', colour: '#2a4a5c', accent: '#e3d7bd', trim: '#17232f', under: '#b8402c' } }],
  },
  'marama-te-whata': {
    place: 'porthole', accent: TEAL, thread: 'wire', rim: '#a9dccf',
    figures: [{ at: [226, 284], tilt: 3, before: headset('#3a3a3c', '#e9a83f'),
      face: { skin: '#a3704c', wide: 1.02, jaw: 1.02, turn: 0.6, hair: 'bun', hairColour: '#211714', eyes: { shape: 'almond', colour: '#33200f', look: 0.9, size: 1.05 }, brows: { thick: 7, arch: 6, lift: 2, tilt: -2 }, nose: 'broad', mouth: 'calm', lips: { full: 1.2 }, marks: freckles('#7a4a30', 0.6) },
      wear: { kind: 'jumpsuit', colour: '#a5672c', accent: '#e9c98a', under: '#2a3436' } }],
  },
  'docent-nineteen': { place: 'museum', accent: EMBER, thread: 'wire', figures: [{ at: [246, 272], lift: -8, tilt: -5, creature: automaton({}), wear: { kind: 'suit', colour: '#3d2430', accent: '#3f8f86', under: '#e4d7bf' } }] },
  'wilhelmina-achterberg': {
    place: 'wires', accent: TEAL, thread: 'wire', rim: '#cdfff0',
    figures: [{ at: [240, 296], tilt: 4, flip: true, opacity: 0.86,
      face: { skin: '#b7d2c6', wide: 0.95, jaw: 0.96, long: 2, turn: 0.55, hair: 'pompadour', hairColour: '#4f7770', eyes: { shape: 'wide', colour: '#3f7f86', look: -0.5, white: '#e6f3ea' }, brows: { thick: 5, lift: 6, arch: 7, colour: '#47655f' }, nose: 'straight', mouth: 'smirk', lips: { colour: '#7f9f98', wide: 0.85 } },
      before: line('M36 -150L84 -196', '#e9d5a0', 5) + line('M78 -190l6 -6', '#2a1c14', 5),
      wear: { kind: 'highneck', colour: '#3d625f', accent: '#e9a83f', trim: '#a9c9bd' } }],
  },
  'magister-ulula': { place: 'library', accent: EMBER, thread: 'scarf', figures: [{ at: [236, 284], scale: 1.04, tilt: 7, creature: owl({}), wear: { kind: 'shawl', colour: '#3f2631', accent: '#5b3340', trim: '#d9aa54', wide: 1.02 } }] },
  'fionnlagh-of-the-cold-pass': {
    place: 'pass', accent: TEAL, thread: 'halo', rim: '#dfe9ea',
    figures: [{ at: [240, 330], scale: 0.98, tilt: -2, behind: deerEars('#6b4f3a') + antlers('#a98a62'),
      face: { skin: '#a8785a', wide: 1.08, jaw: 1.1, long: 6, turn: 0.45, hair: 'braids', hairColour: '#8a5a38', tie: '#a9b3b0', beard: 'full', beardColour: '#9a6a44', eyes: { shape: 'hooded', colour: '#c9a23c', look: 0.3, size: 1.08 }, brows: { thick: 11, lift: -2, tilt: 3, arch: 3, colour: '#6b452c' }, nose: 'long', mouth: 'calm', lines: 1, marks: fill('M-8 -112L24 -112L18 -30L12 8L2 -30Z', '#d9c3a2', { opacity: 0.5 }) },
      wear: { kind: 'cloak', colour: '#353c42', accent: '#6f6456', trim: '#a9b3b0', wide: 1.06 } }],
  },
  'karabiber-hanim': {
    place: 'bazaar', accent: SAFFRON, thread: 'fall',
    figures: [{ at: [244, 290], tilt: 5, flip: true, behind: frill('#c9803a'),
      face: { skin: '#b0632f', wide: 1.16, jaw: 1.14, chin: 1.2, neck: 1.25, turn: 0.5, hair: 'none', hairColour: '#4a2016', eyes: { shape: 'round', colour: '#f0b83a', look: -0.3, slit: true, size: 1.18, iris: 1.1, lash: true }, brows: { thick: 8, lift: 6, arch: 9, colour: '#6b2a18' }, nose: 'broad', mouth: 'grin', lips: { wide: 1.25, colour: '#8a2f22' }, marks: scales('#7e3d1c') },
      before: muzzle('#b0632f', 7) + kerchief('#2f6b66', '#e9c46a') + smallHorns('#e3cfa6'),
      wear: { kind: 'apron', colour: '#7a2f3a', accent: '#d8c7a0', trim: '#a8402c', wide: 1.1 } }],
  },
  'clerk-malvezzi': {
    place: 'bureau', accent: EMBER, thread: 'scarf',
    figures: [{ at: [238, 290], tilt: -4, before: curvedHorns('#3b2d34', '#c9553a') + glasses(0.6, '#d9aa54', { size: 0.84, low: 4, chain: '#d9aa54' }),
      face: { skin: '#b4707a', ears: 'pointed', wide: 0.92, jaw: 0.88, chin: 0.8, long: 6, turn: 0.6, hair: 'side', hairColour: '#221720', eyes: { shape: 'almond', colour: '#d9902f', look: 0.4, size: 1.1 }, brows: { thick: 5, lift: 6, tilt: -6, arch: 5 }, nose: 'straight', mouth: 'worry', lips: { wide: 0.7 }, blush: '#c2384a' },
      wear: { kind: 'suit', colour: '#2a2a33', accent: '#7a2a3a', under: '#eadfc8', tie: 'long', wide: 0.94 } }],
  },
  'samira-benhaddou': {
    place: 'dome', accent: TEAL, thread: 'fall', rim: '#e6dcc8',
    figures: [{ at: [222, 284], tilt: 6, behind: hijabBehind('#7a4a52'), before: hijabBefore('#8a555c'),
      face: { skin: '#c08a60', wide: 0.94, jaw: 0.95, turn: 0.6, hairColour: '#1e1512', eyes: { shape: 'almond', colour: '#3b2414', look: 0.8, size: 1.12, lash: true, drop: -2 }, brows: { thick: 7.5, arch: 6, lift: 2 }, nose: 'aquiline', mouth: 'smile', lips: { full: 1.1 } },
      wear: { kind: 'coat', colour: '#3d4434', accent: '#c9a15a', under: '#6d3f48' } }],
  },
  'lazaro-quispe': {
    place: 'oven', accent: EMBER, thread: 'river',
    figures: [{ at: [244, 268], scale: 1.06, tilt: 3, flip: true,
      face: { skin: '#9c6342', wide: 1.18, jaw: 1.22, chin: 1.25, neck: 1.6, turn: 0.45, hair: 'stubble', hairColour: '#2c1f1a', beard: 'goatee', beardColour: '#4a3c36', eyes: { shape: 'hooded', colour: '#2c180d', look: 0.1, bags: true, apart: 30 }, brows: { thick: 9, lift: 3, tilt: -4, arch: 4 }, nose: 'hooked', mouth: 'smile', lips: { full: 1.1 }, lines: 2, marks: line('M-66 -30l18 22M-58 -32l6 12', '#c98a68', 3.4) },
      before: '',
      wear: { kind: 'apron', colour: '#b9ab8f', accent: '#e3d7bf', trim: '#a8402c', wide: 1.22 } }],
  },
  'priyamvada-iyer': {
    place: 'puzzle', accent: EMBER, thread: 'halo',
    figures: [{ at: [262, 276], tilt: -5,
      face: { skin: '#8f5a3a', wide: 1.05, jaw: 1.02, chin: 1.05, turn: 0.6, hair: 'plait', hairColour: '#b9b2a8', tie: '#a8332a', eyes: { shape: 'almond', colour: '#2a170d', look: -0.7, size: 1.05 }, brows: { thick: 5, lift: 9, arch: 9, tilt: -3, colour: '#57493f' }, nose: 'broad', mouth: 'smirk', lines: 1, marks: circle(10, -44, 6, '#a8221f') + circle(-3, 40, 3, '#e9c46a') },
      before: glasses(0.6, '#2a1c17', { round: false, size: 0.98, low: 4, chain: '#d9aa54' }),
      wear: { kind: 'sari', colour: '#2f6b5c', accent: '#d9a03a', trim: '#a8402c' } }],
  },
  'crew-of-the-kittiwake': groups.kittiwake,
  'house-on-salt-lane': groups.saltLane,
  'drowned-cartographer': { scene: 'chart', thread: 'chart', accent: TEAL },
  'dead-hand-at-plenty': { scene: 'table', thread: 'table', accent: EMBER },
  'ninety-floors': { scene: 'tower', thread: 'lift', accent: SAFFRON },
  'lumi-saarelainen': {
    place: 'hearth', accent: EMBER, thread: 'shoulder',
    figures: [{ at: [240, 290], tilt: 5, 
      face: { skin: '#ecb98f', wide: 1.02, jaw: 0.93, chin: 0.85, turn: 0.4, hair: 'braids', hairColour: '#e6d3a4', tie: '#a8332a', eyes: { shape: 'wide', colour: '#4f86a0', look: 0.1, size: 1.25 }, brows: { thick: 5, lift: 7, tilt: -5, arch: 5, colour: '#a98d5c' }, nose: 'button', mouth: 'grin', lips: { wide: 0.78 }, blush: '#d9694a', marks: freckles('#b9714a', 0.4) + line('M-60 44q14 -4 22 4M-56 52q8 -2 14 2M-10 -78q14 -6 24 0M-2 -70q8 -3 14 0', '#2a1f1b', 6, { opacity: 0.35 }) },
      wear: { kind: 'shawl', colour: '#2c3f5e', accent: '#8a2f2a', trim: '#e9c46a', wide: 0.94, more: line('M-110 178C-60 250 20 320 110 420', '#5b3d26', 15) } }],
  },
  'sir-gaspard': {
    place: 'cave', accent: SAFFRON, thread: 'wire',
    figures: [{ at: [290, 292], scale: 1.04, tilt: 6, flip: true, before: helm('#8f959a', '#a8332a'),
      face: { skin: '#e9c3a2', wide: 0.95, jaw: 0.95, long: 4, turn: 0.55, hair: 'crop', hairColour: '#a5592c', eyes: { shape: 'wide', colour: '#5b7a4a', look: 0.9, size: 1.08 }, brows: { thick: 6, lift: 8, tilt: -8, arch: 4 }, nose: 'long', mouth: 'worry', lips: { wide: 0.8 }, marks: freckles('#b9714a', 0.55) + circle(-48, -62, 3, '#cfe0e0') },
      wear: { kind: 'armour', colour: '#7d848a', accent: '#d9b25c', trim: '#a8332a', wide: 0.98 } }],
  },
  'kei-tatsunami': {
    place: 'flood', accent: EMBER, thread: 'scarf', rim: '#8fd6cc',
    figures: [{ at: [236, 290], tilt: -6,
      face: { skin: '#d9a57c', wide: 0.92, jaw: 0.96, chin: 0.85, turn: 0.7, hair: 'sweep', hairColour: '#d9cda0', eyes: { shape: 'almond', colour: '#2f5a5c', look: 0.6, size: 1.3 }, brows: { thick: 6, lift: 0, tilt: 4, colour: '#2a211c' }, nose: 'straight', mouth: 'smirk', lips: { wide: 0.8 }, marks: line('M-46 -44l14 30', '#f0cdb0', 4) },
      before: goggles('#15181c', '#2f8f86', '#e9a83f'),
      wear: { kind: 'biker', colour: '#25282f', accent: '#d9602c', trim: '#c9c2b0' } }],
  },
  'tavita-leota': {
    place: 'rescue', accent: EMBER, thread: 'river', rim: '#ffe6c0', over: dog,
    figures: [{ at: [264, 276], scale: 1.04, tilt: 3, before: headLamp('#d8d2c2', '#c2442c'),
      face: { skin: '#8c5a3c', wide: 1.17, jaw: 1.2, chin: 1.2, neck: 1.55, turn: 0.45, hair: 'crop', hairColour: '#1c1411', beard: 'shadow', eyes: { shape: 'almond', colour: '#2a160c', look: -0.3, bags: true }, brows: { thick: 9, lift: 2, tilt: -2, arch: 4 }, nose: 'broad', mouth: 'smile', lips: { full: 1.25, wide: 1.1 }, lines: 1 },
      wear: { kind: 'harness', colour: '#b8472a', accent: '#e3dcc9', trim: '#2f3a3e', wide: 1.18 } }],
  },
};

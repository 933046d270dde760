// How spirits, beasts, machines and the dead are drawn.
// Numbers are factors near 1 unless the drawing file says otherwise; one entry a slug.
import { EMBER, SAFFRON, TEAL, circle, fill, line, many, oval } from './draw.mjs';
import { automaton, garden, owl } from './creatures.mjs';
import { antlers, beanie, curvedHorns, deerEars, foxEars, freckles, frill, glasses, goggles, headLamp, headset, helm, hijabBefore, hijabBehind, kerchief, muzzle, scales, smallHorns, trainCap } from './worn.mjs';


export const others = {
  suzuran: {
    place: 'teahouse', accent: EMBER, thread: 'loop',
    figures: [{ at: [246, 288], tilt: 5, flip: true, behind: foxEars('#b3552a', '#3a1c16'),
      face: { skin: '#e9bd92', wide: 0.95, jaw: 0.9, chin: 0.85, long: 4, turn: 0.6, hair: 'bob', hairColour: '#3b1d1a', eyes: { shape: 'narrow', colour: '#c98a2c', look: -0.6, lash: true, size: 1.12, slit: true }, brows: { thick: 5, lift: 7, arch: 5, long: 0.6 }, nose: 'button', mouth: 'smirk', lips: { colour: '#a8322c', full: 1, wide: 0.78 }, marks: line('M-58 30l22 4M-58 42l22 0', '#b3552a', 3) },
      before: line('M-40 -112L-92 -148M-30 -118L-70 -168', '#d9aa54', 4) + circle(-94, -150, 8, '#b9332c') + many(3, (index) => circle(-70 + index * 9, -168 + index * 16, 4.6, '#f3ead6')),
      wear: { kind: 'kimono', colour: '#5a2530', accent: '#d9b27a', trim: '#26363a', under: '#efe3cd' } }],
  },
  loam: { place: 'gardenwall', accent: SAFFRON, thread: 'river', rim: '#e6d489', figures: [{ at: [244, 288], scale: 1.06, tilt: -4, creature: garden({}), wear: { kind: 'cloak', colour: '#3a3323', accent: '#4d5f2c', trim: '#c78a3c', wide: 1.02 } }] },
  'docent-nineteen': { place: 'museum', accent: EMBER, thread: 'wire', figures: [{ at: [246, 272], lift: -8, tilt: -5, creature: automaton({}), wear: { kind: 'suit', colour: '#3d2430', accent: '#3f8f86', under: '#e4d7bf' } }] },
  'wilhelmina-achterberg': {
    place: 'wires', accent: TEAL, thread: 'wire', rim: '#cdfff0',
    figures: [{ at: [240, 296], tilt: 4, flip: true, opacity: 0.86, dark: '#0b2226',
      face: { skin: '#b7d2c6', wide: 0.95, jaw: 0.96, long: 2, turn: 0.55, hair: 'pompadour', hairColour: '#4f7770', eyes: { shape: 'wide', colour: '#3f7f86', look: -0.5, white: '#e6f3ea' }, brows: { thick: 5, lift: 6, arch: 7, colour: '#47655f' }, nose: 'straight', mouth: 'smirk', lips: { colour: '#7f9f98', wide: 0.85 }, blush: '#6fa9a8' },
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
};

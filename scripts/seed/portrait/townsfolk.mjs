// How people with a trade and an address are drawn.
// Numbers are factors near 1 unless the drawing file says otherwise; one entry a slug.
import { EMBER, SAFFRON, TEAL, circle, fill, line, many, oval } from './draw.mjs';
import { automaton, garden, owl } from './creatures.mjs';
import { antlers, beanie, curvedHorns, deerEars, foxEars, freckles, frill, glasses, goggles, headLamp, headset, helm, hijabBefore, hijabBehind, kerchief, muzzle, scales, smallHorns, trainCap } from './worn.mjs';


const loupe = line('M-76 -62C-40 -88 40 -90 76 -64', '#2b1d14', 7) + circle(-12, -84, 22, '#2b1d14') + circle(-12, -84, 15, '#b9cfc6') + line('M-20 -90q6 -7 14 -6', '#fff3d8', 3);

export const townsfolk = {
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
  'ardeshir-jalbhoy': {
    place: 'blinds', accent: EMBER, thread: 'scarf',
    figures: [{ at: [242, 272], tilt: -3, flip: true, before: '',
      face: { skin: '#b98258', wide: 1.16, jaw: 1.16, chin: 1.15, neck: 1.2, turn: 0.5, hair: 'slick', hairColour: '#1e1714', beard: 'moustache', eyes: { shape: 'round', colour: '#3b2416', look: 0.7, bags: true }, brows: { thick: 8, lift: 4, arch: 10 }, nose: 'hooked', mouth: 'calm', lips: { wide: 0.72 }, lines: 1 },
      wear: { kind: 'suit', colour: '#4d4438', accent: '#a8332a', under: '#eadfc8', wide: 1.08 } }],
  },
  'baruch-zilberfarb': {
    place: 'clocks', accent: SAFFRON, thread: 'fall',
    figures: [{ at: [236, 276], tilt: 6,
      face: { skin: '#d9ab86', wide: 0.98, jaw: 0.95, long: 4, turn: 0.6, hair: 'tufts', hairColour: '#cfc5b4', beard: 'short', beardColour: '#c8bdaa', eyes: { shape: 'tired', colour: '#4c5b5a', look: 0.1 }, brows: { thick: 9, lift: 3, tilt: -5, arch: 6, colour: '#bfb4a2' }, nose: 'hooked', mouth: 'smile', lines: 2, blush: '#b9503a' },
      before: glasses(0.6, '#c9a15a', { low: 6 }) + loupe,
      wear: { kind: 'apron', colour: '#6d6553', accent: '#3a2a1e', trim: '#c9a15a', slope: 8 } }],
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
      wear: { kind: 'apron', colour: '#35564e', accent: '#d9ccb0', trim: '#a8402c', wide: 1.22 } }],
  },
  'priyamvada-iyer': {
    place: 'puzzle', accent: EMBER, thread: 'halo',
    figures: [{ at: [262, 276], tilt: -5,
      face: { skin: '#8f5a3a', wide: 1.05, jaw: 1.02, chin: 1.05, turn: 0.6, hair: 'plait', hairColour: '#b9b2a8', tie: '#a8332a', eyes: { shape: 'almond', colour: '#2a170d', look: -0.7, size: 1.05 }, brows: { thick: 5, lift: 9, arch: 9, tilt: -3, colour: '#57493f' }, nose: 'broad', mouth: 'smirk', lines: 1, marks: circle(10, -44, 6, '#a8221f') + circle(-3, 40, 3, '#e9c46a') },
      before: glasses(0.6, '#2a1c17', { round: false, size: 0.98, low: 4, chain: '#d9aa54' }),
      wear: { kind: 'sari', colour: '#2f6b5c', accent: '#d9a03a', trim: '#a8402c' } }],
  },
};

/** A setting; its shape is told in worlds.mjs. */
export const space = {
  cues: /\b(?:space\w*|starship|planet|orbit|station|galaxy|galactic|alien|airlock|hull|astronaut|colony|reactor|thruster|cargo bay|moon|mars|jump drive|engine(?:er)?)\b/gi,
  things: ['the spare gauge', 'the handset', 'the torque wrench', 'the sealed flask', 'the manual'],
  fixtures: ['the console', 'the inner hatch', 'the viewport', 'the bulkhead', 'the cargo door'],
  paths: ['the aft corridor', 'the docking ring', 'deck two', 'the crawlway'],
  people: ['the dock officer', 'the relief pilot', 'the quartermaster', 'the medic'],
  air: [
    'The air plant coughs, thinks, and goes on.',
    'Somewhere aft a panel ticks as it cools.',
    'Beyond the glass the stars do not twinkle; they only stay.',
    'The lights dip by a shade, as they do whenever something large is switched on elsewhere.',
    'A loose screw drifts past at eye level in no hurry at all.',
    'The hull gives one long creak, like a house at night.',
    'A small amber lamp comes on that has no label.',
    'The deck hums up through the soles of your feet.',
  ],
  where: [
    "You're in a can of warm air, a long way from the shop. It helps not to think of it like that.",
    "Four bulkheads and a window. Past the window there's nothing for longer than I can say.",
    "This is home, more or less. It's been patched so often that I couldn't tell you which part is the original.",
  ],
  tales: [
    [
      "There was a freighter that lost its clock, so the crew lived by the cook's stomach.",
      'They made port three weeks early and had all aged a month.',
      'The cook was never questioned.',
    ],
    [
      'An old hand told me that every ship has one sound it makes for nobody.',
      "You only hear it when you've decided to leave.",
      "I've heard it twice, and here I am.",
    ],
  ],
  thread: {
    sign: 'A single tone sounds from the speaker, stops, and sounds again, with the same gap between.',
    signSay: "That's not one of our alarms. I've heard all of ours.",
    near: 'The tone comes back, and this time it is under your feet and not in the speaker.',
    nearSay: "It's in the structure. Somebody's tapping from the outside, or something's learned to.",
    turn: 'On the panel a light shows that the outer lock is being asked, politely, to open.',
    turnSay: 'I can open it and see who knocks, or cut the power to the lock. Say which, and say it quickly.',
    options: ['Open the outer lock.', 'Cut the power to the lock.'],
    cues: [/\b(open|let|see who|in\b|first|answer)/i, /\b(cut|power|close|keep|no\b|second|shut|don't)/i],
    out: [
      "The lock cycles. When the inner door slides back there is a child's helmet on the floor, and it is still warm.",
      'The light goes out. The tapping slows, and settles, and becomes almost companionable.',
      'Before a hand can move, the lock cycles by itself, empty, and closes again with care.',
    ],
    outSay: [
      "There's no ship within nine days of us. I want you to hear me say that.",
      "We're safe, I think. I don't feel as good about it as I'd hoped to.",
      "Well, we were asked, and we took too long. I'll be thinking about that.",
    ],
    reveal: 'On the scope the faint blip has a name beside it, and the name is the one painted on this hull.',
    revealSay: "It's us. It's our own call sign, a year from now, and it's been trying to tell us something.",
    quiet: 'The lamps go down to their night setting, and the humming seems closer and kinder.',
    quietSay: "I used to do this watch alone. It's odd how soon one stops wanting to.",
  },
};

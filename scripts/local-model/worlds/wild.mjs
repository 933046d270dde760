/** A setting; its shape is told in worlds.mjs. */
export const wild = {
  cues: /\b(?:forest|wood(?:s|land)|mountain|hunter|wolf|wolves|garden\w*|farm\w*|village|herb\w*|river|snow|druid|ranger|valley|orchard|bees?|trail|meadow|pass|moss|cabin|hermit|spirit)\b/gi,
  things: ['the bundle of twine', 'the clasp knife', 'the tin lantern', 'the walking stick', 'the seed box'],
  fixtures: ['the gate', 'the low wall', 'the fire', 'the old pear tree', 'the stile'],
  paths: ['the upper path', 'the ford', 'the birch wood', 'the sheep track'],
  people: ['the shepherd', 'the charcoal burner', "the miller's boy", 'the postwoman'],
  air: [
    'A branch lets go of its snow or its rain, and springs up lighter.',
    'Something with careful feet stops when you do.',
    'The smoke goes straight up for a yard and then forgets why.',
    'An owl asks its one question and is not answered.',
    'The wind comes down through the leaves as though it were reading them.',
    'Far up the slope a stone rolls, and goes on rolling.',
    'The light has gone green at the edges, as it does before weather.',
    'Two crows change places on a post without discussing it.',
  ],
  where: [
    'The maps give it a name. Nobody who lives here uses it.',
    "It's the last place with a roof before it's all trees.",
    "You're where the path stops being sure of itself.",
  ],
  tales: [
    [
      'There was a woodcutter who asked each tree before he felled it.',
      'In forty years only one said yes.',
      'They made the church door out of it, and it opens by itself for weddings.',
    ],
    [
      "My people say that a wolf once sat through a whole winter's night by a cradle.",
      'In the morning it left, and the child never learned to be afraid of anything.',
      "It wasn't altogether a gift.",
    ],
  ],
  thread: {
    sign: 'Out among the trees, a long way off, somebody is whistling.',
    signSay: "Nobody whistles out there after dusk. It's the one thing we're all taught.",
    near: 'The whistling has come to the near side of the trees, and it has learned a little of your step.',
    nearSay: "It's keeping time with us. Walk uneven for a bit.",
    turn: 'At the edge of the light stands a white hind with a red ribbon round her neck, looking straight at you.',
    turnSay:
      'She wants following. We go after her, or we keep by the fire until it gets light. I will do as you say.',
    options: ['Follow the white hind.', 'Stay by the fire until morning.'],
    cues: [/\b(follow|go|after|her\b|hind|first|deer)/i, /\b(stay|fire|morning|wait|second|here|no\b)/i],
    out: [
      'She leads at a walk, and stops at a well that was filled in long ago, and is open now.',
      'She stands a while longer, bows her head as a guest does who finds no one in, and is gone. Where she stood the grass is warm.',
      'She makes up her own mind, steps in to the fire, and lies down there like a dog.',
    ],
    outSay: [
      'I helped to fill that in. I was nine, and I carried the stones I was given.',
      'You may have saved us, or missed us something. Out here it feels the same.',
      "Well. I've been host to stranger. Not by much.",
    ],
    reveal: 'In the ash at the rim of the fire somebody has drawn a small house with a finger.',
    revealSay:
      "That's the house I was born in. It's been gone since before you could walk, and I've told no one where the windows were.",
    quiet:
      'The trees are still. You can hear the fire think, and past it the whole cold dark getting on with its work.',
    quietSay: "It's better with two. I hadn't planned on finding that out.",
  },
};
